//! Calls a model over HTTP, in the same way for every dialect.
//!
//! Streamed or not, each call is one request whose answer is read by its actual format. If the server refuses a part of
//! the request, the request is sent again without it; that does not count as another call, because no model answered.
//! Every body is bounded, of answers and of refusals.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Model, TextSink};
use futures::StreamExt as _;
use kernel::{Code, Error, ModelReply, ModelRequest, Remark, RequestPart, phrase};
use reqwest::Url;
use reqwest::header::CONTENT_TYPE;
use serde::Serialize;
use tokio::time::Instant;

use crate::answer::{Answer, End};
use crate::context_window::ContextWindows;
use crate::error::{self, CallError};
use crate::frames::Frames;
use crate::provider_client::{PAUSE, ProviderClient};
use crate::reader::Reader;
use crate::refusals::{AllowedParts, Refusals};
use crate::{Delivery, http, list, tool_names};

/// How long to wait for more text after an answer that may be complete.
const LINGER: Duration = Duration::from_secs(10);

/// The provider-specific parts of a call.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// The optional parts of a request that the dialect supports and a server may refuse.
    const PARTS: &[RequestPart];
    /// Required headers besides the key.
    const HEADERS: &[(&str, &str)] = &[];
    /// Whether a call needs a key, so that none is made without one.
    const NEEDS_KEY: bool = false;
    /// Whether a stream has one piece of JSON per line, so that an interrupted one looks like a complete one.
    const STREAMS_LINES: bool = false;

    /// The URL of a model call.
    fn url(&self, client: &ProviderClient, model: &str, is_stream: bool) -> Url;

    /// The body of a request.
    fn body(&self, request: &ModelRequest, sent: &AllowedParts) -> Result<impl Serialize, Error>;

    /// A reader of the answers.
    fn reader(&self) -> Box<dyn Reader>;
}

struct HttpModel<P> {
    protocol: P,
    client: ProviderClient,
    is_stream: bool,
    refusals: Refusals,
    windows: ContextWindows,
}

/// A model that is called over HTTP by this client.
pub(crate) fn model(
    protocol: impl Protocol,
    client: ProviderClient,
    delivery: Delivery,
    refusals: Refusals,
) -> Arc<dyn Model> {
    let windows = ContextWindows::of(&client);
    Arc::new(HttpModel { protocol, client, is_stream: delivery == Delivery::Streamed, refusals, windows })
}

