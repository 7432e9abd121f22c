//! What a keyring says, in words that name it, the reason and the way on. A key is never in them.

use std::time::Duration;

use kernel::{Code, Fault};
use keyring_core::Error;

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

pub(crate) fn worded(error: &Error) -> Fault {
    let sentence = match error {
        Error::NoDefaultStore => {
            format!("There is no keyring here: the system's {KEYRING} does not answer. {WAY_ON}.")
        }
        Error::NoStorageAccess(why) => {
            format!(
                "The system's {KEYRING} is locked or was not unlocked ({why}). Unlock it and try again. {WAY_ON}."
            )
        }
        Error::TooLong(_, most) => {
            format!(
                "The key is longer than the {most} characters that the system's {KEYRING} takes. {WAY_ON}."
            )
        }
        Error::BadEncoding(_) | Error::BadDataFormat(..) | Error::BadStoreFormat(_) => {
            format!("What the system's {KEYRING} holds for this profile is no key. Save the key anew.")
        }
        Error::Ambiguous(_) => {
            format!(
                "The system's {KEYRING} holds several keys for this profile. Remove all but one there, or save the key anew."
            )
        }
        // Their words may quote what was given to them.
        _ => format!("The system's {KEYRING} refused. {WAY_ON}."),
    };
    Fault::new(Code::KeyUnavailable, sentence)
}

/// The same where a key was to be removed: how to do without the keyring is no way on there.
pub(crate) fn of_removal(fault: Fault) -> Fault {
    let message = fault.message.strip_suffix(&format!(" {WAY_ON}.")).map(str::to_owned);
    Fault { message: message.unwrap_or(fault.message), ..fault }
}

/// Whether an error says something of one entry, and nothing of the keyring.
pub(crate) fn is_of_entry(error: &Error) -> bool {
    matches!(
        error,
        Error::BadEncoding(_) | Error::BadDataFormat(..) | Error::BadStoreFormat(_) | Error::Ambiguous(_)
    )
}

/// The thread that asked ended by itself.
pub(crate) fn broken() -> Fault {
    Fault::new(Code::KeyUnavailable, format!("The system's {KEYRING} could not be asked. {WAY_ON}."))
}

/// Nobody answered its prompt.
pub(crate) fn silent(after: Duration) -> Fault {
    let seconds = after.as_secs();
    let sentence = format!("The system's {KEYRING} did not answer within {seconds} seconds. {WAY_ON}.");
    Fault::new(Code::KeyUnavailable, sentence)
}
