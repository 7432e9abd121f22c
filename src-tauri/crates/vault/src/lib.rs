//! L2: keys of profiles, in the system's keyring or for this session only.
//!
//! One entry a profile, read when it is first needed and remembered in memory. A person who refused to unlock the
//! keyring is not asked again in this session, unless they do something that needs it. The keyring is talked to on a
//! thread of its own: it may wait for the person, and its client must not run inside the program's.
//!
//! Nothing here is ever written to a file. Not here: which profile has a key (`desk`).

mod fault;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kernel::Fault;
use secrecy::{ExposeSecret, SecretString};

/// The name under which the keyring shows the program's entries.
const SERVICE: &str = "Galley";
/// So long may a person think about a prompt.
const LONGEST_PROMPT: Duration = Duration::from_secs(120);

/// What holds keys outside the program: the system's keyring, or a stand-in for it.
pub trait Store: Send + Sync + 'static {
    /// The key of an entry, if there is one.
    ///
    /// # Errors
    /// When the store is not there, is locked, or refuses.
    fn read(&self, entry: &str) -> Result<Option<SecretString>, keyring::Error>;
    /// Keeps a key.
    ///
    /// # Errors
    /// The same.
    fn write(&self, entry: &str, key: &SecretString) -> Result<(), keyring::Error>;
    /// Removes a key; one that is not there is removed already.
    ///
    /// # Errors
    /// The same.
    fn remove(&self, entry: &str) -> Result<(), keyring::Error>;
}

/// The system's keyring: Secret Service, Keychain or Credential Manager.
struct System;

impl System {
    fn entry(name: &str) -> Result<keyring::Entry, keyring::Error> {
        keyring::Entry::new(SERVICE, name)
    }
}

impl Store for System {
    fn read(&self, entry: &str) -> Result<Option<SecretString>, keyring::Error> {
        match System::entry(entry)?.get_password() {
            Ok(key) => Ok(Some(SecretString::from(key))),
            Err(keyring::Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, entry: &str, key: &SecretString) -> Result<(), keyring::Error> {
        System::entry(entry)?.set_password(key.expose_secret())
    }

    fn remove(&self, entry: &str) -> Result<(), keyring::Error> {
        match System::entry(entry)?.delete_credential() {
            Err(keyring::Error::NoEntry) => Ok(()),
            done => done,
        }
    }
}

/// The keys of one data folder's profiles.
pub struct Vault {
    store: Arc<dyn Store>,
    /// Tells the entries of this data folder from those of another.
    folder: String,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    keys: HashMap<String, SecretString>,
    /// Why the keyring is not asked again in this session.
    refusal: Option<Fault>,
}

impl Vault {
    /// The keys of a data folder in the system's keyring. `folder` tells it from others; nothing is asked yet.
    pub fn new(folder: impl Into<String>) -> Vault {
        Vault::over(System, folder)
    }

    /// The same over another store.
    pub fn over(store: impl Store, folder: impl Into<String>) -> Vault {
        Vault { store: Arc::new(store), folder: folder.into(), known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of a profile, from memory or from the keyring.
    ///
    /// # Errors
    /// `key_refused`, worded for the person, when the keyring is not there, stays locked or refuses. It is not asked
    /// again in this session then.
    pub async fn read(&self, profile: &str) -> Result<Option<SecretString>, Fault> {
        {
            let known = self.known();
            if let Some(key) = known.keys.get(profile) {
                return Ok(Some(key.clone()));
            }
            if let Some(refusal) = &known.refusal {
                return Err(refusal.clone());
            }
        }
        let found = self.ask(profile, |store, entry| store.read(entry)).await;
        let mut known = self.known();
        match &found {
            Ok(Some(key)) => _ = known.keys.insert(profile.to_owned(), key.clone()),
            Ok(None) => {}
            Err(fault) => known.refusal = Some(fault.clone()),
        }
        found
    }

    /// Keeps a key in the keyring, and in memory.
    ///
    /// # Errors
    /// `key_refused`, worded for the person; nothing is kept then.
    pub async fn keep(&self, profile: &str, key: SecretString) -> Result<(), Fault> {
        let kept = key.clone();
        self.ask(profile, move |store, entry| store.write(entry, &kept)).await?;
        self.keep_for_session(profile, key);
        self.known().refusal = None;
        Ok(())
    }

    /// Keeps a key in memory, until the program ends.
    pub fn keep_for_session(&self, profile: &str, key: SecretString) {
        self.known().keys.insert(profile.to_owned(), key);
    }

    /// Forgets what is in memory, so that the keyring is asked again: another program may have changed it.
    pub fn look_again(&self, profile: &str) {
        let mut known = self.known();
        known.keys.remove(profile);
        known.refusal = None;
    }

    /// Removes a key from the keyring and from memory.
    ///
    /// # Errors
    /// `key_refused`, worded for the person; from memory it is removed all the same.
    pub async fn forget(&self, profile: &str) -> Result<(), Fault> {
        self.known().keys.remove(profile);
        self.ask(profile, |store, entry| store.remove(entry)).await
    }

    /// Whether the keyring can be used, in words.
    ///
    /// # Errors
    /// Why it cannot.
    pub async fn state(&self) -> Result<&'static str, Fault> {
        self.ask("", |store, entry| store.read(entry)).await.map(|_| fault::KEYRING)
    }

    async fn ask<T: Send + 'static>(
        &self,
        profile: &str,
        work: impl FnOnce(&dyn Store, &str) -> Result<T, keyring::Error> + Send + 'static,
    ) -> Result<T, Fault> {
        let (store, entry) = (self.store.clone(), format!("{profile} ({})", self.folder));
        let asked = tokio::task::spawn_blocking(move || work(store.as_ref(), &entry));
        match tokio::time::timeout(LONGEST_PROMPT, asked).await {
            Ok(Ok(done)) => done.map_err(|error| fault::worded(&error)),
            Ok(Err(_)) => Err(fault::broken()),
            Err(_) => Err(fault::silent(LONGEST_PROMPT)),
        }
    }
}
