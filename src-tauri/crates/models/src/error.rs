//! The errors of a call. Not here: the meaning of a provider's refusal (`provider_error`).

use std::error::Error as StdError;

use kernel::{Code, Error, phrase};

use crate::provider_client::ProviderClient;
use crate::provider_error::ProviderError;

/// Why a request brought no answer: our error, and the provider's error if the server sent one.
pub(crate) struct CallError {
    pub(crate) error: Box<Error>,
    pub(crate) provider_error: Option<Box<ProviderError>>,
    /// Whether a stream was closed properly without a mark that its text is complete.
    pub(crate) is_unmarked: bool,
}

impl CallError {
    /// An error with the provider's own error.
    pub(crate) fn with_provider_error(error: Error, provider_error: ProviderError) -> CallError {
        CallError { provider_error: Some(Box::new(provider_error)), ..error.into() }
    }
}

impl From<Error> for CallError {
    fn from(error: Error) -> CallError {
        CallError { error: Box::new(error), provider_error: None, is_unmarked: false }
    }
}

/// The error for an error object in place of an answer, or after its beginning.
pub(crate) fn from_error_object(
    client: &ProviderClient,
    model: &str,
    object: &serde_json::Value,
    has_begun: bool,
) -> CallError {
    let mut provider_error = ProviderError::from_json(object);
    provider_error.has_begun = has_begun;
    let error = client.refusal(&provider_error, model, None, &object.to_string());
    CallError::with_provider_error(error, provider_error)
}

/// The error for words or a page in place of an answer. A gateway's page about an unreachable server gives that error;
/// any other page shows that the address is no server of this provider.
pub(crate) fn from_words(client: &ProviderClient, model: &str, words: &str) -> CallError {
    let provider_error = ProviderError::from_words(words);
    let error = match provider_error.code() {
        Code::RequestRefused => {
            Error { provider_words: client.words(&provider_error.words), ..foreign(client) }
        }
        _ => client.refusal(&provider_error, model, None, words),
    };
    CallError::with_provider_error(error, provider_error)
}

/// The answer ended before it was complete.
pub(crate) fn cut(client: &ProviderClient) -> Error {
    client.error(
        Code::Network,
        phrase!("The answer of {server} broke off in the middle; try again.", server = client.server()),
        None,
    )
}

/// The answer does not follow the protocol.
pub(crate) fn broken(client: &ProviderClient) -> Error {
    let message = phrase!(
        "{server} sent an answer that cannot be read; try again, and if it stays so, check the base URL of profile `{profile}`.",
        server = client.server(),
        profile = client.profile()
    );
    client.error(Code::Overloaded, message, None)
}

/// The server at the address is none of this provider.
pub(crate) fn foreign(client: &ProviderClient) -> Error {
    let message = phrase!(
        "{server} answers, but not as a server of this provider does; check the base URL of profile `{profile}`.",
        server = client.server(),
        profile = client.profile()
    );
    client.error(Code::RequestRefused, client.with_hint(message), None)
}

pub(crate) fn from_transport(client: &ProviderClient, error: &reqwest::Error) -> Error {
    if error.is_timeout() {
        return silent(client);
    }
    let (server, profile) = (client.server(), client.profile());
    if error.is_connect() {
        let message = phrase!(
            "No connection to {server}; check that the server runs and that the base URL of profile `{profile}` is right.",
            server,
            profile
        );
        return client.error(Code::Network, message, Some(&innermost(error)));
    }
    if error.is_builder() {
        let message =
            phrase!("The base URL of profile `{profile}` cannot be used in a request; check it.", profile);
        return client.error(Code::BadInput, message, None);
    }
    let message = phrase!("The connection to {server} broke; try again.", server);
    client.error(Code::Network, message, Some(&innermost(error)))
}

pub(crate) fn silent(client: &ProviderClient) -> Error {
    let message = phrase!("{server} was silent for too long; try again.", server = client.server());
    client.error(Code::Timeout, message, None)
}

/// The root cause, such as “Connection refused (os error 111)”. The outer messages repeat the address.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn StdError = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    if cause.is::<reqwest::Error>() { String::new() } else { cause.to_string() }
}
