//! A key from the environment is nowhere but in the request, whatever the provider does with it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::json;
use testkit::{ChatRequest, NewsModel, Reply, ToolCall};

use super::galley::{Galley, KEY_VARIABLE, Told, server};

const KEY: &str = "sk-proj-Ab3xY9qLmN0pRsTuVwZk4f7h";
/// The key as `Authorization: Basic` would carry it.
const ENCODED: &str = "c2stcHJvai1BYjN4WTlxTG1OMHBSc1R1VndaazRmN2g=";

/// What a careless provider answers to the first request of a run; then it behaves.
fn echoes() -> Vec<(&'static str, i32, Reply)> {
    let bearer = || format!("Bearer {KEY}");
    let articles = |message: &str| json!({"articles": [], "message": message, "search_window_days": 30});
    let whole = json!({
        "id": KEY, "object": "chat.completion", "created": 1, "model": KEY, "system_fingerprint": KEY,
        "choices": [{"index": 0, "finish_reason": KEY, "message": {"role": "assistant", "content": articles(KEY).to_string()}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    });
    let error = |status: u16, headers: &[(&str, String)], body: String| Reply::Error {
        status,
        headers: headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
        body,
    };
    let part = format!("{{\"articles\": [], \"message\": \"{KEY}");
    vec![
        ("an error's sentence", 1, Reply::invalid_key_in_full(KEY)),
        ("an error's sentence, starred", 1, Reply::invalid_key(KEY)),
        ("an error's page", 1, error(403, &[], format!("<html><h1>{}</h1> {ENCODED}</html>", bearer()))),
        ("an error's code", 1, Reply::error(400, KEY, Some(KEY), "no")),
        (
            "an error's headers",
            1,
            error(401, &[("www-authenticate", bearer()), ("x-request-id", KEY.to_owned())], "{}".to_owned()),
        ),
        ("a redirect", 1, error(307, &[("location", format!("http://127.0.0.1:9/{KEY}"))], String::new())),
        (
            "a delay",
            0,
            error(
                429,
                &[("retry-after-ms", "1".to_owned()), ("x-key", KEY.to_owned())],
                json!({"error": {"message": bearer()}}).to_string(),
            ),
        ),
        ("an answer", 0, Reply::Json(articles(&format!("My key is {KEY}, or {ENCODED}.")))),
        (
            "an answer in small pieces",
            0,
            Reply::stream(&articles(KEY).to_string(), 3, std::time::Duration::from_millis(1)),
        ),
        (
            "every other field of an answer",
            0,
            error(200, &[("content-type", "application/json".to_owned())], whole.to_string()),
        ),
        ("an answer that is no JSON", 0, Reply::text(format!("Your key, {KEY}, is fine."))),
        ("an answer that was cut", 0, Reply::MaxTokens(part.clone())),
        ("a refusal", 1, Reply::Refusal(format!("I will not say {KEY}."))),
        (
            "a tool call",
            0,
            Reply::ToolCalls(vec![ToolCall {
                id: Some(KEY.to_owned()),
                name: "exit".to_owned(),
                arguments: json!({"q": KEY}),
            }]),
        ),
        (
            "an error in the stream",
            1,
            Reply::ErrorInStream {
                after_text: part.clone(),
                body: json!({"error": {"code": "invalid_api_key", "message": KEY}}),
            },
        ),
        ("a broken connection", 0, Reply::CutConnection { after_text: part }),
    ]
}

/// The surroundings of the first place where twelve characters of the key stand in a row.
fn trace(text: &[u8]) -> Option<String> {
    const LENGTH: usize = 12;
    let text = String::from_utf8_lossy(text).to_lowercase();
    [KEY, ENCODED].iter().find_map(|secret| {
        let secret = secret.to_lowercase();
        let mut parts = (0..=secret.len() - LENGTH).map(|at| &secret[at..at + LENGTH]);
        let found = parts.find_map(|part| text.find(part))?;
        let before: Vec<char> = text[..found].chars().rev().take(60).collect();
        Some(before.into_iter().rev().chain(text[found..].chars().take(60)).collect())
    })
}

#[test]
fn a_key_from_the_environment_is_found_nowhere_whatever_the_provider_echoes() {
    let first: Arc<Mutex<Option<Reply>>> = Arc::default();
    let (echo, keys) = (first.clone(), Arc::new(AtomicUsize::new(0)));
    let seen = keys.clone();
    let server = server(move |request: &ChatRequest| {
        seen.fetch_add(usize::from(request.key() == Some(KEY)), Ordering::SeqCst);
        let odd = echo.lock().unwrap().take();
        odd.unwrap_or_else(|| NewsModel::default().answer(request))
    });
    server.be_lenient();
    let mut galley = Galley::new();
    for (name, value) in [(KEY_VARIABLE, KEY), ("RUST_LOG", "trace")] {
        galley.environment.push((name, value.to_owned()));
    }
    galley.add_profile(&server.base_url);
    for (what, code, reply) in echoes() {
        *first.lock().unwrap() = Some(reply);
        let told = galley.news("retrieval-augmented generation", &["--profile", "test", "--json"]);
        assert_eq!(told.code, Some(code), "{what}: {}", told.err);
        let clean = |told: &Told| {
            assert_eq!(trace(told.out.as_bytes()), None, "{what}: standard output");
            assert_eq!(trace(told.err.as_bytes()), None, "{what}: standard error");
        };
        clean(&told);
        for words in [
            &["show", "last", "--events", "--json"][..],
            &["show", "last", "--journal"],
            &["export", "last", "--format", "json"],
        ] {
            clean(&galley.run(words).ok());
        }
    }
    *first.lock().unwrap() = Some(Reply::invalid_key_in_full(KEY));
    let told = galley.run(["profile", "test", "test"]).exits(1);
    assert!(told.err.contains("Incorrect API key provided"), "{}", told.err);
    assert_eq!(trace(told.err.as_bytes()), None);
    for entry in std::fs::read_dir(galley.data()).unwrap().map(Result::unwrap) {
        let bytes = std::fs::read(entry.path()).unwrap();
        assert_eq!(trace(&bytes), None, "{}", entry.path().display());
    }
    assert!(keys.load(Ordering::SeqCst) > 30, "the requests carried it");
}
