//! Schedules: runs that begin by themselves, at instants of a rule in a time zone.
//!
//! While a window is open, its process fires what is due; else the system's timer starts `galley schedule run-due`
//! each minute. Each instant is claimed in a transaction of the store.

mod budget;
mod due;
mod firing;
mod host;
mod list;
mod pins;
mod record;
mod rule_words;
mod save;
mod setup;
mod timers;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::CancellationToken;
use kernel::Phrase;
use store::Store;

use crate::runs::RunService;
use crate::settings::Settings;

pub use host::has_due_schedules;

/// A clock: the present in milliseconds since 1970 UTC.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// The commands about schedules, and what fires them. Clones share one service.
#[derive(Clone)]
pub struct ScheduleService {
    /// The data folder.
    folder: PathBuf,
    store: Store,
    settings: Arc<Settings>,
    runs: RunService,
    clock: Clock,
    sets_timer: bool,
    /// Why the system's timer could not be set up last.
    timer_problem: Arc<Mutex<Option<Phrase>>>,
    /// Cancelled when the desk closes.
    closing: CancellationToken,
}

impl ScheduleService {
    pub(crate) fn new(
        folder: PathBuf,
        store: Store,
        settings: Arc<Settings>,
        runs: RunService,
        clock: Option<Clock>,
        sets_timer: bool,
    ) -> ScheduleService {
        let clock = clock.unwrap_or_else(|| Arc::new(engine::now_ms));
        ScheduleService {
            folder,
            store,
            settings,
            runs,
            clock,
            sets_timer,
            timer_problem: Arc::default(),
            closing: CancellationToken::new(),
        }
    }

    fn now_ms(&self) -> i64 {
        (self.clock)()
    }

    fn timer_problem(&self) -> MutexGuard<'_, Option<Phrase>> {
        self.timer_problem.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on nothing fires, and the runs that go on are ended.
    pub(crate) fn stop(&self) {
        self.closing.cancel();
    }
}
