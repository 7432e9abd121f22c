//! The closed list of error codes of the API.
//!
//! A code exists only where it changes what happens: the page has a card for each, the terminal an exit code.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What kind of error it is; decides what can be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// What the person gave cannot be used as it is.
    BadInput,
    /// The named thing does not exist.
    NotFound,
    /// The provider refused the key.
    KeyRefused,
    /// The key is not to be had here: none is kept, its variable is not set, or the keyring cannot be used.
    KeyUnavailable,
    /// The quota or the credit is used up; waiting a little does not help.
    QuotaExhausted,
    /// Too many requests just now; waiting helps.
    RateLimited,
    /// The provider is overloaded or broken just now.
    Overloaded,
    /// No answer in time.
    Timeout,
    /// The connection could not be made or broke.
    Network,
    /// The provider refused the content.
    ContentRefused,
    /// The provider refused the request as such (unknown model, unsupported field).
    RequestRefused,
    /// The request needs more tokens than the context window of the model has.
    ContextExceeded,
    /// The model's answer could not be used, even after one retry.
    MalformedAnswer,
    /// A limit of the run was reached.
    LimitReached,
    /// A tool failed.
    ToolFailed,
    /// A tool needs the person's permission.
    PermissionNeeded,
    /// An agent did what its contract does not declare.
    ContractBroken,
    /// A recorded request no longer matches.
    ReplayDiffers,
    /// The person stopped it.
    Cancelled,
    /// The run waits for an answer of the person.
    Waiting,
    /// Another process holds the run.
    Busy,
    /// The database was written by a newer program.
    DatabaseNewer,
    /// The database is damaged.
    DatabaseCorrupt,
    /// The database is missing or empty although there was one, or was removed or replaced while it was open.
    DatabaseMissing,
    /// The database is locked by another program.
    DatabaseLocked,
    /// The disk is full.
    DiskFull,
    /// The folder or file cannot be written.
    ReadOnly,
    /// An error of the program itself.
    Internal,
}

impl Code {
    /// Whether the profile fails: its key, credit or rate. Another profile may answer.
    pub fn is_of_profile(self) -> bool {
        matches!(self, Code::KeyRefused | Code::KeyUnavailable | Code::QuotaExhausted | Code::RateLimited)
    }

    /// Whether a model fails for good, so that a fallback, or the agent's function, may replace it.
    pub fn is_of_model(self) -> bool {
        self.is_of_profile()
            || matches!(
                self,
                Code::Network
                    | Code::Overloaded
                    | Code::Timeout
                    | Code::ContentRefused
                    | Code::RequestRefused
                    | Code::ContextExceeded
                    | Code::NotFound
            )
    }

    /// Whether the disk refuses for now: a write can succeed later, with more space or after another program unlocks.
    pub fn is_of_disk(self) -> bool {
        matches!(self, Code::DiskFull | Code::DatabaseLocked | Code::ReadOnly)
    }

    /// Whether a later retry may succeed.
    pub fn is_transient(self) -> bool {
        matches!(self, Code::RateLimited | Code::Overloaded | Code::Timeout | Code::Network)
    }
}
