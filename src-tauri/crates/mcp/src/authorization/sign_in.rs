//! One sign-in, from the address that the user opens to the tokens.

use std::sync::Arc;
use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};
use oauth2::TokenResponse;
use oauth2::basic::BasicTokenType;
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, CredentialStore, InMemoryCredentialStore,
    OAuthClientConfig,
};
use tokio::time::{Instant, timeout_at};

use super::errors::{bounded_text, refuses_scope, why};
use super::grant::{Grant, cancelled};
use super::oauth_http::discover;
use super::redirect::{Answer, Redirect};
use super::state::is_scope;
use super::tokens::{Authorization, Credentials, Endpoints};

/// The time limit for the user.
const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(300);
/// The longest authorization address, in bytes.
const LONGEST_ADDRESS: usize = 16 << 10;

/// The parameters of a sign-in.
#[derive(Debug, Clone, Default)]
pub struct SignInRequest {
    /// Scopes to request besides those that the server names, that were granted before, and that the server has
    /// required since.
    pub scopes: Vec<String>,
    /// Whether only `scopes` are requested.
    pub is_exact: bool,
    /// The client ID that the user got from the authorization server, or the https address of a client metadata
    /// document; the previous one if not given. Without any, Galley registers itself.
    pub client: Option<String>,
}

/// A sign-in that waits for the user. Dropping it cancels it.
pub struct SignIn {
    authorization: Arc<Authorization>,
    manager: AuthorizationManager,
    store: InMemoryCredentialStore,
    redirect: Redirect,
    address: String,
    state: String,
    scopes: Vec<String>,
    /// Whether only the server's own scopes are requested.
    is_plain: bool,
    client: Option<String>,
    client_secret: Option<String>,
    endpoints: Endpoints,
    until: Instant,
}

impl SignIn {
    /// Requests the sign-in address from the server, and opens the redirect port.
    ///
    /// # Errors
    /// `bad_input`: a scope is invalid. `key_unavailable`: the keyring is unavailable. `tool_failed`: the server offers
    /// no usable sign-in.
    pub(crate) async fn begin(
        authorization: Arc<Authorization>,
        asked: SignInRequest,
    ) -> Result<SignIn, Error> {
        if let Some(scope) = asked.scopes.iter().find(|scope| !is_scope(scope)) {
            let message = phrase!("`{scope}` cannot be a scope; write one word without quotes", scope);
            return Err(Error::new(Code::BadInput, message));
        }
        // An unavailable keyring is reported before the user goes to the browser.
        authorization.entry.read().await?;
        let name = &authorization.name;
        let failed = |error: AuthError| not_signed_in(name, &why(&error));
        let redirect = Redirect::bind().await.map_err(|error| {
            not_signed_in(name, &phrase!("no port of this machine can be used: {error}", error))
        })?;
        let (mut manager, metadata) = discover(&authorization.address).await.map_err(failed)?;
        let state = authorization.file.read();
        let own: Vec<String> =
            manager.select_initial_scopes(&[]).await.into_iter().filter(|scope| is_scope(scope)).collect();
        let mut scopes = if asked.is_exact { Vec::new() } else { own.clone() };
        let wanted = state.wanted.iter().filter(|_| !asked.is_exact);
        for scope in asked.scopes.iter().chain(wanted) {
            if !scopes.contains(scope) {
                scopes.push(scope.clone());
            }
        }
        let words: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let client = asked.client.or(state.client);
        let client_secret = match &client {
            Some(id) => {
                manager.configure_client(OAuthClientConfig::new(id, &redirect.uri)).map_err(failed)?;
                None
            }
            None => register(&mut manager, &metadata, &redirect, &words, name).await?,
        };
        let store = InMemoryCredentialStore::new();
        manager.set_credential_store(store.clone());
        let address = manager.get_authorization_url(&words).await.map_err(failed)?;
        let state = Url::parse(&address).ok().filter(|_| address.len() <= LONGEST_ADDRESS);
        let state = state.and_then(|url| {
            // The server's own parameters come before ours.
            url.query_pairs().filter(|(name, _)| name == "state").last().map(|(_, state)| state.into_owned())
        });
        let Some(state) = state else {
            return Err(not_signed_in(name, &phrase!("the address to sign in at cannot be used")));
        };
        let until = Instant::now() + SIGN_IN_TIMEOUT;
        Ok(SignIn {
            authorization,
            manager,
            store,
            redirect,
            address,
            state,
            is_plain: scopes == own,
            scopes,
            client,
            client_secret,
            endpoints: Endpoints::of(&metadata),
            until,
        })
    }