#[async_trait]
impl<P: Protocol> Model for HttpModel<P> {
    async fn answer(&self, request: &ModelRequest, text: &TextSink) -> Result<ModelReply, Error> {
        let (client, model) = (&self.client, request.model.as_str());
        if P::NEEDS_KEY && client.key().is_none() {
            return Err(client.without_key());
        }
        let window = self.windows.refuse_too_long(client, request).await?;
        loop {
            let without_end = self.refusals.streams_without_end(model);
            // The answer may have been interrupted, so a second stream is requested before an answer in one piece.
            let tries_whole = self.is_stream && without_end >= 2;
            let is_stream = self.is_stream && !tries_whole;
            let sent = AllowedParts::new(P::PARTS, self.refusals.of(model), is_stream).in_window(window);
            let outcome = self.once(request, &sent, text).await;
            let unended = match &outcome {
                Err(failure) if failure.is_unmarked => without_end + 1,
                // Other errors say nothing about ends of streams, nor does complete JSON, which is accepted without an
                // end.
                Err(_) if !tries_whole => without_end,
                Ok(_) if !tries_whole && request.shape.is_some() => without_end,
                _ => 0,
            };
            self.refusals.set_streams_without_end(model, unended);
            let failure = match outcome {
                Ok(reply) => {
                    if tries_whole {
                        self.refusals.add(model, RequestPart::Stream);
                        let (profile, model) = (client.profile().to_owned(), model.to_owned());
                        text.remark(Remark::UnendedStreams { profile, model });
                    }
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            let refused = failure
                .provider_error
                .as_ref()
                .and_then(|provider_error| sent.refused_by(provider_error, request));
            // Each retry leaves out one more part. A server that has begun to answer refuses nothing.
            let Some(part) = refused.filter(|_| text.so_far().is_empty()) else {
                return Err(self.with_models(failure, model).await);
            };
            self.refusals.add(model, part);
            text.remark(Remark::LeftOut {
                profile: client.profile().to_owned(),
                model: model.to_owned(),
                part,
                words: failure.error.provider_words.unwrap_or_default(),
            });
        }
    }
}

impl<P: Protocol> HttpModel<P> {
    async fn once(
        &self,
        request: &ModelRequest,
        sent: &AllowedParts,
        text: &TextSink,
    ) -> Result<ModelReply, CallError> {
        let (client, model) = (&self.client, request.model.as_str());
        let adapted = sent.adapted(request)?;
        let body = kernel::compact(&self.protocol.body(&adapted, sent)?);
        let body = body.map_err(|error| {
            Error::new(Code::Internal, phrase!("The request is no JSON: {error}", error = error.to_string()))
        })?;
        let mut http_request = client.http().post(self.protocol.url(client, model, sent.is_stream));
        http_request = http_request.header(CONTENT_TYPE, "application/json").body(body);
        for (name, value) in P::HEADERS {
            http_request = http_request.header(*name, *value);
        }
        let response =
            http::send(client, model, http_request, |may_cost| text.meter().may_cost(may_cost)).await?;
        let mut end = End {
            is_stream: sent.is_stream,
            streams_lines: P::STREAMS_LINES,
            wants_json: request.shape.is_some(),
            has_ended: false,
        };
        let mut frames = Frames::new(self.protocol.reader());
        let mut answer = Answer::new(client, model, text);
        let mut bytes = response.bytes_stream();
        let mut until: Option<Instant> = None;
        while !frames.is_over() && !end.has_ended {
            if frames.is_complete() {
                until = until.or_else(|| Instant::now().checked_add(LINGER));
            }
            // Before the first frame, a server may load a model or read a long prompt.
            let pause =
                if sent.is_stream && frames.has_read() { Instant::now().checked_add(PAUSE) } else { None };
            let next = match until.or(pause) {
                // Gateways keep connections open, and counts or text may follow a finish reason.
                Some(until) => tokio::time::timeout_at(until, bytes.next()).await,
                None => Ok(bytes.next().await),
            };
            match next {
                Ok(Some(Ok(bytes))) => {
                    let mut rest = &bytes[..];
                    while frames.next(&mut rest) {
                        if answer.show(&mut frames)? {
                            until = None;
                        }
                    }
                }
                Ok(None) => {
                    frames.end();
                    end.has_ended = true;
                }
                // A connection may break after the answer is complete.
                Ok(Some(Err(_))) | Err(_) if frames.is_complete() => break,
                Ok(Some(Err(error))) => return Err(error::from_transport(client, &error).into()),
                Err(_) => return Err(error::silent(client).into()),
            }
            if answer.show(&mut frames)? {
                until = None;
            }
            if frames.is_unreadable() && !frames.is_complete() {
                return Err(error::broken(client).into());
            }
        }
        let mut reply = answer.end(&mut frames, end)?;
        tool_names::rename_back(&mut reply.tool_requests, request);
        Ok(reply)
    }

    /// The error. If the model does not exist, it names the models that do.
    async fn with_models(&self, failure: CallError, model: &str) -> Error {
        let CallError { error, provider_error, .. } = failure;
        if !provider_error.is_some_and(|provider_error| provider_error.is_about_missing_model()) {
            return *error;
        }
        let client = &self.client;
        let Some(names) = list::others_than(model, client).await else { return *error };
        let message = phrase!(
            "{server} does not know model `{model}`; it lists {names}. Name one of them in profile `{profile}`; `galley models {profile}` lists them all.",
            server = client.server(),
            model,
            names,
            profile = client.profile()
        );
        error.clone().reworded(*client.error(error.code, message, None).phrase)
    }
}
