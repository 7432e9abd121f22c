//! What a recorded body should come to, read from it by the rules of its dialect and without the code
//! under test.

use std::collections::BTreeMap;

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
    Error(Code),
    /// Some error: of what is no answer, or a refusal that nobody has read, no more can be said.
    AnyError,
}

impl Outcome {
    /// Whether this, which came of a call, is what should have come of it.
    pub(super) fn is(&self, should: &Outcome) -> bool {
        self == should || (matches!(self, Outcome::Error(_)) && *should == Outcome::AnyError)
    }
}

pub(super) fn expected(recording: &Recording) -> Outcome {
    if recording.status >= 300 {
        return refused(recording);
    }
    let held = recording.held();
    let error = held.frames.iter().position(|frame| match &frame["error"] {
        Value::String(error) => !error.is_empty(),
        Value::Object(error) => !error.is_empty(),
        _ => false,
    });
    let wrong = match error {
        Some(_) => Some(refused(recording)),
        None => held.is_unreadable.then(|| refused(recording)),
    };
    let Some(wrong) = wrong else {
        return match held.frames.as_slice() {
            [] => refused(recording),
            frames if recording.is_list => names(recording.dialect, frames),
            frames => said(recording, frames, Some(held.is_marked)),
        };
    };
    // Of a stream that had come to its end nothing that goes wrong behind it takes anything.
    let before = &held.frames[..error.unwrap_or(held.frames.len())];
    match before {
        [_, ..] if recording.is_stream => match said(recording, before, None) {
            Outcome::Error(Code::Network) | Outcome::AnyError => wrong,
            complete => complete,
        },
        _ => wrong,
    }
}

/// What an answer says. `end` tells, where the connection came to its end, whether a mark of the end came before it;
/// `None` while more was still to come.
fn said(recording: &Recording, frames: &[Value], end: Option<bool>) -> Outcome {
    let mut answer = match recording.dialect {
        Dialect::OpenAi => chat_completions(recording, frames, end == Some(true)),
        Dialect::Gemini => gemini(recording, frames, end.is_some()),
        Dialect::Anthropic => anthropic(frames),
        Dialect::Ollama => ollama(frames),
    };
    if let Outcome::Answer { text, .. } = &mut answer {
        // Thinking that was left in the text.
        let shown = text.trim_start();
        for (begin, end) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
            if shown.starts_with(begin) {
                *text = shown.split_once(end).map_or("", |(_, text)| text).trim_start().to_owned();
                break;
            }
        }
    }
    answer
}

/// What each recorded refusal means, as a person read it in the contracts (CONTRACTS 1 to 4).
fn refusals() -> BTreeMap<String, Code> {
    serde_json::from_str(include_str!("refusals.json")).unwrap()
}

/// What a refusal means: as the list says; of one that is not on it only that it is one, for what its words mean is what
/// the code under test must find out.
fn refused(recording: &Recording) -> Outcome {
    refusals().remove(&recording.name).map_or(Outcome::AnyError, Outcome::Error)
}

#[tokio::test]
async fn of_every_refusal_among_the_fixtures_somebody_said_what_it_means() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/contracts");
    let judged = super::conformance::judge(&[fixtures]).await;
    assert!(judged.unread.is_empty(), "say in refusals.json what they mean: {:#?}", judged.unread);
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
    // Some have nothing but the list.
    let bare = frames.iter().filter(|frame| dialect == Dialect::OpenAi && frame[list].is_null());
    let names: Vec<String> = models
        .chain(bare)
        .filter(answers)
        .filter_map(|model| model[name].as_str())
        .map(|name| name.trim_start_matches("models/").to_owned())
        .collect();
    if names.is_empty() { Outcome::Error(Code::NotFound) } else { Outcome::Names(names) }
}

fn number(value: &Value) -> u64 {
    // Some write a whole number with a point.
    value.as_u64().or_else(|| value.as_f64().map(|number| number as u64)).unwrap_or_default()
}

/// The input of a call: pieces of JSON, or the whole where no pieces came. What cannot be read stays as it came.
fn input_of(pieces: &str, whole: &Value) -> Value {
    match (pieces.trim().is_empty(), whole) {
        (false, _) => serde_json::from_str(pieces).unwrap_or_else(|_| Value::String(pieces.to_owned())),
        (true, Value::Null) => serde_json::json!({}),
        (true, whole) => whole.clone(),
    }
}

/// The text of a message: plain, or in parts of several types.
fn written(content: &Value) -> String {
    match content {
        Value::Array(parts) => parts
            .iter()
            .filter(|part| part["type"] == "text")
            .filter_map(|part| part["text"].as_str())
            .collect(),
        content => content.as_str().unwrap_or_default().to_owned(),
    }
}

