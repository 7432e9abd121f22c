//! The files next to the database with events that it could not store because the disk is full.
//!
//! A file exists as long as it has events that the database lacks, and only its owner can read it. Its space is reserved
//! when the run starts.
//!
//! Not here: when events are written to them, and how they get into the database (`unstored_events`); what is in a file
//! (`reserved_room`).

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kernel::{Event, RunId};

use crate::error::Place;
use crate::reserved_room::{self, Room, SetAside};

const PREFIX: &str = "galley-unstored-";
const SUFFIX: &str = ".json";
/// The name prefix of empty reserved files; it is followed by the run and the process that holds it.
const RESERVED_PREFIX: &str = "galley-reserved-";
const RESERVED_SUFFIX: &str = ".partial";
/// The suffix of a file that does not fit its run any more, and is left to the user.
const CONFLICT_SUFFIX: &str = ".overtaken";
/// A larger file is not from this program.
const LONGEST: u64 = 1 << 30;

/// The reserved space of the runs of this process, by the id of the run.
#[derive(Default)]
pub(crate) struct Rooms {
    of_runs: HashMap<String, Room>,
    /// Left by a run that ended, for the next one: creating and allocating a file takes longer than a short run's events.
    spare: Option<Room>,
}

impl Rooms {
    /// The space of a run, reserved under this name if it has none yet.
    ///
    /// # Errors
    /// The error of the disk; `StorageFull` when it has too little space.
    pub(crate) fn reserve(&mut self, run: &RunId, reserved: PathBuf) -> io::Result<&mut Room> {
        match self.of_runs.entry(run.0.clone()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(free) => {
                // Another process may have removed the file of the spare, because no run holds it.
                let spare = self.spare.take().and_then(|spare| spare.moved(reserved.clone()).ok());
                Ok(free.insert(spare.map_or_else(|| Room::reserve(reserved), Ok)?))
            }
        }
    }

    pub(crate) fn of(&mut self, run: &RunId) -> Option<&mut Room> {
        self.of_runs.get_mut(&run.0)
    }

    /// Releases the space of a run; events in it stay.
    pub(crate) fn release(&mut self, run: &RunId) {
        if let Some(room) = self.of_runs.remove(&run.0)
            && room.is_unused()
        {
            self.spare.get_or_insert(room);
        }
    }

    /// Releases the space of a run whose file is lost.
    pub(crate) fn forget(&mut self, run: &RunId) {
        self.of_runs.remove(&run.0);
    }
}

/// What happened to the events of a file.
pub(crate) enum RestoreOutcome {
    /// They are in the database.
    Stored,
    /// The run has other events by now.
    Overtaken,
}

/// The file of a run; none for an id with characters that our ids do not have.
fn file_of(place: &Place, run: &RunId) -> Option<PathBuf> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let is_ours = !run.0.is_empty() && run.0.len() <= 64 && run.0.chars().all(is_plain);
    is_ours.then(|| place.folder.join(format!("{PREFIX}{}{SUFFIX}", run.0)))
}

/// Whether a run has unstored events, or a file for them.
pub(crate) fn has_unstored_events(place: &Place, run: &RunId) -> bool {
    file_of(place, run).is_some_and(|file| is_file(&file))
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() <= LONGEST)
}

/// The names of a run's file: while it is empty, and with events.
pub(crate) fn names_of(place: &Place, process: i64, run: &RunId) -> Option<(PathBuf, PathBuf)> {
    let file = file_of(place, run)?;
    let reserved = format!("{RESERVED_PREFIX}{}.{process}{RESERVED_SUFFIX}", run.0);
    Some((file.with_file_name(reserved), file))
}

/// The run for which the file with this name is reserved, if it is one.
pub(crate) fn reserved_for(name: &str) -> Option<RunId> {
    let room = name.strip_prefix(RESERVED_PREFIX)?.strip_suffix(RESERVED_SUFFIX)?;
    room.split_once('.').map(|(run, _)| RunId(run.to_owned()))
}

/// The content of a file; `None` if it has no event.
fn read(place: &Place, file: &Path) -> Option<SetAside> {
    let text = is_file(file).then(|| fs::read(file).ok()).flatten()?;
    reserved_room::read(&text, place).unwrap_or_else(|error| {
        tracing::warn!(%error, file = %file.display(), "what was set aside cannot be read and is left alone");
        None
    })
}

/// The unstored events of a run.
pub(crate) fn events_of(place: &Place, run: &RunId) -> Option<Vec<Event>> {
    let kept = read(place, &file_of(place, run)?)?;
    (kept.run == *run).then_some(kept.events)
}

/// The content of a file of the data folder; `None` if it has no event, or its name is not that of its run.
pub(crate) fn read_file(place: &Place, file: &Path) -> Option<SetAside> {
    let name = file.file_name()?.to_str()?;
    name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let found = read(place, file)?;
    (file_of(place, &found.run)? == file).then_some(found)
}

/// Whether a file is ours and has no event.
fn holds_nothing(place: &Place, file: &Path) -> bool {
    let text = is_file(file).then(|| fs::read(file).ok()).flatten();
    text.is_some_and(|text| matches!(reserved_room::read(&text, place), Ok(None)))
}

/// Removes the file: the database has its events, or does not need them.
pub(crate) fn remove(place: &Place, run: &RunId) {
    if let Some(file) = file_of(place, run).filter(|file| is_file(file))
        && let Err(error) = fs::remove_file(&file)
    {
        tracing::warn!(%error, file = %file.display(), "a file that is no longer needed stays");
    }
}

/// Writes events of a run into its reserved file, which gets its permanent name even if they do not fit.
pub(crate) fn keep(
    rooms: &mut Rooms,
    run: &RunId,
    (reserved, file): (PathBuf, &Path),
    events: &[Event],
) -> io::Result<()> {
    let room = rooms.reserve(run, reserved)?;
    let added = room.add(run, events);
    room.name(file)?;
    added
}

/// Removes or renames a file after its run was resumed; an unreadable one is left to the user.
pub(crate) fn settle(place: &Place, run: &RunId, taken_up: Option<&RestoreOutcome>) {
    let Some(file) = file_of(place, run) else { return };
    match taken_up {
        Some(RestoreOutcome::Stored) => remove(place, run),
        None if holds_nothing(place, &file) => remove(place, run),
        None => {}
        Some(RestoreOutcome::Overtaken) => {
            let aside = PathBuf::from(format!("{}{CONFLICT_SUFFIX}", file.display()));
            let renamed = fs::rename(&file, &aside);
            tracing::warn!(?renamed, file = %aside.display(), "a run went another way than what was set aside of it");
        }
    }
}
