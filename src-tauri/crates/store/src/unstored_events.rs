//! Events that the database could not store because the disk is full, in a file next to it.
//!
//! The file exists as long as it has events that the database lacks, and only its owner can read it. Its space is
//! reserved when the run starts. The next process that resumes the run stores the events in the database; events that
//! are already there are not written twice.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use engine::LogError;
use kernel::{Code, Event, RunId};

use crate::Store;
use crate::batch::Batch;
use crate::error::Place;
use crate::job::Writing;
use crate::mutex::lock;
use crate::reserved_room::{self, Room, SetAside};
use crate::table::events::Source;
use crate::table::runs::{self, Standing};

const PREFIX: &str = "galley-unstored-";
const SUFFIX: &str = ".json";
/// The name prefix of empty reserved files; it is followed by the run and the process that holds it.
const RESERVED_PREFIX: &str = "galley-reserved-";
const RESERVED_SUFFIX: &str = ".partial";
/// The suffix of a file that does not fit its run any more, and is left to the user.
const CONFLICT_SUFFIX: &str = ".overtaken";
/// A larger file is not from this program.
const LONGEST: u64 = 1 << 30;
/// A newer reserved file may belong to a run that is being created.
const NEW_FILE_AGE: Duration = Duration::from_secs(60);

/// The reserved files of the runs that this process holds.
pub(crate) type Rooms = HashMap<String, Room>;

/// What happened to the events of a file.
pub(crate) enum RestoreOutcome {
    /// They are in the database.
    Stored,
    /// The run has other events by now.
    Overtaken,
}

/// The file of a run; none for an id with characters that our ids do not have.
pub(crate) fn file_of(place: &Place, run: &RunId) -> Option<PathBuf> {
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

/// Appends the events to a run that this process holds. Those that are already stored must be identical.
pub(crate) fn take_up(
    writing: &mut Writing<'_>,
    run: &RunId,
    standing: &Standing,
    kept: Vec<Event>,
) -> Result<RestoreOutcome, LogError> {
    let (known, missing): (Vec<Event>, Vec<Event>) =
        kept.into_iter().partition(|event| event.seq <= standing.last_seq);
    let seqs: Vec<_> = known.iter().map(|event| event.seq).collect();
    let source = Source { place: writing.place, connection: writing.connection, left_out: None };
    let stored = source.picked(standing.id, &seqs)?;
    let place_of = |event: &Event| (event.seq, event.at_ms, event.path.clone(), event.n);
    let is_same = stored.iter().map(place_of).eq(known.iter().map(place_of));
    let follows = missing.iter().zip(standing.last_seq + 1..).all(|(event, seq)| event.seq == seq);
    if !is_same || !follows {
        return Ok(RestoreOutcome::Overtaken);
    }
    if let Some(batch) = Batch::new(run, missing.into_iter().map(Arc::new).collect(), writing.recent)? {
        let me = writing.process.id;
        runs::advance(writing.connection, standing.id, me, standing.last_seq, batch.head)
            .map_err(|error| writing.explain(&error))?;
        batch.write(writing, standing.id)?;
    }
    Ok(RestoreOutcome::Stored)
}

/// Writes events of a run into its reserved file, which gets its permanent name even if they do not fit.
fn keep(
    rooms: &mut Rooms,
    run: &RunId,
    (reserved, file): (PathBuf, &Path),
    events: &[Event],
) -> io::Result<()> {
    let room = match rooms.entry(run.0.clone()) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(free) => free.insert(Room::reserve(reserved)?),
    };
    let added = room.add(run, events);
    room.name(file)?;
    added
}

impl Store {
    /// The names of a run's file: while it is empty, and with events.
    fn names_of(&self, run: &RunId) -> Option<(PathBuf, PathBuf)> {
        let file = file_of(&self.shared.place, run)?;
        let process = self.shared.process.id;
        let reserved = format!("{RESERVED_PREFIX}{}.{process}{RESERVED_SUFFIX}", run.0);
        Some((file.with_file_name(reserved), file))
    }

    /// Reserves space so that the events of a run can be written even if the disk becomes full.
    ///
    /// # Errors
    /// `disk_full` when there is not enough space now.
    pub(crate) fn reserve_room(&self, run: &RunId) -> Result<(), LogError> {
        let place = &self.shared.place;
        let mut rooms = lock(&self.shared.rooms);
        let Some((reserved, _)) = self.names_of(run) else { return Ok(()) };
        if let Entry::Vacant(free) = rooms.entry(run.0.clone()) {
            free.insert(Room::reserve(reserved).map_err(|error| place.explain_folder(&error))?);
        }
        Ok(())
    }

