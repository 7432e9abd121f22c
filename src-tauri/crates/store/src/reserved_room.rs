//! Disk space that is reserved at the start of a run, for events that the database refuses when the disk is full.
//!
//! The file is preallocated and written from its beginning: one line of JSON for the run, then one for each event. A
//! NUL byte ends the text; bytes after it are unused or old. With its first event the file gets the name under which it
//! is searched.
//!
//! Not here: when events are written to it, and how they get into the database (`unstored_events`).

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use engine::LogError;
use kernel::{Event, RunId, Seq};
use serde::{Deserialize, Serialize};

use crate::error::Place;
use crate::json;

/// The reserved space of one run in bytes: more than the longest known answers of models with their events.
const ROOM: u64 = 1 << 20;

/// The first line. Lines with further fields are not from this program.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Heading {
    run: RunId,
    /// Earlier versions wrote all events here, and none after it.
    #[serde(default, skip_serializing)]
    events: Vec<Event>,
}

/// The content of a file.
pub(crate) struct SetAside {
    pub(crate) run: RunId,
    pub(crate) events: Vec<Event>,
}

/// The reserved space of one run. Without a permanent name, its file is deleted with it.
pub(crate) struct Room {
    file: File,
    reserved: PathBuf,
    named: Option<PathBuf>,
    text_bytes: u64,
    last_seq: Seq,
}

impl Room {
    /// Reserves space under this name.
    ///
    /// # Errors
    /// The error of the disk; `StorageFull` when it has too little space.
    pub(crate) fn reserve(reserved: PathBuf) -> io::Result<Room> {
        let file = disk::allocate_private(&reserved, ROOM)?;
        Ok(Room { file, reserved, named: None, text_bytes: 0, last_seq: 0 })
    }

    /// The same space under the reserved name of another run.
    ///
    /// # Errors
    /// The error of the disk; the space is given back then.
    pub(crate) fn moved(mut self, reserved: PathBuf) -> io::Result<Room> {
        fs::rename(&self.reserved, &reserved)?;
        self.reserved = reserved;
        Ok(self)
    }

    /// Whether it holds no events.
    pub(crate) fn is_unused(&self) -> bool {
        self.named.is_none() && self.text_bytes == 0
    }

    /// Appends the events that are not in it yet, and syncs the file.
    ///
    /// # Errors
    /// The error of the disk. Events before the one that did not fit are kept.
    pub(crate) fn add(&mut self, run: &RunId, events: &[Event]) -> io::Result<()> {
        let mut text = Vec::new();
        if self.text_bytes == 0 {
            add_line(&mut text, &Heading { run: run.clone(), events: Vec::new() })?;
        }
        let missing = events.iter().filter(|event| event.seq > self.last_seq);
        let last_seq = missing.clone().map(|event| event.seq).max();
        for event in missing {
            add_line(&mut text, event)?;
        }
        let bytes = text.len() as u64;
        text.push(0);
        self.file.seek(SeekFrom::Start(self.text_bytes))?;
        let written = self.file.write_all(&text);
        // Syncs also a partial write, because it may contain complete events.
        self.file.sync_data()?;
        written?;
        self.text_bytes += bytes;
        self.last_seq = last_seq.unwrap_or(self.last_seq);
        Ok(())
    }

    /// Gives the file its permanent name, if it lacks it.
    ///
    /// # Errors
    /// The error of the disk.
    pub(crate) fn name(&mut self, name: &Path) -> io::Result<()> {
        if self.named.is_none() {
            disk::move_into_place(&self.reserved, name)?;
            self.named = Some(name.to_owned());
        }
        Ok(())
    }

    /// Removes the permanent name: its events are stored, and the space is free for new ones.
    ///
    /// # Errors
    /// The error of the disk.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if let Some(name) = &self.named {
            fs::rename(name, &self.reserved)?;
            (self.named, self.text_bytes, self.last_seq) = (None, 0, 0);
        }
        Ok(())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let given_back = match self.named {
            Some(_) => self.file.set_len(self.text_bytes),
            None => fs::remove_file(&self.reserved),
        };
        if let Err(error) = given_back {
            tracing::warn!(%error, file = %self.reserved.display(), "room that was reserved is not given back");
        }
    }
}

fn add_line(text: &mut Vec<u8>, thing: &impl Serialize) -> io::Result<()> {
    let line = kernel::compact(thing).map_err(io::Error::other)?;
    text.extend_from_slice(line.as_bytes());
    text.push(b'\n');
    Ok(())
}

/// Parses the text of a file; `None` when it has no event. An incomplete last line after complete events is dropped.
///
/// # Errors
/// `database_corrupt` when a line is not in the format of this program, or the only event is incomplete.
pub(crate) fn read(text: &[u8], place: &Place) -> Result<Option<SetAside>, LogError> {
    let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
    if text.is_empty() {
        return Ok(None);
    }
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(text.len(), |end| end + 1);
    let (whole, cut_off) = text.split_at(whole);
    let whole = std::str::from_utf8(whole).map_err(|error| place.damaged(&error.to_string()))?;
    let mut lines = whole.lines();
    let heading = lines.next().unwrap_or_default();
    let Heading { run, mut events } = json::decode(heading, "what was set aside", place)?;
    for line in lines {
        events.push(json::decode(line, "what was set aside", place)?);
    }
    if events.is_empty() && !cut_off.is_empty() {
        return Err(place.damaged("what was set aside is cut off"));
    }
    Ok((!events.is_empty()).then_some(SetAside { run, events }))
}
