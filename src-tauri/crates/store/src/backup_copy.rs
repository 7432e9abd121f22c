//! Makes a backup of the database: under the name of a partial file, which is renamed when it is complete. A backup in
//! progress is cancelled and removed when the store is closed.
//!
//! Not here: when a backup is made, and which are kept (`backups`).

use std::fs::{DirEntry, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use engine::LogError;
use rusqlite::{Connection, OpenFlags};

use crate::backup_files::BACKUP_PREFIX;
use crate::connection::version;
use crate::error::{Place, closed};
use crate::identity;
use crate::mutex::lock;

/// The suffix of an incomplete backup.
const PARTIAL: &str = ".partial";
/// The suffix of SQLite's journal next to it.
const JOURNAL: &str = "-journal";
/// A partial backup without writes for this time is abandoned.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);
/// The SQLite steps between checks for cancellation: a few rows.
const STEPS_PER_CHECK: i32 = 100;
/// The most backups with the same date in their name.
const MOST_PER_DAY: u32 = 1_000;

/// The backups in progress of this store. Once stopped, no more are begun.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    is_stopped: AtomicBool,
    partials: Mutex<Vec<PathBuf>>,
}

impl Copies {
    /// Cancels and removes the backups in progress at once: the thread that makes one may wait for the disk longer than
    /// the program lives.
    pub(crate) fn stop(&self) {
        let mut partials = lock(&self.partials);
        self.is_stopped.store(true, Ordering::Release);
        partials.drain(..).for_each(|partial| remove(&partial));
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    fn begin(&self, place: &Place) -> Result<PathBuf, LogError> {
        // A unique name, even among concurrent backups.
        let partial = place.folder.join(format!("{BACKUP_PREFIX}{}{PARTIAL}", engine::new_id()));
        let mut partials = lock(&self.partials);
        if self.is_stopped() {
            return Err(closed());
        }
        disk::create_private(&partial).map_err(|error| place.explain_folder(&error))?;
        partials.push(partial.clone());
        Ok(partial)
    }

    fn end(&self, partial: &Path) {
        lock(&self.partials).retain(|other| other != partial);
        remove(partial);
    }
}

/// Makes a connection abort when the backups are stopped.
///
/// # Errors
/// The error of SQLite.
pub(crate) fn abort_when_stopped(connection: &Connection, copies: &Arc<Copies>) -> rusqlite::Result<()> {
    let copies = Arc::clone(copies);
    connection.progress_handler(STEPS_PER_CHECK, Some(move || copies.is_stopped()))
}

/// Makes a backup of the database, under a name with its reason (the format before a migration) and the date.
///
/// # Errors
/// When it cannot be made, or the backups were stopped.
pub(crate) fn back_up(
    place: &Place,
    connection: &Connection,
    why: &str,
    copies: &Copies,
) -> Result<(), LogError> {
    let partial = copies.begin(place)?;
    let made = fill(place, connection, &partial)
        .and_then(|()| name(place, &partial, why).map_err(|error| place.explain_folder(&error)));
    copies.end(&partial);
    // After a cancellation the errors of SQLite and the disk are irrelevant.
    made.map_err(|error| if copies.is_stopped() { closed() } else { error })
}

fn fill(place: &Place, connection: &Connection, file: &Path) -> Result<(), LogError> {
    let explain = |error: rusqlite::Error| place.explain(&error);
    connection.execute("VACUUM INTO ?1", [file.to_string_lossy()]).map_err(explain)?;
    // The file exists already; created anew it would be an empty database that looks like a backup.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let copy = Connection::open_with_flags(file, flags).map_err(explain)?;
    if version(place, &copy)? != version(place, connection)? {
        return Err(place.explain_folder(&io::Error::other("another program changed the copy")));
    }
    // A backup that replaces its database must be recognizable as another file.
    copy.pragma_update(None, "application_id", identity::new_mark()).map_err(explain)?;
    copy.close().map_err(|(_, error)| explain(error))?;
    File::open(file).and_then(|file| file.sync_all()).map_err(|error| place.explain_folder(&error))
}

/// Gives a complete backup the first free name.
fn name(place: &Place, partial: &Path, why: &str) -> io::Result<()> {
    let day = engine::now().to_zoned(jiff::tz::TimeZone::system()).date();
    // An empty file, which is no backup, reserves the name among concurrent backups.
    let taken = |n: u32| {
        let again = if n == 1 { String::new() } else { format!("-{n}") };
        let target = place.folder.join(format!("{BACKUP_PREFIX}{why}-{day}{again}.sqlite3"));
        match disk::create_private(&target) {
            Ok(_) => Some(Ok(target)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
            Err(error) => Some(Err(error)),
        }
    };
    let target = (1..MOST_PER_DAY).find_map(taken).unwrap_or(Err(ErrorKind::AlreadyExists.into()))?;
    disk::move_into_place(partial, &target).inspect_err(|_| {
        // Remove the empty file that reserved the name.
        let _ = disk::remove_if_there(&target);
    })
}

fn remove(partial: &Path) {
    for file in [partial.to_owned(), journal_of(partial)] {
        if let Err(error) = disk::remove_if_there(&file) {
            tracing::warn!(%error, file = %file.display(), "a part of a copy stays");
        }
    }
}

fn journal_of(partial: &Path) -> PathBuf {
    let mut journal = partial.to_owned().into_os_string();
    journal.push(JOURNAL);
    journal.into()
}

/// Removes partial backups of killed processes; those in progress in other processes are kept.
pub(crate) fn remove_abandoned(place: &Place) {
    // Other operations report an unreadable folder.
    let Ok(entries) = std::fs::read_dir(&place.folder) else { return };
    for partial in entries.flatten().filter_map(|entry| abandoned(&entry)) {
        remove(&partial);
    }
}

/// The partial backup that this entry belongs to, if it is abandoned.
fn abandoned(entry: &DirEntry) -> Option<PathBuf> {
    let name = entry.file_name();
    let (copy, rest) = name.to_str()?.strip_prefix(BACKUP_PREFIX)?.rsplit_once(PARTIAL)?;
    if !["", JOURNAL].contains(&rest) {
        return None;
    }
    let partial = entry.path().with_file_name(format!("{BACKUP_PREFIX}{copy}{PARTIAL}"));
    // The journal is written only once, at the beginning.
    let found = std::fs::symlink_metadata(&partial).or_else(|_| entry.metadata()).ok()?;
    let (now, written_at) = (SystemTime::now(), found.modified().ok()?);
    // A time in the future comes from a wrong clock.
    let age = now.duration_since(written_at).unwrap_or_else(|ahead| ahead.duration());
    (found.is_file() && age > ABANDONED_AFTER).then_some(partial)
}

#[cfg(test)]
mod tests {
    use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

    use super::*;
    use crate::connection::connect;
    use crate::open::open;
    use crate::table;

    fn with_rows() -> (tempfile::TempDir, Place, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        drop(open(&place, &table::MIGRATIONS, table::FORMAT).unwrap());
        let connection = connect(&place).unwrap();
        for n in 0..3_000 {
            table::contents::insert(&connection, &n.to_string(), &"x".repeat(2_000)).unwrap();
        }
        (folder, place, connection)
    }

    fn copies_in(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with(BACKUP_PREFIX)).collect()
    }

    #[test]
    fn a_stopped_backup_leaves_no_partial_file_and_no_other_is_begun() {
        let (folder, place, connection) = with_rows();
        let copies = Arc::new(Copies::default());
        abort_when_stopped(&connection, &copies).unwrap();
        let (stopping, place_of_copy) = (Arc::clone(&copies), folder.path().to_owned());
        let (sender, seen) = std::sync::mpsc::channel();
        // SQLite calls the authorizer before it writes the rows of a table into the copy.
        let stop = move |context: AuthContext<'_>| {
            match context.action {
                AuthAction::Insert { table_name } if stopping.is_stopped() => {
                    sender.send(vec![table_name.to_owned()]).unwrap();
                }
                AuthAction::Insert { table_name: "contents" } => {
                    sender.send(copies_in(&place_of_copy)).unwrap();
                    stopping.stop();
                    sender.send(copies_in(&place_of_copy)).unwrap();
                }
                _ => {}
            }
            Authorization::Allow
        };
        connection.authorizer(Some(stop)).unwrap();
        let error = back_up(&place, &connection, "weekly", &copies).unwrap_err();
        let were_there: Vec<Vec<String>> = seen.try_iter().collect();
        assert_eq!(error.to_string(), closed().to_string());
        assert!(were_there[0].iter().any(|name| name.ends_with(PARTIAL)), "{were_there:?}");
        assert_eq!(were_there[1..], [Vec::<String>::new()], "it goes at once, and no more is written");
        assert_eq!(copies_in(folder.path()), Vec::<String>::new());
        back_up(&place, &connection, "weekly", &copies).unwrap_err();
        assert_eq!(copies_in(folder.path()), Vec::<String>::new());
    }

