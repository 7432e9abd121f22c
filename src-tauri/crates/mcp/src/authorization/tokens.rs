//! The tokens of one server: read from the keyring, renewed by one process at a time, and never twice with the same
//! refresh token.

use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use kernel::{Code, Error, Phrase, phrase};
use oauth2::TokenResponse;
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, CredentialStore, InMemoryCredentialStore,
    OAuthClientConfig, StoredCredentials, VendorExtraTokenFields,
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::errors::{refuses_client, sign_in_again, why};
use super::keyring_entry::KeyringEntry;
use super::oauth_http::discover;
use super::state::{SignInFile, SignInState, Turn};
use super::token_work::TokenWork;
use crate::config::{ServerConfig, Transport};
use crate::keyring::Keyring;

/// The seconds before its expiry when a token is renewed; a short-lived one after half its life.
const RENEW_BEFORE_S: u64 = 30;
/// The longest stored sign-in, in bytes: request headers are hardly longer.
const LARGEST_SIGN_IN: usize = 32 << 10;

/// The authorization for one server at one address.
pub(crate) struct Authorization {
    pub(crate) name: String,
    pub(crate) address: Url,
    pub(crate) file: SignInFile,
    pub(crate) work: TokenWork,
    /// Cancelled when the server is removed or gets another address.
    pub(crate) gone: CancellationToken,
    pub(crate) entry: KeyringEntry,
    held: Mutex<Option<Token>>,
}

/// The content of a sign-in in the keyring.
#[derive(Serialize, Deserialize)]
pub(crate) struct Credentials {
    pub(crate) stored: StoredCredentials,
    /// The client secret from the registration at the authorization server.
    #[serde(default)]
    pub(crate) client_secret: Option<String>,
    /// The addresses that tokens may be sent to, besides the MCP server.
    #[serde(default)]
    pub(crate) endpoints: Endpoints,
}

/// The endpoints of an authorization server that receive tokens. Later metadata with other endpoints are not trusted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Endpoints {
    token: String,
    /// None when revocation is not supported.
    pub(crate) revocation: Option<String>,
}

impl Endpoints {
    pub(crate) fn of(metadata: &AuthorizationMetadata) -> Endpoints {
        let revocation = metadata.additional_fields.get("revocation_endpoint");
        Endpoints {
            token: metadata.token_endpoint.clone(),
            revocation: revocation.and_then(|field| field.as_str()).map(str::to_owned),
        }
    }
}

impl Credentials {
    /// Drops further data from the authorization server, which are not needed.
    pub(crate) fn new(
        mut stored: StoredCredentials,
        client_secret: Option<String>,
        endpoints: Endpoints,
    ) -> Credentials {
        if let Some(response) = &mut stored.token_response {
            response.set_extra_fields(VendorExtraTokenFields::default());
        }
        Credentials { stored, client_secret, endpoints }
    }

    /// The text for the keyring.
    ///
    /// # Errors
    /// `tool_failed`: it is too long.
    pub(crate) fn text(&self, name: &str) -> Result<SecretString, Error> {
        let text = serde_json::to_string(self);
        let text = text.map_err(|error| Error::new(Code::Internal, Phrase::verbatim(error.to_string())))?;
        if text.len() <= LARGEST_SIGN_IN {
            return Ok(text.into());
        }
        let message = phrase!(
            "The tool server `{name}` gives tokens of {bytes} bytes; at most {most} are kept",
            name,
            bytes = text.len(),
            most = LARGEST_SIGN_IN
        );
        Err(Error::new(Code::ToolFailed, message))
    }

    /// The state after these credentials were stored.
    pub(crate) fn renew(&self, state: SignInState) -> SignInState {
        let StoredCredentials { granted_scopes, token_received_at, token_response, .. } = &self.stored;
        let life = token_response.as_ref().and_then(|response| response.expires_in());
        let until = life.zip(*token_received_at).map(|(life, from)| from.saturating_add(life.as_secs()));
        state.renewed(granted_scopes.iter().cloned().collect(), until)
    }
}

