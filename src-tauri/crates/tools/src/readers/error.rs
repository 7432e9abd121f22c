//! Why a file could not be read: each text names the file, the reason and what can be done.

use std::io;

/// A file or folder that gave no documents. Every text begins with the quoted name of the file.
#[expect(missing_docs, reason = "the text of each says what it is")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("\"{file}\" was not found: check the path.")]
    Missing { file: String },
    #[error("\"{file}\" could not be read ({reason}): check its permissions.")]
    Unreadable { file: String, reason: String },
    #[error("\"{file}\" is empty: there is nothing to import.")]
    Empty { file: String },
    #[error(
        "\"{file}\" is larger than 64 MB, which is the most that is read: split it and import the parts."
    )]
    TooLarge { file: String },
    #[error(
        "\"{file}\" is of a kind that cannot be read: Markdown, text, HTML, PDF, Word (docx), JSONL, RSS and Atom files can."
    )]
    UnknownKind { file: String },
    #[error(
        "\"{file}\" is not UTF-8 text, and its encoding is not clear: save it as UTF-8 and import it again."
    )]
    Undecodable { file: String },
    #[error("\"{file}\" could not be understood: {reason}.")]
    Malformed { file: String, reason: String },
    #[error(
        "\"{file}\" stopped its reader: it is damaged, or unpacks to more than is read; save it anew with another program."
    )]
    Crashed { file: String },
    #[error("\"{file}\" took longer than {seconds} s to read and was given up: import a smaller part of it.")]
    TooSlow { file: String, seconds: u64 },
    #[error(
        "\"{file}\" is a folder without a file that can be read: Markdown, text, HTML, PDF, Word (docx), JSONL, RSS and Atom files can."
    )]
    NothingToRead { file: String },
}

impl ReadError {
    /// The file or folder, as it was given.
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

    /// The text without the name, for lists that show the name beside it.
    pub fn reason(&self) -> String {
        let text = self.to_string();
        let named = format!("\"{}\" ", self.file());
        text.strip_prefix(&named).map(str::to_owned).unwrap_or(text)
    }

    pub(crate) fn of_io(file: &str, error: &io::Error) -> Self {
        let file = file.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing { file },
            io::ErrorKind::PermissionDenied => {
                Self::Unreadable { file, reason: "permission was denied".to_owned() }
            }
            _ => Self::Unreadable { file, reason: error.to_string() },
        }
    }
}
