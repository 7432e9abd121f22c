//! Recovery when the database cannot be read or is missing: the database and its side files are renamed, and a backup,
//! the readable data or an empty database takes its place. Nothing is deleted, and after an interruption at any step it
//! can be repeated.
//!
//! Not here: when it is needed, and which data of a damaged database are readable (`salvage`).

use std::fs::File;
use std::io;
use std::path::Path;

use engine::LogError;
use kernel::{Code, phrase};
use rusqlite::{Connection, OpenFlags};

use crate::backup_files::Backup;
use crate::error::{DATABASE_FILE, Place, not_found};
use crate::salvage::{Salvaged, salvage};
use crate::{Store, open, schema, table};

const DAMAGED_PREFIX: &str = "galley-damaged-";
/// The new database until it is complete.
const REPLACEMENT: &str = "galley-recovered.partial";
/// The suffixes of SQLite's files. The log is renamed first: a database without its log can still be renamed later, but
/// SQLite discards a log that belongs to another database.
const SUFFIXES: [&str; 4] = ["-wal", "-journal", "-shm", ""];

/// What replaces a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replacement {
    /// The backup with this name.
    Backup(String),
    /// The readable data of the database itself, with the large values that only a backup has.
    Readable,
    /// An empty history.
    Empty,
    /// The readable data, or the newest usable backup if it contains more runs.
    Fullest,
}

/// The result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The new name of the old database; none if there was none.
    pub kept: Option<String>,
    /// The backup that replaced it; none if it was not replaced by a backup.
    pub backup: Option<String>,
    /// The number of runs now.
    pub runs: u32,
    /// Runs among them that are cut before unreadable data.
    pub shortened: u32,
    /// Runs among them whose definition or inputs could not be read: they can be displayed and exported, but not
    /// executed.
    pub without_definition: u32,
    /// Runs of which only the existence could be read.
    pub lost: u32,
}

impl Store {
    /// The backups in a data folder whose database cannot be opened, the newest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn backups_of(data_dir: &Path) -> Result<Vec<Backup>, LogError> {
        Place::new(data_dir).backups()
    }

    /// Renames the database of this folder with its side files, and puts a replacement in its place.
    ///
    /// # Errors
    /// Before anything is renamed: `database_locked` when another process has the folder open, `not_found` when there
    /// is no such backup, `database_corrupt` when the backup itself cannot be read, `disk_full`.
    pub fn recover(data_dir: &Path, replacement: &Replacement) -> Result<Recovered, LogError> {
        let place = Place::new(data_dir);
        let lock = open::lock_file(&place)?;
        if lock.try_lock().is_err_and(|error| matches!(error, std::fs::TryLockError::WouldBlock)) {
            return Err(LogError::new(
                Code::DatabaseLocked,
                phrase!(
                    "Another Galley has the data folder {folder} open. Close every other Galley that uses it, then try again.",
                    folder = place.folder.display()
                ),
            ));
        }
        let fresh = place.folder.join(REPLACEMENT);
        let prepared = prepare(&place, &fresh, replacement).inspect_err(|_| {
            // An incomplete replacement is useless.
            let _ = disk::remove_if_there(&fresh);
        })?;
        let kept = set_aside(&place).map_err(|error| place.explain_folder(&error))?;
        disk::move_into_place(&fresh, &place.file).map_err(|error| place.explain_folder(&error))?;
        Ok(Recovered { kept, ..prepared })
    }
}

/// Creates the replacement, complete and synced.
fn prepare(place: &Place, fresh: &Path, replacement: &Replacement) -> Result<Recovered, LogError> {
    let of = |Salvaged { runs, shortened, without_definition, lost }| Recovered {
        kept: None,
        backup: None,
        runs,
        shortened,
        without_definition,
        lost,
    };
    match replacement {
        Replacement::Backup(name) => copy_backup(place, fresh, name),
        Replacement::Readable => begin_anew(place, fresh, |target| salvage(place, target)).map(of),
        Replacement::Empty => begin_anew(place, fresh, |_| Ok(Salvaged::default())).map(of),
        Replacement::Fullest => {
            let readable = prepare(place, fresh, &Replacement::Readable)?;
            let usable =
                |backup: &Backup| Some((check(&place.folder.join(&backup.file)).ok()?, backup.file.clone()));
            match place.backups()?.iter().find_map(usable) {
                Some((found, name)) if found.runs > readable.runs - readable.shortened => {
                    copy_backup(place, fresh, &name)
                }
                _ => Ok(readable),
            }
        }
    }
}

