//! What a recorded body should come to, read from it by the rules of its dialect and without the code
//! under test.

use kernel::Code;
use serde_json::Value;
use testkit::Dialect;

use super::recording::Recording;

/// What comes of a call.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    Answer {
        text: String,
        /// Tools and their inputs.
        calls: Vec<(String, Value)>,
        stop: String,
        input_tokens: u64,
        output_tokens: u64,
    },
    Names(Vec<String>),
    Fault(Code),
    /// Some fault: of what is no answer nobody can say more.
    AnyFault,
}

impl Outcome {
    /// Whether this, which came of a call, is what should have come of it.
    pub(super) fn is(&self, should: &Outcome) -> bool {
        self == should || (matches!(self, Outcome::Fault(_)) && *should == Outcome::AnyFault)
    }
}

pub(super) fn expected(recording: &Recording) -> Outcome {
    let frames = frames(&recording.body);
    if recording.status >= 300 {
        return Outcome::Fault(refused(recording.status, &recording.body));
    }
    if let Some(error) = frames.iter().find(|frame| frame["error"].is_object() || frame["error"].is_string())
    {
        let status = error["error"]["code"].as_u64().and_then(|code| u16::try_from(code).ok());
        return Outcome::Fault(refused(status.unwrap_or(0), &error.to_string()));
    }
    if frames.is_empty() {
        return Outcome::AnyFault;
    }
    if recording.is_list {
        return names(recording.dialect, &frames);
    }
    let mut answer = match recording.dialect {
        Dialect::OpenAi => chat_completions(recording, &frames),
        Dialect::Gemini => gemini(recording, &frames),
        Dialect::Anthropic => anthropic(&frames),
        Dialect::Ollama => ollama(&frames),
    };
    if let Outcome::Answer { text, .. } = &mut answer {
        // Thinking that was left in the text.
        let shown = text.trim_start();
        if shown.starts_with("<think>") {
            *text = shown.split_once("</think>").map_or("", |(_, text)| text).trim_start().to_owned();
        }
    }
    answer
}

/// The JSON of a body: itself, the lines of a stream, or the data of its events.
fn frames(body: &str) -> Vec<Value> {
    if let Ok(json) = serde_json::from_str::<Value>(body) {
        return match json {
            Value::Array(items) => items,
            json => vec![json],
        };
    }
    let lines = body.lines().filter_map(|line| {
        let line = line.trim();
        serde_json::from_str(line.strip_prefix("data:").unwrap_or(line)).ok()
    });
    lines.filter(Value::is_object).collect()
}

/// What a refusal means, by what the services say of theirs (CONTRACTS 1 to 4).
fn refused(status: u16, body: &str) -> Code {
    let body = body.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| body.contains(words));
    // OpenAI and those who speak like it refuse content with a 400 of this code; gateways with a 403 of this type.
    if says(&["\"content_filter\"", "content_policy_violation", "\"moderation\""]) {
        return Code::ContentRefused;
    }
    // Anthropic refuses who has not paid with a 400, OpenAI with a 429.
    let is_unpaid =
        says(&["credit balance is too low", "insufficient_quota", "billing_hard_limit", "billing_error"]);
    // OpenAI names the day in its sentence, Google in the id of the quota.
    let is_of_day = says(&["perday", "per day", "(rpd)", "(tpd)"]);
    // Google says so of a full minute too, and then when to come back.
    let is_of_plan = says(&["exceeded your current quota"]) && !says(&["perminute", "retrydelay"]);
    match status {
        401 | 403 => Code::KeyRefused,
        402 => Code::QuotaExhausted,
        429 if is_unpaid || is_of_day || is_of_plan => Code::QuotaExhausted,
        429 => Code::RateLimited,
        408 | 504 | 524 => Code::Timeout,
        499 => Code::Overloaded,
        500.. => Code::Overloaded,
        400.. if says(&["api_key_invalid", "api key not valid", "invalid_api_key"]) => Code::KeyRefused,
        400.. if is_unpaid => Code::QuotaExhausted,
        300.. => Code::RequestRefused,
        // In a stream the status is spent: the types tell.
        _ if is_unpaid || is_of_day => Code::QuotaExhausted,
        _ if says(&["rate_limit", "resource_exhausted"]) => Code::RateLimited,
        _ if says(&["authentication_error", "permission_error"]) => Code::KeyRefused,
        _ if says(&["timeout_error", "deadline_exceeded"]) => Code::Timeout,
        _ if says(&["invalid_request", "invalid_argument", "not_found"]) => Code::RequestRefused,
        _ => Code::Overloaded,
    }
}

