//! What genai's errors mean, as our faults.
//!
//! genai's texts contain bodies of answers and even of requests: none is passed on. Status, headers,
//! body and cause are taken out of the error itself. On streams the HTTP error hides inside
//! [`genai::Error::WebStream`], boxed.

use std::error::Error as StdError;

use genai::webc::StreamTimeout;
use kernel::{Code, Fault};

use crate::complaint::Complaint;
use crate::line::Line;

/// The fault for an error of one call to `model`.
pub(crate) fn from_error(line: &Line, model: &str, error: &genai::Error) -> Fault {
    use genai::Error;
    match error {
        Error::HttpError { status, headers, body, .. } => {
            line.refusal(&Complaint::from_body(status.as_u16(), body), model, Some(headers), body)
        }
        Error::WebModelCall { webc_error, .. } | Error::WebAdapterCall { webc_error, .. } => {
            from_web_error(line, model, webc_error)
        }
        Error::ChatResponse { body, .. } => from_said(line, model, body),
        Error::WebStream { error, .. } => from_boxed(line, model, error.as_ref()),
        Error::StreamParse { serde_error, .. } if serde_error.is_eof() => cut(line),
        Error::StreamParse { .. } | Error::ChatResponseGeneration { .. } => broken(line),
        // What is left is refused by genai before anything is sent.
        _ => line.fault(
            Code::Internal,
            &format!("The request of profile `{}` to model `{model}` could not be put together; this is a fault of the program.", line.profile()),
            None,
        ),
    }
}

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

fn from_web_error(line: &Line, model: &str, error: &genai::webc::Error) -> Fault {
    use genai::webc::Error;
    match error {
        Error::ResponseFailedStatus { status, body, headers } => {
            line.refusal(&Complaint::from_body(status.as_u16(), body), model, Some(headers), body)
        }
        Error::ResponseFailedNotJson { .. } => line.fault(
            Code::RequestRefused,
            &format!(
                "{} answers, but not as a server of this provider does; check the base URL of profile `{}`.",
                line.server(),
                line.profile()
            ),
            None,
        ),
        Error::Reqwest(error) => from_transport(line, error),
        _ => broken(line),
    }
}

fn from_boxed(line: &Line, model: &str, error: &(dyn StdError + Send + Sync + 'static)) -> Fault {
    if let Some(error) = error.downcast_ref::<genai::Error>() {
        from_error(line, model, error)
    } else if let Some(error) = error.downcast_ref::<genai::webc::Error>() {
        from_web_error(line, model, error)
    } else if let Some(error) = error.downcast_ref::<reqwest::Error>() {
        from_transport(line, error)
    } else if error.is::<StreamTimeout>() {
        silent(line)
    } else {
        broken(line)
    }
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
