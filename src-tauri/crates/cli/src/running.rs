//! The commands under which a run lives: run, resume, answer, fork. Each begins it in its own way; the rest is the same.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use desk::api::{ForkRun, Preflight, ResumeRun, RunPage, RunRef, StartRun};
use desk::{
    ApiError, Desk, Effect, ErrorCode, Fact, Manner, Options, Outcome, Question, RunEnd, RunHandle, Seq,
};
use tokio::sync::mpsc;

use crate::arguments::{Answer, Fork, Resume, Run, RunManner};
use crate::asking::{self, Asked, Terminal};
use crate::following::{Audience, Followed, Stop, follow, stored};
use crate::progress::Progress;
use crate::results::{Ending, write_result};
use crate::table::duration;
use crate::{ask, given, looking, open_with, output};

/// How long the end of the program waits for the database.
const CLOSING: Duration = Duration::from_secs(2);

/// `galley run`.
pub(crate) async fn run(data_dir: Option<PathBuf>, asked: Run) -> Result<u8, ApiError> {
    let given::ByAgent { instructions, models } = given::changes(&asked.changes)?;
    let request = StartRun {
        inputs: given::inputs(&asked.input)?,
        limits: given::limits(&asked.bounds.limit)?,
        pipeline: asked.pipeline,
        profile: asked.profile,
        source: asked.source,
        as_of: asked.as_of,
        session: asked.session,
        instructions,
        models,
        profiles: Default::default(),
        allow: asked.bounds.allow,
        fallback: given::on_failure(asked.on_failure)?,
    };
    let mut life = Life::begin(data_dir, asked.manner).await?;
    let pipeline = request.pipeline.clone();
    let handle = life.desk.start(request.clone()).await?;
    if !asked.manner.quiet {
        // Said at once, and not when it has happened. What cannot be said is no reason to leave the run.
        let preflight: Result<Preflight, ApiError> = ask(&life.desk, "preflight", request).await;
        let remarks = preflight.map_or_else(
            |fault| vec![output::sentence(&fault)],
            |found| found.remarks.iter().cloned().chain(found.time_remark()).collect(),
        );
        remarks.iter().for_each(|remark| output::tell(&format!("Note: {remark}")));
    }
    life.show(&handle, &pipeline, 1, 1).await
}

/// `galley resume`.
pub(crate) async fn resume(data_dir: Option<PathBuf>, asked: Resume) -> Result<u8, ApiError> {
    let limits = given::limits(&asked.bounds.limit)?;
    let mut life = Life::begin(data_dir, asked.manner).await?;
    let before = life.before(&asked.run).await?;
    let request = ResumeRun {
        run: before.card.run,
        limits,
        allow: asked.bounds.allow,
        fallback: given::on_failure(asked.on_failure)?,
    };
    let handle = life.desk.resume(request).await?;
    let from = before.card.last_seq + 1;
    life.show(&handle, &before.card.pipeline, from, from).await
}

/// `galley answer`.
pub(crate) async fn answer(data_dir: Option<PathBuf>, asked: Answer) -> Result<u8, ApiError> {
    let mut life = Life::begin(data_dir, asked.manner).await?;
    let before = life.before(&asked.run).await?;
    let handle = life.desk.answer(&before.card.run, asked.value).await?;
    let from = before.card.last_seq + 1;
    life.show(&handle, &before.card.pipeline, from, from).await
}

/// `galley fork`.
pub(crate) async fn fork(data_dir: Option<PathBuf>, asked: Fork) -> Result<u8, ApiError> {
    let given::ByAgent { instructions, models } = given::changes(&asked.changes)?;
    let set = given::values(&asked.set)?;
    let limits = given::limits(&asked.bounds.limit)?;
    let mut life = Life::begin(data_dir, asked.manner).await?;
    let before = life.before(&asked.run).await?;
    let request = ForkRun {
        run: before.card.run,
        at: asked.at,
        set,
        instructions,
        models,
        limits,
        profile: asked.profile,
        allow: asked.bounds.allow,
    };
    let handle = life.desk.fork(request).await?;
    life.show(&handle, &before.card.pipeline, 1, asked.at.saturating_add(1)).await
}

/// Everything around a run that lives in this process.
struct Life {
    desk: Desk,
    manner: RunManner,
    questions: mpsc::Receiver<Asked>,
    stop: Stop,
    begun: Instant,
}

