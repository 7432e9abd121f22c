//! Reads answers of OpenAI's chat completions, whole and in frames.
//!
//! Servers differ: refusals, streams that end without `[DONE]`, tool calls without an id or with unreadable arguments,
//! and any index of a tool call are all taken as they come, and none is trusted with memory.

use kernel::{Json, ModelReply, TokenUsage, ToolRequest};
use serde::Deserialize;
use serde_json::Value;

use crate::reading::{MOST_CALLS, Read, Reader, stop_word};

#[derive(Deserialize)]
struct Chunk {
    model: Option<String>,
    choices: Option<Vec<Choice>>,
    usage: Option<Counts>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(alias = "message")]
    delta: Option<Part>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Part {
    refusal: Option<String>,
    tool_calls: Option<Vec<CallPiece>>,
}

#[derive(Deserialize)]
struct CallPiece {
    index: Option<u32>,
    id: Option<String>,
    function: Option<FunctionPiece>,
}

#[derive(Deserialize)]
struct FunctionPiece {
    name: Option<String>,
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct Counts {
    prompt_tokens: Option<f64>,
    completion_tokens: Option<f64>,
    prompt_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<f64>,
}

/// What the frames of a stream, or one body, have told so far.
#[derive(Default)]
pub(crate) struct ChatCompletions {
    model: String,
    stop: Option<String>,
    refusal: String,
    usage: TokenUsage,
    calls: Vec<Call>,
    is_done: bool,
    has_choice: bool,
}

struct Call {
    index: u32,
    id: String,
    tool: String,
    arguments: String,
    input: Option<Value>,
}

impl Reader for ChatCompletions {
    fn frame(&mut self, frame: &Value) -> String {
        let Ok(chunk) = Chunk::deserialize(frame) else { return String::new() };
        self.add(chunk);
        let part = |name: &str| frame.pointer(&format!("/choices/0/{name}"));
        // An answer in one piece is over with its one body.
        self.is_done |= part("message").is_some();
        text_of(part("delta").or_else(|| part("message")).and_then(|part| part.get("content")))
    }

    fn end_mark(&mut self) {
        self.is_done = true;
    }

    fn is_complete(&self) -> bool {
        self.is_done || self.stop.is_some()
    }

    fn usage(&self) -> TokenUsage {
        self.usage
    }

    fn is_answer(&self) -> bool {
        self.has_choice
    }

    fn read(&mut self) -> Read {
        std::mem::take(self).gathered()
    }
}

/// The text of a message: a string, or typed parts of which only text counts.
fn text_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts
            .iter()
            .filter(|part| part.get("type").is_none_or(|kind| kind == "text"))
            .filter_map(|part| part.get("text")?.as_str())
            .collect(),
        _ => String::new(),
    }
}

impl ChatCompletions {
    fn add(&mut self, chunk: Chunk) {
        if let Some(model) = chunk.model.filter(|_| self.model.is_empty()) {
            self.model = model;
        }
        if let Some(counts) = chunk.usage {
            // The casts saturate; a negative count is 0.
            self.usage = TokenUsage {
                input_tokens: counts.prompt_tokens.unwrap_or_default() as u32,
                output_tokens: counts.completion_tokens.unwrap_or_default() as u32,
                cached_tokens: counts
                    .prompt_tokens_details
                    .and_then(|details| details.cached_tokens)
                    .unwrap_or_default() as u32,
            };
        }
        let Some(choice) = chunk.choices.and_then(|choices| choices.into_iter().next()) else { return };
        self.has_choice = true;
        if let Some(stop) = choice.finish_reason.filter(|stop| !stop.is_empty()) {
            self.stop = Some(stop);
        }
        let Some(part) = choice.delta else { return };
        self.refusal.push_str(&part.refusal.unwrap_or_default());
        for (place, piece) in part.tool_calls.into_iter().flatten().enumerate() {
            self.add_call(place, piece);
        }
    }

    /// A piece belongs to the latest call of its index, unless it brings an id of its own: some servers
    /// send every call with index 0.
    fn add_call(&mut self, place: usize, piece: CallPiece) {
        let index = piece.index.unwrap_or(u32::try_from(place).unwrap_or(u32::MAX));
        let id = piece.id.unwrap_or_default();
        let known = self.calls.iter().rposition(|call| call.index == index);
        let at = match known.filter(|&at| id.is_empty() || self.calls[at].id == id) {
            Some(at) => at,
            None if self.calls.len() < MOST_CALLS => {
                self.calls.push(Call {
                    index,
                    id,
                    tool: String::new(),
                    arguments: String::new(),
                    input: None,
                });
                self.calls.len() - 1
            }
            None => return,
        };
        let (Some(function), Some(call)) = (piece.function, self.calls.get_mut(at)) else { return };
        if let Some(name) = function.name.filter(|name| !name.is_empty()) {
            call.tool = name;
        }
        match function.arguments {
            Some(Value::String(arguments)) => call.arguments.push_str(&arguments),
            Some(Value::Null) | None => {}
            Some(input) => call.input = Some(input),
        }
    }

