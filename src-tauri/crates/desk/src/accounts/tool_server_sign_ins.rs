//! Signing in at tool servers: begun, waited for, cancelled, and ended.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use kernel::{Code, Phrase, phrase};
use mcp::{Revocation, SignIn, SignInRequest, SignedIn};
use tokio_util::sync::CancellationToken;

use crate::api::{Named, Nothing, SignInToolServer, SignedInCard, ToolServerCards, ToolServerSignIn};
use crate::{ApiError, Desk};

/// The sign-ins that were begun, by the name of the server; of each server the last one.
#[derive(Default)]
pub(crate) struct PendingSignIns(Mutex<HashMap<String, PendingSignIn>>);

struct PendingSignIn {
    /// None while somebody waits for it.
    sign_in: Option<SignIn>,
    cancel: CancellationToken,
}

impl Desk {
    /// Begins a sign-in, in place of one that was begun before. `finish_sign_in` waits for it.
    pub(crate) async fn sign_in_tool_server(
        &self,
        asked: SignInToolServer,
    ) -> Result<ToolServerSignIn, ApiError> {
        let SignInToolServer { name, scopes, client } = asked;
        let client = client.filter(|client| !client.trim().is_empty());
        self.inner.vault.ask_again();
        self.inner.tool_servers.set(self.inner.saved_tool_servers.usable()?);
        let sign_in = self.inner.tool_servers.begin_sign_in(&name, SignInRequest { scopes, client }).await?;
        let address = sign_in.address().to_owned();
        let pending = PendingSignIn { sign_in: Some(sign_in), cancel: CancellationToken::new() };
        if let Some(former) = self.inner.sign_ins.all().insert(name, pending) {
            former.cancel.cancel();
        }
        Ok(ToolServerSignIn { address })
    }

    /// Waits until the person has signed in. Who waits no more cancels it.
    pub(crate) async fn finish_sign_in(&self, named: Named) -> Result<ToolServerCards, ApiError> {
        let pending = self.inner.sign_ins.all().get_mut(&named.name).and_then(|pending| {
            let sign_in = pending.sign_in.take()?;
            Some((sign_in, pending.cancel.clone()))
        });
        let Some((sign_in, cancel)) = pending else {
            let message = phrase!("No sign-in at `{name}` waits; begin one first", name = named.name);
            return Err(ApiError::new(Code::BadInput, message));
        };
        let signed_in = tokio::select! {
            signed_in = sign_in.finish() => signed_in,
            () = cancel.cancelled() => {
                let message = phrase!("The sign-in at `{name}` was cancelled", name = named.name);
                Err(ApiError::new(Code::Cancelled, message))
            }
        };
        // One that took its place stays: that has cancelled this one.
        if !cancel.is_cancelled() {
            self.inner.sign_ins.all().remove(&named.name);
        }
        signed_in?;
        self.list_tool_servers(Nothing {}).await
    }

    pub(crate) async fn cancel_sign_in(&self, named: Named) -> Result<Nothing, ApiError> {
        if let Some(pending) = self.inner.sign_ins.all().remove(&named.name) {
            pending.cancel.cancel();
        }
        Ok(Nothing {})
    }

    pub(crate) async fn sign_out_tool_server(&self, named: Named) -> Result<ToolServerCards, ApiError> {
        self.inner.vault.ask_again();
        self.inner.tool_servers.set(self.inner.saved_tool_servers.usable()?);
        let Some(revocation) = self.inner.tool_servers.sign_out(&named.name).await? else {
            let message = phrase!("You are not signed in at the tool server `{name}`", name = named.name);
            return Err(ApiError::new(Code::BadInput, message));
        };
        let remark = remark(&named.name, revocation);
        Ok(ToolServerCards { remark, ..self.list_tool_servers(Nothing {}).await? })
    }

    /// Ends the sign-in at a server that goes; the server goes all the same where that fails.
    pub(crate) async fn forget_sign_in(&self, name: &str) -> Option<Phrase> {
        match self.inner.tool_servers.forget_sign_in(name).await {
            Ok(revocation) => remark(name, revocation?),
            // A program, or a server that cannot be used.
            Err(error) if matches!(error.code, Code::BadInput | Code::NotFound) => None,
            Err(error) => Some(*error.phrase),
        }
    }
}

impl PendingSignIns {
    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<String, PendingSignIn>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn signed_in_card(signed_in: SignedIn) -> SignedInCard {
    let until_ms = signed_in.until.map(|seconds| seconds.saturating_mul(1000));
    SignedInCard { scopes: signed_in.scopes, until_ms }
}

/// What the person should know where tokens were not revoked.
fn remark(name: &str, revocation: Revocation) -> Option<Phrase> {
    match revocation {
        Revocation::Done => None,
        Revocation::NotOffered => Some(phrase!(
            "You are signed out at `{name}`. It offers no way to revoke what it gave Galley, which ends by itself",
            name
        )),
        Revocation::Failed(why) => Some(phrase!(
            "You are signed out at `{name}`, but it did not revoke what it gave Galley: {why}. To be sure, remove Galley in \
             your account there",
            name,
            why
        )),
    }
}
