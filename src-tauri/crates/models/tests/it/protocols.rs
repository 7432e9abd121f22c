//! Tests of the providers against a server with byte-level faults.

use std::time::Duration;

use engine::TextSink;
use kernel::{Code, Error, ModelReply};
use models::{ProfileAccess, connect};
use serde_json::json;

use crate::samples::{KEY, access, request};
use crate::server::{Server, Step, json as json_answer, stream_head};

/// The result of one streamed request to this provider with this response, and the streamed text.
pub(crate) async fn ask(provider: &str, answer: Vec<Step>) -> (Result<ModelReply, Error>, String) {
    let server = Server::new(vec![answer]);
    let sink = TextSink::default();
    let access = ProfileAccess { provider: provider.into(), ..access(&server.base_url) };
    let reply = connect(access).unwrap().answer(&request(), &sink).await;
    (reply, sink.so_far())
}

fn gemini(text: &str, stop: Option<&str>) -> String {
    let candidate = json!({"content": {"parts": [{"text": text}]}, "finishReason": stop});
    format!("data: {}\r\n\r\n", json!({"candidates": [candidate], "modelVersion": "m-1"}))
}

fn ollama(text: &str, is_done: bool) -> String {
    format!("{}\n", json!({"model": "m-1", "message": {"content": text}, "done": is_done}))
}

pub(crate) fn lines_head() -> Step {
    Step::Send(b"HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n\r\n".to_vec())
}

/// Two providers, each with the head of its stream, a piece of text and the end.
fn both() -> [(&'static str, Step, String, String); 2] {
    [
        ("gemini", stream_head(), gemini("聖地巡礼 🗾 ", None), gemini("naïve", Some("STOP"))),
        ("ollama", lines_head(), ollama("聖地巡礼 🗾 ", false), ollama("naïve", true)),
    ]
}

#[tokio::test]
async fn a_stream_may_be_split_anywhere_and_end_without_its_last_line_end() {
    for (provider, head, piece, end) in both() {
        let mut steps = vec![head];
        for byte in (piece + end.trim_end()).into_bytes() {
            steps.push(Step::Send(vec![byte]));
            steps.push(Step::Pause(Duration::from_micros(100)));
        }
        let (reply, shown) = ask(provider, steps).await;
        assert_eq!(reply.unwrap().text, "聖地巡礼 🗾 naïve", "{provider}");
        assert_eq!(shown, "聖地巡礼 🗾 naïve");
    }
}

#[tokio::test]
async fn a_complete_answer_is_not_delayed_by_an_open_connection() {
    let data = |event: serde_json::Value| format!("data: {event}\n\n");
    let openai = data(json!({"choices": [{"delta": {"content": "ok"}, "finish_reason": "stop"}]}))
        + "data: [DONE]\n\n";
    let anthropic = data(json!({"type": "message_start", "message": {"model": "m-1"}}))
        + &data(json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "ok"}}))
        + &data(json!({"type": "message_stop"}));
    let all = [
        ("openai", stream_head(), openai),
        ("anthropic", stream_head(), anthropic),
        ("ollama", lines_head(), ollama("ok", true)),
    ];
    for (provider, head, answer) in all {
        // The connection stays open for longer than any timeout.
        let (reply, _) = ask(provider, vec![head, Step::Send(answer.into_bytes()), Step::Stall]).await;
        assert_eq!(reply.unwrap().text, "ok", "{provider}");
    }
}

#[tokio::test]
async fn an_interrupted_answer_keeps_its_text_and_gives_its_error() {
    for (provider, head, piece, end) in both() {
        let begun = |rest: &[u8]| vec![head.clone(), Step::Send([piece.as_bytes(), rest].concat())];
        let table = [
            (begun(b""), Code::Network),
            (begun(&end.as_bytes()[..end.len() / 2]), Code::Network),
            (
                begun(if provider == "gemini" {
                    b"data: {no json}\n\ndata: {}\n\n"
                } else {
                    b"{no json}\n{}\n"
                }),
                Code::Overloaded,
            ),
        ];
        for (steps, code) in table {
            let (reply, shown) = ask(provider, steps).await;
            let error = reply.unwrap_err();
            assert_eq!((error.code, shown.as_str()), (code, "聖地巡礼 🗾 "), "{provider}: {error:?}");
        }
        // After the end, nothing can fail any more.
        let (reply, _) =
            ask(provider, vec![head, Step::Send([piece.as_bytes(), end.as_bytes(), b"\xff\xff {"].concat())])
                .await;
        assert_eq!(reply.unwrap().text, "聖地巡礼 🗾 naïve", "{provider}");
    }
}