    #[test]
    fn concurrent_backups_are_complete_and_have_unique_names() {
        let (folder, place, connection) = with_rows();
        drop(connection);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let connection = connect(&place).unwrap();
                    back_up(&place, &connection, "weekly", &Copies::default()).unwrap();
                });
            }
        });
        let copies = copies_in(folder.path());
        assert_eq!(copies.len(), 6, "{copies:?}");
        for copy in copies {
            let copy = Connection::open(folder.path().join(copy)).unwrap();
            let count: i64 = copy.query_row("SELECT count(*) FROM contents", [], |row| row.get(0)).unwrap();
            assert_eq!(count, 3_000);
        }
    }

    #[test]
    fn a_backup_removed_during_its_creation_does_not_exist() {
        let (folder, place, connection) = with_rows();
        let away = folder.path().to_owned();
        let take_away = move |context: AuthContext<'_>| {
            if matches!(context.action, AuthAction::Insert { table_name: "contents" }) {
                copies_in(&away).into_iter().for_each(|name| std::fs::remove_file(away.join(name)).unwrap());
            }
            Authorization::Allow
        };
        connection.authorizer(Some(take_away)).unwrap();
        back_up(&place, &connection, "weekly", &Copies::default()).unwrap_err();
        assert_eq!(copies_in(folder.path()), Vec::<String>::new());
    }
}
