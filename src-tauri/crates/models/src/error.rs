//! What goes wrong on the way to an answer, as our errors. Not here: what a provider's refusal means (`provider_error`).

use std::error::Error as StdError;

use kernel::{Code, Error, phrase};

use crate::provider_client::ProviderClient;
use crate::provider_error::ProviderError;

/// Why a request brought no answer: our error, and what the server said where it said something.
pub(crate) struct Failure {
    pub(crate) error: Box<Error>,
    pub(crate) said: Option<Box<ProviderError>>,
    /// Whether it is a stream that came to its end in good order, and said nowhere that its text was whole.
    pub(crate) is_unmarked: bool,
}

impl Failure {
    /// With what the server said.
    pub(crate) fn told(error: Error, said: ProviderError) -> Failure {
        Failure { said: Some(Box::new(said)), ..error.into() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { error: Box::new(error), said: None, is_unmarked: false }
    }
}

/// The failure by an error object that came where an answer should be, or when it had begun.
pub(crate) fn from_said(
    client: &ProviderClient,
    model: &str,
    said: &serde_json::Value,
    has_begun: bool,
) -> Failure {
    let mut provider_error = ProviderError::from_json(said);
    provider_error.has_begun = has_begun;
    let error = client.refusal(&provider_error, model, None, &said.to_string());
    Failure::told(error, provider_error)
}

/// The failure by words or a page that came where an answer should be. A page of a gateway that cannot reach the server
/// says so; any other is of no server of this provider.
pub(crate) fn from_words(client: &ProviderClient, model: &str, words: &str) -> Failure {
    let provider_error = ProviderError::from_words(words);
    let error = match provider_error.code() {
        Code::RequestRefused => {
            Error { provider_words: client.words(&provider_error.words), ..foreign(client) }
        }
        _ => client.refusal(&provider_error, model, None, words),
    };
    Failure::told(error, provider_error)
}

/// The answer ended before it was complete.
pub(crate) fn cut(client: &ProviderClient) -> Error {
    client.error(
        Code::Network,
        phrase!("The answer of {server} broke off in the middle; try again.", server = client.server()),
        None,
    )
}

/// The answer is not what the protocol says.
pub(crate) fn broken(client: &ProviderClient) -> Error {
    let message = phrase!(
        "{server} sent an answer that cannot be read; try again, and if it stays so, check the base URL of profile `{profile}`.",
        server = client.server(),
        profile = client.profile()
    );
    client.error(Code::Overloaded, message, None)
}

/// What answers is no server of this provider.
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

/// The root cause: “Connection refused (os error 111)”. The outer texts repeat the address.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn StdError = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    if cause.is::<reqwest::Error>() { String::new() } else { cause.to_string() }
}
