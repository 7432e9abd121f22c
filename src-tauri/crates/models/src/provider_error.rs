//! Classifies a provider's error by its status and its body.
//!
//! Inside a stream there is no status, so the body's codes decide. Not here: the meaning of a status and its words
//! (`net`), and our sentence for it (`error`).

use kernel::Code;
use net::{refusal, refusal_by_words};
use serde_json::Value;

/// Most bytes of a body that are examined.
const MOST_READ: usize = 64 * 1024;

/// An error that a provider sent.
pub(crate) struct ProviderError {
    /// The HTTP status, also if only the body contains it.
    pub(crate) status: Option<u16>,
    /// Its message, not yet cleaned.
    pub(crate) words: String,
    /// Its codes and types in lower case.
    kind: String,
    /// The whole error in lower case.
    whole: String,
    /// Whether an answer had begun: a server that begins one has accepted the request.
    pub(crate) has_begun: bool,
}

impl ProviderError {
    /// From the body of a refusal.
    pub(crate) fn from_body(status: u16, body: &str) -> ProviderError {
        let body = start_of(body);
        let error = match serde_json::from_str::<Value>(body) {
            Ok(json) => ProviderError::from_json(&json),
            Err(_) => ProviderError::from_words(body),
        };
        ProviderError { status: Some(status), ..error }
    }

    /// From words or a page.
    pub(crate) fn from_words(words: &str) -> ProviderError {
        let words = start_of(words);
        let whole = words.to_ascii_lowercase();
        ProviderError {
            status: None,
            words: without_tags(words),
            kind: String::new(),
            whole,
            has_begun: false,
        }
    }

    /// From an error in place of an answer: in a stream, or with status 200.
    pub(crate) fn from_json(json: &Value) -> ProviderError {
        let json = json.get(0).unwrap_or(json);
        let error = ["error", "errors", "fault"]
            .iter()
            .find_map(|name| json.get(name).filter(|error| !error.is_null()));
        let error = error.unwrap_or(json);
        let error =
            error.get(0).filter(|_| error.as_array().is_some_and(|all| all.len() == 1)).unwrap_or(error);
        let words = words_of(error, 0);
        let words = if words.is_empty() { error.to_string() } else { words };
        // If the error is only a text, the fields beside it state its kind.
        let field = |name: &str| error.get(name).or_else(|| json.get(name));
        let kind = ["code", "type", "status", "param", "error_type", "error_code"]
            .iter()
            .filter_map(|name| field(name)?.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        let status = ["code", "status", "statusCode", "status_code", "http_status"]
            .iter()
            .filter_map(|name| {
                let status = field(name)?;
                status.as_u64().or_else(|| status.as_str()?.trim().parse().ok())
            })
            .find_map(|number| u16::try_from(number).ok().filter(|number| (300..600).contains(number)));
        let whole = start_of(&error.to_string()).to_ascii_lowercase();
        ProviderError { status, words, kind: kind.to_ascii_lowercase(), whole, has_begun: false }
    }

    /// The code of the error.
    pub(crate) fn code(&self) -> Code {
        if self.is_kind(&["content_filter", "content_policy", "responsibleaipolicy", "moderation"]) {
            return Code::ContentRefused;
        }
        // The codes of OpenAI and of llama.cpp.
        if self.is_kind(&["context_length_exceeded", "exceed_context_size"]) {
            return Code::ContextExceeded;
        }
        match self.status {
            Some(status) => refusal(status, &self.whole),
            None => refusal_by_words(&self.whole, self.has_begun),
        }
    }

    /// Whether the requested model does not exist.
    pub(crate) fn is_about_missing_model(&self) -> bool {
        if !matches!(self.code(), Code::RequestRefused | Code::Overloaded) {
            return false;
        }
        let is_missing = self.says(&[
            "not found",
            "not_found",
            "not exist",
            "n't exist",
            "unknown model",
            "no such model",
            "no model",
            "invalid model",
            "not a valid model",
            "not loaded",
            "not available",
            "not been found",
            "cannot find",
            "could not find",
            "is not supported",
            "no longer",
            "decommissioned",
            "deprecated",
        ]);
        self.status == Some(404) || (is_missing && self.says(&["model"]))
    }

    /// The error's words about the request, in lower case, without the request itself, which some servers repeat.
    pub(crate) fn about(&self) -> String {
        let about = format!("{} {}", self.kind, self.words.to_ascii_lowercase());
        // A validation error as Python prints it: `[{'type': …, 'loc': …, 'msg': …, 'input': …}]`.
        match about.split_once("'input':") {
            Some((before, _)) if about.contains("'loc':") => before.to_owned(),
            _ => about,
        }
    }

    fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|words| self.whole.contains(words))
    }

    fn is_kind(&self, kinds: &[&str]) -> bool {
        kinds.iter().any(|kind| self.kind.contains(kind))
    }
}

