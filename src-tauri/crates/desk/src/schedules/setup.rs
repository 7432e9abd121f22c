//! A schedule as it is stored, with its rule read.

use std::collections::BTreeMap;

use kernel::{Code, phrase};
use schedule::{Busy, Missed, Rule, Step, Zone, next_step};
use serde::{Deserialize, Serialize};
use store::{ScheduleTimes, StoredSchedule};

use crate::ApiError;
use crate::api::{ProfileCard, ScheduledTime, StartRun};
use crate::schedules::rule_words::{read_rule, read_zone};

/// Where the requests of a profile go: a profile that goes elsewhere is another one, whatever its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PinnedProfile {
    provider: String,
    base_url: String,
}

impl PinnedProfile {
    pub(crate) fn of(card: ProfileCard) -> PinnedProfile {
        PinnedProfile { provider: card.provider, base_url: card.base_url }
    }
}

/// What a schedule starts and when, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// When, as it was given.
    pub(crate) when: String,
    /// When, in cron's grammar.
    pub(crate) cron: String,
    /// The IANA name of its time zone.
    pub(crate) zone: String,
    pub(crate) missed: Missed,
    /// What it starts, with all that is settled.
    pub(crate) request: StartRun,
    /// Profiles that may stand in for a failing one.
    pub(crate) fallback_profiles: Vec<String>,
    /// The profiles that its runs may ask, as they were when it was saved, by name.
    pub(crate) profiles: BTreeMap<String, PinnedProfile>,
    pub(crate) time_limit_minutes: u32,
    pub(crate) monthly_cost: Option<f64>,
    pub(crate) monthly_tokens: Option<u64>,
}

/// A schedule.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    pub(crate) stored: StoredSchedule,
    pub(crate) setup: Setup,
    pub(crate) rule: Rule,
    pub(crate) zone: Zone,
}

impl Schedule {
    /// # Errors
    /// It was not written by this program, or this machine does not know its zone.
    pub(crate) fn read(stored: StoredSchedule) -> Result<Schedule, ApiError> {
        let setup: Setup = serde_json::from_str(&stored.setup).map_err(|error| {
            let message = phrase!(
                "The schedule “{name}” cannot be read: {error}. Remove it and make it again",
                name = stored.name.clone(),
                error = error.to_string()
            );
            ApiError::new(Code::BadInput, message)
        })?;
        let (rule, zone) = (read_rule(&setup.cron)?, read_zone(&setup.zone)?);
        Ok(Schedule { stored, setup, rule, zone })
    }

    /// What is to be done now, if anything.
    pub(crate) fn next_step(&self, now_ms: i64, last_run: Option<Busy>) -> Option<Step> {
        let handled = self.stored.handled_until_ms;
        next_step(&self.rule, &self.zone, self.setup.missed, handled, now_ms, last_run)
    }

    /// Its times once everything up to this one is handled.
    pub(crate) fn times_after(&self, handled_until_ms: i64) -> ScheduleTimes {
        times_after(&self.rule, &self.zone, handled_until_ms)
    }

    pub(crate) fn time(&self, at_ms: i64) -> ScheduledTime {
        time_in(&self.zone, at_ms)
    }
}

pub(crate) fn times_after(rule: &Rule, zone: &Zone, handled_until_ms: i64) -> ScheduleTimes {
    ScheduleTimes { handled_until_ms, next_at_ms: rule.next(zone, handled_until_ms) }
}

pub(crate) fn time_in(zone: &Zone, at_ms: i64) -> ScheduledTime {
    ScheduledTime { at_ms, local: zone.written(at_ms) }
}
