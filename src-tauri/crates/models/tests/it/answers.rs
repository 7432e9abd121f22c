//! Answers: what is sent, and how responses are read.

use std::sync::Arc;
use std::time::Duration;

use engine::TextSink;
use kernel::{Json, Message, ModelRequest, ReplyShape, Speaker, ToolOffer, ToolRequest, Value};
use models::{Delivery, ProfileAccess, connect, connect_with};
use serde_json::json;

use crate::samples::{KEY, access, ask, request, text_of, whole_answer};
use crate::server::{Server, Step, ending, event, json as json_answer, piece, stream, stream_head, whole};

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
async fn the_request_on_the_wire_matches_the_engines_request() {
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
    let call = ToolRequest {
        id: "call_1".into(),
        tool: "search".into(),
        input: Json(json!({"q": "x"})),
        opaque: None,
    };
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
    assert!(seen[0].head.contains(&format!("user-agent: {}\r\n", kernel::USER_AGENT)), "{}", seen[0].head);
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

    // Without a key no header is sent; reasoning models need other fields; a name is never shortened.
    let keyless = ProfileAccess { key: None, ..access(&server.base_url) };
    let model = connect_with(keyless, Delivery::Whole).unwrap();
    let plain = ModelRequest { model: "gpt-6-luna".into(), shape: None, tools: vec![], ..request.clone() };
    model.answer(&plain, &TextSink::default()).await.unwrap();
    model.answer(&ModelRequest { model: "a::b".into(), ..plain }, &TextSink::default()).await.unwrap();
    let seen = server.seen();
    assert!(!seen[0].head.to_lowercase().contains("authorization"), "{}", seen[0].head);
    assert_eq!(seen[0].body["max_completion_tokens"], 2048 + 8192);
    for absent in
        ["temperature", "max_tokens", "tools", "response_format", "stream_options", "prompt_cache_options"]
    {
        assert!(seen[0].body.get(absent).is_none(), "{absent}");
    }
    assert_eq!(seen[0].body["stream"], false);
    assert_eq!(seen[1].body["model"], "a::b");
    // OpenAI's own models refuse tools while thinking is on.
    for (name, effort) in [("gpt-6-luna", json!("none")), ("gpt-6.1-sol", json!(null))] {
        let request = ModelRequest { model: name.into(), shape: None, ..request.clone() };
        model.answer(&request, &TextSink::default()).await.unwrap();
        assert_eq!(server.seen()[0].body["reasoning_effort"], effort, "{name}");
    }
}

#[tokio::test]
async fn tool_calls_are_joined_from_their_fragments() {
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
async fn recorded_streams_of_the_real_service_are_read() {
    // A recorded exchange: every field that the service sends, with Windows line ends.
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
async fn text_survives_every_split() {
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
async fn thinking_is_not_part_of_the_answer() {
    let thought =
        |field: &str| event(&json!({"choices": [{"delta": {field: "secret thought"}}]}).to_string());
    let mut events = vec![thought("reasoning_content"), thought("reasoning")];
    events.extend(["<thi", "nk>hidden</th", "ink>\n\n", "Visible"].map(piece));
    events.extend(ending("stop"));
    assert_eq!(text_of(stream(events)).await, "Visible");
}

#[tokio::test]
async fn a_complete_answer_without_a_proper_end_is_accepted() {
    let finish = |stop: &str| event(&json!({"choices": [{"delta": {}, "finish_reason": stop}]}).to_string());
    // No [DONE]; the connection is closed.
    let (reply, _) = ask(stream([piece("whole"), finish("length")])).await;
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop.as_str()), ("whole", "length"));
    // No finish reason, but [DONE].
    assert_eq!(text_of(stream([piece("whole"), event("[DONE]")])).await, "whole");
    // Every frame has a null error.
    let frame = event(r#"{"error":null,"choices":[{"delta":{"content":"fine"},"finish_reason":"stop"}]}"#);
    assert_eq!(text_of(stream([frame, event("[DONE]")])).await, "fine");
    // An empty answer is an answer too; the engine judges it.
    assert_eq!(text_of(stream(ending("stop"))).await, "");
}

#[tokio::test]
async fn a_whole_answer_from_a_server_without_streaming_is_accepted() {
    let server = Server::new(vec![json_answer(200, &whole_answer("<think>x</think> in one piece"))]);
    let model = connect(access(&server.base_url)).unwrap();
    for _ in 0..2 {
        let sink = TextSink::default();
        let reply = model.answer(&request(), &sink).await.unwrap();
        assert_eq!((reply.text.as_str(), sink.so_far().as_str()), ("in one piece", "in one piece"));
        assert_eq!((reply.model.as_str(), reply.usage.output_tokens), ("m-1-2026", 4));
    }
    let streams: Vec<_> = server.seen().iter().map(|seen| seen.body["stream"].clone()).collect();
    assert_eq!(streams, [true, true], "nobody is asked twice for one answer");
}

#[tokio::test]
async fn a_whole_answer_is_accepted_with_any_content_type() {
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
async fn a_stalled_stream_can_be_dropped_immediately_and_keeps_its_text() {
    let server = Server::new(vec![stream([piece("part one, "), piece("part two"), Step::Stall])]);
    let model = connect(access(&server.base_url)).unwrap();
    let sink = TextSink::default();
    let request = request();
    tokio::select! {
        reply = model.answer(&request, &sink) => panic!("{reply:?}"),
        () = async { while sink.so_far() != "part one, part two" { tokio::time::sleep(Duration::from_millis(1)).await } } => {}
    }
    assert_eq!(sink.so_far(), "part one, part two");
}

#[tokio::test]
async fn a_trial_reports_its_outcome_in_a_sentence() {
    let server = Server::new(vec![stream([piece("ok")].into_iter().chain(ending("stop")))]);
    let model = connect(access(&server.base_url)).unwrap();
    let trial = models::test(model.as_ref(), "m-1").await;
    assert_eq!((trial.tokens.input_tokens, trial.tokens.output_tokens), (11, 4));
    let words = trial.outcome.unwrap();
    assert!(
        words.english().starts_with("Model `m-1` answered in ")
            && words.english().ends_with("(11 tokens in, 4 out)."),
        "{words}"
    );
}

#[test]
fn providers_are_listed_by_their_ids_in_order() {
    let ids: Vec<_> = models::providers().into_iter().map(|provider| provider.id).collect();
    assert!(ids.is_sorted() && ids.contains(&"openai-compatible"), "{ids:?}");
}
