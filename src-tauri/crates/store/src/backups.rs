//! Whole copies of the database, made while it is in use, and how large it is.

use std::path::Path;
use std::time::UNIX_EPOCH;

use engine::LogError;

use crate::Store;
use crate::error::{BACKUP_PREFIX, Place};
use crate::open;
use crate::table::{self, runs};

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

impl Store {
    /// Makes a copy of everything that is stored so far. Reading and writing go on meanwhile.
    ///
    /// # Errors
    /// When the copy cannot be made.
    pub async fn back_up(&self) -> Result<(), LogError> {
        // What reads may not write, not even into another file.
        self.read(|context| {
            let connection = open::connect(context.place)?;
            open::back_up(context.place, &connection, table::FORMAT as i64)
        })
        .await
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
