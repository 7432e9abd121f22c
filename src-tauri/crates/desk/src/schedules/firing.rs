//! Runs one firing to its end.

use std::time::Duration;

use engine::RunHandle;
use kernel::{Code, RunId, phrase};
use store::StoredFiring;
use tokio::time::{Instant, sleep_until, timeout};

use crate::ApiError;
use crate::api::{FiringCard, FiringOutcome};
use crate::schedules::ScheduleService;
use crate::schedules::budget::{MonthUsage, within_month};
use crate::schedules::record::{Details, card, outcome_of, refused_calls};
use crate::schedules::setup::Schedule;

/// How long a run may take to stop.
const STOPS_WITHIN: Duration = Duration::from_secs(60);
/// Events that are read at once.
const PAGE: u32 = 500;

/// How a firing ended.
struct End {
    outcome: FiringOutcome,
    error: Option<ApiError>,
}

impl ScheduleService {
    /// Runs a claimed instant to its end, and records it.
    pub(crate) async fn fire(
        &self,
        schedule: &Schedule,
        firing: i64,
        at_ms: i64,
        missed: u32,
        used: MonthUsage,
    ) -> FiringCard {
        let begun_at_ms = self.now_ms();
        let deadline =
            Instant::now() + Duration::from_secs(60 * u64::from(schedule.setup.time_limit_minutes));
        let started = tokio::select! {
            started = self.start(schedule, used) => started.map_err(|error| End {
                outcome: FiringOutcome::Failed,
                error: Some(error),
            }),
            () = sleep_until(deadline) => Err(timed_out(schedule)),
            () = self.closing.cancelled() => Err(End { outcome: FiringOutcome::Interrupted, error: None }),
        };
        let (run, end) = match started {
            Err(end) => (None, end),
            Ok(handle) => {
                let run = handle.run().clone();
                if let Err(error) = self.store.set_firing_run(firing, &run).await {
                    tracing::warn!(%error, "the run of a firing is not recorded");
                }
                let end = self.ended(schedule, &handle, deadline).await;
                (Some(run), end)
            }
        };
        let refused = match &run {
            Some(run) => self.refused_calls_of(run).await,
            None => Vec::new(),
        };
        let details = Details { missed, error: end.error, refused };
        let stored = details.end(self.now_ms(), end.outcome);
        if let Err(error) = self.store.end_firing(firing, stored.clone()).await {
            tracing::warn!(%error, "the end of a firing is not recorded");
        }
        let stored = StoredFiring {
            id: firing,
            at_ms,
            begun_at_ms,
            ended_at_ms: Some(stored.ended_at_ms),
            run,
            outcome: stored.outcome,
            details: stored.details,
        };
        card(schedule, stored)
    }

    async fn start(&self, schedule: &Schedule, used: MonthUsage) -> Result<RunHandle, ApiError> {
        self.check_profiles(&schedule.setup)?;
        let request = within_month(schedule, used);
        self.runs.start_unattended(request, &schedule.setup.fallback_profiles).await
    }

    /// Waits for the end of a run, and ends it at its time limit and when the program closes.
    async fn ended(&self, schedule: &Schedule, handle: &RunHandle, deadline: Instant) -> End {
        let end = tokio::select! {
            end = handle.ended() => return End { outcome: outcome_of(end.outcome), error: end.error },
            () = sleep_until(deadline) => timed_out(schedule),
            () = self.closing.cancelled() => End { outcome: FiringOutcome::Cancelled, error: None },
        };
        handle.cancel();
        // A run that does not stop is left to its process; its schedule goes on without it.
        let _stopped = timeout(STOPS_WITHIN, handle.ended()).await;
        end
    }

    /// The refused calls of a run; none where its events cannot be read.
    pub(crate) async fn refused_calls_of(&self, run: &RunId) -> Vec<crate::api::RefusedCall> {
        let mut all = Vec::new();
        let mut from = 1;
        loop {
            let events = match self.store.events(run, from, PAGE).await {
                Ok(events) => events,
                Err(error) => {
                    tracing::warn!(%error, "what a run was refused cannot be read");
                    return all;
                }
            };
            let Some(last) = events.last() else { return all };
            from = last.seq + 1;
            for call in refused_calls(&events) {
                if !all.contains(&call) {
                    all.push(call);
                }
            }
        }
    }
}

fn timed_out(schedule: &Schedule) -> End {
    let message = phrase!(
        "The run took longer than the {minutes} minutes that its schedule allows, and was ended",
        minutes = schedule.setup.time_limit_minutes
    );
    End { outcome: FiringOutcome::TimedOut, error: Some(ApiError::new(Code::LimitReached, message)) }
}
