//! AI News against a loopback server in each dialect, streamed: to the end, and through each odd case of
//! the services to the outcome it should have, with the number of calls and requests.

use desk::{ErrorCode, LimitName, Outcome, RunEnd};
use futures::future::join_all;
use serde_json::{Value, json};
use testkit::{ChatRequest, Dialect, Model, ModelServer, NewsModel, Reply, ServerOptions};

use super::recording::provider;
use crate::outcomes::{Place, well_but};

/// A variable that every test has, and what is in it: the key of these services.
const KEY_VARIABLE: &str = "CARGO_PKG_NAME";
const KEY: &str = env!("CARGO_PKG_NAME");

/// What an odd first answer to the search leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    /// Three calls, as if nothing had been odd.
    Unnoticed,
    /// The same call is made again; that is no call more.
    Retried,
    /// The model is shown its error and answers once more.
    Repaired,
    /// The run fails at once.
    Failed(ErrorCode),
}

type Odd = Box<dyn Fn(&ChatRequest) -> Reply + Send + Sync>;

fn always(reply: impl Fn() -> Reply + Send + Sync + 'static) -> Odd {
    Box::new(move |_| reply())
}

fn refusal(status: u16, headers: &[(&str, &str)], body: &Value) -> Odd {
    let headers: Vec<_> =
        headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let body = body.to_string();
    always(move || Reply::Error { status, headers: headers.clone(), body: body.clone() })
}

fn events(events: Vec<Value>) -> Odd {
    always(move || Reply::Events(events.clone()))
}

