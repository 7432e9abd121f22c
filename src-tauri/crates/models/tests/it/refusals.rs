//! Refused parts of a request: the request is sent again without them, once per part, and they are remembered.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use engine::TextSink;
use kernel::{Code, ModelRequest, Remark, ReplyShape, RequestPart, ToolOffer, Value};
use models::{Delivery, ProfileAccess, Refusals, RefusedParts, connect, connect_knowing};
use serde_json::{Value as Json, json};

use crate::samples::{access, request, whole_answer};
use crate::server::{ReceivedRequest, Server, Step, json as json_answer, whole};

fn with_shape() -> ModelRequest {
    let schema = json!({"type": "object", "properties": {"post": {"type": "string"}}, "required": ["post"]});
    let shape = Some(ReplyShape { name: "post".into(), schema: Value::new(schema) });
    let tool = ToolOffer {
        name: "search".into(),
        description: String::new(),
        schema: Value::new(json!({"type": "object"})),
    };
    ModelRequest { shape, tools: vec![tool], ..request() }
}

/// The error format of llama-cpp-python's server, by its status.
fn python(place: &str, msg: &str) -> Vec<Step> {
    let words =
        format!("[{{'type': 'literal_error', 'loc': ('body', {place}), 'msg': \"{msg}\", 'input': 'x'}}]");
    json_answer(
        500,
        &json!({"error": {"message": words, "type": "internal_server_error", "param": null, "code": null}}),
    )
}

fn ok() -> Vec<Step> {
    json_answer(200, &whole_answer("{\"post\": \"done\"}"))
}

fn parts(sink: &TextSink) -> Vec<RequestPart> {
    let part = |remark: &Remark| match remark {
        Remark::LeftOut { part, words, .. } => {
            assert!(!words.is_empty());
            *part
        }
        other => panic!("{other:?}"),
    };
    sink.remarks().iter().map(part).collect()
}

#[tokio::test]
async fn parts_that_a_server_refuses_one_by_one_are_left_out_and_never_sent_again() {
    let refuse = |words: &str| {
        json_answer(400, &json!({"error": {"message": words, "type": "invalid_request_error"}}))
    };
    let server = Server::new(vec![
        python("'response_format', 'type'", "Input should be 'text' or 'json_object'"),
        refuse("response_format of type json_object is not supported"),
        whole(
            422,
            "content-type: application/json\r\n",
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]}"#,
        ),
        refuse("Streaming is not supported"),
        refuse("registry.ollama.ai/library/gemma:2b does not support tools"),
        refuse("Unsupported value: 'temperature' does not support 0.4 with this model."),
        refuse(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ),
        ok(),
    ]);
    let kept = Arc::new(Mutex::new(RefusedParts::new()));
    let recorded = Arc::clone(&kept);
    let refusals = Refusals::new(RefusedParts::new(), move |model, part| {
        recorded.lock().unwrap().entry(model.to_owned()).or_default().insert(part);
    });
    let model = connect_knowing(access(&server.base_url), Delivery::Streamed, refusals).unwrap();
    let sink = TextSink::default();
    let reply = model.answer(&with_shape(), &sink).await.unwrap();
    assert_eq!(reply.text, "{\"post\": \"done\"}");
    use RequestPart::{JsonObject, JsonSchema, MaxTokens, Stream, StreamOptions, Temperature, Tools};
    let all = [JsonSchema, JsonObject, StreamOptions, Stream, Tools, Temperature, MaxTokens];
    assert_eq!(parts(&sink), all);
    let known = BTreeSet::from(all);
    assert_eq!(*kept.lock().unwrap(), RefusedParts::from([("m-1".to_owned(), known.clone())]));
    let seen: Vec<Json> = server.seen().into_iter().map(|seen: ReceivedRequest| seen.body).collect();
    assert_eq!(seen.len(), 8, "each part is refused once");
    assert_eq!(seen[1]["response_format"], json!({"type": "json_object"}));
    let last = &seen[7];
    for absent in ["response_format", "stream_options", "tools", "temperature", "max_tokens"] {
        assert!(last.get(absent).is_none(), "{absent}: {last}");
    }
    assert_eq!((&last["stream"], last["max_completion_tokens"].is_u64()), (&json!(false), true));
    let system = last["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.starts_with("Write.") && system.contains("JSON Schema") && system.contains("\"post\""),
        "{system}"
    );
    // The refusals are known from then on, also to a client that starts with the stored ones; other models get the full
    // request.
    model.answer(&with_shape(), &sink).await.unwrap();
    let again = Refusals::new(kept.lock().unwrap().clone(), |_, part| panic!("{part:?} is known"));
    let model = connect_knowing(access(&server.base_url), Delivery::Streamed, again).unwrap();
    model.answer(&with_shape(), &sink).await.unwrap();
    model.answer(&ModelRequest { model: "other".into(), ..with_shape() }, &sink).await.unwrap();
    let seen = server.seen();
    assert_eq!(seen.len(), 3);
    assert!(seen[..2].iter().all(|seen| seen.body == *last));
    assert_eq!(seen[2].body["response_format"]["type"], "json_schema");
}