    fn gathered(self) -> Read {
        let is_complete = self.is_complete();
        let tool_requests: Vec<_> =
            self.calls.into_iter().enumerate().map(|(place, call)| call.request(place)).collect();
        let stop = self.stop.as_deref().map_or_else(
            || if tool_requests.is_empty() { "stop" } else { "tool_calls" }.to_owned(),
            stop_word,
        );
        Read {
            refusal: Some(self.refusal).filter(|refusal| !refusal.is_empty()),
            is_complete,
            reply: ModelReply {
                cost: None,
                text: String::new(),
                tool_requests,
                usage: self.usage,
                stop,
                model: self.model,
            },
        }
    }
}

impl Call {
    fn request(self, place: usize) -> ToolRequest {
        let input = self.input.unwrap_or_else(|| match self.arguments.trim() {
            "" => Value::Object(serde_json::Map::new()),
            // Unreadable arguments stay as they came: the engine shows the model its fault.
            text => serde_json::from_str(text).unwrap_or(Value::String(self.arguments)),
        });
        let id = if self.id.is_empty() { format!("call_{place}") } else { self.id };
        ToolRequest { id, tool: self.tool, input: Json(input) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn gathered(frames: &[Value]) -> Read {
        let mut reader = ChatCompletions::default();
        for frame in frames {
            reader.frame(frame);
        }
        reader.read()
    }

    fn call(pieces: Value) -> Value {
        json!({"choices": [{"delta": {"tool_calls": pieces}}]})
    }

    #[test]
    fn pieces_of_tool_calls_find_together() {
        let read = gathered(&[
            call(json!([{"index": 0, "id": "a", "function": {"name": "search", "arguments": "{\"q\":"}}])),
            call(json!([{"index": 1, "id": "b", "function": {"name": "count", "arguments": ""}}])),
            call(json!([{"index": 0, "function": {"arguments": "\"x\"}"}}])),
            call(json!([{"index": 0, "id": "c", "function": {"name": "search", "arguments": "{\"q"}}])),
            call(json!(null)),
        ]);
        let seen: Vec<_> =
            read.reply.tool_requests.iter().map(|call| (call.id.as_str(), call.input.0.clone())).collect();
        assert_eq!(seen, [("a", json!({"q": "x"})), ("b", json!({})), ("c", json!("{\"q"))]);
        assert!(!read.is_complete);
    }

    #[test]
    fn a_server_cannot_make_room_be_reserved_by_naming_an_index() {
        let read = gathered(&[call(json!([{"index": u32::MAX, "function": {"name": "f"}}]))]);
        assert_eq!(read.reply.tool_requests.len(), 1);
        let many: Vec<_> = (0..1000).map(|n| json!({"index": n, "id": n.to_string()})).collect();
        assert_eq!(gathered(&[call(json!(many))]).reply.tool_requests.len(), MOST_CALLS);
    }

    #[test]
    fn an_answer_in_one_piece_is_read_with_what_servers_make_of_it() {
        let mut reader = ChatCompletions::default();
        let text = reader.frame(&json!({
            "model": "m-1", "usage": {"prompt_tokens": 3, "completion_tokens": -1, "total_tokens": null},
            "choices": [{"finish_reason": null, "message": {
                "content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
                "tool_calls": [{"id": null, "type": "function", "function": {"name": "f", "arguments": {"k": 1}}}]}}]
        }));
        let read = reader.read();
        assert_eq!(text, "ab");
        assert_eq!(read.reply.stop, "tool_calls");
        assert_eq!(read.reply.usage, TokenUsage { input_tokens: 3, ..TokenUsage::default() });
        assert_eq!(read.reply.tool_requests[0].input.0, json!({"k": 1}));
        assert_eq!(read.reply.tool_requests[0].id, "call_0");
        for none in [json!([]), json!("x"), json!({"choices": []}), json!({"object": "list", "data": []})] {
            let mut reader = ChatCompletions::default();
            reader.frame(&none);
            assert!(!reader.is_answer(), "{none}");
        }
    }
}
