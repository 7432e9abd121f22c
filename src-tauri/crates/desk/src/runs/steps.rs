//! Repeats steps of a plan with another input, or replaces their results: in a fork of the run that keeps the present
//! plan and the concurrent steps.

use kernel::{
    Code, Event, Fact, Path, Plan, PlanStep, Role, Seq, State, StepRecord, StepStatus, fold_state, phrase,
};
use serde::Deserialize;
use serde_json::json;

use crate::ApiError;
use crate::api::{ForkRun, ForkStep, RunRef};
use crate::runs::RunService;
use crate::runs::run_control::reference;

impl RunService {
    pub(crate) async fn fork_step(&self, request: ForkStep) -> Result<RunRef, ApiError> {
        let ForkStep { run, seq, step, input, result } = request;
        let id = self.store.resolve_run(&run).await?;
        let recorded = self.world.log.load(&id).await?;
        let pipeline = self.pipelines.of_run(&recorded.start.definition)?;
        let keys = |role: Role| {
            pipeline.keys().iter().filter(move |key| key.role == role).map(|key| key.name.as_str())
        };
        let gone = engine::dropped(&recorded.events);
        let is_held = |event: &&Event| seq.is_none_or(|seq| event.seq <= seq) && !gone.contains(&event.seq);
        let events: Vec<Event> = recorded.events.iter().filter(is_held).cloned().collect();
        let carried_out = keys(Role::Steps).find_map(|key| carried_out(&events, key, &step));
        let Some(CarriedOut { at, key, mut records, nth }) = carried_out else {
            let message =
                phrase!("Step {step} was not carried out in run {run}; choose one with a result", step, run);
            return Err(ApiError::new(Code::NotFound, message));
        };
        // A later revision of the plan holds in the fork too.
        let present = fold_state(&events);
        let plan = keys(Role::Plan).find_map(|name| Some((name, plan_with(&present, name, &step)?)));
        let (name, mut plan) = plan.ok_or_else(|| {
            let message = phrase!("The plan of run {run} has no step {step}", run, step);
            ApiError::new(Code::NotFound, message)
        })?;
        let (at, records) = match (input, result) {
            (Some(input), None) => {
                for own in plan.stages.iter_mut().flatten().filter(|own| own.step_id == step) {
                    own.sub_task_input = input.clone();
                    own.status = StepStatus::Planned;
                }
                done_again(&events, key, &step, at, records)
            }
            (None, Some(result)) => {
                let record = &mut records[nth];
                let StepRecord { step, resolved_input, cost, worked_ms, .. } = record.clone();
                *record =
                    StepRecord { cost, worked_ms, ..StepRecord::done(step, resolved_input.0, result.0) };
                (at, records)
            }
            _ => {
                let message = phrase!("Give step {step} either another input or another result", step);
                return Err(ApiError::new(Code::BadInput, message));
            }
        };
        let state = fold_state(events.iter().filter(|event| event.seq <= at));
        let delta = pipeline.edited(&state, name, json!(plan).into())?.with(key, json!(records));
        let fork = ForkRun { run: id.0, at, ..ForkRun::default() };
        Ok(reference(&self.fork_with(fork, delta).await?))
    }
}

/// Where to fork so that a step is repeated, and which steps count as done there: the fork begins before the stage,
/// without the files of the step; concurrent steps stay done unless they wrote files too.
fn done_again(
    events: &[Event],
    key: &str,
    step: &str,
    at: Seq,
    mut records: Vec<StepRecord>,
) -> (Seq, Vec<StepRecord>) {
    let began = instance_of(events, step, at).and_then(|path| {
        let stage = Path::above(path.as_str())?;
        let began =
            |event: &&Event| event.path.as_str() == stage && matches!(event.fact, Fact::AgentStarted { .. });
        events.iter().find(began).map(|event| event.seq)
    });
    let Some(began) = began else {
        // The step failed before its work began.
        records.retain(|record| record.step.step_id != step && record.is_done());
        return (at, records);
    };
    let before = fold_state(events.iter().filter(|event| event.seq < began));
    let mut kept: Vec<StepRecord> = before.get(key).map(records_in).unwrap_or_default();
    kept.retain(|record| record.step.step_id != step);
    let wrote_files = |record: &StepRecord| {
        let path = instance_of(events, &record.step.step_id, at);
        let is_own = |event: &&Event| {
            path.as_ref().is_some_and(|path| event.path == *path || event.path.is_below(path))
        };
        events.iter().filter(is_own).any(|event| !event.files().is_empty())
    };
    for record in records {
        let is_known = kept.iter().any(|known| known.step.step_id == record.step.step_id);
        if !is_known && record.step.step_id != step && record.is_done() && !wrote_files(&record) {
            kept.push(record);
        }
    }
    (began - 1, kept)
}

/// The path of the last instance before an event that was started for a step.
fn instance_of(events: &[Event], step: &str, before: Seq) -> Option<Path> {
    let mut earlier = events.iter().rev().skip_while(|event| event.seq >= before);
    earlier.find_map(|event| match &event.fact {
        Fact::AgentStarted { instance: Some(instance), .. } => {
            (instance.input.json_or_null()["step"] == step).then(|| event.path.clone())
        }
        _ => None,
    })
}

fn records_in(value: &kernel::Value) -> Vec<StepRecord> {
    Vec::deserialize(value.json_or_null()).unwrap_or_default()
}

/// A step that was executed.
struct CarriedOut<'k> {
    /// The event with its record.
    at: Seq,
    /// The key with the records.
    key: &'k str,
    /// The records of all steps at that event.
    records: Vec<StepRecord>,
    /// The index of the step's record, from 0.
    nth: usize,
}

/// The last event that recorded the step, among events that all hold; `None` where its record is gone at their end.
fn carried_out<'k>(events: &[Event], key: &'k str, step: &str) -> Option<CarriedOut<'k>> {
    let mut found: Option<CarriedOut<'_>> = None;
    for event in events {
        let Some(delta) = event.delta() else { continue };
        if delta.removed.iter().any(|name| name == key) {
            found = None;
        }
        let Some(written) = delta.set.get(key) else { continue };
        let records = records_in(written);
        let nth = records.iter().position(|record| record.step.step_id == step);
        let record = nth.map(|nth| &records[nth]);
        if record != found.as_ref().map(|found| &found.records[found.nth]) {
            found = nth.map(|nth| CarriedOut { at: event.seq, key, records, nth });
        }
    }
    found
}

/// The plan under a key, if it contains the step.
fn plan_with(state: &State, key: &str, step: &str) -> Option<Plan> {
    let plan = Plan::deserialize(state.get(key)?.json_or_null()).ok()?;
    let has_it = plan.stages.iter().flatten().any(|own: &PlanStep| own.step_id == step);
    has_it.then_some(plan)
}