/// Creates a database of the current format under this name, filled and synced.
fn begin_anew(
    place: &Place,
    fresh: &Path,
    fill: impl FnOnce(&Connection) -> Result<Salvaged, LogError>,
) -> Result<Salvaged, LogError> {
    let explain = |error: rusqlite::Error| place.explain(&error);
    disk::remove_if_there(fresh)
        .and_then(|()| disk::create_private(fresh))
        .map_err(|error| place.explain_folder(&error))?;
    let mut connection = Connection::open(fresh).map_err(explain)?;
    connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA journal_mode = MEMORY;").map_err(explain)?;
    table::MIGRATIONS.to_latest(&mut connection).map_err(|error| place.damaged(&error.to_string()))?;
    let filled = fill(&connection)?;
    connection.close().map_err(|(_, error)| explain(error))?;
    File::open(fresh).and_then(|file| file.sync_all()).map_err(|error| place.explain_folder(&error))?;
    Ok(filled)
}

/// Copies the backup to another name, over any leftover of an earlier attempt.
fn copy_backup(place: &Place, fresh: &Path, name: &str) -> Result<Recovered, LogError> {
    let known = place.backups()?;
    // Only names from the list are accepted, so that a name from outside cannot be a path.
    let Some(backup) = known.iter().find(|backup| backup.file == name) else {
        return Err(not_found(phrase!(
            "There is no backup `{name}` in {folder}; choose one of those that are listed.",
            name,
            folder = place.folder.display()
        )));
    };
    let from = place.folder.join(&backup.file);
    let found = check(&from).map_err(|reason| {
        LogError::new(
            Code::DatabaseCorrupt,
            phrase!(
                "The backup {from} cannot be used ({reason}). Choose another one.",
                from = from.display(),
                reason
            ),
        )
    })?;
    if found.format > table::FORMAT as i64 {
        return Err(place.newer(found.format, table::FORMAT));
    }
    // Copies only the bytes: a read-only backup must not give a read-only database.
    disk::remove_if_there(fresh)
        .and_then(|()| {
            let (mut from, mut to) = (File::open(&from)?, disk::create_private(fresh)?);
            io::copy(&mut from, &mut to)?;
            to.sync_all()
        })
        .map_err(|error| place.explain_folder(&error))?;
    Ok(Recovered {
        kept: None,
        backup: Some(name.to_owned()),
        runs: found.runs,
        shortened: 0,
        without_definition: 0,
        lost: 0,
    })
}

/// The content of a backup.
struct UsableBackup {
    format: i64,
    runs: u32,
}

/// Reads a backup completely; returns its content, or why it cannot be read.
fn check(backup: &Path) -> Result<UsableBackup, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let words = |error: rusqlite::Error| error.to_string();
    let connection = Connection::open_with_flags(backup, flags).map_err(words)?;
    schema::harden(&connection).map_err(words)?;
    let found: String =
        connection.pragma_query_value(None, "quick_check", |row| row.get(0)).map_err(words)?;
    if found != "ok" {
        return Err(found);
    }
    let format: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(words)?;
    if format == 0 {
        return Err("nothing is stored in it".to_owned());
    }
    let runs = connection.query_row("SELECT count(*) FROM runs", [], |row| row.get(0)).map_err(words)?;
    Ok(UsableBackup { format, runs })
}

/// Renames the database and its side files with the date, and returns the new name of the database; `None` when none of
/// them exists.
fn set_aside(place: &Place) -> io::Result<Option<String>> {
    let day = engine::now().to_zoned(jiff::tz::TimeZone::system()).date();
    let beside = |name: &str, end: &str| place.folder.join(format!("{name}{end}"));
    let kept = (1_u32..)
        .map(|n| {
            let again = if n == 1 { String::new() } else { format!("-{n}") };
            format!("{DAMAGED_PREFIX}{day}{again}.sqlite3")
        })
        .find(|name| SUFFIXES.iter().all(|end| !beside(name, end).exists()))
        .ok_or(io::ErrorKind::AlreadyExists)?;
    let mut is_there = false;
    for end in SUFFIXES {
        match std::fs::rename(beside(DATABASE_FILE, end), beside(&kept, end)) {
            Ok(()) => is_there = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(is_there.then_some(kept))
}
