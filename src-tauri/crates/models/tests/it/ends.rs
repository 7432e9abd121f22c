//! Ends of answers: real ones, apparent ones, and what follows them.
//!
//! Not here: ends of a connection in the middle of an answer (`protocols`, `errors`).

use std::sync::{Arc, Barrier};
use std::time::Duration;

use async_trait::async_trait;
use engine::{Model, TextSink};
use kernel::{Code, Error, ModelReply, ModelRequest, TokenUsage};
use models::{ProfileAccess, connect};

use crate::protocols::{ask, lines_head};
use crate::samples::{access, request, text_of};
use crate::server::{Server, Step, event, piece, stream, stream_head, whole};

const MESSAGE_PIECE: &str =
    r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"begun "},"finish_reason":null}]}"#;
const EMPTY_MESSAGE: &str = r#"{"choices":[{"index":0,"message":{}}]}"#;
const COUNTS: &str = r#"{"usageMetadata":{"promptTokenCount":4}}"#;
const GEMINI_END: &str = r#"{"candidates":[{"content":{"parts":[{"text":"done"}]},"finishReason":"STOP"}]}"#;

#[tokio::test]
async fn a_stream_with_pieces_as_messages_is_incomplete_when_interrupted() {
    for frames in [vec![event(MESSAGE_PIECE)], vec![piece("begun "), event(EMPTY_MESSAGE)]] {
        let (reply, shown) = ask("openai", stream(frames.clone())).await;
        assert_eq!((reply.unwrap_err().code, shown.as_str()), (Code::Network, "begun "));
        let marked = stream(frames.into_iter().chain([piece("done"), event("[DONE]")]));
        assert_eq!(ask("openai", marked).await.0.unwrap().text, "begun done");
    }
}

#[tokio::test]
async fn text_after_long_thinking_is_kept() {
    let openai_end = r#"{"choices":[{"index":0,"message":{"content":"done"},"finish_reason":"stop"}]}"#;
    let counted = r#"{"choices":[{"message":{}}],"usage":{"prompt_tokens":4}}"#;
    for (provider, first, last) in [("openai", counted, openai_end), ("gemini", COUNTS, GEMINI_END)] {
        let thought = Arc::new(Barrier::new(2));
        let server = Server::new(vec![stream([event(first), Step::Meet(Arc::clone(&thought)), event(last)])]);
        let access = ProfileAccess { provider: provider.into(), ..access(&server.base_url) };
        let model = connect(access).unwrap();
        let sink = TextSink::default();
        let seen = sink.clone();
        let answer = tokio::spawn(async move { model.answer(&request(), &sink).await });
        while seen.meter().wasted_usage(false).tokens.input_tokens == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(40)).await;
        tokio::time::resume();
        thought.wait();
        assert_eq!(answer.await.unwrap().unwrap().text, "done", "{provider}");
    }
}

#[tokio::test]
async fn counts_without_a_candidate_are_an_answer_only_once_no_more_can_come() {
    let (reply, _) = ask("gemini", stream([event(COUNTS)])).await;
    let reply = reply.unwrap();
    assert_eq!((reply.stop.as_str(), reply.usage.input_tokens), ("empty", 4));
    // The same, with the connection broken after it.
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 999\r\nconnection: close\r\n\r\n";
    let (reply, _) = ask("gemini", vec![Step::Send(head.to_vec()), event(COUNTS)]).await;
    assert_eq!(reply.unwrap_err().code, Code::Network);
}

#[tokio::test]
async fn an_error_after_the_end_is_ignored_and_one_before_it_fails_the_answer() {
    let error = r#"{"type":"error","error":{"message":"Overloaded","type":"overloaded_error","code":503}}"#;
    let anthropic_piece =
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"done"}}"#;
    let anthropic_end = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    let gemini_piece = r#"{"candidates":[{"content":{"parts":[{"text":"done"}]}}]}"#;
    let gemini_end = r#"{"candidates":[{"content":{},"finishReason":"STOP"}]}"#;
    let openai_piece = r#"{"choices":[{"delta":{"content":"done"}}]}"#;
    let openai_end = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    for (provider, piece, end) in [
        ("openai", openai_piece, openai_end),
        ("anthropic", anthropic_piece, anthropic_end),
        ("gemini", gemini_piece, gemini_end),
    ] {
        let (reply, shown) = ask(provider, stream([piece, end, error].map(event))).await;
        assert_eq!((reply.unwrap().text.as_str(), shown.as_str()), ("done", "done"), "{provider}");
        let (reply, shown) = ask(provider, stream([piece, error, end].map(event))).await;
        assert_eq!((reply.unwrap_err().code, shown.as_str()), (Code::Overloaded, "done"), "{provider}");
    }
    // The same applies to a stream that comes as one list of its pieces.
    let list = |pieces: [&str; 3]| {
        whole(200, "content-type: application/json\r\n", &format!("[{}]", pieces.join(",")))
    };
    let (reply, _) = ask("gemini", list([gemini_piece, gemini_end, error])).await;
    assert_eq!(reply.unwrap().text, "done");
    let (reply, _) = ask("gemini", list([gemini_piece, error, gemini_end])).await;
    assert_eq!(reply.unwrap_err().code, Code::Overloaded);
}