impl Life {
    async fn begin(data_dir: Option<PathBuf>, manner: RunManner) -> Result<Life, ApiError> {
        let begun = Instant::now();
        let stop = Stop::new()?;
        let (asked, questions) = mpsc::channel(1);
        let answered_by = if manner.yes {
            Manner::Defaults
        } else if output::can_ask() {
            Manner::Other(Arc::new(Terminal { asked }))
        } else {
            Manner::Nobody
        };
        let options = Options { data_dir, manner: answered_by, ..Options::default() };
        Ok(Life { desk: open_with(options).await?, manner, questions, stop, begun })
    }

    /// How a run stands before it goes on.
    async fn before(&self, run: &str) -> Result<RunPage, ApiError> {
        ask(&self.desk, "open_run", RunRef { run: run.to_owned() }).await
    }

    /// Shows a run to its end; gives the exit code.
    async fn show(
        &mut self,
        handle: &RunHandle,
        pipeline: &str,
        from: Seq,
        progress_from: Seq,
    ) -> Result<u8, ApiError> {
        let is_json = self.manner.json;
        // On one terminal lines for programs and a line that moves would write into each other.
        let is_alone = !(is_json && std::io::stdout().is_terminal());
        let progress = match !self.manner.quiet && is_alone && output::can_draw() {
            true => {
                Some(Progress::new(looking::outline(&self.desk, pipeline).await.unwrap_or_default().as_ref()))
            }
            false => None,
        };
        let audience = Audience { is_json, progress, progress_from };
        let Followed { end, fault } =
            follow(&self.desk, handle, from, &audience, &mut self.questions, &mut self.stop).await;
        if let Some(progress) = audience.progress {
            progress.end();
        }
        let end = end.unwrap_or_else(|| cut_off(handle));
        let run = handle.run().0.as_str();
        let text = self.desk.final_text(pipeline, &end.state)?.unwrap_or_default();
        let notice = self.desk.remark(pipeline, &end.state)?;
        let question = match end.outcome {
            Outcome::Waiting => self.open_question(run, handle.fold().last_seq).await?,
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
        let _ = tokio::time::timeout(CLOSING, self.desk.close()).await;
        // The run went on; what it told was not all shown.
        if let Some(fault) = &fault {
            output::tell_fault(fault);
        }
        Ok(match (code(end.outcome), fault) {
            (0, Some(fault)) => output::exit_code(&fault),
            (code, _) => code,
        })
    }

    /// Writes what people read of an end.
    fn tell(&self, ending: &Ending<'_>) -> Result<(), ApiError> {
        let Ending { run, end, output: text, .. } = ending;
        if !self.manner.json && !text.is_empty() {
            output::write_text(text)?;
        }
        if let Some(notice) = ending.notice {
            output::tell(&format!("Note: {notice}"));
        }
        if !ending.without_model.is_empty() {
            let agents = ending.without_model.join(", ");
            output::tell(&format!("Note: Done without a model, because the model failed: {agents}"));
        }
        match end.outcome {
            Outcome::Waiting => {
                match ending.question {
                    Some(question) => output::tell(&asking::shown(question)),
                    None => end.fault.iter().for_each(output::tell_fault),
                }
                output::tell(&format!("The run waits: answer with `galley answer {run} VALUE`"));
            }
            Outcome::Cancelled => {
                output::tell(&format!("The run was stopped; `galley resume {run}` goes on"))
            }
            Outcome::Finished | Outcome::Failed | Outcome::Limited => {
                end.fault.iter().for_each(output::tell_fault);
            }
        }
        if !self.manner.quiet && !self.manner.json && output::can_draw() {
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

    /// The question a run waits with: the last one asked.
    async fn open_question(&self, run: &str, last: Seq) -> Result<Option<Question>, ApiError> {
        let events = stored(&self.desk, run, last.saturating_sub(100).max(1), true).await?;
        Ok(events.into_iter().rev().find_map(|event| match event.fact {
            Fact::EffectAsked { effect: Effect::Question { question }, .. } => Some(question),
            _ => None,
        }))
    }
}

/// The end of a run that was stopped and did not come to its end in time.
fn cut_off(handle: &RunHandle) -> RunEnd {
    let fold = handle.fold();
    let message = "The run was stopped, but its end was not stored in time; what came before is";
    RunEnd {
        outcome: Outcome::Cancelled,
        fault: Some(ApiError::new(ErrorCode::Cancelled, message)),
        state: fold.state,
        usage: fold.usage,
    }
}

/// The exit code scripts depend on.
fn code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Finished => 0,
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
        assert_eq!(code(Outcome::Waiting), 5);
    }
}
