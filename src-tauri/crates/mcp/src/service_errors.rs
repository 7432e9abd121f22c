//! Describes why a request to a server failed.

use kernel::{Phrase, phrase};
use rmcp::service::ServiceError;

use crate::listing::plain;

/// The reason, cleaned and shortened.
pub(crate) fn why(error: &ServiceError) -> Phrase {
    match error {
        ServiceError::McpError(error) => Phrase::verbatim(plain(&error.message, 2000)),
        ServiceError::TransportClosed => phrase!("the connection broke"),
        ServiceError::TransportSend(error) => Phrase::verbatim(plain(&innermost(error), 300)),
        ServiceError::UnexpectedResponse => phrase!("its response does not follow the protocol"),
        _ => Phrase::verbatim(plain(&error.to_string(), 300)),
    }
}

/// The root cause: the outer errors only say that a message could not be sent.
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}
