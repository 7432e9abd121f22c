//! Opens the database for writing: the folder, the lock, the migrations and the backup before them.
//!
//! Every open store holds a shared lock on a small file. A migration needs an exclusive lock, so it never runs while
//! another process has the database open; others wait or get an error with the reason.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use engine::LogError;
use kernel::{Code, form, phrase};
use rusqlite::Connection;
use rusqlite_migration::Migrations;

use crate::backup_copy::{self, Copies};
use crate::connection::{LOCK_TIMEOUT, connect, version};
use crate::error::Place;
use crate::{identity, schema};

const LOCK_FILE: &str = "galley.lock";
/// The length of the database header in bytes.
const HEADER_BYTES: u64 = 100;

/// An open database, and the lock that prevents migrations while it is open.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    pub(crate) lock: File,
}

/// Opens the database for writing, after migrating it to the current format.
pub(crate) fn open(place: &Place, migrations: &Migrations<'_>, format: usize) -> Result<Opened, LogError> {
    make_folder(place)?;
    backup_copy::remove_abandoned(place);
    let lock = lock_file(place)?;
    let deadline = Instant::now() + LOCK_TIMEOUT;
    // When the write-ahead log is unavailable, the database is used without it.
    let mut is_prepared = false;
    loop {
        wait_for(place, deadline, || lock.try_lock_shared())?;
        create_if_missing(place)?;
        let connection = connect(place)?;
        let found = version(place, &connection)?;
        if found > format as i64 {
            return Err(place.newer(found, format));
        }
        if found == 0 && !place.backups()?.is_empty() {
            return Err(place.missing(form!("holds nothing")));
        }
        let is_ready = found == format as i64 && (is_prepared || is_wal(place, &connection)?);
        if is_ready {
            schema::check(place, &connection, migrations)?;
            if is_prepared || is_marked(&connection).map_err(|error| place.explain(&error))? {
                return Ok(Opened { connection, lock });
            }
        }
        drop(connection);
        unlock(&lock);
        match lock.try_lock() {
            // On file systems without locks only SQLite's own locks apply.
            locked @ (Ok(()) | Err(TryLockError::Error(_))) => {
                prepare(place, migrations, format, locked.is_ok())?;
                is_prepared = true;
            }
            // Other processes have the database open without a mark: it gets one when it is opened exclusively.
            Err(TryLockError::WouldBlock) if is_ready => is_prepared = true,
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(LogError::new(
                    Code::DatabaseLocked,
                    phrase!(
                        "The database {file} must be brought to the present format, and another Galley has it open. \
                         Close every other Galley that uses this folder, then start again.",
                        file = place.file.display()
                    ),
                ));
            }
        }
        unlock(&lock);
    }
}

/// The file whose lock says that the database is open, or exclusively used.
pub(crate) fn lock_file(place: &Place) -> Result<File, LogError> {
    disk::open_private(&place.folder.join(LOCK_FILE)).map_err(|error| place.explain_folder(&error))
}

/// Creates an empty database that only its owner can read, if there is none. When an earlier one is missing or empty,
/// the user must choose what to start with.
fn create_if_missing(place: &Place) -> Result<(), LogError> {
    let found = std::fs::symlink_metadata(&place.file);
    let what = match &found {
        Ok(found) if !found.is_file() || found.len() >= HEADER_BYTES => return Ok(()),
        // SQLite treats such a file as empty, and would create a new database in it.
        Ok(found) if found.len() > 0 => {
            return Err(place.damaged(&format!("it is cut off: {} bytes are left of it", found.len())));
        }
        Ok(_) => form!("is empty"),
        Err(_) => form!("is missing"),
    };
    let has_log = std::fs::metadata(place.beside("-wal")).is_ok_and(|log| log.len() > 0);
    if has_log || !place.backups()?.is_empty() {
        return Err(place.missing(what));
    }
    match disk::create_private(&place.file) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(place.explain_folder(&error)),
        _ => Ok(()),
    }
}

fn make_folder(place: &Place) -> Result<(), LogError> {
    if place.folder.exists() && !place.folder.is_dir() {
        return Err(LogError::new(
            Code::BadInput,
            phrase!(
                "The data folder {folder} is a file. Choose a folder with --data-dir or GALLEY_DATA_DIR.",
                folder = place.folder.display()
            ),
        ));
    }
    // The user may have replaced the folder by a link.
    if place.folder.is_dir() {
        return Ok(());
    }
    disk::make_private_folder(&place.folder).map_err(|error| place.explain_folder(&error))
}

fn is_wal(place: &Place, connection: &Connection) -> Result<bool, LogError> {
    let mode: String = connection
        .pragma_query_value(None, "journal_mode", |row| row.get(0))
        .map_err(|error| place.explain(&error))?;
    Ok(mode == "wal")
}

