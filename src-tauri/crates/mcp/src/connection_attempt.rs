//! Opens a connection: over the streams of a process, or to an address.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use kernel::{Code, Error, Phrase, phrase};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::ProtocolVersion;
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, RoleClient, RunningService, serve_client_with_lifecycle,
};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{DynamicTransportError, IntoTransport, StreamableHttpClientTransport};
use secrecy::ExposeSecret;
use tokio::time::timeout;

use crate::authorization::{AuthorizedClient, refusal};
use crate::calls::Calls;
use crate::config::Transport;
use crate::connection::{Connection, Era, Handler, Reach, START_TIMEOUT};
use crate::flood::{Allowance, Bounded, LONGEST_MESSAGE};
use crate::listing::plain;
use crate::process::{StandardError, start};
use crate::service_errors::innermost;

/// Why a connection could not be opened.
struct OpenError {
    reason: Phrase,
    /// Whether the server was started or contacted at all.
    has_begun: bool,
    /// Whether the server exited, and did not just refuse.
    has_ended: bool,
    /// The error for the user when a sign-in is needed.
    refusal: Option<Error>,
}

impl OpenError {
    /// The error before anything was started.
    fn refused(reason: Phrase) -> OpenError {
        OpenError { reason, has_begun: false, has_ended: false, refusal: None }
    }

    fn error(&self, name: &str) -> Error {
        if let Some(refusal) = &self.refusal {
            return refusal.clone();
        }
        let message = phrase!(
            "The tool server `{name}` cannot be used: {why}. `galley tool-server test {name}` tries it again",
            name,
            why = self.reason.clone()
        );
        Error::new(Code::ToolFailed, message)
    }
}

impl Connection {
    /// Connects. A server may exit at the request of the newer protocol, or be downloaded for so long that it answers
    /// after the older one was begun: then it is started again for only one of them.
    ///
    /// # Errors
    /// `tool_failed` with the server's last message, when it does not start or speaks neither protocol.
    pub(crate) async fn open(reach: &Reach<'_>, known: Option<Era>) -> Result<Connection, Error> {
        let newer = || vec![ProtocolVersion::V_2026_07_28];
        let either = ClientLifecycleMode::Auto {
            preferred_versions: newer(),
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        };
        let alone =
            [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions: newer() }];
        let tried = (known != Some(Era::Initialize)).then_some(either).into_iter().chain(alone);
        let begun = Instant::now();
        let mut first = None;
        for lifecycle in tried {
            let is_older = matches!(lifecycle, ClientLifecycleMode::Initialize);
            match attempt(reach, lifecycle).await {
                Ok(connection) => return Ok(connection),
                Err(failed) => {
                    // A server that does not start, or exits at any request, is not tried again.
                    let ends_anyway = is_older && failed.has_ended;
                    let is_over = !failed.has_begun || ends_anyway || failed.refusal.is_some();
                    // An error message of the server says more than its exit.
                    if first.as_ref().is_none_or(|first: &OpenError| first.has_ended && !failed.has_ended) {
                        first = Some(failed);
                    }
                    let Some(failed) = &first else { continue };
                    if is_over || begun.elapsed() >= START_TIMEOUT {
                        return Err(failed.error(reach.name));
                    }
                }
            }
        }
        let unknown = || OpenError::refused(phrase!("it does not speak the protocol of tool servers"));
        Err(first.unwrap_or_else(unknown).error(reach.name))
    }
}

/// Tries to connect once.
async fn attempt(reach: &Reach<'_>, lifecycle: ClientLifecycleMode) -> Result<Connection, OpenError> {
    let transport = reach.config.transport(reach.name).map_err(|error| OpenError::refused(*error.phrase))?;
    match transport {
        Transport::Program(command) => of_program(reach, command, lifecycle).await,
        Transport::Address(url) => of_address(reach, &url, lifecycle).await,
    }
}

