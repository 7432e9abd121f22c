//! The parts of a request that a server refused: detected by the words of its error, remembered per model, and left out
//! of later requests. Streaming is left out, too, for a model whose streams have no end mark, once it has answered in
//! one piece.
//!
//! Not here: where refusals are stored (`desk`), and how each dialect writes the other parts (the providers).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::{Code, Error, Message, ModelRequest, RequestPart, Speaker, Value};

use crate::provider_error::ProviderError;
use crate::request::{json_of, text_of};
use crate::tool_names;

/// The refused parts by model.
pub type RefusedParts = BTreeMap<String, BTreeSet<RequestPart>>;

type Keep = dyn Fn(&str, RequestPart) + Send + Sync;

/// The parts that the server of one profile has refused so far. Clones share it.
#[derive(Clone, Default)]
pub struct Refusals {
    known: Arc<Mutex<RefusedParts>>,
    /// The number of consecutive streams without an end mark, by model.
    without_end: Arc<Mutex<BTreeMap<String, u32>>>,
    keep: Option<Arc<Keep>>,
}

impl Refusals {
    /// Starts with the known refusals. `keep` is called with the model and the part for each new one, and must not
    /// block.
    pub fn new(known: RefusedParts, keep: impl Fn(&str, RequestPart) + Send + Sync + 'static) -> Refusals {
        Refusals { known: Arc::new(Mutex::new(known)), keep: Some(Arc::new(keep)), ..Refusals::default() }
    }

    /// The refused parts for this model.
    pub fn of(&self, model: &str) -> BTreeSet<RequestPart> {
        self.known().get(model).cloned().unwrap_or_default()
    }

    /// Whether all of these are known.
    pub fn knows(&self, parts: &RefusedParts) -> bool {
        let known = self.known();
        parts.iter().all(|(model, parts)| known.get(model).is_some_and(|known| known.is_superset(parts)))
    }

    pub(crate) fn add(&self, model: &str, part: RequestPart) {
        self.known().entry(model.to_owned()).or_default().insert(part);
        if let Some(keep) = &self.keep {
            keep(model, part);
        }
    }

    /// The number of consecutive streams of this model without an end mark.
    pub(crate) fn streams_without_end(&self, model: &str) -> u32 {
        self.without_end().get(model).copied().unwrap_or_default()
    }

    /// Sets the number of consecutive streams of this model without an end mark.
    pub(crate) fn set_streams_without_end(&self, model: &str, count: u32) {
        self.without_end().insert(model.to_owned(), count);
    }

    fn without_end(&self) -> MutexGuard<'_, BTreeMap<String, u32>> {
        self.without_end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, RefusedParts> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The parts that one request may use.
pub(crate) struct AllowedParts {
    pub(crate) is_stream: bool,
    /// Most tokens of prompt and answer together, if it is known.
    pub(crate) window: Option<u64>,
    /// The parts that the dialect supports.
    parts: &'static [RequestPart],
    refused: BTreeSet<RequestPart>,
}

impl AllowedParts {
    pub(crate) fn new(
        parts: &'static [RequestPart],
        refused: BTreeSet<RequestPart>,
        is_stream: bool,
    ) -> AllowedParts {
        let is_stream = is_stream && !refused.contains(&RequestPart::Stream);
        AllowedParts { is_stream, window: None, parts, refused }
    }

    /// With the context window of the model.
    pub(crate) fn in_window(self, window: Option<u64>) -> AllowedParts {
        AllowedParts { window, ..self }
    }

    /// Whether a part may be used: the dialect supports it, and the server did not refuse it.
    pub(crate) fn takes(&self, part: RequestPart) -> bool {
        self.parts.contains(&part) && !self.refused.contains(&part)
    }

