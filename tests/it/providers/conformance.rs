//! The conformance table: every recorded exchange, played by a server that refuses what the service
//! refuses, asked for through the provider, and judged against what the raw body says.

use std::collections::BTreeMap;

use engine::TextSink;
use kernel::{Message, ModelRequest, ReplyShape, Speaker, ToolOffer, Value};
use models::{Delivery, ProfileAccess, connect_with, list_models};
use serde_json::json;
use testkit::{Model, ModelServer, Reply, ServerOptions};

use super::expected::{Outcome, expected};
use super::recording::{Kind, Recording, files, provider, read};

const KEY: &str = "not-a-key-conformance-0123456789";

/// Asks what the recording asked, as far as that is ours to ask: its text, tools of its names, a shape when
/// it wanted one.
fn request(recording: &Recording) -> ModelRequest {
    let asked = recording.asked.to_string();
    let closed = json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false});
    let wants_shape =
        ["response_format", "responseJsonSchema", "responseSchema", "output_config", "\"format\""]
            .iter()
            .any(|name| asked.contains(name));
    let tool = |name: &str| ToolOffer {
        name: name.to_owned(),
        description: "A tool of the recording.".into(),
        schema: Value::new(closed.clone()),
    };
    let tools = recording.asked["tools"].as_array().cloned().unwrap_or_default();
    let names = tools.iter().flat_map(|tool| {
        let functions = tool["functionDeclarations"].as_array().cloned().unwrap_or_default();
        let own = [&tool["name"], &tool["function"]["name"]].map(serde_json::Value::clone);
        functions.into_iter().map(|function| function["name"].clone()).chain(own)
    });
    let names: Vec<String> = names.filter_map(|name| name.as_str().map(str::to_owned)).collect();
    ModelRequest {
        agent: "conformance".into(),
        profile: "recorded".into(),
        model: recording.model.clone(),
        instruction: Value::text("Answer as recorded."),
        messages: vec![Message::new(Speaker::User, "What was asked then.")],
        shape: wants_shape.then(|| ReplyShape { name: "answer".into(), schema: Value::new(closed.clone()) }),
        tools: names.iter().map(|name| tool(name)).collect(),
        temperature: 0.4,
        max_output_tokens: 2048,
    }
}

/// What comes of asking through our provider.
async fn asked(recording: &Recording) -> Outcome {
    let (status, content_type, body) =
        (recording.status, recording.content_type.clone(), recording.body.clone());
    let play = move |_: &testkit::ChatRequest| Reply::Error {
        status,
        headers: vec![("content-type".into(), content_type.clone())],
        body: body.clone(),
    };
    let options =
        ServerOptions { dialect: recording.dialect, key: Some(KEY.into()), ..ServerOptions::default() };
    let model = match recording.is_list {
        true => Model::Listing { status, body: recording.body.clone() },
        false => Model::Function(Box::new(play)),
    };
    let server = ModelServer::start(options, model).unwrap();
    let access = ProfileAccess {
        profile: "recorded".into(),
        provider: provider(recording.dialect).into(),
        base_url: server.base_url.clone(),
        key: Some(KEY.into()),
    };
    if recording.is_list {
        return match list_models(access).await {
            Ok(models) => Outcome::Names(models.into_iter().map(|model| model.name).collect()),
            Err(fault) => Outcome::Fault(fault.code),
        };
    }
    let delivery = if recording.is_stream { Delivery::Streamed } else { Delivery::Whole };
    let sink = TextSink::default();
    let model = connect_with(access, delivery).unwrap();
    match model.answer(&request(recording), &sink).await {
        Ok(reply) => {
            assert_eq!(reply.text, sink.so_far(), "{}: what was shown is what was answered", recording.name);
            Outcome::Answer {
                text: reply.text,
                calls: reply.tool_requests.into_iter().map(|call| (call.tool, call.input.0)).collect(),
                stop: reply.stop,
                input_tokens: reply.usage.input_tokens.into(),
                output_tokens: reply.usage.output_tokens.into(),
            }
        }
        Err(fault) => {
            let words = format!("{fault:?}");
            assert!(!words.contains(KEY) && !fault.message.is_empty(), "{}: {words}", recording.name);
            Outcome::Fault(fault.code)
        }
    }
}

#[tokio::test]
async fn every_recorded_exchange_comes_to_what_its_body_says() {
    let mut judged: BTreeMap<&str, usize> = BTreeMap::new();
    let mut skipped: Vec<String> = Vec::new();
    let mut wrong: Vec<String> = Vec::new();
    for file in files() {
        let recording = match read(&file) {
            Kind::Exchange(recording) => recording,
            Kind::Skipped(reason) => {
                skipped.push(format!("{}: {reason}", file.display()));
                continue;
            }
        };
        *judged.entry(provider(recording.dialect)).or_default() += 1;
        let (is, should) = (asked(&recording).await, expected(&recording));
        if !is.is(&should) {
            wrong.push(format!("{}\n  is     {is:?}\n  should {should:?}", recording.name));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {judged:?}\n{}\nskipped:\n{}",
        wrong.len(),
        wrong.join("\n"),
        skipped.join("\n")
    );
    for provider in ["anthropic", "gemini", "ollama", "openai"] {
        assert!(judged.get(provider).is_some_and(|count| *count >= 5), "{judged:?}, skipped: {skipped:#?}");
    }
    // A reason is all that excuses a recording, and few have one.
    assert!(skipped.len() * 4 < judged.values().sum::<usize>(), "{skipped:#?}");
}
