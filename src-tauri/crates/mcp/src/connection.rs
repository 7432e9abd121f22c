//! A connection to a server of either protocol era, for listing and calling tools.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::ToolContext;
use kernel::{Code, Error, Phrase, phrase};
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ErrorCode, ErrorData, Implementation, ListRootsRequestMethod,
    PaginatedRequestParams, ProtocolVersion, SubscriptionFilter, TASKS_EXTENSION_ID,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, RoleClient, RunningService, ServiceError};
use secrecy::SecretString;
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::authorization::{Authorization, refusal};
use crate::calls::{CallError, CallOutcome, CallRequest, Calls, QuestionReceiver};
use crate::config::ServerConfig;
use crate::flood::Allowance;
use crate::listing::{Listing, MOST_TOOLS, plain};
use crate::process::{ServerProcess, StandardError};
use crate::service_errors::why;

/// The time limit of a server's start: `npx` and `uvx` may have to download it first.
pub(crate) const START_TIMEOUT: Duration = Duration::from_secs(120);
/// The time limit of listing its tools.
pub(crate) const LIST_TIMEOUT: Duration = Duration::from_secs(30);
/// The most pages of tools that are read.
const MOST_PAGES: usize = 50;

/// The protocol of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// The older protocol, which begins with `initialize`.
    Initialize,
    /// The newer protocol of 2026-07-28, which begins with `server/discover`.
    Discover,
}

/// The parameters of a connection.
pub(crate) struct Reach<'a> {
    /// The program that can be started as a guard.
    pub(crate) galley: Option<PathBuf>,
    pub(crate) name: &'a str,
    pub(crate) config: &'a ServerConfig,
    /// Variables or headers with their values.
    pub(crate) given: BTreeMap<String, SecretString>,
    /// The sign-in at the server, if supported.
    pub(crate) authorization: Option<Arc<Authorization>>,
}

/// A connection to a ready server.
pub(crate) struct Connection {
    service: RunningService<RoleClient, Handler>,
    process: tokio::sync::Mutex<Option<ServerProcess>>,
    standard_error: Arc<StandardError>,
    allowance: Allowance,
    calls: Calls,
    /// Notified when the server reports changed tools, and when the connection is closed.
    pub(crate) stale: Arc<Notify>,
    pub(crate) era: Era,
}

/// Handles requests of a server: pings, and questions for the user.
#[derive(Clone)]
pub(crate) struct Handler {
    stale: Arc<Notify>,
    asking: QuestionReceiver,
    allowance: Allowance,
}

impl Handler {
    /// Creates the handler with the calls that questions belong to.
    pub(crate) fn new(allowance: Allowance) -> (Handler, Calls) {
        let (calls, asking) = Calls::new();
        (Handler { stale: Arc::default(), asking, allowance }, calls)
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut can = ClientCapabilities::default();
        let asks = ElicitationCapability::new();
        can.elicitation = Some(asks.with_form(Default::default()).with_url(Default::default()));
        can.extensions = Some([(TASKS_EXTENSION_ID.to_owned(), Map::new())].into());
        let galley = Implementation::new("galley", env!("CARGO_PKG_VERSION"));
        let mut config = ClientConfig::new(can, galley);
        // For `initialize`; the newer protocol is requested explicitly.
        config.protocol_version = ProtocolVersion::V_2025_11_25;
        config
    }

    async fn create_elicitation(
        &self,
        asked: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        tokio::select! {
            answer = self.asking.ask(asked) => Ok(answer),
            () = context.ct.cancelled() => Ok(ElicitResult::new(ElicitationAction::Cancel)),
            () = self.allowance.ended() => Ok(ElicitResult::new(ElicitationAction::Cancel)),
        }
    }

    #[expect(deprecated, reason = "servers of the older protocol still ask")]
    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListRootsRequestMethod>())
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.stale.notify_one();
    }
}

impl Connection {
    pub(crate) fn of(
        service: RunningService<RoleClient, Handler>,
        process: Option<ServerProcess>,
        standard_error: Arc<StandardError>,
        allowance: Allowance,
        calls: Calls,
    ) -> Connection {
        let peer = service.peer();
        let is_new = peer.peer_info().is_some_and(|info| !info.protocol_version.has_initialize());
        let stale = service.service().stale.clone();
        if is_new {
            tokio::spawn(hear_changes(peer.clone(), stale.clone()));
        }
        let era = if is_new { Era::Discover } else { Era::Initialize };
        Connection {
            service,
            process: tokio::sync::Mutex::new(process),
            standard_error,
            allowance,
            calls,
            stale,
            era,
        }
    }

    /// The server's own name and version; empty if it has none.
    pub(crate) fn title(&self) -> String {
        let info = self.service.peer().peer_info().and_then(|peer| peer.server_info.clone());
        info.map(|info| plain(&format!("{} {}", info.title.unwrap_or(info.name), info.version), 200))
            .unwrap_or_default()
    }

    pub(crate) fn peer(&self) -> &Peer<RoleClient> {
        self.service.peer()
    }

