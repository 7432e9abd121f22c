//! What goes wrong on the way to an answer, as our faults. Not here: what a provider's refusal means (`complaint`).

use std::error::Error as StdError;

use kernel::{Code, Fault};

use crate::complaint::Complaint;
use crate::line::Line;

/// The fault for an error object that came where an answer should be.
pub(crate) fn from_said(line: &Line, model: &str, said: &serde_json::Value) -> Fault {
    line.refusal(&Complaint::from_json(said), model, None, &said.to_string())
}

/// The answer ended before it was complete.
pub(crate) fn cut(line: &Line) -> Fault {
    line.fault(
        Code::Network,
        &format!("The answer of {} broke off in the middle; try again.", line.server()),
        None,
    )
}

/// The answer is not what the protocol says.
pub(crate) fn broken(line: &Line) -> Fault {
    let message = format!(
        "{} sent an answer that cannot be read; try again, and if it stays so, check the base URL of profile `{}`.",
        line.server(),
        line.profile()
    );
    line.fault(Code::Overloaded, &message, None)
}

/// What answers is no server of this provider.
pub(crate) fn foreign(line: &Line) -> Fault {
    let message = format!(
        "{} answers, but not as a server of this provider does; check the base URL of profile `{}`.{}",
        line.server(),
        line.profile(),
        line.hint()
    );
    line.fault(Code::RequestRefused, &message, None)
}

pub(crate) fn from_transport(line: &Line, error: &reqwest::Error) -> Fault {
    if error.is_timeout() {
        return silent(line);
    }
    let (server, profile) = (line.server(), line.profile());
    if error.is_connect() {
        let message = format!(
            "No connection to {server}; check that the server runs and that the base URL of profile `{profile}` is right."
        );
        return line.fault(Code::Network, &message, Some(&innermost(error)));
    }
    if error.is_builder() {
        let message = format!("The base URL of profile `{profile}` cannot be used in a request; check it.");
        return line.fault(Code::BadInput, &message, None);
    }
    let message = format!("The connection to {server} broke; try again.");
    line.fault(Code::Network, &message, Some(&innermost(error)))
}

pub(crate) fn silent(line: &Line) -> Fault {
    let message = format!("{} was silent for too long; try again.", line.server());
    line.fault(Code::Timeout, &message, None)
}

/// The root cause: “Connection refused (os error 111)”. The outer texts repeat the address.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn StdError = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    if cause.is::<reqwest::Error>() { String::new() } else { cause.to_string() }
}