/// What every service may do: cut the answer at the limit, cut the connection, be overloaded.
fn common(mut more: Vec<(&'static str, Odd, Ending)>) -> Vec<(&'static str, Odd, Ending)> {
    let half = "{\"articles\": [{\"title\": \"Half an arti";
    more.push(("JSON cut at the limit", always(move || Reply::MaxTokens(half.into())), Ending::Repaired));
    more.push((
        "connection cut in the middle",
        always(move || Reply::CutConnection { after_text: half.into() }),
        Ending::Retried,
    ));
    more.push(("a proxy's page", always(Reply::gateway_timeout), Ending::Retried));
    more
}

async fn place(dialect: Dialect, odd: Odd) -> Place {
    let options = ServerOptions { dialect, key: Some(KEY.into()), ..ServerOptions::default() };
    let model =
        well_but(move |stage, call, request| (stage == "articles" && call == 1).then(|| odd(request)));
    let server = ModelServer::start(options, Model::Function(Box::new(model))).unwrap();
    Place::of(server, provider(dialect), KEY_VARIABLE).await
}

/// Plays every case, all at once, and compares with what it should lead to.
async fn play(dialect: Dialect, cases: Vec<(&'static str, Odd, Ending)>) {
    let played = cases.into_iter().map(|(name, odd, ending)| async move {
        let place = place(dialect, odd).await;
        let (handle, end) = place.run(&[]).await;
        // Of a model that is not there the list of those that are is asked, which is no call of a model.
        let mut requests = place.server.requests();
        requests.retain(|request| request.method == "POST");
        assert!(requests.iter().all(ChatRequest::is_stream), "{name}: every answer is streamed");
        let [retries, repairs] =
            [place.count(&handle, "request_failed").await, place.count(&handle, "asked_again").await];
        let is = (end.usage.calls, requests.len(), retries, repairs);
        let (outcome, should) = match ending {
            Ending::Unnoticed => (Outcome::Finished, (3, 3, 0, 0)),
            Ending::Retried => (Outcome::Finished, (3, 4, 1, 0)),
            Ending::Repaired => (Outcome::Finished, (4, 4, 0, 1)),
            Ending::Failed(_) => (Outcome::Failed, (1, 1, 0, 0)),
        };
        assert_eq!((end.outcome, is), (outcome, should), "{dialect:?}, {name}: {:?}", end.error);
        match ending {
            Ending::Failed(code) => assert_eq!(failed_with(&end), code, "{dialect:?}, {name}"),
            _ => assert!(end.state.get("final_post").is_some(), "{dialect:?}, {name}: nothing is published"),
        }
    });
    join_all(played).await;
}

fn failed_with(end: &RunEnd) -> ErrorCode {
    let error = end.error.clone().unwrap();
    assert!(!serde_json::to_string(&error).unwrap().contains(&format!("\"{KEY}\"")));
    error.code
}

/// One event of Gemini with this candidate.
fn candidate(candidate: Value) -> Value {
    let counts = json!({"promptTokenCount": 9, "totalTokenCount": 9});
    json!({"candidates": [candidate], "usageMetadata": counts, "modelVersion": "m"})
}

/// One event of Gemini with this text and a reason to stop.
fn stopping(text: &str) -> Value {
    candidate(
        json!({"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP", "index": 0}),
    )
}

#[tokio::test]
async fn gemini_brings_the_news_through_all_its_odd_cases() {
    let counts = json!({"promptTokenCount": 9, "totalTokenCount": 9});
    let stop_in_the_middle: Odd = Box::new(move |request| {
        let Reply::Text(text) = NewsModel::default().answer(request) else { panic!("the news model speaks") };
        let mut cut = text.len() / 2;
        while !text.is_char_boundary(cut) {
            cut += 1;
        }
        Reply::Events(vec![stopping(&text[..cut]), stopping(&text[cut..])])
    });
    let exhausted = |details: Value, message: &str| json!({"error": {"code": 429, "message": message, "status": "RESOURCE_EXHAUSTED", "details": details}});
    let quota = |id: &str, delay: &str| {
        let failure = json!({"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": id, "quotaValue": "2"}]});
        exhausted(
            json!([failure, {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}]),
            "You exceeded your current quota, please check your plan and billing details.",
        )
    };
    let per_minute = quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "0.139477544s");
    let per_day = quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "0.5s");
    let by_reason = exhausted(
        json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED"}]),
        "Quota exceeded.",
    );
    let bare = json!({"error": {"code": 429, "message": "Resource has been exhausted (e.g. check quota).", "status": "RESOURCE_EXHAUSTED"}});
    let overloaded = json!({"error": {"code": 503, "message": "The model is overloaded. Please try again later.", "status": "UNAVAILABLE"}});
    let bad_key = json!({"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}});
    let retired = json!({"error": {"code": 404, "message": "models/gemini-1.5-flash is not found for API version v1beta", "status": "NOT_FOUND"}});
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": counts});
    let thoughts = candidate(
        json!({"content": {"parts": [{"text": "Hm.", "thought": true}]}, "finishReason": "MAX_TOKENS"}),
    );
    let stream_error = overloaded.clone();
    let cases = common(vec![
        ("nothing odd", Box::new(|request| NewsModel::default().answer(request)), Ending::Unnoticed),
        ("STOP in mid-stream", stop_in_the_middle, Ending::Unnoticed),
        (
            "no candidates",
            events(vec![json!({"usageMetadata": counts, "modelVersion": "m"})]),
            Ending::Repaired,
        ),
        (
            "no parts",
            events(vec![candidate(json!({"content": {"role": "model"}, "finishReason": "STOP"}))]),
            Ending::Repaired,
        ),
        (
            "no content",
            events(vec![candidate(json!({"finishReason": "MALFORMED_FUNCTION_CALL"}))]),
            Ending::Repaired,
        ),
        ("thoughts only", events(vec![thoughts]), Ending::Repaired),
        ("blocked prompt", events(vec![blocked]), Ending::Failed(ErrorCode::ContentRefused)),
        (
            "unsafe answer",
            events(vec![candidate(json!({"content": {}, "finishReason": "SAFETY"}))]),
            Ending::Failed(ErrorCode::ContentRefused),
        ),
        ("429 a minute", refusal(429, &[], &per_minute), Ending::Retried),
        ("429 a minute in a list", refusal(429, &[], &json!([per_minute])), Ending::Retried),
        ("429 by its reason", refusal(429, &[], &by_reason), Ending::Retried),
        ("429 without details", refusal(429, &[], &bare), Ending::Retried),
        ("429 a day", refusal(429, &[], &per_day), Ending::Failed(ErrorCode::QuotaExhausted)),
        ("503", refusal(503, &[], &overloaded), Ending::Retried),
        ("bad key", refusal(400, &[], &bad_key), Ending::Failed(ErrorCode::KeyRefused)),
        (
            "retired model",
            refusal(404, &[("content-type", "text/event-stream")], &retired),
            Ending::Failed(ErrorCode::RequestRefused),
        ),
        (
            "error in the stream",
            always(move || Reply::ErrorInStream { after_text: "{\"art".into(), body: stream_error.clone() }),
            Ending::Retried,
        ),
    ]);
    play(Dialect::Gemini, cases).await;
}

#[tokio::test]
async fn openai_brings_the_news_through_all_its_odd_cases() {
    let thoughts =
        json!({"choices": [{"index": 0, "delta": {"reasoning_content": "Hm."}, "finish_reason": "length"}]});
    let server_error = json!({"error": {"message": "The server had an error", "type": "server_error", "param": null, "code": null}});
    let cases = common(vec![
        ("nothing odd", Box::new(|request| NewsModel::default().answer(request)), Ending::Unnoticed),
        ("an empty answer", always(|| Reply::text("")), Ending::Repaired),
        ("thoughts only", events(vec![thoughts]), Ending::Repaired),
        (
            "declined",
            always(|| Reply::Refusal("I cannot help with that.".into())),
            Ending::Failed(ErrorCode::ContentRefused),
        ),
        ("filtered", always(|| Reply::ContentFilter("{".into())), Ending::Failed(ErrorCode::ContentRefused)),
        ("429", always(|| Reply::rate_limit_ms(150)), Ending::Retried),
        ("429 without credit", always(Reply::insufficient_quota), Ending::Failed(ErrorCode::QuotaExhausted)),
        ("503", always(Reply::overloaded), Ending::Retried),
        (
            "bad key",
            always(|| Reply::invalid_key("sk-0123456789abcdef")),
            Ending::Failed(ErrorCode::KeyRefused),
        ),
        (
            "retired model",
            always(|| Reply::model_not_found("gpt-4.1")),
            Ending::Failed(ErrorCode::RequestRefused),
        ),
        (
            "error in the stream",
            always(move || Reply::ErrorInStream { after_text: "{\"art".into(), body: server_error.clone() }),
            Ending::Retried,
        ),
    ]);
    play(Dialect::OpenAi, cases).await;
}

#[tokio::test]
async fn anthropic_brings_the_news_through_all_its_odd_cases() {
    let error = |kind: &str, message: &str| json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"});
    let start = json!({"type": "message_start", "message": {"type": "message", "model": "m", "content": [], "usage": {"input_tokens": 9, "output_tokens": 1}}});
    let ended = |stop: &str| {
        vec![
            json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 3}}),
            json!({"type": "message_stop"}),
        ]
    };
    let with = |middle: Vec<Value>, stop: &str| events([vec![start.clone()], middle, ended(stop)].concat());
    let thoughts = vec![
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}}),
        json!({"type": "content_block_stop", "index": 0}),
    ];
    // Blocks of the service's own, at which the client library stumbles.
    let foreign: Odd = Box::new(move |request| {
        let Reply::Text(text) = NewsModel::default().answer(request) else { panic!("the news model speaks") };
        let block = |index: u8, kind: &str| json!({"type": "content_block_start", "index": index, "content_block": {"type": kind, "text": ""}});
        let delta =
            |index: u8, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
        let middle = vec![
            block(0, "server_tool_use"),
            delta(0, json!({"type": "input_json_delta", "partial_json": "{\"query\":"})),
            block(1, "text"),
            delta(1, json!({"type": "citations_delta", "citation": {"title": "A"}})),
            delta(1, json!({"type": "text_delta", "text": text})),
        ];
        let start =
            json!({"type": "message_start", "message": {"type": "message", "model": "m", "usage": {}}});
        let end = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}});
        Reply::Events([vec![start], middle, vec![end, json!({"type": "message_stop"})]].concat())
    });
    let overloaded = error("overloaded_error", "Overloaded");
    let cases = common(vec![
        ("nothing odd", Box::new(|request| NewsModel::default().answer(request)), Ending::Unnoticed),
        ("blocks of the service's own", foreign, Ending::Unnoticed),
        ("no content", with(vec![], "end_turn"), Ending::Repaired),
        ("thoughts only", with(thoughts, "max_tokens"), Ending::Repaired),
        ("declined", with(vec![], "refusal"), Ending::Failed(ErrorCode::ContentRefused)),
        (
            "429",
            refusal(429, &[("retry-after", "0.2")], &error("rate_limit_error", "Rate limited")),
            Ending::Retried,
        ),
        ("529", refusal(529, &[], &overloaded), Ending::Retried),
        (
            "no credit",
            refusal(400, &[], &error("invalid_request_error", "Your credit balance is too low")),
            Ending::Failed(ErrorCode::QuotaExhausted),
        ),
        (
            "bad key",
            refusal(401, &[], &error("authentication_error", "invalid x-api-key")),
            Ending::Failed(ErrorCode::KeyRefused),
        ),
        (
            "retired model",
            refusal(404, &[], &error("not_found_error", "model: claude-3")),
            Ending::Failed(ErrorCode::RequestRefused),
        ),
        (
            "error in the stream",
            always(move || Reply::ErrorInStream { after_text: "{\"art".into(), body: overloaded.clone() }),
            Ending::Retried,
        ),
    ]);
    play(Dialect::Anthropic, cases).await;
}

