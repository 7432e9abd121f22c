//! What the refusal of a service over HTTP means, of models and of searches alike.
//!
//! Statuses alone do not tell: 429 is both “a little later” and “not today”, and 400 may be a bad key. So the words of the
//! body count too. Not here: how a dialect tells its errors, and our sentence for them.

use crate::Code;

/// What a refusal with this status means; `said` is what the service said with it, codes and all, in lower case.
pub fn refusal(status: u16, said: &str) -> Code {
    match status {
        401 | 403 if says(said, &["dailylimitexceeded", "quotaexceeded"]) => Code::QuotaExhausted,
        401 | 403 => Code::KeyRefused,
        402 | 432 | 433 => Code::QuotaExhausted,
        429 if is_exhausted(said) => Code::QuotaExhausted,
        429 => Code::RateLimited,
        408 | 504 | 524 => Code::Timeout,
        // The connection was closed before the answer; Google's own client asks again.
        499 => Code::Overloaded,
        // A check of the form that failed, whatever status a server takes for it, fails again.
        500 if is_checked_form(said) => Code::RequestRefused,
        500.. => Code::Overloaded,
        400.. if is_about_key(said) => Code::KeyRefused,
        400.. if is_unpaid(said) => Code::QuotaExhausted,
        _ => Code::RequestRefused,
    }
}

/// What a refusal means that came without a status of its own, in a stream or under 200. What sounds of a moment may be
/// asked again; what says anything else is refused again, unless an answer `has_begun`: then the request was taken.
pub fn refusal_by_words(said: &str, has_begun: bool) -> Code {
    if is_exhausted(said) {
        Code::QuotaExhausted
    } else if says(
        said,
        &[
            "rate_limit",
            "rate limit",
            "ratelimit",
            "too_many_requests",
            "too many requests",
            "resource_exhausted",
        ],
    ) {
        Code::RateLimited
    } else if is_about_key(said)
        || says(
            said,
            &[
                "authentication",
                "permission_error",
                "permission_denied",
                "permission denied",
                "unauthorized",
                "unauthenticated",
            ],
        )
    {
        Code::KeyRefused
    } else if is_about_form(said) {
        Code::RequestRefused
    } else if says(said, &["timeout", "timed out", "deadline"]) {
        Code::Timeout
    } else if matches!(said.trim(), "" | "null" | "{}" | "[]") || has_begun || is_passing(said) {
        Code::Overloaded
    } else {
        Code::RequestRefused
    }
}

/// Whether the request is what does not fit, as services and checks of its form say it.
fn is_about_form(said: &str) -> bool {
    says(said, &["invalid_request", "invalid_argument", "context_length", "not_found", "not found"])
        || is_checked_form(said)
}

/// Whether a check of the form of a request failed, as such checks print themselves.
fn is_checked_form(said: &str) -> bool {
    says(
        said,
        &[
            "validation error",
            "literal_error",
            "extra_forbidden",
            "value_error",
            "type_error",
            "'loc':",
            "\"loc\":",
            "requires --",
        ],
    )
}

/// Whether it is of a moment, as the service says.
fn is_passing(said: &str) -> bool {
    says(
        said,
        &[
            "overload",
            "unavailable",
            "try again",
            "retry",
            "busy",
            "capacity",
            "server_error",
            "server error",
            "internal",
            "bad gateway",
            "gateway",
            "upstream",
            "temporar",
            "went wrong",
            "restart",
            "crash",
            "starting",
            "loading",
            "maxlag",
            "interrupted",
            "disconnected",
            "connection",
        ],
    )
}

/// Whether the key is what is refused, whatever the status.
fn is_about_key(said: &str) -> bool {
    says(
        said,
        &[
            "invalid_api_key",
            "api_key_invalid",
            "keyinvalid",
            "api key not valid",
            "incorrect api key",
            "invalid api key",
            "api key is invalid",
            "apikey is invalid",
            "invalid apikey",
            // Brave refuses one with a 422.
            "subscription_token",
            "subscription token",
            "subscription-token",
            "subscription key",
            "invalid access token",
            "invalid authentication",
        ],
    )
}

/// Whether waiting a little does not help: no credit, or a quota that is renewed by the day or the month.
fn is_exhausted(said: &str) -> bool {
    let is_long = says(
        said,
        &[
            "perday",
            "per day",
            "per-day",
            "(rpd)",
            "(tpd)",
            "daily limit",
            "daily quota",
            "daily request",
            "this month",
            "per month",
            "usage limit",
            "plan limit",
        ],
    );
    // Google says “exceeded your current quota, check your plan and billing” of a full minute too.
    let is_of_the_minute = says(said, &["perminute", "per minute", "(rpm)", "(tpm)", "retrydelay"]);
    is_long || is_unpaid(said) || (says(said, &["exceeded your current quota"]) && !is_of_the_minute)
}

fn is_unpaid(said: &str) -> bool {
    says(
        said,
        &[
            "insufficient_quota",
            "insufficient_balance",
            "insufficient balance",
            "insufficient credit",
            "out of credit",
            "billing_hard_limit",
            "billing_not_active",
            "billing_error",
            "credit balance is too low",
            // What a person lets an organisation or a workspace spend at Anthropic, refused with a 400.
            "reached your specified",
        ],
    )
}

fn says(said: &str, words: &[&str]) -> bool {
    words.iter().any(|words| said.contains(words))
}
