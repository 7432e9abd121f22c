//! Asks a model through genai: one way for every dialect that genai speaks well enough.
//!
//! genai writes the request and frames the answer; what the frames say is read by our own readers,
//! because genai drops some of it and stops at some of it. What a dialect does in its own way is a
//! [`Dialect`]. Known limits of genai 0.7 that nothing here can mend: it reads the body of a refusal whole,
//! and it throws the body away when a server answers a request for a stream in one piece, so that such a
//! server is asked once more, the first time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use engine::{Model, TextSink};
use futures::StreamExt;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ChatStreamEvent};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use kernel::{Code, Fault, ModelReply, ModelRequest};
use tracing::Dispatch;
use tracing::instrument::WithSubscriber;

use crate::answer::{self, Answer};
use crate::line::{Line, PAUSE};
use crate::reading::{Frames, Reader};
use crate::{Delivery, fault};

/// What a provider does in its own way.
pub(crate) struct Dialect {
    /// genai's name for it.
    pub(crate) adapter: AdapterKind,
    /// Whether genai must be given the key, because it writes the header itself; else the client has it.
    pub(crate) is_key_given: bool,
    /// The conversation and the options for it.
    pub(crate) translate: fn(&ModelRequest) -> Result<(ChatRequest, ChatOptions), Fault>,
    /// A reader of its answers.
    pub(crate) reader: fn() -> Box<dyn Reader>,
}

struct OverGenai {
    dialect: &'static Dialect,
    client: Client,
    endpoint: Endpoint,
    line: Line,
    /// Whether answers are asked for in one piece; set when the server shows that it does not stream.
    is_whole: AtomicBool,
}

/// The models behind a line.
pub(crate) fn model(
    dialect: &'static Dialect,
    line: Line,
    delivery: Delivery,
) -> Result<Arc<dyn Model>, Fault> {
    let client = Client::builder().with_reqwest(line.client().clone()).build().map_err(|_| {
        line.fault(
            Code::Internal,
            "The client of models could not be made; this is a fault of the program.",
            None,
        )
    })?;
    let endpoint = Endpoint::from_owned(line.base().as_str());
    let is_whole = AtomicBool::new(delivery == Delivery::Whole);
    Ok(Arc::new(OverGenai { dialect, client, endpoint, line, is_whole }))
}

#[async_trait]
impl Model for OverGenai {
    async fn answer(&self, request: &ModelRequest, text: &TextSink) -> Result<ModelReply, Fault> {
        // genai logs bodies, which can hold the key: while it works, nobody listens.
        async {
            if self.dialect.is_key_given && self.line.key().is_none() {
                return Err(self.line.without_key());
            }
            if self.is_whole.load(Ordering::Relaxed) {
                return self.whole(request, text).await;
            }
            if let Some(reply) = self.streamed(request, text).await? {
                return Ok(reply);
            }
            // Whatever comes of it: who does not stream is not asked to again.
            self.is_whole.store(true, Ordering::Relaxed);
            self.whole(request, text).await
        }
        .with_subscriber(Dispatch::none())
        .await
    }
}

impl OverGenai {
    fn target(&self, model: &str) -> ServiceTarget {
        let auth = match self.line.key() {
            Some(key) if self.dialect.is_key_given => AuthData::from_single(key),
            _ => AuthData::None,
        };
        ServiceTarget {
            endpoint: self.endpoint.clone(),
            auth,
            model: ModelIden::new(self.dialect.adapter, model),
        }
    }

    /// Asks for a stream. `None`: the server answered, but not with one.
    async fn streamed(&self, request: &ModelRequest, text: &TextSink) -> Result<Option<ModelReply>, Fault> {
        let model = request.model.as_str();
        let (chat, options) = (self.dialect.translate)(request)?;
        let frames = Arc::new(Frames::new((self.dialect.reader)()));
        let options = options.with_raw_frame_sink_arc(frames.clone()).with_stream_read_timeout(PAUSE);
        let mut stream = self
            .client
            .exec_chat_stream(self.target(model), chat, Some(&options))
            .await
            .map_err(|error| fault::from_error(&self.line, model, &error))?
            .stream;
        let mut answer = Answer::new(&self.line, model, text);
        loop {
            let event = stream.next().await;
            answer.show(&frames)?;
            match event {
                None | Some(Ok(ChatStreamEvent::End(_))) => break,
                Some(Ok(_)) => {}
                // A connection may break after the model has said all it had to.
                Some(Err(genai::Error::WebStream { .. })) if frames.is_complete() => break,
                // genai stumbles over some events that were read here without it.
                Some(Err(error)) if !is_about_frame(&error) || !frames.is_readable() => {
                    return Err(fault::from_error(&self.line, model, &error));
                }
                Some(Err(_)) => {}
            }
        }
        if frames.is_foreign() {
            return Ok(None);
        }
        answer.end(&frames).map(Some)
    }

    /// Asks for the answer in one piece.
    async fn whole(&self, request: &ModelRequest, text: &TextSink) -> Result<ModelReply, Fault> {
        let model = request.model.as_str();
        let (chat, options) = (self.dialect.translate)(request)?;
        let options = options.with_capture_raw_body(true);
        let body = match self.client.exec_chat(self.target(model), chat, Some(&options)).await {
            Ok(answer) => answer.captured_raw_body.unwrap_or_default(),
            Err(genai::Error::ChatResponseGeneration { response_body, .. }) => *response_body,
            Err(error) => {
                // Some servers call their JSON text; it is an answer all the same.
                let unlabelled = unlabelled(&error);
                unlabelled.ok_or_else(|| fault::from_error(&self.line, model, &error))?
            }
        };
        answer::whole(&self.line, model, text, &body, (self.dialect.reader)())
    }
}

/// Whether an error is about what one event says, and not about the connection or the request.
fn is_about_frame(error: &genai::Error) -> bool {
    use genai::Error;
    !matches!(
        error,
        Error::WebStream { .. }
            | Error::HttpError { .. }
            | Error::WebModelCall { .. }
            | Error::WebAdapterCall { .. }
    )
}

/// The JSON of an answer that does not call itself JSON.
fn unlabelled(error: &genai::Error) -> Option<serde_json::Value> {
    let genai::Error::WebModelCall { webc_error, .. } = error else { return None };
    let genai::webc::Error::ResponseFailedNotJson { body, .. } = webc_error else { return None };
    serde_json::from_str(body).ok().filter(serde_json::Value::is_object)
}
