//! Gemini: what `generateContent` refuses, and how it answers.

use serde_json::{Value, json};

use super::{Script, only, present, text_of};
use crate::check::Refusal;
use crate::reply::ToolCall;
use crate::request::ChatRequest;
use crate::wire::Envelope;

const FIELDS: [&str; 8] = [
    "contents",
    "systemInstruction",
    "tools",
    "toolConfig",
    "generationConfig",
    "safetySettings",
    "cachedContent",
    "labels",
];
const GENERATION: [&str; 14] = [
    "temperature",
    "topP",
    "topK",
    "candidateCount",
    "maxOutputTokens",
    "stopSequences",
    "responseMimeType",
    "responseSchema",
    "responseJsonSchema",
    "thinkingConfig",
    "seed",
    "presencePenalty",
    "frequencyPenalty",
    "responseModalities",
];

pub(super) fn check(request: &ChatRequest) -> Result<(), Refusal> {
    let body = &*request.sent;
    let wants_stream = request.path.ends_with(":streamGenerateContent");
    if wants_stream && !request.query.split('&').any(|pair| pair == "alt=sse") {
        return Err(Refusal::plain("Without alt=sse the answer is one list, not a stream of events."));
    }
    only(body, "", &FIELDS)?;
    let contents = body["contents"].as_array().filter(|contents| !contents.is_empty());
    let contents = contents
        .ok_or_else(|| Refusal::plain("* GenerateContentRequest.contents: contents is not specified"))?;
    let mut open_calls = Vec::new();
    for (index, content) in contents.iter().enumerate() {
        check_content(index, content, &mut open_calls)?;
    }
    if contents.last().is_some_and(|last| last["role"] == "model") {
        return Err(Refusal::plain("Please ensure that single turn requests end with a user role."));
    }
    if let Some(instruction) = present(body, "systemInstruction")
        && text_of(&instruction["parts"]).is_empty()
    {
        return Err(Refusal::plain("systemInstruction has no text"));
    }
    let generation = &body["generationConfig"];
    only(generation, "generation_config", &GENERATION)?;
    let schema = present(generation, "responseJsonSchema").or_else(|| present(generation, "responseSchema"));
    if schema.is_some() && generation["responseMimeType"] != "application/json" {
        return Err(Refusal::plain(
            "* GenerateContentRequest.generation_config.response_schema: only allowed when response_mime_type is application/json",
        ));
    }
    if let Some(schema) = present(generation, "responseJsonSchema")
        && !schema["type"].as_str().is_some_and(|kind| kind.chars().all(|c| c.is_ascii_lowercase()))
    {
        return Err(Refusal::plain("responseJsonSchema: types of a JSON Schema are written in lower case"));
    }
    let thinking = &generation["thinkingConfig"];
    if present(thinking, "thinkingLevel").is_some() && present(thinking, "thinkingBudget").is_some() {
        return Err(Refusal::plain("You can only set only one of thinking budget and thinking level."));
    }
    for tool in body["tools"].as_array().into_iter().flatten() {
        only(tool, "tools", &["functionDeclarations", "googleSearch", "urlContext", "codeExecution"])?;
        for function in tool["functionDeclarations"].as_array().into_iter().flatten() {
            let name = function["name"].as_str().unwrap_or_default();
            if name.is_empty() || name.len() > 64 {
                return Err(Refusal::plain(
                    "GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name.",
                ));
            }
            only(
                function,
                "function_declarations",
                &["name", "description", "parameters", "parametersJsonSchema"],
            )?;
        }
    }
    Ok(())
}

fn check_content<'b>(index: usize, content: &'b Value, open_calls: &mut Vec<&'b str>) -> Result<(), Refusal> {
    let place = format!("contents[{index}]");
    only(content, &place, &["role", "parts"])?;
    let role = content["role"].as_str().unwrap_or_default();
    if !["user", "model"].contains(&role) {
        return Err(Refusal::plain("Please use a valid role: user, model."));
    }
    let parts = content["parts"].as_array().filter(|parts| !parts.is_empty());
    let Some(parts) = parts else {
        return Err(Refusal::plain(format!(
            "* GenerateContentRequest.{place}.parts: contents.parts must not be empty."
        )));
    };
    let mut answered = 0;
    for part in parts {
        let has_data = ["text", "functionCall", "functionResponse", "inlineData"]
            .iter()
            .any(|name| present(part, name).is_some());
        if !has_data {
            return Err(Refusal::plain(format!(
                "* GenerateContentRequest.{place}.parts: required oneof field 'data' must have one initialized field"
            )));
        }
        if let Some(call) = present(part, "functionCall") {
            if !call["args"].is_object() {
                return Err(Refusal::plain("functionCall.args: expected a Struct"));
            }
            open_calls.push(call["name"].as_str().unwrap_or_default());
        }
        if let Some(response) = present(part, "functionResponse") {
            answered += 1;
            if !open_calls.contains(&response["name"].as_str().unwrap_or_default())
                || !response["response"].is_object()
            {
                return Err(Refusal::plain(
                    "Please ensure that function response turn comes immediately after a function call turn, with its name and a Struct.",
                ));
            }
        }
    }
    if role == "user" && !open_calls.is_empty() {
        if answered != open_calls.len() {
            return Err(Refusal::plain(
                "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
            ));
        }
        open_calls.clear();
    }
    Ok(())
}

