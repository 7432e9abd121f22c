//! Shows evaluations: a list, and one as a table.

use std::collections::BTreeMap;

use evaluation::{CellResult, Expectation, Totals, compare};
use kernel::{Code, phrase};
use store::StoredEvaluation;

use super::EvaluationService;
use super::cells::Cell;
use super::plan::Plan;
use crate::ApiError;
use crate::api::{
    EvaluatedCase, EvaluatedCell, EvaluatedChoice, EvaluationCard, EvaluationCards, EvaluationRef,
    EvaluationStatus, EvaluationTable, Named, Nothing,
};

impl EvaluationService {
    pub(crate) async fn list_evaluations(&self, _: Nothing) -> Result<EvaluationCards, ApiError> {
        let mut evaluations = Vec::new();
        for stored in self.store.evaluations().await? {
            let (plan, cells) = (read_plan(&stored)?, self.cells_of(&stored.id).await?);
            evaluations.push(card(&stored, &plan, &cells));
        }
        Ok(EvaluationCards { evaluations })
    }

    pub(crate) async fn evaluation(&self, evaluation: EvaluationRef) -> Result<EvaluationTable, ApiError> {
        let id = self.store.resolve_evaluation(&evaluation.evaluation).await?;
        let error = self.live().get(&id).and_then(|handle| handle.progress().borrow().error.clone());
        let stored = self.store.evaluation(&id).await?;
        let (plan, mut cells) = (read_plan(&stored)?, self.cells_of(&id).await?);
        let card = card(&stored, &plan, &cells);
        let mut numbers = 0..;
        let cases = plan.cases.into_iter().map(|case| {
            let of_case = numbers.by_ref().take(plan.choices.len());
            let cells: Vec<EvaluatedCell> = of_case
                .map(|number| {
                    let Cell { run, result, .. } = cells.remove(&number).unwrap_or_default();
                    EvaluatedCell { run, result }
                })
                .collect();
            EvaluatedCase {
                name: case.name,
                inputs: case.inputs,
                reference: case.reference,
                criteria: case.expect.iter().map(Expectation::title).collect(),
                differs: differs(&cells),
                cells,
            }
        });
        Ok(EvaluationTable { cases: cases.collect(), card, error })
    }

    pub(crate) async fn remove_evaluation(&self, evaluation: Named) -> Result<Nothing, ApiError> {
        let id = self.store.resolve_evaluation(&evaluation.name).await?;
        self.store.remove_evaluation(&id).await?;
        Ok(Nothing {})
    }

    /// The cells that began, by number.
    pub(super) async fn cells_of(&self, id: &str) -> Result<BTreeMap<u32, Cell>, ApiError> {
        let stored = self.store.evaluation_cells(id).await?.into_iter();
        let read = |(number, content): (u32, String)| Ok((number, serde_json::from_str(&content)?));
        stored.map(read).collect::<Result<_, serde_json::Error>>().map_err(|error| unreadable(id, &error))
    }
}

/// The plan of an evaluation.
///
/// # Errors
/// `database_corrupt` when it cannot be read.
pub(super) fn read_plan(stored: &StoredEvaluation) -> Result<Plan, ApiError> {
    serde_json::from_str(&stored.plan).map_err(|error| unreadable(&stored.id, &error))
}

fn unreadable(id: &str, error: &serde_json::Error) -> ApiError {
    let message = phrase!("What is kept of the evaluation {id} cannot be read: {error}", id, error);
    ApiError::new(Code::DatabaseCorrupt, message)
}

fn card(stored: &StoredEvaluation, plan: &Plan, cells: &BTreeMap<u32, Cell>) -> EvaluationCard {
    let result = |number: u32| cells.get(&number).and_then(|cell| cell.result.as_ref());
    let count = u32::try_from(plan.choices.len()).unwrap_or(u32::MAX);
    let of_choice = |choice: u32| (choice..plan.cells()).step_by(count.max(1) as usize).map(result);
    let choices = (0..).zip(&plan.choices).map(|(index, choice)| EvaluatedChoice {
        label: choice.label.clone(),
        pipeline: choice.run.request.pipeline.clone(),
        version: choice.run.declared.hash().0,
        agents: choice.run.request.agents.clone(),
        totals: Totals::of(of_choice(index).flatten()),
        difference: (index > 0).then(|| compare(of_choice(0).zip(of_choice(index)))),
    });
    EvaluationCard {
        evaluation: stored.id.clone(),
        set: stored.data_set.clone(),
        status: status(stored),
        started_at_ms: stored.started_at_ms,
        ended_at_ms: stored.ended_at_ms,
        cells: plan.cells(),
        done: u32::try_from(cells.values().filter(|cell| cell.result.is_some()).count()).unwrap_or(u32::MAX),
        choices: choices.collect(),
    }
}

fn status(stored: &StoredEvaluation) -> EvaluationStatus {
    use EvaluationStatus::{Failed, Finished, Interrupted, Limited, Running, Stopped};
    let ended = [Finished, Limited, Stopped, Failed];
    match &stored.ending {
        _ if stored.is_held => Running,
        Some(word) => ended.into_iter().find(|ended| ended.word() == word).unwrap_or(Interrupted),
        None => Interrupted,
    }
}

/// Whether the cells differ in an expectation that holds.
fn differs(cells: &[EvaluatedCell]) -> bool {
    let holds = |result: &CellResult| -> Vec<bool> {
        result.judgements.iter().map(|judgement| judgement.holds()).collect()
    };
    let results: Vec<Vec<bool>> = cells.iter().filter_map(|cell| cell.result.as_ref()).map(holds).collect();
    results.windows(2).any(|pair| pair[0] != pair[1])
}
