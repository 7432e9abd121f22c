//! The arguments of `galley schedule`.

use clap::{Args, Subcommand};

use super::{Listing, RunRequest};

#[derive(Debug, Args)]
pub(crate) struct Schedule {
    #[command(subcommand)]
    pub(crate) command: ScheduleCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleCommand {
    /// Every schedule: its next times, what became of its last runs, and what waits for you
    List(Listing),
    /// Let a pipeline run at times. Profile, models, limits and tools are settled here; nothing else is asked or allowed later
    Add(Box<AddSchedule>),
    /// Remove a schedule; its runs stay
    Remove {
        /// Its name
        name: String,
    },
    /// Let a schedule not fire until it is resumed
    Pause {
        /// Its name
        name: String,
    },
    /// Let a schedule fire again that was paused or stopped itself
    Resume {
        /// Its name
        name: String,
    },
    /// Run what is due, each to its end; the system's timer does this each minute while no window is open
    RunDue(Listing),
}

impl ScheduleCommand {
    pub(crate) fn is_json(&self) -> bool {
        matches!(self, ScheduleCommand::List(listing) | ScheduleCommand::RunDue(listing) if listing.json)
    }
}

#[derive(Debug, Args)]
pub(crate) struct AddSchedule {
    /// Its name
    pub(crate) name: String,
    /// The times in plain words, such as "every weekday at 7", "every 6 hours" or "on the 1st at 9", or as cron with five
    /// fields
    #[arg(long)]
    pub(crate) when: String,
    /// The time zone, an IANA name such as Europe/Berlin [default: that of the system]
    #[arg(long)]
    pub(crate) zone: Option<String>,
    /// What becomes of times at which the machine slept: one run at the next chance, none, or one for each
    #[arg(long, value_parser = ["once", "skip", "all"], default_value = "once")]
    pub(crate) missed: String,
    /// Most US dollars in a month
    #[arg(long, value_name = "N")]
    pub(crate) monthly_cost: Option<f64>,
    /// Most tokens in a month
    #[arg(long, value_name = "N")]
    pub(crate) monthly_tokens: Option<u64>,
    /// End a run after so many minutes [default: 240]
    #[arg(long, value_name = "MINUTES")]
    pub(crate) time_limit: Option<u32>,
    /// A profile that may stand in where the settings name it as a fallback; may be repeated [default: none]
    #[arg(long, value_name = "NAME")]
    pub(crate) fallback_profile: Vec<String>,
    /// Take the place of the schedule with this name
    #[arg(long)]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) request: RunRequest,
}
