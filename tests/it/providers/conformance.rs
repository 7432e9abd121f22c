//! The conformance table: every recorded exchange, played by a server that refuses what the service
//! refuses, asked for through the provider, and judged against what the raw body says.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine::TextSink;
use kernel::{Code, Message, ModelRequest, ReplyShape, Speaker, ToolOffer, Value};
use models::{Delivery, ProfileAccess, connect_with, list_models};
use serde_json::json;
use testkit::{Model, ModelServer, Reply, ServerOptions};

use super::expected::{Outcome, expected};
use super::recording::{Kind, Recording, files, folders, read};

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

/// A list without what leads on from it: no more of it was recorded.
fn last_page(body: &str) -> String {
    let Ok(mut list) = serde_json::from_str::<serde_json::Value>(body) else { return body.to_owned() };
    if let Some(fields) = list.as_object_mut() {
        fields.retain(|name, _| !["nextPageToken", "has_more"].contains(&name.as_str()));
    }
    list.to_string()
}

/// What comes of asking through our provider.
pub(super) async fn asked(recording: &Recording) -> Outcome {
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
        true => Model::Listing { status, body: last_page(&recording.body) },
        false => Model::Function(Box::new(play)),
    };
    let server = ModelServer::start(options, model).unwrap();
    let access = ProfileAccess {
        profile: "recorded".into(),
        provider: recording.provider.into(),
        base_url: server.base_url.clone(),
        key: Some(KEY.into()),
    };
    if recording.is_list {
        return match list_models(access).await {
            Ok(models) => Outcome::Names(models.into_iter().map(|model| model.name).collect()),
            Err(error) => Outcome::Error(error.code),
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
        Err(error) => {
            let words = format!("{error:?}");
            assert!(!words.contains(KEY) && !error.message.is_empty(), "{}: {words}", recording.name);
            Outcome::Error(error.code)
        }
    }
}

/// What was found of the recordings of some folders.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) by_provider: BTreeMap<&'static str, usize>,
    pub(super) skipped: Vec<String>,
    /// Refusals, and what is no answer, of which nobody said what they mean.
    pub(super) unread: Vec<String>,
    /// Those that came to something else than their bodies say, and files that nobody knows.
    pub(super) wrong: Vec<String>,
}

pub(super) async fn judge(folders: &[PathBuf]) -> Judged {
    let mut judged = Judged::default();
    for file in files(folders) {
        let recording = match read(&file) {
            Kind::Exchange(recording) => recording,
            Kind::Skipped(reason) => {
                judged.skipped.push(format!("{}: {reason}", file.display()));
                continue;
            }
            Kind::Stray(reason) => {
                let unknown = "in no folder of a provider, and nothing in it tells whose it is";
                judged.wrong.push(format!("{}: {unknown}: {reason}", file.display()));
                continue;
            }
        };
        *judged.by_provider.entry(recording.provider).or_default() += 1;
        let (is, should) = (asked(&recording).await, expected(&recording));
        if should == Outcome::AnyError {
            judged.unread.push(recording.name.clone());
        }
        if !is.is(&should) {
            judged.wrong.push(format!("{}\n  is     {is:?}\n  should {should:?}", recording.name));
        }
    }
    judged
}

#[tokio::test]
async fn every_recorded_exchange_comes_to_what_its_body_says() {
    let Judged { by_provider, skipped, wrong, .. } = judge(&folders()).await;
    println!("judged: {by_provider:?}\nskipped:\n{}", skipped.join("\n"));
    assert!(
        wrong.is_empty(),
        "{} of {by_provider:?}\n{}\nskipped:\n{}",
        wrong.len(),
        wrong.join("\n"),
        skipped.join("\n")
    );
    for provider in ["anthropic", "gemini", "ollama", "openai"] {
        assert!(
            by_provider.get(provider).is_some_and(|count| *count >= 5),
            "{by_provider:?}, skipped: {skipped:#?}"
        );
    }
    // A reason is all that excuses a recording, and few have one.
    assert!(skipped.len() * 4 < by_provider.values().sum::<usize>(), "{skipped:#?}");
}

