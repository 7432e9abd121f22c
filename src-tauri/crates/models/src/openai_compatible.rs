//! Any server that speaks OpenAI's chat completions: llama.cpp, vLLM, LM Studio, gateways, OpenAI itself.
//!
//! Such servers know `max_tokens`; genai sends it, and `max_completion_tokens` only to models whose
//! names begin with gpt-5, gpt-6, o1, o3 or o4. genai's adapter for oMLX is used: of all it has, it is
//! the one that speaks the plain protocol and asks for no key; the one for OpenAI adds cache options
//! to some models' requests that other servers refuse.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use engine::{Model, TextSink};
use futures::StreamExt;
use genai::adapter::AdapterKind;
use genai::chat::ChatStreamEvent;
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use kernel::{Code, Fault, ModelReply, ModelRequest};
use tracing::Dispatch;
use tracing::instrument::WithSubscriber;

use crate::chat_completions::{Frames, Read, read_whole};
use crate::line::{Line, PAUSE};
use crate::secret::Cover;
use crate::thinking::Thinking;
use crate::{Delivery, ProfileAccess, Provider, ProviderDescription, fault, request};

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: "openai-compatible",
        title: "OpenAI-compatible server",
        needs_key: false,
        default_base_url: None,
        models: &[],
    },
    connect,
};

/// More bytes of text than this end an answer: no agent's text is that long.
const MOST_TEXT: usize = 8 * 1024 * 1024;

struct OpenAiCompatible {
    client: Client,
    endpoint: Endpoint,
    line: Line,
    /// Whether answers are asked for in one piece; set when the server shows that it does not stream.
    is_whole: AtomicBool,
}

fn connect(access: ProfileAccess, delivery: Delivery) -> Result<Arc<dyn Model>, Fault> {
    let (line, http) = Line::with_bearer(access)?;
    let client = Client::builder().with_reqwest(http).build().map_err(|_| {
        line.fault(
            Code::Internal,
            "The client of models could not be made; this is a fault of the program.",
            None,
        )
    })?;
    let endpoint = Endpoint::from_owned(line.base().as_str());
    let is_whole = AtomicBool::new(delivery == Delivery::Whole);
    Ok(Arc::new(OpenAiCompatible { client, endpoint, line, is_whole }))
}

