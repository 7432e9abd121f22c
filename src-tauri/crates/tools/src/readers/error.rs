//! Why a file could not be read: each text names the file, the reason and what can be done.

use kernel::{Phrase, phrase};
use std::io;

/// Why a file or folder gave no documents. Every message begins with the quoted file name.
#[expect(missing_docs, reason = "the text of each says what it is")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    Missing { file: String },
    Unreadable { file: String, reason: Phrase },
    Empty { file: String },
    TooLarge { file: String },
    UnknownKind { file: String },
    Undecodable { file: String },
    Malformed { file: String, reason: Phrase },
    Crashed { file: String },
    TooSlow { file: String, seconds: u64 },
    NothingToRead { file: String },
}

impl ReadError {
    /// The full message, with the file name.
    pub fn phrase(&self) -> Phrase {
        phrase!("\"{file}\" {reason}", file = self.file(), reason = self.reason())
    }

    /// The message for lists that show the file name beside it.
    pub fn reason(&self) -> Phrase {
        match self {
            ReadError::Missing { .. } => phrase!("was not found: check the path."),
            ReadError::Unreadable { reason, .. } => {
                phrase!("could not be read ({reason}): check its permissions.", reason)
            }
            ReadError::Empty { .. } => phrase!("is empty: there is nothing to import."),
            ReadError::TooLarge { .. } => phrase!(
                "is larger than 64 MB, which is the most that is read: split it and import the parts."
            ),
            ReadError::UnknownKind { .. } => phrase!(
                "is of a kind that cannot be read: Markdown, text, HTML, PDF, Word (docx), JSONL, RSS and Atom files can."
            ),
            ReadError::Undecodable { .. } => phrase!(
                "is not UTF-8 text, and its encoding is not clear: save it as UTF-8 and import it again."
            ),
            ReadError::Malformed { reason, .. } => {
                phrase!("could not be understood: {reason}.", reason)
            }
            ReadError::Crashed { .. } => phrase!(
                "stopped its reader: it is damaged, or unpacks to more than is read; save it anew with another program."
            ),
            ReadError::TooSlow { seconds, .. } => phrase!(
                "took longer than {seconds} s to read and was given up: import a smaller part of it.",
                seconds
            ),
            ReadError::NothingToRead { .. } => phrase!(
                "is a folder without a file that can be read: Markdown, text, HTML, PDF, Word (docx), JSONL, RSS and Atom files can."
            ),
        }
    }
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for ReadError {}

impl ReadError {
    /// The file or folder as given to the reader.
    pub fn file(&self) -> &str {
        match self {
            Self::Missing { file }
            | Self::Unreadable { file, .. }
            | Self::Empty { file }
            | Self::TooLarge { file }
            | Self::UnknownKind { file }
            | Self::Undecodable { file }
            | Self::Malformed { file, .. }
            | Self::Crashed { file }
            | Self::TooSlow { file, .. }
            | Self::NothingToRead { file } => file,
        }
    }

    pub(crate) fn of_io(file: &str, error: &io::Error) -> Self {
        let file = file.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing { file },
            io::ErrorKind::PermissionDenied => {
                Self::Unreadable { file, reason: phrase!("permission was denied") }
            }
            _ => Self::Unreadable { file, reason: Phrase::verbatim(error.to_string()) },
        }
    }
}
