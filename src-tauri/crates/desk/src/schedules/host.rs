//! Who fires: the process of an open window, else the command that the system's timer starts.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use schedule::is_far_ahead;
use store::Store;
use tokio::time::sleep;

use crate::ApiError;
use crate::api::FiringCard;
use crate::program::data_folder::data_folder;
use crate::schedules::ScheduleService;
use crate::schedules::due::Handled;

/// How often it is checked what is due.
const LOOKS_EVERY: Duration = Duration::from_secs(5);
/// The file that the firing window locks.
const LOCK_FILE: &str = "schedules.lock";

/// Whether a schedule of a data folder is due and no open window will fire it. Opens neither the desk nor its store, and
/// creates nothing.
///
/// # Errors
/// The database cannot be read.
pub fn has_due_schedules(data_dir: Option<PathBuf>) -> Result<bool, ApiError> {
    let folder = data_folder(data_dir)?;
    let now = engine::now_ms();
    let times = Store::schedule_times(&folder)?;
    let is_due = times.iter().any(|schedule| {
        schedule.next_at_ms.is_some_and(|next| next <= now) || is_far_ahead(schedule.handled_until_ms, now)
    });
    Ok(is_due && !is_fired_by_window(&folder))
}

/// Whether the process of an open window fires the schedules of a folder. Where files cannot be locked, nobody knows,
/// and both fire: an instant is claimed once all the same.
fn is_fired_by_window(folder: &Path) -> bool {
    File::open(folder.join(LOCK_FILE))
        .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

impl ScheduleService {
    /// Fires schedules from now on until the desk closes, for a host with a window. Of several windows one fires.
    pub fn fire_while_open(&self) {
        let service = self.clone();
        tokio::spawn(async move {
            let mut lock = None;
            loop {
                if lock.is_none() {
                    lock = service.window_lock();
                }
                if lock.is_some() {
                    // Each firing runs as a task of its own.
                    if let Err(error) = service.begin_due(&mut Vec::new()).await {
                        tracing::warn!(%error, "schedules could not be fired");
                    }
                }
                tokio::select! {
                    () = sleep(LOOKS_EVERY) => {}
                    () = service.closing.cancelled() => return,
                }
            }
        });
    }

    /// Fires what is due and waits until its runs have ended; what becomes due meanwhile is fired too. `on` gets every
    /// instant that was handled, at its end.
    ///
    /// # Errors
    /// The database cannot be read or written. The failure of a run is no error here: it is recorded.
    pub async fn run_due(&self, mut on: impl FnMut(&FiringCard)) -> Result<(), ApiError> {
        let mut going = FuturesUnordered::new();
        let mut result = Ok(());
        loop {
            let mut handled = Vec::new();
            if !self.closing.is_cancelled() && !is_fired_by_window(&self.folder) {
                result = self.begin_due(&mut handled).await;
            }
            for instant in handled {
                match instant {
                    Handled::Begun(task) => going.push(task),
                    Handled::Skipped(card) => on(&card),
                }
            }
            if going.is_empty() {
                return result;
            }
            tokio::select! {
                Some(ended) = going.next() => if let Ok(card) = ended { on(&card) },
                () = sleep(LOOKS_EVERY) => {}
            }
        }
    }

    /// The lock of the window that fires; `None` where another one does.
    fn window_lock(&self) -> Option<File> {
        let lock = disk::open_private(&self.folder.join(LOCK_FILE)).ok()?;
        match lock.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => Some(lock),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}
