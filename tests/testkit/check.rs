//! What the real service checks before it answers, and the words and codes with which it refuses.
//!
//! Recorded: the bounds of `temperature`, the wrong key, unsupported values. The other sentences follow the
//! service's style from memory; tests should look at status and code. Two checks are stricter than the service
//! because compatible servers need them: system messages come first, and the last message is not the assistant's.
//! Not in it: the messages (`message_check`) and the strict schemas (`schema`).

use serde_json::{Map, Value};

use crate::message_check;
use crate::reply::error_body;
use crate::request::ChatRequest;
use crate::schema::strict_problem;

/// An answer that is not a completion.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) message: String,
    pub(crate) parameter: Option<String>,
    pub(crate) code: Option<&'static str>,
}

impl Refusal {
    pub(crate) fn new(parameter: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self { status: 400, message: message.into(), parameter: Some(parameter.into()), code: Some(code) }
    }

    pub(crate) fn plain(message: impl Into<String>) -> Self {
        Self { status: 400, message: message.into(), parameter: None, code: None }
    }

    pub(crate) fn body(&self) -> Value {
        error_body("invalid_request_error", self.parameter.as_deref(), self.code, &self.message)
    }
}

/// Every field of the published request schema, deprecated ones included.
const KNOWN: [&str; 37] = [
    "audio",
    "frequency_penalty",
    "function_call",
    "functions",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "modalities",
    "model",
    "moderation",
    "n",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
    "web_search_options",
];

/// Families that reason: they refuse `temperature` and the old `max_tokens`.
const REASONING: [&str; 6] = ["o1", "o3", "o4", "gpt-5", "gpt-6", "gpt-7"];

/// Of these, those that take tools here only without reasoning.
const UNTHINKING_TOOLS: [&str; 3] = ["gpt-5.4", "gpt-5.6", "gpt-6"];

/// Refuses what the service refuses; `headers` are judged before the body.
pub(crate) fn check(request: &ChatRequest) -> Result<(), Refusal> {
    let content_type = request.header("content-type").unwrap_or("none");
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let message = format!(
            "Unsupported content type: '{content_type}'. This API method only accepts 'application/json' requests."
        );
        return Err(Refusal { code: Some("unsupported_content_type"), ..Refusal::plain(message) });
    }
    check_body(&request.body)
}

fn check_body(body: &Value) -> Result<(), Refusal> {
    let Some(fields) = body.as_object() else {
        return Err(Refusal::plain(
            "We could not parse the JSON body of your request. The OpenAI API expects a JSON payload.",
        ));
    };
    if let Some(unknown) = fields.keys().find(|name| !KNOWN.contains(&name.as_str())) {
        let message = format!("Unrecognized request argument supplied: {unknown}");
        return Err(Refusal::new(unknown.as_str(), "unknown_parameter", message));
    }
    let model = fields.get("model").and_then(Value::as_str).unwrap_or_default();
    if model.trim().is_empty() {
        return Err(Refusal::plain("you must provide a model parameter"));
    }
    message_check::check(fields.get("messages"))?;
    check_numbers(fields)?;
    check_model_family(fields, model)?;
    check_stream(fields)?;
    check_response_format(fields)?;
    check_tools(fields)
}

