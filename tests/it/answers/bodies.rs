//! One case as the bytes of a service: text, thinking and calls in the places of its dialect.
//!
//! Beside `testkit::Reply`, which never mixes the three in one answer.

use serde_json::{Value, json};
use testkit::Dialect;

use super::cases::Case;

/// The answer's content type and body.
pub(super) fn body(dialect: Dialect, is_stream: bool, case: &Case) -> (&'static str, String) {
    let frames = match dialect {
        Dialect::OpenAi => chat_completions(is_stream, case),
        Dialect::Gemini => generate_content(is_stream, case),
        Dialect::Anthropic => messages(is_stream, case),
        Dialect::Ollama => ndjson_chat(is_stream, case),
    };
    let framed = |frame: fn(&Value) -> String| frames.iter().map(frame).collect::<String>();
    match (dialect, is_stream) {
        (_, false) => ("application/json", frames.iter().map(Value::to_string).collect()),
        (Dialect::Ollama, true) => ("application/x-ndjson", framed(|frame| format!("{frame}\n"))),
        (Dialect::OpenAi, true) => {
            ("text/event-stream", framed(|frame| format!("data: {frame}\n\n")) + "data: [DONE]\n\n")
        }
        (Dialect::Gemini, true) => ("text/event-stream", framed(|frame| format!("data: {frame}\r\n\r\n"))),
        (Dialect::Anthropic, true) => (
            "text/event-stream",
            framed(|frame| format!("event: {}\ndata: {frame}\n\n", frame["type"].as_str().unwrap())),
        ),
    }
}

/// A text as a stream brings it, in some twenty pieces that end anywhere.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let length = (characters.len() / 20).max(3);
    characters.chunks(length).map(|piece| piece.iter().collect()).collect()
}

fn reason(case: &Case, cut: &'static str, called: &'static str, ended: &'static str) -> &'static str {
    match (case.was_cut, case.calls.is_empty()) {
        (true, _) => cut,
        (false, false) => called,
        (false, true) => ended,
    }
}

fn chat_completions(is_stream: bool, case: &Case) -> Vec<Value> {
    let reason = reason(case, "length", "tool_calls", "stop");
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30});
    let call = |(index, (name, arguments)): (usize, &(String, Value))| json!({"index": index, "id": format!("call_{index}"), "type": "function", "function": {"name": name, "arguments": arguments.to_string()}});
    let calls: Vec<Value> = case.calls.iter().enumerate().map(call).collect();
    let mut message = json!({"role": "assistant", "content": case.raw});
    if !case.thinking.is_empty() {
        message["reasoning_content"] = json!(case.thinking);
    }
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    if !is_stream {
        let choice = json!({"index": 0, "message": message, "finish_reason": reason});
        return vec![
            json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}),
        ];
    }
    let chunk = |delta: Value, reason: Value| json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]});
    let mut frames = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
    let thought = pieces(&case.thinking).into_iter().map(|piece| json!({"reasoning_content": piece}));
    let said = pieces(&case.raw).into_iter().map(|piece| json!({"content": piece}));
    frames.extend(thought.chain(said).map(|delta| chunk(delta, Value::Null)));
    for (index, (name, arguments)) in case.calls.iter().enumerate() {
        let first = json!({"index": index, "id": format!("call_{index}"), "type": "function", "function": {"name": name, "arguments": ""}});
        frames.push(chunk(json!({"tool_calls": [first]}), Value::Null));
        for piece in pieces(&arguments.to_string()) {
            let more = json!({"index": index, "function": {"arguments": piece}});
            frames.push(chunk(json!({"tool_calls": [more]}), Value::Null));
        }
    }
    frames.push(chunk(json!({}), json!(reason)));
    frames.push(json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": usage}));
    frames
}

fn generate_content(is_stream: bool, case: &Case) -> Vec<Value> {
    let reason = reason(case, "MAX_TOKENS", "STOP", "STOP");
    let calls =
        case.calls.iter().map(|(name, arguments)| json!({"functionCall": {"name": name, "args": arguments}}));
    let chunk = |parts: Vec<Value>, reason: Value| json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, "finishReason": reason}], "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 20, "totalTokenCount": 30}, "modelVersion": "m"});
    let split = |text: &str| match (text.is_empty(), is_stream) {
        (true, _) => Vec::new(),
        (false, false) => vec![text.to_owned()],
        (false, true) => pieces(text),
    };
    let thought = split(&case.thinking).into_iter().map(|piece| json!({"text": piece, "thought": true}));
    let said = split(&case.raw).into_iter().map(|piece| json!({ "text": piece }));
    let parts: Vec<Value> = thought.chain(said).chain(calls).collect();
    if !is_stream {
        return vec![chunk(parts, json!(reason))];
    }
    let mut frames: Vec<Value> = parts.into_iter().map(|part| chunk(vec![part], Value::Null)).collect();
    frames.push(chunk(vec![json!({"text": ""})], json!(reason)));
    frames
}

