//! A whole run as JSON: its start, every event, and the final state. It is written to a file of its own or into a
//! report, and read back from both.
//!
//! The input is untrusted: its size and depth are limited, and it is rejected as a whole if any part is invalid.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kernel::{Code, EVENT_VERSION, Error, Event, Fact, Hash, JsonMeasures, Phrase, Start, State, phrase};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Exportable;
use crate::redaction::{Redaction, redact};

/// Largest file that is read, in bytes.
pub const LARGEST_RUN_FILE: u64 = 64 << 20;

const FORMAT: &str = "galley-run";
const VERSION: u64 = 1;
/// Deepest nesting; this program never writes more.
const DEEPEST: usize = 256;
/// Most values. No run in a file of that size has more, and each takes many times the memory of the two bytes that it
/// may have in the file.
const MOST_VALUES: usize = 2_000_000;
/// The last time with a four-digit year, in milliseconds since 1970 UTC.
const LATEST_MS: i64 = 253_402_300_799_999;
const LONGEST_ID: usize = 64;
const SHORTEST_ID: usize = 8;
/// The markup around the run in a report.
pub(crate) const OPENING: &str = "<script type=\"application/json\" id=\"galley-run\">";
pub(crate) const CLOSING: &str = "</script>";

/// A run that was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFile {
    /// The start of the run.
    pub start: Start,
    /// Its events.
    pub events: Vec<Event>,
    /// The content that was left out of the file.
    pub left_out: Vec<Redaction>,
    /// The contents of the run's files.
    pub files: Vec<Vec<u8>>,
}

/// The contents of a run's files by their hash, as Base64.
pub type FileTexts = BTreeMap<String, String>;

/// The redacted run as JSON that can also be embedded in a page.
///
/// # Errors
/// `internal` if a part of it cannot be written.
pub(crate) fn written(run: &Exportable<'_>, state: &State, left_out: &[Redaction]) -> Result<String, Error> {
    text_of(&redacted(run, state, left_out), left_out, run.files)
}

/// The redacted run as a value with `start`, `events` and `state`.
pub(crate) fn redacted(run: &Exportable<'_>, state: &State, left_out: &[Redaction]) -> Value {
    let whole = json!({ "start": run.start, "events": run.events, "state": state.to_json() });
    redact(whole, run.keys, left_out)
}

/// The text of such a value, with a digest that detects changes. Files are only included if nothing is left out,
/// because their contents cannot be redacted.
pub(crate) fn text_of(run: &Value, left_out: &[Redaction], files: &FileTexts) -> Result<String, Error> {
    let text = |value: &Value| {
        let text = serde_json::to_string_pretty(value).map_err(|error| {
            let message = phrase!("The run cannot be written: {error}", error = error.to_string());
            Error::new(Code::Internal, message)
        })?;
        // In JSON, `<` occurs only inside strings, where it can be escaped.
        Ok::<String, Error>(text.replace('<', "\\u003c"))
    };
    let (start, events, state) = (text(&run["start"])?, text(&run["events"])?, text(&run["state"])?);
    let hash = digest(&start, &events).0;
    let files =
        if left_out.is_empty() { serde_json::to_string(files).unwrap_or_default() } else { "{}".to_owned() };
    let left_out = serde_json::to_string(left_out).unwrap_or_default();
    Ok(format!(
        "{{\n\"format\": \"{FORMAT}\",\n\"version\": {VERSION},\n\"left_out\": {left_out},\n\"hash\": \"{hash}\",\n\
         \"start\": {start},\n\"events\": {events},\n\"state\": {state},\n\"files\": {files}\n}}"
    ))
}

fn digest(start: &str, events: &str) -> Hash {
    Hash::of(format!("{start}\n{events}").as_bytes())
}