fn check_numbers(fields: &Map<String, Value>) -> Result<(), Refusal> {
    for (name, least, most) in [
        ("temperature", 0.0, 2.0),
        ("top_p", 0.0, 1.0),
        ("frequency_penalty", -2.0, 2.0),
        ("presence_penalty", -2.0, 2.0),
    ] {
        let Some(value) = present(fields, name) else { continue };
        let number = value.as_f64().ok_or_else(|| wrong_type(name, "a decimal", value))?;
        if number > most {
            let message = format!(
                "Invalid '{name}': decimal above maximum value. Expected a value <= {most}, but got {value} instead."
            );
            return Err(Refusal::new(name, "decimal_above_max_value", message));
        }
        if number < least {
            let message = format!(
                "Invalid '{name}': decimal below minimum value. Expected a value >= {least}, but got {value} instead."
            );
            return Err(Refusal::new(name, "decimal_below_min_value", message));
        }
    }
    for (name, least, most) in [
        ("max_tokens", 1, i64::MAX),
        ("max_completion_tokens", 1, i64::MAX),
        ("n", 1, 1),
        ("seed", i64::MIN, i64::MAX),
    ] {
        let Some(value) = present(fields, name) else { continue };
        let number = value.as_i64().ok_or_else(|| wrong_type(name, "an integer", value))?;
        if number < least {
            let message = format!(
                "Invalid '{name}': integer below minimum value. Expected a value >= {least}, but got {value} instead."
            );
            return Err(Refusal::new(name, "integer_below_min_value", message));
        }
        if number > most {
            // The service allows up to 128 choices; this server plays one.
            let message = format!("Invalid '{name}': this server gives {most}, but {value} were asked for.");
            return Err(Refusal::new(name, "integer_above_max_value", message));
        }
    }
    if present(fields, "max_tokens").is_some() && present(fields, "max_completion_tokens").is_some() {
        let message = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
        return Err(Refusal::new("max_tokens", "invalid_parameter_combination", message));
    }
    if let Some(value) = present(fields, "stop") {
        let legal = value.is_string()
            || value
                .as_array()
                .is_some_and(|stops| (1..=4).contains(&stops.len()) && stops.iter().all(Value::is_string));
        if !legal {
            return Err(wrong_type("stop", "a string or an array of one to four strings", value));
        }
    }
    Ok(())
}

fn check_model_family(fields: &Map<String, Value>, model: &str) -> Result<(), Refusal> {
    if !REASONING.iter().any(|family| model.starts_with(family)) {
        return Ok(());
    }
    if present(fields, "max_tokens").is_some() {
        let message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        return Err(Refusal::new("max_tokens", "unsupported_parameter", message));
    }
    let is_unthinking = present(fields, "reasoning_effort").and_then(Value::as_str) == Some("none");
    let is_strict = UNTHINKING_TOOLS.iter().any(|family| model.starts_with(family));
    if is_strict && !is_unthinking && present(fields, "tools").is_some() {
        let message = format!(
            "Function tools with reasoning_effort are not supported for {model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'."
        );
        return Err(Refusal { parameter: Some("reasoning_effort".to_owned()), ..Refusal::plain(message) });
    }
    match present(fields, "temperature") {
        Some(value) if value.as_f64() != Some(1.0) => {
            let message = format!(
                "Unsupported value: 'temperature' does not support {value} with this model. Only the default (1) value is supported."
            );
            Err(Refusal::new("temperature", "unsupported_value", message))
        }
        _ => Ok(()),
    }
}

fn check_stream(fields: &Map<String, Value>) -> Result<(), Refusal> {
    let stream = match present(fields, "stream") {
        None => false,
        Some(value) => value.as_bool().ok_or_else(|| wrong_type("stream", "a boolean", value))?,
    };
    let Some(options) = present(fields, "stream_options") else { return Ok(()) };
    if !stream {
        let message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
        return Err(Refusal::new("stream_options", "invalid_value", message));
    }
    let known = ["include_usage", "include_obfuscation"];
    let legal = options.as_object().is_some_and(|options| {
        options.iter().all(|(name, value)| known.contains(&name.as_str()) && value.is_boolean())
    });
    if legal { Ok(()) } else { Err(wrong_type("stream_options", "an object of booleans", options)) }
}

