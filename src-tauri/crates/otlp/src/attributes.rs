//! Attributes of spans: names of the GenAI semantic conventions, and values without any text of a person or a model.

use kernel::{Answer, AnswerSummary, Code, Interruption, ModelRequest, TokenUsage};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue, KeyValue};

/// Characters to which names from a server are cut.
const LONGEST: usize = 120;

/// The error type without one of our codes: the records end before the answer.
pub(crate) const INTERRUPTED: &str = "interrupted";

pub(crate) fn text(key: &str, value: &str) -> KeyValue {
    attribute(key, text_value(value))
}

pub(crate) fn whole(key: &str, value: impl Into<i64>) -> KeyValue {
    attribute(key, Value::IntValue(value.into()))
}

fn attribute(key: &str, value: Value) -> KeyValue {
    KeyValue { key: key.to_owned(), value: Some(AnyValue { value: Some(value) }), ..KeyValue::default() }
}

fn text_value(value: &str) -> Value {
    Value::StringValue(value.chars().take(LONGEST).collect())
}

/// A code in the form of the log: `rate_limited`.
pub(crate) fn word(code: Code) -> String {
    let written = serde_json::to_value(code).ok();
    written.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_else(|| "_OTHER".to_owned())
}

/// The provider's name in the conventions. `id` is the one of a profile.
fn provider(id: &str) -> &str {
    match id {
        "openai-compatible" => "openai",
        "gemini" => "gcp.gemini",
        id => id,
    }
}

/// The attributes of a model call before its answer.
pub(crate) fn of_model(session: &str, provider_id: Option<&str>, model: &str) -> Vec<KeyValue> {
    vec![
        text("gen_ai.operation.name", "chat"),
        text("gen_ai.provider.name", provider_id.map_or("_OTHER", provider)),
        text("gen_ai.request.model", model),
        text("gen_ai.conversation.id", session),
    ]
}

/// The parameters of an agent's request.
pub(crate) fn of_request(request: &ModelRequest) -> [KeyValue; 3] {
    [
        attribute("gen_ai.request.temperature", Value::DoubleValue(request.temperature)),
        whole("gen_ai.request.max_tokens", request.max_output_tokens),
        text("gen_ai.output.type", if request.shape.is_some() { "json" } else { "text" }),
    ]
}

/// The model that answered and the finish reason.
pub(crate) fn of_reply(answer: &Answer) -> Vec<KeyValue> {
    let Answer::Done { result } = answer else { return Vec::new() };
    let field = |name: &str| {
        let value = result.json().and_then(|json| json.get(name)).and_then(|value| value.as_str());
        value.filter(|value| !value.is_empty())
    };
    let model = field("model").map(|model| text("gen_ai.response.model", model));
    let reasons = field("stop").map(|reason| {
        let values = vec![AnyValue { value: Some(text_value(reason)) }];
        attribute("gen_ai.response.finish_reasons", Value::ArrayValue(ArrayValue { values }))
    });
    model.into_iter().chain(reasons).collect()
}

/// The tokens of a call, if they are known.
pub(crate) fn of_usage(summary: &AnswerSummary) -> Vec<KeyValue> {
    let Some(TokenUsage { input_tokens, output_tokens, cached_tokens }) = summary.tokens else {
        return Vec::new();
    };
    let mut usage = vec![
        whole("gen_ai.usage.input_tokens", input_tokens),
        whole("gen_ai.usage.output_tokens", output_tokens),
    ];
    if cached_tokens > 0 {
        usage.push(whole("gen_ai.usage.cache_read.input_tokens", cached_tokens));
    }
    usage
}

/// The error type of an effect without a result; `None` if it has one.
pub(crate) fn error_type(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Done { .. } => None,
        Answer::Failed { error } => Some(word(error.code)),
        Answer::Interrupted { reason: Interruption::Cancelled, .. } => Some(word(Code::Cancelled)),
        Answer::Interrupted { reason: Interruption::TimeUsedUp { .. }, .. } => Some(word(Code::LimitReached)),
    }
}