/// A token for requests.
#[derive(Clone)]
struct Token {
    access: SecretString,
    /// The generation of the state when the token was stored.
    generation: String,
    /// In seconds since 1970 UTC.
    renew_at: Option<u64>,
}

impl Token {
    fn of(credentials: &Credentials, state: &SignInState) -> Option<Token> {
        let response = credentials.stored.token_response.as_ref()?;
        let life = response.expires_in().map(|life| life.as_secs());
        let early = |life: u64| life.saturating_sub(RENEW_BEFORE_S.min(life / 2).max(1));
        let renew_at = life.zip(credentials.stored.token_received_at);
        Some(Token {
            access: response.access_token().secret().as_str().into(),
            generation: state.generation.clone(),
            renew_at: renew_at.map(|(life, from)| from.saturating_add(early(life))),
        })
    }

    /// Whether it can be sent; `refused` is a token that the server rejected.
    fn is_usable(&self, refused: Option<&str>) -> bool {
        self.renew_at.is_none_or(|at| now() < at) && refused != Some(self.access.expose_secret())
    }
}

impl Authorization {
    /// The authorization of a server with an address. `folder` is the data folder.
    pub(crate) fn of(
        name: &str,
        config: &ServerConfig,
        folder: &Path,
        keyring: &Arc<dyn Keyring>,
        work: &TokenWork,
    ) -> Option<Arc<Authorization>> {
        let Ok(Transport::Address(address)) = config.transport(name) else { return None };
        let file = SignInFile::new(folder, name, address.as_str());
        Some(Arc::new(Authorization {
            entry: KeyringEntry::new(keyring, name, &address, folder),
            name: name.to_owned(),
            address,
            file,
            work: work.clone(),
            gone: CancellationToken::new(),
            held: Mutex::default(),
        }))
    }

    /// The last token of a request, whether or not it is still valid.
    pub(crate) fn held_token(&self) -> Option<String> {
        let held = self.held.try_lock().ok()?;
        held.as_ref().map(|token| token.access.expose_secret().to_owned())
    }

    /// The token for a request; `None` without a sign-in. `refused` is a token that the server rejected.
    ///
    /// # Errors
    /// `permission_needed`: the user has to sign in again. `network`, `key_unavailable`, `busy`, `read_only`: the token
    /// cannot be renewed now.
    pub(crate) async fn token(self: &Arc<Self>, refused: Option<&str>) -> Result<Option<String>, Error> {
        let mut held = self.held.lock().await;
        let state = self.file.read();
        let is_current = |token: &&Token| token.generation == state.generation && token.is_usable(refused);
        if let Some(token) = held.as_ref().filter(is_current) {
            return Ok(Some(token.access.expose_secret().to_owned()));
        }
        if !state.is_signed_in {
            *held = None;
            return Ok(None);
        }
        let (this, refused) = (self.clone(), refused.map(str::to_owned));
        let token = self.work.finish(async move { this.renewed(refused.as_deref()).await }).await?;
        let access = token.access.expose_secret().to_owned();
        *held = Some(token);
        Ok(Some(access))
    }