#[async_trait]
impl Model for OpenAiCompatible {
    async fn answer(&self, request: &ModelRequest, text: &TextSink) -> Result<ModelReply, Fault> {
        // genai logs bodies, which can hold the key: while it works, nobody listens.
        async {
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

impl OpenAiCompatible {
    fn target(&self, model: &str) -> ServiceTarget {
        ServiceTarget {
            endpoint: self.endpoint.clone(),
            // The key is in the HTTP client.
            auth: AuthData::None,
            model: ModelIden::new(AdapterKind::Omlx, model),
        }
    }

    /// Asks for a stream. `None`: the server answered, but not with one.
    async fn streamed(&self, request: &ModelRequest, text: &TextSink) -> Result<Option<ModelReply>, Fault> {
        let model = request.model.as_str();
        let (chat, options) = request::translated(request)?;
        let frames = Arc::new(Frames::default());
        let options = options.with_raw_frame_sink_arc(frames.clone()).with_stream_read_timeout(PAUSE);
        let mut stream = self
            .client
            .exec_chat_stream(self.target(model), chat, Some(&options))
            .await
            .map_err(|error| fault::from_error(&self.line, model, &error))?
            .stream;
        let mut thinking = Thinking::default();
        let mut shown = Shown { text, visible: String::new(), cover: self.line.cover() };
        let mut bytes = 0_usize;
        while let Some(event) = stream.next().await {
            let piece = match event {
                Ok(ChatStreamEvent::Chunk(chunk)) => chunk.content,
                Ok(ChatStreamEvent::ReasoningChunk(chunk)) => {
                    bytes += chunk.content.len();
                    continue;
                }
                Ok(ChatStreamEvent::End(_)) => break,
                Ok(_) => continue,
                // Some servers say of every piece that its error is null, and genai takes that for one.
                Err(genai::Error::ChatResponse { body, .. }) if body.is_null() => frames.last_text(),
                // A connection may break after the model has said all it had to.
                Err(genai::Error::WebStream { .. }) if frames.is_complete() => break,
                Err(error) => return Err(fault::from_error(&self.line, model, &error)),
            };
            bytes += piece.len();
            if bytes > MOST_TEXT {
                return Err(self.too_long());
            }
            shown.add(&thinking.pass(&piece));
        }
        shown.add(&thinking.rest());
        let visible = shown.end();
        if frames.is_foreign() {
            return Ok(None);
        }
        let mut read = frames.read();
        read.reply.text = visible;
        self.checked(read, model).map(Some)
    }

    /// Asks for the answer in one piece.
    async fn whole(&self, request: &ModelRequest, text: &TextSink) -> Result<ModelReply, Fault> {
        let model = request.model.as_str();
        let (chat, options) = request::translated(request)?;
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
        let Some(mut read) = read_whole(&body) else {
            return Err(match body.get("error").filter(|error| !error.is_null()) {
                Some(error) => fault::from_said(&self.line, model, error),
                None => fault::broken(&self.line),
            });
        };
        if read.reply.text.len() > MOST_TEXT {
            return Err(self.too_long());
        }
        read.reply.text = self.line.cover().whole(&read.reply.text);
        if !read.reply.text.is_empty() {
            text.push(&read.reply.text);
        }
        self.checked(read, model)
    }

    /// The answer, if it is one. Its text is covered already; here the rest of it is.
    fn checked(&self, read: Read, model: &str) -> Result<ModelReply, Fault> {
        if read.refusal.is_some() || read.reply.stop == "content_filter" {
            let message = format!(
                "Model `{model}` at {} refused the content of this request; change the topic or the text and try again.",
                self.line.server()
            );
            return Err(self.line.fault(Code::ContentRefused, &message, read.refusal.as_deref()));
        }
        if !read.is_complete {
            return Err(fault::cut(&self.line));
        }
        let cover = self.line.cover();
        let mut reply = read.reply;
        reply.stop = cover.whole(&reply.stop);
        reply.model = cover.whole(&reply.model);
        for call in &mut reply.tool_requests {
            call.id = cover.whole(&call.id);
            call.tool = cover.whole(&call.tool);
            call.input.0 = cover.json(std::mem::take(&mut call.input.0));
        }
        Ok(reply)
    }

    fn too_long(&self) -> Fault {
        let message = format!(
            "The answer of {} was ended because it grew beyond {} MB; ask for less or use another model.",
            self.line.server(),
            MOST_TEXT / 1024 / 1024
        );
        self.line.fault(Code::MalformedAnswer, &message, None)
    }
}

/// The visible text of a stream as it grows. What is held back of it is shown also when it is cut off.
struct Shown<'a> {
    text: &'a TextSink,
    visible: String,
    cover: Cover,
}

impl Shown<'_> {
    fn add(&mut self, piece: &str) {
        let piece = self.cover.pass(piece);
        self.show(&piece);
    }

    fn show(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.text.push(piece);
            self.visible.push_str(piece);
        }
    }

    /// The whole text.
    fn end(mut self) -> String {
        let rest = self.cover.rest();
        self.show(&rest);
        std::mem::take(&mut self.visible)
    }
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        let rest = self.cover.rest();
        self.show(&rest);
    }
}

/// The JSON of an answer that does not call itself JSON.
fn unlabelled(error: &genai::Error) -> Option<serde_json::Value> {
    let genai::Error::WebModelCall { webc_error, .. } = error else { return None };
    let genai::webc::Error::ResponseFailedNotJson { body, .. } = webc_error else { return None };
    serde_json::from_str(body).ok().filter(serde_json::Value::is_object)
}
