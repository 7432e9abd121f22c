//! Writes a run as one self-contained page: its questions and texts, its agents and sources, its state at every moment,
//! and the run itself, so that Galley can import it.
//!
//! The page makes no requests; its only script moves the slider. Every text of the run is escaped.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kernel::{Code, Error, Event, Fact, KeyDeclaration, Role, RunFold, State, key_history, phrase, sentence};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::Exportable;
use crate::html::escaped;
use crate::journal::moment;
use crate::redaction::{Redaction, counts};
use crate::run_file::{CLOSING, OPENING, redacted, text_of};

mod differences;

const STYLE: &str = include_str!("report/page.css");
const SCRIPT: &str = include_str!("report/page.js");
/// Longest text in the journal, in characters.
const LONGEST_TEXT: usize = 100_000;

/// The report page.
///
/// # Errors
/// `internal` if a part of the run cannot be written.
pub(crate) fn write(run: &Exportable<'_>, state: &State, left_out: &[Redaction]) -> Result<String, Error> {
    // The page shows the run that it contains, parsed from its redacted JSON.
    let mut shown = redacted(run, state, left_out);
    let inside = text_of(&shown, left_out, run.files)?;
    let events: Vec<Event> = serde_json::from_value(shown["events"].take()).map_err(|error| {
        let message = phrase!("The run cannot be written: {error}", error = error.to_string());
        Error::new(Code::Internal, message)
    })?;
    let title = shown["start"]["definition"]["title"].as_str().unwrap_or_default();
    let mut page = String::with_capacity(inside.len() * 2);
    // Only the page's own script may run, not one that a text of the run would add.
    let digest = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    );
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n",
        title = escaped(title)
    );
    let fold = RunFold::of(&events);
    about(&mut page, run, &events, &fold, left_out);
    texts(&mut page, run.keys, &events);
    sources(&mut page, run.keys, &fold.state);
    stages(&mut page, &events, &fold);
    state_at(&mut page, &events, &fold.state);
    journal(&mut page, run, &events);
    let _ =
        write!(page, "</main>\n{OPENING}{inside}{CLOSING}\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
    Ok(page)
}

/// The number of items of each kind that a report of the run would contain.
pub(crate) fn holds(run: &Exportable<'_>) -> [usize; 5] {
    counts(&json!({ "start": run.start, "events": run.events }))
}

fn about(page: &mut String, run: &Exportable<'_>, events: &[Event], fold: &RunFold, left_out: &[Redaction]) {
    let outcome = fold.outcome.map_or("open", kernel::Outcome::word);
    let last = events.last().map(|event| moment(event.at_ms)).unwrap_or_default();
    let rows = [
        ("Pipeline", run.start.definition.pipeline.clone()),
        ("Run", run.start.run.0.clone()),
        ("Began", moment(run.start.at_ms)),
        ("Last event", last),
        ("Outcome", outcome.to_owned()),
        ("Events", events.len().to_string()),
    ];
    page.push_str("<dl class=\"about\">\n");
    for (name, value) in rows {
        let _ = writeln!(page, "<dt>{name}</dt><dd>{}</dd>", escaped(&value));
    }
    page.push_str("</dl>\n");
    if !left_out.is_empty() {
        let names: Vec<String> = left_out.iter().map(|kind| kind.title().0.to_lowercase()).collect();
        let _ = writeln!(
            page,
            "<p class=\"left-out\">Left out of this report: {}. A mark stands in place of each.</p>",
            escaped(&names.join(", "))
        );
    }
}

/// Every version of every text, with its changes against the version before.
fn texts(page: &mut String, keys: &[KeyDeclaration], events: &[Event]) {
    let mut sections = String::new();
    for key in keys {
        let text_of = |value: &Value| match &key.role {
            Role::Draft { edit, .. } if !edit.is_empty() => value[edit.as_ref()].as_str().map(str::to_owned),
            Role::Draft { .. } | Role::Final => value.as_str().map(str::to_owned),
            _ => None,
        };
        let mut before: Option<String> = None;
        let mut number = 0;
        for change in key_history(events, &key.name) {
            let text = change.value.as_ref().and_then(|value| text_of(value.json_or_null()));
            let Some(text) = text.filter(|text| !text.trim().is_empty()) else { continue };
            if before.as_ref() == Some(&text) {
                continue;
            }
            number += 1;
            let body = match &before {
                None => format!("<p class=\"text\">{}</p>", escaped(&text)),
                Some(before) => format!("<p class=\"text\">{}</p>", differences::marked(before, &text)),
            };
            let _ = writeln!(
                sections,
                "<details{open}><summary>{title} {number}, by {author}, event {seq}</summary>\n{body}\n</details>",
                open = if number == 1 { " open" } else { "" },
                title = escaped(&key.title),
                author = escaped(&change.author),
                seq = change.seq
            );
            before = Some(text);
        }
    }
    section(page, "Texts", &sections);
}

fn sources(page: &mut String, keys: &[KeyDeclaration], state: &State) {
    let mut list = String::new();
    for key in keys {
        let Role::Sources { items } = &key.role else { continue };
        let value = state.get(&key.name).map(|value| value.json_or_null().clone()).unwrap_or_default();
        for source in value[items.as_ref()].as_array().into_iter().flatten() {
            let field = |name: &str| source[name].as_str().unwrap_or_default();
            let title = escaped(field("title"));
            let is_web = ["http://", "https://"].iter().any(|scheme| field("url").starts_with(scheme));
            let title = match is_web {
                true => format!("<a rel=\"noreferrer\" href=\"{}\">{title}</a>", escaped(field("url"))),
                false => title,
            };
            let about = [field("source"), field("published")].map(escaped).join(" ");
            let _ = writeln!(list, "<li>{title} <small>{about}</small></li>");
        }
    }
    let list = if list.is_empty() { list } else { format!("<ol>\n{list}</ol>\n") };
    section(page, "Sources", &list);
}

