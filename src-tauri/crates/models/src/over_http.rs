//! Asks a model over HTTP: one way for every dialect.
//!
//! One request, whether it is streamed or not: when a server answers in one piece what was asked for as a stream, the
//! piece is taken. Every body is bounded, of answers and of refusals.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Model, TextSink};
use kernel::{Code, Fault, ModelReply, ModelRequest};
use reqwest::Url;
use reqwest::header::CONTENT_TYPE;
use serde::Serialize;
use tokio::time::Instant;

use crate::answer::{self, Answer};
use crate::http::{self, Events, Framing};
use crate::line::Line;
use crate::reading::{Frames, Reader};
use crate::{Delivery, fault};

/// So long is waited for more text of an answer that may be complete.
const LINGER: Duration = Duration::from_secs(10);

/// What a provider does in its own way.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// How its streams are cut into events.
    const FRAMING: Framing;
    /// Headers it wants besides the key.
    const HEADERS: &[(&str, &str)] = &[];
    /// Whether it is not asked without a key, because it would answer nobody.
    const NEEDS_KEY: bool = false;

    /// Where a model is asked.
    fn url(&self, line: &Line, model: &str, is_stream: bool) -> Url;

    /// The body of a request.
    fn body(&self, request: &ModelRequest, is_stream: bool) -> Result<impl Serialize, Fault>;

    /// A reader of its answers.
    fn reader(&self) -> Box<dyn Reader>;
}

struct OverHttp<P> {
    protocol: P,
    line: Line,
    is_stream: bool,
}

/// The models behind a line.
pub(crate) fn model(protocol: impl Protocol, line: Line, delivery: Delivery) -> Arc<dyn Model> {
    Arc::new(OverHttp { protocol, line, is_stream: delivery == Delivery::Streamed })
}

#[async_trait]
impl<P: Protocol> Model for OverHttp<P> {
    async fn answer(&self, request: &ModelRequest, text: &TextSink) -> Result<ModelReply, Fault> {
        let (line, model) = (&self.line, request.model.as_str());
        if P::NEEDS_KEY && line.key().is_none() {
            return Err(line.without_key());
        }
        let body = kernel::compact(&self.protocol.body(request, self.is_stream)?);
        let body =
            body.map_err(|error| Fault::new(Code::Internal, format!("The request is no JSON: {error}")))?;
        let mut sent = line.client().post(self.protocol.url(line, model, self.is_stream));
        sent = sent.header(CONTENT_TYPE, "application/json").body(body);
        for (name, value) in P::HEADERS {
            sent = sent.header(*name, *value);
        }
        let response = http::send(line, model, sent, |may_cost| text.meter().may_cost(may_cost)).await?;
        if !self.is_stream || !P::FRAMING.is_of(&response) {
            let body = http::json(line, response).await?;
            return answer::whole(line, model, text, &body, self.protocol.reader());
        }
        let frames = Frames::new(self.protocol.reader());
        let mut answer = Answer::new(line, model, text);
        let mut events = Events::of(line, response, P::FRAMING);
        let mut until: Option<Instant> = None;
        while !frames.is_over() {
            if frames.is_complete() {
                until = until.or_else(|| Instant::now().checked_add(LINGER));
            }
            let next = match until {
                // Gateways keep connections open, and more may yet come: counts, or text behind a reason to stop.
                Some(until) => match tokio::time::timeout_at(until, events.next()).await {
                    Ok(next) => next,
                    Err(_) => break,
                },
                None => events.next().await,
            };
            match next {
                Ok(Some(data)) => frames.add(&data),
                Ok(None) => break,
                // A connection may break after the model has said all it had to.
                Err(_) if frames.is_complete() => break,
                Err(fault) => return Err(fault),
            }
            if answer.show(&frames)? {
                until = None;
            }
            if !frames.is_readable() && !frames.is_complete() {
                return Err(if events.is_over() { fault::cut(line) } else { fault::broken(line) });
            }
        }
        answer.end(&frames)
    }
}