#[tokio::test]
async fn an_endless_refusal_is_read_only_until_it_is_understood() {
    for provider in ["anthropic", "gemini", "ollama", "openai", "openai-compatible"] {
        let mut steps = vec![Step::Send(
            b"HTTP/1.1 429 Too many\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n".to_vec(),
        )];
        steps.extend((0..400).map(|_| Step::Send(KEY.repeat(40).into_bytes())));
        steps.push(Step::Stall);
        let (reply, _) = ask(provider, steps).await;
        let error = reply.unwrap_err();
        assert_eq!(error.code, Code::RateLimited, "{error:?}");
        assert!(error.provider_words.is_some_and(|words| words.len() < 2000 && !words.contains(&KEY[..8])));
    }
}

#[tokio::test]
async fn a_whole_answer_to_a_streaming_request_is_accepted_immediately() {
    let whole = [
        (
            "gemini",
            json!([{"candidates": [{"content": {"parts": [{"text": "ok"}]}, "finishReason": "STOP"}]}])[0]
                .clone(),
        ),
        ("ollama", json!({"model": "m-1", "message": {"content": "ok"}, "done": true})),
        (
            "anthropic",
            json!({"type": "message", "content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn"}),
        ),
    ];
    for (provider, body) in whole {
        let (reply, shown) = ask(provider, json_answer(200, &body)).await;
        assert_eq!((reply.unwrap().text.as_str(), shown.as_str()), ("ok", "ok"), "{provider}");
    }
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_a_timeout_here_too() {
    for (provider, head, piece, _) in both() {
        let server = Server::new(vec![vec![head, Step::Send(piece.into_bytes()), Step::Stall]]);
        let access = ProfileAccess { provider: provider.into(), ..access(&server.base_url) };
        let model = connect(access).unwrap();
        let sink = TextSink::default();
        let seen = sink.clone();
        let answer = tokio::spawn(async move { model.answer(&request(), &sink).await });
        while seen.so_far().is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // With a paused clock, time jumps to the next timer: the timeout inside the stream.
        tokio::time::pause();
        let error = answer.await.unwrap().unwrap_err();
        tokio::time::resume();
        assert_eq!((error.code, seen.so_far().as_str()), (Code::Timeout, "聖地巡礼 🗾 "), "{provider}");
    }
}

#[tokio::test]
async fn a_wrong_address_is_reported_as_such_and_not_as_an_error_of_the_model() {
    let not_found = || json_answer(404, &json!({"detail": "Not Found"}));
    for (provider, version) in
        [("openai", "/v1"), ("openai-compatible", "/v1"), ("gemini", "/v1beta"), ("ollama", "")]
    {
        let server = Server::new(vec![not_found()]);
        let bare = server.base_url.trim_end_matches("/v1").to_owned();
        let access = |base_url: &str| ProfileAccess {
            provider: provider.into(),
            base_url: base_url.into(),
            ..access(&server.base_url)
        };
        let error = models::list_models(access(&format!("{bare}/deep/v1"))).await.unwrap_err();
        assert!(error.message.contains("has no list of models (HTTP 404)"), "{provider}: {error}");
        assert!(
            !error.message.contains("``") && !error.message.contains("names no version"),
            "{provider}: {error}"
        );
        let error = models::list_models(access(&bare)).await.unwrap_err();
        assert_eq!(
            error.message.contains(&format!("mostly found at {bare}{version}.")),
            !version.is_empty(),
            "{error}"
        );
        let page = Server::new(vec![json_answer(200, &json!("Welcome to the gateway"))]);
        let access = ProfileAccess { provider: provider.into(), ..crate::samples::access(&page.base_url) };
        assert!(models::list_models(access).await.unwrap_err().message.contains("check"));
    }
}
