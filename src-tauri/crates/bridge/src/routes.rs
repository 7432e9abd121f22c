//! The three HTTP endpoints: the page, a command, a watch.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, FromRequest, Query, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use desk::{ApiError, Desk, ErrorCode, Phrase};
use futures::StreamExt;
use serde::Deserialize;
use serde_json::Value;

use crate::guard::refusal;
use crate::{files, guard};

/// Largest body, in bytes: a draft, a template or a list of paths is smaller.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// The timeout for a body.
const BODY_WITHIN: Duration = Duration::from_secs(60);

/// The content security policy of the window, without the window's own channel to the program.
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; \
    object-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'";

struct Served {
    desk: Desk,
    token: String,
    page: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Asked {
    cmd: String,
    #[serde(default)]
    payload: Value,
}

#[derive(Deserialize)]
struct Watched {
    run: Option<String>,
    #[serde(default)]
    from_seq: u32,
    token: Option<String>,
}

pub(crate) fn router(desk: Desk, token: String, page: Option<PathBuf>) -> Router {
    Router::new()
        .route("/rpc", post(rpc))
        .route("/watch", get(watch))
        .fallback(get(file))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn(guard::only_loopback))
        .with_state(Arc::new(Served { desk, token, page }))
}

/// The body is read only with a valid token, and within the timeout.
async fn rpc(State(served): State<Arc<Served>>, request: Request) -> Response {
    if let Err(refused) = guard::check(&served.token, guard::bearer(request.headers())) {
        return *refused;
    }
    let asked = match tokio::time::timeout(BODY_WITHIN, Json::<Asked>::from_request(request, &())).await {
        Ok(Ok(Json(asked))) => asked,
        Err(_) => {
            let message = "The request did not come whole in time; send it again";
            return refusal(
                StatusCode::REQUEST_TIMEOUT,
                &ApiError::new(ErrorCode::Timeout, Phrase::verbatim(message)),
            );
        }
        Ok(Err(error)) => {
            let message = format!("The request cannot be read: {}", error.body_text());
            return refusal(error.status(), &ApiError::new(ErrorCode::BadInput, Phrase::verbatim(message)));
        }
    };
    match served.desk.rpc(&asked.cmd, asked.payload).await {
        Ok(answer) => Json(answer).into_response(),
        Err(error) => refusal(status(error.code), &error),
    }
}

/// EventSource cannot send headers, so the token is in the address.
async fn watch(State(served): State<Arc<Served>>, Query(asked): Query<Watched>) -> Response {
    if let Err(refused) = guard::check(&served.token, asked.token.as_deref()) {
        return *refused;
    }
    let items = served.desk.runs().watch(asked.run.filter(|run| !run.is_empty()), asked.from_seq);
    let events = items.map(|item| Ok::<Event, Infallible>(Event::default().data(item.to_string())));
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

async fn file(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    let Some(page) = served.page.clone() else {
        return (
            StatusCode::NOT_FOUND,
            "The page is not built; `make run` builds it, or name its folder with --ui",
        )
            .into_response();
    };
    let path = uri.path().to_owned();
    let found = tokio::task::spawn_blocking(move || files::read(&page, &path)).await.ok().flatten();
    let Some((kind, bytes)) = found else {
        return (StatusCode::NOT_FOUND, "There is no such file in the page").into_response();
    };
    let head: [(HeaderName, HeaderValue); 5] = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (head, bytes).into_response()
}

fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::Busy | ErrorCode::Waiting => StatusCode::CONFLICT,
        ErrorCode::Internal
        | ErrorCode::DatabaseNewer
        | ErrorCode::DatabaseCorrupt
        | ErrorCode::DatabaseMissing
        | ErrorCode::DatabaseLocked
        | ErrorCode::DiskFull
        | ErrorCode::ReadOnly => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::BadInput
        | ErrorCode::KeyRefused
        | ErrorCode::KeyUnavailable
        | ErrorCode::QuotaExhausted
        | ErrorCode::RateLimited
        | ErrorCode::Overloaded
        | ErrorCode::Timeout
        | ErrorCode::Network
        | ErrorCode::ContentRefused
        | ErrorCode::RequestRefused
        | ErrorCode::ContextExceeded
        | ErrorCode::MalformedAnswer
        | ErrorCode::LimitReached
        | ErrorCode::ToolFailed
        | ErrorCode::PermissionNeeded
        | ErrorCode::ContractBroken
        | ErrorCode::ReplayDiffers
        | ErrorCode::Cancelled => StatusCode::BAD_REQUEST,
    }
}
