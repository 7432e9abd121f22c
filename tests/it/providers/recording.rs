//! A recorded exchange, read by rules that hold for every file: a new one needs no code.
//!
//! Which dialect it is in is told by its address, or by the shape of a bare body. What is no exchange of
//! a call that the providers make is named with the reason. Not here: what it should come to (`expected`).

use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::Dialect;

/// One exchange.
pub(super) struct Recording {
    pub(super) name: String,
    pub(super) dialect: Dialect,
    /// Whether models are listed, and not asked.
    pub(super) is_list: bool,
    pub(super) is_stream: bool,
    /// The body of the request; null where none was kept.
    pub(super) asked: Value,
    pub(super) model: String,
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) body: String,
}

/// What a file is.
pub(super) enum Kind {
    Exchange(Box<Recording>),
    /// No exchange of a call that we make; the reason.
    Skipped(String),
}

/// The provider that speaks a dialect.
pub(super) fn provider(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi => "openai",
        Dialect::Gemini => "gemini",
        Dialect::Anthropic => "anthropic",
        Dialect::Ollama => "ollama",
    }
}

/// Where recordings are: in the fixtures, and beside the clone those that the fixtures lack.
pub(super) fn folders() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    vec![tests.join("fixtures/contracts"), tests.join("../../shared/contracts/samples")]
}

/// Every recording of these folders, each name once.
pub(super) fn files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in folders {
        for provider in ["anthropic", "gemini", "ollama", "openai"] {
            let Ok(entries) = std::fs::read_dir(folder.join(provider)) else { continue };
            for file in entries.map(|entry| entry.unwrap().path()) {
                let is_known = files.iter().any(|known| {
                    known.file_name() == file.file_name() && known.parent().unwrap().ends_with(provider)
                });
                if file.is_file() && !is_known {
                    files.push(file);
                }
            }
        }
    }
    files.sort();
    files
}

/// Reads a file.
pub(super) fn read(file: &Path) -> Kind {
    let folder = file.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let name = format!("{folder}/{}", file.file_name().unwrap().to_str().unwrap());
    let Ok(text) = std::fs::read_to_string(file) else { return Kind::Skipped("it is no text".into()) };
    match serde_json::from_str::<Value>(&text) {
        Ok(json) if json.get("response").is_some() => exchange(name, &json),
        Ok(json) => bare(name, &[json]),
        Err(_) => {
            // The pieces of a stream as a specification shows them, one a line.
            let line = |line: &str| serde_json::from_str(line.strip_prefix("data:").unwrap_or(line)).ok();
            bare(name, &text.lines().filter_map(line).collect::<Vec<Value>>())
        }
    }
}

fn exchange(name: String, json: &Value) -> Kind {
    let (request, response) = (&json["request"], &json["response"]);
    let url = request["url"].as_str().unwrap_or_default();
    let path = url.split('?').next().unwrap_or_default();
    let is_list = request["method"] == "GET";
    let ends = |ends: &[&str]| ends.iter().any(|end| path.ends_with(end));
    let dialect = match path {
        _ if !is_list && ends(&["/chat/completions"]) => Dialect::OpenAi,
        _ if !is_list && ends(&[":generateContent", ":streamGenerateContent"]) => Dialect::Gemini,
        _ if !is_list && ends(&["/messages"]) => Dialect::Anthropic,
        _ if (is_list && ends(&["/api/tags"])) || (!is_list && ends(&["/api/chat"])) => Dialect::Ollama,
        _ if is_list && ends(&["/models"]) => match name.split('/').next() {
            Some("gemini") => Dialect::Gemini,
            Some("anthropic") => Dialect::Anthropic,
            _ => Dialect::OpenAi,
        },
        _ => return Kind::Skipped(format!("no provider calls {} {path}", request["method"])),
    };
    let asked = match &request["body"] {
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        body => body.clone(),
    };
    let body = match response["body_text"].as_str() {
        Some(text) => text.to_owned(),
        None => response["body"].as_str().map_or_else(|| response["body"].to_string(), str::to_owned),
    };
    let of_path = path.rsplit('/').next().and_then(|last| last.split_once(':')).map(|(model, _)| model);
    let is_stream = path.ends_with(":streamGenerateContent") || asked["stream"].as_bool().unwrap_or_default();
    Kind::Exchange(Box::new(Recording {
        name,
        dialect,
        is_list,
        is_stream,
        model: asked["model"].as_str().or(of_path).unwrap_or("m-1").to_owned(),
        asked,
        status: u16::try_from(response["status"].as_u64().unwrap_or(200)).unwrap(),
        content_type: header(response, "content-type").unwrap_or("application/json").to_owned(),
        body,
    }))
}

/// A body without its request, or the pieces of a stream.
fn bare(name: String, pieces: &[Value]) -> Kind {
    let Some(first) = pieces.first() else { return Kind::Skipped("no JSON is in it".into()) };
    let object = first["object"].as_str().unwrap_or_default();
    // Of the four only Gemini tells the status of a refusal in its body, too.
    let told = first.get(0).unwrap_or(first).pointer("/error/code").and_then(Value::as_u64);
    let dialect = if object.starts_with("chat.completion") {
        Dialect::OpenAi
    } else if ["candidates", "promptFeedback"].iter().any(|field| first.get(field).is_some())
        || told.is_some()
    {
        Dialect::Gemini
    } else if first["type"] == "message" || first["type"] == "message_start" {
        Dialect::Anthropic
    } else if first.get("message").is_some() && first.get("done").is_some() {
        Dialect::Ollama
    } else if first.get("error").is_some() {
        return Kind::Skipped("it is a refusal whose status is not recorded".into());
    } else {
        return Kind::Skipped("it is no answer of a model".into());
    };
    let is_stream = pieces.len() > 1;
    let in_frame = |piece: &Value| match dialect {
        Dialect::Ollama => format!("{piece}\n"),
        _ => format!("data: {piece}\n\n"),
    };
    let body = if is_stream { pieces.iter().map(in_frame).collect() } else { first.to_string() };
    let content_type = match (is_stream, dialect) {
        (false, _) => "application/json",
        (true, Dialect::Ollama) => "application/x-ndjson",
        (true, _) => "text/event-stream",
    };
    Kind::Exchange(Box::new(Recording {
        name,
        dialect,
        is_list: false,
        is_stream,
        asked: Value::Null,
        model: "m-1".into(),
        status: told.and_then(|code| u16::try_from(code).ok()).unwrap_or(200),
        content_type: content_type.into(),
        body,
    }))
}

fn header<'r>(response: &'r Value, name: &str) -> Option<&'r str> {
    let headers = response["headers"].as_object()?;
    let (_, value) = headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    value.as_str().or_else(|| value[0].as_str())
}