fn chat_completions(recording: &Recording, frames: &[Value], is_marked: bool) -> Outcome {
    let mut text = String::new();
    // Of each: index, id, tool, pieces, whole.
    let mut calls: Vec<(Value, String, String, String, Value)> = Vec::new();
    let (mut stop, mut is_refused) = (String::new(), false);
    // Sums so far: what an end tells less of was used all the same.
    let told =
        |name: &str| frames.iter().map(|frame| number(&frame["usage"][name])).max().unwrap_or_default();
    if !frames.iter().any(|frame| frame["choices"][0].is_object()) {
        return Outcome::AnyError;
    }
    for frame in frames {
        let choice = &frame["choices"][0];
        if let Some(reason) = choice["finish_reason"].as_str() {
            reason.clone_into(&mut stop);
        }
        let part = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
        text += &written(&part["content"]);
        is_refused |= part["refusal"].as_str().is_some_and(|refusal| !refusal.is_empty());
        for call in part["tool_calls"].as_array().into_iter().flatten() {
            let (index, function) = (&call["index"], &call["function"]);
            let id = call["id"].as_str().unwrap_or_default();
            let mut known = calls.iter_mut().rev();
            // An id that is new begins a call, whatever its index: some services number all with 0.
            match known
                .find(|known| !index.is_null() && known.0 == *index && (id.is_empty() || known.1 == id))
            {
                Some(known) => known.3 += function["arguments"].as_str().unwrap_or_default(),
                None => calls.push((
                    index.clone(),
                    id.to_owned(),
                    function["name"].as_str().unwrap_or_default().to_owned(),
                    function["arguments"].as_str().unwrap_or_default().to_owned(),
                    Some(&function["arguments"])
                        .filter(|whole| whole.is_object())
                        .cloned()
                        .unwrap_or_default(),
                )),
            }
        }
    }
    if is_refused || stop == "content_filter" {
        return Outcome::Error(Code::ContentRefused);
    }
    if stop.is_empty() && recording.is_stream && !is_marked {
        return Outcome::Error(Code::Network);
    }
    // Older services call their one tool a function, gateways pass on the words of whom they ask.
    let word = match stop.to_lowercase().as_str() {
        "" if calls.is_empty() => "stop",
        "" | "function_call" | "tool_use" => "tool_calls",
        "end_turn" | "stop_sequence" => "stop",
        "max_tokens" => "length",
        said => said,
    }
    .to_owned();
    Outcome::Answer {
        text,
        calls: calls
            .into_iter()
            .map(|(_, _, tool, pieces, whole)| (tool, input_of(&pieces, &whole)))
            .collect(),
        stop: word,
        input_tokens: told("prompt_tokens"),
        output_tokens: told("completion_tokens"),
    }
}

fn gemini(recording: &Recording, frames: &[Value], is_over: bool) -> Outcome {
    let (mut text, mut calls, mut stop) = (String::new(), Vec::new(), String::new());
    let has_candidate = frames.iter().any(|frame| frame["candidates"][0].is_object());
    let tells = |frame: &Value| frame["usageMetadata"].is_object() || frame["promptFeedback"].is_object();
    if !has_candidate && !frames.iter().any(tells) {
        return Outcome::AnyError;
    }
    // Sums so far, of which not every frame repeats all.
    let told = |name: &str| {
        frames.iter().map(|frame| number(&frame["usageMetadata"][name])).max().unwrap_or_default()
    };
    for frame in frames {
        if frame["promptFeedback"]["blockReason"].is_string() {
            return Outcome::Error(Code::ContentRefused);
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
    let refusals = ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"];
    // What is refused of a picture is named with it.
    if refusals.contains(&stop.trim_start_matches("IMAGE_")) {
        return Outcome::Error(Code::ContentRefused);
    }
    let stop = match stop.as_str() {
        "" if recording.is_stream && (has_candidate || !is_over) => return Outcome::Error(Code::Network),
        "" if has_candidate => "stop".to_owned(),
        "" => "empty".to_owned(),
        "MAX_TOKENS" => "length".to_owned(),
        said => said.to_lowercase(),
    };
    Outcome::Answer {
        text,
        calls,
        stop,
        input_tokens: told("promptTokenCount") + told("toolUsePromptTokenCount"),
        output_tokens: told("candidatesTokenCount") + told("thoughtsTokenCount"),
    }
}

fn anthropic(frames: &[Value]) -> Outcome {
    let has_stopped = frames.iter().any(|frame| frame["type"] == "message_stop");
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
        None if !has_stopped => return Outcome::Error(Code::Network),
        None if !frames.iter().any(|frame| frame["type"] == "message_start") => return Outcome::AnyError,
        None => "stop",
        Some("refusal") => return Outcome::Error(Code::ContentRefused),
        Some("end_turn" | "stop_sequence") => "stop",
        Some("max_tokens" | "model_context_window_exceeded") => "length",
        Some("tool_use") => "tool_calls",
        Some(other) => other,
    };
    Outcome::Answer {
        text,
        calls: calls.into_iter().map(|(_, tool, whole, pieces)| (tool, input_of(&pieces, &whole))).collect(),
        stop: stop.to_owned(),
        input_tokens: input,
        output_tokens: output,
    }
}

fn ollama(frames: &[Value]) -> Outcome {
    let Some(last) = frames.iter().find(|frame| frame["done"] == true) else {
        return Outcome::Error(Code::Network);
    };
    if !frames.iter().any(|frame| frame["message"].is_object()) {
        return Outcome::AnyError;
    }
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
