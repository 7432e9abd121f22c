//! The request of each provider in the terms of its service.

use engine::TextSink;
use kernel::{Json, Message, ModelRequest, ReplyShape, Speaker, ToolOffer, ToolRequest, Value};
use models::{Delivery, ProfileAccess, connect_with};
use serde_json::json;

use crate::samples::{KEY, access, request};
use crate::server::{ReceivedRequest, Server, json as json_answer};

fn schema() -> serde_json::Value {
    json!({"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"type": "string"}}})
}

/// A full conversation: a shape, a tool, its call and result, and an earlier empty answer.
fn full(model: &str) -> ModelRequest {
    let call = ToolRequest {
        id: "call_1".into(),
        tool: "search".into(),
        input: Json(json!({"q": "x"})),
        opaque: None,
    };
    let call_message = Message { tool_requests: vec![call], ..Message::new(Speaker::Model, "") };
    let result_message =
        Message { answers: Some("call_1".into()), ..Message::new(Speaker::Tool, "{\"found\":2}") };
    let mut request = ModelRequest {
        model: model.into(),
        shape: Some(ReplyShape { name: "draft".into(), schema: Value::new(schema()) }),
        tools: vec![ToolOffer {
            name: "search".into(),
            description: "Searches.".into(),
            schema: Value::new(schema()),
        }],
        ..request()
    };
    request.messages.extend([
        call_message,
        result_message,
        Message::new(Speaker::Model, ""),
        Message::new(Speaker::User, "Again."),
    ]);
    request
}

/// The body that is sent for a request without streaming.
async fn sent(provider: &str, request: &ModelRequest) -> ReceivedRequest {
    let server = Server::new(vec![json_answer(500, &json!({}))]);
    let access = ProfileAccess { provider: provider.into(), ..access(&server.base_url) };
    let model = connect_with(access, Delivery::Whole).unwrap();
    model.answer(request, &TextSink::default()).await.unwrap_err();
    let seen = server.seen().remove(0);
    let line = seen.head.lines().next().unwrap_or_default().to_owned();
    assert!(!line.contains(&KEY[..8]), "the key is in the address: {line}");
    seen
}

#[tokio::test]
async fn gemini_gets_its_own_fields() {
    let seen = sent("gemini", &full("gemini-3.8-flash")).await;
    assert!(
        seen.head.starts_with("POST /v1/models/gemini-3.8-flash:generateContent HTTP/1.1"),
        "{}",
        seen.head
    );
    assert!(seen.head.contains(&format!("x-goog-api-key: {KEY}")) && !seen.head.contains("authorization"));
    let expected = json!({
        "systemInstruction": {"parts": [{"text": "Write."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "About proofs."}]},
            {"role": "model", "parts": [{"functionCall": {"name": "search", "args": {"q": "x"}, "id": "call_1"}, "thoughtSignature": "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "search", "response": {"found": 2}, "id": "call_1"}}, {"text": "Again."}]},
        ],
        "tools": [{"functionDeclarations": [{"name": "search", "description": "Searches.", "parametersJsonSchema": schema()}]}],
        "generationConfig": {
            "temperature": 0.4, "maxOutputTokens": 2048 + 8192, "responseMimeType": "application/json",
            "responseJsonSchema": schema(), "thinkingConfig": {"thinkingLevel": "LOW"}
        }
    });
    assert_eq!(seen.body, expected);
    // A model name cannot change the path of the address.
    let odd = sent("gemini", &full("../../x?key=1#y")).await;
    let line = "POST /v1/models/..%2F..%2Fx%3Fkey%3D1%23y:generateContent HTTP/1.1";
    assert!(odd.head.starts_with(line), "{}", odd.head);
}

#[tokio::test]
async fn anthropic_gets_its_own_fields() {
    let seen = sent("anthropic", &full("claude-haiku-4-5")).await;
    assert!(seen.head.starts_with("POST /v1/messages HTTP/1.1"), "{}", seen.head);
    assert!(
        seen.head.contains(&format!("x-api-key: {KEY}"))
            && seen.head.contains("anthropic-version: 2023-06-01")
    );
    let expected = json!({
        "model": "claude-haiku-4-5", "stream": false, "max_tokens": 2048, "temperature": 0.4, "system": "Write.",
        "tools": [{"name": "search", "description": "Searches.", "input_schema": schema()}],
        "messages": [
            {"role": "user", "content": "About proofs."},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": "search", "input": {"q": "x"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "{\"found\":2}"}]},
            {"role": "user", "content": "Again."}
        ],
        "output_config": {"format": {"type": "json_schema", "schema": schema()}}
    });
    assert_eq!(seen.body, expected);
    let newer = sent("anthropic", &full("claude-sonnet-5")).await.body;
    assert_eq!((newer.get("temperature"), &newer["thinking"]), (None, &json!({"type": "disabled"})));
}

#[tokio::test]
async fn ollama_gets_its_own_fields_and_a_context_for_the_whole_prompt() {
    let mut request = full("qwen3:4b");
    let seen = sent("ollama", &request).await;
    assert!(seen.head.starts_with("POST /v1/api/chat HTTP/1.1"), "{}", seen.head);
    let expected = json!({
        "model": "qwen3:4b", "stream": false, "think": false, "format": schema(),
        "options": {"temperature": 0.4, "num_predict": 2048, "num_ctx": 8192},
        "tools": [{"type": "function", "function": {"name": "search", "description": "Searches.", "parameters": schema()}}],
        "messages": [
            {"role": "system", "content": "Write."},
            {"role": "user", "content": "About proofs."},
            {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "search", "arguments": {"q": "x"}}}]},
            {"role": "tool", "content": "{\"found\":2}", "tool_name": "search"},
            {"role": "user", "content": "Again."}
        ]
    });
    assert_eq!(seen.body, expected);
    request.messages.push(Message::new(Speaker::User, "word ".repeat(12_000)));
    assert_eq!(sent("ollama", &request).await.body["options"]["num_ctx"], 32_768);
}

#[tokio::test]
async fn a_provider_that_requires_a_key_is_not_called_without_one() {
    let server = Server::new(vec![json_answer(500, &json!({}))]);
    let access = ProfileAccess { provider: "anthropic".into(), key: None, ..access(&server.base_url) };
    let model = connect_with(access, Delivery::Streamed).unwrap();
    let error = model.answer(&request(), &TextSink::default()).await.unwrap_err();
    assert!(error.code == kernel::Code::KeyRefused && error.message.contains("wants a key"), "{error:?}");
    assert!(server.seen().is_empty());
}
