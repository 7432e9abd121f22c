//! The OpenAI-compatible provider against a server that misbehaves in every way seen in the wild.

mod server;

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Model, TextSink};
use kernel::{
    Code, Fault, Json, Message, ModelReply, ModelRequest, ReplyShape, Speaker, ToolOffer, ToolRequest, Value,
};
use models::{Delivery, ProfileAccess, connect, connect_with};
use serde_json::json;
use server::{Server, Step, ending, event, json as json_answer, piece, stream, stream_head, whole};

const KEY: &str = "sk-test-Zq81/Yb7+Lm42XwPd93";

fn access(base_url: &str) -> ProfileAccess {
    ProfileAccess {
        profile: "work".into(),
        provider: "openai-compatible".into(),
        base_url: base_url.into(),
        key: Some(KEY.into()),
    }
}

fn request() -> ModelRequest {
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

/// What one streamed request to a server with this answer gives, and what is in the sink then.
async fn ask(answer: Vec<Step>) -> (Result<ModelReply, Fault>, String) {
    let server = Server::new(vec![answer]);
    let sink = TextSink::default();
    let reply = connect(access(&server.base_url)).unwrap().answer(&request(), &sink).await;
    (reply, sink.so_far())
}

async fn text_of(answer: Vec<Step>) -> String {
    let (reply, so_far) = ask(answer).await;
    let text = reply.unwrap().text;
    assert_eq!(text, so_far, "the sink has what the reply has");
    text
}

fn whole_answer(text: &str) -> serde_json::Value {
    json!({
        "model": "m-1-2026", "usage": {"prompt_tokens": 11, "completion_tokens": 4, "total_tokens": 15},
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}]
    })
}

#[tokio::test]
async fn a_stream_arrives_piece_by_piece_with_its_tokens_and_its_end() {
    let pieces = ["A galley ", "is a ", "proof."];
    let mut events: Vec<Step> = pieces.iter().map(|text| piece(text)).collect();
    events.extend(ending("stop"));
    let server = Server::new(vec![stream(events)]);
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let shared = Arc::clone(&seen);
    let sink = TextSink::with_listener(move |so_far| shared.lock().unwrap().push(so_far.to_owned()));
    let reply = connect(access(&server.base_url)).unwrap().answer(&request(), &sink).await.unwrap();
    assert_eq!(reply.text, "A galley is a proof.");
    assert_eq!((reply.stop.as_str(), reply.model.as_str()), ("stop", "m-1"));
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (11, 4));
    assert_eq!(*seen.lock().unwrap(), ["A galley ", "A galley is a ", "A galley is a proof."]);
}