/// A recording as the recorders write it.
fn exchange(url: &str, is_stream: bool, status: u16, body: &str) -> serde_json::Value {
    let kind = match (is_stream, url.contains("/api/chat")) {
        (false, _) => "application/json",
        (true, true) => "application/x-ndjson",
        (true, false) => "text/event-stream",
    };
    json!({
        "request": {"method": "POST", "url": url, "body": {"model": "m-1", "stream": is_stream}},
        "response": {"status": status, "headers": {"content-type": [kind]}, "body_text": body},
    })
}

#[tokio::test]
async fn a_recording_that_nobody_has_seen_is_picked_up_and_judged() {
    const GEMINI: &str = "https://generativelanguage.googleapis.com/v1beta/models/m-1:generateContent";
    const GEMINI_STREAM: &str =
        "https://generativelanguage.googleapis.com/v1beta/models/m-1:streamGenerateContent?alt=sse";
    const OPENAI: &str = "https://api.openai.com/v1/chat/completions";
    const ANTHROPIC: &str = "https://api.anthropic.com/v1/messages";
    const OLLAMA: &str = "http://127.0.0.1:11434/api/chat";
    use Code::{
        ContentRefused, KeyRefused, Network, Overloaded, QuotaExhausted, RateLimited, RequestRefused, Timeout,
    };
    let table = [
        (
            GEMINI,
            false,
            429,
            r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 900.2ms.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier","quotaValue":"10"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"0.9s"}]}}"#,
            Some(RateLimited),
        ),
        (
            GEMINI_STREAM,
            true,
            429,
            r#"[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"retryDelay":"12s"}]}}]"#,
            Some(QuotaExhausted),
        ),
        (
            GEMINI,
            false,
            429,
            r#"{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}"#,
            Some(RateLimited),
        ),
        (
            GEMINI,
            false,
            499,
            r#"{"error":{"code":499,"message":"The operation was cancelled.","status":"CANCELLED"}}"#,
            Some(Overloaded),
        ),
        (
            GEMINI,
            false,
            503,
            r#"{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}"#,
            Some(Overloaded),
        ),
        (GEMINI, false, 504, r#"{"error":{"code":504,"status":"DEADLINE_EXCEEDED"}}"#, Some(Timeout)),
        (GEMINI, false, 403, r#"{"error":{"code":403,"status":"PERMISSION_DENIED"}}"#, Some(KeyRefused)),
        (
            GEMINI,
            false,
            200,
            r#"{"candidates":[{"finishReason":"BLOCKLIST","index":0}],"usageMetadata":{"promptTokenCount":9}}"#,
            Some(ContentRefused),
        ),
        (GEMINI, false, 200, r#"{"promptFeedback":{"blockReason":"OTHER"}}"#, Some(ContentRefused)),
        (
            GEMINI,
            false,
            200,
            r#"{"candidates":[{"content":{"role":"model"},"finishReason":"MALFORMED_RESPONSE"}],"usageMetadata":{"promptTokenCount":3,"thoughtsTokenCount":7}}"#,
            None,
        ),
        (
            GEMINI_STREAM,
            true,
            200,
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]},\"finishReason\":\"STOP\"}]}\r\n\r\ndata: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"}]},\"groundingMetadata\":{}}],\"usageMetadata\":{\"promptTokenCount\":2,\"candidatesTokenCount\":2}}\r\n\r\n",
            None,
        ),
        (
            GEMINI_STREAM,
            true,
            200,
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\r\n\r\n",
            Some(Network),
        ),
        (
            OPENAI,
            false,
            429,
            r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
            Some(QuotaExhausted),
        ),
        (
            OPENAI,
            false,
            429,
            r#"{"error":{"message":"Rate limit reached for m-1 on requests per day (RPD): Limit 200, Used 200.","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#,
            Some(QuotaExhausted),
        ),
        (
            OPENAI,
            false,
            429,
            r#"{"error":{"message":"Rate limit reached for m-1 on tokens per min (TPM): Limit 30000.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#,
            Some(RateLimited),
        ),
        (
            OPENAI,
            false,
            400,
            r#"{"error":{"message":"The response was filtered","type":null,"param":"prompt","code":"content_filter"}}"#,
            Some(ContentRefused),
        ),
        (
            OPENAI,
            false,
            404,
            r#"{"error":{"message":"The model does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
            Some(RequestRefused),
        ),
        (
            OPENAI,
            true,
            200,
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\ndata: {\"error\":{\"message\":\"The server had an error\",\"type\":\"server_error\",\"code\":null}}\n\n",
            Some(Overloaded),
        ),
        (
            OPENAI,
            true,
            200,
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\",\"tool_calls\":null},\"finish_reason\":\"length\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n",
            None,
        ),
        (
            ANTHROPIC,
            false,
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."},"request_id":"r"}"#,
            Some(QuotaExhausted),
        ),
        (
            ANTHROPIC,
            false,
            413,
            r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
            Some(RequestRefused),
        ),
        (
            ANTHROPIC,
            false,
            529,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            Some(Overloaded),
        ),
        (
            ANTHROPIC,
            true,
            200,
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":4,\"output_tokens\":1}}}\n\nevent: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow down\"}}\n\n",
            Some(RateLimited),
        ),
        (
            ANTHROPIC,
            false,
            200,
            r#"{"type":"message","role":"assistant","content":[],"stop_reason":"refusal","usage":{"input_tokens":4,"output_tokens":0}}"#,
            Some(ContentRefused),
        ),
        (
            ANTHROPIC,
            false,
            200,
            r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"so far"}],"stop_reason":"pause_turn","usage":{"input_tokens":4,"output_tokens":2,"cache_read_input_tokens":6}}"#,
            None,
        ),
        (OLLAMA, false, 404, r#"{"error":"model 'm-1' not found"}"#, Some(RequestRefused)),
        (
            OLLAMA,
            true,
            200,
            "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"a\"},\"done\":false}\n{\"error\":\"llama runner process has terminated\"}\n",
            Some(Overloaded),
        ),
        (
            OLLAMA,
            true,
            200,
            "{\"model\":\"m-1\",\"message\":{\"role\":\"assistant\",\"content\":\"a\"},\"done\":false}\n",
            Some(Network),
        ),
        (
            OLLAMA,
            false,
            200,
            r#"{"model":"m-1","message":{"role":"assistant","content":"a"},"done":true,"done_reason":"load","eval_count":1}"#,
            None,
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (index, (url, is_stream, status, body, code)) in table.iter().enumerate() {
        let provider = match *url {
            GEMINI | GEMINI_STREAM => "gemini",
            OPENAI => "openai",
            ANTHROPIC => "anthropic",
            _ => "ollama",
        };
        let place = folder.path().join(provider);
        std::fs::create_dir_all(&place).unwrap();
        let file = place.join(format!("made-up-{index:02}.json"));
        std::fs::write(&file, exchange(url, *is_stream, *status, body).to_string()).unwrap();
        // What the contracts say of each, and whether the judge takes an answer for one.
        let Kind::Exchange(recording) = read(&file) else { panic!("{body}") };
        match (expected(&recording), asked(&recording).await, code) {
            (Outcome::Error(_) | Outcome::AnyError, Outcome::Error(is), Some(should)) => {
                assert_eq!(is, *should, "{body}");
            }
            (Outcome::Answer { .. }, _, None) => {}
            (judged, is, should) => panic!("{is:?}, judged {judged:?}, for {should:?}: {body}"),
        }
    }
    let judged = judge(&[folder.path().to_owned()]).await;
    assert_eq!(judged.by_provider.values().sum::<usize>(), table.len(), "{:?}", judged.skipped);
    assert!(judged.wrong.is_empty(), "{}", judged.wrong.join("\n"));
}
