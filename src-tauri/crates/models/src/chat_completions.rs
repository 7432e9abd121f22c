//! Reads answers of OpenAI's chat completions, whole and in frames.
//!
//! Servers differ: they send refusals, streams without `[DONE]`, tool calls without an id or with invalid arguments,
//! any index of a tool call, and fields of the wrong type. The reader accepts all of these and bounds its memory.

use kernel::{Json, ModelReply, TokenUsage, ToolRequest, json_field};
use serde_json::{Value, json};

use crate::reader::{Content, MOST_CALLS, ReadReply, Reader, content_of, input_of, stop_word, text_in};
use crate::thinking::Thoughts;
use crate::tokens::Tokens;

/// The content of the frames of a stream, or of one body, so far.
#[derive(Default)]
pub(crate) struct ChatCompletions {
    model: String,
    stop: Option<String>,
    refusal: String,
    thinking: Thoughts,
    tokens: Tokens,
    calls: Vec<Call>,
    is_ended: bool,
    has_choice: bool,
}

#[derive(Default)]
struct Call {
    index: u64,
    id: String,
    tool: String,
    arguments: String,
    input: Option<Value>,
    extra_content: Option<Value>,
}

impl Reader for ChatCompletions {
    fn frame(&mut self, frame: &Value) -> String {
        if self.model.is_empty() {
            text_in(frame, "model").clone_into(&mut self.model);
        }
        self.tokens.read(frame);
        let Some(choice) =
            frame.pointer("/choices/0").or_else(|| frame.get("choices").filter(|one| one.is_object()))
        else {
            return self.without_choice(frame);
        };
        self.has_choice = true;
        let stop = text_in(choice, "finish_reason");
        if !stop.is_empty() {
            self.stop = Some(stop.to_owned());
        }
        let part_of = |name: &str| json_field(choice, name).filter(|part| part.is_object());
        // A whole answer has a `message`. Some servers also send the pieces of a stream as `message`, and old ones have
        // neither field.
        let Some(part) = part_of("delta").or_else(|| part_of("message")) else {
            let bare = ["delta", "message", "text"].map(|name| text_in(choice, name));
            return bare.into_iter().find(|text| !text.is_empty()).unwrap_or_default().to_owned();
        };
        self.refusal.push_str(text_in(part, "refusal"));
        // Some gateways send the same thought under more than one of these names.
        let thought = ["reasoning_content", "reasoning", "thinking"].map(|name| text_in(part, name));
        self.thinking.push(thought.into_iter().find(|thought| !thought.is_empty()).unwrap_or_default());
        let pieces = part.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice);
        let former = part.get("function_call").map(|function| json!({ "function": function }));
        for (place, piece) in pieces.unwrap_or_default().iter().chain(&former).enumerate() {
            self.add_call(place, piece);
        }
        let Content { text, thinking } = part.get("content").map(content_of).unwrap_or_default();
        self.thinking.push(&thinking);
        if !text.is_empty() {
            return text;
        }
        let beside = [part.get("parsed"), choice.get("text"), part.get("text")];
        beside
            .into_iter()
            .flatten()
            .map(content_of)
            .map(|read| read.text)
            .find(|text| !text.is_empty())
            .unwrap_or_default()
    }

    fn end_mark(&mut self) {
        self.is_ended = true;
    }

    fn is_complete(&self) -> bool {
        self.is_ended || self.stop.is_some()
    }

    fn is_over(&self) -> bool {
        self.is_ended
    }

    fn usage(&self) -> TokenUsage {
        self.tokens.usage()
    }

    fn is_answer(&self) -> bool {
        self.has_choice
    }

    fn read(&mut self) -> ReadReply {
        std::mem::take(self).gathered()
    }
}

impl ChatCompletions {
    /// Reads frames of similar dialects: the text is in the frame itself or in its list of outputs.
    fn without_choice(&mut self, frame: &Value) -> String {
        if frame.get("choices").is_some_and(Value::is_array) {
            return String::new();
        }
        let outputs = frame.get("output").and_then(Value::as_array).into_iter().flatten();
        let outputs = outputs.filter_map(|output| output.get("content"));
        let message = frame.get("message").map(|message| message.get("content").unwrap_or(message));
        let own =
            ["response", "output_text", "generated_text", "content", "text"].map(|name| frame.get(name));
        let Content { text, thinking } = outputs
            .chain(message)
            .chain(own.into_iter().flatten())
            .map(content_of)
            .find(|read| !read.text.is_empty() || !read.thinking.is_empty())
            .unwrap_or_default();
        self.thinking.push(&thinking);
        self.has_choice |= !text.is_empty() || !thinking.is_empty();
        text
    }

