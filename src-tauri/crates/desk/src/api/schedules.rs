//! Schedules in the API: runs that begin by themselves.

use kernel::Phrase;
use schedule::Missed;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ApiError;
use crate::api::StartRun;

/// A schedule to make, or to put in the place of another. What it may do is settled here: profile, models, limits and
/// allowed tools are those of this moment.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SaveSchedule {
    /// Its name.
    pub name: String,
    /// The schedule whose place it takes; a new one when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub replaces: Option<String>,
    /// When: plain words such as `every weekday at 7`, or cron's grammar with five fields.
    pub when: String,
    /// The IANA name of the time zone; that of the system when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub zone: Option<String>,
    /// What becomes of instants that passed while nothing could fire.
    pub missed: Missed,
    /// What it starts.
    pub request: StartRun,
    /// Profiles that may stand in for a failing one; without them, none does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub fallback_profiles: Vec<String>,
    /// After so many minutes a run is ended; 240 when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time_limit_minutes: Option<u32>,
    /// Most US dollars in a month of the zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub monthly_cost: Option<f64>,
    /// Most tokens in a month of the zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub monthly_tokens: Option<u64>,
}

/// A rule of time to look at before it is saved.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct PreviewSchedule {
    /// As of [`SaveSchedule`].
    pub when: String,
    /// As of [`SaveSchedule`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub zone: Option<String>,
}

/// What a rule of time means.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SchedulePreview {
    /// The rule in cron's grammar; empty where it cannot be read.
    pub cron: String,
    /// The IANA name of the time zone.
    pub zone: String,
    /// The next times.
    pub next: Vec<ScheduledTime>,
    /// Why it cannot be used.
    pub problem: Option<ApiError>,
    /// Rules that can be read.
    pub examples: Vec<String>,
}

/// A time of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ScheduledTime {
    /// Milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// As the clocks of its zone show it: `2026-12-07 07:00 +01:00`.
    pub local: String,
}

/// Whether a schedule fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleStatus {
    /// It fires.
    Active,
    /// The person paused it.
    Paused,
    /// It stopped itself after failures in a row.
    Stopped,
}

/// What became of an instant of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FiringOutcome {
    /// Its run goes on.
    Running,
    /// Its run finished.
    Finished,
    /// Its run failed, or could not begin.
    Failed,
    /// A limit ended its run.
    Limited,
    /// Its run waits for an answer.
    Waiting,
    /// Its run was stopped.
    Cancelled,
    /// Its run took longer than the schedule allows, and was ended.
    TimedOut,
    /// The program ended before its run did.
    Interrupted,
    /// Nothing began, because a run of the schedule went on.
    SkippedBusy,
    /// Nothing began, because the instant was missed.
    SkippedMissed,
    /// Nothing began, because the budget of the month is used up.
    SkippedBudget,
}

impl FiringOutcome {
    /// All of them.
    pub const ALL: [FiringOutcome; 11] = [
        FiringOutcome::Running,
        FiringOutcome::Finished,
        FiringOutcome::Failed,
        FiringOutcome::Limited,
        FiringOutcome::Waiting,
        FiringOutcome::Cancelled,
        FiringOutcome::TimedOut,
        FiringOutcome::Interrupted,
        FiringOutcome::SkippedBusy,
        FiringOutcome::SkippedMissed,
        FiringOutcome::SkippedBudget,
    ];

    /// Its word, as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            FiringOutcome::Running => "running",
            FiringOutcome::Finished => "finished",
            FiringOutcome::Failed => "failed",
            FiringOutcome::Limited => "limited",
            FiringOutcome::Waiting => "waiting",
            FiringOutcome::Cancelled => "cancelled",
            FiringOutcome::TimedOut => "timed_out",
            FiringOutcome::Interrupted => "interrupted",
            FiringOutcome::SkippedBusy => "skipped_busy",
            FiringOutcome::SkippedMissed => "skipped_missed",
            FiringOutcome::SkippedBudget => "skipped_budget",
        }
    }
}

/// A call of a tool that the schedule does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefusedCall {
    /// The tool.
    pub tool: String,
    /// The host, where the call has one.
    pub place: Option<String>,
}

/// An instant of a schedule, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FiringCard {
    /// The schedule.
    pub schedule: String,
    /// The instant.
    pub due: ScheduledTime,
    /// When it was handled, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub begun_at_ms: i64,
    /// When it ended.
    #[ts(type = "number | null")]
    pub ended_at_ms: Option<i64>,
    /// What became of it.
    pub outcome: FiringOutcome,
    /// Its run, where one began and is still there.
    pub run: Option<String>,
    /// Why it failed or nothing began.
    pub error: Option<ApiError>,
    /// Calls of its run that were refused.
    pub refused: Vec<RefusedCall>,
    /// The number of earlier instants that were missed with it.
    pub missed: u32,
}

/// Something about a schedule that waits for the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ScheduleNeed {
    /// It stopped itself.
    Stopped {
        /// In words, with the next step.
        text: Phrase,
    },
    /// Its last run was refused a tool.
    Refused {
        /// The run.
        run: Option<String>,
        /// The tool.
        call: RefusedCall,
        /// In words, with the next step.
        text: Phrase,
    },
    /// A run of it waits for an answer.
    Waiting {
        /// The run.
        run: String,
        /// In words, with the next step.
        text: Phrase,
    },
}

impl ScheduleNeed {
    /// In words, with the next step.
    pub fn text(&self) -> &Phrase {
        match self {
            ScheduleNeed::Stopped { text }
            | ScheduleNeed::Refused { text, .. }
            | ScheduleNeed::Waiting { text, .. } => text,
        }
    }
}

/// A schedule.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ScheduleCard {
    /// Its name.
    pub name: String,
    /// When, as it was given.
    pub when: String,
    /// When, in cron's grammar.
    pub cron: String,
    /// The IANA name of its time zone.
    pub zone: String,
    /// What becomes of missed instants.
    pub missed: Missed,
    /// Whether it fires.
    pub status: ScheduleStatus,
    /// What it starts, with all that is settled.
    pub request: StartRun,
    /// Profiles that may stand in for a failing one.
    pub fallback_profiles: Vec<String>,
    /// After so many minutes a run is ended.
    pub time_limit_minutes: u32,
    /// Most US dollars in a month.
    pub monthly_cost: Option<f64>,
    /// Most tokens in a month.
    #[ts(type = "number | null")]
    pub monthly_tokens: Option<u64>,
    /// The US dollars of this month, of the calls with a known price.
    pub month_cost: f64,
    /// The tokens of this month.
    #[ts(type = "number")]
    pub month_tokens: u64,
    /// The next times; empty where it does not fire.
    pub next: Vec<ScheduledTime>,
    /// What became of its last instants, newest first.
    pub last: Vec<FiringCard>,
    /// Its failures in a row.
    pub failures: u32,
    /// What waits for the person.
    pub needs: Vec<ScheduleNeed>,
}

/// Every schedule.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Schedules {
    /// By name.
    pub schedules: Vec<ScheduleCard>,
    /// The system's timer, which fires while no window is open; `null` where this host sets none.
    pub timer: Option<TimerCard>,
}

/// The system's timer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TimerCard {
    /// Its name: systemd, launchd, Task Scheduler.
    pub system: String,
    /// Whether it is set up.
    pub is_set: bool,
    /// Why not, with the next step.
    pub problem: Option<Phrase>,
}
