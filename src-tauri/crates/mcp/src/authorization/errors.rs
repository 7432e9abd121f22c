//! The messages for a missing, insufficient or failed sign-in.

use std::error::Error as StdError;

use kernel::{Code, Error, Phrase, ToolFailure, phrase};
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::{AuthRequiredError, InsufficientScopeError};

use super::state::is_scope;
use crate::listing::plain;
use crate::service_errors::innermost;

/// The most scopes in a message.
const MOST_SCOPES: usize = 20;
/// The longest error text of a server in a message, in characters.
const LONGEST_FAILURE: usize = 300;

/// The error of a request to the server `name` that failed because of the authorization; the server did nothing then.
pub(crate) fn refusal(name: &str, error: &(dyn StdError + 'static)) -> Option<Error> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(refused) = error.downcast_ref::<InsufficientScopeError>() {
            return Some(more_needed(name, &asked_scopes(refused)));
        }
        if error.is::<AuthRequiredError>() {
            let message = phrase!(
                "The tool server `{name}` asks you to sign in: `galley tool-server sign-in {name}`",
                name
            );
            return Some(sign_in_needed(name, Vec::new(), message));
        }
        let own = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if let Some(own) = own.and_then(|own| own.downcast_ref::<Error>()) {
            return Some(own.clone());
        }
        cause = error.source();
    }
    None
}

/// The scopes that a refused request needs.
pub(crate) fn asked_scopes(refused: &InsufficientScopeError) -> Vec<String> {
    let named = refused.required_scope.as_deref().unwrap_or_default().split_whitespace();
    named.filter(|scope| is_scope(scope)).take(MOST_SCOPES).map(str::to_owned).collect()
}

fn more_needed(name: &str, scopes: &[String]) -> Error {
    let message = match scopes.is_empty() {
        true => phrase!(
            "The tool server `{name}` does not allow this to the account that you signed in with; sign in with another: \
             `galley tool-server sign-in {name}`",
            name
        ),
        false => phrase!(
            "The tool server `{name}` asks for more than you allowed: {scopes}. If you allow it, sign in again with \
             `galley tool-server sign-in {name}`",
            name,
            scopes = scopes.to_vec()
        ),
    };
    sign_in_needed(name, scopes.to_vec(), message)
}

/// The sign-in ended: the server no longer accepts its tokens.
pub(crate) fn sign_in_again(name: &str) -> Error {
    let message = phrase!(
        "The sign-in at the tool server `{name}` is over; sign in again: `galley tool-server sign-in {name}`",
        name
    );
    sign_in_needed(name, Vec::new(), message)
}

fn sign_in_needed(name: &str, scopes: Vec<String>, message: Phrase) -> Error {
    let failure = ToolFailure::SignInNeeded { server: name.to_owned(), scopes };
    Error { tool_failure: Some(Box::new(failure)), ..Error::new(Code::PermissionNeeded, message) }
}

/// Whether a token was refused because the authorization server no longer knows the client's registration.
pub(crate) fn refuses_client(error: &AuthError) -> bool {
    matches!(oauth_error(error), Some("invalid_client" | "unauthorized_client"))
}

/// Whether tokens were refused because of the requested scopes.
pub(crate) fn refuses_scope(error: &AuthError) -> bool {
    oauth_error(error) == Some("invalid_scope")
}

/// The error code of an authorization server by RFC 6749 §5.2; rmcp provides it only in the message of `oauth2`.
fn oauth_error(error: &AuthError) -> Option<&str> {
    let (AuthError::TokenRefreshFailed(text) | AuthError::TokenExchangeFailed(text)) = error else {
        return None;
    };
    let said = text.strip_prefix("Server returned error response: ")?;
    said.split([':', ' ']).next()
}

/// The error when the keyring is unavailable: a sign-in needs it, since it has no alternative as keys have.
pub(crate) fn keyring_needed(name: &str, error: Error) -> Error {
    let what = error.phrase.first_sentence().unwrap_or_else(|| Phrase::clone(&error.phrase));
    let needed =
        phrase!("A sign-in at `{name}` needs the system's keyring; make it available, then try again", name);
    error.reworded(Phrase::sentences([what, needed]))
}

/// Why an OAuth request failed, without the values that it contained.
pub(crate) fn why(error: &AuthError) -> Phrase {
    match error {
        AuthError::NoAuthorizationSupport => phrase!("it publishes nothing about signing in with OAuth"),
        AuthError::PkceUnsupported => {
            phrase!("its authorization server does not support PKCE with S256, which protects the sign-in")
        }
        AuthError::DiscoveryRequestFailed { .. } | AuthError::HttpError(_) => {
            Phrase::verbatim(plain(&innermost(error), LONGEST_FAILURE))
        }
        _ => Phrase::verbatim(plain(&error.to_string(), LONGEST_FAILURE)),
    }
}

/// The error text of an authorization server, shortened.
pub(crate) fn bounded_text(text: &str) -> String {
    plain(text, LONGEST_FAILURE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requested_scopes_are_bounded_and_validated() {
        let header = |scope: String| InsufficientScopeError::new(String::new(), Some(scope));
        assert_eq!(asked_scopes(&header("a \u{1b}[31m b\\c \u{202e}d e".into())), ["a", "e"]);
        assert_eq!(asked_scopes(&header("s ".repeat(1000))).len(), MOST_SCOPES);
        assert!(asked_scopes(&header("s".repeat(1000))).is_empty());
    }
}
