//! Going on where the database cannot be read: it is set aside with what lies beside it, and a backup or nothing takes its
//! place. Nothing is deleted, and every step leaves the folder so that it can be done again.
//!
//! Not here: whether there is need of it. Who calls this has been refused by `Store::open`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use engine::LogError;
use kernel::Code;
use rusqlite::{Connection, OpenFlags};

use crate::backups::{Backup, backups_in};
use crate::fault::Place;
use crate::{Store, open, table};

const DAMAGED_PREFIX: &str = "galley-damaged-";
/// What SQLite keeps beside a database. The log goes first: a database without it can still be set aside later, but a log
/// that is left to another database is thrown away by it.
const BESIDE: [&str; 4] = ["-wal", "-journal", "-shm", ""];

impl Store {
    /// The copies in a data folder whose database cannot be opened, the newest first.
    pub fn backups_of(data_dir: &Path) -> Result<Vec<Backup>, LogError> {
        backups_in(&Place::new(data_dir))
    }

    /// The end of every sentence about damage of this folder's database: what a person can do by hand.
    pub fn way_on(data_dir: &Path) -> String {
        crate::fault::way_on(data_dir)
    }

    /// Sets the database of this folder aside and puts a copy of the named backup in its place, or nothing. Returns the
    /// name under which the database is kept now. Fails before anything was moved when another process has the folder
    /// open, when there is no such backup, and when the backup cannot be read itself.
    pub fn recover(data_dir: &Path, backup: Option<&str>) -> Result<String, LogError> {
        let place = Place::new(data_dir);
        let lock = open::lock_file(&place)?;
        if lock.try_lock().is_err_and(|error| matches!(error, std::fs::TryLockError::WouldBlock)) {
            return Err(LogError::new(
                Code::DatabaseLocked,
                format!(
                    "Another Galley has the data folder {} open. Close every other Galley that uses it, then try again.",
                    place.folder.display()
                ),
            ));
        }
        let fresh = backup.map(|name| copied(&place, name)).transpose()?;
        let kept = set_aside(&place).map_err(|error| place.folder_fault(&error))?;
        if let Some(fresh) = fresh {
            std::fs::rename(fresh, &place.file).map_err(|error| place.folder_fault(&error))?;
        }
        Ok(kept)
    }
}

/// A copy of the backup under a name of its own, whole and on the disk. Whatever was left of an earlier one is replaced.
fn copied(place: &Place, name: &str) -> Result<PathBuf, LogError> {
    let known = backups_in(place)?;
    // By its name in the list alone: a name from outside is no path.
    let Some(backup) = known.iter().find(|backup| backup.file == name) else {
        return Err(crate::fault::not_found(format!(
            "There is no backup `{name}` in {}; choose one of those that are listed.",
            place.folder.display()
        )));
    };
    let from = place.folder.join(&backup.file);
    let format = check(&from).map_err(|reason| {
        LogError::new(
            Code::DatabaseCorrupt,
            format!("The backup {} cannot be used ({reason}). Choose another one.", from.display()),
        )
    })?;
    if format > table::FORMAT as i64 {
        return Err(place.newer(format, table::FORMAT));
    }
    let fresh = place.folder.join("galley-recovered.partial");
    // By its bytes alone: a backup that may not be written is no reason for a database that may not be.
    File::open(&from)
        .and_then(|mut from| {
            let mut to = File::create(&fresh)?;
            io::copy(&mut from, &mut to)?;
            to.sync_all()
        })
        .map_err(|error| place.folder_fault(&error))?;
    Ok(fresh)
}

/// The format of a backup that can be read from its beginning to its end, or why it cannot.
fn check(backup: &Path) -> Result<i64, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let words = |error: rusqlite::Error| error.to_string();
    let connection = Connection::open_with_flags(backup, flags).map_err(words)?;
    let found: String =
        connection.pragma_query_value(None, "quick_check", |row| row.get(0)).map_err(words)?;
    if found != "ok" {
        return Err(found);
    }
    let format: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(words)?;
    if format == 0 { Err("nothing is stored in it".to_owned()) } else { Ok(format) }
}

/// Gives the database and what lies beside it a name with the day, and returns that of the database. What is not there is
/// not missed.
fn set_aside(place: &Place) -> io::Result<String> {
    let day = jiff::Zoned::now().date();
    let beside = |name: &str, end: &str| place.folder.join(format!("{name}{end}"));
    let kept = (1_u32..)
        .map(|n| {
            let again = if n == 1 { String::new() } else { format!("-{n}") };
            format!("{DAMAGED_PREFIX}{day}{again}.sqlite3")
        })
        .find(|name| BESIDE.iter().all(|end| !beside(name, end).exists()))
        .ok_or(io::ErrorKind::AlreadyExists)?;
    for end in BESIDE {
        match std::fs::rename(beside(crate::DATABASE_FILE, end), beside(&kept, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(kept)
}
