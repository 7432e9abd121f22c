//! What the real service refuses is refused here, named, and held against the client.

use serde_json::{Value, json};

use super::{ask, plain_body};
use crate::schema::strict_problem;
use crate::{ModelServer, Reply};

/// The plain body with one field set.
fn with(field: &str, value: Value) -> Value {
    let mut body = plain_body();
    body[field] = value;
    body
}

fn talk(messages: Value) -> Value {
    with("messages", messages)
}

fn calling(id: &str) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function", "function": {"name": "search", "arguments": "{}"}}]})
}

#[tokio::test]
async fn requests_that_the_service_would_refuse_are_refused_by_name() {
    let user = json!({"role": "user", "content": "hi"});
    let cases = [
        (with("max_output_tokens", json!(9)), "max_output_tokens"),
        (with("model", json!("")), "model parameter"),
        (with("messages", json!([])), "empty array"),
        (with("temperature", json!(2.5)), "Expected a value <= 2"),
        (with("temperature", json!(-1)), "Expected a value >= 0"),
        (with("temperature", json!("hot")), "Invalid type for 'temperature'"),
        (with("max_tokens", json!(0)), "Expected a value >= 1"),
        (with("max_completion_tokens", json!(1.5)), "an integer"),
        (with("stream_options", json!({"include_usage": true})), "only allowed when 'stream'"),
        (with("stop", json!(["a", "b", "c", "d", "e"])), "one to four"),
        (with("tool_choice", json!("auto")), "only allowed when 'tools'"),
        (with("tools", json!([])), "empty array"),
        (with("response_format", json!({"type": "json"})), "Supported values are"),
        (with("response_format", json!({"type": "json_object"})), "must contain the word 'json'"),
        (
            with(
                "response_format",
                json!({"type": "json_schema", "json_schema": {"name": "no spaces", "schema": {}}}),
            ),
            "does not match pattern",
        ),
        (
            with(
                "response_format",
                json!({"type": "json_schema", "json_schema": {"name": "draft", "strict": true, "schema": {"type": "object", "properties": {}}}}),
            ),
            "'additionalProperties' is required",
        ),
        (talk(json!([{"role": "model", "content": "hi"}])), "Invalid value: 'model'"),
        (talk(json!([{"role": "user", "content": null}])), "expected a string, got null"),
        (talk(json!([{"role": "user", "content": "hi", "id": 7}])), "'id' was unexpected"),
        (
            talk(json!([{"role": "user", "content": [{"type": "words", "words": "hi"}]}])),
            "Invalid value: 'words'",
        ),
        (talk(json!([user, {"role": "system", "content": "late"}])), "must be at the beginning"),
        (talk(json!([user, {"role": "assistant", "content": "pre"}])), "last message"),
        (talk(json!([{"role": "assistant", "content": "I begin"}, user])), "must begin with a user message"),
        (
            talk(json!([user, {"role": "tool", "content": "x", "tool_call_id": "call_1"}])),
            "must be a response",
        ),
        (talk(json!([user, calling("call_1"), user])), "did not have response messages: call_1"),
        (talk(json!([user, calling("")])), "needs an id"),
    ];
    for (body, words) in cases {
        let server = ModelServer::scripted([]).await;
        server.be_lenient();
        let (status, answer) = ask(&server, &body).await;
        let message = answer["error"]["message"].as_str().unwrap();
        assert_eq!(status, 400, "{body}");
        assert!(message.contains(words), "{message:?} does not say {words:?}");
        assert_eq!(server.problems().len(), 1, "{body}");
    }
}

