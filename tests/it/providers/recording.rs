//! A recorded exchange, read by rules that hold for every file: a new one needs no code.
//!
//! Which dialect it is in is told by its address, or by the shape of a bare body and the folder it is in. What is no
//! exchange of a call that the providers make is named with the reason. Not here: what it should come to (`expected`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::Dialect;

/// One exchange.
pub(super) struct Recording {
    pub(super) name: String,
    /// The provider that is asked.
    pub(super) provider: &'static str,
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

/// What a body holds.
#[derive(Default)]
pub(super) struct Held {
    /// The JSON of its one piece, of its lines, or of the data of its events, up to what ends it.
    pub(super) frames: Vec<Value>,
    /// Whether it ended with the mark of its dialect.
    pub(super) is_marked: bool,
    /// Whether it ended with an event that came whole and is no JSON.
    pub(super) is_unreadable: bool,
}

impl Recording {
    /// Takes its body apart.
    pub(super) fn held(&self) -> Held {
        let body = self.body.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let mut held = Held::default();
        if let Ok(json) = serde_json::from_str::<Value>(&body) {
            held.frames = match json {
                Value::Array(items) => items,
                json => vec![json],
            };
            return held;
        }
        let data = |event: &str| {
            let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
            lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
        };
        let pieces: Vec<String> = match body.lines().any(|line| line.starts_with("data:")) {
            true => body.split("\n\n").map(data).collect(),
            false => body.split('\n').map(str::to_owned).collect(),
        };
        for (index, piece) in pieces.iter().enumerate() {
            match serde_json::from_str::<Value>(piece) {
                _ if piece.trim().is_empty() => {}
                _ if piece.trim() == "[DONE]" && self.dialect == Dialect::OpenAi => {
                    held.is_marked = true;
                    break;
                }
                Ok(frame) => held.frames.extend(Some(frame).filter(Value::is_object)),
                // The end of the connection may have cut the last.
                Err(_) if index + 1 == pieces.len() => {}
                Err(_) => {
                    held.is_unreadable = true;
                    break;
                }
            }
        }
        held
    }
}

/// What a file is.
pub(super) enum Kind {
    Exchange(Box<Recording>),
    /// In a provider's folder, but no exchange of a call that we make; the reason.
    Skipped(String),
    /// In no folder of a provider, and nothing in it tells whose it is; the reason.
    Stray(String),
}

/// A provider's folder: its name, and the dialect of what is in it.
type Home = (&'static str, Dialect);

/// Every such folder.
const PROVIDERS: [Home; 5] = [
    ("anthropic", Dialect::Anthropic),
    ("gemini", Dialect::Gemini),
    ("ollama", Dialect::Ollama),
    ("openai", Dialect::OpenAi),
    ("openai-compatible", Dialect::OpenAi),
];

/// The provider that speaks a dialect as its own.
pub(super) fn provider(dialect: Dialect) -> &'static str {
    PROVIDERS.into_iter().find(|(_, own)| *own == dialect).unwrap().0
}

/// Folders of services that are no models: judged with the sources, or of no interest here.
const OTHERS: [&str; 19] = [
    "_specs",
    "arxiv",
    "brave",
    "gemini-grounding",
    "google-directions",
    "google-geocoding",
    "hn-algolia",
    "hn-firebase",
    "local-servers",
    "motis",
    "nominatim",
    "openweathermap",
    "osrm",
    "otp",
    "photon",
    "rss",
    "tavily",
    "valhalla",
    "wikipedia",
];

/// Where recordings are: in the fixtures, and beside the clone those that the fixtures lack.
pub(super) fn folders() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    vec![tests.join("fixtures/contracts"), tests.join("../../shared/contracts/samples")]
}

/// Every file of these folders that may be a recording, wherever it lies, each name once.
pub(super) fn files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = BTreeMap::new();
    for folder in folders {
        gather(folder, folder, &mut files);
    }
    files.into_values().collect()
}

fn gather(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !OTHERS.contains(&name) {
            gather(root, &path, files);
        } else if path.is_file() && name != "SOURCES.md" {
            files.entry(path.strip_prefix(root).unwrap().to_owned()).or_insert(path);
        }
    }
}

/// Reads a file.
pub(super) fn read(file: &Path) -> Kind {
    let folder = file.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let home = PROVIDERS.into_iter().find(|(provider, _)| *provider == folder);
    let name = format!("{folder}/{}", file.file_name().unwrap().to_str().unwrap());
    let kind = match std::fs::read_to_string(file) {
        Err(_) => Kind::Skipped("it is no text".into()),
        Ok(text) => match serde_json::from_str::<Value>(&text) {
            Ok(json) if json.get("response").is_some() => exchange(name, home, &json),
            Ok(json) => bare(name, home, &[json]),
            Err(_) => {
                // The pieces of a stream as a specification shows them, one a line.
                let line = |line: &str| serde_json::from_str(line.strip_prefix("data:").unwrap_or(line)).ok();
                bare(name, home, &text.lines().filter_map(line).collect::<Vec<Value>>())
            }
        },
    };
    match kind {
        Kind::Skipped(reason) if home.is_none() => Kind::Stray(reason),
        kind => kind,
    }
}

