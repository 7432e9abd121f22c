//! `galley eval`: tries a pipeline on a data set by one or several choices.

use std::path::PathBuf;
use std::time::Duration;

use desk::api::{
    DataSet, EvaluationCards, EvaluationRef, EvaluationStatus, EvaluationTable, Named, Nothing,
    ResumeEvaluation, StartEvaluation,
};
use desk::{ApiError, Desk, EvaluationHandle, EvaluationProgress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::{Eval, EvalCommand};
use crate::desk_client::{ask, open};
use crate::evaluation_choices::choices;
use crate::evaluation_table::{Verdict, show_case, show_list, show_table, write_lines};
use crate::option_values::{self, refused};
use crate::output;
use crate::run_follower::Stop;

/// How long the program waits for the database at its end.
const CLOSING: Duration = Duration::from_secs(2);

/// `galley eval`.
pub(crate) async fn eval(data_dir: Option<PathBuf>, asked: Eval) -> Result<u8, ApiError> {
    match asked.command {
        Some(EvalCommand::List(listing)) => {
            let cards: EvaluationCards = ask(&open(data_dir).await?, "list_evaluations", Nothing {}).await?;
            match listing.json {
                true => cards.evaluations.iter().try_for_each(output::write_json)?,
                false => show_list(&cards)?,
            }
            Ok(0)
        }
        Some(EvalCommand::Show { evaluation, case, listing }) => {
            let table = read(&open(data_dir).await?, evaluation).await?;
            match (case, listing.json) {
                (case, true) => write_lines(&table, case.as_deref(), None)?,
                (Some(case), false) => show_case(&table, &case)?,
                (None, false) => show_table(&table)?,
            }
            Ok(0)
        }
        Some(EvalCommand::Remove { evaluation }) => {
            let desk = open(data_dir).await?;
            let _: Nothing = ask(&desk, "remove_evaluation", Named { name: evaluation }).await?;
            Ok(0)
        }
        None => evaluate(data_dir, asked).await,
    }
}

async fn read(desk: &Desk, evaluation: String) -> Result<EvaluationTable, ApiError> {
    ask(desk, "evaluation", EvaluationRef { evaluation }).await
}

async fn evaluate(data_dir: Option<PathBuf>, asked: Eval) -> Result<u8, ApiError> {
    if asked.threshold.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
        return Err(refused("The threshold is a share of expectations: a number from 0 to 1, such as 0.9"));
    }
    let mut stop = Stop::new()?;
    let desk = open(data_dir).await?;
    let begun = begin(&desk, &asked);
    let handle = tokio::select! {
        handle = begun => handle?,
        () = stop.requested() => return Err(desk::interrupted()),
    };
    let id = handle.evaluation().to_owned();
    if !asked.quiet {
        let cells = handle.progress().borrow().cells;
        let begins = if handle.is_resumed() { "goes on" } else { "begins" };
        output::tell(&format!("The evaluation {id} {begins}: {cells} cells"));
    }
    let ended = follow(&handle, &mut stop, !asked.quiet && !asked.json && output::can_draw()).await;
    let table = read(&desk, id.clone()).await;
    // A database that does not close in time has committed all acknowledged writes.
    desk.close_within(CLOSING).await;
    let table = table?;
    let verdict = Verdict::of(&table, asked.threshold);
    if asked.json {
        write_lines(&table, None, Some(&verdict))?;
    } else {
        show_table(&table)?;
        verdict.sentence().iter().for_each(|sentence| output::tell(sentence));
    }
    Ok(match ended.ended.unwrap_or(EvaluationStatus::Interrupted) {
        EvaluationStatus::Finished => u8::from(!verdict.passed),
        EvaluationStatus::Limited => {
            output::tell(&format!(
                "The money of the evaluation is used up; `galley eval --resume {id} --max-cost USD` goes on"
            ));
            3
        }
        EvaluationStatus::Stopped => {
            output::tell(&format!("The evaluation was stopped; `galley eval --resume {id}` goes on"));
            130
        }
        EvaluationStatus::Failed | EvaluationStatus::Interrupted | EvaluationStatus::Running => {
            let error = ended.error.unwrap_or_else(desk::interrupted);
            output::tell_error(&error);
            output::tell(&format!("`galley eval --resume {id}` goes on"));
            output::exit_code(&error)
        }
    })
}

/// Starts or resumes the evaluation.
async fn begin(desk: &Desk, asked: &Eval) -> Result<EvaluationHandle, ApiError> {
    let Some(set) = asked.set.as_ref() else {
        let evaluation = asked.resume.clone().unwrap_or_default();
        let request = ResumeEvaluation { evaluation, at_once: asked.at_once, max_cost: asked.max_cost };
        return desk.evaluations().resume(request).await;
    };
    if asked.threshold.is_some() {
        let set: DataSet = ask(desk, "read_set", Named { name: set.clone() }).await?;
        if set.expect.is_empty() && set.cases.iter().all(|case| case.expect.is_empty()) {
            return Err(refused(format!(
                "The set `{}` expects nothing, so no share of it can be compared with a threshold",
                set.name
            )));
        }
    }
    let limits = option_values::limits(&asked.limit)?;
    let mut choices = choices(asked)?;
    for choice in &mut choices {
        for (agent, own) in &limits.of_agents {
            choice.agents.entry(agent.clone()).or_default().limits.clone_from(own);
        }
    }
    let request = StartEvaluation {
        set: set.clone(),
        choices,
        judge: asked.judge.clone(),
        tools: option_values::tools(&asked.tool, None, &[])?,
        as_of: asked.as_of.clone(),
        limits: limits.of_run,
        allow: asked.allow.clone(),
        at_once: asked.at_once,
        max_cost: asked.max_cost,
        is_new: asked.new,
    };
    desk.evaluations().start(request).await
}

/// Follows an evaluation to its end; a signal stops it.
async fn follow(handle: &EvaluationHandle, stop: &mut Stop, is_drawn: bool) -> EvaluationProgress {
    let bar = if is_drawn { ProgressBar::new(0) } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut progress = handle.progress();
    let mut is_stopped = false;
    let ended = loop {
        let now = progress.borrow_and_update().clone();
        bar.set_length(u64::from(now.cells));
        bar.set_position(u64::from(now.done));
        if now.ended.is_some() {
            break now;
        }
        tokio::select! {
            changed = progress.changed() => {
                if changed.is_err() {
                    break handle.ended().await;
                }
            }
            () = stop.requested(), if !is_stopped => {
                is_stopped = true;
                handle.cancel();
            }
        }
    };
    bar.finish_and_clear();
    ended
}
