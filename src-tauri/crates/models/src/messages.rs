//! Reads answers of Anthropic's messages: named events, or one object.
//!
//! The type in each event is enough, so the event names are not used. Blocks other than text and our tools' calls
//! (thinking, searches of the service) are skipped.

use std::collections::BTreeMap;

use kernel::{Json, ModelReply, TokenUsage, ToolRequest};
use serde_json::Value;

use crate::reader::{MOST_CALLS, ReadReply, Reader, content_of, input_of, stop_word, text_in};
use crate::thinking::Thoughts;
use crate::tokens::Tokens;

/// The content of the events of an answer so far.
#[derive(Default)]
pub(crate) struct Messages {
    model: String,
    stop: Option<String>,
    refusal: Option<String>,
    thinking: Thoughts,
    tokens: Tokens,
    /// Calls by the index of their block.
    calls: BTreeMap<u64, Call>,
    has_message: bool,
    is_stopped: bool,
}

#[derive(Default)]
struct Call {
    id: String,
    tool: String,
    input: Value,
    pieces: String,
}

impl Reader for Messages {
    fn frame(&mut self, event: &Value) -> String {
        let index = event.get("index").and_then(Value::as_u64).unwrap_or_default();
        self.tokens.read(event);
        match text_in(event, "type") {
            "message" => self.message(event),
            // Gateways omit the type.
            "" if event.get("content").is_some() || event.get("completion").is_some() => self.message(event),
            "message_start" => {
                if let Some(message) = event.get("message") {
                    self.begin(message);
                }
                String::new()
            }
            "content_block_start" => {
                event.get("content_block").map(|block| self.block(index, block)).unwrap_or_default()
            }
            "content_block_delta" => {
                let Some(delta) = event.get("delta") else { return String::new() };
                if let Some(call) = self.calls.get_mut(&index) {
                    call.pieces.push_str(text_in(delta, "partial_json"));
                }
                match text_in(delta, "type") {
                    "text_delta" | "" => return text_in(delta, "text").to_owned(),
                    "thinking_delta" => self.thinking.push(text_in(delta, "thinking")),
                    _ => {}
                }
                String::new()
            }
            "message_delta" => {
                if let Some(delta) = event.get("delta") {
                    self.stopped(delta);
                }
                String::new()
            }
            "message_stop" => {
                self.is_stopped = true;
                String::new()
            }
            _ => String::new(),
        }
    }

    fn is_complete(&self) -> bool {
        self.is_stopped || self.stop.is_some()
    }

    fn is_over(&self) -> bool {
        self.is_stopped
    }

    fn usage(&self) -> TokenUsage {
        self.tokens.usage()
    }

    fn is_answer(&self) -> bool {
        self.has_message || self.stop.is_some()
    }

    fn read(&mut self) -> ReadReply {
        let is_complete = self.is_complete();
        let calls = std::mem::take(&mut self.calls).into_values().enumerate();
        let tool_requests: Vec<_> = calls.map(|(place, call)| call.request(place)).collect();
        let reason = self.stop.take().unwrap_or_else(|| "end_turn".to_owned());
        ReadReply {
            refusal: self.refusal.take(),
            is_complete,
            reply: ModelReply {
                cost: None,
                text: String::new(),
                thinking: self.thinking.take(),
                tool_requests,
                usage: self.tokens.usage(),
                stop: stop_word(&reason),
                model: std::mem::take(&mut self.model),
            },
        }
    }
}

impl Messages {
    fn begin(&mut self, message: &Value) {
        self.has_message = true;
        self.model = text_in(message, "model").to_owned();
    }

    /// Reads a whole answer.
    fn message(&mut self, message: &Value) -> String {
        self.begin(message);
        self.stopped(message);
        self.is_stopped = true;
        match message.get("content").or_else(|| message.get("completion")) {
            Some(Value::Array(blocks)) => {
                blocks.iter().zip(0..).map(|(block, index)| self.block(index, block)).collect()
            }
            Some(content) => content_of(content).text,
            None => String::new(),
        }
    }

    /// Begins a block and returns its initial text.
    fn block(&mut self, index: u64, block: &Value) -> String {
        match text_in(block, "type") {
            "text" | "" => content_of(block).text,
            "thinking" => {
                self.thinking.push(text_in(block, "thinking"));
                String::new()
            }
            "tool_use" if self.calls.len() < MOST_CALLS => {
                let call = Call {
                    id: text_in(block, "id").to_owned(),
                    tool: text_in(block, "name").to_owned(),
                    input: block.get("input").cloned().unwrap_or_default(),
                    pieces: String::new(),
                };
                self.calls.insert(index, call);
                String::new()
            }
            _ => String::new(),
        }
    }

    fn stopped(&mut self, holder: &Value) {
        let reason = text_in(holder, "stop_reason");
        if !reason.is_empty() {
            self.stop = Some(reason.to_owned());
        }
        if reason == "refusal" {
            let why = holder.pointer("/stop_details/explanation").and_then(Value::as_str);
            self.refusal = Some(why.unwrap_or_default().to_owned());
        }
    }
}

impl Call {
    fn request(self, place: usize) -> ToolRequest {
        let input = match self.input {
            input if self.pieces.trim().is_empty() && !input.is_null() => input,
            _ => input_of(self.pieces),
        };
        let id = if self.id.is_empty() { format!("call_{place}") } else { self.id };
        ToolRequest { id, tool: self.tool, input: Json(input), opaque: None }
    }
}
