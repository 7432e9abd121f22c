//! Nonconforming servers: frames, content types, positions of texts, tokens and errors, in all dialects.

use engine::TextSink;
use kernel::{Code, Error, ModelReply, Remark, ReplyShape, Value};
use models::{Delivery, ProfileAccess, connect, connect_with};
use serde_json::json;

use crate::protocols::ask;
use crate::samples::{access, request};
use crate::server::{Server, Step, json as json_answer, whole};

/// A body with its length and this content type.
fn body(kind: &str, body: &str) -> Vec<Step> {
    whole(200, &format!("content-type: {kind}\r\n"), body)
}

#[tokio::test]
async fn a_stream_is_detected_with_any_content_type() {
    let line = |frame: serde_json::Value| format!("data: {frame}\n");
    let openai = [
        json!({"choices": [{"delta": {"content": "do"}}]}),
        json!({"choices": [{"delta": {"content": "ne"}, "finish_reason": "stop"}]}),
    ];
    let streams = [
        ("openai-compatible", openai.clone().map(line).concat()),
        ("openai-compatible", openai.map(|frame| format!("{frame}\n")).concat()),
        (
            "anthropic",
            line(json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "done"}}))
                + &line(json!({"type": "message_stop"})),
        ),
        (
            "gemini",
            line(json!({"candidates": [{"content": {"parts": [{"text": "done"}]}, "finishReason": "STOP"}]})),
        ),
        ("ollama", format!("{}\n", json!({"message": {"content": "done"}, "done": true}))),
        ("ollama", line(json!({"message": {"content": "done"}, "done": true}))),
    ];
    for (provider, stream) in streams {
        for kind in
            ["text/event-stream", "application/x-ndjson", "application/json", "text/plain", "text/html", ""]
        {
            for end in ["\n", "\r", "\r\n"] {
                let (reply, shown) = ask(provider, body(kind, &stream.replace('\n', end))).await;
                let reply = reply.unwrap_or_else(|error| panic!("{provider} {kind}: {error:?}"));
                assert_eq!((reply.text.as_str(), shown.as_str()), ("done", "done"), "{provider} {kind}");
            }
        }
    }
}

#[tokio::test]
async fn complete_json_ends_an_answer_without_another_end() {
    // Any other text may have been truncated, even by a gateway that closes its own connection properly.
    let close = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
    let piece = |text: &str| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": text}}]}));
    let mut request = request();
    request.shape = Some(ReplyShape { name: "a".into(), schema: Value::new(json!({"type": "object"})) });
    for (text, is_whole) in [
        ("{\"a\": \"done\"}", true),
        ("```json\n{\"a\": 1}\n```", true),
        ("{\"a\": \"do", false),
        ("done", false),
    ] {
        let server = Server::new(vec![vec![Step::Send(format!("{close}{}", piece(text)).into_bytes())]]);
        let reply = connect(access(&server.base_url)).unwrap().answer(&request, &TextSink::default()).await;
        assert_eq!(reply.is_ok(), is_whole, "{text}: {reply:?}");
    }
}

#[tokio::test]
async fn a_model_with_two_streams_without_an_end_is_asked_for_whole_answers_if_it_gives_them() {
    let stream = format!("data: {}\n\n", json!({"choices": [{"delta": {"content": "done"}}]}));
    let unended = || body("text/event-stream", &stream);
    let ended = || body("text/event-stream", &format!("{stream}data: [DONE]\n\n"));
    let whole = json_answer(200, &json!({"choices": [{"message": {"content": "done"}}]}));
    let only_streams = json_answer(400, &json!({"error": {"message": "Turn on stream mode for this model"}}));
    let answers =
        [unended(), ended(), unended(), unended(), only_streams, ended(), unended(), unended(), whole];
    let server = Server::new(answers.into());
    let model = connect(access(&server.base_url)).unwrap();
    let mut outcomes = Vec::new();
    for _ in 0..10 {
        let sink = TextSink::default();
        let reply = model.answer(&request(), &sink).await.map_err(|error| error.code);
        outcomes.push((reply.map(|reply| reply.text), sink.remarks()));
    }
    let (cut, done) = ((Err(Code::Network), Vec::new()), (Ok("done".to_owned()), Vec::new()));
    let refused = (Err(Code::RequestRefused), Vec::new());
    let remark = Remark::UnendedStreams { profile: "work".to_owned(), model: request().model };
    let learnt = (done.0.clone(), vec![remark]);
    let [first, second, third] = [cut.clone(), cut.clone(), cut.clone()];
    let expected =
        [first, done.clone(), second, third, refused, done.clone(), cut.clone(), cut, learnt, done];
    assert_eq!(outcomes, expected);
    let streamed: Vec<bool> = server.seen().iter().map(|seen| seen.body["stream"] == true).collect();
    assert_eq!(streamed, [true, true, true, true, false, true, true, true, false, false]);
}