/// The message of an error, wherever it is nested.
fn words_of(error: &Value, depth: usize) -> String {
    const NAMES: [&str; 13] = [
        "message",
        "detail",
        "msg",
        "error_msg",
        "error_message",
        "errorMessage",
        "faultstring",
        "error_description",
        "description",
        "reason",
        "title",
        "error",
        "errors",
    ];
    match error {
        Value::String(words) => words.clone(),
        _ if depth > 4 => String::new(),
        Value::Array(all) => {
            let each =
                all.iter().take(8).map(|one| words_of(one, depth + 1)).filter(|words| !words.is_empty());
            each.collect::<Vec<_>>().join("; ")
        }
        Value::Object(fields) => {
            let words = NAMES
                .iter()
                .filter_map(|name| Some(words_of(fields.get(*name)?, depth + 1)))
                .find(|words| !words.is_empty())
                .unwrap_or_default();
            // A validation error names the field: `["body", "response_format"]`.
            let place = fields.get("loc").and_then(Value::as_array).map(|place| {
                place
                    .iter()
                    .map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned))
                    .collect::<Vec<_>>()
            });
            match place {
                Some(place) if !words.is_empty() => format!("{}: {words}", place.join(".")),
                _ => words,
            }
        }
        _ => String::new(),
    }
}

fn start_of(body: &str) -> &str {
    let mut end = body.len().min(MOST_READ);
    while !body.is_char_boundary(end) {
        end -= 1;
    }
    &body[..end]
}

