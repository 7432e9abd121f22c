//! The tokens of one server: read from the keyring, renewed by one process at a time, and never twice with the same token.

use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use kernel::{Code, Error, Phrase, phrase};
use oauth2::TokenResponse;
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationMetadata, CredentialStore, InMemoryCredentialStore, OAuthClientConfig,
    StoredCredentials, VendorExtraTokenFields,
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::errors::{sign_in_again, why};
use super::oauth_http::discover;
use super::state::{SignInFile, SignInState, SignedIn, Turn};
use crate::config::{ServerConfig, Transport};
use crate::keyring::Keyring;

/// A token is renewed so many seconds before it ends; one of a short life in the second half of it.
const RENEW_BEFORE_S: u64 = 30;
/// The longest sign-in that is kept, in bytes: headers of requests are hardly longer.
const LONGEST_KEPT: usize = 32 << 10;

/// The authorization for one server at one address.
pub(crate) struct Authorization {
    pub(crate) name: String,
    pub(crate) address: Url,
    pub(crate) file: SignInFile,
    keyring: Arc<dyn Keyring>,
    held: Mutex<Option<Token>>,
}

/// What the keyring keeps of a sign-in.
#[derive(Serialize, Deserialize)]
pub(crate) struct Credentials {
    pub(crate) stored: StoredCredentials,
    /// The secret that the authorization server gave the client when it registered it.
    #[serde(default)]
    pub(crate) client_secret: Option<String>,
    /// Where the tokens may be sent beside the MCP server.
    #[serde(default)]
    pub(crate) endpoints: Endpoints,
}

/// The addresses of an authorization server that are sent tokens. Metadata that name others later are those of somebody else.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Endpoints {
    token: String,
    /// Nothing where tokens cannot be revoked.
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
    /// Without what the authorization server gave beside its tokens: nothing reads it.
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
}

/// A token that requests carry.
#[derive(Clone)]
struct Token {
    access: SecretString,
    /// In seconds since 1970 UTC.
    renew_at: Option<u64>,
}

impl Token {
    fn of(credentials: &Credentials) -> Option<Token> {
        let response = credentials.stored.token_response.as_ref()?;
        let life = response.expires_in().map(|life| life.as_secs());
        let early = |life: u64| life.saturating_sub(RENEW_BEFORE_S.min(life / 2).max(1));
        let renew_at = life.zip(credentials.stored.token_received_at);
        Some(Token {
            access: response.access_token().secret().as_str().into(),
            renew_at: renew_at.map(|(life, from)| from.saturating_add(early(life))),
        })
    }

    /// Whether it can be sent; `refused` is one that the server did not take.
    fn is_usable(&self, refused: Option<&str>) -> bool {
        self.renew_at.is_none_or(|at| now() < at) && refused != Some(self.access.expose_secret())
    }
}

impl Authorization {
    /// That of a server with an address, unless the person set a header for it. `folder` is the data folder.
    pub(crate) fn of(
        name: &str,
        config: &ServerConfig,
        folder: &Path,
        keyring: &Arc<dyn Keyring>,
    ) -> Option<Arc<Authorization>> {
        let Ok(Transport::Address(address)) = config.transport(name) else { return None };
        if config.headers.keys().any(|header| header.eq_ignore_ascii_case("authorization")) {
            return None;
        }
        let file = SignInFile::new(folder, name, address.as_str());
        let (name, keyring) = (name.to_owned(), keyring.clone());
        Some(Arc::new(Authorization { name, address, file, keyring, held: Mutex::default() }))
    }

    /// The token for a request; none where nobody is signed in. `refused` is one that the server did not take.
    ///
    /// # Errors
    /// `permission_needed`: the person has to sign in again. `network`, `key_unavailable`, `busy`, `read_only`: the token
    /// cannot be renewed now.
    pub(crate) async fn token(self: &Arc<Self>, refused: Option<&str>) -> Result<Option<String>, Error> {
        let mut held = self.held.lock().await;
        if let Some(token) = held.as_ref().filter(|token| token.is_usable(refused)) {
            return Ok(Some(token.access.expose_secret().to_owned()));
        }
        if !self.file.read().is_signed_in {
            *held = None;
            return Ok(None);
        }
        // A call that is stopped must not lose what the server has given for the old token already.
        let (this, refused) = (self.clone(), refused.map(str::to_owned));
        let renewed = tokio::spawn(async move { this.renewed(refused.as_deref()).await }).await;
        let renewed =
            renewed.map_err(|error| Error::new(Code::Internal, Phrase::verbatim(error.to_string())))?;
        let token = renewed?;
        let access = token.access.expose_secret().to_owned();
        *held = Some(token);
        Ok(Some(access))
    }

    /// The token of the keyring, renewed where nobody else has done so.
    async fn renewed(&self, refused: Option<&str>) -> Result<Token, Error> {
        let turn = self.file.turn().await?;
        let Some(credentials) = self.kept().await? else {
            self.file.write(&turn, &self.file.read().ended())?;
            return Err(sign_in_again(&self.name));
        };
        match Token::of(&credentials).filter(|token| token.is_usable(refused)) {
            Some(token) => Ok(token),
            None => self.renew(&turn, credentials).await,
        }
    }

