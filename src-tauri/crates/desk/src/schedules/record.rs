//! The record of a firing: what became of an instant.

use kernel::{DecidedBy, Effect, Event, Fact, Outcome};
use serde::{Deserialize, Serialize};
use store::{FailureCount, FiringEnd, NewFiring, StoredFiring};

use crate::ApiError;
use crate::api::{FiringCard, FiringOutcome, RefusedCall};
use crate::schedules::setup::Schedule;

/// After so many failures in a row a schedule stops itself.
pub(crate) const MOST_FAILURES: u32 = 3;

/// What is stored of a firing beside its outcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Details {
    /// The number of earlier instants that were missed with it.
    pub(crate) missed: u32,
    /// Why it failed or nothing began.
    pub(crate) error: Option<ApiError>,
    /// Calls that were refused.
    pub(crate) refused: Vec<RefusedCall>,
}

impl Details {
    /// Unreadable details are shown as none.
    pub(crate) fn of(stored: &StoredFiring) -> Details {
        serde_json::from_str(&stored.details).unwrap_or_default()
    }

    fn written(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }

    /// The claim of an instant.
    pub(crate) fn claim(&self, at_ms: i64, now_ms: i64, outcome: FiringOutcome) -> NewFiring {
        NewFiring {
            at_ms,
            now_ms,
            outcome: outcome.word().to_owned(),
            details: self.written(),
            is_over: outcome != FiringOutcome::Running,
        }
    }

    /// The end of a firing.
    pub(crate) fn end(&self, ended_at_ms: i64, outcome: FiringOutcome) -> FiringEnd {
        let failures = match outcome {
            FiringOutcome::Failed | FiringOutcome::TimedOut | FiringOutcome::Interrupted => {
                FailureCount::OneMore { stops_at: MOST_FAILURES }
            }
            FiringOutcome::Finished | FiringOutcome::Limited => FailureCount::None,
            _ => FailureCount::Unchanged,
        };
        FiringEnd { ended_at_ms, outcome: outcome.word().to_owned(), details: self.written(), failures }
    }
}

/// The outcome of a firing by that of its run.
pub(crate) fn outcome_of(run: Outcome) -> FiringOutcome {
    match run {
        Outcome::Finished => FiringOutcome::Finished,
        Outcome::Failed => FiringOutcome::Failed,
        Outcome::Limited => FiringOutcome::Limited,
        Outcome::Waiting => FiringOutcome::Waiting,
        Outcome::Cancelled => FiringOutcome::Cancelled,
    }
}

/// The calls of a run that were refused because nobody was there to be asked.
pub(crate) fn refused_calls(events: &[Event]) -> Vec<RefusedCall> {
    let mut refused: Vec<RefusedCall> = Vec::new();
    for event in events {
        let Fact::EffectAsked { effect: Effect::Tool { call }, .. } = &event.fact else { continue };
        let by_nobody = call.decision.as_ref().is_some_and(|decision| decision.by == DecidedBy::Nobody);
        let found = RefusedCall { tool: call.tool.clone(), place: call.place.clone() };
        if by_nobody && !refused.contains(&found) {
            refused.push(found);
        }
    }
    refused
}

/// The word of a stored outcome. One of a later program is shown as interrupted.
pub(crate) fn stored_outcome(stored: &StoredFiring) -> FiringOutcome {
    let known = FiringOutcome::ALL.into_iter().find(|outcome| outcome.word() == stored.outcome);
    known.unwrap_or(FiringOutcome::Interrupted)
}

/// A firing as it is shown.
pub(crate) fn card(schedule: &Schedule, stored: StoredFiring) -> FiringCard {
    let Details { missed, error, refused } = Details::of(&stored);
    FiringCard {
        schedule: schedule.stored.name.clone(),
        due: schedule.time(stored.at_ms),
        begun_at_ms: stored.begun_at_ms,
        ended_at_ms: stored.ended_at_ms,
        outcome: stored_outcome(&stored),
        run: stored.run.map(|run| run.0),
        error,
        refused,
        missed,
    }
}
