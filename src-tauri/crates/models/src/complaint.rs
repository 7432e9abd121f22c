//! What a provider's error means, read from its status and its body.
//!
//! Inside a stream there is no status: then the body's codes count. Not here: what a status means with
//! its words (`kernel`), and our sentence for it (`fault`).

use kernel::{Code, is_about_key, is_exhausted, refusal};
use serde_json::Value;

/// As many bytes of a body are looked at.
const MOST_READ: usize = 64 * 1024;

/// An error as a provider tells it.
pub(crate) struct Complaint {
    /// The HTTP status, also when only the body names it.
    pub(crate) status: Option<u16>,
    /// The sentence in it, not yet cleaned.
    pub(crate) words: String,
    /// Its codes and types, in lower case.
    kind: String,
    /// The whole of it in lower case.
    whole: String,
}

impl Complaint {
    /// From the body of a refusal.
    pub(crate) fn from_body(status: u16, body: &str) -> Complaint {
        let body = start_of(body);
        match serde_json::from_str::<Value>(body) {
            Ok(json) => Complaint { status: Some(status), ..Complaint::from_json(&json) },
            Err(_) => Complaint {
                status: Some(status),
                words: without_tags(body),
                kind: String::new(),
                whole: body.to_ascii_lowercase(),
            },
        }
    }

    /// From an error that came where an answer should be: in a stream, or with a status of 200.
    pub(crate) fn from_json(json: &Value) -> Complaint {
        let json = json.get(0).unwrap_or(json);
        let error = json.get("error").unwrap_or(json);
        let words = error
            .as_str()
            .or_else(|| ["message", "detail", "msg"].iter().find_map(|name| error.get(name)?.as_str()))
            .map_or_else(|| error.to_string(), str::to_owned);
        let kind = ["code", "type", "status", "param"]
            .iter()
            .filter_map(|name| error.get(name)?.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        let status = ["code", "status"]
            .iter()
            .filter_map(|name| error.get(name)?.as_u64())
            .find_map(|number| u16::try_from(number).ok().filter(|number| (300..600).contains(number)));
        let whole = start_of(&error.to_string()).to_ascii_lowercase();
        Complaint { status, words, kind: kind.to_ascii_lowercase(), whole }
    }

    /// What kind of error it is.
    pub(crate) fn code(&self) -> Code {
        if self.is_kind(&["content_filter", "content_policy", "responsibleaipolicy", "moderation"]) {
            return Code::ContentRefused;
        }
        match self.status {
            Some(status) => refusal(status, &self.whole),
            None => self.code_by_kind(),
        }
    }

    fn code_by_kind(&self) -> Code {
        if is_exhausted(&self.whole) {
            Code::QuotaExhausted
        } else if self.is_kind(&["rate_limit", "too_many_requests", "resource_exhausted"]) {
            Code::RateLimited
        } else if is_about_key(&self.whole) || self.is_kind(&["authentication", "permission", "unauthorized"])
        {
            Code::KeyRefused
        } else if self.is_kind(&["timeout", "deadline"]) {
            Code::Timeout
        } else if self.is_kind(&["invalid_request", "invalid_argument", "context_length", "not_found"]) {
            Code::RequestRefused
        } else {
            Code::Overloaded
        }
    }

    fn is_kind(&self, kinds: &[&str]) -> bool {
        kinds.iter().any(|kind| self.kind.contains(kind))
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
            (503, "<html><h1>Busy</h1></html>", Code::Overloaded),
            (529, "", Code::Overloaded),
        ];
        for (status, body, code) in table {
            assert_eq!(Complaint::from_body(*status, body).code(), *code, "{status} {body}");
        }
    }

    #[test]
    fn an_error_without_a_status_is_known_by_its_kind() {
        let table = [
            (r#"{"type":"server_error","message":"oops"}"#, Code::Overloaded),
            (r#"{"error":{"code":502,"message":"upstream"}}"#, Code::Overloaded),
            (r#"{"code":"rate_limit_exceeded"}"#, Code::RateLimited),
            (r#"{"code":"insufficient_quota"}"#, Code::QuotaExhausted),
            (r#"{"type":"billing_error","message":"Add credit"}"#, Code::QuotaExhausted),
            (r#"{"code":"context_length_exceeded"}"#, Code::RequestRefused),
            (r#"{"type":"authentication_error"}"#, Code::KeyRefused),
            (r#"{"code":"content_filter"}"#, Code::ContentRefused),
            (r#""just words""#, Code::Overloaded),
            ("null", Code::Overloaded),
        ];
        for (json, code) in table {
            assert_eq!(Complaint::from_json(&serde_json::from_str(json).unwrap()).code(), code, "{json}");
        }
    }

    #[test]
    fn the_sentence_is_found_wherever_it_stands() {
        let words = |body: &str| Complaint::from_body(500, body).words.trim().to_owned();
        assert_eq!(words(r#"{"error":{"message":"a"}}"#), "a");
        assert_eq!(words(r#"{"error":"b"}"#), "b");
        assert_eq!(words(r#"{"detail":"c"}"#), "c");
        assert_eq!(words(r#"[{"error":{"message":"d"}}]"#), "d");
        assert_eq!(words("<html><b>502 Bad Gateway</b></html>"), "502 Bad Gateway");
        assert_eq!(words("plain"), "plain");
    }
}
