//! A collector of spans that keeps what it gets. It reads nothing of it: a test does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;

use super::loopback::{FreePlace, Loopback};

/// No message of a test is larger, in bytes.
const LARGEST: usize = 16 << 20;

/// How a collector answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collects {
    /// It takes everything.
    Everything,
    /// It refuses everything with 503.
    Nothing,
    /// It takes requests and never answers.
    WithoutAnAnswer,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Export {
    /// Method and path: `POST /v1/traces`.
    pub line: String,
    pub media_type: String,
    pub body: Vec<u8>,
}

/// A running collector; it ends when this is dropped.
pub struct SpanCollector {
    /// `http://127.0.0.1:PORT`.
    pub base_url: String,
    exports: Arc<Mutex<Vec<Export>>>,
    _loopback: Loopback,
}

impl SpanCollector {
    pub fn start(collects: Collects) -> SpanCollector {
        let place = FreePlace::find();
        let base_url = place.base_url.clone();
        let exports = Arc::<Mutex<Vec<Export>>>::default();
        let kept = exports.clone();
        let router = Router::new().fallback(move |request: Request| {
            let kept = kept.clone();
            async move {
                let header = request.headers().get("content-type").and_then(|kind| kind.to_str().ok());
                let media_type = header.unwrap_or_default().to_owned();
                let line = format!("{} {}", request.method(), request.uri());
                let body = axum::body::to_bytes(request.into_body(), LARGEST).await.unwrap_or_default();
                lock(&kept).push(Export { line, media_type, body: body.to_vec() });
                match collects {
                    // An empty answer says that all was taken.
                    Collects::Everything => {
                        ([("content-type", "application/x-protobuf")], Bytes::new()).into_response()
                    }
                    Collects::Nothing => StatusCode::SERVICE_UNAVAILABLE.into_response(),
                    Collects::WithoutAnAnswer => {
                        tokio::time::sleep(Duration::from_secs(600)).await;
                        StatusCode::OK.into_response()
                    }
                }
            }
        });
        SpanCollector { base_url, exports, _loopback: place.serve("span-collector", router) }
    }

    /// What came so far.
    pub fn exports(&self) -> Vec<Export> {
        lock(&self.exports).clone()
    }
}

fn lock(exports: &Mutex<Vec<Export>>) -> MutexGuard<'_, Vec<Export>> {
    exports.lock().unwrap_or_else(PoisonError::into_inner)
}