/// Who is asked in a dialect: whose folder it is in, else whose address it has.
fn asked_of(dialect: Dialect, home: Option<Home>, url: &str) -> &'static str {
    match home {
        Some((provider, own)) if own == dialect => provider,
        _ if dialect == Dialect::OpenAi && !url.contains("//api.openai.com/") => "openai-compatible",
        _ => provider(dialect),
    }
}

/// How a body is cut into pieces, by its looks.
#[derive(Clone, Copy, PartialEq)]
enum Looks {
    Whole,
    Events,
    Lines,
}

fn looks(body: &str) -> Looks {
    let body = body.trim_start_matches('\u{feff}').trim();
    let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
    if ["data:", "event:", "id:", "retry:", ":"].iter().any(|begin| first.starts_with(begin)) {
        Looks::Events
    } else if !rest.is_empty() && serde_json::from_str::<Value>(first).is_ok_and(|first| first.is_object()) {
        Looks::Lines
    } else {
        Looks::Whole
    }
}

fn content_type(looks: Looks) -> &'static str {
    match looks {
        Looks::Whole => "application/json",
        Looks::Events => "text/event-stream",
        Looks::Lines => "application/x-ndjson",
    }
}

fn exchange(name: String, home: Option<Home>, json: &Value) -> Kind {
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
        _ if is_list && ends(&["/models"]) => match home {
            Some((_, dialect @ (Dialect::Gemini | Dialect::Anthropic))) => dialect,
            None if path.contains("//generativelanguage.") => Dialect::Gemini,
            None if path.contains("//api.anthropic.com/") => Dialect::Anthropic,
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
    let looks = looks(&body);
    let is_stream = match &asked["stream"] {
        _ if dialect == Dialect::Gemini => path.ends_with(":streamGenerateContent"),
        Value::Bool(is_stream) => *is_stream,
        // Whoever says nothing of it gets a stream of Ollama.
        _ if dialect == Dialect::Ollama && asked.is_object() => true,
        _ => looks != Looks::Whole,
    };
    Kind::Exchange(Box::new(Recording {
        name,
        provider: asked_of(dialect, home, url),
        dialect,
        is_list,
        is_stream,
        model: asked["model"].as_str().or(of_path).unwrap_or("m-1").to_owned(),
        asked,
        status: u16::try_from(response["status"].as_u64().unwrap_or(200)).unwrap(),
        content_type: header(response, "content-type").unwrap_or(content_type(looks)).to_owned(),
        body,
    }))
}

/// A body without its request, or the pieces of a stream.
fn bare(name: String, home: Option<Home>, pieces: &[Value]) -> Kind {
    let Some(first) = pieces.first() else { return Kind::Skipped("no JSON is in it".into()) };
    // Gemini has lists: of the pieces of a stream, and of one refusal.
    let head = first.get(0).unwrap_or(first);
    let has = |field: &str| head.get(field).is_some();
    // Gemini tells the status of a refusal in its body, too; others may have it noted beside it.
    let told = [head.pointer("/error/code"), head.get("status")];
    let told = told.into_iter().flatten().find_map(Value::as_u64).filter(|_| has("error"));
    let list = ["models", "data"].iter().find_map(|name| head[name].as_array());
    let list =
        list.filter(|list| list.iter().all(|model| model["id"].is_string() || model["name"].is_string()));
    let of_home = home.map(|(_, dialect)| dialect);
    let dialect =
        if head["object"].as_str().unwrap_or_default().starts_with("chat.completion") || has("choices") {
            Some(Dialect::OpenAi)
        } else if has("candidates") || has("promptFeedback") {
            Some(Dialect::Gemini)
        } else if head["type"] == "message" || head["type"] == "message_start" {
            Some(Dialect::Anthropic)
        } else if has("message") && has("done") {
            Some(Dialect::Ollama)
        } else if list.is_some() || told.is_some() {
            of_home
        } else {
            None
        };
    let Some(dialect) = dialect else {
        let is_untold = has("error") && told.is_none();
        let what = if is_untold { "a refusal whose status is not recorded" } else { "no answer of a model" };
        return Kind::Skipped(format!("it is {what}"));
    };
    let is_stream = pieces.len() > 1;
    let in_frame = |piece: &Value| match dialect {
        Dialect::Ollama => format!("{piece}\n"),
        _ => format!("data: {piece}\n\n"),
    };
    let body = if is_stream { pieces.iter().map(in_frame).collect() } else { first.to_string() };
    Kind::Exchange(Box::new(Recording {
        name,
        provider: asked_of(dialect, home, ""),
        dialect,
        is_list: list.is_some(),
        is_stream,
        asked: Value::Null,
        model: "m-1".into(),
        status: told.and_then(|code| u16::try_from(code).ok()).unwrap_or(200),
        content_type: content_type(looks(&body)).into(),
        body,
    }))
}

fn header<'r>(response: &'r Value, name: &str) -> Option<&'r str> {
    let headers = response["headers"].as_object()?;
    let (_, value) = headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    value.as_str().or_else(|| value[0].as_str())
}
