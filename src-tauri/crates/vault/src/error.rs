//! Errors of the keyring, with the reason and the next step. They never contain a key.

use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};

/// The name of the system's keyring.
pub const KEYRING: &str = if cfg!(target_os = "macos") {
    "Keychain"
} else if cfg!(target_os = "windows") {
    "Credential Manager"
} else {
    "Secret Service"
};

/// Adds the next step that is always possible.
fn with_way_on(what: Phrase) -> Phrase {
    Phrase::sentences([
        what,
        phrase!("Keep the key for this session only, or name an environment variable that holds it."),
    ])
}

pub(crate) fn worded(error: &keyring_core::Error) -> Error {
    let phrase = match error {
        keyring_core::Error::NoDefaultStore => with_way_on(phrase!(
            "There is no keyring here: the system's {keyring} does not answer.",
            keyring = KEYRING
        )),
        keyring_core::Error::NoStorageAccess(why) => with_way_on(phrase!(
            "The system's {keyring} is locked or was not unlocked ({why}). Unlock it and try again.",
            keyring = KEYRING,
            why = why.to_string()
        )),
        keyring_core::Error::TooLong(_, most) => with_way_on(phrase!(
            "The key is longer than the {most} characters that the system's {keyring} takes.",
            most,
            keyring = KEYRING
        )),
        keyring_core::Error::BadEncoding(_)
        | keyring_core::Error::BadDataFormat(..)
        | keyring_core::Error::BadStoreFormat(_) => phrase!(
            "What the system's {keyring} holds for this profile is no key. Save the key anew.",
            keyring = KEYRING
        ),
        keyring_core::Error::Ambiguous(_) => phrase!(
            "The system's {keyring} holds several keys for this profile. Remove all but one there, or save the key anew.",
            keyring = KEYRING
        ),
        // The keyring's own messages may quote the key.
        _ => with_way_on(phrase!("The system's {keyring} refused.", keyring = KEYRING)),
    };
    Error::new(Code::KeyUnavailable, phrase)
}

/// The error of a failed removal, without the advice to do without the keyring.
pub(crate) fn of_removal(error: Error) -> Error {
    match error.phrase.first_sentence() {
        Some(what) => error.reworded(what),
        None => error,
    }
}

/// Whether an error is about a single entry, not the keyring.
pub(crate) fn is_of_entry(error: &keyring_core::Error) -> bool {
    matches!(
        error,
        keyring_core::Error::BadEncoding(_)
            | keyring_core::Error::BadDataFormat(..)
            | keyring_core::Error::BadStoreFormat(_)
            | keyring_core::Error::Ambiguous(_)
    )
}

/// The thread that asked the keyring panicked.
pub(crate) fn broken() -> Error {
    let what = phrase!("The system's {keyring} could not be asked.", keyring = KEYRING);
    Error::new(Code::KeyUnavailable, with_way_on(what))
}

/// The prompt of the keyring was not answered in time.
pub(crate) fn silent(after: Duration) -> Error {
    let what = phrase!(
        "The system's {keyring} did not answer within {seconds} seconds.",
        keyring = KEYRING,
        seconds = after.as_secs()
    );
    Error::new(Code::KeyUnavailable, with_way_on(what))
}
