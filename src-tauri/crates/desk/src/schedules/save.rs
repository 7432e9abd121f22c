//! Makes, changes and removes schedules.

use kernel::{Code, Phrase, phrase};
use schedule::EXAMPLES;
use store::{ScheduleState, StoredSchedule};

use crate::ApiError;
use crate::api::{Named, Nothing, PreviewSchedule, SaveSchedule, SchedulePreview, Schedules};
use crate::schedules::ScheduleService;
use crate::schedules::rule_words::{never_fires, read_rule, read_zone};
use crate::schedules::setup::{Schedule, Setup, time_in, times_after};

/// The longest name, in characters.
const LONGEST_NAME: usize = 80;
/// Most schedules.
const MOST_SAVED: usize = 100;
/// After so many minutes a run is ended, where nothing else is said.
const USUAL_TIME_LIMIT_MINUTES: u32 = 240;
/// The longest time limit, in minutes: a day.
const LONGEST_TIME_LIMIT_MINUTES: u32 = 24 * 60;
/// The times of a preview.
const SHOWN_TIMES: usize = 5;

impl ScheduleService {
    pub(crate) async fn preview_schedule(&self, asked: PreviewSchedule) -> Result<SchedulePreview, ApiError> {
        let examples = EXAMPLES.map(str::to_owned).to_vec();
        let empty = SchedulePreview {
            cron: String::new(),
            zone: String::new(),
            next: Vec::new(),
            problem: None,
            examples,
        };
        let zone = match read_zone(asked.zone.as_deref().unwrap_or_default()) {
            Ok(zone) => zone,
            Err(problem) => return Ok(SchedulePreview { problem: Some(problem), ..empty }),
        };
        let empty = SchedulePreview { zone: zone.name().to_owned(), ..empty };
        let rule = match read_rule(&asked.when) {
            Ok(rule) => rule,
            Err(problem) => return Ok(SchedulePreview { problem: Some(problem), ..empty }),
        };
        let next = rule.upcoming(&zone, self.now_ms(), SHOWN_TIMES);
        let problem = next.is_empty().then(|| never_fires(&asked.when));
        let next = next.into_iter().map(|at| time_in(&zone, at)).collect();
        Ok(SchedulePreview { cron: rule.cron().to_owned(), next, problem, ..empty })
    }

    pub(crate) async fn save_schedule(&self, asked: SaveSchedule) -> Result<Schedules, ApiError> {
        let name = asked.name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return bad(phrase!("A schedule needs a name; type one"));
        }
        if name.chars().count() > LONGEST_NAME {
            return bad(phrase!("A name has at most {most} characters; shorten it", most = LONGEST_NAME));
        }
        let replaced = match &asked.replaces {
            Some(former) => Some(self.known(former).await?.id),
            None => None,
        };
        if replaced.is_none() && self.store.schedules().await?.len() >= MOST_SAVED {
            return bad(phrase!("You have {most} schedules already; remove one first", most = MOST_SAVED));
        }
        let zone = read_zone(asked.zone.as_deref().unwrap_or_default())?;
        let rule = read_rule(&asked.when)?;
        let now = self.now_ms();
        let times = times_after(&rule, &zone, now);
        if times.next_at_ms.is_none() {
            return Err(never_fires(&asked.when));
        }
        check_budget(&asked)?;
        let time_limit_minutes = asked.time_limit_minutes.unwrap_or(USUAL_TIME_LIMIT_MINUTES);
        if !(1..=LONGEST_TIME_LIMIT_MINUTES).contains(&time_limit_minutes) {
            return bad(phrase!(
                "A run of a schedule may take from 1 to {most} minutes, not {minutes}",
                most = LONGEST_TIME_LIMIT_MINUTES,
                minutes = time_limit_minutes
            ));
        }
        let (request, profiles) = self.settled(asked.request, &asked.fallback_profiles).await?;
        let setup = Setup {
            when: asked.when,
            cron: rule.cron().to_owned(),
            zone: zone.name().to_owned(),
            missed: asked.missed,
            request,
            fallback_profiles: asked.fallback_profiles,
            profiles,
            time_limit_minutes,
            monthly_cost: asked.monthly_cost,
            monthly_tokens: asked.monthly_tokens,
        };
        let setup = serde_json::to_string(&setup).map_err(|error| {
            let message = phrase!("The schedule cannot be written: {error}", error);
            ApiError::new(Code::Internal, message)
        })?;
        if !self.store.save_schedule(replaced, name.clone(), setup, times, now).await? {
            return bad(phrase!("You have a schedule “{name}” already; choose another name", name));
        }
        self.set_timer().await;
        self.list_schedules(Nothing {}).await
    }

    pub(crate) async fn remove_schedule(&self, named: Named) -> Result<Schedules, ApiError> {
        let found = self.known(&named.name).await?;
        self.store.remove_schedule(found.id).await?;
        if self.store.schedules().await?.is_empty() {
            self.remove_timer().await;
        }
        self.list_schedules(Nothing {}).await
    }

    pub(crate) async fn pause_schedule(&self, named: Named) -> Result<Schedules, ApiError> {
        let found = self.known(&named.name).await?;
        self.store.set_schedule_state(found.id, ScheduleState::Paused, None).await?;
        self.list_schedules(Nothing {}).await
    }

    /// Lets a schedule fire again. What came while it was paused or stopped was not missed, and is left out.
    pub(crate) async fn resume_schedule(&self, named: Named) -> Result<Schedules, ApiError> {
        let schedule = Schedule::read(self.known(&named.name).await?)?;
        if schedule.stored.state != ScheduleState::Active {
            // The mark never goes back, so that nothing fires twice.
            let mark = self.now_ms().max(schedule.stored.handled_until_ms);
            let times = schedule.times_after(mark);
            self.store.set_schedule_state(schedule.stored.id, ScheduleState::Active, Some(times)).await?;
        }
        self.list_schedules(Nothing {}).await
    }

    async fn known(&self, name: &str) -> Result<StoredSchedule, ApiError> {
        self.store
            .schedule(name.trim())
            .await?
            .ok_or_else(|| ApiError::new(Code::NotFound, phrase!("There is no schedule “{name}”", name)))
    }
}

fn check_budget(asked: &SaveSchedule) -> Result<(), ApiError> {
    let is_cost = asked.monthly_cost.is_none_or(|most| most.is_finite() && most > 0.0);
    if is_cost && asked.monthly_tokens != Some(0) {
        return Ok(());
    }
    bad(phrase!("The budget of a month is a number above 0; leave it out for no budget"))
}

fn bad<T>(message: Phrase) -> Result<T, ApiError> {
    Err(ApiError::new(Code::BadInput, message))
}
