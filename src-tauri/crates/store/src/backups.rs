//! Whole copies of the database, made while it is in use, and how large it is.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use engine::LogError;

use crate::copying::Copies;
use crate::error::{BACKUP_PREFIX, Place};
use crate::read_context::ReadContext;
use crate::table::{self, processes, runs};
use crate::writer::now_ms;
use crate::{Store, copying, open};

/// A whole copy of the database.
#[derive(Debug, Clone, PartialEq)]
pub struct Backup {
    /// Its name in the data folder.
    pub file: String,
    /// When it was made, milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// Its bytes.
    pub bytes: u64,
}

/// What the name of a copy says that is made once a week.
const WEEKLY: &str = "weekly";
/// How long one of them is new enough.
const WEEK_MS: u64 = 7 * 24 * 60 * 60 * 1000;
/// So many of them are kept.
const WEEKLY_KEPT: usize = 2;

impl Backup {
    fn is_weekly(&self) -> bool {
        self.file.starts_with(&format!("{BACKUP_PREFIX}{WEEKLY}-"))
    }
}

impl Store {
    /// Makes the copy of the week where there is none yet, something is stored, nobody works on a run, and the disk has
    /// room for twice as much; the last two are kept. Tells whether it made one.
    ///
    /// # Errors
    /// When it cannot be found out, or the copy cannot be made.
    pub async fn back_up_weekly(&self) -> Result<bool, LogError> {
        let now_ms = now_ms();
        // Also when the clock was set back since.
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
        // One of the far future was made when the clock was wrong: it is the first to go.
        let is_ahead = |copy: &Backup| copy.at_ms > now_ms && copy.at_ms.abs_diff(now_ms) > WEEK_MS;
        weekly.sort_by_key(|copy| (is_ahead(copy), Reverse(copy.at_ms)));
        for old in weekly.iter().skip(WEEKLY_KEPT) {
            open::remove_if_there(&self.shared.place.folder.join(&old.file))
                .map_err(|error| self.shared.place.explain_folder(&error))?;
        }
        Ok(is_made)
    }

    /// Makes a copy of everything that is stored so far. Reading and writing go on meanwhile.
    ///
    /// # Errors
    /// When the copy cannot be made.
    pub async fn back_up(&self) -> Result<(), LogError> {
        let copies = Arc::clone(&self.shared.copies);
        self.read(move |context| copy(context, &table::FORMAT.to_string(), &copies)).await
    }

    /// Ends the copies that are being made, of which nothing stays; none is begun any more. For the end of a program, which
    /// waits no longer for them.
    pub fn stop_copies(&self) {
        self.shared.copies.stop();
    }

    /// The copies in the data folder, the newest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn backups(&self) -> Result<Vec<Backup>, LogError> {
        backups_in(&self.shared.place)
    }

    /// The bytes of the database, with what is still beside it.
    pub fn bytes(&self) -> u64 {
        let files = [self.file().to_owned(), self.shared.place.beside("-wal")];
        files.into_iter().filter_map(|file| std::fs::metadata(file).ok()).map(|found| found.len()).sum()
    }

    /// How many runs there are in the history, and how many in the trash.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn count_runs(&self) -> Result<(u32, u32), LogError> {
        self.read(|context| context.of(runs::count(context.connection))).await
    }
}

fn copy(context: &ReadContext<'_>, why: &str, copies: &Arc<Copies>) -> Result<(), LogError> {
    // What reads may not write, not even into another file.
    let connection = open::connect(context.place)?;
    copying::end_when_stopped(&connection, copies).map_err(|error| context.explain(&error))?;
    copying::back_up(context.place, &connection, why, copies)
}

/// The copies in a data folder, the newest first.
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
    // A link or a pipe is no copy, and what is empty is none either.
    let found = entry.metadata().ok().filter(|found| found.is_file() && found.len() > 0)?;
    let at_ms = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_millis();
    Some(Backup { file, at_ms: i64::try_from(at_ms).unwrap_or(i64::MAX), bytes: found.len() })
}