    /// A piece belongs to the latest call of its index, unless it has a new id: some servers send every call with index
    /// 0.
    fn add_call(&mut self, place: usize, piece: &Value) {
        let index = piece.get("index").and_then(Value::as_u64).unwrap_or(place as u64);
        let id = text_in(piece, "id");
        let known = self.calls.iter().rposition(|call| call.index == index);
        let at = match known.filter(|&at| id.is_empty() || self.calls[at].id == id) {
            Some(at) => at,
            None if self.calls.len() < MOST_CALLS => {
                self.calls.push(Call { index, id: id.to_owned(), ..Call::default() });
                self.calls.len() - 1
            }
            None => return,
        };
        let Some(call) = self.calls.get_mut(at) else { return };
        // Gemini's signature of a call: without it, Gemini refuses the conversation.
        if let Some(extra) = piece.get("extra_content").filter(|extra| extra.is_object()) {
            call.extra_content = Some(extra.clone());
        }
        let Some(function) = piece.get("function") else { return };
        let name = text_in(function, "name");
        if !name.is_empty() {
            name.clone_into(&mut call.tool);
        }
        match function.get("arguments") {
            Some(Value::String(arguments)) => call.arguments.push_str(arguments),
            Some(Value::Null) | None => {}
            Some(input) => call.input = Some(input.clone()),
        }
    }

    fn gathered(mut self) -> ReadReply {
        let is_complete = self.is_complete();
        let tool_requests: Vec<_> = self
            .calls
            .into_iter()
            .filter(|call| !call.tool.is_empty())
            .enumerate()
            .map(|(place, call)| call.request(place))
            .collect();
        let stop = self.stop.as_deref().map_or_else(
            || if tool_requests.is_empty() { "stop" } else { "tool_calls" }.to_owned(),
            stop_word,
        );
        ReadReply {
            refusal: Some(self.refusal).filter(|refusal| !refusal.is_empty()),
            is_complete,
            reply: ModelReply {
                cost: None,
                text: String::new(),
                thinking: self.thinking.take(),
                tool_requests,
                usage: self.tokens.usage(),
                stop,
                model: self.model,
            },
        }
    }
}

impl Call {
    fn request(self, place: usize) -> ToolRequest {
        let input = self.input.unwrap_or_else(|| input_of(self.arguments));
        let id = if self.id.is_empty() { format!("call_{place}") } else { self.id };
        let opaque = self.extra_content.map(|extra| extra.to_string());
        ToolRequest { id, tool: self.tool, input: Json(input), opaque }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(frames: &[Value]) -> ReadReply {
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
    fn pieces_of_tool_calls_are_joined() {
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
    fn the_opaque_part_of_a_call_is_sent_back_unchanged() {
        let extra = json!({"google": {"thought_signature": "c2ln"}});
        let read = gathered(&[
            call(json!([{"index": 0, "id": "a", "extra_content": extra, "function": {"name": "search"}}])),
            call(json!([{"index": 1, "id": "b", "function": {"name": "search", "arguments": "{}"}}])),
        ]);
        let sent: Vec<Value> = read
            .reply
            .tool_requests
            .iter()
            .map(|request| serde_json::to_value(crate::openai_compatible::call(request)).unwrap())
            .collect();
        assert_eq!((&sent[0]["extra_content"], sent[1].get("extra_content")), (&extra, None));
    }

    #[test]
    fn a_field_of_the_wrong_type_loses_only_itself() {
        let mut reader = ChatCompletions::default();
        let frame = |odd: Value| json!({"model": 7, "choices": [odd], "usage": {"prompt_tokens": "many"}});
        let mut text = reader.frame(&frame(json!({"delta": {"content": "a", "refusal": false}})));
        text += &reader.frame(&frame(json!({"delta": {"content": "b"}, "finish_reason": false})));
        let call = json!({"index": "0", "id": 4, "function": {"name": "f", "arguments": "{}"}});
        text += &reader.frame(&frame(json!({"delta": {"content": null, "tool_calls": [call, 5]}})));
        text += &reader.frame(&frame(json!({"delta": {"content": "c"}, "message": null})));
        text += &reader.frame(&frame(json!({"delta": {"content": ""}, "message": {"content": ""}})));
        assert!(!reader.is_over());
        text += &reader.frame(&frame(json!({"delta": [], "finish_reason": "stop"})));
        assert_eq!(text, "abc");
        let read = reader.read();
        let [call] = &*read.reply.tool_requests else { panic!("{:?}", read.reply) };
        assert_eq!((call.tool.as_str(), read.is_complete), ("f", true));
    }

    #[test]
    fn reported_tokens_are_kept_if_the_end_reports_none() {
        let read = gathered(&[
            json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}),
            json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 9}}),
            json!({"choices": [], "usage": {}}),
        ]);
        assert_eq!((read.reply.usage.input_tokens, read.reply.usage.output_tokens), (7, 9));
    }

    #[test]
    fn an_index_of_a_server_reserves_no_memory() {
        let read = gathered(&[call(json!([{"index": u32::MAX, "function": {"name": "f"}}]))]);
        assert_eq!(read.reply.tool_requests.len(), 1);
        let many: Vec<_> =
            (0..1000).map(|n| json!({"index": n, "id": n.to_string(), "function": {"name": "f"}})).collect();
        assert_eq!(gathered(&[call(json!(many))]).reply.tool_requests.len(), MOST_CALLS);
    }

    #[test]
    fn an_answer_in_one_piece_is_read_in_the_forms_of_different_servers() {
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
