//! The system's keyring: Secret Service, Keychain or Credential Manager, opened again when it was missing or has
//! restarted. Not here: when it is used (`lib`).

use std::sync::{Arc, Mutex, PoisonError};

use keyring_core::{CredentialStore, Entry, Error};
use secrecy::{ExposeSecret, SecretString};

use crate::Store;

/// The service name of the program's entries.
const SERVICE: &str = "Galley";

/// The keyring and its open connection.
#[derive(Default)]
pub(crate) struct System {
    open: Mutex<Option<Arc<CredentialStore>>>,
}

impl System {
    /// Works on an entry. A failure on an old connection is retried on a new one, because the keyring may have
    /// restarted. A dismissed prompt is not repeated.
    fn with<T>(&self, entry: &str, work: impl Fn(&Entry) -> Result<T, Error>) -> Result<T, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = open.as_ref() {
            match store.build(SERVICE, entry, None).and_then(|entry| work(&entry)) {
                Err(Error::PlatformFailure(_)) => *open = None,
                done => return done,
            }
        }
        let store = opened().map_err(|_| Error::NoDefaultStore)?;
        let done = store.build(SERVICE, entry, None).and_then(|entry| work(&entry));
        *open = Some(store);
        done
    }
}

impl Store for System {
    fn read(&self, entry: &str) -> Result<Option<SecretString>, Error> {
        match self.with(entry, Entry::get_password) {
            Ok(key) => Ok(Some(SecretString::from(key))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, entry: &str, key: &SecretString) -> Result<(), Error> {
        self.with(entry, |entry| entry.set_password(key.expose_secret()))
    }

    fn remove(&self, entry: &str) -> Result<(), Error> {
        match self.with(entry, Entry::delete_credential) {
            Err(Error::NoEntry) => Ok(()),
            done => done,
        }
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    fn is_shut(&self, entry: &str) -> bool {
        is_locked(entry).unwrap_or(true)
    }
}

/// Whether the Secret Service holds an entry that is locked. Shows no prompt.
#[cfg(all(unix, not(target_os = "macos")))]
fn is_locked(entry: &str) -> zbus::Result<bool> {
    use zbus::zvariant::OwnedObjectPath;
    let bus = zbus::blocking::Connection::session()?;
    let (name, path) = ("org.freedesktop.secrets", "/org/freedesktop/secrets");
    let service = zbus::blocking::Proxy::new(&bus, name, path, "org.freedesktop.Secret.Service")?;
    let attributes = std::collections::HashMap::from([("service", SERVICE), ("username", entry)]);
    let (_, locked): (Vec<OwnedObjectPath>, Vec<OwnedObjectPath>) =
        service.call("SearchItems", &(attributes,))?;
    Ok(!locked.is_empty())
}

#[cfg(target_os = "macos")]
fn opened() -> Result<Arc<CredentialStore>, Error> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(target_os = "windows")]
fn opened() -> Result<Arc<CredentialStore>, Error> {
    Ok(windows_native_keyring_store::Store::new()?)
}

#[cfg(all(unix, not(target_os = "macos")))]
fn opened() -> Result<Arc<CredentialStore>, Error> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}
