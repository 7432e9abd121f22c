//! `galley compare`: two runs beside each other.

use desk::api::{
    AgentSettings, CompareRuns, ComparedAgent, ComparedCheck, ComparedPart, ComparedRun, ComparedText,
    ComparedValue, Json, RunComparison,
};
use desk::{ApiError, Desk, LimitName};
use serde_json::{Value, json};

use crate::arguments::Compare;
use crate::desk_client::ask;
use crate::fields::differences;
use crate::output;
use crate::table::{cell, duration, minute, money, one_line, table};

/// `galley compare`.
pub(crate) async fn compare(desk: &Desk, asked: Compare) -> Result<u8, ApiError> {
    let request = CompareRuns { one: asked.one, other: asked.other };
    let compared: RunComparison = ask(desk, "compare_runs", request).await?;
    if asked.json {
        output::write_json(&compared)?;
        return Ok(0);
    }
    output::write(&facts(&compared.one, &compared.other))?;
    let mut settings: Vec<(String, Value, Value)> = Vec::new();
    for ComparedAgent { agent, one, other } in &compared.agents {
        let of = |own: &Option<AgentSettings>| own.as_ref().map_or(Value::Null, |own| json!(own));
        settings.push((format!("agent {agent}"), of(one), of(other)));
    }
    for (name, [one, other]) in &compared.limits {
        settings.push((limit(*name), json!(one), json!(other)));
    }
    for (slot, [one, other]) in &compared.tools {
        settings.push((format!("tool {slot}"), json!(one), json!(other)));
    }
    section("SETTINGS", settings)?;
    section("INPUTS", values(&compared.inputs))?;
    output::write(&checks(&compared.checks))?;
    section("VALUES", values(&compared.values))?;
    output::write_text(&text(&compared.text))?;
    Ok(0)
}

fn limit(name: LimitName) -> String {
    format!("limit {}", name.word())
}

fn values(compared: &[ComparedValue]) -> Vec<(String, Value, Value)> {
    let of = |value: &Option<Json>| value.as_ref().map_or(Value::Null, |value| value.0.clone());
    compared.iter().map(|value| (value.key.clone(), of(&value.one), of(&value.other))).collect()
}

/// How both runs ended and what they used up.
fn facts(one: &ComparedRun, other: &ComparedRun) -> String {
    let row = |name: &str, of: &dyn Fn(&ComparedRun) -> String| {
        let (before, after) = (of(one), of(other));
        let mark = if before == after { "" } else { "≠" };
        vec![name.to_owned(), before, after, mark.to_owned()]
    };
    let rows = [
        row("title", &|run| cell(&run.card.title, 40)),
        row("began", &|run| minute(run.card.started_at_ms)),
        row("pipeline", &|run| one_line(&run.card.pipeline)),
        row("version", &|run| run.version.chars().take(12).collect()),
        row("outcome", &|run| run.outcome.map_or("open", |outcome| outcome.word()).to_owned()),
        row("calls", &|run| run.usage.calls.to_string()),
        row("tokens", &|run| (run.usage.input_tokens + run.usage.output_tokens).to_string()),
        row("cost", &|run| money(run.usage.cost, run.usage.unpriced_calls)),
        row("active time", &|run| duration(run.usage.active_ms)),
        row("issues", &|run| run.issues.map_or("–".to_owned(), |issues| issues.to_string())),
    ];
    let head = ["", one.card.run.as_str(), other.card.run.as_str(), ""];
    table(&head, &rows)
}

/// Values that differ, field by field.
fn section(head: &str, compared: Vec<(String, Value, Value)>) -> Result<(), ApiError> {
    if compared.is_empty() {
        return Ok(());
    }
    let mut text = format!("\n{head}\n");
    for (name, one, other) in compared {
        for found in differences(&one, &other) {
            let place = if found.place.is_empty() { name.clone() } else { format!("{name}.{}", found.place) };
            text.push_str(&format!("  {}\n", one_line(&place)));
            for (side, words) in [("-", &found.left), ("+", &found.right)] {
                for line in words.lines() {
                    text.push_str(&format!("    {side} {line}\n"));
                }
            }
        }
    }
    output::write_text(&text)
}

fn checks(compared: &[ComparedCheck]) -> String {
    if compared.is_empty() {
        return String::new();
    }
    let word = |check: &Option<desk::CheckResult>| match check {
        None => "–".to_owned(),
        Some(check) if check.passed => "passed".to_owned(),
        Some(check) => format!("failed: {}", cell(&check.detail, 40)),
    };
    let row = |check: &ComparedCheck| vec![one_line(&check.name), word(&check.one), word(&check.other)];
    let rows: Vec<Vec<String>> = compared.iter().map(row).collect();
    format!("\n{}", table(&["CHECK", "", ""], &rows))
}

/// The texts with what was removed as `[-…-]` and what was added as `{+…+}`.
fn text(parts: &[ComparedText]) -> String {
    if parts.iter().all(|part| part.part == ComparedPart::Same) {
        return "\nThe texts are the same".to_owned();
    }
    let mut text = "\nTEXT\n".to_owned();
    for ComparedText { part, text: words } in parts {
        match part {
            ComparedPart::Same => text.push_str(words),
            ComparedPart::Removed => text.push_str(&format!("[-{words}-]")),
            ComparedPart::Added => text.push_str(&format!("{{+{words}+}}")),
        }
    }
    text
}
