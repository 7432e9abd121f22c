//! Token counts of services: under many names, in many places, as numbers or texts, with one frame of a stream or with
//! each. The last value of each count is used; a missing or zero count does not replace an earlier one.

use kernel::{TokenUsage, json_field};
use serde_json::Value;

/// The places of counts in a frame.
const PLACES: [&[&str]; 10] = [
    &["usage"],
    &["message", "usage"],
    &["response", "usage"],
    &["delta", "usage"],
    &["choices", FIRST, "usage"],
    &["choices", FIRST, "message", "usage"],
    &["x_groq", "usage"],
    &["usageMetadata"],
    &["usage_metadata"],
    &["usage", "tokens"],
];
/// Means the first item of a list.
const FIRST: &str = "0";

const PROMPT: [&str; 5] =
    ["prompt_tokens", "promptTokenCount", "prompt_token_count", "promptTokens", "prompt_eval_count"];
/// Services with these names may count cached tokens separately.
const INPUT: [&str; 2] = ["input_tokens", "inputTokens"];
const WRITTEN: [&str; 7] = [
    "completion_tokens",
    "output_tokens",
    "candidatesTokenCount",
    "candidates_token_count",
    "completionTokens",
    "outputTokens",
    "eval_count",
];
const THOUGHTS: [&str; 2] = ["thoughtsTokenCount", "thoughts_token_count"];
const TOOL_PROMPT: [&str; 2] = ["toolUsePromptTokenCount", "tool_use_prompt_token_count"];
/// Cached tokens that are part of the prompt's count.
const CACHED: [(&[&str], &str); 6] = [
    (&["prompt_tokens_details"], "cached_tokens"),
    (&["input_tokens_details"], "cached_tokens"),
    (&[], "cachedContentTokenCount"),
    (&[], "cached_content_token_count"),
    (&[], "prompt_cache_hit_tokens"),
    (&[], "cached_tokens"),
];

/// The counts so far.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    prompt: u32,
    of_tools: u32,
    written: u32,
    /// Counted separately from the output.
    thoughts: u32,
    cached: u32,
    /// Cached, and not part of the prompt's count.
    read_beside: u32,
    created_beside: u32,
    /// From llama.cpp's timings, which are used if there are no counts.
    timed: TokenUsage,
}

impl Tokens {
    /// Reads the counts of a frame, and returns whether it has any.
    pub(crate) fn read(&mut self, frame: &Value) -> bool {
        let mut has_told = false;
        for counts in PLACES.iter().filter_map(|place| at(frame, place)).filter(|counts| counts.is_object()) {
            has_told = true;
            self.add(counts);
        }
        if ["prompt_eval_count", "eval_count"].iter().any(|name| json_field(frame, name).is_some()) {
            has_told = true;
            self.add(frame);
        }
        if let Some(times) = json_field(frame, "timings").filter(|times| times.is_object()) {
            let cached = figure(times, "cache_n").unwrap_or_default();
            keep(
                &mut self.timed.input_tokens,
                figure(times, "prompt_n").map(|new| new.saturating_add(cached)),
            );
            keep(&mut self.timed.output_tokens, figure(times, "predicted_n"));
            keep(&mut self.timed.cached_tokens, Some(cached));
        }
        has_told
    }

    /// The totals.
    pub(crate) fn usage(&self) -> TokenUsage {
        let sum = |parts: &[u32]| parts.iter().fold(0_u32, |sum, part| sum.saturating_add(*part));
        let or = |counted: u32, timed: u32| if counted == 0 { timed } else { counted };
        TokenUsage {
            input_tokens: or(
                sum(&[self.prompt, self.of_tools, self.read_beside, self.created_beside]),
                self.timed.input_tokens,
            ),
            output_tokens: or(sum(&[self.written, self.thoughts]), self.timed.output_tokens),
            cached_tokens: or(sum(&[self.cached, self.read_beside]), self.timed.cached_tokens),
        }
    }

    fn add(&mut self, counts: &Value) {
        let first = |names: &[&str]| names.iter().find_map(|name| figure(counts, name));
        let prompt = first(&PROMPT);
        if prompt.is_none() {
            keep(&mut self.read_beside, figure(counts, "cache_read_input_tokens"));
            keep(&mut self.created_beside, figure(counts, "cache_creation_input_tokens"));
        }
        let prompt = prompt.or_else(|| first(&INPUT));
        let written = first(&WRITTEN).or_else(|| {
            let all = first(&["total_tokens", "totalTokens"])?;
            (!THOUGHTS.iter().any(|name| json_field(counts, name).is_some()))
                .then(|| all.saturating_sub(prompt?).into())?
        });
        keep(&mut self.prompt, prompt);
        keep(&mut self.written, written);
        keep(&mut self.thoughts, first(&THOUGHTS));
        keep(&mut self.of_tools, first(&TOOL_PROMPT));
        let cached = CACHED.iter().find_map(|(holder, name)| figure(at(counts, holder)?, name));
        keep(&mut self.cached, cached);
    }
}

