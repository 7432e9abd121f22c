//! L2: keys of profiles, in the system's keyring or for this session only.
//!
//! An entry is read when it is first needed and remembered in memory. A person who refused to unlock the
//! keyring is not asked again in this session, unless they say so; once they unlocked it themselves it is read. The
//! keyring is talked to on a thread of its own: it may wait for the person, and its client must not run inside the
//! program's.
//!
//! Nothing here is ever written to a file. Not here: which profile has a key (`desk`).

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

/// So long may a person think about a prompt.
const LONGEST_PROMPT: Duration = Duration::from_secs(120);

/// What holds keys outside the program: the system's keyring, or a stand-in for it.
pub trait Store: Send + Sync + 'static {
    /// The key of an entry, if there is one.
    ///
    /// # Errors
    /// When the store is not there, is locked, or refuses.
    fn read(&self, entry: &str) -> Result<Option<SecretString>, keyring_core::Error>;
    /// Keeps a key.
    ///
    /// # Errors
    /// The same.
    fn write(&self, entry: &str, key: &SecretString) -> Result<(), keyring_core::Error>;
    /// Removes a key; one that is not there is removed already.
    ///
    /// # Errors
    /// The same.
    fn remove(&self, entry: &str) -> Result<(), keyring_core::Error>;
    /// Whether it would still have to ask the person about an entry, as far as it can tell without asking them.
    fn is_shut(&self, _entry: &str) -> bool {
        true
    }
}

/// The keys of a program.
pub struct Vault {
    store: Arc<dyn Store>,
    known: Mutex<Known>,
    /// Whoever needs a key waits for who asks already: several at once would be several prompts.
    asking: tokio::sync::Mutex<()>,
    /// What the last look at the keyring found.
    looked: tokio::sync::Mutex<Option<Result<&'static str, kernel::Error>>>,
}

#[derive(Default)]
struct Known {
    /// Those that the keyring keeps, by entry.
    kept: HashMap<String, SecretString>,
    /// Those for this session only, by profile: what each was given for, and the key.
    given: HashMap<String, (String, SecretString)>,
    /// Why the keyring is not asked again in this session.
    refusal: Option<kernel::Error>,
}

impl Default for Vault {
    /// Over the system's keyring; nothing is asked yet.
    fn default() -> Vault {
        Vault::over(System::default())
    }
}

impl Vault {
    /// Over another store.
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

    /// The key that was given for this session, if it was given for this: never does a key of one address go to another,
    /// whoever changed the profile.
    pub fn given(&self, profile: &str, purpose: &str) -> Option<SecretString> {
        let known = self.memory();
        let (given_for, key) = known.given.get(profile)?;
        (given_for == purpose).then(|| key.clone())
    }

    /// Keeps a key in memory, until the program ends. `purpose` says in any words what it is for.
    pub fn give(&self, profile: &str, purpose: &str, key: SecretString) {
        self.memory().given.insert(profile.to_owned(), (purpose.to_owned(), key));
    }

    /// Drops the key that was given for this session.
    pub fn withdraw(&self, profile: &str) {
        self.memory().given.remove(profile);
    }

    /// The key of an entry, from memory or from the keyring.
    ///
    /// # Errors
    /// `key_unavailable`, worded for the person, when the keyring is not there, stays locked or refuses. The person is not
    /// asked again in this session then; what is wrong with one entry is no reason against the others.
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

    /// The key of an entry as the keyring has it now: another process may have changed it.
    ///
    /// # Errors
    /// As [`Vault::read`].
    pub async fn read_again(&self, entry: &str) -> Result<Option<SecretString>, kernel::Error> {
        self.memory().kept.remove(entry);
        self.read(entry).await
    }

    /// Keeps a key in the keyring, as an entry that is not there yet: whatever comes of it, no other key is touched. The
    /// person is asked although they refused before: who saves a key wants it kept.
    ///
    /// # Errors
    /// `key_unavailable`, worded for the person; nothing is kept then.
    pub async fn keep(&self, entry: &str, key: SecretString) -> Result<(), kernel::Error> {
        let _asking = self.asking.lock().await;
        let (kept, is_given_up) = (key.clone(), Arc::new(AtomicBool::new(false)));
        let is_late = is_given_up.clone();
        let write = move |store: &dyn Store, entry: &str| match store.write(entry, &kept) {
            Err(error @ keyring_core::Error::NoStorageAccess(_)) => Ok(Err(error::worded(&error))),
            Err(error) => Err(error),
            // Nobody waits for it any more, and was told that nothing is kept.
            Ok(()) if is_late.load(Ordering::SeqCst) => store.remove(entry).map(Ok),
            Ok(()) => Ok(Ok(())),
        };
        let written = self.ask(entry, write).await;
        let written = written.inspect_err(|_| is_given_up.store(true, Ordering::SeqCst))?;
        let mut known = self.memory();
        // Who dismisses the prompt here is not asked by the next run either.
        known.refusal = written.as_ref().err().cloned();
        written?;
        known.kept.insert(entry.to_owned(), key);
        Ok(())
    }

    /// Lets the person be asked again although they refused before: they said so.
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

    /// Whether the keyring can be used, in words.
    ///
    /// # Errors
    /// Why it cannot.
    pub async fn state(&self) -> Result<&'static str, kernel::Error> {
        let (mut looked, came_later) = match self.looked.try_lock() {
            Ok(looked) => (looked, false),
            Err(_) => (self.looked.lock().await, true),
        };
        // Who came while somebody looked is told what they saw.
        if came_later && let Some(state) = looked.as_ref() {
            return state.clone();
        }
        *looked = None;
        let state = self.look().await;
        *looked = Some(state.clone());
        state
    }

    async fn look(&self) -> Result<&'static str, kernel::Error> {
        // While somebody is being asked it is there.
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
