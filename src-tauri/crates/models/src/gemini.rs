//! Gemini's `generateContent` API.
//!
//! A stream is read to its end, because text may follow a finish reason. Structured output uses `responseJsonSchema`,
//! which accepts schemas unchanged.

use std::sync::Arc;

use engine::Model;
use kernel::{Error, Message, ModelRequest, RequestPart, Speaker};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::generate_content::{GenerateContent, id_of_service};
use crate::http_model::{self, Protocol};
use crate::listing::{Listing, ModelCard, Page};
use crate::provider_client::{KeyHeader, ProviderClient};
use crate::reader::Reader;
use crate::refusals::AllowedParts;
use crate::request::{ROOM_TO_THINK, json_of, object_of, says_something, text_of, tool_of};
use crate::{Delivery, Hosting, Provider, ProviderDescription, Refusals};

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: "gemini",
        title: "Google Gemini",
        hosting: Hosting::Cloud,
        needs_key: true,
        searches_itself: true,
        key_page: "https://aistudio.google.com/apikey",
        key_variable: "GEMINI_API_KEY",
        default_base_url: Some("https://generativelanguage.googleapis.com/v1beta"),
        models: &[("default", "gemini-3.8-flash")],
    },
    key_header: KeyHeader::Named("x-goog-api-key"),
    connect,
    listing: Listing { path: "models?pageSize=1000", headers: &[], read: read_list },
};

/// The signature that the service accepts for a call without one (its bytes, in base64).
const NO_SIGNATURE: &str = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=";
/// Characters that are not escaped in the path.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

struct Gemini;

fn connect(client: ProviderClient, delivery: Delivery, refusals: Refusals) -> Arc<dyn Model> {
    http_model::model(Gemini, client, delivery, refusals)
}

impl Protocol for Gemini {
    const PARTS: &[RequestPart] = &[
        RequestPart::JsonSchema,
        RequestPart::JsonObject,
        RequestPart::Stream,
        RequestPart::Tools,
        RequestPart::Temperature,
        RequestPart::Thinking,
        RequestPart::SystemMessage,
    ];

    fn url(&self, client: &ProviderClient, model: &str, is_stream: bool) -> Url {
        let name = utf8_percent_encode(model.trim_start_matches("models/"), IN_PATH);
        if !is_stream {
            return client.url(&format!("models/{name}:generateContent"));
        }
        let mut url = client.url(&format!("models/{name}:streamGenerateContent"));
        url.query_pairs_mut().append_pair("alt", "sse");
        url
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(GenerateContent::default())
    }

    fn body(&self, request: &ModelRequest, sent: &AllowedParts) -> Result<impl Serialize, Error> {
        let mut body = Map::new();
        let instruction = text_of(&request.instruction)?;
        if !instruction.is_empty() {
            body.insert("systemInstruction".to_owned(), json!({"parts": [{"text": instruction}]}));
        }
        body.insert("contents".to_owned(), contents(request)?);
        if !request.tools.is_empty() {
            let mut functions = Vec::with_capacity(request.tools.len());
            for tool in &request.tools {
                functions.push(json!({
                    "name": tool.name,
                    "description": tool.description,
                    "parametersJsonSchema": json_of(&tool.schema)?,
                }));
            }
            body.insert("tools".to_owned(), json!([{"functionDeclarations": functions}]));
        }
        let mut generation = json!({
            // Thinking counts against this limit, whatever the model is configured to do.
            "maxOutputTokens": request.max_output_tokens.saturating_add(ROOM_TO_THINK),
        });
        if sent.takes(RequestPart::Temperature) {
            generation["temperature"] = json!(request.temperature);
        }
        if let Some(shape) = &request.shape {
            let takes_schema = sent.takes(RequestPart::JsonSchema);
            if takes_schema || sent.takes(RequestPart::JsonObject) {
                generation["responseMimeType"] = json!("application/json");
            }
            if takes_schema {
                generation["responseJsonSchema"] = json_of(&shape.schema)?.clone();
            }
        }
        if let Some(thinking) = thinking(&request.model).filter(|_| sent.takes(RequestPart::Thinking)) {
            generation["thinkingConfig"] = thinking;
        }
        body.insert("generationConfig".to_owned(), generation);
        Ok(Value::Object(body))
    }
}