#[tokio::test]
async fn requests_that_the_service_takes_are_taken() {
    let user = json!({"role": "user", "content": [{"type": "text", "text": "hi"}]});
    let answered = json!({"role": "tool", "content": "ok", "tool_call_id": "call_1"});
    let mut many = plain_body();
    for (field, value) in [
        ("temperature", json!(0)),
        ("max_tokens", json!(2048)),
        ("stream", json!(false)),
        ("stop", json!("END")),
        ("seed", json!(-7)),
        ("user", Value::Null),
        (
            "tools",
            json!([{"type": "function", "function": {"name": "search", "description": "x", "strict": false, "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}}}]),
        ),
        ("tool_choice", json!({"type": "function", "function": {"name": "search"}})),
    ] {
        many[field] = value;
    }
    let accepted =
        [many, talk(json!([{"role": "developer", "content": "x"}, user, calling("call_1"), answered]))];
    let server = ModelServer::scripted([Reply::text("a"), Reply::text("b")]).await;
    for body in accepted {
        assert_eq!(ask(&server, &body).await.0, 200, "{body}");
    }
}

#[tokio::test]
async fn reasoning_models_refuse_a_temperature_and_the_old_limit() {
    for (field, value, code) in [
        ("temperature", json!(0.4), "unsupported_value"),
        ("max_tokens", json!(100), "unsupported_parameter"),
    ] {
        let server = ModelServer::scripted([]).await;
        server.be_lenient();
        let mut body = with(field, value);
        body["model"] = json!("gpt-5-mini");
        assert_eq!(ask(&server, &body).await.1["error"]["code"], code);
    }
}

#[tokio::test]
async fn other_paths_methods_content_types_and_broken_json_are_errors() {
    let server = ModelServer::scripted([]).await;
    server.be_lenient();
    let client = reqwest::Client::new();
    let chat = format!("{}/chat/completions", server.base_url);
    assert_eq!(client.get(&chat).send().await.unwrap().status(), 404);
    assert_eq!(
        client
            .post(format!("{}/responses", server.base_url))
            .json(&plain_body())
            .send()
            .await
            .unwrap()
            .status(),
        404
    );
    assert_eq!(client.post(&chat).body(plain_body().to_string()).send().await.unwrap().status(), 400);
    let broken = client.post(&chat).header("content-type", "application/json").body("{\"model\":");
    assert_eq!(broken.send().await.unwrap().status(), 400);
    assert_eq!(server.problems().len(), 4);
}

#[test]
fn strict_schemas_obey_the_services_rules() {
    let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let article = object(
        json!({"title": {"type": "string"}, "date": {"type": ["string", "null"], "format": "date"}}),
        json!(["title", "date"]),
    );
    let mut whole = object(
        json!({"articles": {"type": "array", "items": {"$ref": "#/$defs/Article"}}, "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}}),
        json!(["articles", "note"]),
    );
    whole["$defs"] = json!({"Article": article});
    assert_eq!(strict_problem(&whole), None);

    let one = |schema: Value| object(json!({"a": schema}), json!(["a"]));
    let faulty = [
        (json!({"type": "array", "items": {"type": "string"}}), "'type: \"object\"'"),
        (object(json!({"a": {"type": "string"}}), json!([])), "Missing 'a'"),
        (object(json!({}), json!(["b"])), "Extra required key \"b\""),
        (
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}),
            "'additionalProperties'",
        ),
        (
            one(json!({"type": "object", "properties": {}, "required": []})),
            "In context=('properties', 'a'), 'additionalProperties'",
        ),
        (one(json!({"type": "string", "minLength": 1})), "'minLength' is not permitted"),
        (one(json!({"oneOf": [{"type": "string"}]})), "'oneOf' is not permitted"),
        (one(json!({"type": "integer", "format": "uint8"})), "'uint8' is not a valid format"),
        (one(json!({"description": "anything"})), "must have a 'type' key"),
        (one(json!({"type": "array"})), "missing items"),
        (one(json!({"$ref": "#/$defs/Gone"})), "not found"),
        (one(json!({"$ref": "#", "description": "again"})), "$ref cannot have keywords {'description'}"),
        (
            one(json!({"type": "array", "items": {"type": "object", "properties": {}}})),
            "'items'), 'additionalProperties'",
        ),
    ];
    for (schema, words) in faulty {
        let problem = strict_problem(&schema).unwrap_or_default();
        assert!(problem.contains(words), "{problem:?} does not say {words:?}");
    }
    let deep = (0..200).fold(json!({"type": "string"}), |inner, _| one(inner));
    assert!(strict_problem(&deep).unwrap().contains("deeper than 10 levels"));
}
