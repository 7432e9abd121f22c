//! What goes wrong on the way to an answer, as our faults. Not here: what a provider's refusal means (`complaint`).

use std::error::Error as StdError;

use kernel::{Code, Fault};

use crate::complaint::Complaint;
use crate::line::Line;

/// Why a request brought no answer: our fault, and what the server said where it said something.
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    pub(crate) said: Option<Box<Complaint>>,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure { fault, said: None }
    }
}

/// The failure by an error object that came where an answer should be, or when it had begun.
pub(crate) fn from_said(line: &Line, model: &str, said: &serde_json::Value, has_begun: bool) -> Failure {
    let mut complaint = Complaint::from_json(said);
    complaint.has_begun = has_begun;
    let fault = line.refusal(&complaint, model, None, &said.to_string());
    Failure { fault, said: Some(Box::new(complaint)) }
}

/// The failure by words or a page that came where an answer should be. A page of a gateway that cannot reach the server
/// says so; any other is of no server of this provider.
pub(crate) fn from_words(line: &Line, model: &str, words: &str) -> Failure {
    let complaint = Complaint::from_words(words);
    let fault = match complaint.code() {
        Code::RequestRefused => Fault { provider_words: line.words(&complaint.words), ..foreign(line) },
        _ => line.refusal(&complaint, model, None, words),
    };
    Failure { fault, said: Some(Box::new(complaint)) }
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
