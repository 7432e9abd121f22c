//! Backups of the database, made while it is in use, and its size.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use engine::{LogError, now_ms};

use crate::backup_copy::Copies;
use crate::error::{BACKUP_PREFIX, Place};
use crate::read_context::ReadContext;
use crate::table::{self, processes, runs};
use crate::{Store, backup_copy, open};

/// A backup of the database.
#[derive(Debug, Clone, PartialEq)]
pub struct Backup {
    /// Its name in the data folder.
    pub file: String,
    /// The time when it was made, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// Its size in bytes.
    pub bytes: u64,
}

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
        backups_in(&self.shared.place)
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
    let connection = open::connect(context.place)?;
    backup_copy::abort_when_stopped(&connection, copies).map_err(|error| context.explain(&error))?;
    backup_copy::back_up(context.place, &connection, why, copies)
}

/// The backups in a data folder, the newest first.
pub(crate) fn backups_in(place: &Place) -> Result<Vec<Backup>, LogError> {
    let entries = std::fs::read_dir(&place.folder).map_err(|error| place.explain_folder(&error))?;
    let mut backups: Vec<Backup> = entries.flatten().filter_map(|entry| backup(&entry)).collect();
    backups.sort_by(|a, b| b.at_ms.cmp(&a.at_ms).then_with(|| b.file.cmp(&a.file)));
    Ok(backups)
}

fn backup(entry: &std::fs::DirEntry) -> Option<Backup> {
    let file = entry.file_name().to_string_lossy().into_owned();
    let is_copy = Path::new(&file).extension().is_some_and(|ending| ending == "sqlite3");
    if !file.starts_with(BACKUP_PREFIX) || !is_copy {
        return None;
    }
    // Links, pipes and empty files are no backups.
    let found = entry.metadata().ok().filter(|found| found.is_file() && found.len() > 0)?;
    let at_ms = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_millis();
    Some(Backup { file, at_ms: i64::try_from(at_ms).unwrap_or(i64::MAX), bytes: found.len() })
}