#[tokio::test]
async fn unreadable_frames_are_skipped_and_reported_and_surrogates_are_joined() {
    let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"a \\ud83d\"}}]}\n\ndata: {\"choices\": [oops\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\\ude00 b\tc\"},\"finish_reason\":\"stop\",\"logprobs\":NaN}]}\n\n";
    let server = Server::new(vec![body("text/event-stream", stream)]);
    let sink = TextSink::default();
    let reply = connect(access(&server.base_url)).unwrap().answer(&request(), &sink).await.unwrap();
    assert_eq!((reply.text.as_str(), sink.so_far().as_str()), ("a 😀 b\tc", "a 😀 b\tc"));
    assert_eq!(sink.remarks(), [Remark::PiecesSkipped { count: 1 }]);
    // If nothing can be read, there is no answer.
    let stream = "data: {\"choices\": [oops\n\n".repeat(500);
    let error = ask("openai", body("text/event-stream", &stream)).await.0.unwrap_err();
    assert_eq!(error.code, Code::Overloaded);
}

#[tokio::test]
async fn an_error_with_status_200_keeps_its_words_and_is_classified_by_them() {
    let table: [(&str, &str, Code, &str); 12] = [
        (
            "application/json",
            r#"{"object":"error","message":"max_new_tokens is wrong","type":"BadRequestError","code":400}"#,
            Code::RequestRefused,
            "max_new_tokens is wrong",
        ),
        (
            "application/json",
            r#"{"detail":"No such deployment"}"#,
            Code::RequestRefused,
            "No such deployment",
        ),
        (
            "application/json",
            r#"{"detail":[{"loc":["body","messages"],"msg":"field required"}]}"#,
            Code::RequestRefused,
            "body.messages: field required",
        ),
        (
            "application/json",
            r#"{"statusCode":401,"message":"Access denied"}"#,
            Code::KeyRefused,
            "Access denied",
        ),
        (
            "application/json",
            r#"{"errors":[{"message":"Quota: insufficient_quota"}]}"#,
            Code::QuotaExhausted,
            "Quota: insufficient_quota",
        ),
        (
            "application/json",
            r#"{"code":1113,"msg":"The account is closed","success":false}"#,
            Code::RequestRefused,
            "The account is closed",
        ),
        (
            "text/event-stream",
            "error: {\"code\":400,\"message\":\"the prompt is too strange\"}\n\n",
            Code::RequestRefused,
            "the prompt is too strange",
        ),
        (
            "text/event-stream",
            "event: error\ndata: {\"message\":\"not for you\"}\n\n",
            Code::RequestRefused,
            "not for you",
        ),
        (
            "text/event-stream",
            "event: error\ndata: rate limit reached\n\n",
            Code::RateLimited,
            "rate limit reached",
        ),
        (
            "text/event-stream",
            "<!doctype html><title>Sign in</title><p>Please sign in</p>",
            Code::RequestRefused,
            "Sign in Please sign in",
        ),
        (
            "text/event-stream",
            "<html><body><h1>502 Bad Gateway</h1></body></html>",
            Code::Overloaded,
            "502 Bad Gateway",
        ),
        ("text/event-stream", "data: Internal Server Error\n\n", Code::Overloaded, "Internal Server Error"),
    ];
    for provider in ["openai", "anthropic", "gemini", "ollama"] {
        for (kind, said, code, words) in &table {
            for delivery in [Delivery::Streamed, Delivery::Whole] {
                let server = Server::new(vec![body(kind, said)]);
                let access = ProfileAccess { provider: provider.into(), ..access(&server.base_url) };
                let model = connect_with(access, delivery).unwrap();
                let error = model.answer(&request(), &TextSink::default()).await.unwrap_err();
                assert_eq!(
                    (error.code, error.provider_words.as_deref()),
                    (*code, Some(*words)),
                    "{provider} {said}: {error:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_text_is_found_in_every_position() {
    let choice = |choice: serde_json::Value| json!({"choices": [choice]}).to_string();
    let message = |message: serde_json::Value| choice(json!({"message": message, "finish_reason": "stop"}));
    let table = [
        ("openai", choice(json!({"text": "done", "finish_reason": "stop"}))),
        ("openai", message(json!({"content": [{"type": "text", "text": "do"}, {"type": "text", "text": "ne"}]}))),
        ("openai", message(json!({"content": {"type": "text", "text": "done"}}))),
        ("openai", json!({"message": {"content": "done"}}).to_string()),
        ("openai", json!({"object": "response", "output": [{"type": "message", "content": [{"type": "output_text", "text": "done"}]}]}).to_string()),
        ("anthropic", json!({"type": "message", "content": "done", "stop_reason": "end_turn"}).to_string()),
        ("anthropic", json!({"content": [{"text": "done"}]}).to_string()),
        ("gemini", json!({"candidates": [{"content": {"parts": {"text": "done"}}, "finishReason": "STOP"}]}).to_string()),
        ("gemini", json!({"candidates": [{"content": "done"}]}).to_string()),
        ("ollama", json!({"message": {"content": [{"type": "text", "text": "done"}]}, "done": true}).to_string()),
        ("ollama", json!({"response": "done", "done": true}).to_string()),
    ];
    for (provider, said) in table {
        let (reply, _) = ask(provider, body("application/json", &said)).await;
        assert_eq!(
            reply.unwrap_or_else(|error| panic!("{provider} {said}: {error:?}")).text,
            "done",
            "{provider} {said}"
        );
    }
    // JSON that was requested and came as JSON is passed on as it was written.
    for said in [
        message(json!({"content": {"post": "x"}})),
        message(json!({"content": null, "parsed": {"post": "x"}})),
    ] {
        assert_eq!(
            ask("openai", body("application/json", &said)).await.0.unwrap().text,
            r#"{"post":"x"}"#,
            "{said}"
        );
    }
}

#[tokio::test]
async fn thinking_replaces_a_missing_text_and_is_never_added_to_one() {
    let event = |frame: serde_json::Value| format!("data: {frame}\n\n");
    let openai = |field: &str, content: serde_json::Value| {
        json!({"choices": [{"message": {field: "{\"a\":1}", "content": content}, "finish_reason": "stop"}]})
            .to_string()
    };
    let of_openai = |part: serde_json::Value| event(json!({"choices": [{"delta": part}]}));
    let end = || event(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}));
    let table: Vec<(&str, String, &str, &str)> = vec![
        ("openai", openai("reasoning_content", json!("")), "", "{\"a\":1}"),
        ("openai", openai("reasoning", json!(null)), "", "{\"a\":1}"),
        ("openai", openai("thinking", json!("\n")), "\n", "{\"a\":1}"),
        ("openai", openai("reasoning_content", json!("text")), "text", ""),
        ("openai", of_openai(json!({"reasoning_content": "{\"a\""})) + &of_openai(json!({"reasoning_content": ":1}"})) + &end(), "", "{\"a\":1}"),
        ("openai", of_openai(json!({"content": "<think>{\"a\""})) + &of_openai(json!({"content": ":1}"})) + &end(), "", "{\"a\":1}"),
        ("anthropic", json!({"type": "message", "content": [{"type": "thinking", "thinking": "{\"a\":1}", "signature": "x"}], "stop_reason": "end_turn"}).to_string(), "", "{\"a\":1}"),
        ("anthropic", event(json!({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "{\"a\":1}"}})) + &event(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}})), "", "{\"a\":1}"),
        ("gemini", event(json!({"candidates": [{"content": {"parts": [{"text": "{\"a\":1}", "thought": true}]}, "finishReason": "STOP"}]})), "", "{\"a\":1}"),
        ("ollama", json!({"message": {"content": "", "thinking": "{\"a\":1}"}, "done": true}).to_string(), "", "{\"a\":1}"),
        ("ollama", json!({"message": {"content": "text", "thinking": "{\"a\":1}"}, "done": true}).to_string(), "text", ""),
    ];
    for (provider, said, text, thinking) in table {
        let reply = ask(provider, body("application/json", &said))
            .await
            .0
            .unwrap_or_else(|error| panic!("{provider} {said}: {error:?}"));
        assert_eq!((reply.text.as_str(), reply.thinking.as_str()), (text, thinking), "{provider} {said}");
    }
}

