//! L2: keys of profiles, in the system's keyring or for this session only.
//!
//! One entry a profile, read when it is first needed and remembered in memory. A person who refused to unlock the
//! keyring is not asked again in this session, unless they say so; once they unlocked it themselves it is read. The
//! keyring is talked to on a thread of its own: it may wait for the person, and its client must not run inside the
//! program's.
//!
//! Nothing here is ever written to a file. Not here: which profile has a key (`desk`).

mod fault;
mod system;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kernel::Fault;
use secrecy::SecretString;

use system::System;

pub use fault::KEYRING;

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

/// Where a key lies, and what it was given for: in memory it counts for that alone, so that a key of one address never goes
/// to another, whoever changed the profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The name of the keyring's entry.
    pub entry: String,
    /// What it was given for, in any words.
    pub purpose: String,
}

/// Keys by their slots.
pub struct Vault {
    store: Arc<dyn Store>,
    known: Mutex<Known>,
    /// Whoever needs a key waits for who asks already: several at once would be several prompts.
    asking: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Known {
    /// By entry: what it was given for, and the key.
    keys: HashMap<String, (String, SecretString)>,
    /// Why the keyring is not asked again in this session.
    refusal: Option<Fault>,
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
        Vault { store: Arc::new(store), known: Mutex::default(), asking: tokio::sync::Mutex::default() }
    }

    fn memory(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key that is in memory already.
    pub fn known(&self, slot: &Slot) -> Option<SecretString> {
        let known = self.memory();
        let (purpose, key) = known.keys.get(&slot.entry)?;
        (*purpose == slot.purpose).then(|| key.clone())
    }

    /// The key of a slot, from memory or from the keyring.
    ///
    /// # Errors
    /// `key_refused`, worded for the person, when the keyring is not there, stays locked or refuses. The person is not
    /// asked again in this session then; what is wrong with one entry is no reason against the others.
    pub async fn read(&self, slot: &Slot) -> Result<Option<SecretString>, Fault> {
        if let Some(key) = self.known(slot) {
            return Ok(Some(key));
        }
        let _asking = self.asking.lock().await;
        if let Some(key) = self.known(slot) {
            return Ok(Some(key));
        }
        let refusal = self.memory().refusal.clone();
        if let Some(refusal) = refusal
            && self.ask(&slot.entry, |store, entry| Ok(store.is_shut(entry))).await?
        {
            return Err(refusal);
        }
        let read = |store: &dyn Store, entry: &str| match store.read(entry) {
            Err(error) if fault::is_of_entry(&error) => Ok(Err(fault::worded(&error))),
            read => read.map(Ok),
        };
        let found = self.ask(&slot.entry, read).await;
        let mut known = self.memory();
        known.refusal = found.as_ref().err().cloned();
        let Some(key) = found?? else { return Ok(None) };
        // What was saved meanwhile is newer.
        if let Some((_, newer)) = known.keys.get(&slot.entry).filter(|(purpose, _)| *purpose == slot.purpose)
        {
            return Ok(Some(newer.clone()));
        }
        known.keys.insert(slot.entry.clone(), (slot.purpose.clone(), key.clone()));
        Ok(Some(key))
    }

    /// Keeps a key in the keyring, and in memory.
    ///
    /// # Errors
    /// `key_refused`, worded for the person; nothing is kept then.
    pub async fn keep(&self, slot: &Slot, key: SecretString) -> Result<(), Fault> {
        let purpose = |known: &Known| known.keys.get(&slot.entry).map(|(purpose, _)| purpose.clone());
        let _asking = self.asking.lock().await;
        let before = purpose(&self.memory());
        let (kept, is_given_up) = (key.clone(), Arc::new(AtomicBool::new(false)));
        let is_late = is_given_up.clone();
        let write = move |store: &dyn Store, entry: &str| {
            store.write(entry, &kept)?;
            // Nobody waits for it any more, and was told that nothing is kept.
            if is_late.load(Ordering::SeqCst) { store.remove(entry) } else { Ok(()) }
        };
        self.ask(&slot.entry, write).await.inspect_err(|_| is_given_up.store(true, Ordering::SeqCst))?;
        // What was given for this session meanwhile is newer.
        if purpose(&self.memory()) == before {
            self.keep_for_session(slot, key);
        }
        self.memory().refusal = None;
        Ok(())
    }

    /// Removes a key that was kept and turned out to be for nothing, unless another was kept since.
    ///
    /// # Errors
    /// `key_refused`, worded for the person, when the keyring does not remove it.
    pub async fn take_back(&self, slot: &Slot) -> Result<(), Fault> {
        let _asking = self.asking.lock().await;
        if self.known(slot).is_none() {
            return Ok(());
        }
        self.memory().keys.remove(&slot.entry);
        self.ask(&slot.entry, |store, entry| store.remove(entry)).await
    }

    /// Keeps a key in memory, until the program ends.
    pub fn keep_for_session(&self, slot: &Slot, key: SecretString) {
        self.memory().keys.insert(slot.entry.clone(), (slot.purpose.clone(), key));
    }

    /// Lets the person be asked again although they refused before: they said so.
    pub fn ask_again(&self) {
        self.memory().refusal = None;
    }

    /// Removes a key from the keyring and from memory.
    ///
    /// # Errors
    /// `key_refused`, worded for the person; from memory it is removed all the same.
    pub async fn forget(&self, entry: &str) -> Result<(), Fault> {
        self.memory().keys.remove(entry);
        let _asking = self.asking.lock().await;
        self.ask(entry, |store, entry| store.remove(entry)).await
    }

    /// Whether the keyring can be used, in words.
    ///
    /// # Errors
    /// Why it cannot.
    pub async fn state(&self) -> Result<&'static str, Fault> {
        // While somebody is being asked it is there.
        let Ok(_asking) = self.asking.try_lock() else { return Ok(fault::KEYRING) };
        self.ask("Galley", |store, entry| store.read(entry)).await.map(|_| fault::KEYRING)
    }

    async fn ask<T: Send + 'static>(
        &self,
        entry: &str,
        work: impl FnOnce(&dyn Store, &str) -> Result<T, keyring_core::Error> + Send + 'static,
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
