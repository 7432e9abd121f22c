//! Tokens as services tell them: under many names, in many places, as numbers or as texts, with one piece of a stream or
//! with each. Of each figure the last one told counts; none takes back what was told before by telling nothing or 0.

use kernel::{TokenUsage, json_field};
use serde_json::Value;

/// Where counts stand in a frame.
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
/// Stands for the first item of a list.
const FIRST: &str = "0";

const PROMPT: [&str; 5] =
    ["prompt_tokens", "promptTokenCount", "prompt_token_count", "promptTokens", "prompt_eval_count"];
/// Services that tell what was cached under these names may do so beside this count.
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
const OF_TOOLS: [&str; 2] = ["toolUsePromptTokenCount", "tool_use_prompt_token_count"];
/// What of the prompt was cached, counted in it.
const CACHED: [(&[&str], &str); 6] = [
    (&["prompt_tokens_details"], "cached_tokens"),
    (&["input_tokens_details"], "cached_tokens"),
    (&[], "cachedContentTokenCount"),
    (&[], "cached_content_token_count"),
    (&[], "prompt_cache_hit_tokens"),
    (&[], "cached_tokens"),
];

/// What was told so far.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    prompt: u32,
    of_tools: u32,
    written: u32,
    /// Counted beside what is written.
    thoughts: u32,
    cached: u32,
    /// Cached, and not counted in the prompt.
    read_beside: u32,
    created_beside: u32,
    /// Of llama.cpp's times, which stand in where no counts are told.
    timed: TokenUsage,
}

impl Tokens {
    /// Takes in what a frame tells, and tells whether it does.
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

    /// The sums.
    pub(crate) fn usage(&self) -> TokenUsage {
        let sum = |parts: &[u32]| parts.iter().fold(0_u32, |sum, part| sum.saturating_add(*part));
        let or = |told: u32, timed: u32| if told == 0 { timed } else { told };
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
        keep(&mut self.of_tools, first(&OF_TOOLS));
        let cached = CACHED.iter().find_map(|(holder, name)| figure(at(counts, holder)?, name));
        keep(&mut self.cached, cached);
    }
}

/// What stands at a place.
fn at<'v>(frame: &'v Value, place: &[&str]) -> Option<&'v Value> {
    place.iter().try_fold(frame, |holder, name| match *name {
        FIRST => holder.get(0),
        name => json_field(holder, name),
    })
}

/// A figure that was told takes the place of the former one.
fn keep(field: &mut u32, told: Option<u32>) {
    if let Some(told) = told.filter(|told| *told > 0) {
        *field = told;
    }
}

/// A count, also where it is written as a text; `None` where it is none.
fn figure(counts: &Value, name: &str) -> Option<u32> {
    let told = match json_field(counts, name)? {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    // The cast saturates; a negative count is 0.
    told.is_finite().then_some(told as u32)
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
    fn counts_are_found_wherever_a_service_puts_them_and_however_it_writes_them() {
        for (frame, told) in [
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
            assert_eq!(usage(std::slice::from_ref(&frame)), told, "{frame}");
        }
    }

    #[test]
    fn the_last_figure_of_a_stream_counts_and_silence_takes_nothing_back() {
        let told =
            |input: u32, output: u32| json!({"usage": {"prompt_tokens": input, "completion_tokens": output}});
        assert_eq!(
            usage(&[told(9, 12), told(7, 10), json!({"usage": null}), json!({"usage": {}}), told(0, 0)]),
            (7, 10, 0)
        );
    }
}