#[tokio::test]
async fn the_request_on_the_wire_is_what_the_engine_asked_for() {
    let server = Server::new(vec![stream(ending("stop")), json_answer(200, &whole_answer("ok"))]);
    let schema = json!({"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"type": "string"}}});
    let mut request = request();
    request.model = "qwen-max".into();
    request.shape = Some(ReplyShape { name: "draft_post".into(), schema: Value::new(schema.clone()) });
    request.tools = vec![ToolOffer {
        name: "search".into(),
        description: "Searches.".into(),
        schema: Value::new(json!({"type": "object"})),
    }];
    let call = ToolRequest { id: "call_1".into(), tool: "search".into(), input: Json(json!({"q": "x"})) };
    let mut model_message = Message::new(Speaker::Model, "");
    model_message.tool_requests = vec![call];
    let mut tool_message = Message::new(Speaker::Tool, "");
    tool_message.content = Value::new(json!({"found": 2}));
    tool_message.answers = Some("call_1".into());
    request.messages.extend([model_message, tool_message]);

    connect(access(&server.base_url)).unwrap().answer(&request, &TextSink::default()).await.unwrap();
    let seen = server.seen();
    assert!(seen[0].head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{}", seen[0].head);
    assert!(seen[0].head.contains(&format!("authorization: Bearer {KEY}")), "{}", seen[0].head);
    let expected = json!({
        "model": "qwen-max", "stream": true, "stream_options": {"include_usage": true},
        "temperature": 0.4, "max_tokens": 2048,
        "response_format": {"type": "json_schema", "json_schema": {"name": "draft_post", "strict": true, "schema": schema}},
        "tools": [{"type": "function", "function": {"name": "search", "description": "Searches.", "parameters": {"type": "object"}, "strict": false}}],
        "messages": [
            {"role": "system", "content": "Write."},
            {"role": "user", "content": "About proofs."},
            {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "id": "call_1", "function": {"name": "search", "arguments": "{\"q\":\"x\"}"}}]},
            {"role": "tool", "tool_call_id": "call_1", "content": "{\"found\":2}"}
        ]
    });
    assert_eq!(seen[0].body, expected);

    // Without a key no header is sent; models that think want other fields; a name is never shortened.
    let keyless = ProfileAccess { key: None, ..access(&server.base_url) };
    let model = connect_with(keyless, Delivery::Whole).unwrap();
    let plain = ModelRequest { model: "gpt-6-luna".into(), shape: None, tools: vec![], ..request.clone() };
    model.answer(&plain, &TextSink::default()).await.unwrap();
    model.answer(&ModelRequest { model: "a::b".into(), ..plain }, &TextSink::default()).await.unwrap();
    let seen = server.seen();
    assert!(!seen[0].head.to_lowercase().contains("authorization"), "{}", seen[0].head);
    assert_eq!(seen[0].body["max_completion_tokens"], 2048);
    for absent in
        ["temperature", "max_tokens", "tools", "response_format", "stream_options", "prompt_cache_options"]
    {
        assert!(seen[0].body.get(absent).is_none(), "{absent}");
    }
    assert_eq!(seen[0].body["stream"], false);
    assert_eq!(seen[1].body["model"], "a::b");
}

#[tokio::test]
async fn tool_calls_are_put_together_from_their_fragments() {
    let call = |pieces: serde_json::Value| {
        event(&json!({"choices": [{"delta": {"tool_calls": pieces}}]}).to_string())
    };
    let mut events = vec![
        event(r#"{"choices":[{"delta":{"role":"assistant","content":null,"tool_calls":null}}]}"#),
        call(
            json!([{"index": 0, "id": "call_a", "type": "function", "function": {"name": "search", "arguments": ""}}]),
        ),
        call(json!([{"index": 0, "function": {"arguments": "{\"q\": \"pro"}}])),
        call(
            json!([{"index": 1, "id": "call_b", "type": "function", "function": {"name": "count", "arguments": "{\"n\": 2}"}}]),
        ),
        call(json!([{"index": 0, "function": {"arguments": "ofs\"}"}}])),
    ];
    events.extend(ending("tool_calls"));
    let (reply, _) = ask(stream(events)).await;
    let reply = reply.unwrap();
    assert_eq!(reply.stop, "tool_calls");
    let calls: Vec<_> =
        reply.tool_requests.into_iter().map(|call| (call.id, call.tool, call.input.0)).collect();
    assert_eq!(
        calls,
        [
            ("call_a".to_owned(), "search".to_owned(), json!({"q": "proofs"})),
            ("call_b".to_owned(), "count".to_owned(), json!({"n": 2}))
        ]
    );
}

#[tokio::test]
async fn recorded_streams_of_the_real_service_are_understood() {
    // The shape of a recorded exchange: every field the service sends, on Windows line ends.
    let head = r#""id":"chatcmpl-x","object":"chat.completion.chunk","created":1782955817,"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fingerprint":"fp""#;
    let lines = [
        format!(
            r#"{{{head},"choices":[{{"index":0,"delta":{{"role":"assistant","content":"","refusal":null}},"logprobs":null,"finish_reason":null}}],"usage":null,"obfuscation":"C6"}}"#
        ),
        format!(
            r#"{{{head},"choices":[{{"index":0,"delta":{{"content":"London"}},"logprobs":null,"finish_reason":null}}],"usage":null}}"#
        ),
        format!(
            r#"{{{head},"choices":[{{"index":0,"delta":{{}},"logprobs":null,"finish_reason":"stop"}}],"usage":null}}"#
        ),
        format!(
            r#"{{{head},"choices":[],"usage":{{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10,"completion_tokens_details":{{"reasoning_tokens":0}}}}}}"#
        ),
        "[DONE]".to_owned(),
    ];
    let body: String = lines.iter().map(|line| format!("data: {line}\r\n\r\n")).collect();
    let (reply, _) =
        ask(vec![stream_head(), Step::Send(format!(": comment\r\n\r\n{body}").into_bytes())]).await;
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("London", "gpt-4o-mini-2024-07-18"));
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (9, 1));
}

#[tokio::test]
async fn text_survives_every_way_of_cutting_it() {
    let line = format!("data: {}\n\n", json!({"choices": [{"delta": {"content": "聖地巡礼 🗾 naïve"}}]}));
    let mut steps = vec![stream_head()];
    for byte in line.as_bytes() {
        steps.push(Step::Send(vec![*byte]));
        steps.push(Step::Pause(Duration::from_micros(200)));
    }
    steps.extend(ending("stop"));
    assert_eq!(text_of(steps).await, "聖地巡礼 🗾 naïve");
}

