//! Measures the CPU time of one call beyond that of a bare reqwest request to the same server.
//!
//! Counts only the calling thread, by the kernel's clock, so that the server and other processes do not matter. Prints
//! milliseconds per call. It asserts nothing, because machines differ.

#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "the server is the tests' own, and they use the rest of it"
)]
#[path = "../tests/it/server.rs"]
mod server;

use std::io::Write;
use std::time::Duration;

use engine::TextSink;
use futures::StreamExt;
use kernel::{Message, ModelRequest, ReplyShape, Speaker, Value};
use models::{Delivery, ProfileAccess, connect_with};
use serde_json::json;
use server::{Server, Step, whole};

const CALLS: u32 = 3000;
const PIECES: usize = 60;

fn request() -> ModelRequest {
    let text = json!({"type": "string", "description": "Markdown of at most two hundred words"});
    let number = json!({"type": "integer"});
    let schema = json!({
        "type": "object", "additionalProperties": false,
        "required": ["post_markdown", "sources_used", "word_count", "notes"],
        "properties": {
            "post_markdown": text, "word_count": number, "notes": text,
            "sources_used": {"type": "array", "items": number},
        }
    });
    ModelRequest {
        agent: "ai_news_writer".into(),
        profile: "work".into(),
        model: "m-1".into(),
        instruction: Value::text("Write a post from the articles below. ".repeat(40)),
        messages: vec![Message::new(
            Speaker::User,
            "An article with a title, a date and a summary. ".repeat(130),
        )],
        shape: Some(ReplyShape { name: "draft_post".into(), schema: Value::new(schema) }),
        tools: Vec::new(),
        temperature: 0.4,
        max_output_tokens: 2048,
    }
}

fn bare_body(request: &ModelRequest, is_streamed: bool) -> serde_json::Value {
    json!({
        "model": request.model, "stream": is_streamed, "temperature": request.temperature,
        "max_tokens": request.max_output_tokens,
        "messages": [
            {"role": "system", "content": request.instruction.as_str()},
            {"role": "user", "content": request.messages[0].content.as_str()},
        ],
        "response_format": {"type": "json_schema", "json_schema": {
            "name": "draft_post", "strict": true,
            "schema": request.shape.as_ref().and_then(|shape| shape.schema.json()),
        }},
    })
}

/// CPU time that this thread has used.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0))
}

fn per_call(from: Duration) -> f64 {
    (cpu() - from).as_secs_f64() * 1000.0 / f64::from(CALLS)
}

async fn bare(
    http: &reqwest::Client,
    url: &str,
    request: &ModelRequest,
    is_streamed: bool,
) -> Option<String> {
    let body = bare_body(request, is_streamed);
    let answer = http.post(url).bearer_auth("sk-bench-key-0123456789").json(&body).send().await.ok()?;
    if !is_streamed {
        let answer: serde_json::Value = answer.json().await.ok()?;
        return Some(answer.pointer("/choices/0/message/content")?.as_str()?.to_owned());
    }
    let (mut text, mut pending) = (String::new(), Vec::new());
    let mut bytes = answer.bytes_stream();
    while let Some(chunk) = bytes.next().await {
        pending.extend_from_slice(&chunk.ok()?);
        while let Some(end) = pending.windows(2).position(|pair| pair == b"\n\n") {
            let event: Vec<u8> = pending.drain(..end + 2).collect();
            let Ok(event) = serde_json::from_slice::<serde_json::Value>(event.strip_prefix(b"data: ")?)
            else {
                continue;
            };
            text.push_str(
                event.pointer("/choices/0/delta/content").and_then(|text| text.as_str()).unwrap_or_default(),
            );
        }
    }
    Some(text)
}

fn answers() -> (Vec<Step>, Vec<Step>) {
    let text = "proof words ".repeat(2);
    let counts = json!({"prompt_tokens": 1900, "completion_tokens": 300, "total_tokens": 2200});
    let body = json!({"id": "c", "object": "chat.completion", "created": 1, "model": "m-1", "usage": counts,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text.repeat(PIECES)}}]});
    let frame = |choices: serde_json::Value, usage: Option<&serde_json::Value>| {
        let frame = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m-1",
            "system_fingerprint": "fp", "choices": choices, "usage": usage});
        format!("data: {frame}\n\n")
    };
    let piece = frame(
        json!([{"index": 0, "delta": {"content": text}, "logprobs": null, "finish_reason": null}]),
        None,
    );
    let mut events = piece.repeat(PIECES);
    events.push_str(&frame(json!([{"index": 0, "delta": {}, "finish_reason": "stop"}]), None));
    events.push_str(&frame(json!([]), Some(&counts)));
    events.push_str("data: [DONE]\n\n");
    (
        whole(200, "content-type: application/json\r\n", &body.to_string()),
        whole(200, "content-type: text/event-stream\r\n", &events),
    )
}

fn main() {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    let request = request();
    let (in_one, in_pieces) = answers();
    for (name, delivery, answer) in
        [("in one piece", Delivery::Whole, in_one), ("streamed, 60 pieces", Delivery::Streamed, in_pieces)]
    {
        let server = Server::new(vec![answer]);
        let url = format!("{}/chat/completions", server.base_url);
        let access = ProfileAccess {
            profile: "work".into(),
            provider: "openai-compatible".into(),
            base_url: server.base_url.clone(),
            key: Some("sk-bench-key-0123456789".into()),
        };
        let Ok(model) = connect_with(access, delivery) else { return };
        let http = reqwest::Client::new();
        let (ours, floor) = runtime.block_on(async {
            let mut measured = (0.0, 0.0);
            // The first round is for warming up.
            for _ in 0..2 {
                let from = cpu();
                for _ in 0..CALLS {
                    let reply = model.answer(&request, &TextSink::default()).await;
                    assert!(reply.is_ok_and(|reply| !reply.text.is_empty()), "the call works");
                }
                measured.0 = per_call(from);
                let from = cpu();
                for _ in 0..CALLS {
                    let text = bare(&http, &url, &request, delivery == Delivery::Streamed).await;
                    assert!(text.is_some_and(|text| !text.is_empty()), "the bare call works");
                }
                measured.1 = per_call(from);
                drop(server.seen());
            }
            measured
        });
        let _ = writeln!(
            std::io::stdout(),
            "{name}: {ours:.4} ms a call, bare reqwest {floor:.4} ms, above it {:.4} ms",
            ours - floor
        );
    }
}