/// Whether a database has a mark.
fn is_marked(connection: &Connection) -> rusqlite::Result<bool> {
    connection.pragma_query_value(None, "application_id", |row| row.get::<_, i32>(0)).map(|mark| mark != 0)
}

/// Gives a database without a mark one: in the file itself, and so only without a write-ahead log.
fn mark(connection: &Connection) -> rusqlite::Result<()> {
    if is_marked(connection)? {
        return Ok(());
    }
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "delete", |row| row.get(0))?;
    if mode == "wal" {
        return Ok(());
    }
    connection.pragma_update(None, "application_id", identity::new_mark())
}

/// Makes the backup, the mark, the write-ahead log and the migrations, under the lock if there is one.
fn prepare(
    place: &Place,
    migrations: &Migrations<'_>,
    format: usize,
    is_alone: bool,
) -> Result<(), LogError> {
    let explain = |error: rusqlite::Error| place.explain(&error);
    let mut connection = connect(place)?;
    let found = version(place, &connection)?;
    if found > 0 && found < format as i64 {
        backup_copy::back_up(place, &connection, &found.to_string(), &Copies::default())?;
    }
    // Processes that have it open without a mark would take it for another database.
    if (is_alone || found == 0)
        && let Err(error) = mark(&connection)
    {
        tracing::debug!(%error, "the database stays without a mark by which it is known again");
    }
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).map_err(explain)?;
    if found < format as i64 {
        migrations.to_latest(&mut connection).map_err(|error| explain_migration(place, error))?;
    }
    Ok(())
}

fn explain_migration(place: &Place, error: rusqlite_migration::Error) -> LogError {
    match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => place.explain(&err),
        other => LogError::new(
            Code::Internal,
            phrase!(
                "Bringing the database {file} to the present format failed ({other}); it is as it was before. \
                 Please report it.",
                file = place.file.display(),
                other = other.to_string()
            ),
        ),
    }
}

fn unlock(lock: &File) {
    if let Err(error) = lock.unlock() {
        tracing::debug!(%error, "the lock of the data folder could not be let go of");
    }
}

fn wait_for(
    place: &Place,
    deadline: Instant,
    mut lock: impl FnMut() -> Result<(), TryLockError>,
) -> Result<(), LogError> {
    loop {
        match lock() {
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(LogError::new(
                    Code::DatabaseLocked,
                    phrase!(
                        "Another Galley is bringing the database {file} to its own format. Wait until it is done, then \
                         start again.",
                        file = place.file.display()
                    ),
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::backup_files::BACKUP_PREFIX;
    use rusqlite_migration::M;

    fn backups(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.to_string_lossy().contains(BACKUP_PREFIX)).collect()
    }

    #[test]
    fn an_older_database_is_backed_up_before_migration_and_a_new_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        let steps = [
            M::up("CREATE TABLE a (x); INSERT INTO a VALUES (7);"),
            M::up("DROP TABLE a; CREATE TABLE b (y);"),
        ];
        drop(open(&place, &Migrations::from_slice(&steps[..1]), 1).unwrap());
        assert!(backups(folder.path()).is_empty());
        let opened = open(&place, &Migrations::from_slice(&steps), 2).unwrap();
        opened.connection.prepare("SELECT y FROM b").unwrap();
        let copies = backups(folder.path());
        let name = copies[0].file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            copies.len() == 1 && name.starts_with("galley-backup-1-2") && name.ends_with(".sqlite3"),
            "{name}"
        );
        let copy = Connection::open(&copies[0]).unwrap();
        assert_eq!(copy.query_row("SELECT x FROM a", [], |row| row.get::<_, i64>(0)).unwrap(), 7);
        assert_eq!(version(&place, &copy).unwrap(), 1);
    }

    #[test]
    fn a_failed_migration_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        let steps = [M::up("CREATE TABLE a (x);"), M::up("DROP TABLE a; this is no SQL;")];
        drop(open(&place, &Migrations::from_slice(&steps[..1]), 1).unwrap());
        assert_eq!(open(&place, &Migrations::from_slice(&steps), 2).unwrap_err().code, Code::Internal);
        let opened = open(&place, &Migrations::from_slice(&steps[..1]), 1).unwrap();
        opened.connection.prepare("SELECT x FROM a").unwrap();
    }

    #[test]
    fn a_migration_waits_for_other_processes_and_then_fails_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        let steps = [M::up("CREATE TABLE a (x);"), M::up("CREATE TABLE b (y);")];
        let older = open(&place, &Migrations::from_slice(&steps[..1]), 1).unwrap();
        let error = open(&place, &Migrations::from_slice(&steps), 2).unwrap_err();
        assert!(
            error.code == Code::DatabaseLocked && error.to_string().contains("Close every other"),
            "{error}"
        );
        drop(older);
        open(&place, &Migrations::from_slice(&steps), 2).unwrap();
    }
}
