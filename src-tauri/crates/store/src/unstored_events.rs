//! Events that the database could not store because the disk is full: they are kept in a file, and taken up later.
//!
//! The next process that resumes the run stores them in the database; events that are already there are not written
//! twice.
//!
//! Not here: the files (`unstored_files`).

use std::fs::{self, OpenOptions};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use engine::LogError;
use kernel::{Code, Event, RunId};

use crate::Store;
use crate::batch::Batch;
use crate::job::Writing;
use crate::mutex::lock;
use crate::reserved_room::{Room, SetAside};
use crate::table::events::Source;
use crate::table::runs::{self, Standing};
use crate::unstored_files::{self, RestoreOutcome, names_of};

/// A newer reserved file may belong to a run that is being created.
const NEW_FILE_AGE: Duration = Duration::from_secs(60);

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

impl Store {
    /// Reserves space so that the events of a run can be written even if the disk becomes full.
    ///
    /// # Errors
    /// `disk_full` when there is not enough space now.
    pub(crate) fn reserve_room(&self, run: &RunId) -> Result<(), LogError> {
        let place = &self.shared.place;
        let mut rooms = lock(&self.shared.rooms);
        let Some((reserved, _)) = names_of(place, self.shared.process.id, run) else { return Ok(()) };
        rooms.reserve(run, reserved).map(drop).map_err(|error| place.explain_folder(&error))
    }

    /// Releases the reserved space of a run; events in it stay.
    pub(crate) fn release_room(&self, run: &RunId) {
        lock(&self.shared.rooms).release(run);
    }

    pub(crate) fn keep_beside(&self, run: &RunId, events: &[Event]) -> Result<String, LogError> {
        let place = &self.shared.place;
        let Some((reserved, file)) = names_of(place, self.shared.process.id, run) else {
            return Err(
                place.cannot_set_aside(&place.folder, &io::Error::from(io::ErrorKind::InvalidFilename))
            );
        };
        if !events.is_empty() {
            let kept = unstored_files::keep(&mut lock(&self.shared.rooms), run, (reserved, &file), events);
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
        if let Some(Err(error)) = rooms.of(run).map(Room::clear) {
            tracing::warn!(%error, run = run.0, "the room of a run is lost");
            rooms.forget(run);
            unstored_files::remove(&self.shared.place, run);
        }
    }

    /// Stores the events that earlier processes left, of runs without a holder. Events that the disk still refuses
    /// stay.
    pub async fn take_up_set_aside(&self) {
        let place = &self.shared.place;
        let Ok(entries) = fs::read_dir(&place.folder) else { return };
        for entry in entries.flatten() {
            if let Some(run) = unstored_files::reserved_for(&entry.file_name().to_string_lossy()) {
                self.remove_abandoned_room(&run, &entry).await;
            }
            let Some(SetAside { run, events }) = unstored_files::read_file(place, &entry.path()) else {
                continue;
            };
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
            unstored_files::settle(&self.shared.place, &of, Some(&taken_up));
        }
        Ok(())
    }
}
