//! Going on where the database cannot be read or is missing: it is set aside with what lies beside it, and a backup, what
//! can be read of it or nothing takes its place. Nothing is deleted, and every step leaves the folder so that it can be done
//! again.
//!
//! Not here: whether there is need of it, and what of a damaged database can be read (`salvage`).

use std::fs::File;
use std::io;
use std::path::Path;

use engine::LogError;
use kernel::{Code, phrase};
use rusqlite::{Connection, OpenFlags};

use crate::backups::{Backup, backups_in};
use crate::error::Place;
use crate::salvage::{Salvaged, salvage};
use crate::{Store, open, schema, table};

const DAMAGED_PREFIX: &str = "galley-damaged-";
/// What takes the place of the database, until it is whole.
const FRESH: &str = "galley-recovered.partial";
/// What SQLite keeps beside a database. The log goes first: a database without it can still be set aside later, but a log
/// that is left to another database is thrown away by it.
const BESIDE: [&str; 4] = ["-wal", "-journal", "-shm", ""];

/// What takes the place of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replacement {
    /// The backup of this name.
    Backup(String),
    /// What can be read of the database itself, with the large values that only a backup has.
    Readable,
    /// Nothing: an empty history.
    Empty,
    /// What can be read, or the newest usable backup where that holds more runs.
    Fullest,
}

/// How a recovery ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The name under which the database is kept now; none when there was none.
    pub kept: Option<String>,
    /// The backup that took its place; none when it was no backup.
    pub backup: Option<String>,
    /// How many runs there are now.
    pub runs: u32,
    /// Of these, those that end before what could not be read.
    pub shortened: u32,
    /// Of these, those whose definition or inputs could not be read: they can be shown and exported, not executed.
    pub without_definition: u32,
    /// Runs of which nothing could be read but that they were there.
    pub lost: u32,
}

impl Store {
    /// The copies in a data folder whose database cannot be opened, the newest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn backups_of(data_dir: &Path) -> Result<Vec<Backup>, LogError> {
        backups_in(&Place::new(data_dir))
    }

    /// Sets the database of this folder aside with what lies beside it, and puts something else in its place.
    ///
    /// # Errors
    /// Before anything was moved: `database_locked` when another process has the folder open, `not_found` when there is no
    /// such backup, `database_corrupt` when the backup cannot be read itself, `disk_full`.
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
        let fresh = place.folder.join(FRESH);
        let prepared = prepare(&place, &fresh, replacement).inspect_err(|_| {
            // What is not whole is of no use to anybody.
            let _ = open::remove_if_there(&fresh);
        })?;
        let kept = set_aside(&place).map_err(|error| place.explain_folder(&error))?;
        disk::move_into_place(&fresh, &place.file).map_err(|error| place.explain_folder(&error))?;
        Ok(Recovered { kept, ..prepared })
    }
}

/// Makes what takes the place of the database, whole and on the disk.
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
            match backups_in(place)?.iter().find_map(usable) {
                Some((found, name)) if found.runs > readable.runs - readable.shortened => {
                    copy_backup(place, fresh, &name)
                }
                _ => Ok(readable),
            }
        }
    }
}

/// A database of the present format under this name, filled and synced.
fn begin_anew(
    place: &Place,
    fresh: &Path,
    fill: impl FnOnce(&Connection) -> Result<Salvaged, LogError>,
) -> Result<Salvaged, LogError> {
    let explain = |error: rusqlite::Error| place.explain(&error);
    open::remove_if_there(fresh)
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

/// A copy of the backup under another name. Whatever was left of an earlier one is replaced.
fn copy_backup(place: &Place, fresh: &Path, name: &str) -> Result<Recovered, LogError> {
    let known = backups_in(place)?;
    // By its name in the list alone: a name from outside is no path.
    let Some(backup) = known.iter().find(|backup| backup.file == name) else {
        return Err(crate::error::not_found(phrase!(
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
    // By its bytes alone: a backup that may not be written is no reason for a database that may not be.
    open::remove_if_there(fresh)
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

/// What a backup holds.
struct Usable {
    format: i64,
    runs: u32,
}

/// What is in a backup that can be read from its beginning to its end, or why it cannot.
fn check(backup: &Path) -> Result<Usable, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let words = |error: rusqlite::Error| error.to_string();
    let connection = Connection::open_with_flags(backup, flags).map_err(words)?;
    schema::distrust(&connection).map_err(words)?;
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
    Ok(Usable { format, runs })
}

/// Gives the database and what lies beside it a name with the day, and returns that of the database; nothing when none of
/// them is there.
fn set_aside(place: &Place) -> io::Result<Option<String>> {
    let day = engine::now().to_zoned(jiff::tz::TimeZone::system()).date();
    let beside = |name: &str, end: &str| place.folder.join(format!("{name}{end}"));
    let kept = (1_u32..)
        .map(|n| {
            let again = if n == 1 { String::new() } else { format!("-{n}") };
            format!("{DAMAGED_PREFIX}{day}{again}.sqlite3")
        })
        .find(|name| BESIDE.iter().all(|end| !beside(name, end).exists()))
        .ok_or(io::ErrorKind::AlreadyExists)?;
    let mut is_there = false;
    for end in BESIDE {
        match std::fs::rename(beside(crate::DATABASE_FILE, end), beside(&kept, end)) {
            Ok(()) => is_there = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(is_there.then_some(kept))
}
