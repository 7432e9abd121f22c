//! One run of a cell, of the pipeline or of the judge: started, resumed or only read, depending on how it stands.

use std::collections::BTreeMap;

use engine::RunHandle;
use kernel::{Code, DecidedBy, Definition, Effect, Fact, Json, LimitName, Outcome, RunId, Seq, State, Usage};

use super::execution::Execution;
use super::plan::PlannedRun;
use crate::api::{ResumeRun, StartRun};
use crate::{ApiError, interrupted};

/// Longest title of a run, in characters.
const LONGEST_TITLE: usize = 200;

/// What a run is to do.
pub(super) struct RunOrder<'a> {
    /// Its id, which is stored before it starts.
    pub(super) run: RunId,
    pub(super) planned: &'a PlannedRun,
    pub(super) inputs: BTreeMap<String, Json>,
    pub(super) title: String,
}

/// A run that came to its end, as it is stored.
pub(super) struct EndedRun {
    pub(super) definition: Definition,
    pub(super) state: State,
    pub(super) usage: Usage,
    pub(super) outcome: Option<Outcome>,
    pub(super) error: Option<ApiError>,
}

/// How an order came out.
pub(super) enum RunStep {
    Ended(Box<EndedRun>),
    /// The run could not be started or resumed.
    Refused(ApiError),
    /// The money of the evaluation does not suffice; the run can go on with more.
    OutOfMoney,
    /// The evaluation was stopped.
    Stopped,
}

impl Execution {
    /// Brings a run to its end. One that is finished is only read, one that was cut off is resumed.
    ///
    /// # Errors
    /// What keeps the whole evaluation from going on: a full disk, a database that cannot be read.
    pub(super) async fn bring_to_end(&self, order: RunOrder<'_>) -> Result<RunStep, ApiError> {
        let run = order.run.clone();
        let own_limit = order.planned.request.limits.get(&LimitName::MaxCost).copied().flatten();
        let known = match self.service.store.run_card(&run).await {
            Ok(_) => Some(self.ended_run(&run).await?),
            Err(error) if error.code == Code::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let known = match known {
            Some(known) if known.is_over(own_limit) => return Ok(RunStep::Ended(Box::new(known))),
            known => known,
        };
        if self.cancel.is_cancelled() {
            return Ok(RunStep::Stopped);
        }
        let Some(reservation) = self.budget.reserve() else { return Ok(RunStep::OutOfMoney) };
        let before = known.as_ref().and_then(|known| known.usage.cost).unwrap_or_default();
        let share = reservation.share.map(|share| before + share);
        let limit = match (own_limit, share) {
            (Some(own), Some(share)) => Some(own.min(share)),
            (own, share) => own.or(share),
        };
        let started = match known {
            None => self.start_run(order, limit).await,
            Some(_) => self.resume_run(&run, limit).await,
        };
        let handle = match started {
            Ok(handle) => handle,
            Err(error) if stops_everything(error.code) => return Err(error),
            Err(error) => return Ok(RunStep::Refused(error)),
        };
        let end = tokio::select! {
            end = handle.ended() => end,
            () = self.cancel.cancelled() => {
                handle.cancel();
                handle.ended().await
            }
        };
        let ended = self.ended_run(&run).await?;
        reservation.settle(ended.usage.cost.unwrap_or_default() - before);
        if matches!(ended.outcome, Some(Outcome::Cancelled) | None) && self.cancel.is_cancelled() {
            return Ok(RunStep::Stopped);
        }
        if ended.outcome.is_none() {
            // Its end could not be stored.
            return Err(end.error.unwrap_or_else(interrupted));
        }
        if ended.is_out_of_money(own_limit) {
            return Ok(RunStep::OutOfMoney);
        }
        Ok(RunStep::Ended(Box::new(ended)))
    }

    async fn start_run(&self, order: RunOrder<'_>, limit: Option<f64>) -> Result<RunHandle, ApiError> {
        let pipeline = self.service.pipelines.declared(&order.planned.declared)?;
        let mut request = StartRun {
            inputs: order.inputs,
            title: Some(order.title.chars().take(LONGEST_TITLE).collect()),
            ..order.planned.request.clone()
        };
        request.limits.insert(LimitName::MaxCost, limit);
        self.service.runs.start_as(order.run, pipeline, request).await
    }

    async fn resume_run(&self, run: &RunId, limit: Option<f64>) -> Result<RunHandle, ApiError> {
        let limits = [(LimitName::MaxCost, limit)].into();
        self.service.runs.resume(ResumeRun { run: run.0.clone(), limits, ..ResumeRun::default() }).await
    }

    async fn ended_run(&self, run: &RunId) -> Result<EndedRun, ApiError> {
        let store = &self.service.store;
        let (start, fold) = store.standing(run).await?;
        let state = store.state_at(run, Seq::MAX).await?;
        Ok(EndedRun {
            definition: start.definition,
            state,
            usage: fold.usage,
            outcome: fold.outcome,
            error: fold.error,
        })
    }

    /// The tools of a run that were not called because nobody was there to allow them, each once.
    pub(super) async fn refused_tools(&self, run: &RunId) -> Result<Vec<String>, ApiError> {
        let events = self.service.runs.world.log.load(run).await?.events;
        let mut refused: Vec<String> = Vec::new();
        for event in &events {
            let Fact::EffectAsked { effect: Effect::Tool { call }, .. } = &event.fact else { continue };
            let decision = call.decision.as_ref();
            let is_refused = decision
                .is_some_and(|decision| !decision.is_allowed && matches!(decision.by, DecidedBy::Nobody));
            if is_refused && !refused.contains(&call.tool) {
                refused.push(call.tool.clone());
            }
        }
        Ok(refused)
    }
}

impl EndedRun {
    /// Whether nothing is left to be done in the run.
    fn is_over(&self, own_limit: Option<f64>) -> bool {
        match self.outcome {
            Some(Outcome::Finished | Outcome::Failed | Outcome::Waiting) => true,
            Some(Outcome::Limited) => !self.is_out_of_money(own_limit),
            Some(Outcome::Cancelled) | None => false,
        }
    }

    /// Whether the run ended because its share of the evaluation's money was used up, rather than by its own limit.
    fn is_out_of_money(&self, own_limit: Option<f64>) -> bool {
        let reached = self.error.as_ref().and_then(|error| error.limit.as_ref());
        self.outcome == Some(Outcome::Limited)
            && reached.is_some_and(|reached| {
                reached.name == LimitName::MaxCost
                    && reached.agent.is_none()
                    && own_limit.is_none_or(|own| reached.most < own)
            })
    }
}

/// Whether the next cell would fail in the same way.
fn stops_everything(code: Code) -> bool {
    code.is_of_disk()
        || matches!(
            code,
            Code::Busy
                | Code::Cancelled
                | Code::DatabaseCorrupt
                | Code::DatabaseMissing
                | Code::DatabaseNewer
                | Code::Internal
        )
}
