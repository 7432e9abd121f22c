//! Steps of a plan, done again with another input or given another result: a fork of the run behind the stage that carried
//! the step out, so that what came before it, and what went on beside it, stays done.

use kernel::{
    Code, Delta, Event, Json, Plan, PlanStep, Role, Seq, State, StepRecord, StepStatus, fold_state, phrase,
};
use serde::Deserialize;
use serde_json::json;

use crate::api::{ForkRun, ForkStep, RunRef};
use crate::runs::run_control::reference;
use crate::{ApiError, Desk};

impl Desk {
    pub(crate) async fn fork_step(&self, request: ForkStep) -> Result<RunRef, ApiError> {
        let ForkStep { run, seq, step, input, result } = request;
        let id = self.run_id(&run).await?;
        let recorded = self.inner.world.log.load(&id).await?;
        let pipeline = self.inner.pipelines.of_run(&recorded.start.definition)?;
        let keys = |role: Role| {
            pipeline.keys().iter().filter(move |key| key.role == role).map(|key| key.name.as_str())
        };
        let events = recorded.events.iter().filter(|event| seq.is_none_or(|seq| event.seq <= seq));
        let events: Vec<Event> = events.cloned().collect();
        let carried_out = keys(Role::Steps).find_map(|key| carried_out(&events, key, &step));
        let Some(CarriedOut { at, key, mut records, nth }) = carried_out else {
            let message =
                phrase!("Step {step} was not carried out in run {run}; choose one with a result", step, run);
            return Err(ApiError::new(Code::NotFound, message));
        };
        let state = fold_state(events.iter().filter(|event| event.seq <= at));
        let delta = match (input, result) {
            (Some(input), None) => {
                let (name, plan) = keys(Role::Plan)
                    .find_map(|name| Some((name, changed_plan(&state, name, &step, &input)?)))
                    .ok_or_else(|| {
                        let message = phrase!("The plan of run {run} has no step {step}", run, step);
                        ApiError::new(Code::NotFound, message)
                    })?;
                records.remove(nth);
                pipeline.edited(&state, name, json!(plan).into())?.with(key, json!(records))
            }
            (None, Some(result)) => {
                let record = &mut records[nth];
                let StepRecord { step, resolved_input, cost, worked_ms, .. } = record.clone();
                *record =
                    StepRecord { cost, worked_ms, ..StepRecord::done(step, resolved_input.0, result.0) };
                Delta::of(key, json!(records))
            }
            _ => {
                let message = phrase!("Give step {step} either another input or another result", step);
                return Err(ApiError::new(Code::BadInput, message));
            }
        };
        let fork = ForkRun { run: id.0, at, ..ForkRun::default() };
        Ok(reference(&self.fork_with(fork, delta).await?))
    }
}

/// A step that was carried out.
struct CarriedOut<'k> {
    /// The event that wrote its record.
    at: Seq,
    /// The key with the records.
    key: &'k str,
    /// The records at that event.
    records: Vec<StepRecord>,
    /// Which of them is that of the step.
    nth: usize,
}

/// The last event of these that wrote a new record of a step, where it has one at their end.
fn carried_out<'k>(events: &[Event], key: &'k str, step: &str) -> Option<CarriedOut<'k>> {
    let gone = engine::dropped(events);
    let mut found: Option<CarriedOut<'_>> = None;
    for event in events.iter().filter(|event| !gone.contains(&event.seq)) {
        let Some(delta) = event.delta() else { continue };
        if delta.removed.iter().any(|name| name == key) {
            found = None;
        }
        let Some(written) = delta.set.get(key) else { continue };
        let records: Vec<StepRecord> = Vec::deserialize(written.json_or_null()).unwrap_or_default();
        let nth = records.iter().position(|record| record.step.step_id == step);
        let record = nth.map(|nth| &records[nth]);
        if record != found.as_ref().map(|found| &found.records[found.nth]) {
            found = nth.map(|nth| CarriedOut { at: event.seq, key, records, nth });
        }
    }
    found
}

/// The plan under a key in which a step has another input and is still to be done; nothing where it has no such step.
fn changed_plan(state: &State, key: &str, step: &str, input: &Json) -> Option<Plan> {
    let mut plan = Plan::deserialize(state.get(key)?.json_or_null()).ok()?;
    let own: &mut PlanStep = plan.stages.iter_mut().flatten().find(|own| own.step_id == step)?;
    own.sub_task_input = input.clone();
    own.status = StepStatus::Planned;
    Some(plan)
}