async fn of_program(
    reach: &Reach<'_>,
    command: &str,
    lifecycle: ClientLifecycleMode,
) -> Result<Connection, OpenError> {
    let standard_error = Arc::new(StandardError::default());
    let (mut process, (output, input)) =
        start(reach.galley.as_deref(), command, reach.config, &reach.given, &standard_error)
            .map_err(|error| OpenError::refused(Phrase::verbatim(error.to_string())))?;
    let allowance = Allowance::default();
    let bounded = Bounded { stream: output, allowance: allowance.clone() };
    let transport = AsyncRwTransport::new(bounded, input).with_max_line_length(LONGEST_MESSAGE);
    let OpenError { reason, has_ended, .. } = match serve(reach.name, transport, lifecycle, &allowance).await
    {
        Ok((service, calls)) => {
            return Ok(Connection::of(service, Some(process), standard_error, allowance, calls));
        }
        Err(unopened) => unopened,
    };
    // The transport closes its input, so that a program that is no server exits, too.
    let ending = process.ended().await;
    let reason = ending.map_or(reason, |last| phrase!("it ended: {last}", last));
    process.end().await;
    Err(OpenError { reason, has_begun: true, has_ended, refusal: None })
}

async fn of_address(
    reach: &Reach<'_>,
    url: &reqwest::Url,
    lifecycle: ClientLifecycleMode,
) -> Result<Connection, OpenError> {
    // Headers may contain keys: they are sent only to the configured address, not to redirects.
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build();
    let client = client.map_err(|error| OpenError::refused(Phrase::verbatim(error.to_string())))?;
    let mut headers = HashMap::new();
    for (name, value) in &reach.given {
        let read = (HeaderName::from_str(name).ok(), HeaderValue::from_str(value.expose_secret()).ok());
        let (Some(header), Some(mut value)) = read else {
            return Err(OpenError::refused(phrase!("`{name}` cannot be sent as a header", name)));
        };
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str()).custom_headers(headers);
    config.max_sse_event_size = LONGEST_MESSAGE;
    config.max_json_response_size = LONGEST_MESSAGE;
    let client = AuthorizedClient { http: client, authorization: reach.authorization.clone() };
    let transport = StreamableHttpClientTransport::with_client(client, config);
    let allowance = Allowance::default();
    let (service, calls) = serve(reach.name, transport, lifecycle, &allowance).await?;
    Ok(Connection::of(service, None, Arc::default(), allowance, calls))
}

async fn serve<T, E, A>(
    name: &str,
    transport: T,
    lifecycle: ClientLifecycleMode,
    allowance: &Allowance,
) -> Result<(RunningService<RoleClient, Handler>, Calls), OpenError>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let (handler, calls) = Handler::new(allowance.clone());
    match timeout(START_TIMEOUT, serve_client_with_lifecycle(handler, transport, lifecycle)).await {
        Ok(served) => served.map(|service| (service, calls)).map_err(|error| OpenError {
            reason: unready(&error),
            has_begun: true,
            has_ended: has_ended(&error),
            refusal: transport_error(&error).and_then(|error| refusal(name, error)),
        }),
        Err(_) => {
            let seconds = START_TIMEOUT.as_secs();
            let reason = phrase!("it was not ready in {seconds} seconds", seconds);
            Err(OpenError { reason, has_begun: true, has_ended: false, refusal: None })
        }
    }
}

/// Whether the server closed its streams, with any exit code.
fn has_ended(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => has_ended(fallback),
        ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => true,
        _ => false,
    }
}

/// The error of the request that opens the connection.
fn transport_error(error: &ClientInitializeError) -> Option<&DynamicTransportError> {
    match error {
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => transport_error(fallback),
        ClientInitializeError::TransportError { error, .. } => Some(error),
        _ => None,
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
        ClientInitializeError::TransportError { error, .. } => {
            Phrase::verbatim(plain(&innermost(error), 300))
        }
        _ => phrase!("it does not speak the protocol of tool servers"),
    }
}
