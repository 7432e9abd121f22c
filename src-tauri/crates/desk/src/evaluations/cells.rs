//! One cell: the run of its case by its choice, and the judgements of its expectations.

use std::collections::BTreeMap;

use evaluation::{
    Case, CellResult, Criterion, Expectation, Judgement, RunResult, Spent, judge, judged_by_model,
    text_to_judge,
};
use kernel::{Json, Outcome, Phrase, RunId, phrase};
use pipelines::{JUDGE_REFERENCE, JUDGE_REQUEST, JUDGE_RUBRIC, JUDGE_TEXT, JUDGEMENT};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::cell_run::{EndedRun, RunOrder, RunStep};
use super::execution::Execution;
use crate::ApiError;
use crate::runs::run_control::new_id;

/// Longest request and reference that a judge reads, in bytes.
const MOST_HELP_BYTES: usize = 200_000;

/// What is stored of a cell. The id of a run stands here before the run starts, so that it is never run twice.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Cell {
    /// The run of the pipeline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<String>,
    /// The runs of the judge, by the number of their expectation.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) judges: BTreeMap<u32, String>,
    /// The result; `None` before the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<CellResult>,
}

/// How the work on a cell came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellStep {
    Done,
    OutOfMoney,
    Stopped,
}

impl Execution {
    /// Works on a cell until it has its result.
    ///
    /// # Errors
    /// What keeps the whole evaluation from going on.
    pub(super) async fn work_on(&self, number: u32) -> Result<CellStep, ApiError> {
        let Some((case, choice)) = self.plan.cell(number) else { return Ok(CellStep::Done) };
        let mut cell = self.cell(number);
        let run = match &cell.run {
            Some(run) => RunId(run.clone()),
            None => {
                let run = new_id();
                cell.run = Some(run.clone());
                self.save(number, &cell).await?;
                RunId(run)
            }
        };
        let title = format!("{} · {} · {}", self.set, case.name, choice.label);
        let order = RunOrder {
            run: run.clone(),
            planned: &choice.run,
            inputs: case.inputs.clone(),
            title: title.clone(),
        };
        let ended = match self.bring_to_end(order).await? {
            RunStep::Ended(ended) => ended,
            RunStep::Refused(error) => {
                cell.run = None;
                cell.result = Some(not_started(case, error));
                self.save(number, &cell).await?;
                return Ok(CellStep::Done);
            }
            RunStep::OutOfMoney => return Ok(CellStep::OutOfMoney),
            RunStep::Stopped => return Ok(CellStep::Stopped),
        };
        let pipeline = self.service.pipelines.of_run(&ended.definition)?;
        let result = RunResult { keys: pipeline.keys(), state: &ended.state };
        let (mut judgements, mut judging) = (Vec::new(), Spent::default());
        for (index, expectation) in (0_u32..).zip(&case.expect) {
            let judgement = match why_unjudged(&ended) {
                Some(why) => Judgement::unjudged(why),
                None => match judge(expectation, &result) {
                    Some(judgement) => judgement,
                    None => {
                        let text = text_to_judge(expectation, &result);
                        let title = format!("{title} · {}", expectation.title());
                        let asked = (index, expectation, text, title);
                        match self.ask_judge(number, &mut cell, case, asked).await? {
                            Ok((judgement, spent)) => {
                                judging = judging + spent;
                                judgement
                            }
                            Err(step) => return Ok(step),
                        }
                    }
                },
            };
            judgements.push(judgement);
        }
        cell.result = Some(CellResult {
            outcome: ended.outcome,
            output: result.text(),
            judgements,
            refused: self.refused_tools(&run).await?,
            spent: Spent::from(&ended.usage),
            judging,
            error: ended.error,
        });
        self.save(number, &cell).await?;
        Ok(CellStep::Done)
    }

    /// The judgement of a rubric by a model, in a run of its own, and what it cost.
    async fn ask_judge(
        &self,
        number: u32,
        cell: &mut Cell,
        case: &Case,
        (index, expectation, text, title): (u32, &Expectation, Result<String, Phrase>, String),
    ) -> Result<Result<(Judgement, Spent), CellStep>, ApiError> {
        let unjudged = |why: Phrase| Ok(Ok((Judgement::unjudged(why), Spent::default())));
        let Criterion::Rubric(rubric) = &expectation.criterion else {
            return unjudged(phrase!("The model gave no judgement"));
        };
        let text = match text {
            Ok(text) => text,
            Err(why) => return unjudged(why),
        };
        let Some(planned) = &self.plan.judge else {
            return unjudged(phrase!("The model gave no judgement"));
        };
        let run = match cell.judges.get(&index) {
            Some(run) => run.clone(),
            None => {
                let run = new_id();
                cell.judges.insert(index, run.clone());
                self.save(number, cell).await?;
                run
            }
        };
        // What helps the judge is left out where it is too long to be read.
        let helps = |text: String| (text.len() <= MOST_HELP_BYTES).then_some(text);
        let given = [
            (JUDGE_RUBRIC, Some(rubric.clone())),
            (JUDGE_TEXT, Some(text)),
            (JUDGE_REQUEST, helps(json!(case.inputs).to_string())),
            (JUDGE_REFERENCE, case.reference.clone().and_then(helps)),
        ];
        let inputs = given.into_iter().filter_map(|(key, text)| Some((key.to_owned(), Json(json!(text?)))));
        let order = RunOrder { run: RunId(run.clone()), planned, inputs: inputs.collect(), title };
        let ended = match self.bring_to_end(order).await? {
            RunStep::Ended(ended) => ended,
            RunStep::Refused(error) => {
                return unjudged(phrase!("The judge could not be asked: {why}", why = error));
            }
            RunStep::OutOfMoney => return Ok(Err(CellStep::OutOfMoney)),
            RunStep::Stopped => return Ok(Err(CellStep::Stopped)),
        };
        let spent = Spent::from(&ended.usage);
        let judgement = match why_unjudged(&ended) {
            Some(why) => Judgement { run: Some(run), ..Judgement::unjudged(why) },
            None => {
                let answer = ended.state.get(JUDGEMENT).and_then(kernel::Value::json);
                judged_by_model(expectation, answer.unwrap_or(&serde_json::Value::Null), &run)
            }
        };
        Ok(Ok((judgement, spent)))
    }
}

/// Why the result of a run cannot be judged; a run that a limit ended has the best so far.
fn why_unjudged(ended: &EndedRun) -> Option<Phrase> {
    if matches!(ended.outcome, Some(Outcome::Finished | Outcome::Limited)) {
        return None;
    }
    Some(match &ended.error {
        Some(error) => phrase!("The run came to no end: {why}", why = error),
        None => phrase!("The run came to no end"),
    })
}

/// The result of a cell whose run could not be started.
fn not_started(case: &Case, error: ApiError) -> CellResult {
    let judgement = || Judgement::unjudged(phrase!("The run could not start: {why}", why = &error));
    CellResult {
        outcome: None,
        judgements: case.expect.iter().map(|_| judgement()).collect(),
        output: String::new(),
        refused: Vec::new(),
        spent: Spent::default(),
        judging: Spent::default(),
        error: Some(error),
    }
}
