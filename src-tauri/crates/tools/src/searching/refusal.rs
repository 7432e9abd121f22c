//! What the refusal of a search service means: its status and its body as one of our faults, with its own words and
//! the wait it asks for. What a status means with its words is in `kernel`.

use kernel::{Code, Fault};
use net::Answer;
use secrecy::SecretString;
use serde_json::Value;

/// As much of a body is looked at.
const MOST_READ: usize = 32 << 10;
/// As many characters of a service's words are kept.
const MOST_WORDS: usize = 300;
const LONGEST_WAIT_MS: f64 = 86_400_000.0;

/// The fault for a refusal of this service.
pub(crate) fn refusal(service: &str, answer: &Answer, key: Option<&SecretString>) -> Fault {
    let body = String::from_utf8_lossy(&answer.body[..answer.body.len().min(MOST_READ)]).into_owned();
    let json: Value = serde_json::from_str(&body).unwrap_or_default();
    let json = json.get(0).unwrap_or(&json);
    let code = kernel::refusal(answer.status, &body.to_lowercase());
    let next = match code {
        Code::KeyRefused if key.is_none() => "it wants a key; set one for this service",
        Code::KeyRefused => "check the key, or set another",
        Code::QuotaExhausted => {
            "what the key allows is used up; choose another source or wait until it is renewed"
        }
        Code::RateLimited => "try again a little later",
        Code::Overloaded | Code::Timeout => "try again later, or choose another source",
        _ => "check its settings, and that its base URL is right",
    };
    let mut fault =
        Fault::new(code, format!("{service} refused the search (HTTP {}): {next}", answer.status));
    fault.provider_words = words_of(json, &body).map(|words| redact::clean(&words, key));
    fault.retry_after_ms = wait_of(answer.header("retry-after"), json, &body);
    fault
}

/// The sentence in a refusal, wherever services put it.
fn words_of(json: &Value, body: &str) -> Option<String> {
    let places =
        ["/error/message", "/error/detail", "/detail/error", "/error", "/detail", "/message", "/title"];
    let found = places.iter().find_map(|place| json.pointer(place)?.as_str());
    let words = found.map_or_else(|| super::reading::plain(body), str::to_owned);
    let folded = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let words: String = folded.chars().filter(|c| !c.is_control()).take(MOST_WORDS).collect();
    (!words.is_empty()).then_some(words)
}

/// How long the service asks to wait, in milliseconds: in its header, its details, its sentence.
fn wait_of(header: Option<&str>, json: &Value, body: &str) -> Option<u64> {
    let seconds = header
        .and_then(|header| header.parse::<f64>().ok())
        .or_else(|| json.pointer("/error/retry_after_seconds")?.as_f64())
        .or_else(|| {
            let after = body.split_once("\"retryDelay\"")?.1.trim_start().strip_prefix(':')?.trim_start();
            after.strip_prefix('"')?.split_once('s')?.0.parse().ok()
        })?;
    // The cast saturates, and the bounds are checked before it.
    (seconds.is_finite() && seconds >= 0.0).then(|| (seconds * 1000.0).min(LONGEST_WAIT_MS).ceil() as u64)
}
