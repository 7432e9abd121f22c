//! Access control: requests must name the loopback host and bring the token.

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use desk::{ApiError, ErrorCode, Phrase};

const HOSTS: [&str; 2] = ["127.0.0.1", "localhost"];

/// Refuses other host names, which could point here through DNS rebinding.
pub(crate) async fn only_loopback(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let is_own = match host.rsplit_once(':') {
        Some((name, port)) => HOSTS.contains(&name) && port.parse::<u16>().is_ok(),
        None => HOSTS.contains(&host),
    };
    if !is_own {
        return (StatusCode::FORBIDDEN, "The bridge answers only as 127.0.0.1 or localhost").into_response();
    }
    next.run(request).await
}

/// Refuses a request without the token.
pub(crate) fn check(token: &str, given: Option<&str>) -> Result<(), Box<Response>> {
    if given.is_some_and(|given| desk::is_same_secret(given, token)) {
        return Ok(());
    }
    let error = ApiError::new(
        ErrorCode::KeyRefused,
        Phrase::verbatim("The bridge's token is missing or wrong; open the address it printed"),
    );
    Err(Box::new(refusal(StatusCode::UNAUTHORIZED, &error)))
}

/// The bearer token in the headers of a request.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

pub(crate) fn refusal(status: StatusCode, error: &ApiError) -> Response {
    (status, Json(error)).into_response()
}