    /// Adapts the request: describes the shape in words if there is no field for it, removes tools if they are refused,
    /// puts the instruction before the first message if there is no other place for it, and gives tools names that
    /// every server accepts.
    pub(crate) fn adapted<'a>(&self, request: &'a ModelRequest) -> Result<Cow<'a, ModelRequest>, Error> {
        let is_in_words = request.shape.is_some() && !self.takes(RequestPart::JsonSchema);
        let is_without_tools = !request.tools.is_empty() && !self.takes(RequestPart::Tools);
        let is_without_system = self.refused.contains(&RequestPart::SystemMessage);
        let renames = tool_names::differ(request);
        if !is_in_words && !is_without_tools && !is_without_system && !renames {
            return Ok(Cow::Borrowed(request));
        }
        let mut adapted = request.clone();
        if is_without_tools {
            adapted.tools.clear();
        }
        tool_names::rename(&mut adapted);
        let mut instruction = text_of(&request.instruction)?.into_owned();
        if let Some(shape) = request.shape.as_ref().filter(|_| is_in_words) {
            let schema = json_of(&shape.schema)?;
            instruction = format!(
                "{instruction}\n\nAnswer with one JSON object and nothing else, no fence and no remark. It must be valid by this JSON Schema:\n{schema}"
            )
            .trim_start()
            .to_owned();
        }
        if is_without_system && !instruction.is_empty() {
            let first = adapted.messages.iter_mut().find(|message| message.speaker == Speaker::User);
            match first {
                Some(first) => {
                    first.content = Value::text(format!("{instruction}\n\n{}", text_of(&first.content)?))
                }
                None => adapted.messages.insert(0, Message::new(Speaker::User, &instruction)),
            }
            instruction.clear();
        }
        adapted.instruction = Value::text(instruction);
        Ok(Cow::Owned(adapted))
    }

    /// The parts that this request uses and a server may refuse, in the order in which they are given up.
    fn used_parts(&self, request: &ModelRequest) -> Vec<RequestPart> {
        let is_said = |part: RequestPart| match part {
            RequestPart::JsonSchema => request.shape.is_some(),
            RequestPart::JsonObject => request.shape.is_some() && !self.takes(RequestPart::JsonSchema),
            RequestPart::StreamOptions | RequestPart::Stream => self.is_stream,
            RequestPart::Tools => !request.tools.is_empty(),
            RequestPart::SystemMessage => {
                !self.refused.contains(&part)
                    && (request.shape.is_some() || request.instruction.json().is_some_and(|text| text != ""))
            }
            RequestPart::Temperature
            | RequestPart::MaxTokens
            | RequestPart::MaxCompletionTokens
            | RequestPart::Thinking => true,
        };
        RequestPart::ALL.into_iter().filter(|part| self.takes(*part) && is_said(*part)).collect()
    }

    /// The part of this request that a refusal is about, if any.
    pub(crate) fn refused_by(&self, error: &ProviderError, request: &ModelRequest) -> Option<RequestPart> {
        let may_be =
            error.status.is_none_or(|status| matches!(status, 400 | 404..=406 | 415 | 422 | 500..=503));
        if !may_be || !matches!(error.code(), Code::RequestRefused | Code::Overloaded) {
            return None;
        }
        let about = error.about();
        // The words of a busy server may mention anything.
        let refuses = mentions(&about, REFUSING);
        let is_plain = error.status.is_some_and(|status| status < 500);
        self.used_parts(request).into_iter().find(|part| match part {
            RequestPart::JsonSchema | RequestPart::JsonObject => {
                (refuses || is_plain) && mentions(&about, SHAPE)
            }
            RequestPart::StreamOptions => (refuses || is_plain) && mentions(&about, STREAM_OPTIONS),
            RequestPart::Stream => refuses && has_word(&about, STREAM),
            RequestPart::Tools => refuses && mentions(&about, TOOLS),
            RequestPart::Temperature => refuses && mentions(&about, &["temperature"]),
            RequestPart::MaxTokens => {
                mentions(&about, &["max_tokens", "max tokens"]) && is_about_the_name(&about)
            }
            RequestPart::MaxCompletionTokens => {
                mentions(&about, &["max_completion_tokens"]) && is_about_the_name(&about)
            }
            RequestPart::Thinking => refuses && mentions(&about, THINKING),
            RequestPart::SystemMessage => refuses && mentions(&about, SYSTEM),
        })
    }
}

/// Words that reject something rather than only mention it.
const REFUSING: &[&str] = &[
    "not support",
    "n't support",
    "unsupported",
    "not allow",
    "not permit",
    "not available",
    "unavailable",
    "not enabled",
    "not implemented",
    "not accept",
    "not valid",
    "not recogni",
    "not compatible",
    "incompatible",
    "invalid",
    "unexpected",
    "unrecogni",
    "unknown",
    "extra",
    "forbidden",
    "disabled",
    "deprecated",
    "must ",
    "should be",
    "cannot",
    "can't",
    "could not",
    "failed",
    "fail to",
    "unable",
    "require",
    "only ",
    "no endpoints",
    "literal_error",
    "validation error",
    "value_error",
    "type_error",
    "expected",
    "unmarshal",
    "rejected",
    "refused",
];
const SHAPE: &[&str] = &[
    "response_format",
    "responseformat",
    "response format",
    "json_schema",
    "jsonschema",
    "json schema",
    "json_object",
    "json mode",
    "json_mode",
    "json_validate_failed",
    "structured output",
    "structured_output",
    "structured-output",
    "output_config",
    "output_format",
    "output format",
    "responsemimetype",
    "response_mime_type",
    "response mime type",
    "responseschema",
    "response_schema",
    "response schema",
    "guided_json",
    "guided decoding",
    "guided_decoding",
    "grammar",
    "constrained decoding",
    "invalid schema",
    "chatrequest.format",
    "'format'",
    "`format`",
    "\"format\"",
    "invalid format",
];
const STREAM_OPTIONS: &[&str] = &["stream_options", "streamoptions", "stream options", "include_usage"];
const STREAM: &[&str] = &["stream", "streaming", "streamed", "sse"];
const TOOLS: &[&str] = &[
    "tools",
    "tool_choice",
    "tool choice",
    "tool use",
    "tool_use",
    "tool call",
    "tool_call",
    "tool-call",
    "function call",
    "function_call",
    "function-call",
    "functiondeclarations",
    "functions",
];
const THINKING: &[&str] = &["think", "reasoning_effort", "reasoning effort", "reasoning.effort"];
const SYSTEM: &[&str] = &[
    "system role",
    "role system",
    "role 'system'",
    "role \"system\"",
    "role `system`",
    "system message",
    "system prompt",
    "system instruction",
    "system_instruction",
    "systeminstruction",
    "developer instruction",
    "roles must alternate",
    "user and assistant roles",
];

fn mentions(about: &str, words: &[&str]) -> bool {
    words.iter().any(|words| about.contains(words))
}

/// Whether one of these words occurs as a whole: `upstream` does not contain the word `stream`.
fn has_word(about: &str, words: &[&str]) -> bool {
    about.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| words.contains(&word))
}

/// Whether a limit is refused because of its name, and not for being too large.
fn is_about_the_name(about: &str) -> bool {
    let by_size = [
        "too large",
        "too long",
        "too big",
        "at most",
        "exceed",
        "less than",
        "context length",
        "context window",
        "maximum",
    ];
    let by_name = [
        "not support",
        "n't support",
        "unsupported",
        "unrecogni",
        "unknown",
        "extra",
        "unexpected",
        "deprecated",
        "not permit",
        "not allow",
        "instead",
    ];
    mentions(about, &by_name) && !mentions(about, &by_size)
}

#[cfg(test)]
mod tests;
