//! Room on the disk that a run has from its start, for what the database may refuse when the disk is full.
//!
//! The file is allocated whole and written from its beginning: a line of JSON each, the run first, then its events. A NUL
//! byte ends the text; what is behind it was never written, or is old. It gets the name under which it is looked for with
//! its first event.
//!
//! Not here: when events are set aside, and how they come into the database (`unstored_events`).

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use engine::LogError;
use kernel::{Event, RunId, Seq};
use serde::{Deserialize, Serialize};

use crate::error::Place;
use crate::json;

/// The room of one run, in bytes: more than the longest answers of models that are known, and what is noted of them.
const ROOM: u64 = 1 << 20;

/// The first line. What has more in it is not ours to judge.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Heading {
    run: RunId,
    /// An earlier program wrote its events here, and nothing behind.
    #[serde(default, skip_serializing)]
    events: Vec<Event>,
}

/// What a file holds.
pub(crate) struct SetAside {
    pub(crate) run: RunId,
    pub(crate) events: Vec<Event>,
}

/// The room of one run. Without a name for good, its file goes with it.
pub(crate) struct Room {
    file: File,
    reserved: PathBuf,
    named: Option<PathBuf>,
    text_bytes: u64,
    last_seq: Seq,
}

impl Room {
    /// Allocates a room under this name.
    ///
    /// # Errors
    /// What the disk says; `StorageFull` where it has less room.
    pub(crate) fn reserve(reserved: PathBuf) -> io::Result<Room> {
        let file = disk::allocate_private(&reserved, ROOM)?;
        Ok(Room { file, reserved, named: None, text_bytes: 0, last_seq: 0 })
    }

    /// Adds those of the events that are not in it yet and has the disk keep them.
    ///
    /// # Errors
    /// What the disk says. Events before the one that found no room are kept all the same.
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
        // Also of what found no room, for its beginning may be whole events.
        self.file.sync_data()?;
        written?;
        self.text_bytes += bytes;
        self.last_seq = last_seq.unwrap_or(self.last_seq);
        Ok(())
    }

    /// Gives the file the name under which it is looked for, unless it has it.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn name(&mut self, name: &Path) -> io::Result<()> {
        if self.named.is_none() {
            disk::move_into_place(&self.reserved, name)?;
            self.named = Some(name.to_owned());
        }
        Ok(())
    }

    /// Takes the name away: what is in it is stored, and the room is there for what comes.
    ///
    /// # Errors
    /// What the disk says.
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

/// Reads the text of a room; nothing where it is empty or its heading is alone. What was being written when it was cut off
/// is left out behind whole events.
///
/// # Errors
/// `database_corrupt` where a line is not what this program writes, or the only event is cut off.
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
