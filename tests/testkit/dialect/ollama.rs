//! Ollama: what `/api/chat` refuses, and how it answers.

use serde_json::{Value, json};

use super::{Script, only, present};
use crate::check::Refusal;
use crate::reply::ToolCall;
use crate::request::ChatRequest;
use crate::wire::Envelope;

const FIELDS: [&str; 9] =
    ["model", "messages", "tools", "format", "options", "stream", "think", "keep_alive", "logprobs"];

pub(super) fn check(request: &ChatRequest) -> Result<(), Refusal> {
    let body = &*request.sent;
    // The server itself forgives unknown fields; a client that sends one means something that is not done.
    only(body, "", &FIELDS)?;
    if body["model"].as_str().is_none_or(str::is_empty) {
        return Err(Refusal::plain("model is required"));
    }
    if let Some(format) = present(body, "format")
        && format != "json"
        && !format["type"].is_string()
    {
        return Err(Refusal::plain("invalid format; expected \"json\" or a valid JSON Schema object"));
    }
    if body["think"] == true {
        return Err(Refusal::plain("this model does not support thinking"));
    }
    let predicted = body["options"]["num_predict"].as_u64().unwrap_or_default();
    let context = body["options"]["num_ctx"].as_u64().unwrap_or(4096);
    let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    let said: usize = messages.iter().map(|message| message["content"].as_str().map_or(0, str::len)).sum();
    if (said as u64) / 4 + predicted > context {
        return Err(Refusal::plain(
            "the prompt does not fit the context and would be cut off without a word",
        ));
    }
    for message in messages {
        let role = message["role"].as_str().unwrap_or_default();
        if !["system", "user", "assistant", "tool"].contains(&role) {
            return Err(Refusal::plain(format!("invalid role: {role}")));
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            if !call["function"]["arguments"].is_object() {
                return Err(Refusal::plain("json: cannot unmarshal string into Go struct field .arguments"));
            }
        }
    }
    Ok(())
}

pub(super) fn in_chat_words(body: &Value) -> Value {
    let mut chat = json!({
        "model": body["model"], "messages": body["messages"], "stream": body["stream"] != false,
        "tools": body["tools"], "max_tokens": body["options"]["num_predict"],
    });
    if let Some(schema) = present(body, "format").filter(|format| format.is_object()) {
        chat["response_format"] = json!({"type": "json_schema", "json_schema": {"schema": schema}});
    }
    chat
}

pub(super) struct Ollama;

impl Ollama {
    fn line(envelope: &Envelope, message: &Value) -> Value {
        json!({"model": envelope.model, "created_at": "2026-07-01T00:00:00Z", "message": message, "done": false})
    }

    fn done(envelope: &Envelope, message: &Value, finish_reason: &str, tokens: usize) -> Value {
        let mut line = Self::line(envelope, message);
        line["done"] = json!(true);
        line["done_reason"] = json!(if finish_reason == "length" { "length" } else { "stop" });
        line["prompt_eval_count"] = json!(envelope.prompt_tokens);
        line["eval_count"] = json!(tokens);
        line
    }
}

impl Script for Ollama {
    fn first(&self, _: &Envelope) -> String {
        String::new()
    }

    fn piece(&self, envelope: &Envelope, text: &str) -> String {
        self.event(&Self::line(envelope, &json!({"role": "assistant", "content": text})))
    }

    fn last(&self, envelope: &Envelope, finish_reason: &str, completion_tokens: usize) -> String {
        let message = json!({"role": "assistant", "content": ""});
        self.event(&Self::done(envelope, &message, finish_reason, completion_tokens))
    }

    fn whole(&self, envelope: &Envelope, text: &str, finish_reason: &str, completion_tokens: usize) -> Value {
        let message = json!({"role": "assistant", "content": text});
        Self::done(envelope, &message, finish_reason, completion_tokens)
    }

    fn calls(&self, envelope: &Envelope, calls: &[ToolCall], completion_tokens: usize) -> String {
        let call = |call: &ToolCall| json!({"function": {"name": call.name, "arguments": call.arguments}});
        let calls: Vec<Value> = calls.iter().map(call).collect();
        let message = json!({"role": "assistant", "content": "", "tool_calls": calls});
        if envelope.is_stream {
            return self.event(&Self::line(envelope, &message))
                + &self.last(envelope, "stop", completion_tokens);
        }
        Self::done(envelope, &message, "stop", completion_tokens).to_string()
    }

    fn event(&self, event: &Value) -> String {
        format!("{event}\n")
    }
}
