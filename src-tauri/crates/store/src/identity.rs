//! Detects that the open database is no longer the one in the data folder: writes to a deleted or truncated file would
//! be lost when the program ends.

use std::path::Path;
use std::time::SystemTime;

use engine::LogError;
use kernel::form;
use rusqlite::{Connection, ErrorCode};

use crate::connection::without_log;
use crate::error::Place;

/// A file's device and inode, which do not change with its name or content.
type FileId = (u64, u64);

/// The files of an open database. What the system does not provide is assumed unchanged.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    database: Option<FileId>,
    /// The write-ahead log once it exists: it stays as long as the database is open.
    log: Option<FileId>,
    /// The largest size of the database so far, in bytes.
    bytes: u64,
    /// The time of its last write, by a checkpoint of the log.
    written_at: Option<SystemTime>,
    /// The mark in the file itself.
    mark: Option<i32>,
}

/// A new random mark that identifies a database.
pub(crate) fn new_mark() -> i32 {
    // The last bytes of a random id do not depend on the clock; 0 means no mark.
    let random = engine::new_id().as_bytes().last_chunk().copied().unwrap_or_default();
    (i32::from_le_bytes(random) & i32::MAX).max(1)
}

impl Identity {
    /// The current files of the database.
    pub(crate) fn of(place: &Place) -> Result<Identity, LogError> {
        let (database, bytes, written_at) =
            found(&place.file).map_err(|error| place.explain_folder(&error))?;
        Ok(Identity { database, log: None, bytes, written_at, mark: mark_in(place).ok().flatten() })
    }

    /// Fails when the name of the database refers to no file or to another one.
    ///
    /// # Errors
    /// `database_missing`.
    pub(crate) fn check(&self, place: &Place) -> Result<(), LogError> {
        self.size_of(place).map(drop)
    }

    /// The same for the writing connection after a commit; also fails when the database was truncated or overwritten in
    /// place, or its log was replaced.
    ///
    /// # Errors
    /// `database_missing`.
    pub(crate) fn check_written(&mut self, place: &Place, connection: &Connection) -> Result<(), LogError> {
        let (bytes, written_at) = self.size_of(place)?;
        if bytes < self.bytes {
            // Another process may shrink the file legitimately, which SQLite then knows.
            let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            let pages = pragma("page_count").and_then(|pages| Ok(pages.saturating_mul(pragma("page_size")?)));
            if bytes == 0 || pages.map_or(true, |pages| pages.unsigned_abs() >= self.bytes) {
                return Err(place.gone(form!("it was emptied or cut off")));
            }
        }
        self.bytes = bytes;
        if written_at != self.written_at && mark_in(place).is_ok_and(|mark| mark != self.mark) {
            return Err(place.gone(form!("it was overwritten")));
        }
        self.written_at = written_at;
        let log = found(&place.beside("-wal")).ok().and_then(|(log, ..)| log);
        if self.log.is_some() && self.log != log {
            return Err(place.gone(form!("its write-ahead log was removed or replaced")));
        }
        self.log = log;
        Ok(())
    }

    fn size_of(&self, place: &Place) -> Result<(u64, Option<SystemTime>), LogError> {
        match found(&place.file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(place.gone(form!("it was removed or renamed")))
            }
            Err(error) => Err(place.explain_folder(&error)),
            Ok((database, ..)) if database != self.database => {
                Err(place.gone(form!("another file is in its place")))
            }
            Ok((_, bytes, written_at)) => Ok((bytes, written_at)),
        }
    }
}

/// Reads only the directory entry: opening and closing the file would release SQLite's locks on it.
fn found(path: &Path) -> std::io::Result<(Option<FileId>, u64, Option<SystemTime>)> {
    let found = std::fs::symlink_metadata(path)?;
    #[cfg(unix)]
    let id = {
        use std::os::unix::fs::MetadataExt;
        Some((found.dev(), found.ino()))
    };
    // On systems where an open file can be neither removed nor replaced no id is needed.
    #[cfg(not(unix))]
    let id = None;
    Ok((id, found.len(), found.modified().ok()))
}

/// The mark in the file itself, regardless of its log; `None` when it is no database any more. SQLite opens the file,
/// because it keeps track of its own locks.
///
/// # Errors
/// When it cannot be read.
fn mark_in(place: &Place) -> rusqlite::Result<Option<i32>> {
    let (name, flags) = without_log(place);
    let read = || -> rusqlite::Result<i32> {
        let connection = Connection::open_with_flags(&name, flags)?;
        // Opening reads nothing yet; this reads the first page and the pages of the schema.
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        connection.pragma_query_value(None, "application_id", |row| row.get(0))
    };
    match read() {
        Ok(mark) => Ok(Some(mark)),
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if matches!(failure.code, ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
