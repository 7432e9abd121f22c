//! The wait that a server asks for: in a header, in its error's details, or in its message.
//!
//! Not here: whether the wait is obeyed, and up to how long (`engine`).

use jiff::Timestamp;

/// Longer waits count as one day.
const MOST_MS: f64 = 86_400_000.0;

/// Milliseconds to wait by the headers, which are looked up by name, or else by the body; `now` is needed for the form
/// of a date.
pub fn wait_ms<'h>(header: impl Fn(&str) -> Option<&'h str>, body: &str, now: Timestamp) -> Option<u64> {
    header("retry-after-ms")
        .and_then(|text| text.trim().parse().ok())
        .and_then(whole_ms)
        .or_else(|| header("retry-after").and_then(|text| by_retry_after(text.trim(), now)))
        .or_else(|| by_details(body))
        .or_else(|| by_sentence(body))
}

fn whole_ms(ms: f64) -> Option<u64> {
    // The cast saturates, and the bounds are checked before it.
    (ms.is_finite() && ms >= 0.0).then(|| ms.min(MOST_MS).ceil() as u64)
}

fn by_retry_after(text: &str, now: Timestamp) -> Option<u64> {
    if let Ok(seconds) = text.parse::<f64>() {
        return whole_ms(seconds * 1000.0);
    }
    let at = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    whole_ms((at.as_millisecond() - now.as_millisecond()).max(0) as f64)
}

/// Google's `"retryDelay": "7s"`, also from its OpenAI-compatible endpoint; Tavily's `"retry_after_seconds": 41`.
fn by_details(body: &str) -> Option<u64> {
    if let Some((_, after)) = body.split_once("\"retry_after_seconds\"") {
        let number = after.trim_start().strip_prefix(':')?.trim_start();
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        return number[..end].parse::<f64>().ok().and_then(|seconds| whole_ms(seconds * 1000.0));
    }
    let after = body.split_once("\"retryDelay\"")?.1.trim_start().strip_prefix(':')?.trim_start();
    duration(after.strip_prefix('"')?)
}

/// “Please try again in 1m2.5s.”, “retry after 20 seconds”.
fn by_sentence(body: &str) -> Option<u64> {
    let lower = body.to_ascii_lowercase();
    ["try again in ", "retry in ", "retry after ", "wait "]
        .iter()
        .filter_map(|words| lower.split_once(words))
        .find_map(|(_, after)| duration(after))
}

/// A duration at the start of a text: `1h2m3.5s`, `250ms`, `20 seconds`.
fn duration(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut sum = None;
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let Ok(amount) = rest[..digits].parse::<f64>() else { break };
        rest = rest[digits..].trim_start_matches(' ');
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let unit = match &rest[..letters] {
            "ms" | "milliseconds" => 1.0,
            "s" | "sec" | "secs" | "second" | "seconds" => 1000.0,
            "m" | "min" | "mins" | "minute" | "minutes" => 60_000.0,
            "h" | "hour" | "hours" => 3_600_000.0,
            _ => break,
        };
        sum = Some(sum.unwrap_or(0.0) + amount * unit);
        rest = rest[letters..].trim_start_matches(' ');
    }
    sum.and_then(whole_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_wait_is_parsed() {
        let now: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let by_header =
            |name: &str, value: &'static str| wait_ms(|asked| (asked == name).then_some(value), "", now);
        assert_eq!(by_header("retry-after", "7"), Some(7000));
        assert_eq!(by_header("retry-after", "0.25"), Some(250));
        assert_eq!(by_header("retry-after-ms", "1500"), Some(1500));
        assert_eq!(by_header("retry-after", "Sat, 21 Nov 2026 10:00:30 GMT"), Some(30_000));
        assert_eq!(by_header("retry-after", "Sat, 21 Nov 2026 09:00:00 GMT"), Some(0));
        assert_eq!(by_header("retry-after", "99999999999999999999"), Some(86_400_000));
        for nonsense in ["soon", "-3", "NaN", "inf", ""] {
            assert_eq!(by_header("retry-after", nonsense), None, "{nonsense}");
        }
        let by_body = |body: &str| wait_ms(|_| None, body, now);
        assert_eq!(by_body("Please try again in 1.2s. Visit"), Some(1200));
        assert_eq!(by_body("Please try again in 7m12s."), Some(432_000));
        assert_eq!(by_body("please try again in 250ms"), Some(250));
        assert_eq!(by_body("Retry after 20 seconds"), Some(20_000));
        assert_eq!(by_body(r#"{"@type":"…RetryInfo","retryDelay": "34.07s"}"#), Some(34_070));
        assert_eq!(by_body(r#"{"error":{"retry_after_seconds": 41, "x": []}}"#), Some(41_000));
        assert_eq!(by_body("try again in a while"), None);
        assert_eq!(by_body(""), None);
    }
}
