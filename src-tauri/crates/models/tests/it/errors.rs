//! Errors: every refusal, interruption and timeout gets its code, its message and its wait, and never contains the key.

use std::time::Duration;

use engine::TextSink;
use kernel::Code;
use models::{Delivery, ProfileAccess, connect, connect_with};
use serde_json::json;

use crate::samples::{KEY, access, ask, request};
use crate::server::{Server, Step, event, json as json_answer, piece, stream, whole};

/// Status, header lines, body; the expected code, wait in milliseconds and words of the message.
type Refusal<'a> = (u16, &'a str, String, Code, Option<u64>, &'a str);

#[tokio::test]
async fn each_refusal_gets_its_code_message_and_wait_without_the_key() {
    let echo = format!("You sent {KEY}, or {}…, or …{}", &KEY[..14], &KEY[10..]);
    let error = |code: &str| {
        json!({"error": {"message": echo, "type": "x", "code": code, "param": null}}).to_string()
    };
    let table: Vec<Refusal> = vec![
        (401, "", error("invalid_api_key"), Code::KeyRefused, None, "galley profile test work"),
        (403, "", echo.clone(), Code::KeyRefused, None, "`work`"),
        (404, "", error("model_not_found"), Code::RequestRefused, None, "`m-1`"),
        (400, "", error("unsupported_value"), Code::RequestRefused, None, "`m-1`"),
        (400, "", error("content_filter"), Code::ContentRefused, None, "content"),
        (402, "", error("payment"), Code::QuotaExhausted, None, "credit"),
        (429, "retry-after: 7\r\n", error("rate_limit_exceeded"), Code::RateLimited, Some(7000), "7 s"),
        (429, "retry-after-ms: 1500\r\n", error("rate_limit_exceeded"), Code::RateLimited, Some(1500), "2 s"),
        (429, "retry-after: 7\r\n", error("insufficient_quota"), Code::QuotaExhausted, None, "used up"),
        (429, "", format!("{echo} on requests per day (RPD)"), Code::QuotaExhausted, None, "used up"),
        (429, "", format!("{echo}. Please try again in 1.2s."), Code::RateLimited, Some(1200), "2 s"),
        (408, "", echo.clone(), Code::Timeout, None, "in time"),
        (500, "", error("oops"), Code::Overloaded, None, "HTTP 500"),
        (503, "retry-after: 3\r\n", format!("<html>{echo}</html>"), Code::Overloaded, Some(3000), "HTTP 503"),
        (529, "", echo.clone(), Code::Overloaded, None, "HTTP 529"),
        (302, "location: http://127.0.0.1:1/\r\n", String::new(), Code::RequestRefused, None, "points to"),
    ];
    for delivery in [Delivery::Streamed, Delivery::Whole] {
        for (status, headers, body, code, wait, words) in &table {
            let server = Server::new(vec![whole(*status, headers, body)]);
            let model = connect_with(access(&server.base_url), delivery).unwrap();
            let sink = TextSink::default();
            let error = model.answer(&request(), &sink).await.unwrap_err();
            assert!(!sink.meter().wasted_usage(false).is_uncounted, "who refuses takes nothing for it");
            assert_eq!((error.code, error.retry_after_ms), (*code, *wait), "{status} {error:?}");
            assert!(error.message.contains(words), "{status}: {}", error.message);
            assert_eq!(error.provider_words.is_some(), !body.is_empty(), "{error:?}");
            let all = serde_json::to_string(&error).unwrap();
            for window in KEY.as_bytes().windows(8) {
                assert!(!all.contains(std::str::from_utf8(window).unwrap()), "{all}");
            }
        }
    }
}

#[tokio::test]
async fn a_missing_key_is_distinguished_from_a_wrong_one() {
    let server = Server::new(vec![json_answer(401, &json!({"error": "no"}))]);
    let model = connect(ProfileAccess { key: None, ..access(&server.base_url) }).unwrap();
    let error = model.answer(&request(), &TextSink::default()).await.unwrap_err();
    assert!(error.message.contains("wants a key"), "{}", error.message);
}