fn messages(is_stream: bool, case: &Case) -> Vec<Value> {
    let reason = reason(case, "max_tokens", "tool_use", "end_turn");
    // A block as a stream opens it, its pieces, and the block whole.
    let mut blocks: Vec<(Value, Vec<Value>, Value)> = Vec::new();
    if !case.thinking.is_empty() {
        let piece = |piece| json!({"type": "thinking_delta", "thinking": piece});
        blocks.push((
            json!({"type": "thinking", "thinking": "", "signature": ""}),
            pieces(&case.thinking).into_iter().map(piece).collect(),
            json!({"type": "thinking", "thinking": case.thinking, "signature": "c2ln"}),
        ));
    }
    if !case.raw.is_empty() {
        let piece = |piece| json!({"type": "text_delta", "text": piece});
        blocks.push((
            json!({"type": "text", "text": ""}),
            pieces(&case.raw).into_iter().map(piece).collect(),
            json!({"type": "text", "text": case.raw}),
        ));
    }
    for (index, (name, arguments)) in case.calls.iter().enumerate() {
        let block = |input: &Value| json!({"type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": input});
        let piece = |piece| json!({"type": "input_json_delta", "partial_json": piece});
        blocks.push((
            block(&json!({})),
            pieces(&arguments.to_string()).into_iter().map(piece).collect(),
            block(arguments),
        ));
    }
    let message = |content: Vec<Value>, reason: Value| json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": reason, "stop_sequence": null, "usage": {"input_tokens": 10, "output_tokens": 20}});
    if !is_stream {
        let content = blocks.into_iter().map(|(_, _, whole)| whole).collect();
        return vec![message(content, json!(reason))];
    }
    let mut frames = vec![json!({"type": "message_start", "message": message(Vec::new(), Value::Null)})];
    for (index, (opened, deltas, _)) in blocks.into_iter().enumerate() {
        frames.push(json!({"type": "content_block_start", "index": index, "content_block": opened}));
        let delta = |delta| json!({"type": "content_block_delta", "index": index, "delta": delta});
        frames.extend(deltas.into_iter().map(delta));
        frames.push(json!({"type": "content_block_stop", "index": index}));
    }
    let end = json!({"stop_reason": reason, "stop_sequence": null});
    frames.push(json!({"type": "message_delta", "delta": end, "usage": {"output_tokens": 20}}));
    frames.push(json!({"type": "message_stop"}));
    frames
}

fn ndjson_chat(is_stream: bool, case: &Case) -> Vec<Value> {
    let call =
        |(name, arguments): &(String, Value)| json!({"function": {"name": name, "arguments": arguments}});
    let calls: Vec<Value> = case.calls.iter().map(call).collect();
    let line = |message: Value| json!({"model": "m", "created_at": "2026-07-01T00:00:00Z", "message": message, "done": false});
    let done = |message: Value| {
        let mut line = line(message);
        line["done"] = json!(true);
        line["done_reason"] = json!(if case.was_cut { "length" } else { "stop" });
        line["prompt_eval_count"] = json!(10);
        line["eval_count"] = json!(20);
        line
    };
    let mut message = json!({"role": "assistant", "content": case.raw});
    if !case.thinking.is_empty() {
        message["thinking"] = json!(case.thinking);
    }
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    if !is_stream {
        return vec![done(message)];
    }
    let thought = pieces(&case.thinking)
        .into_iter()
        .map(|piece| json!({"role": "assistant", "content": "", "thinking": piece}));
    let said = pieces(&case.raw).into_iter().map(|piece| json!({"role": "assistant", "content": piece}));
    let called =
        calls.into_iter().map(|call| json!({"role": "assistant", "content": "", "tool_calls": [call]}));
    let mut frames: Vec<Value> = thought.chain(said).chain(called).map(line).collect();
    frames.push(done(json!({"role": "assistant", "content": ""})));
    frames
}