#[tokio::test]
async fn thinking_is_no_part_of_the_answer() {
    let thought =
        |field: &str| event(&json!({"choices": [{"delta": {field: "secret thought"}}]}).to_string());
    let mut events = vec![thought("reasoning_content"), thought("reasoning")];
    events.extend(["<thi", "nk>hidden</th", "ink>\n\n", "Visible"].map(piece));
    events.extend(ending("stop"));
    assert_eq!(text_of(stream(events)).await, "Visible");
}

#[tokio::test]
async fn an_answer_that_ends_untidily_but_was_finished_is_taken() {
    let finish = |stop: &str| event(&json!({"choices": [{"delta": {}, "finish_reason": stop}]}).to_string());
    // No [DONE]; the connection is just closed.
    let (reply, _) = ask(stream([piece("whole"), finish("length")])).await;
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop.as_str()), ("whole", "length"));
    // No stop word, but [DONE].
    assert_eq!(text_of(stream([piece("whole"), event("[DONE]")])).await, "whole");
    // Every frame says that its error is null.
    let frame = event(r#"{"error":null,"choices":[{"delta":{"content":"fine"},"finish_reason":"stop"}]}"#);
    assert_eq!(text_of(stream([frame, event("[DONE]")])).await, "fine");
    // Nothing said at all is an answer too; what it is worth is the engine's to judge.
    assert_eq!(text_of(stream(ending("stop"))).await, "");
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_asked_once_more_and_then_as_it_likes() {
    let server = Server::new(vec![json_answer(200, &whole_answer("<think>x</think> in one piece"))]);
    let model = connect(access(&server.base_url)).unwrap();
    for _ in 0..2 {
        let sink = TextSink::default();
        let reply = model.answer(&request(), &sink).await.unwrap();
        assert_eq!((reply.text.as_str(), sink.so_far().as_str()), ("in one piece", "in one piece"));
        assert_eq!((reply.model.as_str(), reply.usage.output_tokens), ("m-1-2026", 4));
    }
    let streams: Vec<_> = server.seen().iter().map(|seen| seen.body["stream"].clone()).collect();
    assert_eq!(streams, [true, false, false]);
}

#[tokio::test]
async fn an_answer_in_one_piece_is_taken_whatever_it_calls_itself() {
    let body = whole_answer("ok").to_string();
    let server = Server::new(vec![whole(200, "content-type: text/plain\r\n", &body)]);
    let model = connect_with(access(&server.base_url), Delivery::Whole).unwrap();
    assert_eq!(model.answer(&request(), &TextSink::default()).await.unwrap().text, "ok");
    let odd = json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [
        {"id": null, "type": "function", "function": {"name": "search", "arguments": "{\"q\": "}}]}}]});
    let server = Server::new(vec![json_answer(200, &odd)]);
    let model = connect_with(access(&server.base_url), Delivery::Whole).unwrap();
    let reply = model.answer(&request(), &TextSink::default()).await.unwrap();
    assert_eq!(reply.tool_requests[0].input.0, json!("{\"q\": "));
}

#[tokio::test]
async fn each_refusal_gets_its_code_its_words_and_its_wait_and_never_the_key() {
    let echo = format!("You sent {KEY}, or {}…, or …{}", &KEY[..14], &KEY[10..]);
    let error = |code: &str| {
        json!({"error": {"message": echo, "type": "x", "code": code, "param": null}}).to_string()
    };
    let table: Vec<(u16, &str, String, Code, Option<u64>, &str)> = vec![
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
            let fault = model.answer(&request(), &TextSink::default()).await.unwrap_err();
            assert_eq!((fault.code, fault.retry_after_ms), (*code, *wait), "{status} {fault:?}");
            assert!(fault.message.contains(words), "{status}: {}", fault.message);
            assert_eq!(fault.provider_words.is_some(), !body.is_empty(), "{fault:?}");
            let all = serde_json::to_string(&fault).unwrap();
            for window in KEY.as_bytes().windows(8) {
                assert!(!all.contains(std::str::from_utf8(window).unwrap()), "{all}");
            }
        }
    }
}

#[tokio::test]
async fn a_key_that_is_missing_is_told_from_one_that_is_wrong() {
    let server = Server::new(vec![json_answer(401, &json!({"error": "no"}))]);
    let model = connect(ProfileAccess { key: None, ..access(&server.base_url) }).unwrap();
    let fault = model.answer(&request(), &TextSink::default()).await.unwrap_err();
    assert!(fault.message.contains("wants a key"), "{}", fault.message);
}