fn names(dialect: Dialect, frames: &[Value]) -> Outcome {
    let (list, name) = match dialect {
        Dialect::Gemini | Dialect::Ollama => ("models", "name"),
        Dialect::OpenAi | Dialect::Anthropic => ("data", "id"),
    };
    let models = frames.iter().flat_map(|frame| frame[list].as_array().into_iter().flatten());
    let answers = |model: &&Value| {
        dialect != Dialect::Gemini
            || model["supportedGenerationMethods"].to_string().contains("\"generateContent\"")
    };
    let names: Vec<String> = models
        .filter(answers)
        .filter_map(|model| model[name].as_str())
        .map(|name| name.trim_start_matches("models/").to_owned())
        .collect();
    if names.is_empty() { Outcome::Fault(Code::NotFound) } else { Outcome::Names(names) }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

fn chat_completions(recording: &Recording, frames: &[Value]) -> Outcome {
    let mut text = String::new();
    let mut calls: Vec<(Value, String, String)> = Vec::new();
    let (mut stop, mut usage, mut is_refused) = (String::new(), &Value::Null, false);
    for frame in frames {
        if frame["usage"].is_object() {
            usage = &frame["usage"];
        }
        let choice = &frame["choices"][0];
        if let Some(reason) = choice["finish_reason"].as_str() {
            reason.clone_into(&mut stop);
        }
        let part = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
        text += part["content"].as_str().unwrap_or_default();
        is_refused |= part["refusal"].as_str().is_some_and(|refusal| !refusal.is_empty());
        for call in part["tool_calls"].as_array().into_iter().flatten() {
            let function = &call["function"];
            let arguments = function["arguments"].as_str().unwrap_or_default();
            let known = calls.iter_mut().find(|(index, ..)| !index.is_null() && *index == call["index"]);
            match known {
                Some((.., so_far)) => *so_far += arguments,
                None => calls.push((
                    call["index"].clone(),
                    function["name"].as_str().unwrap_or_default().to_owned(),
                    arguments.to_owned(),
                )),
            }
        }
    }
    if is_refused || stop == "content_filter" {
        return Outcome::Fault(Code::ContentRefused);
    }
    if stop.is_empty() && recording.is_stream && !recording.body.contains("[DONE]") {
        return Outcome::Fault(Code::Network);
    }
    if stop.is_empty() {
        (if calls.is_empty() { "stop" } else { "tool_calls" }).clone_into(&mut stop);
    }
    let input = |text: String| match text.is_empty() {
        true => serde_json::json!({}),
        false => serde_json::from_str(&text).unwrap_or(Value::String(text)),
    };
    Outcome::Answer {
        text,
        calls: calls.into_iter().map(|(_, tool, arguments)| (tool, input(arguments))).collect(),
        stop,
        input_tokens: number(&usage["prompt_tokens"]),
        output_tokens: number(&usage["completion_tokens"]),
    }
}

fn gemini(recording: &Recording, frames: &[Value]) -> Outcome {
    let (mut text, mut calls, mut stop) = (String::new(), Vec::new(), String::new());
    let has_candidate = frames.iter().any(|frame| frame["candidates"][0].is_object());
    let mut usage = &Value::Null;
    for frame in frames {
        if frame["promptFeedback"]["blockReason"].is_string() {
            return Outcome::Fault(Code::ContentRefused);
        }
        if frame["usageMetadata"].is_object() {
            usage = &frame["usageMetadata"];
        }
        let candidate = &frame["candidates"][0];
        if let Some(reason) = candidate["finishReason"].as_str() {
            reason.clone_into(&mut stop);
        }
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            if part["functionCall"].is_object() {
                let call = &part["functionCall"];
                let args = if call["args"].is_null() { serde_json::json!({}) } else { call["args"].clone() };
                calls.push((call["name"].as_str().unwrap_or_default().to_owned(), args));
            } else if part["thought"] != true {
                text += part["text"].as_str().unwrap_or_default();
            }
        }
    }
    let refusals =
        ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "IMAGE_SAFETY"];
    if refusals.contains(&stop.as_str()) {
        return Outcome::Fault(Code::ContentRefused);
    }
    let stop = match stop.as_str() {
        "" if has_candidate && recording.is_stream => return Outcome::Fault(Code::Network),
        "" if has_candidate => "stop".to_owned(),
        "" => "empty".to_owned(),
        "MAX_TOKENS" => "length".to_owned(),
        said => said.to_lowercase(),
    };
    Outcome::Answer {
        text,
        calls,
        stop,
        input_tokens: number(&usage["promptTokenCount"]) + number(&usage["toolUsePromptTokenCount"]),
        output_tokens: number(&usage["candidatesTokenCount"]) + number(&usage["thoughtsTokenCount"]),
    }
}

