//! Connections to the existing database: to write, to read, and to read its file without the write-ahead log.
//!
//! Not here: the lock of the data folder and the migrations (`open`).

use std::path::PathBuf;
use std::time::Duration;

use engine::LogError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::{DATABASE_FILE, Place};
use crate::schema;

/// The longest wait for another process's lock.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens a further read-only connection of a process that has the database open; it leaves the write-ahead log
/// unchanged.
pub(crate) fn open_reader(place: &Place) -> Result<Connection, LogError> {
    let connection = connect(place)?;
    keep_log(&connection, true).map_err(|error| place.explain(&error))?;
    connection.pragma_update(None, "query_only", true).map_err(|error| place.explain(&error))?;
    Ok(connection)
}

/// A connection to the existing database.
pub(crate) fn connect(place: &Place) -> Result<Connection, LogError> {
    let explain = |error: rusqlite::Error| place.explain(&error);
    for ending in ["", "-wal", "-shm", "-journal"] {
        let file = place.beside(ending);
        if std::fs::symlink_metadata(&file).is_ok_and(|found| !found.is_file()) {
            return Err(place.irregular(&file));
        }
    }
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(real_path(place), flags).map_err(explain)?;
    connection.busy_timeout(LOCK_TIMEOUT).map_err(explain)?;
    schema::harden(&connection).map_err(explain)?;
    // The connection that closes last would checkpoint and remove the log. If the database cannot be read, it stays as
    // it is.
    keep_log(&connection, true).map_err(explain)?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map_err(explain)?;
    keep_log(&connection, false).map_err(explain)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection
        .execute_batch(
            "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
             PRAGMA cache_size = -2048; PRAGMA cell_size_check = ON;",
        )
        .map_err(explain)?;
    schema::refuse_triggers(place, &connection)?;
    if connection.is_readonly("main").map_err(explain)? {
        return Err(place.explain_folder(&std::io::Error::from(std::io::ErrorKind::PermissionDenied)));
    }
    Ok(connection)
}

/// Sets whether the connection that closes last keeps the write-ahead log.
pub(crate) fn keep_log(connection: &Connection, is_kept: bool) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_kept).map(drop)
}

/// The path of the database with links in its folder resolved: the file itself may not be a link.
pub(crate) fn real_path(place: &Place) -> PathBuf {
    let folder = place.folder.canonicalize().unwrap_or_else(|_| place.folder.clone());
    folder.join(DATABASE_FILE)
}

/// The flags for opening a database without changing it.
pub(crate) const READ_ONLY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY
    .union(OpenFlags::SQLITE_OPEN_NO_MUTEX)
    .union(OpenFlags::SQLITE_OPEN_NOFOLLOW);

/// The URI and flags for reading the file itself without its log.
pub(crate) fn without_log(place: &Place) -> (String, OpenFlags) {
    let path: String = real_path(place)
        .to_string_lossy()
        .chars()
        .map(|c| if "?#%".contains(c) { format!("%{:02X}", u32::from(c)) } else { c.to_string() })
        .collect();
    (format!("file:{path}?immutable=1"), READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
}

pub(crate) fn version(place: &Place, connection: &Connection) -> Result<i64, LogError> {
    connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|error| place.explain(&error))
}