pub(super) fn in_chat_words(path: &str, body: &Value) -> Value {
    let mut messages = Vec::new();
    let instruction = text_of(&body["systemInstruction"]["parts"]);
    if !instruction.is_empty() {
        messages.push(json!({"role": "system", "content": instruction}));
    }
    for content in body["contents"].as_array().into_iter().flatten() {
        let role = if content["role"] == "model" { "assistant" } else { "user" };
        let text = text_of(&content["parts"]);
        if !text.is_empty() {
            messages.push(json!({"role": role, "content": text}));
        }
        for part in content["parts"].as_array().into_iter().flatten() {
            if let Some(response) = present(part, "functionResponse") {
                messages.push(json!({"role": "tool", "content": response["response"].to_string()}));
            }
        }
    }
    let functions = body["tools"].as_array().into_iter().flatten();
    let tools: Vec<Value> = functions
        .flat_map(|tool| tool["functionDeclarations"].as_array().into_iter().flatten())
        .map(|function| json!({"type": "function", "function": {"name": function["name"], "parameters": function["parametersJsonSchema"]}}))
        .collect();
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut chat = json!({
        "model": name.split(':').next(),
        "messages": messages,
        "stream": path.ends_with(":streamGenerateContent"),
        "tools": tools,
        "max_tokens": body["generationConfig"]["maxOutputTokens"],
    });
    if let Some(schema) = present(&body["generationConfig"], "responseJsonSchema") {
        chat["response_format"] = json!({"type": "json_schema", "json_schema": {"schema": schema}});
    }
    chat
}

pub(super) struct Gemini;

impl Gemini {
    fn chunk(envelope: &Envelope, parts: &Value, finish_reason: Option<&str>, tokens: usize) -> Value {
        let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
        if let Some(reason) = finish_reason {
            candidate["finishReason"] = json!(match reason {
                "length" => "MAX_TOKENS",
                "content_filter" => "SAFETY",
                _ => "STOP",
            });
        }
        json!({
            "candidates": [candidate],
            "usageMetadata": {
                "promptTokenCount": envelope.prompt_tokens, "candidatesTokenCount": tokens,
                "totalTokenCount": envelope.prompt_tokens + tokens,
            },
            "modelVersion": envelope.model,
            "responseId": envelope.id,
        })
    }
}

impl Script for Gemini {
    fn first(&self, _: &Envelope) -> String {
        String::new()
    }

    fn piece(&self, envelope: &Envelope, text: &str) -> String {
        self.event(&Self::chunk(envelope, &json!([{ "text": text }]), None, 0))
    }

    fn last(&self, envelope: &Envelope, finish_reason: &str, completion_tokens: usize) -> String {
        self.event(&Self::chunk(envelope, &json!([{"text": ""}]), Some(finish_reason), completion_tokens))
    }

    fn whole(&self, envelope: &Envelope, text: &str, finish_reason: &str, completion_tokens: usize) -> Value {
        Self::chunk(envelope, &json!([{ "text": text }]), Some(finish_reason), completion_tokens)
    }

    fn calls(&self, envelope: &Envelope, calls: &[ToolCall], completion_tokens: usize) -> String {
        let part = |call: &ToolCall| json!({"functionCall": {"name": call.name, "args": call.arguments}, "thoughtSignature": "c2lnbmF0dXJl"});
        let parts: Vec<Value> = calls.iter().map(part).collect();
        let chunk = Self::chunk(envelope, &json!(parts), Some("stop"), completion_tokens);
        if envelope.is_stream { self.event(&chunk) } else { chunk.to_string() }
    }

    fn event(&self, event: &Value) -> String {
        format!("data: {event}\r\n\r\n")
    }
}
