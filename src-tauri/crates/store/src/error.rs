//! Converts SQLite's errors into messages with the problem, the reason and the next step.
//!
//! The only place that inspects SQLite's error codes.

use std::path::{Path, PathBuf};

use engine::LogError;
use kernel::{Code, Form, Phrase, phrase};
use rusqlite::{ErrorCode, ffi};

use crate::backup_files::{Backup, backups_in};

/// The name of the database in the data folder.
pub const DATABASE_FILE: &str = "galley.sqlite3";

/// The location of the database, for messages.
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

    /// The backups in the data folder, the newest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) fn backups(&self) -> Result<Vec<Backup>, LogError> {
        backups_in(&self.folder).map_err(|error| self.explain_folder(&error))
    }

    /// The error for an SQLite error.
    pub(crate) fn explain(&self, error: &rusqlite::Error) -> LogError {
        let (code, extended) = match error {
            rusqlite::Error::SqliteFailure(failure, _) => (failure.code, failure.extended_code),
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..) => return self.damaged(&error.to_string()),
            _ => (ErrorCode::Unknown, 0),
        };
        // An exceeded quota, or a disk too full for the shared-memory file of the database.
        let is_out_of_room = matches!(extended, ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE);
        let file = self.file.display();
        let folder = self.folder.display();
        match code {
            ErrorCode::DiskFull => self.full(),
            ErrorCode::SystemIoFailure if is_out_of_room => self.full(),
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => self.damaged(&error.to_string()),
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => LogError::new(
                Code::DatabaseLocked,
                phrase!(
                    "The database {file} is locked by another program that does not let go of it. \
                     Close that program, then try again.",
                    file
                ),
            ),
            ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => LogError::new(
                Code::ReadOnly,
                phrase!(
                    "The data folder {folder} cannot be written ({error}). Make it writable, or choose \
                     another one with --data-dir or GALLEY_DATA_DIR.",
                    folder,
                    error = error.to_string()
                ),
            ),
            ErrorCode::SystemIoFailure => LogError::new(
                Code::ReadOnly,
                phrase!(
                    "The disk refused to read or write {file} ({error}). Check the disk and the folder's \
                     permissions, then try again.",
                    file,
                    error = error.to_string()
                ),
            ),
            _ => LogError::new(
                Code::Internal,
                phrase!(
                    "The database {file} refused a request of this program ({error}). Please report it.",
                    file,
                    error = error.to_string()
                ),
            ),
        }
    }

    /// The error of a full disk.
    fn full(&self) -> LogError {
        LogError::new(
            Code::DiskFull,
            phrase!(
                "The disk that holds {folder} is full: nothing of this was stored, what was stored before is safe. \
                 Free some space, then go on.",
                folder = self.folder.display()
            ),
        )
    }

    /// The error when events that the database refused cannot be written to a file either.
    pub(crate) fn cannot_set_aside(&self, file: &Path, error: &std::io::Error) -> LogError {
        let message = phrase!(
            "What the run has in hand could not be kept in {file} either ({error}): it is in memory only.",
            file = file.display(),
            error
        );
        LogError::new(Code::DiskFull, message)
    }

    /// The error of unreadable data in the database.
    pub(crate) fn damaged(&self, reason: &str) -> LogError {
        let file = self.file.display();
        let next_step = next_step(&self.folder);
        LogError::new(
            Code::DatabaseCorrupt,
            Phrase::sentences([
                phrase!("The database {file} is damaged ({reason}).", file, reason),
                next_step,
            ]),
        )
    }

    /// The file that SQLite keeps next to the database with this suffix.
    pub(crate) fn beside(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{DATABASE_FILE}{ending}"))
    }

    /// The error for a database file that is a link, a pipe or a device: writes to it would go elsewhere.
    pub(crate) fn irregular(&self, file: &Path) -> LogError {
        LogError::new(
            Code::BadInput,
            phrase!(
                "{file} is a link or no regular file, so the database is not opened. Put the file itself there, or name the \
                 folder in which it lies with --data-dir or GALLEY_DATA_DIR.",
                file = file.display()
            ),
        )
    }

    /// The error when the open database is no longer the one in the folder.
    pub(crate) fn gone(&self, what: Form) -> LogError {
        LogError::new(
            Code::DatabaseMissing,
            phrase!(
                "The database {file} is not the one any more that was opened ({what}): nothing more is stored. Put it back, or \
                 start Galley again to begin with what is there.",
                file = self.file.display(),
                what
            ),
        )
    }

    /// The error when the database is missing, although there was one.
    pub(crate) fn missing(&self, what: Form) -> LogError {
        let file = self.file.display();
        let next_step = match newest_backup(&self.folder) {
            Some(backup) => {
                phrase!(
                    "`galley recover` begins with the newest backup, {backup}, or empty.",
                    backup = backup.display()
                )
            }
            None => phrase!("`galley recover` sets aside what is left of it and begins empty."),
        };
        LogError::new(
            Code::DatabaseMissing,
            Phrase::sentences([phrase!("The database {file} {what}.", file, what), next_step]),
        )
    }

    /// The error for a database that a newer program wrote.
    pub(crate) fn newer(&self, found: i64, known: usize) -> LogError {
        LogError::new(
            Code::DatabaseNewer,
            phrase!(
                "The database {file} was written by a newer Galley (its format is {found}, this program knows up to \
                 {known}). Update Galley, or choose another data folder with --data-dir or GALLEY_DATA_DIR.",
                file = self.file.display(),
                found,
                known
            ),
        )
    }

    /// The error for a file-system error of the data folder.
    pub(crate) fn explain_folder(&self, error: &std::io::Error) -> LogError {
        let folder = self.folder.display();
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        if matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge) {
            return self.full();
        }
        LogError::new(
            Code::ReadOnly,
            phrase!(
                "The data folder {folder} cannot be made or written ({error}). Make it writable, or choose \
                 another one with --data-dir or GALLEY_DATA_DIR.",
                folder,
                error
            ),
        )
    }
}

/// The next step for a damaged database in this folder, for all messages about damage.
fn next_step(folder: &Path) -> Phrase {
    newest_backup(folder).map_or_else(
        || {
            phrase!(
                "There is no backup yet: `galley recover` sets it aside with its log and begins with what can be read of it."
            )
        },
        |backup| {
            phrase!(
                "`galley recover` sets it aside with its log and begins with the newest backup, {backup}, or with what can be \
                 read of it.",
                backup = backup.display()
            )
        },
    )
}

fn newest_backup(folder: &Path) -> Option<PathBuf> {
    let newest = backups_in(folder).ok()?.into_iter().next()?;
    Some(folder.join(newest.file))
}

/// The error for a missing item.
pub(crate) fn not_found(phrase: Phrase) -> LogError {
    LogError::new(Code::NotFound, phrase)
}

/// The error for a closed store.
pub(crate) fn closed() -> LogError {
    LogError::new(Code::Internal, phrase!("The store is closed: nothing more is written. Open it again."))
}
