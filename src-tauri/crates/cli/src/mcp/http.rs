//! The protocol over HTTP on 127.0.0.1, for clients with the token.
//!
//! A page in a browser is no client: requests with an `Origin` are rejected, and so are other host names that resolve
//! to this address.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Router, serve as serve_http};
use desk::{ApiError, ErrorCode, Phrase, is_same_secret, new_secret};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use super::CLOSING;
use super::server::Server;
use crate::option_values::refused;
use crate::output;
use crate::run_follower::Stop;

/// The environment variable with the token.
const TOKEN_VARIABLE: &str = "GALLEY_MCP_TOKEN";
/// Shortest token in bytes; a shorter one could be guessed.
const SHORTEST_TOKEN: usize = 16;
const PATH: &str = "/mcp";
/// How long an idle session is kept.
const SESSION_IDLE: Duration = Duration::from_secs(2 * 60 * 60);
/// Most sessions at once.
const MOST_SESSIONS: usize = 64;
/// The headers with the session and with the protocol version.
const SESSION_HEADER: &str = "mcp-session-id";
const VERSION_HEADER: &str = "mcp-protocol-version";

/// The checks of a request.
struct AccessCheck {
    token: String,
    sessions: Arc<LocalSessionManager>,
}

/// Serves requests until the process is asked to stop.
///
/// # Errors
/// `bad_input` if the token is too short or invalid in a header, or the port is in use; `internal` if the socket fails.
pub(crate) async fn serve(server: &Server, port: u16, mut stop: Stop) -> Result<(), ApiError> {
    let given = std::env::var(TOKEN_VARIABLE).ok().filter(|token| !token.is_empty());
    if given.as_ref().is_some_and(|token| token.len() < SHORTEST_TOKEN) {
        return Err(refused(format!(
            "{TOKEN_VARIABLE} has fewer than {SHORTEST_TOKEN} characters; give it a longer token"
        )));
    }
    // A header can carry only such tokens; with any other, no request could succeed.
    if given.as_ref().is_some_and(|token| !token.bytes().all(|byte| byte.is_ascii_graphic())) {
        return Err(refused(format!(
            "{TOKEN_VARIABLE} has blanks or characters beyond ASCII; give it a token of letters, digits and signs"
        )));
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| {
        refused(format!("The port {port} of 127.0.0.1 cannot be taken: {error}; choose another with --port"))
    })?;
    let failed = |error: std::io::Error| {
        let message = format!("The MCP server broke off: {error}; start it again");
        ApiError::new(ErrorCode::Internal, Phrase::verbatim(message))
    };
    let port = listener.local_addr().map_err(failed)?.port();
    output::tell(&format!("The MCP server answers at http://127.0.0.1:{port}{PATH}"));
    let token = given.unwrap_or_else(|| {
        let token = new_secret();
        output::tell(&format!("Every request needs the header Authorization: Bearer {token}"));
        token
    });
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts([format!("127.0.0.1:{port}"), format!("localhost:{port}")])
        .enforce_origin_validation()
        .with_cancellation_token(server.closing());
    let mut sessions = LocalSessionManager::default();
    // A run may report nothing for a long time; its session is kept.
    sessions.session_config.keep_alive = Some(SESSION_IDLE);
    let (own, sessions) = (server.clone(), Arc::new(sessions));
    let service = StreamableHttpService::new(move || Ok(own.clone()), sessions.clone(), config);
    let access = Arc::new(AccessCheck { token, sessions });
    let router = Router::new()
        .route_service(PATH, service)
        .layer(middleware::from_fn_with_state(access.clone(), only_with_place))
        .layer(middleware::from_fn_with_state(access, only_with_token));
    let serving = serve_http(listener, router).with_graceful_shutdown(server.closing().cancelled_owned());
    tokio::select! {
        served = serving.into_future() => served.map_err(failed),
        // An incomplete request would keep the server open for ever.
        () = async {
            stop.requested().await;
            server.close();
            tokio::select! {
                () = tokio::time::sleep(CLOSING) => {}
                // On a second signal, stored data is safe, and nothing else is waited for.
                () = stop.requested() => std::process::exit(130),
            }
        } => Ok(()),
    }
}

async fn only_with_token(State(access): State<Arc<AccessCheck>>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|given| given.to_str().ok());
    if given.and_then(|given| given.split_once(' ')).is_some_and(|(scheme, given)| {
        scheme.eq_ignore_ascii_case("Bearer") && is_same_secret(given, &access.token)
    }) {
        return next.run(request).await;
    }
    let words = "The token is missing or wrong; send the header Authorization: Bearer TOKEN with the one that was printed";
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], words).into_response()
}

async fn only_with_place(State(access): State<Arc<AccessCheck>>, request: Request, next: Next) -> Response {
    if begins_session(&request) && access.sessions.sessions.read().await.len() >= MOST_SESSIONS {
        let words =
            format!("{MOST_SESSIONS} sessions are open already; end one with DELETE, or try again later");
        return (StatusCode::SERVICE_UNAVAILABLE, words).into_response();
    }
    next.run(request).await
}

/// Whether a request starts a session: it has none, and its version has sessions.
fn begins_session(request: &Request) -> bool {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let has_sessions = |version: &str| version < ProtocolVersion::V_2026_07_28.as_str();
    request.method() == Method::POST
        && header(SESSION_HEADER).is_none()
        && header(VERSION_HEADER).is_none_or(has_sessions)
}
