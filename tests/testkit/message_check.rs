//! The checks of a conversation: legal roles, content where content belongs, every tool call answered.
//! Not in it: the other fields of a request, which are `check`.

use serde_json::Value;

use crate::check::{Refusal, wrong_type};

/// What a message of each role may carry.
fn fields_of(role: &str) -> Option<&'static [&'static str]> {
    match role {
        "system" | "developer" | "user" => Some(&["role", "content", "name"]),
        "assistant" => Some(&["role", "content", "name", "refusal", "audio", "tool_calls", "function_call"]),
        "tool" => Some(&["role", "content", "tool_call_id"]),
        _ => None,
    }
}

pub(crate) fn check(messages: Option<&Value>) -> Result<(), Refusal> {
    let Some(value) = messages else {
        let message = "Missing required parameter: 'messages'.";
        return Err(Refusal::new("messages", "missing_required_parameter", message));
    };
    let messages = value.as_array().ok_or_else(|| wrong_type("messages", "an array of objects", value))?;
    let mut open_calls: Vec<&str> = Vec::new();
    let mut is_talk = false;
    for (index, message) in messages.iter().enumerate() {
        let place = format!("messages[{index}]");
        let role = check_shape(&place, message)?;
        if role == "tool" {
            answer_call(&place, message, &mut open_calls)?;
            continue;
        }
        unanswered(&place, &open_calls)?;
        match role {
            "system" | "developer" if is_talk => {
                let message = "System message must be at the beginning.";
                return Err(Refusal::new(format!("{place}.role"), "invalid_value", message));
            }
            "system" | "developer" => {}
            "assistant" if !is_talk => {
                let message = "The conversation must begin with a user message.";
                return Err(Refusal::new(format!("{place}.role"), "invalid_value", message));
            }
            "assistant" => open_calls = check_calls(&place, message)?,
            _ => is_talk = true,
        }
    }
    unanswered("messages", &open_calls)?;
    let last = messages.last().map(|message| message["role"].as_str().unwrap_or_default());
    match last {
        Some("user" | "tool") => Ok(()),
        Some(role) => {
            let message = format!("The last message must be a user's or a tool's, not one of role '{role}'.");
            Err(Refusal::new("messages", "invalid_value", message))
        }
        None => {
            let message = "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
            Err(Refusal::new("messages", "empty_array", message))
        }
    }
}

/// The role of a message whose fields and content are legal.
fn check_shape<'m>(place: &str, message: &'m Value) -> Result<&'m str, Refusal> {
    let Some(fields) = message.as_object() else { return Err(wrong_type(place, "an object", message)) };
    let role = message["role"].as_str().unwrap_or_default();
    let Some(known) = fields_of(role) else {
        let words = format!(
            "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'."
        );
        return Err(Refusal::new(format!("{place}.role"), "invalid_value", words));
    };
    if let Some(unknown) = fields.keys().find(|name| !known.contains(&name.as_str())) {
        let words = format!("Additional properties are not allowed ('{unknown}' was unexpected) - '{place}'");
        return Err(Refusal::new(place, "unknown_parameter", words));
    }
    let calls_tools = message["tool_calls"].as_array().is_some_and(|calls| !calls.is_empty());
    match &message["content"] {
        Value::String(_) => Ok(role),
        Value::Array(parts) if !parts.is_empty() => check_parts(place, role, parts).map(|()| role),
        Value::Null if role == "assistant" && calls_tools => Ok(role),
        Value::Null => {
            let words = "Invalid value for 'content': expected a string, got null.";
            Err(Refusal::new(format!("{place}.content"), "invalid_value", words))
        }
        other => Err(wrong_type(&format!("{place}.content"), "a string or an array of parts", other)),
    }
}

fn check_parts(place: &str, role: &str, parts: &[Value]) -> Result<(), Refusal> {
    let known: &[&str] = match role {
        "user" => &["text", "image_url", "input_audio", "file"],
        "assistant" => &["text", "refusal"],
        _ => &["text"],
    };
    for (index, part) in parts.iter().enumerate() {
        let kind = part["type"].as_str().unwrap_or_default();
        let whole =
            known.contains(&kind) && part.get(kind).is_some_and(|value| kind != "text" || value.is_string());
        if !whole {
            let here = format!("{place}.content[{index}].type");
            let words = format!("Invalid value: '{kind}'. Supported values are: '{}'.", known.join("', '"));
            return Err(Refusal::new(here, "invalid_value", words));
        }
    }
    Ok(())
}

/// The ids that the assistant's calls wait on.
fn check_calls<'m>(place: &str, message: &'m Value) -> Result<Vec<&'m str>, Refusal> {
    let mut ids = Vec::new();
    for (index, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
        let here = format!("{place}.tool_calls[{index}]");
        let id = call["id"].as_str().unwrap_or_default();
        if id.is_empty() || ids.contains(&id) {
            let words = format!("Invalid '{here}.id': every call needs an id of its own, got '{id}'.");
            return Err(Refusal::new(format!("{here}.id"), "invalid_value", words));
        }
        let legal = call["type"] == "function"
            && call["function"]["name"].as_str().is_some_and(|name| !name.is_empty())
            && call["function"]["arguments"].is_string();
        if !legal {
            let words = format!(
                "Invalid '{here}': expected type 'function' with a name and arguments as a JSON string."
            );
            return Err(Refusal::new(here, "invalid_type", words));
        }
        ids.push(id);
    }
    Ok(ids)
}

fn answer_call(place: &str, message: &Value, open_calls: &mut Vec<&str>) -> Result<(), Refusal> {
    let id = message["tool_call_id"].as_str().unwrap_or_default();
    match open_calls.iter().position(|open| *open == id) {
        Some(index) => {
            open_calls.remove(index);
            Ok(())
        }
        None => {
            let words = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
            Err(Refusal { parameter: Some(format!("{place}.role")), ..Refusal::plain(words) })
        }
    }
}

fn unanswered(place: &str, open_calls: &[&str]) -> Result<(), Refusal> {
    if open_calls.is_empty() {
        return Ok(());
    }
    let words = format!(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {}",
        open_calls.join(", ")
    );
    Err(Refusal { parameter: Some(format!("{place}.role")), ..Refusal::plain(words) })
}
