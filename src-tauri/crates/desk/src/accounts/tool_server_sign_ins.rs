//! Sign-ins at tool servers: starts, awaits, cancels and ends them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::{Code, Phrase, phrase};
use mcp::{Revocation, SignIn, SignInRequest, SignedIn};
use tokio_util::sync::CancellationToken;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::api::{Named, Nothing, SignInToolServer, SignedInCard, ToolServerCards, ToolServerSignIn};

/// The pending sign-ins by the name of the server; each server has only the last one.
#[derive(Default)]
pub(crate) struct PendingSignIns(Mutex<HashMap<String, Arc<PendingSignIn>>>);

struct PendingSignIn {
    /// `None` while a task waits for it.
    sign_in: Mutex<Option<SignIn>>,
    cancel: CancellationToken,
}

/// A task that waits for a sign-in. Dropping it ends the sign-in.
struct WaitingFor<'a> {
    name: &'a str,
    pending: Arc<PendingSignIn>,
    all: &'a PendingSignIns,
}

impl Drop for WaitingFor<'_> {
    fn drop(&mut self) {
        let mut all = self.all.all();
        // A newer sign-in stays.
        if all.get(self.name).is_some_and(|pending| Arc::ptr_eq(pending, &self.pending)) {
            all.remove(self.name);
        }
    }
}

impl AccountService {
    /// Starts a sign-in and replaces a pending one. `finish_sign_in` waits for it.
    pub(crate) async fn sign_in_tool_server(
        &self,
        asked: SignInToolServer,
    ) -> Result<ToolServerSignIn, ApiError> {
        let SignInToolServer { name, scopes, is_exact, client } = asked;
        let client = client.filter(|client| !client.trim().is_empty());
        self.vault.ask_again();
        self.tool_servers.reload()?;
        let request = SignInRequest { scopes, is_exact, client };
        let sign_in = self.tool_servers.loaded.begin_sign_in(&name, request).await?;
        let address = sign_in.address().to_owned();
        let pending = PendingSignIn { sign_in: Mutex::new(Some(sign_in)), cancel: CancellationToken::new() };
        if let Some(former) = self.sign_ins.all().insert(name, Arc::new(pending)) {
            former.cancel.cancel();
        }
        Ok(ToolServerSignIn { address })
    }

    /// Waits until the person has signed in. Dropping the future cancels the sign-in.
    pub(crate) async fn finish_sign_in(&self, named: Named) -> Result<ToolServerCards, ApiError> {
        let pending = self.sign_ins.all().get(&named.name).cloned();
        let begun = pending.and_then(|pending| Some((pending.take()?, pending)));
        let Some((sign_in, pending)) = begun else {
            let message = phrase!("No sign-in at `{name}` waits; begin one first", name = named.name);
            return Err(ApiError::new(Code::BadInput, message));
        };
        let waiting = WaitingFor { name: &named.name, pending, all: &self.sign_ins };
        let signed_in = async {
            let grant = sign_in.wait().await?;
            // Another process may have removed the server meanwhile.
            self.tool_servers.reload()?;
            grant.keep().await
        };
        let signed_in = waiting.pending.cancel.run_until_cancelled(signed_in).await;
        signed_in.unwrap_or_else(|| {
            let message = phrase!("The sign-in at `{name}` was cancelled", name = named.name);
            Err(ApiError::new(Code::Cancelled, message))
        })?;
        self.list_tool_servers(Nothing {}).await
    }

    pub(crate) async fn cancel_sign_in(&self, named: Named) -> Result<Nothing, ApiError> {
        if let Some(pending) = self.sign_ins.all().remove(&named.name) {
            pending.cancel.cancel();
        }
        Ok(Nothing {})
    }

    pub(crate) async fn sign_out_tool_server(&self, named: Named) -> Result<ToolServerCards, ApiError> {
        self.vault.ask_again();
        self.tool_servers.reload()?;
        let Some(revocation) = self.tool_servers.loaded.sign_out(&named.name).await? else {
            let message = phrase!("You are not signed in at the tool server `{name}`", name = named.name);
            return Err(ApiError::new(Code::BadInput, message));
        };
        let remark = remark(&named.name, revocation);
        Ok(ToolServerCards { remark, ..self.list_tool_servers(Nothing {}).await? })
    }

    /// Signs out from a server that is removed; a failure does not prevent the removal.
    pub(crate) async fn forget_sign_in(&self, name: &str) -> Option<Phrase> {
        if let Some(pending) = self.sign_ins.all().remove(name) {
            pending.cancel.cancel();
        }
        match self.tool_servers.loaded.forget_sign_in(name).await {
            Ok(revocation) => remark(name, revocation?),
            // A local program, or a server that cannot be used.
            Err(error) if matches!(error.code, Code::BadInput | Code::NotFound) => None,
            Err(error) => Some(*error.phrase),
        }
    }
}

impl PendingSignIn {
    fn take(&self) -> Option<SignIn> {
        self.sign_in.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl PendingSignIns {
    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<PendingSignIn>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn signed_in_card(signed_in: SignedIn) -> SignedInCard {
    let until_ms = signed_in.until.map(|seconds| seconds.saturating_mul(1000));
    SignedInCard { scopes: signed_in.scopes, until_ms }
}

/// The remark for the person where tokens were not revoked.
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
