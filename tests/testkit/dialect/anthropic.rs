//! Anthropic: what `/v1/messages` refuses, and how it answers.

use serde_json::{Value, json};

use super::{Script, only, present, text_of};
use crate::check::Refusal;
use crate::reply::{ToolCall, in_pieces};
use crate::request::ChatRequest;
use crate::schema::strict_problem;
use crate::wire::Envelope;

const FIELDS: [&str; 15] = [
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "stream",
    "output_config",
    "thinking",
    "metadata",
    "service_tier",
];
/// Families that take no temperature any more.
const WITHOUT_TEMPERATURE: [&str; 5] = ["opus-4-7", "opus-4-8", "opus-5", "sonnet-5", "fable"];

pub(super) fn check(request: &ChatRequest) -> Result<(), Refusal> {
    let body = &*request.sent;
    if request.header("anthropic-version") != Some("2023-06-01") {
        return Err(Refusal::plain("anthropic-version: header is required"));
    }
    only(body, "", &FIELDS)?;
    let model = body["model"].as_str().unwrap_or_default();
    if model.is_empty() {
        return Err(Refusal::plain("model: Field required"));
    }
    let limit = body["max_tokens"].as_u64().filter(|limit| *limit >= 1);
    let limit = limit.ok_or_else(|| Refusal::plain("max_tokens: Field required"))?;
    if let Some(temperature) = present(body, "temperature") {
        if WITHOUT_TEMPERATURE.iter().any(|family| model.contains(family)) {
            return Err(Refusal::plain("`temperature` is deprecated for this model."));
        }
        if !temperature.as_f64().is_some_and(|value| (0.0..=1.0).contains(&value)) {
            return Err(Refusal::plain("temperature: range: 0..1"));
        }
    }
    if let Some(budget) = body["thinking"]["budget_tokens"].as_u64()
        && (budget < 1024 || budget >= limit)
    {
        return Err(Refusal::plain("thinking.budget_tokens: from 1024 up to max_tokens"));
    }
    if let Some(config) = present(body, "output_config") {
        only(config, "output_config", &["format", "effort"])?;
        if let Some(format) = present(config, "format") {
            let problem = strict_problem(&format["schema"]);
            if format["type"] != "json_schema" || problem.is_some() {
                return Err(Refusal::plain(format!(
                    "output_config.format.schema: {}",
                    problem.unwrap_or_default()
                )));
            }
        }
    }
    for tool in body["tools"].as_array().into_iter().flatten() {
        if tool["name"].as_str().is_none_or(str::is_empty) || tool["input_schema"]["type"] != "object" {
            return Err(Refusal::plain("tools.0.custom.input_schema.type: Field required"));
        }
    }
    check_messages(&body["messages"])
}

fn check_messages(messages: &Value) -> Result<(), Refusal> {
    let Some(messages) = messages.as_array().filter(|messages| !messages.is_empty()) else {
        return Err(Refusal::plain("messages: at least one message is required"));
    };
    let mut open_calls: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        if !["user", "assistant"].contains(&role) {
            return Err(Refusal::plain(format!(
                "messages.{index}.role: Input should be 'user' or 'assistant'"
            )));
        }
        if message["content"].as_str() == Some("") {
            return Err(Refusal::plain(format!("messages.{index}: text content must be non-empty")));
        }
        let blocks = message["content"].as_array();
        for block in blocks.into_iter().flatten() {
            match block["type"].as_str() {
                Some("text") if block["text"].as_str().is_some_and(|text| !text.is_empty()) => {}
                Some("tool_use") if block["input"].is_object() => {
                    open_calls.push(block["id"].as_str().unwrap_or_default());
                }
                Some("tool_result") => {
                    let id = block["tool_use_id"].as_str().unwrap_or_default();
                    if !open_calls.contains(&id) {
                        return Err(Refusal::plain(format!(
                            "messages.{index}: unexpected `tool_use_id` found in `tool_result` blocks: {id}"
                        )));
                    }
                    open_calls.retain(|open| *open != id);
                }
                Some("thinking" | "redacted_thinking") => {}
                other => {
                    return Err(Refusal::plain(format!("messages.{index}: block {other:?} cannot be used")));
                }
            }
        }
        let answers_next = messages.get(index + 1).is_some_and(|next| next["role"] == "user");
        if role == "user" && !open_calls.is_empty() && !answers_next {
            return Err(Refusal::plain(format!(
                "messages.{index}: `tool_use` ids were found without `tool_result` blocks: {}",
                open_calls.join(", ")
            )));
        }
    }
    Ok(())
}

