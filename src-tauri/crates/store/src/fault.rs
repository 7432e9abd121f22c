//! Turns what SQLite says into sentences: the thing, the reason, the next step.
//!
//! The one place that looks at SQLite's error codes.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use engine::LogError;
use kernel::Code;
use rusqlite::{ErrorCode, ffi};

use crate::DATABASE_FILE;

/// Where the database lies; every sentence about it names the place.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The data folder.
    pub(crate) folder: PathBuf,
    /// The database in it.
    pub(crate) file: PathBuf,
}

impl Place {
    pub(crate) fn new(folder: &Path) -> Place {
        Place { folder: folder.to_owned(), file: folder.join(DATABASE_FILE) }
    }

    /// What an error of SQLite means for the person.
    pub(crate) fn fault(&self, error: &rusqlite::Error) -> LogError {
        let (code, extended) = match error {
            rusqlite::Error::SqliteFailure(failure, _) => (failure.code, failure.extended_code),
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..) => return self.damaged(&error.to_string()),
            _ => (ErrorCode::Unknown, 0),
        };
        // A quota that is used up, and a disk too full for the shared memory beside the database.
        let is_out_of_room = matches!(extended, ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE);
        let file = self.file.display();
        let folder = self.folder.display();
        match code {
            ErrorCode::DiskFull => self.full(),
            ErrorCode::SystemIoFailure if is_out_of_room => self.full(),
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => self.damaged(&error.to_string()),
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => LogError::new(
                Code::DatabaseLocked,
                format!(
                    "The database {file} is locked by another program that does not let go of it. \
                     Close that program, then try again."
                ),
            ),
            ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => LogError::new(
                Code::ReadOnly,
                format!(
                    "The data folder {folder} cannot be written ({error}). Make it writable, or choose \
                     another one with --data-dir or GALLEY_DATA_DIR."
                ),
            ),
            ErrorCode::SystemIoFailure => LogError::new(
                Code::ReadOnly,
                format!(
                    "The disk refused to read or write {file} ({error}). Check the disk and the folder's \
                     permissions, then try again."
                ),
            ),
            _ => LogError::new(
                Code::Internal,
                format!("The database {file} refused a request of this program ({error}). Please report it."),
            ),
        }
    }

    /// There is no room to write.
    fn full(&self) -> LogError {
        LogError::new(
            Code::DiskFull,
            format!(
                "The disk that holds {} is full: nothing of this was stored, what was stored before is safe. \
                 Free some space, then go on.",
                self.folder.display()
            ),
        )
    }

    /// The database holds something that cannot be read.
    pub(crate) fn damaged(&self, reason: &str) -> LogError {
        let file = self.file.display();
        let way_on = way_on(&self.folder);
        LogError::new(Code::DatabaseCorrupt, format!("The database {file} is damaged ({reason}). {way_on}"))
    }

    /// The database was written by a later program.
    pub(crate) fn newer(&self, found: i64, known: usize) -> LogError {
        LogError::new(
            Code::DatabaseNewer,
            format!(
                "The database {} was written by a newer Galley (its format is {found}, this program knows up to \
                 {known}). Update Galley, or choose another data folder with --data-dir or GALLEY_DATA_DIR.",
                self.file.display()
            ),
        )
    }

    /// An error of the file system about the data folder.
    pub(crate) fn folder_fault(&self, error: &std::io::Error) -> LogError {
        let folder = self.folder.display();
        if error.kind() == std::io::ErrorKind::StorageFull {
            return self.full();
        }
        LogError::new(
            Code::ReadOnly,
            format!(
                "The data folder {folder} cannot be made or written ({error}). Make it writable, or choose \
                 another one with --data-dir or GALLEY_DATA_DIR."
            ),
        )
    }
}

/// What a person can do by hand about the damaged database of this folder; every sentence about damage ends so.
pub(crate) fn way_on(folder: &Path) -> String {
    newest_backup(folder).map_or_else(
        || "There is no backup yet: move the damaged file away to begin with an empty history.".to_owned(),
        |backup| {
            format!(
                "The newest backup is {}: move the damaged file away and put a copy of the backup in its place.",
                backup.display()
            )
        },
    )
}

/// The beginning of the names of backups.
pub(crate) const BACKUP_PREFIX: &str = "galley-backup-";

fn newest_backup(folder: &Path) -> Option<PathBuf> {
    let mut newest: Option<(SystemTime, PathBuf)> = None;
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(BACKUP_PREFIX) || !name.ends_with(".sqlite3") {
            continue;
        }
        let Ok(modified) = entry.metadata().and_then(|metadata| metadata.modified()) else { continue };
        if newest.as_ref().is_none_or(|(best, _)| modified > *best) {
            newest = Some((modified, entry.path()));
        }
    }
    newest.map(|(_, path)| path)
}

/// The named thing is not there.
pub(crate) fn not_found(message: impl Into<String>) -> LogError {
    LogError::new(Code::NotFound, message)
}
