//! L2: keys of profiles, in the system's keyring or for this session only.
//!
//! An entry is read when it is first needed and cached. A person who dismissed the prompt of the keyring is not asked
//! again in this session unless they request it; once they have unlocked the keyring themselves, it is read. Calls to
//! the keyring run on a thread of their own: they may wait for the person, and its client must not run inside the
//! program's runtime.
//!
//! Keys are never written to a file here. Not here: which profile has a key (`desk`).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod error;
mod system;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use secrecy::SecretString;

use system::System;

pub use error::KEYRING;

/// How long a prompt waits for the person.
const LONGEST_PROMPT: Duration = Duration::from_secs(120);

/// A store of keys: the system's keyring, or a replacement in tests.
pub trait Store: Send + Sync + 'static {
    /// The key of an entry, if there is one.
    ///
    /// # Errors
    /// The store is missing, locked or refuses.
    fn read(&self, entry: &str) -> Result<Option<SecretString>, keyring_core::Error>;
    /// Stores a key.
    ///
    /// # Errors
    /// As [`Store::read`].
    fn write(&self, entry: &str, key: &SecretString) -> Result<(), keyring_core::Error>;
    /// Removes a key; a missing one is no error.
    ///
    /// # Errors
    /// As [`Store::read`].
    fn remove(&self, entry: &str) -> Result<(), keyring_core::Error>;
    /// Whether reading an entry would prompt the person, as far as that can be checked without a prompt.
    fn is_shut(&self, _entry: &str) -> bool {
        true
    }
}

/// The keys of a program.
pub struct Vault {
    store: Arc<dyn Store>,
    known: Mutex<Known>,
    /// Serializes requests to the keyring, because concurrent ones would show several prompts.
    asking: tokio::sync::Mutex<()>,
    /// The result of the last check of the keyring.
    looked: tokio::sync::Mutex<Option<Result<&'static str, kernel::Error>>>,
}

#[derive(Default)]
struct Known {
    /// Cached keys of the keyring, by entry.
    kept: HashMap<String, SecretString>,
    /// Keys for this session only, by profile: the purpose and the key.
    given: HashMap<String, (String, SecretString)>,
    /// The error of a dismissed prompt: the keyring is not asked again in this session.
    refusal: Option<kernel::Error>,
}

impl Default for Vault {
    /// Uses the system's keyring, without opening it yet.
    fn default() -> Vault {
        Vault::over(System::default())
    }
}

impl Vault {
    /// Uses another store.
    pub fn over(store: impl Store) -> Vault {
        Vault {
            store: Arc::new(store),
            known: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
            looked: tokio::sync::Mutex::default(),
        }
    }

