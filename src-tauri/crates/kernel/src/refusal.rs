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
        500.. => Code::Overloaded,
        400.. if is_about_key(said) => Code::KeyRefused,
        400.. if is_unpaid(said) => Code::QuotaExhausted,
        _ => Code::RequestRefused,
    }
}

/// Whether the key is what is refused, whatever the status.
pub fn is_about_key(said: &str) -> bool {
    says(
        said,
        &[
            "invalid_api_key",
            "api_key_invalid",
            "keyinvalid",
            "api key not valid",
            "incorrect api key",
            "invalid api key",
        ],
    )
}

/// Whether waiting a little does not help: no credit, or a quota that is renewed by the day or the month.
pub fn is_exhausted(said: &str) -> bool {
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