#[tokio::test]
async fn what_breaks_in_the_middle_keeps_its_text_and_says_what_it_was() {
    let said =
        |error: serde_json::Value| stream([piece("so far"), event(&json!({"error": error}).to_string())]);
    let mut chunked = vec![Step::Send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n".to_vec())];
    if let Step::Send(bytes) = piece("so far") {
        chunked.push(Step::Send(
            [format!("{:x}\r\n", bytes.len()).as_bytes(), &bytes, b"\r\n40\r\ndata: {"].concat(),
        ));
    }
    let table = vec![
        (said(json!({"type": "server_error", "message": format!("bad {KEY}")})), Code::Overloaded),
        (
            said(json!({"code": "rate_limit_exceeded", "message": "Please try again in 20s."})),
            Code::RateLimited,
        ),
        (said(json!({"code": 502, "message": "upstream"})), Code::Overloaded),
        (said(json!({"code": "insufficient_quota"})), Code::QuotaExhausted),
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
        let fault = reply.unwrap_err();
        assert_eq!((fault.code, so_far.as_str()), (code, "so far"), "{fault:?}");
        assert!(!format!("{fault:?}").contains(&KEY[..8]), "{fault:?}");
        if code == Code::RateLimited {
            assert_eq!(fault.retry_after_ms, Some(20_000));
        }
    }
    // Bytes that are no text take with them what came in the same read.
    let (reply, so_far) = ask(stream([piece("so far"), Step::Send(b"data: \xff\xff\n\n".to_vec())])).await;
    assert_eq!(reply.unwrap_err().code, Code::Overloaded);
    assert!("so far".starts_with(&so_far), "{so_far}");
}

#[tokio::test]
async fn an_answer_that_is_none_is_refused_in_words() {
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
        let fault = model.answer(&request(), &TextSink::default()).await.unwrap_err();
        assert_eq!(fault.code, code, "{fault:?}");
    }
}

#[tokio::test]
async fn a_closed_port_and_a_closed_door_are_network_faults() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let closing = Server::new(vec![vec![Step::Send(b"HTTP/1.1 200 OK\r\nconnection: close\r\n".to_vec())]]);
    for base_url in [format!("http://127.0.0.1:{port}/v1"), closing.base_url.clone()] {
        for delivery in [Delivery::Streamed, Delivery::Whole] {
            let model = connect_with(access(&base_url), delivery).unwrap();
            let fault = model.answer(&request(), &TextSink::default()).await.unwrap_err();
            assert_eq!(fault.code, Code::Network, "{fault:?}");
            assert!(fault.message.contains(&base_url), "{}", fault.message);
        }
    }
}

#[tokio::test]
async fn a_stalled_stream_can_be_dropped_at_once_and_keeps_its_text() {
    let server = Server::new(vec![stream([piece("part one, "), piece("part two"), Step::Stall])]);
    let model = connect(access(&server.base_url)).unwrap();
    let sink = TextSink::default();
    let start = Instant::now();
    let request = request();
    tokio::select! {
        reply = model.answer(&request, &sink) => panic!("{reply:?}"),
        () = async { while sink.so_far() != "part one, part two" { tokio::time::sleep(Duration::from_millis(1)).await } } => {}
    }
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(sink.so_far(), "part one, part two");
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
    // With the clock stopped, time jumps to the next thing that waits for it: the pause inside the stream.
    tokio::time::pause();
    let fault = answer.await.unwrap().unwrap_err();
    assert_eq!((fault.code, seen.so_far().as_str()), (Code::Timeout, "so far"));
}

#[tokio::test]
async fn a_profile_is_tried_in_plain_words() {
    let server = Server::new(vec![stream([piece("ok")].into_iter().chain(ending("stop")))]);
    let model = connect(access(&server.base_url)).unwrap();
    let words = models::test(model.as_ref(), "m-1").await.unwrap();
    assert!(
        words.starts_with("Model `m-1` answered in ") && words.ends_with("(11 tokens in, 4 out)."),
        "{words}"
    );
}

#[test]
fn a_profile_that_cannot_work_is_refused_before_any_call() {
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

#[test]
fn providers_are_listed_by_their_ids_in_order() {
    let ids: Vec<_> = models::providers().into_iter().map(|provider| provider.id).collect();
    assert!(ids.is_sorted() && ids.contains(&"openai-compatible"), "{ids:?}");
}
