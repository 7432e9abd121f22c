//! Signing in at a configured server, and signing out.

use std::sync::Arc;

use kernel::{Code, Error, phrase};

use super::ToolServers;
use crate::authorization::{Authorization, Revocation, SignIn, SignInRequest, SignedIn};

impl ToolServers {
    /// Begins a sign-in at a server; the user opens its address.
    ///
    /// # Errors
    /// `not_found`: there is no such server. `bad_input`: it is a program, or has an authorization header set; a scope
    /// is invalid. `key_unavailable`: the keyring is unavailable. `tool_failed`: the server offers no usable sign-in.
    pub async fn begin_sign_in(&self, name: &str, asked: SignInRequest) -> Result<SignIn, Error> {
        let authorization = self.authorization(name)?;
        if self.server(name)?.config.sets_authorization() {
            let message = phrase!(
                "The tool server `{name}` gets its header Authorization from you; remove that to sign in instead",
                name
            );
            return Err(Error::new(Code::BadInput, message));
        }
        SignIn::begin(authorization, asked).await
    }

    /// Signs out of a server; `None` without a sign-in.
    ///
    /// # Errors
    /// `not_found`, `bad_input`: as of [`ToolServers::begin_sign_in`]. `key_unavailable`: the keyring is unavailable,
    /// so the tokens stay in it. `busy`, `disk_full`, `read_only`: the state of the sign-in cannot be written.
    pub async fn sign_out(&self, name: &str) -> Result<Option<Revocation>, Error> {
        self.authorization(name)?.sign_out().await
    }

    /// Signs out of a server that is removed or gets another address, and forgets the requested scopes.
    ///
    /// # Errors
    /// As [`ToolServers::sign_out`].
    pub async fn forget_sign_in(&self, name: &str) -> Result<Option<Revocation>, Error> {
        let authorization = self.authorization(name)?;
        authorization.gone.cancel();
        let revocation = authorization.sign_out().await?;
        authorization.file.remove().await?;
        Ok(revocation)
    }

    /// The current sign-in at a server, if any. Does not access the keyring.
    pub fn signed_in(&self, name: &str) -> Option<SignedIn> {
        self.authorization(name).ok()?.file.read().signed_in()
    }

    fn authorization(&self, name: &str) -> Result<Arc<Authorization>, Error> {
        let server = self.server(name)?;
        server.authorization.clone().ok_or_else(|| {
            let message = phrase!(
                "The tool server `{name}` is a program of this machine; there is nowhere to sign in",
                name
            );
            Error::new(Code::BadInput, message)
        })
    }
}