#[tokio::test]
async fn an_end_without_content_is_no_answer() {
    for (provider, frames) in [
        ("openai", vec!["[DONE]"]),
        ("openai", vec![r#"{"choices":[],"usage":{"prompt_tokens":3}}"#, "[DONE]"]),
        ("anthropic", vec![r#"{"type":"message_stop"}"#]),
    ] {
        let server = Server::new(vec![stream(frames.into_iter().map(event))]);
        let access = ProfileAccess { provider: provider.into(), ..access(&server.base_url) };
        let trial = models::test(connect(access).unwrap().as_ref(), "m-1").await;
        assert_eq!(trial.outcome.unwrap_err().code, Code::Overloaded, "{provider}");
    }
}

#[tokio::test]
async fn a_byte_order_mark_is_skipped() {
    let mark = || Step::Send("\u{feff}".into());
    let end = r#"{"choices":[{"delta":{"content":"second"},"finish_reason":"stop"}]}"#;
    assert_eq!(text_of(vec![stream_head(), mark(), piece("first "), event(end)]).await, "first second");
    let line = r#"{"message":{"content":"only"},"done":true}"#;
    let (reply, _) = ask("ollama", vec![lines_head(), mark(), Step::Send(line.into())]).await;
    assert_eq!(reply.unwrap().text, "only");
    let (reply, _) =
        ask("ollama", whole(200, "content-type: application/json\r\n", &format!("\u{feff}{line}"))).await;
    assert_eq!(reply.unwrap().text, "only");
}

#[tokio::test]
async fn a_whole_answer_with_the_content_type_of_a_stream_is_accepted() {
    let head = "content-type: Text/Event-Stream\r\n";
    let refused =
        "{\r\n \"error\": {\n  \"message\": \"no such token\",\n  \"code\": \"invalid_api_key\"\n }\n}\n";
    for (provider, refused) in [("openai", refused.to_owned()), ("gemini", format!("[{refused}]"))] {
        let error = ask(provider, whole(200, head, &refused)).await.0.unwrap_err();
        assert_eq!((error.code, error.provider_words.as_deref()), (Code::KeyRefused, Some("no such token")));
    }
    let answer = r#"{"choices":[{"message":{"content":"done"},"finish_reason":"stop"}]}"#;
    assert_eq!(ask("openai", whole(200, head, answer)).await.0.unwrap().text, "done");
    let cut = ask("openai", whole(200, head, &answer[..40])).await.0.unwrap_err();
    assert_eq!(cut.code, Code::Network);
    let events = "data: {\"choices\":[{\"delta\":{\"content\":\"done\"},\"finish_reason\":\"stop\"}]}\n\n";
    assert_eq!(ask("openai", whole(200, head, events)).await.0.unwrap().text, "done");
}

/// Reports usage, and then only sends keep-alives.
struct Alive;

#[async_trait]
impl Model for Alive {
    async fn answer(&self, _: &ModelRequest, text: &TextSink) -> Result<ModelReply, Error> {
        text.count(TokenUsage { input_tokens: 7, ..TokenUsage::default() });
        loop {
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_trial_ends_although_the_server_sends_keep_alives_for_ever() {
    let trial = tokio::time::timeout(Duration::from_secs(200), models::test(&Alive, "m-1"));
    let trial = trial.await.expect("it ends by a limit of its own");
    let error = trial.outcome.unwrap_err();
    assert_eq!(error.code, Code::Timeout);
    assert!(
        error.message.contains("`m-1`") && error.message.contains("120 s") && error.message.contains("try"),
        "{}",
        error.message
    );
    assert_eq!(trial.tokens.input_tokens, 7, "what was told of it meanwhile is in the ledger");
}