#[tokio::test]
async fn ollama_brings_the_news_through_all_its_odd_cases() {
    let thoughts = json!({"model": "m", "message": {"role": "assistant", "content": "", "thinking": "Hm."}, "done": true, "done_reason": "length"});
    let said = json!({"error": "an error was encountered while running the model: unexpected EOF"});
    let cases = common(vec![
        ("nothing odd", Box::new(|request| NewsModel::default().answer(request)), Ending::Unnoticed),
        ("an empty answer", always(|| Reply::text("")), Ending::Repaired),
        ("thoughts only", events(vec![thoughts]), Ending::Repaired),
        (
            "429",
            refusal(429, &[("retry-after", "0.2")], &json!({"error": "too many requests"})),
            Ending::Retried,
        ),
        (
            "503",
            refusal(
                503,
                &[],
                &json!({"error": "server busy, please try again. maximum pending requests exceeded"}),
            ),
            Ending::Retried,
        ),
        (
            "model not installed",
            refusal(404, &[], &json!({"error": "model 'qwen3' not found"})),
            Ending::Failed(ErrorCode::RequestRefused),
        ),
        (
            "error in the stream",
            always(move || Reply::ErrorInStream { after_text: "{\"art".into(), body: said.clone() }),
            Ending::Retried,
        ),
    ]);
    play(Dialect::Ollama, cases).await;
}

