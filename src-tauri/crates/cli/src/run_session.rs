//! A run that this process executes: its desk, its questions, its progress and its result. `run`, `resume`, `answer`
//! and `fork` differ only in how it starts.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use desk::api::{Preflight, RunPage, RunRef, StartRun};
use desk::{ApiError, Desk, ErrorCode, Options, Outcome, Phrase, QuestionPolicy, RunEnd, RunHandle, Seq};
use tokio::sync::mpsc;

use crate::arguments::RunInteraction;
use crate::desk_client::{ask, open_with};
use crate::output;
use crate::progress::Progress;
use crate::question_prompt::{self, PendingQuestion, Terminal};
use crate::results::{Ending, write_result};
use crate::run_follower::{Audience, FollowResult, Stop, follow, open_question};
use crate::table::duration;

/// How long the program waits for the database at its end.
const CLOSING: Duration = Duration::from_secs(2);

/// A run that this process executes, with its desk and its output.
pub(crate) struct RunSession {
    pub(crate) desk: Desk,
    interaction: RunInteraction,
    questions: mpsc::Receiver<PendingQuestion>,
    stop: Stop,
    begun: Instant,
}

impl RunSession {
    pub(crate) async fn begin(
        data_dir: Option<PathBuf>,
        interaction: RunInteraction,
    ) -> Result<RunSession, ApiError> {
        let begun = Instant::now();
        let stop = Stop::new()?;
        let (asked, questions) = mpsc::channel(1);
        let answered_by = if interaction.yes {
            QuestionPolicy::Defaults
        } else if output::can_ask() {
            QuestionPolicy::Other(Arc::new(Terminal { asked }))
        } else {
            QuestionPolicy::Nobody
        };
        let options = Options { data_dir, question_policy: answered_by, ..Options::default() };
        Ok(RunSession { desk: open_with(options).await?, interaction, questions, stop, begun })
    }

    /// Starts a run, and prints what is known of it beforehand.
    pub(crate) async fn start(&mut self, request: StartRun) -> Result<RunHandle, ApiError> {
        let handle = self.begun(request.clone()).await?;
        if !self.interaction.quiet {
            // Printed at the start and not when the problems occur. If they cannot be determined, the run continues.
            let preflight: Result<Preflight, ApiError> = ask(&self.desk, "preflight", request).await;
            let remarks = preflight.map_or_else(
                |error| vec![output::sentence(&error)],
                |found| found.remarks.iter().map(Phrase::english).chain(found.time_remark()).collect(),
            );
            remarks.iter().for_each(|remark| output::tell(&format!("Note: {remark}")));
        }
        Ok(handle)
    }

    /// Waits for a run to start, unless the person interrupts it: tool servers may have to be started first.
    pub(crate) async fn begun(&mut self, request: StartRun) -> Result<RunHandle, ApiError> {
        tokio::select! {
            handle = self.desk.runs().start(request) => handle,
            () = self.stop.requested() => Err(desk::interrupted()),
        }
    }

    /// A line that the person types; `None` at the end of the input or after a signal.
    pub(crate) async fn typed_line(&mut self) -> Option<String> {
        tokio::select! {
            line = question_prompt::read_line() => line.ok().flatten(),
            () = self.stop.requested() => None,
        }
    }

    /// The page of a run before it continues.
    pub(crate) async fn before(&self, run: &str) -> Result<RunPage, ApiError> {
        ask(&self.desk, "open_run", RunRef { run: run.to_owned() }).await
    }

    /// Shows a run to its end, and returns the exit code.
    pub(crate) async fn show(
        &mut self,
        handle: &RunHandle,
        pipeline: &str,
        from: Seq,
        progress_from: Seq,
    ) -> Result<u8, ApiError> {
        let is_json = self.interaction.json;
        // On one terminal, lines for programs and an animated line would mix.
        let is_alone = !(is_json && std::io::stdout().is_terminal());
        let progress = match !self.interaction.quiet && is_alone && output::can_draw() {
            // Without the page of the run, agents are shown by their names.
            true => Some(Progress::new(self.before(&handle.run().0).await.ok())),
            false => None,
        };
        let audience = Audience { is_json, progress, progress_from };
        let FollowResult { end, error } =
            follow(&self.desk, handle, from, &audience, &mut self.questions, &mut self.stop).await;
        if let Some(progress) = audience.progress {
            progress.end();
        }
        let end = end.unwrap_or_else(|| cut_off(handle));
        let run = handle.run().0.as_str();
        let (text, notice) = self.desk.runs().result_texts(handle.run(), pipeline, &end.state).await?;
        let text = text.unwrap_or_default();
        let question = match end.outcome {
            Outcome::Waiting => open_question(&self.desk, run, handle.fold().last_seq).await?,
            _ => None,
        };
        let without_model = handle.fold().agents_without_model();
        let ending = Ending {
            run,
            end: &end,
            output: &text,
            notice: notice.as_deref(),
            question: question.as_ref(),
            without_model: &without_model,
        };
        if is_json {
            write_result(&ending)?;
        }
        self.tell(&ending)?;
        // A database that does not close in time has committed all acknowledged writes.
        self.desk.close_within(CLOSING).await;
        // The run continued, but some of its events were not shown.
        if let Some(error) = &error {
            output::tell_error(error);
        }
        Ok(match (code(end.outcome, end.error.as_ref()), error) {
            (0, Some(error)) => output::exit_code(&error),
            (code, _) => code,
        })
    }

    /// Prints the end of a run for people.
    fn tell(&self, ending: &Ending<'_>) -> Result<(), ApiError> {
        let Ending { run, end, output: text, .. } = ending;
        if !self.interaction.json && !text.is_empty() {
            output::write_text(text)?;
        }
        ending.sentences().iter().for_each(|sentence| output::tell(sentence));
        if !self.interaction.quiet && !self.interaction.json && output::can_draw() {
            let (took, usage) = (self.begun.elapsed(), &end.usage);
            let tokens = usage.input_tokens + usage.output_tokens;
            let took = duration(u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
            let outcome = end.outcome.word();
            output::tell(&format!(
                "{outcome} after {took} · {} calls · {tokens} tokens · run {run}",
                usage.calls
            ));
        }
        Ok(())
    }
}

/// The end of a run that was stopped and did not store its end in time.
fn cut_off(handle: &RunHandle) -> RunEnd {
    let fold = handle.fold();
    let message = "The run was stopped, but its end was not stored in time; what came before is";
    RunEnd {
        outcome: Outcome::Cancelled,
        error: Some(ApiError::new(ErrorCode::Cancelled, Phrase::verbatim(message))),
        state: fold.state,
        usage: fold.usage,
    }
}

/// The exit code, on which scripts depend.
fn code(outcome: Outcome, error: Option<&ApiError>) -> u8 {
    match outcome {
        Outcome::Finished => 0,
        // An invalid value, such as a plan, may be found only during the run.
        Outcome::Failed if error.is_some_and(|error| error.code == ErrorCode::BadInput) => 2,
        Outcome::Failed => 1,
        Outcome::Limited => 3,
        Outcome::Waiting => 5,
        Outcome::Cancelled => 130,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_waits_for_an_answer_has_its_own_exit_code() {
        // No agent of the built-in pipelines asks, so this cannot be tested with the whole program.
        assert_eq!(code(Outcome::Waiting, None), 5);
    }
}