    /// The token in the keyring, renewed unless another process has just done so.
    async fn renewed(&self, refused: Option<&str>) -> Result<Token, Error> {
        let name = &self.name;
        let turn = self.work.until_closed(name, self.file.turn()).await??;
        let state = self.file.read();
        let Some(credentials) = self.work.until_closed(name, self.credentials()).await?? else {
            self.file.write(&turn, &state.ended())?;
            return Err(sign_in_again(name));
        };
        if let Some(token) = Token::of(&credentials, &state).filter(|token| token.is_usable(refused)) {
            return Ok(token);
        }
        let exchange = self.work.until_closed(name, self.prepare(&credentials)).await?;
        // From here on the previous refresh token is used up.
        let renewed = match exchange {
            Ok(Some((manager, store))) => match manager.refresh_token().await {
                Ok(_) => store.load().await,
                Err(error) => Err(error),
            },
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        match renewed {
            Ok(Some(stored)) => {
                let credentials = Credentials::new(stored, credentials.client_secret, credentials.endpoints);
                self.keep_renewed(&turn, &credentials, state).await
            }
            Ok(None) => Err(sign_in_again(name)),
            Err(error) if matches!(error, AuthError::TokenRefreshRejected(_)) || refuses_client(&error) => {
                let client = state.client.clone().filter(|_| !refuses_client(&error));
                self.file.write(&turn, &SignInState { client, ..state.ended() })?;
                if let Err(error) = self.entry.write(None).await {
                    tracing::warn!(server = name, %error, "a refused sign-in stays in the keyring");
                }
                Err(sign_in_again(name))
            }
            Err(error) => {
                let message = phrase!(
                    "The sign-in at the tool server `{name}` cannot be renewed now: {why}. Try again later",
                    name,
                    why = why(&error)
                );
                Err(Error::new(Code::Network, message))
            }
        }
    }

    async fn keep_renewed(
        &self,
        turn: &Turn,
        credentials: &Credentials,
        state: SignInState,
    ) -> Result<Token, Error> {
        let kept = async { self.entry.write(Some(credentials.text(&self.name)?)).await };
        let state = match kept.await {
            Ok(()) => credentials.renew(state),
            Err(error) => {
                // This process continues with the new token; no other retries the used-up one.
                tracing::warn!(server = self.name, %error, "a renewed sign-in is not kept");
                state.ended()
            }
        };
        self.file.write(turn, &state)?;
        Token::of(credentials, &state).ok_or_else(|| sign_in_again(&self.name))
    }

    /// The data for a renewal; `None` without a refresh token, or when it belongs to another authorization server.
    async fn prepare(
        &self,
        credentials: &Credentials,
    ) -> Result<Option<(AuthorizationManager, InMemoryCredentialStore)>, AuthError> {
        let response = credentials.stored.token_response.as_ref();
        if response.is_none_or(|response| response.refresh_token().is_none()) {
            return Ok(None);
        }
        let (mut manager, metadata) = discover(&self.address).await?;
        let is_same = metadata.issuer == credentials.stored.issuer;
        if !is_same || Endpoints::of(&metadata) != credentials.endpoints {
            return Ok(None);
        }
        let mut client = OAuthClientConfig::new(&credentials.stored.client_id, self.address.as_str());
        client.client_secret.clone_from(&credentials.client_secret);
        manager.configure_client(client)?;
        let store = InMemoryCredentialStore::new();
        store.save(credentials.stored.clone()).await?;
        manager.set_credential_store(store.clone());
        Ok(Some((manager, store)))
    }

    /// The sign-in in the keyring; `None` when it is missing or unreadable.
    ///
    /// # Errors
    /// `key_unavailable`.
    pub(crate) async fn credentials(&self) -> Result<Option<Credentials>, Error> {
        let kept = self.entry.read().await?;
        Ok(kept.and_then(|kept| serde_json::from_str(kept.expose_secret()).ok()))
    }

    /// Stores the scopes that the server required, for the next sign-in.
    pub(crate) async fn remember(&self, scopes: Vec<String>) {
        if let Err(error) = self.change_wanted(|state| state.want(scopes)).await {
            tracing::warn!(server = self.name, %error, "what a tool server asks for is not remembered");
        }
    }

    /// Makes the next sign-in request only the scopes that the server names.
    ///
    /// # Errors
    /// `busy`, `disk_full`, `read_only`.
    pub(crate) async fn forget_wanted(&self) -> Result<(), Error> {
        self.change_wanted(|state| state.wanted.clear()).await
    }

    async fn change_wanted(&self, change: impl FnOnce(&mut SignInState)) -> Result<(), Error> {
        let turn = self.file.turn().await?;
        let before = self.file.read();
        let mut state = before.clone();
        change(&mut state);
        if state == before { Ok(()) } else { self.file.write(&turn, &state) }
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
