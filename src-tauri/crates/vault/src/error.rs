//! What a keyring says, in words that name it, the reason and the way on. A key is never in them.

use std::time::Duration;

use kernel::Code;

/// The keyring's name on this system.
pub const KEYRING: &str = if cfg!(target_os = "macos") {
    "Keychain"
} else if cfg!(target_os = "windows") {
    "Credential Manager"
} else {
    "Secret Service"
};

/// The way on that is always there.
const WAY_ON: &str = "Keep the key for this session only, or name an environment variable that holds it";

pub(crate) fn worded(error: &keyring_core::Error) -> kernel::Error {
    let sentence = match error {
        keyring_core::Error::NoDefaultStore => {
            format!("There is no keyring here: the system's {KEYRING} does not answer. {WAY_ON}.")
        }
        keyring_core::Error::NoStorageAccess(why) => {
            format!(
                "The system's {KEYRING} is locked or was not unlocked ({why}). Unlock it and try again. {WAY_ON}."
            )
        }
        keyring_core::Error::TooLong(_, most) => {
            format!(
                "The key is longer than the {most} characters that the system's {KEYRING} takes. {WAY_ON}."
            )
        }
        keyring_core::Error::BadEncoding(_)
        | keyring_core::Error::BadDataFormat(..)
        | keyring_core::Error::BadStoreFormat(_) => {
            format!("What the system's {KEYRING} holds for this profile is no key. Save the key anew.")
        }
        keyring_core::Error::Ambiguous(_) => {
            format!(
                "The system's {KEYRING} holds several keys for this profile. Remove all but one there, or save the key anew."
            )
        }
        // Their words may quote what was given to them.
        _ => format!("The system's {KEYRING} refused. {WAY_ON}."),
    };
    kernel::Error::new(Code::KeyUnavailable, sentence)
}

/// The same where a key was to be removed: how to do without the keyring is no way on there.
pub(crate) fn of_removal(error: kernel::Error) -> kernel::Error {
    let message = error.message.strip_suffix(&format!(" {WAY_ON}.")).map(str::to_owned);
    kernel::Error { message: message.unwrap_or(error.message), ..error }
}

/// Whether an error says something of one entry, and nothing of the keyring.
pub(crate) fn is_of_entry(error: &keyring_core::Error) -> bool {
    matches!(
        error,
        keyring_core::Error::BadEncoding(_)
            | keyring_core::Error::BadDataFormat(..)
            | keyring_core::Error::BadStoreFormat(_)
            | keyring_core::Error::Ambiguous(_)
    )
}

/// The thread that asked ended by itself.
pub(crate) fn broken() -> kernel::Error {
    kernel::Error::new(Code::KeyUnavailable, format!("The system's {KEYRING} could not be asked. {WAY_ON}."))
}

/// Nobody answered its prompt.
pub(crate) fn silent(after: Duration) -> kernel::Error {
    let seconds = after.as_secs();
    let sentence = format!("The system's {KEYRING} did not answer within {seconds} seconds. {WAY_ON}.");
    kernel::Error::new(Code::KeyUnavailable, sentence)
}
