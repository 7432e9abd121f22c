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

pub use fault::KEYRING;

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

/// Keys by the names of their entries.
pub struct Vault {
    store: Arc<dyn Store>,
    known: Mutex<Known>,
    /// Whoever needs a key waits for who asks already: several at once would be several prompts.
    asking: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Known {
    keys: HashMap<String, SecretString>,
    /// Why the keyring is not asked again in this session.
    refusal: Option<Fault>,
}

impl Default for Vault {
    /// Over the system's keyring; nothing is asked yet.
    fn default() -> Vault {
        Vault::over(System)
    }
}

impl Vault {
    /// Over another store.
    pub fn over(store: impl Store) -> Vault {
        Vault { store: Arc::new(store), known: Mutex::default(), asking: tokio::sync::Mutex::default() }
    }

    fn memory(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of an entry that is in memory already.
    pub fn known(&self, entry: &str) -> Option<SecretString> {
        self.memory().keys.get(entry).cloned()
    }

    /// The key of an entry, from memory or from the keyring.
    ///
    /// # Errors
    /// `key_refused`, worded for the person, when the keyring is not there, stays locked or refuses. It is not asked
    /// again in this session then; what is wrong with one entry is no reason against the others.
    pub async fn read(&self, entry: &str) -> Result<Option<SecretString>, Fault> {
        if let Some(key) = self.known(entry) {
            return Ok(Some(key));
        }
        let _asking = self.asking.lock().await;
        {
            let known = self.memory();
            if let Some(key) = known.keys.get(entry) {
                return Ok(Some(key.clone()));
            }
            if let Some(refusal) = &known.refusal {
                return Err(refusal.clone());
            }
        }
        let read = |store: &dyn Store, entry: &str| match store.read(entry) {
            Err(error) if fault::is_of_entry(&error) => Ok(Err(fault::worded(&error))),
            read => read.map(Ok),
        };
        let found = self.ask(entry, read).await;
        let mut known = self.memory();
        match &found {
            Ok(Ok(Some(key))) => _ = known.keys.insert(entry.to_owned(), key.clone()),
            Ok(_) => {}
            Err(fault) => known.refusal = Some(fault.clone()),
        }
        found?
    }

    /// Keeps a key in the keyring, and in memory.
    ///
    /// # Errors
    /// `key_refused`, worded for the person; nothing is kept then.
    pub async fn keep(&self, entry: &str, key: SecretString) -> Result<(), Fault> {
        let kept = key.clone();
        self.ask(entry, move |store, entry| store.write(entry, &kept)).await?;
        self.keep_for_session(entry, key);
        self.memory().refusal = None;
        Ok(())
    }

    /// Keeps a key in memory, until the program ends.
    pub fn keep_for_session(&self, entry: &str, key: SecretString) {
        self.memory().keys.insert(entry.to_owned(), key);
    }

    /// Lets the keyring be asked again although the person refused before: they want something that needs it.
    pub fn ask_again(&self) {
        self.memory().refusal = None;
    }

    /// Forgets what is in memory of an entry, so that the keyring is asked again: its key may be another one by now.
    pub fn look_again(&self, entry: &str) {
        self.memory().keys.remove(entry);
    }

    /// Removes a key from the keyring and from memory.
    ///
    /// # Errors
    /// `key_refused`, worded for the person; from memory it is removed all the same.
    pub async fn forget(&self, entry: &str) -> Result<(), Fault> {
        self.memory().keys.remove(entry);
        self.ask(entry, |store, entry| store.remove(entry)).await
    }

    /// Whether the keyring can be used, in words.
    ///
    /// # Errors
    /// Why it cannot.
    pub async fn state(&self) -> Result<&'static str, Fault> {
        self.ask("Galley", |store, entry| store.read(entry)).await.map(|_| fault::KEYRING)
    }

    async fn ask<T: Send + 'static>(
        &self,
        entry: &str,
        work: impl FnOnce(&dyn Store, &str) -> Result<T, keyring::Error> + Send + 'static,
    ) -> Result<T, Fault> {
        let (store, entry) = (self.store.clone(), entry.to_owned());
        let asked = tokio::task::spawn_blocking(move || work(store.as_ref(), &entry));
        match tokio::time::timeout(LONGEST_PROMPT, asked).await {
            Ok(Ok(done)) => done.map_err(|error| fault::worded(&error)),
            Ok(Err(_)) => Err(fault::broken()),
            Err(_) => Err(fault::silent(LONGEST_PROMPT)),
        }
    }
}