#[tokio::test]
async fn a_service_that_falls_silent_is_waited_for_no_longer_than_the_run_may_take() {
    let dialects = [Dialect::Gemini, Dialect::OpenAi, Dialect::Anthropic, Dialect::Ollama];
    let played = dialects.map(|dialect| async move {
        let place = place(dialect, always(|| Reply::Stall { after_text: "{\"articles\": [".into() })).await;
        let (_, end) = place.run(&[(LimitName::MaxExecutionTimeS, 12.0)]).await;
        assert_eq!(
            (end.outcome, place.server.count()),
            (Outcome::Limited, 1),
            "{dialect:?}: {:?}",
            end.error
        );
    });
    join_all(played).await;
}

#[tokio::test]
async fn a_wrong_key_and_a_retired_model_are_told_in_words_with_the_next_step() {
    for dialect in [Dialect::Gemini, Dialect::OpenAi, Dialect::Anthropic] {
        let place = place(dialect, always(|| panic!("nobody with this key is answered"))).await;
        place.server.require_key("another-key-0123456789");
        let (_, end) = place.run(&[]).await;
        let error = end.error.unwrap();
        assert_eq!((error.code, place.server.count()), (ErrorCode::KeyRefused, 1), "{dialect:?}: {error:?}");
        assert!(error.message.contains("`galley profile test test`"), "{}", error.message);
        assert!(place.server.requests().iter().all(|request| !request.query.contains(KEY)));
    }
    let retired = json!({"error": {"code": 404, "message": "models/gemini-1.5-flash is not found", "status": "NOT_FOUND"}});
    let place = place(Dialect::Gemini, refusal(404, &[], &retired)).await;
    let (_, end) = place.run(&[]).await;
    let message = end.error.unwrap().message;
    assert!(message.contains("`galley models test`"), "{message}");
}