    /// Releases the reserved space of a run; events in it stay.
    pub(crate) fn release_room(&self, run: &RunId) {
        drop(lock(&self.shared.rooms).remove(&run.0));
    }

    pub(crate) fn keep_beside(&self, run: &RunId, events: &[Event]) -> Result<String, LogError> {
        let place = &self.shared.place;
        let Some((reserved, file)) = self.names_of(run) else {
            return Err(
                place.cannot_set_aside(&place.folder, &io::Error::from(io::ErrorKind::InvalidFilename))
            );
        };
        if !events.is_empty() {
            let kept = keep(&mut lock(&self.shared.rooms), run, (reserved, &file), events);
            self.shared.changes.send_modify(|count| *count = count.wrapping_add(1));
            if let Err(error) = kept {
                // Even an empty file tells other processes that this run waits; a full disk has room for a name.
                let _ = OpenOptions::new().write(true).create_new(true).open(&file);
                return Err(place.cannot_set_aside(&file, &error));
            }
        }
        Ok(file.display().to_string())
    }

    /// The unstored events of a run are in the database now: the file loses its name, the space stays reserved.
    pub(crate) fn mark_stored(&self, run: &RunId) {
        let mut rooms = lock(&self.shared.rooms);
        if let Some(Err(error)) = rooms.get_mut(&run.0).map(Room::clear) {
            tracing::warn!(%error, run = run.0, "the room of a run is lost");
            rooms.remove(&run.0);
            remove(&self.shared.place, run);
        }
    }

    /// Removes or renames a file after its run was resumed; an unreadable one is left to the user.
    pub(crate) fn settle_file(&self, run: &RunId, taken_up: Option<&RestoreOutcome>) {
        let place = &self.shared.place;
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

    /// Stores the events that earlier processes left, of runs without a holder. Events that the disk still refuses
    /// stay.
    pub async fn take_up_set_aside(&self) {
        let place = &self.shared.place;
        let Ok(entries) = fs::read_dir(&place.folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let room = name.strip_prefix(RESERVED_PREFIX).and_then(|name| name.strip_suffix(RESERVED_SUFFIX));
            if let Some((run, _)) = room.and_then(|room| room.split_once('.')) {
                self.remove_abandoned_room(&RunId(run.to_owned()), &entry).await;
            }
            if !name.starts_with(PREFIX) || !name.ends_with(SUFFIX) {
                continue;
            }
            let Some(SetAside { run, events }) = read(place, &entry.path()) else { continue };
            if file_of(place, &run).as_deref() != Some(&*entry.path()) {
                continue;
            }
            if let Err(error) = self.take_up_one(run, events).await {
                tracing::warn!(%error, "what was set aside is not taken up yet");
            }
        }
    }

    /// Removes the reserved file of a run whose process was killed.
    async fn remove_abandoned_room(&self, run: &RunId, entry: &fs::DirEntry) {
        let is_new = || {
            let modified = entry.metadata().and_then(|found| found.modified()).ok()?;
            // A time in the future comes from another clock, and counts as now.
            Some(modified.elapsed().unwrap_or_default() < NEW_FILE_AGE)
        };
        let is_deserted = match self.run_card(run).await {
            Ok(card) => card.held_by.is_none(),
            Err(error) => error.code == Code::NotFound && !is_new().unwrap_or_default(),
        };
        if is_deserted && let Err(error) = fs::remove_file(entry.path()) {
            tracing::warn!(%error, file = %entry.path().display(), "a file that is no longer needed stays");
        }
    }

    async fn take_up_one(&self, run: RunId, kept: Vec<Event>) -> Result<(), LogError> {
        // Checked without the lock of the database, for which its process may be waiting.
        if self.run_card(&run).await?.held_by.is_some() {
            return Ok(());
        }
        let of = run.clone();
        let taken_up = self
            .write(false, move |writing| {
                let standing =
                    runs::standing(writing.connection, &run.0).map_err(|error| writing.explain(&error))?;
                let Some(standing) = standing else { return Ok(None) };
                if writing.living_holder(&standing)?.is_some() {
                    return Ok(None);
                }
                let (connection, me) = (writing.connection, writing.process.id);
                runs::take(connection, standing.id, me).map_err(|error| writing.explain(&error))?;
                let taken_up = take_up(writing, &run, &standing, kept)?;
                runs::let_go(connection, standing.id, me).map_err(|error| writing.explain(&error))?;
                Ok(Some(taken_up))
            })
            .await?;
        if let Some(taken_up) = taken_up {
            self.settle_file(&of, Some(&taken_up));
        }
        Ok(())
    }
}
