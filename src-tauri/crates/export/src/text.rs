//! The resulting text of a run, as Markdown without active content.

use std::fmt::Write;

use kernel::{Role, State, result_text};
use serde_json::Value;

use crate::Exportable;
use crate::inert::{inert, inert_line};

/// Higher numbers in a list are no source numbers.
const MOST_SOURCES: usize = 999;

/// The resulting text of the run; `None` if there is none.
pub(crate) fn body(run: &Exportable<'_>, state: &State) -> Option<String> {
    result_text(run.keys, state).map(|result| result.text)
}

/// The result as Markdown: the text, its remark, and its sources.
pub(crate) fn markdown(run: &Exportable<'_>, state: &State, body: &str) -> String {
    let mut text = String::new();
    if !body.trim_start().starts_with("# ") {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "# {}\n", inert_line(&run.start.definition.title));
    }
    if let Some((_, Value::String(remark))) = by_role(run, state, |role| matches!(role, Role::Remark)) {
        let _ = writeln!(text, "> {}\n", inert_line(&remark));
    }
    let _ = writeln!(text, "{}", body.trim_end());
    let cited = if has_list(body) { Vec::new() } else { prose::sources_used(body) };
    let sources = sources(run, state);
    if !cited.is_empty() && !sources.is_empty() {
        text.push_str("\n## Sources\n\n");
        for index in cited {
            let Some(source) = sources.get(index) else { continue };
            let field = |name: &str| source[name].as_str().unwrap_or_default();
            // Numbered as in the text: a Markdown list would count from its first item.
            let _ = write!(text, "[{}] {}", index + 1, inert_line(field("title")));
            let about: Vec<&str> = [field("source"), field("published"), field("url")]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect();
            let _ = writeln!(text, ". {}\n", inert_line(&about.join(", ")));
        }
    }
    // An address that one part defines may be referenced in another part.
    inert(&text)
}

/// The addresses of the sources in the order of their numbers; empty for a source without one. If the text has its own
/// list of sources, that list determines the numbers.
pub(crate) fn addresses(run: &Exportable<'_>, state: &State, body: &str) -> Vec<String> {
    if has_list(body) {
        return listed(&body[prose::without_references(body).len()..]);
    }
    let address = |source: &Value| source["url"].as_str().unwrap_or_default().to_owned();
    sources(run, state).iter().map(address).collect()
}

/// The first address in each numbered line of a list.
fn listed(list: &str) -> Vec<String> {
    let mut addresses: Vec<String> = Vec::new();
    for line in list.lines() {
        let begin = line.trim_start_matches(|c: char| c.is_whitespace() || "-*[\\".contains(c));
        let digits = begin.len() - begin.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number =
            begin[..digits].parse::<usize>().ok().filter(|number| (1..=MOST_SOURCES).contains(number));
        let (Some(number), Some(from)) = (number, line.find("http")) else { continue };
        let address = line[from..].split(|c: char| c.is_whitespace() || "<>()[]\"`".contains(c)).next();
        let address = address.unwrap_or_default().trim_end_matches(['.', ',', ';']);
        if addresses.len() < number {
            addresses.resize(number, String::new());
        }
        addresses[number - 1] = address.to_owned();
    }
    addresses
}

/// Whether the text has its own list of sources.
fn has_list(body: &str) -> bool {
    prose::without_references(body).len() < body.trim_end().len()
}

fn sources(run: &Exportable<'_>, state: &State) -> Vec<Value> {
    match by_role(run, state, |role| matches!(role, Role::Sources { .. })) {
        Some((Role::Sources { items }, value)) => {
            value[items.as_ref()].as_array().cloned().unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn by_role<'a>(
    run: &'a Exportable<'_>,
    state: &State,
    wanted: impl Fn(&Role) -> bool,
) -> Option<(&'a Role, Value)> {
    let key = run.keys.iter().find(|key| wanted(&key.role))?;
    Some((&key.role, state.get(&key.name)?.json_or_null().clone()))
}