pub(super) fn in_chat_words(body: &Value) -> Value {
    let mut messages = Vec::new();
    let system = text_of(&body["system"]);
    if !system.is_empty() {
        messages.push(json!({"role": "system", "content": system}));
    }
    for message in body["messages"].as_array().into_iter().flatten() {
        let text = text_of(&message["content"]);
        if !text.is_empty() {
            messages.push(json!({"role": message["role"], "content": text}));
        }
        for block in message["content"].as_array().into_iter().flatten() {
            if block["type"] == "tool_result" {
                messages.push(json!({"role": "tool", "content": text_of(&block["content"])}));
            }
        }
    }
    let function = |tool: &Value| json!({"type": "function", "function": {"name": tool["name"], "parameters": tool["input_schema"]}});
    let tools: Vec<Value> = body["tools"].as_array().into_iter().flatten().map(function).collect();
    let mut chat = json!({
        "model": body["model"], "messages": messages, "stream": body["stream"] == true,
        "tools": tools, "max_tokens": body["max_tokens"],
    });
    if let Some(schema) = present(&body["output_config"]["format"], "schema") {
        chat["response_format"] = json!({"type": "json_schema", "json_schema": {"schema": schema}});
    }
    chat
}

pub(super) struct Anthropic;

impl Anthropic {
    fn message(envelope: &Envelope, content: &Value, stop_reason: &Value, tokens: usize) -> Value {
        json!({
            "id": format!("msg_{}", envelope.id), "type": "message", "role": "assistant", "model": envelope.model,
            "content": content, "stop_reason": stop_reason, "stop_sequence": null,
            "usage": {"input_tokens": envelope.prompt_tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": tokens}
        })
    }

    fn reason(finish_reason: &str) -> &'static str {
        match finish_reason {
            "length" => "max_tokens",
            "content_filter" => "refusal",
            "tool_calls" => "tool_use",
            _ => "end_turn",
        }
    }

    fn start(&self, envelope: &Envelope) -> String {
        let message = Self::message(envelope, &json!([]), &Value::Null, 1);
        self.event(&json!({"type": "message_start", "message": message}))
            + &self.event(&json!({"type": "ping"}))
    }

    fn end(&self, finish_reason: &str, tokens: usize) -> String {
        let delta = json!({"stop_reason": Self::reason(finish_reason), "stop_sequence": null});
        self.event(&json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": tokens}}))
            + &self.event(&json!({"type": "message_stop"}))
    }
}

impl Script for Anthropic {
    fn first(&self, envelope: &Envelope) -> String {
        let block =
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}});
        self.start(envelope) + &self.event(&block)
    }

    fn piece(&self, _: &Envelope, text: &str) -> String {
        self.event(&json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}))
    }

    fn last(&self, _: &Envelope, finish_reason: &str, completion_tokens: usize) -> String {
        self.event(&json!({"type": "content_block_stop", "index": 0}))
            + &self.end(finish_reason, completion_tokens)
    }

    fn whole(&self, envelope: &Envelope, text: &str, finish_reason: &str, completion_tokens: usize) -> Value {
        let content = json!([{"type": "text", "text": text}]);
        Self::message(envelope, &content, &json!(Self::reason(finish_reason)), completion_tokens)
    }

    fn calls(&self, envelope: &Envelope, calls: &[ToolCall], completion_tokens: usize) -> String {
        let id = |index: usize| format!("toolu_{}_{index}", envelope.id);
        if !envelope.is_stream {
            let block = |(index, call): (usize, &ToolCall)| json!({"type": "tool_use", "id": id(index), "name": call.name, "input": call.arguments});
            let blocks: Vec<Value> = calls.iter().enumerate().map(block).collect();
            return Self::message(envelope, &json!(blocks), &json!("tool_use"), completion_tokens)
                .to_string();
        }
        let mut events = self.start(envelope);
        for (index, call) in calls.iter().enumerate() {
            let block = json!({"type": "tool_use", "id": id(index), "name": call.name, "input": {}});
            events +=
                &self.event(&json!({"type": "content_block_start", "index": index, "content_block": block}));
            for fragment in in_pieces(&call.arguments.to_string(), 8) {
                let delta = json!({"type": "input_json_delta", "partial_json": fragment});
                events +=
                    &self.event(&json!({"type": "content_block_delta", "index": index, "delta": delta}));
            }
            events += &self.event(&json!({"type": "content_block_stop", "index": index}));
        }
        events + &self.end("tool_calls", completion_tokens)
    }

    fn event(&self, event: &Value) -> String {
        let name = event["type"].as_str().unwrap_or("message");
        format!("event: {name}\ndata: {event}\n\n")
    }
}
