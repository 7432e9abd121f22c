//! The errors of a queue, as sentences.

use std::time::Duration;

use async_nats::jetstream;
use kernel::{Code, Error, ToolFailure, phrase};

use crate::QueueAddress;

/// The server cannot be reached.
pub(crate) fn unreachable(address: &QueueAddress, why: &str) -> Error {
    let message = phrase!(
        "The queue {address} cannot be reached: {why}. Start its server, or clear the setting `queue.url`",
        address = address.to_string(),
        why
    );
    Error::new(Code::Network, message)
}

/// The server is too old.
pub(crate) fn too_old(address: &QueueAddress, version: &str, needed: &str) -> Error {
    let message = phrase!(
        "The NATS server at {address} is {version}; {needed} or newer is needed",
        address = address.to_string(),
        version,
        needed
    );
    Error::new(Code::RequestRefused, message)
}

/// The server has no streams.
pub(crate) fn without_streams(address: &QueueAddress) -> Error {
    let message = phrase!(
        "The NATS server at {address} has no JetStream, or none for this account; start it with `-js`",
        address = address.to_string()
    );
    Error::new(Code::RequestRefused, message)
}

/// A stream accepts no message now. Waiting may help: workers empty it.
pub(crate) fn full(address: &QueueAddress, why: &str) -> Error {
    let message = phrase!(
        "The queue {address} takes no more sub-tasks: {why}. Start more workers, or raise the limit of its stream",
        address = address.to_string(),
        why
    );
    Error::new(Code::Overloaded, message)
}

/// No worker could take a sub-task.
pub(crate) fn no_worker(address: &QueueAddress, role: &str, waited: Duration) -> Error {
    let message = phrase!(
        "No worker of the role `{role}` was heard of at {address} for {seconds} s. Start one: `galley worker --role {role} --queue {address}`",
        role,
        address = address.to_string(),
        seconds = waited.as_secs()
    );
    let kind = Some(Box::new(ToolFailure::Failed));
    Error { tool_failure: kind, ..Error::new(Code::NotFound, message) }
}

/// A value is too large for a queue.
pub(crate) fn too_large(bytes: usize, most: usize) -> Error {
    let message = phrase!(
        "A value of {bytes} bytes is too large for the queue, which takes {most} at the most. Ask for less at once",
        bytes,
        most
    );
    Error::new(Code::BadInput, message)
}

/// A message has an invalid form.
pub(crate) fn unreadable(why: &str) -> Error {
    Error::new(Code::BadInput, phrase!("A message of the queue cannot be read: {why}", why))
}

/// The worker with a message moved it to the dead letters.
pub(crate) fn laid_aside(role: &str, reason: &str) -> Error {
    let message = phrase!("A worker of the role `{role}` could not do this: {reason}", role, reason);
    let kind = Some(Box::new(ToolFailure::Failed));
    Error { tool_failure: kind, ..Error::new(Code::ToolFailed, message) }
}

/// The server has lost a sub-task repeatedly.
pub(crate) fn lost(address: &QueueAddress) -> Error {
    let message = phrase!(
        "The queue {address} has lost this sub-task several times. See that nobody empties its streams, then resume the run",
        address = address.to_string()
    );
    Error::new(Code::Network, message)
}

/// The error for the server's answer to a request about its streams.
pub(crate) fn of_streams(address: &QueueAddress, error: &(dyn std::error::Error + 'static)) -> Error {
    match code_of(error) {
        Some(
            jetstream::ErrorCode::JETSTREAM_NOT_ENABLED
            | jetstream::ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT,
        ) => without_streams(address),
        Some(_) => full(address, &innermost_reason(error)),
        None => unreachable(address, &innermost_reason(error)),
    }
}

/// The server's error code, if it refused something.
pub(crate) fn code_of(error: &(dyn std::error::Error + 'static)) -> Option<jetstream::ErrorCode> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(refusal) = error.downcast_ref::<jetstream::Error>() {
            return Some(refusal.error_code());
        }
        next = error.source();
    }
    None
}

/// The innermost source of an error, which is the most specific.
pub(crate) fn innermost_reason(error: &(dyn std::error::Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
