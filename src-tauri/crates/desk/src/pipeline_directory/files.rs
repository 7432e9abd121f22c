//! The person's own pipelines: one TOML file each, named after its id, in one folder.
//!
//! Not here: whether a pipeline is valid. Invalid texts are saved too.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use interpreter::{DefinitionFault, MOST_BYTES, copy, is_id};
use kernel::{Code, Hash, Phrase, phrase};

use crate::ApiError;

/// The folder in the data folder.
const FOLDER: &str = "pipelines";
/// Most numbers that are tried for the name of a copy.
const MOST_COPIES: u64 = 1000;

/// The files of one folder.
pub(crate) struct PipelineFiles {
    folder: PathBuf,
    /// Locked between comparing and writing a file, so that two windows do not overwrite each other.
    writing: Mutex<()>,
}

/// The result of a save.
pub(crate) enum Saved {
    /// Saved in the file with this id.
    As(String),
    /// The file changed since it was opened, so it was not written.
    Changed,
}

impl PipelineFiles {
    pub(crate) fn of(data_folder: &Path) -> PipelineFiles {
        PipelineFiles { folder: data_folder.join(FOLDER), writing: Mutex::default() }
    }

    pub(crate) fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.toml"))
    }

    /// The names of the files without extension, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let toml =
            entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "toml"));
        let mut names: Vec<String> =
            toml.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
        names.sort();
        names
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.names().iter().any(|name| name == id)
    }

    /// The text of a file.
    ///
    /// # Errors
    /// `not_found` when it does not exist, `bad_input` when it is too long or no text.
    pub(crate) fn text(&self, id: &str) -> Result<String, ApiError> {
        if !self.has(id) {
            return Err(missing(id));
        }
        disk::read_text(&self.path(id), MOST_BYTES as u64).map_err(|error| {
            let message =
                phrase!("The pipeline {file} cannot be read: {error}", file = self.path(id).display(), error);
            ApiError::new(Code::BadInput, message)
        })
    }

    /// Creates a file with a text, under the first free id from this number on. Returns the id.
    ///
    /// # Errors
    /// `bad_input` when the text is no TOML; otherwise the error of the disk.
    pub(crate) fn create(
        &self,
        text: &str,
        from: u64,
        is_taken: impl Fn(&str) -> bool,
    ) -> Result<String, ApiError> {
        for number in from..from.saturating_add(MOST_COPIES) {
            let (id, text) = copy(text, number).map_err(|faults| {
                let phrases = faults.iter().map(DefinitionFault::phrase);
                ApiError::new(
                    Code::BadInput,
                    phrase!("This is no pipeline: {faults}", faults = Phrase::clauses(phrases)),
                )
            })?;
            if is_taken(&id) {
                continue;
            }
            match self.write_new(&id, &text) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(self.unwritten(&id, &error)),
                Ok(()) => return Ok(id),
            }
        }
        let message =
            phrase!("{most} copies have a name already; give some of them other names", most = MOST_COPIES);
        Err(ApiError::new(Code::BadInput, message))
    }

    /// Replaces the text that was read as `revision`, or creates the file. A text with another id renames the file,
    /// unless that id is taken.
    ///
    /// # Errors
    /// `bad_input` when the text is too long or the name is invalid; otherwise the error of the disk.
    pub(crate) fn save(
        &self,
        id: &str,
        text: &str,
        revision: Option<&Hash>,
        is_taken: impl Fn(&str) -> bool,
    ) -> Result<Saved, ApiError> {
        if text.len() > MOST_BYTES {
            let message = phrase!(
                "The text has {bytes} bytes; a pipeline has at most {most}",
                bytes = text.len(),
                most = MOST_BYTES
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let present = if self.has(id) { Some(self.text(id).map(|text| revision_of(&text))) } else { None };
        match (present, revision) {
            (Some(Ok(present)), Some(opened)) if present == *opened => {}
            (None, None) if is_id(id) && !is_taken(id) => {}
            (None, None) => return Err(missing(id)),
            _ => return Ok(Saved::Changed),
        }
        let target = self.target(id, text, is_taken);
        let written = match target == id && revision.is_some() {
            true => disk::write_private(&self.path(id), text.as_bytes()),
            false => self.write_new(&target, text),
        };
        match written {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(Saved::Changed),
            Err(error) => return Err(self.unwritten(&target, &error)),
            Ok(()) => {}
        }
        if target != id && revision.is_some() {
            std::fs::remove_file(self.path(id)).map_err(|error| self.unwritten(id, &error))?;
        }
        Ok(Saved::As(target))
    }

    /// The id under which the text of a file is saved: its own, or that of the file where it has none or it is taken.
    pub(crate) fn target(&self, id: &str, text: &str, is_taken: impl Fn(&str) -> bool) -> String {
        let own = interpreter::id_of(text).filter(|own| own != id && !is_taken(own) && !self.has(own));
        own.unwrap_or_else(|| id.to_owned())
    }

    /// Deletes a file.
    ///
    /// # Errors
    /// `not_found` when it does not exist; otherwise the error of the disk.
    pub(crate) fn delete(&self, id: &str) -> Result<(), ApiError> {
        if !self.has(id) {
            return Err(missing(id));
        }
        std::fs::remove_file(self.path(id)).map_err(|error| self.unwritten(id, &error))
    }

    fn write_new(&self, id: &str, text: &str) -> std::io::Result<()> {
        // The folder may be a link to another place.
        if !self.folder.is_dir() {
            disk::make_private_folder(&self.folder)?;
        }
        disk::write_new_private(&self.path(id), text.as_bytes())
    }

    fn unwritten(&self, id: &str, error: &std::io::Error) -> ApiError {
        let code = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Code::DiskFull,
            _ => Code::ReadOnly,
        };
        ApiError::new(
            code,
            phrase!("The file {file} cannot be changed: {error}", file = self.path(id).display(), error),
        )
    }
}

/// The hash that identifies a version of a text.
pub(crate) fn revision_of(text: &str) -> Hash {
    Hash::of(text.as_bytes())
}

fn missing(id: &str) -> ApiError {
    ApiError::new(Code::NotFound, phrase!("There is no file of a pipeline `{id}`", id))
}