/// The conversation. Neighbouring messages of one role are merged, as the service requires for calls and results.
fn contents(request: &ModelRequest) -> Result<Value, Error> {
    let mut contents: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in request.messages.iter().filter(|message| says_something(message)) {
        let parts = parts(message, request)?;
        let role = if message.speaker == Speaker::Model { "model" } else { "user" };
        match contents.last_mut() {
            Some((last, all)) if *last == role => all.extend(parts),
            _ => contents.push((role, parts)),
        }
    }
    Ok(contents.into_iter().map(|(role, parts)| json!({"role": role, "parts": parts})).collect())
}

fn parts(message: &Message, request: &ModelRequest) -> Result<Vec<Value>, Error> {
    let text = text_of(&message.content)?;
    if message.speaker == Speaker::Tool {
        return Ok(vec![answer_of_tool(message, &text, request)]);
    }
    let mut parts = Vec::new();
    if !text.is_empty() || message.tool_requests.is_empty() {
        parts.push(json!({"text": text}));
    }
    for (place, call) in message.tool_requests.iter().enumerate() {
        let mut function = json!({"name": call.tool, "args": object_of(&call.input.0)});
        if let Some(id) = id_of_service(&call.id) {
            function["id"] = json!(id);
        }
        let mut part = json!({ "functionCall": function });
        let own = call.opaque.as_deref();
        if let Some(signature) = own.or_else(|| (place == 0).then_some(NO_SIGNATURE)) {
            part["thoughtSignature"] = json!(signature);
        }
        parts.push(part);
    }
    Ok(parts)
}

/// The result of a tool, with the name of its function, which the service requires.
fn answer_of_tool(message: &Message, text: &str, request: &ModelRequest) -> Value {
    let result = serde_json::from_str::<Value>(text).unwrap_or_else(|_| json!(text));
    let result = if result.is_object() { result } else { json!({ "result": result }) };
    let mut answer = json!({"name": tool_of(message, request), "response": result});
    if let Some(id) = message.answers.as_deref().and_then(id_of_service) {
        answer["id"] = json!(id);
    }
    json!({ "functionResponse": answer })
}

/// Little thinking: agents write short texts, and thinking costs as much as output.
fn thinking(model: &str) -> Option<Value> {
    let model = model.trim_start_matches("models/");
    if model.starts_with("gemini-2.5") {
        Some(json!({"thinkingBudget": 1024}))
    } else if model.starts_with("gemini-2.0") || model.starts_with("gemini-1") || !model.starts_with("gemini")
    {
        None
    } else {
        Some(json!({"thinkingLevel": "LOW"}))
    }
}

/// `{"models": [{"name": "models/…", "displayName", "supportedGenerationMethods", …}], "nextPageToken"}`
fn read_list(body: &Value) -> Option<Page> {
    let models = body.get("models")?.as_array()?;
    let text = |of: &Value, name: &str| of.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let answers = |model: &&Value| {
        let methods = model.get("supportedGenerationMethods").and_then(Value::as_array);
        methods.is_some_and(|methods| methods.iter().any(|method| method == "generateContent"))
    };
    let card = |model: &Value| ModelCard {
        name: text(model, "name").trim_start_matches("models/").to_owned(),
        title: text(model, "displayName"),
        shutdown_date: String::new(),
        input_tokens: model.get("inputTokenLimit").and_then(Value::as_u64).unwrap_or_default(),
        output_tokens: model.get("outputTokenLimit").and_then(Value::as_u64).unwrap_or_default(),
    };
    let next = Some(("pageToken", text(body, "nextPageToken")));
    Some(Page { models: models.iter().filter(answers).map(card).collect(), next })
}
