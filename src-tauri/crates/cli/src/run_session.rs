//! A run executed by this process: its desk, its questions, its progress and its result. `run`, `resume`, `answer` and
//! `fork` differ only in how it begins.

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
use crate::run_follower::{Audience, Followed, Stop, follow, open_question};
use crate::table::duration;

/// How long the end of the program waits for the database.
const CLOSING: Duration = Duration::from_secs(2);

/// A run executed by this process, with what it needs beside the desk.
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

    /// Begins a run, and tells what is known of it beforehand.
    pub(crate) async fn start(&mut self, request: StartRun) -> Result<RunHandle, ApiError> {
        let handle = self.begun(request.clone()).await?;
        if !self.interaction.quiet {
            // Said at once, and not when it has happened. What cannot be said is no reason to leave the run.
            let preflight: Result<Preflight, ApiError> = ask(&self.desk, "preflight", request).await;
            let remarks = preflight.map_or_else(
                |error| vec![output::sentence(&error)],
                |found| found.remarks.iter().map(Phrase::english).chain(found.time_remark()).collect(),
            );
            remarks.iter().for_each(|remark| output::tell(&format!("Note: {remark}")));
        }
        Ok(handle)
    }

    /// A run that has begun. Tool servers may have to be started first, and the person may end that.
    pub(crate) async fn begun(&mut self, request: StartRun) -> Result<RunHandle, ApiError> {
        tokio::select! {
            handle = self.desk.start(request) => handle,
            () = self.stop.asked() => Err(desk::interrupted()),
        }
    }

    /// A line that the person types; nothing at the end of the input, or when they end the program.
    pub(crate) async fn typed_line(&mut self) -> Option<String> {
        tokio::select! {
            line = question_prompt::read_line() => line.ok().flatten(),
            () = self.stop.asked() => None,
        }
    }

    /// How a run stands before it goes on.
    pub(crate) async fn before(&self, run: &str) -> Result<RunPage, ApiError> {
        ask(&self.desk, "open_run", RunRef { run: run.to_owned() }).await
    }

    /// Shows a run to its end; gives the exit code.
    pub(crate) async fn show(
        &mut self,
        handle: &RunHandle,
        pipeline: &str,
        from: Seq,
        progress_from: Seq,
    ) -> Result<u8, ApiError> {
        let is_json = self.interaction.json;
        // On one terminal lines for programs and a line that moves would write into each other.
        let is_alone = !(is_json && std::io::stdout().is_terminal());
        let progress = match !self.interaction.quiet && is_alone && output::can_draw() {
            // Without the page of the run its agents are called by their names.
            true => Some(Progress::new(self.before(&handle.run().0).await.ok())),
            false => None,
        };
        let audience = Audience { is_json, progress, progress_from };
        let Followed { end, error } =
            follow(&self.desk, handle, from, &audience, &mut self.questions, &mut self.stop).await;
        if let Some(progress) = audience.progress {
            progress.end();
        }
        let end = end.unwrap_or_else(|| cut_off(handle));
        let run = handle.run().0.as_str();
        let (text, notice) = self.desk.result_texts(handle.run(), pipeline, &end.state).await?;
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
        // A database that does not close in time has committed what is acknowledged.
        self.desk.close_within(CLOSING).await;
        // The run went on; what it told was not all shown.
        if let Some(error) = &error {
            output::tell_error(error);
        }
        Ok(match (code(end.outcome, end.error.as_ref()), error) {
            (0, Some(error)) => output::exit_code(&error),
            (code, _) => code,
        })
    }

    /// Writes what people read of an end.
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

/// The end of a run that was stopped and did not come to its end in time.
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

/// The exit code scripts depend on.
fn code(outcome: Outcome, error: Option<&ApiError>) -> u8 {
    match outcome {
        Outcome::Finished => 0,
        // What the person gave cannot be used as it is, which is seen only while the run goes on: a plan, say.
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
    fn a_run_that_waits_for_an_answer_has_an_exit_code_of_its_own() {
        // No agent of today's pipelines asks anything, so no run of the whole program ends so.
        assert_eq!(code(Outcome::Waiting, None), 5);
    }
}