    /// The address that the user opens in a browser to sign in: https, or on this machine.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Waits until the user has signed in, and returns the tokens. Dropping the future cancels the sign-in.
    ///
    /// # Errors
    /// `timeout`: the user did not sign in within five minutes. `cancelled`: the server was removed, or has another
    /// address. `tool_failed`: it was declined, or the server returned no usable token.
    pub async fn wait(self) -> Result<Grant, Error> {
        let (name, gone) = (&self.authorization.name, &self.authorization.gone);
        let answer = timeout_at(self.until, self.redirect.answer(&self.state));
        let answer = gone.run_until_cancelled(answer).await.ok_or_else(|| cancelled(name))?;
        let Ok(answer) = answer else {
            let minutes = SIGN_IN_TIMEOUT.as_secs() / 60;
            let message =
                phrase!("Nobody signed in at `{name}` within {minutes} minutes; try again", name, minutes);
            return Err(Error::new(Code::Timeout, message));
        };
        let work = self.authorization.work.clone();
        work.finish(self.granted(answer)).await
    }

    /// Exchanges the code for tokens.
    async fn granted(self, answer: Answer) -> Result<Grant, Error> {
        let name = &self.authorization.name;
        let (code, issuer) = match answer {
            Answer::Code { code, issuer } => (code, issuer),
            Answer::Refused { error, .. } if error == "invalid_scope" => {
                return Err(self.scope_refused().await);
            }
            Answer::Refused { error, description: words } => {
                let why = Phrase::verbatim(bounded_text(&format!("{error} {words}")));
                return Err(not_signed_in(name, &why));
            }
        };
        let token = self.manager.exchange_code_for_token_with_issuer(&code, &self.state, issuer.as_deref());
        let token = match token.await {
            Ok(token) => token,
            Err(error) if refuses_scope(&error) => return Err(self.scope_refused().await),
            Err(error) => return Err(not_signed_in(name, &why(&error))),
        };
        let stored = self.store.load().await.ok().flatten();
        let Some(stored) = stored.filter(|_| *token.token_type() == BasicTokenType::Bearer) else {
            return Err(not_signed_in(name, &phrase!("the server gives no bearer token")));
        };
        let credentials = Credentials::new(stored, self.client_secret, self.endpoints);
        Ok(Grant::new(self.authorization, credentials, self.client))
    }

    /// Forgets the scopes that were requested besides the server's own.
    async fn scope_refused(&self) -> Error {
        let name = &self.authorization.name;
        let scopes = self.scopes.clone();
        if self.is_plain {
            return not_signed_in(
                name,
                &phrase!("it does not know the scopes that it names: {scopes}", scopes),
            );
        }
        if let Err(error) = self.authorization.forget_wanted().await {
            return error;
        }
        not_signed_in(
            name,
            &phrase!(
                "it does not give these scopes: {scopes}. The next sign-in asks for those that the server names",
                scopes
            ),
        )
    }
}

/// Registers Galley at the authorization server, and returns the client secret, if any.
async fn register(
    manager: &mut AuthorizationManager,
    metadata: &AuthorizationMetadata,
    redirect: &Redirect,
    scopes: &[&str],
    name: &str,
) -> Result<Option<String>, Error> {
    if metadata.registration_endpoint.is_none() {
        let message = phrase!(
            "The tool server `{name}` lets no program register itself. Register Galley there, then give the client ID: \
             `galley tool-server sign-in {name} --client ID`",
            name
        );
        return Err(Error::new(Code::BadInput, message));
    }
    let registered = manager.register_client("Galley", &redirect.uri, scopes).await;
    Ok(registered.map_err(|error| not_signed_in(name, &why(&error)))?.client_secret)
}

fn not_signed_in(name: &str, why: &Phrase) -> Error {
    let message = phrase!("The sign-in at the tool server `{name}` failed: {why}", name, why);
    Error::new(Code::ToolFailed, message)
}
