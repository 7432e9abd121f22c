//! Backups of the database, made while it is in use, and its size.

use std::cmp::Reverse;
use std::sync::Arc;

use engine::{LogError, now_ms};

use crate::backup_copy::Copies;
use crate::backup_files::{BACKUP_PREFIX, Backup};
use crate::connection::connect;
use crate::read_context::ReadContext;
use crate::table::{self, processes, runs};
use crate::{Store, backup_copy};

/// The marker in the name of a weekly backup.
const WEEKLY: &str = "weekly";
/// The age up to which no further weekly backup is made.
const WEEK_MS: u64 = 7 * 24 * 60 * 60 * 1000;
/// The number of weekly backups that are kept.
const WEEKLY_KEPT: usize = 2;

impl Backup {
    fn is_weekly(&self) -> bool {
        self.file.starts_with(&format!("{BACKUP_PREFIX}{WEEKLY}-"))
    }
}

impl Store {
    /// Makes the weekly backup if none is recent, the database has content, no run is in progress, and the disk has
    /// room for twice its size; keeps the last two. Returns whether it made one.
    ///
    /// # Errors
    /// When one of these cannot be determined, or the backup cannot be made.
    pub async fn back_up_weekly(&self) -> Result<bool, LogError> {
        let now_ms = now_ms();
        // The difference also covers a clock that was set back.
        let is_new = |copy: &Backup| copy.is_weekly() && copy.at_ms.abs_diff(now_ms) <= WEEK_MS;
        let has_room =
            disk::available_bytes(&self.shared.place.folder).is_none_or(|bytes| bytes / 2 >= self.bytes());
        if self.backups()?.iter().any(is_new) || !has_room {
            return Ok(false);
        }
        let copies = Arc::clone(&self.shared.copies);
        let is_made = self
            .read(move |context| {
                let is_busy = context.of(runs::holders(context.connection))?.into_iter().any(|holder| {
                    let process = processes::get(context.connection, holder).ok().flatten();
                    process.is_some_and(|process| process.is_alive(now_ms, context.process))
                });
                if is_busy || context.of(runs::count(context.connection))? == (0, 0) {
                    return Ok(false);
                }
                copy(context, WEEKLY, &copies).map(|()| true)
            })
            .await?;
        let mut weekly = self.backups()?;
        weekly.retain(Backup::is_weekly);
        // A backup from the future was made with a wrong clock, so it is deleted first.
        let is_ahead = |copy: &Backup| copy.at_ms > now_ms && copy.at_ms.abs_diff(now_ms) > WEEK_MS;
        weekly.sort_by_key(|copy| (is_ahead(copy), Reverse(copy.at_ms)));
        for old in weekly.iter().skip(WEEKLY_KEPT) {
            disk::remove_if_there(&self.shared.place.folder.join(&old.file))
                .map_err(|error| self.shared.place.explain_folder(&error))?;
        }
        Ok(is_made)
    }

    /// Makes a backup of all committed data. Reads and writes go on meanwhile.
    ///
    /// # Errors
    /// When the backup cannot be made.
    pub async fn back_up(&self) -> Result<(), LogError> {
        let copies = Arc::clone(&self.shared.copies);
        self.read(move |context| copy(context, &table::FORMAT.to_string(), &copies)).await
    }

    /// Cancels and removes the backups in progress, and allows no more. For the end of the program, which does not wait
    /// for them.
    pub fn stop_copies(&self) {
        self.shared.copies.stop();
    }

    /// The backups in the data folder, the newest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn backups(&self) -> Result<Vec<Backup>, LogError> {
        self.shared.place.backups()
    }

    /// The size of the database in bytes, including its log.
    pub fn bytes(&self) -> u64 {
        let files = [self.file().to_owned(), self.shared.place.beside("-wal")];
        files.into_iter().filter_map(|file| std::fs::metadata(file).ok()).map(|found| found.len()).sum()
    }

    /// The number of runs in the history and in the trash.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn count_runs(&self) -> Result<(u32, u32), LogError> {
        self.read(|context| context.of(runs::count(context.connection))).await
    }
}

fn copy(context: &ReadContext<'_>, why: &str, copies: &Arc<Copies>) -> Result<(), LogError> {
    // A read-only connection cannot write, not even into another file.
    let connection = connect(context.place)?;
    backup_copy::abort_when_stopped(&connection, copies).map_err(|error| context.explain(&error))?;
    backup_copy::back_up(context.place, &connection, why, copies)
}