    pub(crate) fn standard_error(&self) -> String {
        self.standard_error.text()
    }

    pub(crate) fn is_open(&self) -> bool {
        let is_heard = !self.allowance.has_ended() && !self.service.is_closed();
        is_heard && !self.service.peer().is_transport_closed()
    }

    /// Renews the server's allowance for output after a request.
    pub(crate) fn renew(&self) {
        self.allowance.renew();
    }

    /// Lists its tools, page by page, up to the limit.
    ///
    /// # Errors
    /// `tool_failed`: it does not list them, or not in time.
    pub(crate) async fn list(&self, name: &str) -> Result<Listing, Error> {
        let has_tools = self.service.peer().peer_info().is_none_or(|peer| peer.capabilities.tools.is_some());
        if !has_tools {
            return Ok(Listing::default());
        }
        let pages = async {
            let (mut tools, mut cursor) = (Vec::new(), None);
            for _ in 0..MOST_PAGES {
                let asked = PaginatedRequestParams::default().with_cursor(cursor);
                let page = self.service.peer().list_tools(Some(asked)).await?;
                tools.extend(page.tools);
                cursor = page.next_cursor.filter(|_| tools.len() < MOST_TOOLS);
                if cursor.is_none() {
                    break;
                }
            }
            Ok(tools)
        };
        match timeout(LIST_TIMEOUT, pages).await {
            Ok(Ok(tools)) => Ok(Listing::read(tools)),
            Ok(Err(error)) => Err(refusal(name, &error).unwrap_or_else(|| unlisted(name, &why(&error)))),
            Err(_) => Err(unlisted(
                name,
                &phrase!("no answer in {seconds} seconds", seconds = LIST_TIMEOUT.as_secs()),
            )),
        }
    }

    /// Calls a tool once, or resumes a call after its question; dropping the future cancels the call at the server.
    pub(crate) async fn call(
        &self,
        tool: &str,
        input: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<CallOutcome, CallFailure> {
        self.allowance.renew();
        let (peer, allowance, given) = (self.service.peer(), &self.allowance, context.given.as_ref());
        let calling = CallRequest { peer, allowance, tool, input, given, cancel: &context.cancel };
        let failed = match self.calls.call(calling).await {
            Ok(called) => return Ok(called),
            Err(CallError::Other(reason)) => {
                return Err(CallFailure { reason, was_heard: false, failed: None });
            }
            Err(CallError::Service(ServiceError::McpError(error))) => {
                // After these errors it is certain that nothing was executed.
                let refusals =
                    [ErrorCode::METHOD_NOT_FOUND, ErrorCode::INVALID_PARAMS, ErrorCode::INVALID_REQUEST];
                let was_heard = given.is_none() && refusals.contains(&error.code);
                let reason = Phrase::verbatim(plain(&error.message, 2000));
                return Err(CallFailure { reason, was_heard, failed: None });
            }
            Err(CallError::Service(error)) => error,
        };
        if self.allowance.is_used_up() {
            let reason = phrase!("it sent too much data");
            return Err(CallFailure { reason, was_heard: false, failed: Some(failed) });
        }
        let ending = match self.process.lock().await.as_mut() {
            Some(process) if !self.is_open() || matches!(failed, ServiceError::TransportClosed) => {
                process.ended().await
            }
            _ => None,
        };
        let reason = match ending {
            Some(last) => phrase!("it ended: {last}", last),
            None => why(&failed),
        };
        Err(CallFailure { reason, was_heard: false, failed: Some(failed) })
    }

    /// Closes the connection, and ends its process with all children.
    pub(crate) async fn close(&self) {
        self.stop();
        if let Some(process) = self.process.lock().await.take() {
            process.end().await;
        }
    }

    /// Requests the end without waiting: the guard does the rest.
    pub(crate) fn stop(&self) {
        self.service.cancellation_token().cancel();
        self.stale.notify_one();
        if let Ok(process) = self.process.try_lock()
            && let Some(process) = process.as_ref()
        {
            process.terminate();
        }
    }
}

/// Servers of the newer protocol report changes only to subscribers.
async fn hear_changes(peer: Peer<RoleClient>, stale: Arc<Notify>) {
    let wanted = SubscriptionFilter::builder().tools_list_changed().build();
    // A server without subscriptions is listed again at its next start.
    let Ok(mut changes) = peer.listen(wanted).await else { return };
    while let Ok(Some(_)) = changes.next().await {
        stale.notify_one();
    }
}

/// Why a call failed.
pub(crate) struct CallFailure {
    pub(crate) reason: Phrase,
    /// Whether the server answered that it did not execute the call.
    pub(crate) was_heard: bool,
    /// The error of the request.
    pub(crate) failed: Option<ServiceError>,
}

fn unlisted(name: &str, why: &Phrase) -> Error {
    Error::new(
        Code::ToolFailed,
        phrase!("The tool server `{name}` does not list its tools: {why}", name, why),
    )
}
