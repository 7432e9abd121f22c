//! The result of a finished sign-in, which is stored, or revoked when it is dropped.

use std::sync::Arc;

use kernel::{Code, Error, phrase};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::revocation::Revocation;
use super::state::SignedIn;
use super::tokens::{Authorization, Credentials};

/// New tokens of a server. Dropping them revokes them.
pub struct Grant {
    authorization: Arc<Authorization>,
    /// None once they are stored.
    credentials: Option<Credentials>,
    client: Option<String>,
    /// Makes the end of the program wait until they are stored or revoked.
    _task: TaskTrackerToken,
}

impl Grant {
    pub(crate) fn new(
        authorization: Arc<Authorization>,
        credentials: Credentials,
        client: Option<String>,
    ) -> Grant {
        let _task = authorization.work.tasks.token();
        Grant { authorization, credentials: Some(credentials), client, _task }
    }

    /// Stores the tokens in place of the previous ones. Dropping the future revokes them instead.
    ///
    /// # Errors
    /// `cancelled`: the server was removed, or has another address. `key_unavailable`, `tool_failed`: the keyring
    /// cannot store them. `busy`, `disk_full`, `read_only`: the state of the sign-in cannot be written. The previous
    /// sign-in stays.
    pub async fn keep(self) -> Result<SignedIn, Error> {
        let is_unwanted = self.authorization.gone.child_token();
        let _waiting = is_unwanted.clone().drop_guard();
        let work = self.authorization.work.clone();
        work.finish(async move { self.kept(&is_unwanted).await }).await
    }

    async fn kept(mut self, is_unwanted: &CancellationToken) -> Result<SignedIn, Error> {
        let authorization = self.authorization.clone();
        let cancelled = || cancelled(&authorization.name);
        let credentials = self.credentials.as_ref().ok_or_else(cancelled)?;
        let turn = authorization.file.turn().await?;
        if is_unwanted.is_cancelled() {
            return Err(cancelled());
        }
        let former = authorization.entry.read().await?;
        authorization.entry.write(Some(credentials.text(&authorization.name)?)).await?;
        let mut state = credentials.renew(authorization.file.read());
        // Scopes that were requested but not granted are not requested again.
        state.wanted = state.scopes.clone();
        state.client.clone_from(&self.client);
        let written = match is_unwanted.is_cancelled() {
            true => Err(cancelled()),
            false => authorization.file.write(&turn, &state),
        };
        if let Err(error) = written {
            authorization.entry.write(former).await?;
            return Err(error);
        }
        self.credentials = None;
        state.signed_in().ok_or_else(cancelled)
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        let (Some(credentials), Ok(runtime)) = (self.credentials.take(), Handle::try_current()) else {
            return;
        };
        let authorization = self.authorization.clone();
        let revoking = async move {
            if let Revocation::Failed(why) = authorization.revoke(&credentials).await {
                tracing::warn!(server = authorization.name, %why, "the tokens of a cancelled sign-in are not revoked");
            }
        };
        self.authorization.work.tasks.spawn_on(revoking, &runtime);
    }
}

pub(crate) fn cancelled(name: &str) -> Error {
    Error::new(Code::Cancelled, phrase!("The sign-in at `{name}` was cancelled", name))
}