/// The text of a proxy's error page.
fn without_tags(body: &str) -> String {
    if !body.trim_start().starts_with('<') {
        return body.to_owned();
    }
    let mut text = String::new();
    let mut is_tag = false;
    for character in body.chars() {
        match character {
            '<' => is_tag = true,
            '>' => {
                is_tag = false;
                text.push(' ');
            }
            _ if !is_tag => text.push(character),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_gets_its_code() {
        let table: &[(u16, &str, Code)] = &[
            (401, r#"{"error":{"code":"invalid_api_key","message":"Incorrect"}}"#, Code::KeyRefused),
            (403, "no", Code::KeyRefused),
            (403, r#"{"error":{"code":403,"type":"moderation"}}"#, Code::ContentRefused),
            (
                400,
                r#"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]"#,
                Code::KeyRefused,
            ),
            (400, r#"{"error":{"code":"content_filter","message":"filtered"}}"#, Code::ContentRefused),
            (400, r#"{"error":{"code":"unsupported_value"}}"#, Code::RequestRefused),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#,
                Code::QuotaExhausted,
            ),
            (
                400,
                r#"{"error":{"type":"invalid_request_error","message":"You have reached your specified workspace API usage limits."}}"#,
                Code::QuotaExhausted,
            ),
            (404, r#"{"error":{"code":"model_not_found"}}"#, Code::RequestRefused),
            (422, r#"{"detail":"bad"}"#, Code::RequestRefused),
            (301, "", Code::RequestRefused),
            (402, r#"{"error":"pay"}"#, Code::QuotaExhausted),
            (
                429,
                r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#,
                Code::QuotaExhausted,
            ),
            (429, r#"{"error":{"code":"billing_not_active","message":"Not active"}}"#, Code::QuotaExhausted),
            (
                429,
                r#"{"error":{"message":"Rate limit reached on requests per day (RPD): Limit 200. Please try again in 7m12s."}}"#,
                Code::QuotaExhausted,
            ),
            (
                429,
                r#"[{"error":{"message":"You exceeded your current quota","details":[{"quotaId":"GenerateRequestsPerDayPerProject"}]}}]"#,
                Code::QuotaExhausted,
            ),
            (
                429,
                r#"[{"error":{"message":"You exceeded your current quota","details":[{"quotaId":"GenerateRequestsPerMinutePerProject"}]}}]"#,
                Code::RateLimited,
            ),
            (
                429,
                r#"{"error":{"code":"rate_limit_exceeded","message":"Please try again in 1.2s"}}"#,
                Code::RateLimited,
            ),
            (429, "", Code::RateLimited),
            (408, "", Code::Timeout),
            (504, "<html>", Code::Timeout),
            (500, "", Code::Overloaded),
            (
                500,
                r#"{"error":{"message":"[{'type': 'missing', 'loc': ('body', 'messages'), 'msg': 'Field required'}]"}}"#,
                Code::RequestRefused,
            ),
            (503, "<html><h1>Busy</h1></html>", Code::Overloaded),
            (529, "", Code::Overloaded),
        ];
        for (status, body, code) in table {
            assert_eq!(ProviderError::from_body(*status, body).code(), *code, "{status} {body}");
        }
    }

    #[test]
    fn an_error_without_a_status_is_classified_by_its_kind() {
        let table = [
            (r#"{"type":"server_error","message":"oops"}"#, Code::Overloaded),
            (r#"{"error":{"code":502,"message":"upstream"}}"#, Code::Overloaded),
            (r#"{"code":"rate_limit_exceeded"}"#, Code::RateLimited),
            (r#"{"code":"insufficient_quota"}"#, Code::QuotaExhausted),
            (r#"{"type":"billing_error","message":"Add credit"}"#, Code::QuotaExhausted),
            (r#"{"code":"context_length_exceeded"}"#, Code::ContextExceeded),
            (
                r#"{"error":{"code":400,"type":"exceed_context_size_error","n_prompt_tokens":9412,"n_ctx":8192}}"#,
                Code::ContextExceeded,
            ),
            (r#"{"type":"authentication_error"}"#, Code::KeyRefused),
            (r#"{"code":"content_filter"}"#, Code::ContentRefused),
            (r#""just words""#, Code::RequestRefused),
            (r#"{"error":{"message":"The server is starting up"}}"#, Code::Overloaded),
            (
                r#"{"object":"error","message":"The model `x` does not exist.","code":404}"#,
                Code::RequestRefused,
            ),
            (r#"{"detail":"Model not found"}"#, Code::RequestRefused),
            (r#"{"statusCode":401,"message":"Access denied"}"#, Code::KeyRefused),
            ("null", Code::Overloaded),
        ];
        for (json, code) in table {
            assert_eq!(ProviderError::from_json(&serde_json::from_str(json).unwrap()).code(), code, "{json}");
        }
    }

    #[test]
    fn the_message_is_found_wherever_it_is_nested() {
        let words = |body: &str| ProviderError::from_body(500, body).words.trim().to_owned();
        assert_eq!(words(r#"{"error":{"message":"a"}}"#), "a");
        assert_eq!(words(r#"{"error":"b"}"#), "b");
        assert_eq!(words(r#"{"detail":"c"}"#), "c");
        assert_eq!(words(r#"{"detail":[{"loc":["body","x"],"msg":"c","input":{"k":"v"}}]}"#), "body.x: c");
        assert_eq!(words(r#"{"errors":[{"message":"c"},{"message":"d"}]}"#), "c; d");
        assert_eq!(words(r#"{"fault":{"faultstring":"c"}}"#), "c");
        assert_eq!(words(r#"[{"error":{"message":"d"}}]"#), "d");
        assert_eq!(words("<html><b>502 Bad Gateway</b></html>"), "502 Bad Gateway");
        assert_eq!(words("plain"), "plain");
    }
}
