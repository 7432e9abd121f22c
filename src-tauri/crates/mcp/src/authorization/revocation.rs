//! Signing out: deletes the stored tokens, and revokes them at the authorization server by RFC 7009.

use kernel::{Error, Phrase, phrase};
use oauth2::TokenResponse;
use reqwest::Url;

use super::errors::{bounded_text, why};
use super::oauth_http::{OAuthHttp, discover};
use super::tokens::{Authorization, Credentials, Endpoints};

/// The outcome at the authorization server.
#[derive(Debug, Clone, PartialEq)]
pub enum Revocation {
    /// The tokens are revoked.
    Done,
    /// The server does not support revocation; the tokens expire by themselves.
    NotOffered,
    /// The request failed or was refused.
    Failed(Phrase),
}

impl Authorization {
    /// Deletes the sign-in, and revokes its tokens; `None` without a sign-in.
    ///
    /// # Errors
    /// `key_unavailable`: the keyring is unavailable, so the tokens stay in it. `busy`, `disk_full`, `read_only`.
    pub(crate) async fn sign_out(&self) -> Result<Option<Revocation>, Error> {
        let credentials = {
            let turn = self.file.turn().await?;
            let state = self.file.read();
            if !state.is_signed_in {
                return Ok(None);
            }
            // As long as the keyring keeps the tokens, signing out can be repeated.
            let credentials = self.credentials().await?;
            self.entry.write(None).await?;
            self.file.write(&turn, &state.ended())?;
            credentials
        };
        Ok(Some(match credentials {
            Some(credentials) => self.revoke(&credentials).await,
            None => Revocation::NotOffered,
        }))
    }

    pub(crate) async fn revoke(&self, credentials: &Credentials) -> Revocation {
        let metadata = match discover(&self.address).await {
            Ok((_, metadata)) => metadata,
            Err(error) => return Revocation::Failed(why(&error)),
        };
        let is_same = metadata.issuer == credentials.stored.issuer;
        if !is_same || Endpoints::of(&metadata) != credentials.endpoints {
            return Revocation::Failed(phrase!("it names another authorization server now"));
        }
        let Some(endpoint) = &credentials.endpoints.revocation else { return Revocation::NotOffered };
        let (Ok(endpoint), Ok(http)) = (Url::parse(endpoint), OAuthHttp::new(&self.address).await) else {
            return Revocation::Failed(phrase!("the address to revoke at cannot be used"));
        };
        let Some(response) = &credentials.stored.token_response else { return Revocation::Done };
        // Without the refresh token the access token expires soon, but not at once.
        let refresh = response.refresh_token().map(|token| (token.secret(), "refresh_token"));
        let tokens = refresh.into_iter().chain([(response.access_token().secret(), "access_token")]);
        let id = credentials.stored.client_id.as_str();
        let secret = credentials.client_secret.as_deref();
        for (token, hint) in tokens {
            let mut fields = vec![("token", token.as_str()), ("token_type_hint", hint)];
            if secret.is_none() {
                fields.push(("client_id", id));
            }
            match http.post_form(&endpoint, &fields, secret.map(|secret| (id, secret))).await {
                Ok(200..=299) => {}
                Ok(status) => return Revocation::Failed(phrase!("it answers with HTTP {status}", status)),
                Err(error) => return Revocation::Failed(Phrase::verbatim(bounded_text(&error.to_string()))),
            }
        }
        Revocation::Done
    }
}