#[tokio::test]
async fn every_dialect_gives_up_the_parts_that_it_can_express_otherwise() {
    let table = [
        (
            "anthropic",
            "output_config.format: Extra inputs are not permitted",
            "output_config",
            json!({"type": "message", "content": [{"type": "text", "text": "done"}], "stop_reason": "end_turn"}),
        ),
        (
            "gemini",
            "Invalid JSON payload received. Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.",
            "generationConfig/responseJsonSchema",
            json!({"candidates": [{"content": {"parts": [{"text": "done"}]}, "finishReason": "STOP"}]}),
        ),
        (
            "ollama",
            "json: cannot unmarshal object into Go struct field ChatRequest.format of type string",
            "format",
            json!({"message": {"content": "done"}, "done": true}),
        ),
    ];
    for (provider, words, place, answer) in table {
        let refuse = json_answer(400, &json!({"error": {"message": words, "status": "INVALID_ARGUMENT"}}));
        let server = Server::new(vec![refuse, json_answer(200, &answer)]);
        let model = connect(ProfileAccess { provider: provider.into(), ..access(&server.base_url) }).unwrap();
        let sink = TextSink::default();
        assert_eq!(model.answer(&with_shape(), &sink).await.unwrap().text, "done", "{provider}");
        assert_eq!(parts(&sink), [RequestPart::JsonSchema], "{provider}");
        let seen = server.seen();
        let at = |seen: &ReceivedRequest| {
            seen.body.pointer(&format!("/{place}")).filter(|value| value.is_object()).is_some()
        };
        assert_eq!((at(&seen[0]), at(&seen[1])), (true, false), "{provider}");
        assert!(seen[1].body.to_string().contains("JSON Schema"), "{provider}");
    }
}

#[tokio::test]
async fn a_refusal_with_status_200_counts_and_one_after_a_text_does_not() {
    let refusal = r#"{"error":{"message":"response_format json_schema is not supported","type":"invalid_request_error"}}"#;
    let event = format!("data: {refusal}\n\n");
    let server = Server::new(vec![whole(200, "content-type: text/event-stream\r\n", &event), ok()]);
    let sink = TextSink::default();
    let reply = connect(access(&server.base_url)).unwrap().answer(&with_shape(), &sink).await.unwrap();
    assert_eq!((reply.text.as_str(), parts(&sink)), ("{\"post\": \"done\"}", vec![RequestPart::JsonSchema]));
    let begun = format!("data: {}\n\n{event}", json!({"choices": [{"delta": {"content": "begun"}}]}));
    let server = Server::new(vec![whole(200, "content-type: text/event-stream\r\n", &begun), ok()]);
    let error = connect(access(&server.base_url))
        .unwrap()
        .answer(&with_shape(), &TextSink::default())
        .await
        .unwrap_err();
    assert_eq!((error.code, server.seen().len()), (Code::RequestRefused, 1));
}

#[tokio::test]
async fn a_failing_server_removes_nothing_from_its_requests() {
    for (status, words) in [
        (500, "upstream connect error or disconnect/reset before headers"),
        (503, "The engine is overloaded, try again"),
        (400, "This model's maximum context length is 4096 tokens"),
    ] {
        let server = Server::new(vec![json_answer(status, &json!({"error": {"message": words}}))]);
        let sink = TextSink::default();
        connect(access(&server.base_url)).unwrap().answer(&with_shape(), &sink).await.unwrap_err();
        assert_eq!((server.seen().len(), sink.remarks()), (1, vec![]), "{words}");
    }
}

#[tokio::test]
async fn a_trial_sends_what_a_run_sends_and_reports_what_was_refused() {
    let server = Server::new(vec![
        python("'response_format', 'type'", "Input should be 'text' or 'json_object'"),
        ok(),
    ]);
    let trial = models::test(connect(access(&server.base_url)).unwrap().as_ref(), "m-1").await;
    let outcome = trial.outcome.unwrap();
    assert!(
        outcome.english().ends_with("Its server refused `json_schema` and is asked without."),
        "{outcome}"
    );
    let seen = server.seen();
    assert_eq!(
        (&seen[0].body["stream"], &seen[0].body["response_format"]["type"]),
        (&json!(true), &json!("json_schema"))
    );
}

#[tokio::test]
async fn the_error_for_a_missing_model_lists_the_existing_ones() {
    let missing = json_answer(
        404,
        &json!({"error": {"message": "The model `m-1` does not exist", "code": "model_not_found"}}),
    );
    let names: Vec<Json> =
        (0..20).map(|n| json!({"id": format!("x-{n}")})).chain([json!({"id": "m-1-instruct"})]).collect();
    let server = Server::new(vec![missing.clone(), json_answer(200, &json!({"data": names}))]);
    let error = connect(access(&server.base_url))
        .unwrap()
        .answer(&request(), &TextSink::default())
        .await
        .unwrap_err();
    assert_eq!(error.code, Code::RequestRefused);
    assert!(
        error.message.contains("does not know model `m-1`; it lists `m-1-instruct`, `x-0`")
            && error.message.contains("and 13 more"),
        "{}",
        error.message
    );
    assert_eq!(error.provider_words.as_deref(), Some("The model `m-1` does not exist"));
    // If the server lists nothing, the error stays as it is.
    let server = Server::new(vec![missing]);
    let error = connect(access(&server.base_url))
        .unwrap()
        .answer(&request(), &TextSink::default())
        .await
        .unwrap_err();
    assert!(error.message.contains("galley models work"), "{}", error.message);
}