fn check_response_format(fields: &Map<String, Value>) -> Result<(), Refusal> {
    let Some(format) = present(fields, "response_format") else { return Ok(()) };
    match format["type"].as_str() {
        Some("text") => Ok(()),
        Some("json_object") => {
            let messages = fields["messages"].to_string().to_lowercase();
            if messages.contains("json") {
                return Ok(());
            }
            let message = "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
            Err(Refusal::new("messages", "invalid_value", message))
        }
        Some("json_schema") => {
            let described = &format["json_schema"];
            let name = described["name"].as_str().unwrap_or_default();
            check_name("response_format.json_schema.name", name)?;
            let Some(schema) = described.get("schema") else {
                let message = "Missing required parameter: 'response_format.json_schema.schema'.";
                return Err(Refusal::new(
                    "response_format.json_schema.schema",
                    "missing_required_parameter",
                    message,
                ));
            };
            strict_schema("response_format", name, described, schema)
        }
        _ => Err(Refusal::new(
            "response_format.type",
            "invalid_value",
            format!(
                "Invalid value: {}. Supported values are: 'json_object', 'json_schema', and 'text'.",
                format["type"]
            ),
        )),
    }
}

fn check_tools(fields: &Map<String, Value>) -> Result<(), Refusal> {
    let Some(tools) = present(fields, "tools") else {
        for name in ["tool_choice", "parallel_tool_calls"] {
            if present(fields, name).is_some() {
                let message = format!("'{name}' is only allowed when 'tools' are specified.");
                return Err(Refusal::new(name, "invalid_value", message));
            }
        }
        return Ok(());
    };
    let tools = tools.as_array().ok_or_else(|| wrong_type("tools", "an array of objects", tools))?;
    if tools.is_empty() {
        let message = "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.";
        return Err(Refusal::new("tools", "empty_array", message));
    }
    let mut names = Vec::new();
    for (index, tool) in tools.iter().enumerate() {
        if tool["type"] != "function" {
            let place = format!("tools[{index}].type");
            return Err(Refusal::new(
                place,
                "invalid_value",
                "This server plays tools of type 'function' only.",
            ));
        }
        let function = &tool["function"];
        let name = function["name"].as_str().unwrap_or_default();
        check_name(&format!("tools[{index}].function.name"), name)?;
        if function.get("parameters").is_some_and(|parameters| parameters["type"] != "object") {
            let message = format!(
                "Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"'."
            );
            return Err(Refusal::new(
                format!("tools[{index}].function.parameters"),
                "invalid_function_parameters",
                message,
            ));
        }
        if let Some(parameters) = function.get("parameters") {
            strict_schema("function", name, function, parameters)?;
        }
        names.push(name);
    }
    check_tool_choice(fields, &names)
}

fn check_tool_choice(fields: &Map<String, Value>, names: &[&str]) -> Result<(), Refusal> {
    let Some(choice) = present(fields, "tool_choice") else { return Ok(()) };
    let legal = match choice {
        Value::String(mode) => ["none", "auto", "required"].contains(&mode.as_str()),
        _ => {
            choice["type"] == "function"
                && choice["function"]["name"].as_str().is_some_and(|name| names.contains(&name))
        }
    };
    if legal {
        Ok(())
    } else {
        Err(Refusal::new(
            "tool_choice",
            "invalid_value",
            format!("Invalid value for 'tool_choice': {choice}."),
        ))
    }
}

fn strict_schema(place: &str, name: &str, described: &Value, schema: &Value) -> Result<(), Refusal> {
    if described["strict"] != true {
        return Ok(());
    }
    match strict_problem(schema) {
        None => Ok(()),
        Some(problem) => {
            let message = format!("Invalid schema for {place} '{name}': {problem}");
            Err(Refusal { parameter: Some(place.to_owned()), ..Refusal::plain(message) })
        }
    }
}

pub(crate) fn check_name(place: &str, name: &str) -> Result<(), Refusal> {
    let legal = (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if legal {
        return Ok(());
    }
    let message = format!(
        "Invalid '{place}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
    );
    Err(Refusal::new(place, "invalid_value", message))
}

/// A field that is there and not null: the service treats null as absent.
fn present<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f Value> {
    fields.get(name).filter(|value| !value.is_null())
}

pub(crate) fn wrong_type(place: &str, expected: &str, value: &Value) -> Refusal {
    let message = format!("Invalid type for '{place}': expected {expected}, but got {value} instead.");
    Refusal::new(place, "invalid_type", message)
}
