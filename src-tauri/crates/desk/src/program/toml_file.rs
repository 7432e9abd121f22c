//! A file of the data folder that the program reads and writes as a whole, such as instructions or rules. A person may
//! edit it too.

use std::io::ErrorKind;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use kernel::{Code, Form, phrase};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ApiError;

/// Largest file, in bytes.
const LARGEST: u64 = 1 << 20;

/// A TOML file with a value of one type; the default where the file is missing.
pub(crate) struct TomlFile<T> {
    file: PathBuf,
    /// The name of the content in messages: “Your saved instructions”.
    name: Form,
    /// Serializes changes within this process.
    changing: Mutex<()>,
    value: PhantomData<fn() -> T>,
}

impl<T: Serialize + DeserializeOwned + Default> TomlFile<T> {
    pub(crate) fn new(folder: &Path, file: &str, name: Form) -> TomlFile<T> {
        TomlFile { file: folder.join(file), name, changing: Mutex::default(), value: PhantomData }
    }

    /// Reads the value.
    ///
    /// # Errors
    /// The file cannot be read or parsed.
    pub(crate) fn read(&self) -> Result<T, ApiError> {
        let text = match disk::read_text(&self.file, LARGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(T::default()),
            Err(error) => return Err(self.unreadable(&error)),
        };
        toml_edit::de::from_str(&text).map_err(|error| self.unreadable(&error))
    }

    /// Changes the value.
    ///
    /// # Errors
    /// As [`TomlFile::read`]; the error of the change; the file would be too long or cannot be written.
    pub(crate) fn change(&self, change: impl FnOnce(&mut T) -> Result<(), ApiError>) -> Result<(), ApiError> {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock also covers other processes, so that none reads between reading and writing here.
        let lock = disk::open_private(&self.file.with_extension("lock"));
        let lock =
            lock.and_then(|lock| lock.lock().map(|()| lock)).map_err(|error| self.unwritable(&error))?;
        let mut value = self.read()?;
        change(&mut value)?;
        let text = toml_edit::ser::to_string_pretty(&value).map_err(|error| {
            let message = phrase!(
                "{what} cannot be written as TOML: {error}",
                what = self.name,
                error = error.to_string()
            );
            ApiError::new(Code::Internal, message)
        })?;
        // A longer file could not be read again.
        if text.len() as u64 > LARGEST {
            let message = phrase!(
                "{what} would have {bytes} bytes; at most {most} are allowed, so shorten or remove something",
                what = self.name,
                bytes = text.len(),
                most = LARGEST
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        let written = disk::write_private(&self.file, text.as_bytes());
        drop(lock);
        written.map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &std::io::Error) -> ApiError {
        let code = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Code::DiskFull,
            _ => Code::ReadOnly,
        };
        let file = self.file.display();
        ApiError::new(code, phrase!("The file {file} cannot be changed: {error}", file, error))
    }

    fn unreadable(&self, error: &dyn std::fmt::Display) -> ApiError {
        let message = phrase!(
            "{what} in {file} cannot be read: {error}. Correct the file, or move it away",
            what = self.name,
            file = self.file.display(),
            error = error.to_string()
        );
        ApiError::new(Code::BadInput, message)
    }
}
