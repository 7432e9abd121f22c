//! A whole run as JSON: how it began, every event, the state at the end. Written into a file of its own or into a report, and
//! read back from both.
//!
//! What is read is untrusted: bounded in size and depth, and refused whole where anything of it does not fit.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kernel::{Code, EVENT_VERSION, Error, Event, Fact, Hash, JsonMeasures, Phrase, Start, State, phrase};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Exportable;
use crate::redaction::{Redaction, redact};

/// The largest file that is read, in bytes.
pub const LARGEST_RUN_FILE: u64 = 64 << 20;

const FORMAT: &str = "galley-run";
const VERSION: u64 = 1;
/// Nothing this program writes is nested deeper.
const DEEPEST: usize = 256;
/// No run that fits into such a file has more values; each takes many times the memory of the two signs that it may be
/// written in.
const MOST_VALUES: usize = 2_000_000;
/// The latest moment that a calendar of four digits knows, milliseconds since 1970 UTC.
const LATEST_MS: i64 = 253_402_300_799_999;
const LONGEST_ID: usize = 64;
const SHORTEST_ID: usize = 8;
/// What stands around the run in a report.
pub(crate) const OPENING: &str = "<script type=\"application/json\" id=\"galley-run\">";
pub(crate) const CLOSING: &str = "</script>";

/// A run that was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFile {
    /// How it began.
    pub start: Start,
    /// Its events.
    pub events: Vec<Event>,
    /// What was left out of the file.
    pub left_out: Vec<Redaction>,
    /// What the files of the run contain, by its hash.
    pub files: Vec<Vec<u8>>,
}

/// What files of a run contain, by its hash, as Base64.
pub type FileTexts = BTreeMap<String, String>;

/// The run without what is to be left out, as JSON that may also stand inside a page.
///
/// # Errors
/// `internal` where something of it cannot be written.
pub(crate) fn written(run: &Exportable<'_>, state: &State, left_out: &[Redaction]) -> Result<String, Error> {
    text_of(&redacted(run, state, left_out), left_out, run.files)
}

/// The run as a value without what is to be left out: `start`, `events`, `state`.
pub(crate) fn redacted(run: &Exportable<'_>, state: &State, left_out: &[Redaction]) -> Value {
    let whole = json!({ "start": run.start, "events": run.events, "state": state.to_json() });
    redact(whole, run.keys, left_out)
}

/// The text of such a value, with what tells whether it was changed. Files are in it where nothing is to be left out: nobody
/// knows what they say.
pub(crate) fn text_of(run: &Value, left_out: &[Redaction], files: &FileTexts) -> Result<String, Error> {
    let text = |value: &Value| {
        let text = serde_json::to_string_pretty(value).map_err(|error| {
            let message = phrase!("The run cannot be written: {error}", error = error.to_string());
            Error::new(Code::Internal, message)
        })?;
        // A sign that begins markup stands in JSON only inside texts, where it may be written otherwise.
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

/// Reads a run from the JSON or the report of an export.
///
/// # Errors
/// `bad_input` where it is neither, was cut off or changed, is of a newer program, or is no whole run.
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
    // What was exported by an older program has none.
    let files = part("files").map_or(Ok(Vec::new()), |files| contents(parsed(&files)?))?;
    fits(RunFile { start: parsed(&start)?, events: parsed(&events)?, left_out: parsed(&left_out)?, files })
}

/// What the files contain; each must have the hash under which it stands.
fn contents(files: FileTexts) -> Result<Vec<Vec<u8>>, Error> {
    let read = files.into_iter().map(|(hash, text)| {
        let content = STANDARD.decode(text).ok().filter(|content| Hash::of(content).0 == hash);
        content.ok_or_else(cut_off)
    });
    read.collect()
}

/// The JSON of a run: the text itself, or what stands in a report.
fn run_within(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('{') {
        return Some(text);
    }
    let (_, behind) = text.split_once(OPENING)?;
    // A report that was cut off has no end; what is there is refused as that.
    Some(behind.split_once(CLOSING).map_or(behind, |(run, _)| run).trim())
}

fn parsed<T: for<'de> Deserialize<'de>>(json: &str) -> Result<T, Error> {
    let mut parser = serde_json::Deserializer::from_str(json);
    // Its depth is known.
    parser.disable_recursion_limit();
    T::deserialize(&mut parser).map_err(|error| {
        refused(phrase!("The file holds no run that Galley can read: {error}", error = error.to_string()))
    })
}

/// Whether an id can name a run on a command line: no option, no word that stands for a run, no number.
fn is_id(id: &str) -> bool {
    (SHORTEST_ID..=LONGEST_ID).contains(&id.len())
        && id.starts_with(|first: char| first.is_ascii_alphanumeric())
        && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Whether what was read is a run: numbered through, begun as it says, whole.
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
        // A value by its hash alone would be taken from what else is stored here.
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