#[tokio::test]
async fn an_interrupted_stream_keeps_its_text_and_gives_its_error() {
    let error_event =
        |error: serde_json::Value| stream([piece("so far"), event(&json!({"error": error}).to_string())]);
    let mut chunked = vec![Step::Send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n".to_vec())];
    if let Step::Send(bytes) = piece("so far") {
        chunked.push(Step::Send(
            [format!("{:x}\r\n", bytes.len()).as_bytes(), &bytes, b"\r\n40\r\ndata: {"].concat(),
        ));
    }
    let table = vec![
        (error_event(json!({"type": "server_error", "message": format!("bad {KEY}")})), Code::Overloaded),
        (
            error_event(json!({"code": "rate_limit_exceeded", "message": "Please try again in 20s."})),
            Code::RateLimited,
        ),
        (error_event(json!({"code": 502, "message": "upstream"})), Code::Overloaded),
        (error_event(json!({"code": "insufficient_quota"})), Code::QuotaExhausted),
        (
            stream([
                piece("so far"),
                event(r#"{"choices":[{"delta":{},"finish_reason":"content_filter"}]}"#),
            ]),
            Code::ContentRefused,
        ),
        (
            stream([
                piece("so far"),
                event(r#"{"choices":[{"delta":{"refusal":"I will not."},"finish_reason":"stop"}]}"#),
            ]),
            Code::ContentRefused,
        ),
        (stream([piece("so far")]), Code::Network),
        (stream([piece("so far"), Step::Send(b"data: {\"choices\": [{\"del".to_vec())]), Code::Network),
        (chunked, Code::Network),
        (stream([piece("so far"), event("{not json}")]), Code::Overloaded),
    ];
    for (answer, code) in table {
        let (reply, so_far) = ask(answer).await;
        let error = reply.unwrap_err();
        assert_eq!((error.code, so_far.as_str()), (code, "so far"), "{error:?}");
        assert!(!format!("{error:?}").contains(&KEY[..8]), "{error:?}");
        if code == Code::RateLimited {
            assert_eq!(error.retry_after_ms, Some(20_000));
        }
    }
    // Bytes that are no text invalidate the whole read.
    let (reply, so_far) = ask(stream([piece("so far"), Step::Send(b"data: \xff\xff\n\n".to_vec())])).await;
    assert_eq!(reply.unwrap_err().code, Code::Overloaded);
    assert!("so far".starts_with(&so_far), "{so_far}");
}

#[tokio::test]
async fn an_invalid_answer_is_rejected_with_a_sentence() {
    let table = [
        (whole(200, "content-type: text/html\r\n", "<html>welcome</html>"), Code::RequestRefused),
        (json_answer(200, &json!({"object": "list"})), Code::Overloaded),
        (json_answer(200, &json!({"error": {"code": "insufficient_quota"}})), Code::QuotaExhausted),
        (whole(200, "content-type: application/json\r\n", "{\"choices\": [{"), Code::Overloaded),
        (whole(200, "content-type: application/json\r\n", ""), Code::Overloaded),
        (
            json_answer(
                200,
                &json!({"choices": [{"finish_reason": "stop", "message": {"content": null, "refusal": "No."}}]}),
            ),
            Code::ContentRefused,
        ),
    ];
    for (answer, code) in table {
        let server = Server::new(vec![answer]);
        let model = connect_with(access(&server.base_url), Delivery::Whole).unwrap();
        let error = model.answer(&request(), &TextSink::default()).await.unwrap_err();
        assert_eq!(error.code, code, "{error:?}");
    }
}

#[tokio::test]
async fn a_closed_port_and_a_broken_connection_are_network_errors_and_only_the_latter_may_have_cost_something()
 {
    // The port is bound, and nothing listens on it.
    let closed = tokio::net::TcpSocket::new_v4().unwrap();
    closed.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = closed.local_addr().unwrap().port();
    let closing = Server::new(vec![vec![Step::Send(b"HTTP/1.1 200 OK\r\nconnection: close\r\n".to_vec())]]);
    for (base_url, was_sent) in
        [(format!("http://127.0.0.1:{port}/v1"), false), (closing.base_url.clone(), true)]
    {
        for delivery in [Delivery::Streamed, Delivery::Whole] {
            let model = connect_with(access(&base_url), delivery).unwrap();
            let sink = TextSink::default();
            let error = model.answer(&request(), &sink).await.unwrap_err();
            assert_eq!(
                (error.code, sink.meter().wasted_usage(false).is_uncounted),
                (Code::Network, was_sent)
            );
            assert!(error.message.contains(&base_url), "{}", error.message);
        }
    }
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_a_timeout() {
    let server = Server::new(vec![stream([piece("so far"), Step::Stall])]);
    let model = connect(access(&server.base_url)).unwrap();
    let sink = TextSink::default();
    let seen = sink.clone();
    let answer = tokio::spawn(async move { model.answer(&request(), &sink).await });
    while seen.so_far().is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // With a paused clock, time jumps to the next timer: the timeout inside the stream.
    tokio::time::pause();
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!((error.code, seen.so_far().as_str()), (Code::Timeout, "so far"));
}

#[test]
fn an_unusable_profile_is_rejected_before_any_call() {
    let refused = |access: ProfileAccess| connect(access).map(|_| ()).unwrap_err();
    let unknown = refused(ProfileAccess { provider: "oracle".into(), ..access("http://127.0.0.1:1") });
    assert!(
        unknown.message.contains("`oracle`") && unknown.message.contains("openai-compatible"),
        "{unknown}"
    );
    assert!(refused(access("")).message.contains("no base URL"));
    assert!(refused(access("localhost:8080")).message.contains("`work`"));
    let key = refused(ProfileAccess { key: Some("sk-ab\ncdefgh".into()), ..access("http://127.0.0.1:1") });
    assert!(key.code == Code::BadInput && !key.message.contains("cdefgh"), "{key}");
    assert!(!format!("{:?}", access("http://127.0.0.1:1/?k=1234")).contains("1234"));
    assert!(!format!("{:?}", access("http://127.0.0.1:1")).contains(&KEY[..8]));
}