    fn memory(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of this session for a profile and purpose: a key for one address never goes to another, even if the
    /// profile changed.
    pub fn session_key(&self, profile: &str, purpose: &str) -> Option<SecretString> {
        let known = self.memory();
        let (given_for, key) = known.given.get(profile)?;
        (given_for == purpose).then(|| key.clone())
    }

    /// Keeps a key in memory until the program ends. `purpose` identifies what it is for.
    pub fn set_session_key(&self, profile: &str, purpose: &str, key: SecretString) {
        self.memory().given.insert(profile.to_owned(), (purpose.to_owned(), key));
    }

    /// Removes the key of this session.
    pub fn remove_session_key(&self, profile: &str) {
        self.memory().given.remove(profile);
    }

    /// The key of an entry, from memory or from the keyring.
    ///
    /// # Errors
    /// `key_unavailable`, worded for the person, when the keyring is missing, stays locked or refuses. The person is
    /// then not asked again in this session; an error of one entry does not affect the others.
    pub async fn read(&self, entry: &str) -> Result<Option<SecretString>, kernel::Error> {
        let kept = || self.memory().kept.get(entry).cloned();
        if let Some(key) = kept() {
            return Ok(Some(key));
        }
        let _asking = self.asking.lock().await;
        if let Some(key) = kept() {
            return Ok(Some(key));
        }
        let refusal = self.memory().refusal.clone();
        if let Some(refusal) = refusal
            && self.ask(entry, |store, entry| Ok(store.is_shut(entry))).await?
        {
            return Err(refusal);
        }
        let read = |store: &dyn Store, entry: &str| match store.read(entry) {
            Err(error) if error::is_of_entry(&error) => Ok(Err(error::worded(&error))),
            read => read.map(Ok),
        };
        let found = self.ask(entry, read).await;
        let mut known = self.memory();
        known.refusal = found.as_ref().err().cloned();
        let Some(key) = found?? else { return Ok(None) };
        known.kept.insert(entry.to_owned(), key.clone());
        Ok(Some(key))
    }

    /// Reads the key of an entry from the keyring again, because another process may have changed it.
    ///
    /// # Errors
    /// As [`Vault::read`].
    pub async fn read_again(&self, entry: &str) -> Result<Option<SecretString>, kernel::Error> {
        self.memory().kept.remove(entry);
        self.read(entry).await
    }

    /// Stores a key in the keyring as a new entry, so that a failure affects no other key. The person is asked even if
    /// they dismissed a prompt before, because saving a key is their wish.
    ///
    /// # Errors
    /// `key_unavailable`, worded for the person; nothing is stored then.
    pub async fn keep(&self, entry: &str, key: SecretString) -> Result<(), kernel::Error> {
        let _asking = self.asking.lock().await;
        let (kept, is_given_up) = (key.clone(), Arc::new(AtomicBool::new(false)));
        let is_late = is_given_up.clone();
        let write = move |store: &dyn Store, entry: &str| match store.write(entry, &kept) {
            Err(error @ keyring_core::Error::NoStorageAccess(_)) => Ok(Err(error::worded(&error))),
            Err(error) => Err(error),
            // The caller has timed out and reported that nothing is stored.
            Ok(()) if is_late.load(Ordering::SeqCst) => store.remove(entry).map(Ok),
            Ok(()) => Ok(Ok(())),
        };
        let written = self.ask(entry, write).await;
        let written = written.inspect_err(|_| is_given_up.store(true, Ordering::SeqCst))?;
        let mut known = self.memory();
        // A prompt that is dismissed here is not shown again by the next run.
        known.refusal = written.as_ref().err().cloned();
        written?;
        known.kept.insert(entry.to_owned(), key);
        Ok(())
    }

    /// Allows prompts again, at the person's request.
    pub fn ask_again(&self) {
        self.memory().refusal = None;
    }

    /// Removes a key from the keyring and from memory.
    ///
    /// # Errors
    /// `key_unavailable`, worded for the person; nothing is removed then.
    pub async fn forget(&self, entry: &str) -> Result<(), kernel::Error> {
        let _asking = self.asking.lock().await;
        self.ask(entry, |store, entry| store.remove(entry)).await.map_err(error::of_removal)?;
        self.memory().kept.remove(entry);
        Ok(())
    }

    /// The name of the keyring if it can be used.
    ///
    /// # Errors
    /// The reason why it cannot be used.
    pub async fn state(&self) -> Result<&'static str, kernel::Error> {
        let (mut looked, came_later) = match self.looked.try_lock() {
            Ok(looked) => (looked, false),
            Err(_) => (self.looked.lock().await, true),
        };
        // A caller that waited for a concurrent check uses its result.
        if came_later && let Some(state) = looked.as_ref() {
            return state.clone();
        }
        *looked = None;
        let state = self.look().await;
        *looked = Some(state.clone());
        state
    }

    async fn look(&self) -> Result<&'static str, kernel::Error> {
        // The keyring is available while another request waits for it.
        let Ok(_asking) = self.asking.try_lock() else { return Ok(error::KEYRING) };
        self.ask("Galley", |store, entry| store.read(entry)).await.map(|_| error::KEYRING)
    }

    async fn ask<T: Send + 'static>(
        &self,
        entry: &str,
        work: impl FnOnce(&dyn Store, &str) -> Result<T, keyring_core::Error> + Send + 'static,
    ) -> Result<T, kernel::Error> {
        let (store, entry) = (self.store.clone(), entry.to_owned());
        let asked = tokio::task::spawn_blocking(move || work(store.as_ref(), &entry));
        match tokio::time::timeout(LONGEST_PROMPT, asked).await {
            Ok(Ok(done)) => done.map_err(|error| error::worded(&error)),
            Ok(Err(_)) => Err(error::broken()),
            Err(_) => Err(error::silent(LONGEST_PROMPT)),
        }
    }
}