/// Reads a run from an exported JSON file or report.
///
/// # Errors
/// `bad_input` if the file is neither, is truncated or changed, is from a newer program, or is no whole run.
pub fn read_run(file: &[u8]) -> Result<RunFile, Error> {
    let text = str::from_utf8(file).map_err(|_| no_run())?;
    let json = run_within(text).ok_or_else(no_run)?;
    let measures = JsonMeasures::of(json);
    if measures.depth > DEEPEST {
        return Err(no_run());
    }
    if measures.values > MOST_VALUES {
        return Err(too_large());
    }
    let part = |name: &str| sonic_rs::get(json, [name]).map(|part| part.as_raw_str().to_owned());
    if part("format").ok().as_deref() != Some("\"galley-run\"") {
        return Err(no_run());
    }
    if part("version").ok().and_then(|version| version.parse().ok()) != Some(VERSION) {
        return Err(refused(phrase!("The run was exported by a newer Galley; import it with that one")));
    }
    let (Ok(hash), Ok(start), Ok(events), Ok(left_out)) =
        (part("hash"), part("start"), part("events"), part("left_out"))
    else {
        return Err(cut_off());
    };
    if hash.trim_matches('"') != digest(&start, &events).0 {
        return Err(cut_off());
    }
    // Exports of older programs have no files.
    let files = part("files").map_or(Ok(Vec::new()), |files| contents(parsed(&files)?))?;
    fits(RunFile { start: parsed(&start)?, events: parsed(&events)?, left_out: parsed(&left_out)?, files })
}

/// The contents of the files. Each must match the hash that is its key.
fn contents(files: FileTexts) -> Result<Vec<Vec<u8>>, Error> {
    let read = files.into_iter().map(|(hash, text)| {
        let content = STANDARD.decode(text).ok().filter(|content| Hash::of(content).0 == hash);
        content.ok_or_else(cut_off)
    });
    read.collect()
}

/// The JSON of a run: the text itself, or the part of a report.
fn run_within(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('{') {
        return Some(text);
    }
    let (_, behind) = text.split_once(OPENING)?;
    // A truncated report has no closing tag; its JSON is rejected as truncated later.
    Some(behind.split_once(CLOSING).map_or(behind, |(run, _)| run).trim())
}

fn parsed<T: for<'de> Deserialize<'de>>(json: &str) -> Result<T, Error> {
    let mut parser = serde_json::Deserializer::from_str(json);
    // The depth was checked before.
    parser.disable_recursion_limit();
    T::deserialize(&mut parser).map_err(|error| {
        refused(phrase!("The file holds no run that Galley can read: {error}", error = error.to_string()))
    })
}

/// Whether a run id can be used on a command line: it is no option, no keyword and no number.
fn is_id(id: &str) -> bool {
    (SHORTEST_ID..=LONGEST_ID).contains(&id.len())
        && id.starts_with(|first: char| first.is_ascii_alphanumeric())
        && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Checks that this is a complete run with consecutive numbers that begins with its start.
fn fits(mut read: RunFile) -> Result<RunFile, Error> {
    let start = &mut read.start;
    let origin = start.origin.as_ref().map(|origin| origin.run.0.as_str());
    if let Some(id) = [&*start.run.0, &*start.session.0].into_iter().chain(origin).find(|id| !is_id(id)) {
        return Err(refused(phrase!(
            "`{id}` is no id that Galley gives to a run or a session; export the run again",
            id
        )));
    }
    let begins = matches!(
        read.events.first().map(|event| &event.fact),
        Some(Fact::RunStarted { run, session, pipeline, .. })
            if *run == start.run && *session == start.session && *pipeline == start.definition.pipeline
    );
    let is_whole = begins
        && (0..=LATEST_MS).contains(&start.at_ms)
        && start.inputs.values().chain(&start.definition.declared).all(|value| !value.is_stored());
    if !is_whole {
        return Err(refused(phrase!("The file holds no whole run; export it again")));
    }
    for (event, seq) in read.events.iter().zip(1..) {
        if event.v > EVENT_VERSION {
            return Err(refused(phrase!("The run was exported by a newer Galley; import it with that one")));
        }
        let is_in_place = event.seq == seq && (0..=LATEST_MS).contains(&event.at_ms);
        // A value that is only a hash would refer to other stored data here.
        if !is_in_place || event.values().iter().any(|value| value.is_stored()) {
            return Err(refused(phrase!(
                "Event {seq} of the run does not fit the others; export it again",
                seq
            )));
        }
    }
    Ok(read)
}

fn no_run() -> Error {
    refused(phrase!("The file holds no run; choose a report (report) or JSON (json) that Galley exported"))
}

fn cut_off() -> Error {
    refused(phrase!("The run was cut off or changed after it was exported; export it again"))
}

fn refused(message: Phrase) -> Error {
    Error::new(Code::BadInput, message)
}

fn too_large() -> Error {
    refused(phrase!(
        "The file holds more than a run that can be imported; leave pages out of it when it is exported"
    ))
}
