//! One connection to a server: made in either era of the protocol, asked for tools, and called.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientConfig, ErrorData, Implementation, ListRootsRequestMethod,
    ProtocolVersion, SubscriptionFilter,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, NotificationContext, Peer, RequestContext, RoleClient,
    RunningService, ServiceError, serve_client_with_lifecycle,
};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::config::{ServerConfig, Transport};
use crate::flood::{Allowance, Bounded};
use crate::listing::{Listing, plain};
use crate::process::{Said, ServerProcess, start};

/// How long a server may take until it is ready: `npx` and `uvx` may have to fetch it first.
const READY: Duration = Duration::from_secs(120);
/// How long it may take to list its tools.
const LIST: Duration = Duration::from_secs(30);
/// The longest message of a server, in bytes.
const LONGEST_MESSAGE: usize = 8 << 20;

/// Which protocol a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// It begins with `initialize`.
    Initialize,
    /// It is asked with `server/discover`, as of 2026-07-28.
    Discover,
}

/// What is needed to reach a server.
pub(crate) struct Reach<'a> {
    /// The program that can be started as a guard.
    pub(crate) galley: Option<PathBuf>,
    pub(crate) name: &'a str,
    pub(crate) config: &'a ServerConfig,
    /// Variables or headers with their values.
    pub(crate) given: BTreeMap<String, SecretString>,
}

/// A server that answers.
pub(crate) struct Connection {
    service: RunningService<RoleClient, Handler>,
    process: tokio::sync::Mutex<Option<ServerProcess>>,
    said: Arc<Said>,
    allowance: Allowance,
    /// Told when the server says that its tools changed, and when the connection is closed.
    pub(crate) stale: Arc<Notify>,
    pub(crate) era: Era,
}

/// What a server may ask of the program: nothing but whether it is there.
#[derive(Clone, Default)]
struct Handler {
    stale: Arc<Notify>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(Default::default(), Implementation::new("galley", env!("CARGO_PKG_VERSION")))
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
    /// Connects. A server of the older protocol that ends at the question of the newer one is started again for the older.
    ///
    /// # Errors
    /// `tool_failed` with what the server said last, where it does not start or speaks neither.
    pub(crate) async fn open(reach: &Reach<'_>, known: Option<Era>) -> Result<Connection, Error> {
        let first = match known {
            Some(Era::Initialize) => ClientLifecycleMode::Initialize,
            _ => ClientLifecycleMode::Auto {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
                legacy_version: Some(ProtocolVersion::V_2025_11_25),
            },
        };
        let failed = match attempt(reach, first.clone()).await {
            Ok(connection) => return Ok(connection),
            Err(failed) => failed,
        };
        let second = match first {
            ClientLifecycleMode::Initialize => {
                ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
            }
            _ if failed.has_ended => ClientLifecycleMode::Initialize,
            _ => return Err(failed.told(reach.name)),
        };
        attempt(reach, second).await.map_err(|_| failed.told(reach.name))
    }

    fn of(
        service: RunningService<RoleClient, Handler>,
        process: Option<ServerProcess>,
        said: Arc<Said>,
        allowance: Allowance,
    ) -> Connection {
        let peer = service.peer();
        let is_new = peer.peer_info().is_some_and(|info| !info.protocol_version.has_initialize());
        let stale = service.service().stale.clone();
        if is_new {
            tokio::spawn(hear_changes(peer.clone(), stale.clone()));
        }
        let era = if is_new { Era::Discover } else { Era::Initialize };
        Connection { service, process: tokio::sync::Mutex::new(process), said, allowance, stale, era }
    }

    /// What the server calls itself, with its version; empty where it does not say.
    pub(crate) fn title(&self) -> String {
        let info = self.service.peer().peer_info().and_then(|peer| peer.server_info.clone());
        info.map(|info| plain(&format!("{} {}", info.title.unwrap_or(info.name), info.version), 200))
            .unwrap_or_default()
    }

    pub(crate) fn said(&self) -> String {
        self.said.text()
    }

    pub(crate) fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.service.peer().is_transport_closed()
    }

    pub(crate) async fn list(&self, name: &str) -> Result<Listing, Error> {
        self.allowance.renew();
        let has_tools = self.service.peer().peer_info().is_none_or(|peer| peer.capabilities.tools.is_some());
        if !has_tools {
            return Ok(Listing::default());
        }
        match timeout(LIST, self.service.peer().list_all_tools()).await {
            Ok(Ok(tools)) => Ok(Listing::read(tools)),
            Ok(Err(error)) => Err(unlisted(name, &why(&error))),
            Err(_) => {
                Err(unlisted(name, &phrase!("no answer in {seconds} seconds", seconds = LIST.as_secs())))
            }
        }
    }

    /// Calls a tool once; dropping the future cancels the call at the server.
    pub(crate) async fn call(
        &self,
        tool: &str,
        input: Map<String, Value>,
    ) -> Result<CallToolResponse, Broken> {
        self.allowance.renew();
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(input);
        let failed = match self.service.peer().call_tool_once(request).await {
            Ok(response) => return Ok(response),
            Err(ServiceError::McpError(error)) => {
                return Err(Broken {
                    reason: Phrase::verbatim(plain(&error.message, 2000)),
                    was_heard: true,
                });
            }
            Err(error) => error,
        };
        if self.allowance.is_used_up() {
            return Err(Broken { reason: phrase!("it said more than anybody asked for"), was_heard: false });
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
        Err(Broken { reason, was_heard: false })
    }

    /// Ends it, and its process with all that this started.
    pub(crate) async fn close(&self) {
        self.service.cancellation_token().cancel();
        self.stale.notify_one();
        if let Some(process) = self.process.lock().await.take() {
            process.end().await;
        }
    }
}

