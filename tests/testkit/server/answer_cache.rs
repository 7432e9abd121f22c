//! Answers kept for bodies that come again: a benchmark measures the program, not the model that is played.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, Response, Uri};

use super::{Shared, lock};
use crate::server::Model;
use crate::wire::{Played, Step};

impl Shared {
    /// The news model's answer to a body it has seen. Only a server that keeps no requests takes this way.
    pub(super) async fn kept_answer(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: &Bytes,
    ) -> Option<Response<Body>> {
        let Model::News(news) = &self.model else { return None };
        if self.options.keep_requests || method != Method::POST || uri.path() != "/v1/chat/completions" {
            return None;
        }
        if let Some(key) = &self.options.key {
            let given = headers.get("authorization")?.to_str().ok()?;
            (given.strip_prefix("Bearer ")? == key).then_some(())?;
        }
        let kept = lock(&self.kept_answers).get(body).cloned()?;
        self.arrived.send_modify(|count| *count += 1);
        if !news.latency.is_zero() {
            tokio::time::sleep(news.latency).await;
        }
        let is_stream = kept.starts_with(b"data:");
        let content_type = if is_stream { "text/event-stream; charset=utf-8" } else { "application/json" };
        let mut response = Response::new(Body::from(kept));
        response.headers_mut().insert("content-type", HeaderValue::from_static(content_type));
        Some(response)
    }

    pub(super) fn keep_answer(&self, body: Bytes, played: &Played) {
        let is_news = matches!(self.model, Model::News(_)) && !self.options.keep_requests;
        let [Step::Send(bytes)] = played.steps.as_slice() else { return };
        if !is_news || played.status != 200 {
            return;
        }
        let mut kept = lock(&self.kept_answers);
        if kept.len() >= 4096 {
            kept.clear();
        }
        kept.insert(body, bytes.clone());
    }
}
