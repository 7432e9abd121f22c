//! The state of a sign-in without its secrets, in a file of the data folder, so that the keyring is not accessed for
//! servers without a sign-in or for a list of servers.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kernel::{Code, Error, phrase};
use serde::{Deserialize, Serialize};

/// The name of the folder in the data folder.
const FOLDER: &str = "tool_server_sign_ins";
/// The largest state file, in bytes.
const LARGEST_FILE: u64 = 64 << 10;
/// The longest wait for another process's lock: a renewal requests metadata and a token.
const LOCK_TIMEOUT: Duration = Duration::from_secs(90);
/// The interval of attempts to take the lock.
const RETRY_INTERVAL: Duration = Duration::from_millis(25);
/// The most scopes that are stored, and the longest of each in bytes.
const MOST_SCOPES: usize = 50;
const LONGEST_SCOPE: usize = 200;

/// A current sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The granted scopes.
    pub scopes: Vec<String>,
    /// The expiry of the token, in seconds since 1970 UTC; it is renewed before that if the server allows it.
    pub until: Option<u64>,
}

/// The content of the file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct SignInState {
    pub(crate) is_signed_in: bool,
    /// Changes with the tokens: a process with an older token sees that the keyring has new ones.
    #[serde(default)]
    pub(crate) generation: String,
    /// The scopes that the user granted.
    #[serde(default)]
    pub(crate) scopes: BTreeSet<String>,
    /// The expiry of the token, in seconds since 1970 UTC.
    #[serde(default)]
    pub(crate) until: Option<u64>,
    /// The scopes that the next sign-in requests besides those that the server names: the granted ones, and those that
    /// the server has required since.
    #[serde(default)]
    pub(crate) wanted: BTreeSet<String>,
    /// The client that the user registered at the authorization server, if it does not support registration.
    #[serde(default)]
    pub(crate) client: Option<String>,
}

/// The state file of one server at one address.
pub(crate) struct SignInFile {
    folder: PathBuf,
    server: String,
    /// The file name without extension.
    name: String,
}

/// The lock for changing a sign-in, exclusive among all processes.
pub(crate) struct Turn {
    _lock: File,
}

impl SignInFile {
    /// `folder` is the data folder.
    pub(crate) fn new(folder: &Path, server: &str, address: &str) -> SignInFile {
        let address = kernel::Hash::of(address.as_bytes()).0;
        let address = address.get(..16).unwrap_or(&address);
        SignInFile {
            folder: folder.join(FOLDER),
            server: server.to_owned(),
            name: format!("{server}-{address}"),
        }
    }

    /// The state; an empty one when the file is missing or unreadable.
    pub(crate) fn read(&self) -> SignInState {
        let text = disk::read_text(&self.path("json"), LARGEST_FILE).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Writes the state while holding the lock.
    ///
    /// # Errors
    /// `disk_full`, `read_only`.
    pub(crate) fn write(&self, _: &Turn, state: &SignInState) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(state).map_err(std::io::Error::other);
        text.and_then(|text| disk::write_private(&self.path("json"), &text))
            .map_err(|error| self.unwritable(&error))
    }

    /// Removes the state; a missing file is no error.
    ///
    /// # Errors
    /// As [`SignInFile::turn`].
    pub(crate) async fn remove(&self) -> Result<(), Error> {
        if !self.path("json").exists() {
            return Ok(());
        }
        let _turn = self.turn().await?;
        match std::fs::remove_file(self.path("json")) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.unwritable(&error)),
            _ => Ok(()),
        }
    }

    /// Waits for the lock.
    ///
    /// # Errors
    /// `busy`: another process holds the lock; `read_only`: the data folder cannot be written.
    pub(crate) async fn turn(&self) -> Result<Turn, Error> {
        let file =
            disk::make_private_folder(&self.folder).and_then(|()| disk::open_private(&self.path("lock")));
        let file = file.map_err(|error| self.unwritable(&error))?;
        let deadline = Instant::now() + LOCK_TIMEOUT;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Turn { _lock: file }),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    tokio::time::sleep(RETRY_INTERVAL).await;
                }
                Err(TryLockError::WouldBlock) => {
                    let message = phrase!(
                        "The sign-in at `{server}` is being changed by another program that does not let go of it; close it, \
                         then try again",
                        server = self.server
                    );
                    return Err(Error::new(Code::Busy, message));
                }
                Err(TryLockError::Error(error)) => return Err(self.unwritable(&error)),
            }
        }
    }

    fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    fn unwritable(&self, error: &std::io::Error) -> Error {
        let code = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Code::DiskFull,
            _ => Code::ReadOnly,
        };
        let folder = self.folder.display();
        let message = phrase!(
            "The sign-in at `{server}` cannot be kept in {folder}: {error}",
            server = self.server,
            folder,
            error
        );
        Error::new(code, message)
    }
}

impl SignInState {
    pub(crate) fn signed_in(self) -> Option<SignedIn> {
        let scopes = self.scopes.into_iter().collect();
        self.is_signed_in.then_some(SignedIn { scopes, until: self.until })
    }

    /// The state of a sign-in with new tokens.
    pub(crate) fn renewed(self, scopes: BTreeSet<String>, until: Option<u64>) -> SignInState {
        SignInState { is_signed_in: true, generation: new_generation(), scopes, until, ..self }
    }

    /// The state after signing out.
    pub(crate) fn ended(self) -> SignInState {
        let generation = new_generation();
        SignInState { is_signed_in: false, generation, scopes: BTreeSet::new(), until: None, ..self }
    }

    pub(crate) fn want(&mut self, scopes: impl IntoIterator<Item = String>) {
        self.wanted.extend(scopes.into_iter().filter(|scope| is_scope(scope)));
        self.wanted = std::mem::take(&mut self.wanted).into_iter().take(MOST_SCOPES).collect();
    }
}

fn new_generation() -> String {
    engine::new_id().to_string()
}

/// Whether this is a valid scope by RFC 6749 §3.3 within the length limit.
pub(crate) fn is_scope(text: &str) -> bool {
    let is_sign = |c: char| matches!(c, '\x21' | '\x23'..='\x5b' | '\x5d'..='\x7e');
    (1..=LONGEST_SCOPE).contains(&text.len()) && text.chars().all(is_sign)
}