fn anthropic(frames: &[Value]) -> Outcome {
    let (mut text, mut stop) = (String::new(), Value::Null);
    let mut calls: Vec<(Value, String, Value, String)> = Vec::new();
    let (mut input, mut output) = (0, 0);
    let mut block = |index: &Value, block: &Value, text: &mut String| {
        if block["type"] == "text" {
            *text += block["text"].as_str().unwrap_or_default();
        }
        if block["type"] == "tool_use" {
            let name = block["name"].as_str().unwrap_or_default().to_owned();
            calls.push((index.clone(), name, block["input"].clone(), String::new()));
        }
    };
    let mut pieces: Vec<(&Value, &str)> = Vec::new();
    for frame in frames {
        block(&frame["index"], &frame["content_block"], &mut text);
        for (index, whole) in frame["content"].as_array().into_iter().flatten().enumerate() {
            block(&index.into(), whole, &mut text);
        }
        let delta = &frame["delta"];
        if delta["type"] == "text_delta" {
            text += delta["text"].as_str().unwrap_or_default();
        }
        pieces.push((&frame["index"], delta["partial_json"].as_str().unwrap_or_default()));
        for holder in [frame, delta] {
            if holder["stop_reason"].is_string() {
                stop = holder["stop_reason"].clone();
            }
        }
        for usage in [&frame["usage"], &frame["message"]["usage"]] {
            let cached =
                number(&usage["cache_creation_input_tokens"]) + number(&usage["cache_read_input_tokens"]);
            input = u64::max(input, number(&usage["input_tokens"]) + cached);
            output = u64::max(output, number(&usage["output_tokens"]));
        }
    }
    for (index, piece) in pieces {
        if let Some(call) = calls.iter_mut().find(|call| call.0 == *index) {
            call.3 += piece;
        }
    }
    let stop = match stop.as_str() {
        None => return Outcome::Fault(Code::Network),
        Some("refusal") => return Outcome::Fault(Code::ContentRefused),
        Some("end_turn" | "stop_sequence") => "stop",
        Some("max_tokens") => "length",
        Some("tool_use") => "tool_calls",
        Some(other) => other,
    };
    Outcome::Answer {
        text,
        calls: calls
            .into_iter()
            .map(|(_, tool, whole, pieces)| (tool, serde_json::from_str(&pieces).unwrap_or(whole)))
            .collect(),
        stop: stop.to_owned(),
        input_tokens: input,
        output_tokens: output,
    }
}

fn ollama(frames: &[Value]) -> Outcome {
    let Some(last) = frames.iter().find(|frame| frame["done"] == true) else {
        return Outcome::Fault(Code::Network);
    };
    let calls =
        frames.iter().flat_map(|frame| frame["message"]["tool_calls"].as_array().into_iter().flatten());
    let call = |call: &Value| {
        let function = &call["function"];
        (function["name"].as_str().unwrap_or_default().to_owned(), function["arguments"].clone())
    };
    Outcome::Answer {
        text: frames.iter().filter_map(|frame| frame["message"]["content"].as_str()).collect(),
        calls: calls.map(call).collect(),
        stop: last["done_reason"].as_str().unwrap_or("stop").to_owned(),
        input_tokens: number(&last["prompt_eval_count"]),
        output_tokens: number(&last["eval_count"]),
    }
}
