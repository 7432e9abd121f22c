//! L2: what leaves the program: Markdown for people, JSON for programs.
//!
//! Exports hold no secret, because events hold none, and nothing that acts: texts come from models and pages.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod inert;

use std::fmt::Write;

use inert::{inert, inert_line};
use kernel::{Event, KeyDeclaration, Role, Start, State, fold_state};
use serde_json::{Value, json as object};

/// A run as an export sees it.
pub struct Exportable<'a> {
    /// How it began.
    pub start: &'a Start,
    /// Its events.
    pub events: &'a [Event],
    /// Its keys in display order.
    pub keys: &'a [KeyDeclaration],
}

/// The result as Markdown: the published text (else the last draft), its remark, and the sources it cites.
pub fn markdown(run: &Exportable<'_>) -> String {
    let state = fold_state(run.events);
    let mut text = String::new();
    let body = by_role(run, &state, |role| matches!(role, Role::Final))
        .and_then(|(_, value)| value.as_str().map(str::to_owned))
        .filter(|text| !text.trim().is_empty())
        .or_else(|| last_draft(run, &state))
        .unwrap_or_default();
    if !body.trim_start().starts_with("# ") {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "# {}\n", inert_line(&run.start.definition.title));
    }
    if let Some((_, Value::String(remark))) = by_role(run, &state, |role| matches!(role, Role::Remark)) {
        let _ = writeln!(text, "> {}\n", inert_line(&remark));
    }
    let _ = writeln!(text, "{}", body.trim_end());
    // A text that brings its own list needs no second one.
    let has_list = prose::without_references(&body).len() < body.trim_end().len();
    let cited = if has_list { Vec::new() } else { prose::sources_used(&body) };
    if let Some((Role::Sources { items }, value)) =
        by_role(run, &state, |role| matches!(role, Role::Sources { .. }))
        && !cited.is_empty()
        && let Some(sources) = value[items.as_ref()].as_array()
    {
        text.push_str("\n## Sources\n\n");
        for index in cited {
            let Some(source) = sources.get(index) else { continue };
            let field = |name: &str| source[name].as_str().unwrap_or_default();
            let _ = write!(text, "{}. {}", index + 1, inert_line(field("title")));
            let about: Vec<&str> = [field("source"), field("published"), field("url")]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect();
            let _ = writeln!(text, ". {}", inert_line(&about.join(", ")));
        }
    }
    // An address that one part defines may be what another part refers to.
    inert(&text)
}

/// The whole run: how it began, every event, the state at the end.
pub fn json(run: &Exportable<'_>) -> String {
    let state = fold_state(run.events);
    let whole = object!({
        "format": "galley-run", "version": 1, "start": run.start, "events": run.events, "state": state.to_json()
    });
    serde_json::to_string_pretty(&whole).unwrap_or_default()
}

fn by_role<'a>(
    run: &'a Exportable<'_>,
    state: &State,
    wanted: impl Fn(&Role) -> bool,
) -> Option<(&'a Role, Value)> {
    let key = run.keys.iter().find(|key| wanted(&key.role))?;
    Some((&key.role, state.get(&key.name)?.json_or_null().clone()))
}

fn last_draft(run: &Exportable<'_>, state: &State) -> Option<String> {
    let (role, value) = by_role(run, state, |role| matches!(role, Role::Draft { .. }))?;
    let Role::Draft { edit, .. } = role else { return None };
    let text = if edit.is_empty() { &value } else { &value[edit.as_ref()] };
    text.as_str().map(str::to_owned)
}
