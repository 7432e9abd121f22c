//! Classifies the refusal of a service over HTTP, for models and searches.
//!
//! The status is not enough: 429 can mean “a little later” or “not today”, and 400 a bad key. So the text of the body
//! counts too. Not here: the error formats of providers, and our own messages.

use kernel::Code;

/// The code of a refusal with this status; `said` is the text of the response with its codes, in lower case.
pub fn refusal(status: u16, said: &str) -> Code {
    match status {
        401 | 403 if says(said, &["dailylimitexceeded", "quotaexceeded"]) => Code::QuotaExhausted,
        401 | 403 => Code::KeyRefused,
        402 | 432 | 433 => Code::QuotaExhausted,
        429 if is_exhausted(said) => Code::QuotaExhausted,
        429 => Code::RateLimited,
        408 | 504 | 524 => Code::Timeout,
        // The connection was closed before the answer; Google's own client retries this.
        499 => Code::Overloaded,
        // A request that fails validation fails again, whatever the status.
        500 if is_checked_form(said) => Code::RequestRefused,
        500.. => Code::Overloaded,
        400.. if is_about_key(said) => Code::KeyRefused,
        400.. if is_unpaid(said) => Code::QuotaExhausted,
        _ => Code::RequestRefused,
    }
}

/// The code of a refusal without a status, in a stream or under 200. A temporary one may be retried; any other is
/// refused again, unless an answer `has_begun`, because then the request was accepted.
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

/// Whether the request is invalid, by the text of services and their validation.
fn is_about_form(said: &str) -> bool {
    says(said, &["invalid_request", "invalid_argument", "context_length", "not_found", "not found"])
        || is_checked_form(said)
}

/// Whether the validation of a request failed, by its printed form.
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

/// Whether the refusal is temporary, by its text.
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

/// Whether the key is refused, whatever the status.
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
            // Brave refuses a key with a 422.
            "subscription_token",
            "subscription token",
            "subscription-token",
            "subscription key",
            "invalid access token",
            "invalid authentication",
        ],
    )
}

/// Whether a short wait does not help: no credit, or a quota that is renewed by the day or the month.
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
    // Google also says “exceeded your current quota, check your plan and billing” for a limit per minute.
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
            // A spending limit of an organisation or a workspace at Anthropic, refused with a 400.
            "reached your specified",
        ],
    )
}

fn says(said: &str, words: &[&str]) -> bool {
    words.iter().any(|words| said.contains(words))
}
