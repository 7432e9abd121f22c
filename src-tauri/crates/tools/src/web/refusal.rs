//! Converts the refusal of a service, its status and body, into an error with the service's own words and its requested
//! wait. The meaning of statuses is in `net`.

use kernel::{Code, Error, Phrase, form, phrase};
use net::Answer;
use secrecy::SecretString;
use serde_json::Value;

use crate::offered_tool::KeyNeed;

/// What was requested, for the message of the refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// A search.
    Search,
    /// Data that need a key.
    DataForKey,
    /// Open data, so the message does not ask for a key.
    OpenData,
}

impl Wish {
    /// The kind of request for a data source with or without a key.
    pub(crate) fn data(key: KeyNeed) -> Wish {
        if key == KeyNeed::None { Wish::OpenData } else { Wish::DataForKey }
    }
}

/// The bytes of a body that are inspected.
const MOST_READ: usize = 32 << 10;
/// The most characters of a service's message that are kept.
const MOST_WORDS: usize = 300;

/// The error for a refusal by this service.
pub(crate) fn refusal(service: &str, wish: Wish, answer: &Answer, key: Option<&SecretString>) -> Error {
    let body = String::from_utf8_lossy(&answer.body[..answer.body.len().min(MOST_READ)]).into_owned();
    let json = net::nearly_json(body.as_bytes()).unwrap_or_default();
    let json = json.get(0).unwrap_or(&json);
    let said = body.to_lowercase();
    let status = if answer.is_success() { status_in(json) } else { Some(answer.status) };
    let code =
        status.map_or_else(|| net::refusal_by_words(&said, false), |status| net::refusal(status, &said));
    let next = match code {
        Code::KeyRefused if wish == Wish::OpenData => {
            form!("it refuses this program or this connection; try again later, or choose another source")
        }
        Code::KeyRefused if key.is_none() => form!("it wants a key; set one for this service"),
        Code::KeyRefused => form!("check the key, or set another"),
        Code::QuotaExhausted => {
            form!("what the key allows is used up; choose another source or wait until it is renewed")
        }
        Code::RateLimited => form!("try again a little later"),
        Code::Overloaded | Code::Timeout => form!("try again later, or choose another source"),
        _ => form!("check its settings, and that its base URL is right"),
    };
    let status_words = status.map_or_else(Phrase::default, |status| phrase!(" (HTTP {status})", status));
    let code = if wish == Wish::OpenData && code == Code::KeyRefused { Code::RequestRefused } else { code };
    let message = match wish {
        Wish::Search => {
            phrase!("{service} refused the search{status_words}: {next}", service, status_words, next)
        }
        Wish::DataForKey | Wish::OpenData => {
            phrase!("{service} refused the request{status_words}: {next}", service, status_words, next)
        }
    };
    let mut error = Error::new(code, message);
    error.provider_words = words_of(json, &body).map(|words| redact::clean(&words, key));
    error.retry_after_ms = net::wait_ms(|name| answer.header(name), &body, engine::now());
    error
}

/// Checks that an answer has the service's shape: any other is an error with a status of success, or comes from another
/// server. `own` names the expected fields, `[]` stands for a list. Empty JSON means no results.
pub(crate) fn check(
    service: &str,
    wish: Wish,
    answer: &Answer,
    json: &Value,
    own: &[&str],
    key: Option<&SecretString>,
) -> Result<(), Error> {
    let is_empty = match json {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    let is_told = |name: &str| match json.get(name) {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Bool(true) | Value::Number(_)) => true,
    };
    let is_error = ["error", "errors", "fault"].into_iter().any(is_told);
    let is_own = |name: &&str| if *name == "[]" { json.is_array() } else { json.get(name).is_some() };
    if is_empty || (own.iter().any(is_own) && !is_error) {
        return Ok(());
    }
    let says_why = is_error || words_of(json.get(0).unwrap_or(json), "").is_some();
    if says_why {
        return Err(refusal(service, wish, answer, key));
    }
    let message = phrase!("{service} answered, but not as this service does; check its base URL", service);
    let words = redact::clean(&json.to_string(), key);
    Err(Error { provider_words: Some(words), ..Error::new(Code::RequestRefused, message) })
}

/// The message of an error with the service's own words, for a note.
pub(crate) fn with_provider_words(error: &Error) -> Phrase {
    match &error.provider_words {
        Some(words) => phrase!("{what} (“{words}”)", what = error, words),
        None => (*error.phrase).clone(),
    }
}

/// The status in the body of an error.
fn status_in(json: &Value) -> Option<u16> {
    ["/error/code", "/error/status", "/status", "/code", "/statusCode", "/status_code"].iter().find_map(
        |place| {
            let status = json.pointer(place)?;
            let number = status.as_u64().or_else(|| status.as_str()?.parse().ok())?;
            u16::try_from(number).ok().filter(|status| (400..600).contains(status))
        },
    )
}

/// The message in a refusal, in any of the usual places.
fn words_of(json: &Value, body: &str) -> Option<String> {
    let places = [
        "/error/message",
        "/error/detail",
        "/error/info",
        "/error/reason",
        "/detail/error",
        "/detail/message",
        "/detail/0/msg",
        "/errors/0/message",
        "/errors/0/detail",
        "/error",
        "/detail",
        "/message",
        "/msg",
        "/reason",
        "/error_message",
        "/fault/faultstring",
        "/description",
        "/title",
    ];
    let found = places
        .iter()
        .find_map(|place| json.pointer(place)?.as_str().filter(|words| !words.trim().is_empty()));
    let words =
        found.map_or_else(|| of_feed(body).unwrap_or_else(|| super::json_fields::plain(body)), str::to_owned);
    let folded = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let words: String = folded.chars().filter(|c| !c.is_control()).take(MOST_WORDS).collect();
    (!words.is_empty()).then_some(words)
}

/// The text of a feed's only entry: arXiv reports errors this way.
fn of_feed(body: &str) -> Option<String> {
    let entry = body.split_once("<entry")?.1;
    let summary = entry.split_once("<summary")?.1.split_once('>')?.1.split_once("</summary>")?.0;
    Some(super::json_fields::plain(summary)).filter(|words| !words.is_empty())
}