/// The agents in the order in which they began, with their usage.
fn stages(page: &mut String, events: &[Event], fold: &RunFold) {
    let mut rows: Vec<(String, u32, u64)> = Vec::new();
    for event in events {
        let Fact::AgentEnded { took_ms, .. } = &event.fact else { continue };
        match rows.iter_mut().find(|(author, ..)| *author == event.author) {
            Some((_, times, ms)) => {
                *times += 1;
                *ms += took_ms;
            }
            None => rows.push((event.author.clone(), 1, *took_ms)),
        }
    }
    let mut table = String::from(
        "<table>\n<tr><th>Agent</th><th>Times</th><th>Seconds</th><th>Calls</th><th>Tokens</th><th>Cost, US dollars</th></tr>\n",
    );
    let cost = |cost: f64, unpriced: u32| match unpriced {
        0 if cost == 0.0 => String::new(),
        0 => format!("{cost:.4}"),
        _ if cost == 0.0 => "unknown".to_owned(),
        _ => format!("{cost:.4} and more"),
    };
    for (author, times, ms) in rows {
        let used = fold.usage.agents.get(&author).cloned().unwrap_or_default();
        let calls = fold.usage.agent_calls.get(&author).copied().unwrap_or_default();
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td>{times}</td><td>{:.1}</td><td>{calls}</td><td>{}</td><td>{}</td></tr>",
            escaped(&author),
            ms as f64 / 1000.0,
            used.tokens,
            cost(used.cost, used.unpriced_calls)
        );
    }
    let usage = &fold.usage;
    let _ = writeln!(
        table,
        "<tr><th>Together</th><td></td><td>{:.1}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n</table>",
        usage.active_ms as f64 / 1000.0,
        usage.calls,
        usage.input_tokens + usage.output_tokens,
        cost(usage.cost.unwrap_or_default(), usage.unpriced_calls)
    );
    section(page, "Stages and costs", &table);
}

/// The state for the slider; without a script the final state.
fn state_at(page: &mut String, events: &[Event], state: &State) {
    let last = events.len();
    let mut rows = String::new();
    for (key, value) in state.iter() {
        let text = serde_json::to_string_pretty(value.json_or_null()).unwrap_or_default();
        let _ = writeln!(rows, "<tr><th>{}</th><td><pre>{}</pre></td></tr>", escaped(key), escaped(&text));
    }
    let body = format!(
        "<p><label>Event <input id=\"moment\" type=\"range\" min=\"1\" max=\"{last}\" value=\"{last}\"></label> \
         <output id=\"at\" for=\"moment\">{last} of {last}</output></p>\n<table id=\"state\">\n{rows}</table>\n"
    );
    section(page, "State", &body);
}

fn journal(page: &mut String, run: &Exportable<'_>, events: &[Event]) {
    let mut rows = String::new();
    for event in events {
        let said = sentence(event, &run.start.definition.notes);
        let detail =
            detail(event).map(|detail| format!("<details><summary>Show</summary>{detail}</details>"));
        let _ = writeln!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}{}</td></tr>",
            event.seq,
            moment(event.at_ms),
            escaped(&event.author),
            escaped(&said),
            detail.unwrap_or_default()
        );
    }
    let table = format!(
        "<table class=\"journal\">\n<tr><th></th><th>At</th><th>By</th><th></th></tr>\n{rows}</table>\n"
    );
    section(page, "Journal", &table);
}

/// The instruction, the messages and the answer of a call as text.
fn detail(event: &Event) -> Option<String> {
    let value = serde_json::to_value(&event.fact).ok()?;
    let mut parts: Vec<(String, &Value)> = Vec::new();
    if value["effect"]["effect"] == "model" {
        let request = &value["effect"]["request"];
        parts.push(("Instruction".to_owned(), &request["instruction"]));
        for message in request["messages"].as_array().into_iter().flatten() {
            let speaker = message["speaker"].as_str().unwrap_or_default();
            parts.push((format!("Message of {speaker}"), &message["content"]));
        }
    } else if value["effect"]["effect"] == "tool" {
        parts.push(("Input".to_owned(), &value["effect"]["call"]["input"]));
    } else if value["kind"] == "effect_answered" && value["answer"]["result"].is_object() {
        let result = &value["answer"]["result"];
        parts.push(("Answer".to_owned(), result.get("text").unwrap_or(result)));
    }
    if parts.is_empty() {
        return None;
    }
    let shown = parts.into_iter().map(|(name, value)| {
        let text = match value.as_str() {
            Some(text) => text.to_owned(),
            None => serde_json::to_string_pretty(value).unwrap_or_default(),
        };
        let text: String = text.chars().take(LONGEST_TEXT).collect();
        format!("<h4>{}</h4><pre>{}</pre>", escaped(&name), escaped(&text))
    });
    Some(shown.collect())
}

fn section(page: &mut String, title: &str, body: &str) {
    if !body.is_empty() {
        let _ = write!(page, "<section>\n<h2>{title}</h2>\n{body}</section>\n");
    }
}