    async fn renew(&self, turn: &Turn, credentials: Credentials) -> Result<Token, Error> {
        match self.exchange(&credentials).await {
            Ok(Some(stored)) => {
                let credentials = Credentials::new(stored, credentials.client_secret, credentials.endpoints);
                let token = Token::of(&credentials).ok_or_else(|| sign_in_again(&self.name))?;
                if let Err(error) = self.keep(turn, &credentials, self.file.read()).await {
                    // The former token is used up. This process goes on with the new one; no other tries the former again.
                    tracing::warn!(server = self.name, %error, "a renewed sign-in is not kept");
                    self.file.write(turn, &self.file.read().ended())?;
                }
                Ok(token)
            }
            Ok(None) => Err(sign_in_again(&self.name)),
            Err(AuthError::TokenRefreshRejected(_)) => {
                self.file.write(turn, &self.file.read().ended())?;
                if let Err(error) = self.put(None).await {
                    tracing::warn!(server = self.name, %error, "a refused sign-in stays in the keyring");
                }
                Err(sign_in_again(&self.name))
            }
            Err(error) => {
                let message = phrase!(
                    "The sign-in at the tool server `{name}` cannot be renewed now: {why}. Try again later",
                    name = self.name,
                    why = why(&error)
                );
                Err(Error::new(Code::Network, message))
            }
        }
    }

    /// Exchanges the refresh token for new tokens; nothing where there is none, or where it is that of another authorization
    /// server.
    async fn exchange(&self, credentials: &Credentials) -> Result<Option<StoredCredentials>, AuthError> {
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
        manager.refresh_token().await?;
        store.load().await
    }

    /// What the keyring keeps; none where nothing is kept or it cannot be understood.
    pub(crate) async fn kept(&self) -> Result<Option<Credentials>, Error> {
        let kept = self.keyring.sign_in(&self.name, self.address.as_str()).await?;
        Ok(kept.and_then(|kept| serde_json::from_str(kept.expose_secret()).ok()))
    }

    /// Keeps a sign-in, and what is known of it beside its secrets.
    ///
    /// # Errors
    /// `key_unavailable`, `disk_full`, `read_only`; then the sign-in of before may be gone.
    async fn keep(
        &self,
        turn: &Turn,
        credentials: &Credentials,
        state: SignInState,
    ) -> Result<Option<SignedIn>, Error> {
        let text = serde_json::to_string(credentials);
        let text = text.map_err(|error| Error::new(Code::Internal, Phrase::verbatim(error.to_string())))?;
        if text.len() > LONGEST_KEPT {
            let message = phrase!(
                "The tool server `{name}` gives tokens of {bytes} bytes; at most {most} are kept",
                name = self.name,
                bytes = text.len(),
                most = LONGEST_KEPT
            );
            return Err(Error::new(Code::ToolFailed, message));
        }
        self.put(Some(text.into())).await?;
        let StoredCredentials { granted_scopes, token_received_at, token_response, .. } = &credentials.stored;
        let life = token_response.as_ref().and_then(|response| response.expires_in());
        let until = life.zip(*token_received_at).map(|(life, from)| from.saturating_add(life.as_secs()));
        let scopes = granted_scopes.iter().cloned().collect();
        let state = SignInState { is_signed_in: true, scopes, until, ..state };
        self.file.write(turn, &state)?;
        Ok(state.signed_in())
    }

    pub(crate) async fn put(&self, kept: Option<SecretString>) -> Result<(), Error> {
        self.keyring.keep_sign_in(&self.name, self.address.as_str(), kept).await
    }

    /// Takes a new sign-in in place of the one so far.
    ///
    /// # Errors
    /// As of keeping it; `busy`.
    pub(crate) async fn begin(
        &self,
        credentials: &Credentials,
        wanted: Vec<String>,
        client: Option<String>,
    ) -> Result<SignedIn, Error> {
        let mut held = self.held.lock().await;
        let turn = self.file.turn().await?;
        let mut state = SignInState { client, ..self.file.read() };
        state.want(wanted);
        let signed_in = self.keep(&turn, credentials, state).await?;
        *held = Token::of(credentials);
        signed_in.ok_or_else(|| sign_in_again(&self.name))
    }

    /// Drops what is held in memory, so that the next request asks whether somebody is signed in.
    pub(crate) async fn drop_held(&self) {
        *self.held.lock().await = None;
    }

    /// Remembers what the server asked for, for the next sign-in.
    pub(crate) async fn remember(&self, scopes: Vec<String>) {
        let kept = async {
            let turn = self.file.turn().await?;
            let before = self.file.read();
            let mut state = before.clone();
            state.want(scopes);
            if state == before { Ok(()) } else { self.file.write(&turn, &state) }
        };
        if let Err(error) = kept.await {
            tracing::warn!(server = self.name, %error, "what a tool server asks for is not remembered");
        }
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
