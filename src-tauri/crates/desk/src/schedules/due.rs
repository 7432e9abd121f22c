//! Claims the instants that are due.

use kernel::Code;
use schedule::{Busy, StepKind};
use store::{Claim, ScheduleState, StoredFiring};
use tokio::task::JoinHandle;

use crate::ApiError;
use crate::api::{FiringCard, FiringOutcome};
use crate::schedules::ScheduleService;
use crate::schedules::budget::used_up;
use crate::schedules::record::{Details, card, outcome_of};
use crate::schedules::setup::Schedule;

/// A firing without a run is cut off after this time, in milliseconds: starting takes less.
const STARTS_WITHIN_MS: i64 = 10 * 60_000;
/// How long after its time limit a run still counts as going on, in milliseconds: its process ends it before.
const ENDS_WITHIN_MS: i64 = 10 * 60_000;
/// The most steps of one schedule at a time.
const MOST_STEPS: usize = 100;

/// An instant that was handled.
pub(crate) enum Handled {
    /// Its run goes on.
    Begun(JoinHandle<FiringCard>),
    /// Nothing began.
    Skipped(Box<FiringCard>),
}

impl ScheduleService {
    /// Claims what is due, and begins its runs.
    pub(crate) async fn begin_due(&self, handled: &mut Vec<Handled>) -> Result<(), ApiError> {
        let mut failed = None;
        for stored in self.store.schedules().await? {
            if stored.state != ScheduleState::Active {
                continue;
            }
            if let Err(error) = self.begin_due_of(&stored.name, handled).await {
                tracing::warn!(%error, schedule = stored.name, "a schedule could not be fired");
                failed = Some(error);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    async fn begin_due_of(&self, name: &str, handled: &mut Vec<Handled>) -> Result<(), ApiError> {
        for _ in 0..MOST_STEPS {
            // Read again for each step: another process may have claimed it meanwhile.
            let Some(stored) = self.store.schedule(name).await? else { return Ok(()) };
            let schedule = Schedule::read(stored)?;
            let last_run = self.last_run(&schedule).await?;
            let now = self.now_ms();
            let Some(step) = schedule.next_step(now, last_run) else { return Ok(()) };
            let mut details = Details { missed: step.earlier, ..Details::default() };
            let mut usage = None;
            let outcome = match step.kind {
                StepKind::SetBack => None,
                StepKind::Missed => Some(FiringOutcome::SkippedMissed),
                StepKind::Busy => Some(FiringOutcome::SkippedBusy),
                StepKind::Fire => {
                    let used = self.month_usage(&schedule).await?;
                    usage = Some(used);
                    details.error = used_up(&schedule, used);
                    let is_used_up = details.error.is_some();
                    Some(if is_used_up { FiringOutcome::SkippedBudget } else { FiringOutcome::Running })
                }
            };
            let firing = outcome.map(|outcome| details.claim(step.at_ms, now, outcome));
            let times = schedule.times_after(step.at_ms);
            let claim = self.store.claim_firing(&schedule.stored, times, firing.clone()).await?;
            let (Claim::Claimed(row), Some(firing)) = (claim, firing) else { continue };
            match usage {
                Some(used) if outcome == Some(FiringOutcome::Running) => {
                    let (service, missed) = (self.clone(), details.missed);
                    let task = async move { service.fire(&schedule, row, step.at_ms, missed, used).await };
                    handled.push(Handled::Begun(self.runs.keeping.spawn(task)));
                }
                _ => {
                    let stored = StoredFiring {
                        id: row,
                        at_ms: step.at_ms,
                        begun_at_ms: now,
                        ended_at_ms: Some(now),
                        run: None,
                        outcome: firing.outcome,
                        details: firing.details,
                    };
                    handled.push(Handled::Skipped(Box::new(card(&schedule, stored))));
                }
            }
        }
        Ok(())
    }

    /// The last run of a schedule. One whose process died, or that should have been ended long ago, is recorded as
    /// ended.
    pub(crate) async fn last_run(&self, schedule: &Schedule) -> Result<Option<Busy>, ApiError> {
        let Some(firing) = self.store.last_begun_firing(schedule.stored.id).await? else { return Ok(None) };
        let since_ms = firing.begun_at_ms;
        if let Some(until) = firing.ended_at_ms {
            return Ok(Some(Busy { since_ms, until_ms: Some(until) }));
        }
        let now = self.now_ms();
        let Some(outcome) = self.unrecorded_end(schedule, &firing, now).await? else {
            return Ok(Some(Busy { since_ms, until_ms: None }));
        };
        let mut details = Details::of(&firing);
        if let Some(run) = &firing.run {
            details.refused = self.refused_calls_of(run).await;
        }
        self.store.end_firing(firing.id, details.end(now, outcome)).await?;
        Ok(Some(Busy { since_ms, until_ms: Some(now) }))
    }

    /// The outcome of a firing whose end nobody recorded; `None` while it goes on.
    async fn unrecorded_end(
        &self,
        schedule: &Schedule,
        firing: &StoredFiring,
        now_ms: i64,
    ) -> Result<Option<FiringOutcome>, ApiError> {
        let age = now_ms.saturating_sub(firing.begun_at_ms);
        let Some(run) = &firing.run else {
            return Ok((age > STARTS_WITHIN_MS).then_some(FiringOutcome::Interrupted));
        };
        let card = match self.store.run_card(run).await {
            Ok(card) => card,
            Err(error) if error.code == Code::NotFound => return Ok(Some(FiringOutcome::Interrupted)),
            Err(error) => return Err(error.into()),
        };
        let limit = i64::from(schedule.setup.time_limit_minutes) * 60_000 + ENDS_WITHIN_MS;
        Ok(match (card.held_by, card.outcome) {
            (Some(_), _) if age > limit => Some(FiringOutcome::TimedOut),
            (Some(_), _) => None,
            (None, Some(outcome)) => Some(outcome_of(outcome)),
            (None, None) => Some(FiringOutcome::Interrupted),
        })
    }
}