#[tokio::test]
async fn tokens_of_a_refusal_are_counted_and_the_last_count_of_a_stream_is_used() {
    let refused = json!({"choices": [{"message": {"refusal": "No."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7, "completion_tokens": 3}});
    let server = Server::new(vec![json_answer(200, &refused)]);
    for delivery in [Delivery::Whole, Delivery::Streamed] {
        let sink = TextSink::default();
        let error = connect_with(access(&server.base_url), delivery)
            .unwrap()
            .answer(&request(), &sink)
            .await
            .unwrap_err();
        let lost = sink.meter().wasted_usage(false).tokens;
        assert_eq!((error.code, lost.input_tokens, lost.output_tokens), (Code::ContentRefused, 7, 3));
    }
    let event = |frame: serde_json::Value| format!("data: {frame}\n\n");
    let usage_event = |output: u32| {
        event(
            json!({"choices": [{"delta": {"content": "x"}}], "usage": {"prompt_tokens": "7", "completion_tokens": output}}),
        )
    };
    let reply: Result<ModelReply, Error> =
        ask("openai", body("", &(usage_event(12) + &usage_event(9) + "data: [DONE]\n\n"))).await.0;
    assert_eq!((reply.as_ref().unwrap().usage.input_tokens, reply.unwrap().usage.output_tokens), (7, 9));
}
