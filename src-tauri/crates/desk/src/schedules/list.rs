//! Lists schedules with their next times, their last runs and what waits for the person.

use kernel::{Outcome, RunId, phrase};
use store::ScheduleState;

use crate::ApiError;
use crate::api::{
    FiringCard, FiringOutcome, Nothing, ScheduleCard, ScheduleNeed, ScheduleStatus, ScheduledTime, Schedules,
};
use crate::schedules::ScheduleService;
use crate::schedules::record::{card, outcome_of};
use crate::schedules::setup::Schedule;

/// The next times that are listed.
const SHOWN_TIMES: usize = 3;
/// The last firings that are listed.
const SHOWN_FIRINGS: u32 = 10;

impl ScheduleService {
    pub(crate) async fn list_schedules(&self, _: Nothing) -> Result<Schedules, ApiError> {
        let mut schedules = Vec::new();
        for stored in self.store.schedules().await? {
            schedules.push(self.schedule_card(Schedule::read(stored)?).await?);
        }
        let timer = self.timer_card(!schedules.is_empty());
        Ok(Schedules { schedules, timer })
    }

    async fn schedule_card(&self, schedule: Schedule) -> Result<ScheduleCard, ApiError> {
        // Records the end of a run whose process died.
        self.last_run(&schedule).await?;
        let mut last: Vec<FiringCard> = Vec::new();
        for firing in self.store.firings(schedule.stored.id, SHOWN_FIRINGS).await? {
            let mut card = card(&schedule, firing);
            if card.outcome == FiringOutcome::Waiting {
                card.outcome = self.present_outcome(&card).await;
            }
            last.push(card);
        }
        // The count of failures may have changed above.
        let stored = self.store.schedule(&schedule.stored.name).await?.unwrap_or(schedule.stored);
        let schedule = Schedule { stored, ..schedule };
        let used = self.month_usage(&schedule).await?;
        let status = match schedule.stored.state {
            ScheduleState::Active => ScheduleStatus::Active,
            ScheduleState::Paused => ScheduleStatus::Paused,
            ScheduleState::Stopped => ScheduleStatus::Stopped,
        };
        let next = if status == ScheduleStatus::Active { self.next_times(&schedule) } else { Vec::new() };
        let needs = needs(&schedule, &last);
        let Schedule { stored, setup, .. } = schedule;
        Ok(ScheduleCard {
            name: stored.name,
            when: setup.when,
            cron: setup.cron,
            zone: setup.zone,
            missed: setup.missed,
            status,
            request: setup.request,
            fallback_profiles: setup.fallback_profiles,
            time_limit_minutes: setup.time_limit_minutes,
            monthly_cost: setup.monthly_cost,
            monthly_tokens: setup.monthly_tokens,
            month_cost: used.cost,
            month_tokens: used.tokens,
            next,
            last,
            failures: stored.failures,
            needs,
        })
    }

    fn next_times(&self, schedule: &Schedule) -> Vec<ScheduledTime> {
        let after = schedule.stored.handled_until_ms.max(self.now_ms());
        let times = schedule.rule.upcoming(&schedule.zone, after, SHOWN_TIMES);
        times.into_iter().map(|at| schedule.time(at)).collect()
    }

    /// The outcome of a firing whose run waited when it ended: the person may have answered since.
    async fn present_outcome(&self, firing: &FiringCard) -> FiringOutcome {
        let Some(run) = &firing.run else { return firing.outcome };
        match self.store.run_card(&RunId(run.clone())).await {
            Ok(card) if card.held_by.is_some() => FiringOutcome::Running,
            Ok(card) => card.outcome.map_or(FiringOutcome::Interrupted, outcome_of),
            Err(_) => outcome_of(Outcome::Waiting),
        }
    }
}

/// What waits for the person: that the schedule stopped itself, what its last run was refused since it was saved, and
/// its runs that wait.
fn needs(schedule: &Schedule, last: &[FiringCard]) -> Vec<ScheduleNeed> {
    let name = &schedule.stored.name;
    let mut needs = Vec::new();
    if schedule.stored.state == ScheduleState::Stopped {
        let text = phrase!(
            "The schedule “{name}” failed {times} times in a row and stopped itself. Mend what failed, then resume it",
            name,
            times = schedule.stored.failures
        );
        needs.push(ScheduleNeed::Stopped { text });
    }
    let ran = last.iter().find(|firing| firing.run.is_some());
    for firing in ran.into_iter().filter(|firing| firing.begun_at_ms >= schedule.stored.saved_at_ms) {
        for call in &firing.refused {
            let tool = &call.tool;
            let text = match &call.place {
                Some(place) => phrase!(
                    "A run of the schedule “{name}” was refused `{tool}` at {place}. Allow it by saving the schedule with this tool, if it should be allowed",
                    name,
                    tool,
                    place
                ),
                None => phrase!(
                    "A run of the schedule “{name}” was refused `{tool}`. Allow it by saving the schedule with this tool, if it should be allowed",
                    name,
                    tool
                ),
            };
            needs.push(ScheduleNeed::Refused { run: firing.run.clone(), call: call.clone(), text });
        }
    }
    let waiting = last.iter().filter(|firing| firing.outcome == FiringOutcome::Waiting);
    for run in waiting.filter_map(|firing| firing.run.clone()) {
        let text = phrase!("A run of the schedule “{name}” waits for your answer", name);
        needs.push(ScheduleNeed::Waiting { run, text });
    }
    needs
}