/// Servers of the newer protocol tell changes only to who subscribed to them.
async fn hear_changes(peer: Peer<RoleClient>, stale: Arc<Notify>) {
    let wanted = SubscriptionFilter::builder().tools_list_changed().build();
    // A server may know no subscriptions: its tools are listed again when it is started again.
    let Ok(mut changes) = peer.listen(wanted).await else { return };
    while let Ok(Some(_)) = changes.next().await {
        stale.notify_one();
    }
}

/// Why a call came to nothing.
pub(crate) struct Broken {
    pub(crate) reason: Phrase,
    /// Whether the server answered that it did not do it.
    pub(crate) was_heard: bool,
}

/// Why a connection was not made.
struct Unopened {
    reason: Phrase,
    /// Whether the server's process ended, rather than refused.
    has_ended: bool,
}

impl Unopened {
    fn refused(reason: Phrase) -> Unopened {
        Unopened { reason, has_ended: false }
    }

    fn told(self, name: &str) -> Error {
        let message = phrase!(
            "The tool server `{name}` cannot be used: {why}. `galley tool-server test {name}` tries it again",
            name,
            why = self.reason
        );
        Error::new(Code::ToolFailed, message)
    }
}

async fn attempt(reach: &Reach<'_>, lifecycle: ClientLifecycleMode) -> Result<Connection, Unopened> {
    let transport = reach.config.transport(reach.name).map_err(|error| Unopened::refused(*error.phrase))?;
    match transport {
        Transport::Program(command) => of_program(reach, command, lifecycle).await,
        Transport::Address(url) => of_address(reach, &url, lifecycle).await,
    }
}

async fn of_program(
    reach: &Reach<'_>,
    command: &str,
    lifecycle: ClientLifecycleMode,
) -> Result<Connection, Unopened> {
    let said = Arc::new(Said::default());
    let (mut process, (output, input)) =
        start(reach.galley.as_deref(), command, reach.config, &reach.given, &said)
            .map_err(|error| Unopened::refused(Phrase::verbatim(error.to_string())))?;
    let allowance = Allowance::default();
    let bounded = Bounded { stream: output, allowance: allowance.clone() };
    let transport = AsyncRwTransport::new(bounded, input).with_max_line_length(LONGEST_MESSAGE);
    let reason = match serve(transport, lifecycle).await {
        Ok(service) => {
            return Ok(Connection::of(service, Some(process), said, allowance));
        }
        Err(reason) => reason,
    };
    // Its input is closed with the transport, so that what is no server ends, too.
    let ending = process.ended().await;
    let has_ended = ending.is_some();
    let reason = ending.map_or(reason, |last| phrase!("it ended: {last}", last));
    process.end().await;
    Err(Unopened { reason, has_ended })
}

async fn of_address(
    reach: &Reach<'_>,
    url: &reqwest::Url,
    lifecycle: ClientLifecycleMode,
) -> Result<Connection, Unopened> {
    // Headers may hold keys: they go to the address that the person gave, and not where it sends one on.
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build();
    let client = client.map_err(|error| Unopened::refused(Phrase::verbatim(error.to_string())))?;
    let mut headers = HashMap::new();
    for (name, value) in &reach.given {
        let read = (HeaderName::from_str(name).ok(), HeaderValue::from_str(value.expose_secret()).ok());
        let (Some(header), Some(mut value)) = read else {
            return Err(Unopened::refused(phrase!("`{name}` cannot be sent as a header", name)));
        };
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str()).custom_headers(headers);
    config.max_sse_event_size = LONGEST_MESSAGE;
    config.max_json_response_size = LONGEST_MESSAGE;
    let transport = StreamableHttpClientTransport::with_client(client, config);
    let service = serve(transport, lifecycle).await.map_err(Unopened::refused)?;
    Ok(Connection::of(service, None, Arc::default(), Allowance::default()))
}

async fn serve<T, E, A>(
    transport: T,
    lifecycle: ClientLifecycleMode,
) -> Result<RunningService<RoleClient, Handler>, Phrase>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    match timeout(READY, serve_client_with_lifecycle(Handler::default(), transport, lifecycle)).await {
        Ok(served) => served.map_err(|error| unready(&error)),
        Err(_) => Err(phrase!("it was not ready in {seconds} seconds", seconds = READY.as_secs())),
    }
}

fn unready(error: &ClientInitializeError) -> Phrase {
    match error {
        ClientInitializeError::JsonRpcError(error) => Phrase::verbatim(plain(&error.message, 500)),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => unready(fallback),
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let versions: Vec<String> =
                server_supported.iter().map(|version| plain(&version.to_string(), 40)).collect();
            phrase!("it speaks other versions of the protocol: {versions}", versions)
        }
        _ => phrase!("it does not speak the protocol of tool servers"),
    }
}

fn why(error: &ServiceError) -> Phrase {
    match error {
        ServiceError::McpError(error) => Phrase::verbatim(plain(&error.message, 2000)),
        ServiceError::TransportClosed | ServiceError::TransportSend(_) => phrase!("the connection broke"),
        ServiceError::UnexpectedResponse => phrase!("its answer is none of the protocol"),
        _ => Phrase::verbatim(plain(&error.to_string(), 300)),
    }
}

fn unlisted(name: &str, why: &Phrase) -> Error {
    Error::new(
        Code::ToolFailed,
        phrase!("The tool server `{name}` does not list its tools: {why}", name, why),
    )
}
