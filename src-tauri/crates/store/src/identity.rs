//! Whether the database that is open is still the one in the data folder: what is written into a file without a name, or
//! into one that was emptied, is gone when the program ends.

use kernel::form;
use std::path::Path;

use engine::LogError;
use rusqlite::Connection;

use crate::error::Place;

/// A file by what stays the same when its name or its content changes.
type FileId = (u64, u64);

/// The files of an open database. What the system does not tell is taken for unchanged.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    database: Option<FileId>,
    /// The write-ahead log, once there is one: it stays as long as the database is open.
    log: Option<FileId>,
    /// The most bytes that the database had.
    bytes: u64,
}

impl Identity {
    /// The files of this place as they are.
    pub(crate) fn of(place: &Place) -> Result<Identity, LogError> {
        let (database, bytes) = found(&place.file).map_err(|error| place.explain_folder(&error))?;
        Ok(Identity { database, log: None, bytes })
    }

    /// Refuses when the name of the database leads to nothing or to something else.
    ///
    /// # Errors
    /// `database_missing`.
    pub(crate) fn check(&self, place: &Place) -> Result<(), LogError> {
        self.bytes_of(place).map(drop)
    }

    /// The same for the connection that writes, after a commit; also refuses when the database was cut off in place, or
    /// its log is another one.
    ///
    /// # Errors
    /// `database_missing`.
    pub(crate) fn check_written(&mut self, place: &Place, connection: &Connection) -> Result<(), LogError> {
        let bytes = self.bytes_of(place)?;
        if bytes < self.bytes {
            // A file may become smaller where another program made it so, and then it is known to be.
            let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            let pages = pragma("page_count").and_then(|pages| Ok(pages.saturating_mul(pragma("page_size")?)));
            if bytes == 0 || pages.map_or(true, |pages| pages.unsigned_abs() >= self.bytes) {
                return Err(place.gone(form!("it was emptied or cut off")));
            }
        }
        self.bytes = bytes;
        let log = found(&place.beside("-wal")).ok().and_then(|(log, _)| log);
        if self.log.is_some() && self.log != log {
            return Err(place.gone(form!("its write-ahead log was removed or replaced")));
        }
        self.log = log;
        Ok(())
    }

    fn bytes_of(&self, place: &Place) -> Result<u64, LogError> {
        match found(&place.file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(place.gone(form!("it was removed or renamed")))
            }
            Err(error) => Err(place.explain_folder(&error)),
            Ok((database, _)) if database != self.database => {
                Err(place.gone(form!("another file is in its place")))
            }
            Ok((_, bytes)) => Ok(bytes),
        }
    }
}

/// Only its name is looked at: to open and close the file itself would give up the locks that SQLite has on it.
fn found(path: &Path) -> std::io::Result<(Option<FileId>, u64)> {
    let found = std::fs::symlink_metadata(path)?;
    #[cfg(unix)]
    let id = {
        use std::os::unix::fs::MetadataExt;
        Some((found.dev(), found.ino()))
    };
    // Where an open file can be neither removed nor replaced there is nothing to find out.
    #[cfg(not(unix))]
    let id = None;
    Ok((id, found.len()))
}
