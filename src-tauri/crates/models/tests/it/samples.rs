//! The default profile, request and answer of the tests.

use engine::TextSink;
use kernel::{Error, Message, ModelReply, ModelRequest, Speaker, Value};
use models::{ProfileAccess, connect};
use serde_json::json;

use crate::server::{Server, Step};

pub(crate) const KEY: &str = "sk-test-Zq81/Yb7+Lm42XwPd93";

pub(crate) fn access(base_url: &str) -> ProfileAccess {
    ProfileAccess {
        profile: "work".into(),
        provider: "openai-compatible".into(),
        base_url: base_url.into(),
        key: Some(KEY.into()),
    }
}

pub(crate) fn request() -> ModelRequest {
    ModelRequest {
        agent: "writer".into(),
        profile: "work".into(),
        model: "m-1".into(),
        instruction: Value::text("Write."),
        messages: vec![Message::new(Speaker::User, "About proofs.")],
        shape: None,
        tools: Vec::new(),
        temperature: 0.4,
        max_output_tokens: 2048,
    }
}

/// The result of one streamed request to a server with this response, and the text in the sink.
pub(crate) async fn ask(answer: Vec<Step>) -> (Result<ModelReply, Error>, String) {
    let server = Server::new(vec![answer]);
    let sink = TextSink::default();
    let reply = connect(access(&server.base_url)).unwrap().answer(&request(), &sink).await;
    (reply, sink.so_far())
}

pub(crate) async fn text_of(answer: Vec<Step>) -> String {
    let (reply, so_far) = ask(answer).await;
    let text = reply.unwrap().text;
    assert_eq!(text, so_far, "the sink has what the reply has");
    text
}

pub(crate) fn whole_answer(text: &str) -> serde_json::Value {
    json!({
        "model": "m-1-2026", "usage": {"prompt_tokens": 11, "completion_tokens": 4, "total_tokens": 15},
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}]
    })
}