/// The value at a path.
fn at<'v>(frame: &'v Value, place: &[&str]) -> Option<&'v Value> {
    place.iter().try_fold(frame, |holder, name| match *name {
        FIRST => holder.get(0),
        name => json_field(holder, name),
    })
}

/// Replaces a count by a later one, unless that is missing or zero.
fn keep(field: &mut u32, count: Option<u32>) {
    if let Some(count) = count.filter(|count| *count > 0) {
        *field = count;
    }
}

/// A count as a number or a text; `None` if it is neither.
fn figure(counts: &Value, name: &str) -> Option<u32> {
    let count = match json_field(counts, name)? {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    // The cast saturates; a negative count is 0.
    count.is_finite().then_some(count as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn usage(frames: &[Value]) -> (u32, u32, u32) {
        let mut tokens = Tokens::default();
        for frame in frames {
            tokens.read(frame);
        }
        let TokenUsage { input_tokens, output_tokens, cached_tokens } = tokens.usage();
        (input_tokens, output_tokens, cached_tokens)
    }

    #[test]
    fn counts_are_found_in_every_place_and_form() {
        for (frame, expected) in [
            (json!({"usage": {"prompt_tokens": 7, "completion_tokens": 3}}), (7, 3, 0)),
            (json!({"usage": {"prompt_tokens": "7", "completion_tokens": " 3.0 "}}), (7, 3, 0)),
            (json!({"usage": {"input_tokens": 7, "output_tokens": 3}}), (7, 3, 0)),
            (json!({"usage": {"prompt_tokens": 7, "total_tokens": 10}}), (7, 3, 0)),
            (json!({"choices": [{"usage": {"prompt_tokens": 7, "completion_tokens": 3}}]}), (7, 3, 0)),
            (
                json!({"x_groq": {"id": "r", "usage": {"prompt_tokens": 7, "completion_tokens": 3}}}),
                (7, 3, 0),
            ),
            (json!({"timings": {"cache_n": 5, "prompt_n": 2, "predicted_n": 3}}), (7, 3, 5)),
            (
                json!({"timings": {"prompt_n": 2, "predicted_n": 9}, "usage": {"prompt_tokens": 7, "completion_tokens": 3}}),
                (7, 3, 0),
            ),
            (
                json!({"usage": {"prompt_tokens": 7, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 5}}}),
                (7, 3, 5),
            ),
            (
                json!({"usage": {"prompt_tokens": 7, "completion_tokens": 3, "prompt_cache_hit_tokens": 5}}),
                (7, 3, 5),
            ),
            (
                json!({"usage": {"prompt_tokens": 7, "completion_tokens": 3, "cache_read_input_tokens": 5}}),
                (7, 3, 0),
            ),
            (
                json!({"message": {"usage": {"input_tokens": 2, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 1, "output_tokens": 3}}}),
                (7, 3, 4),
            ),
            (
                json!({"usageMetadata": {"promptTokenCount": 6, "toolUsePromptTokenCount": 1, "candidatesTokenCount": 2, "thoughtsTokenCount": 1, "cachedContentTokenCount": 5, "totalTokenCount": 9}}),
                (7, 3, 5),
            ),
            (json!({"done": true, "prompt_eval_count": 7, "eval_count": 3}), (7, 3, 0)),
            (json!({"usage": {"prompt_tokens": "many", "completion_tokens": -1}}), (0, 0, 0)),
            (json!({"usage": [7, 3], "timings": null, "x_groq": 1}), (0, 0, 0)),
        ] {
            assert_eq!(usage(std::slice::from_ref(&frame)), expected, "{frame}");
        }
    }

    #[test]
    fn the_last_count_of_a_stream_is_used_and_a_missing_one_changes_nothing() {
        let counts =
            |input: u32, output: u32| json!({"usage": {"prompt_tokens": input, "completion_tokens": output}});
        assert_eq!(
            usage(&[
                counts(9, 12),
                counts(7, 10),
                json!({"usage": null}),
                json!({"usage": {}}),
                counts(0, 0)
            ]),
            (7, 10, 0)
        );
    }
}
