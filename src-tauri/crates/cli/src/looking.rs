//! The lists: pipelines and runs.

use std::fmt::Write;

use desk::api::{ListRuns, Nothing, PipelineCard, PipelineCards, RunCard, RunCards, RunStatus};
use desk::{AgentKind, ApiError, Desk, LimitName, Outline};

use crate::arguments::Runs;
use crate::table::{cell, minute, one_line, table};
use crate::{ask, output};

/// As many columns as a title may take.
const TITLE: usize = 60;

/// The picture of a pipeline's tree.
pub(crate) async fn outline(desk: &Desk, pipeline: &str) -> Result<Option<Outline>, ApiError> {
    let cards: PipelineCards = ask(desk, "list_pipelines", Nothing {}).await?;
    Ok(cards.pipelines.into_iter().find(|card| card.id == pipeline).map(|card| card.outline))
}

/// `galley pipelines`.
pub(crate) async fn pipelines(desk: &Desk, is_json: bool) -> Result<u8, ApiError> {
    let cards: PipelineCards = ask(desk, "list_pipelines", Nothing {}).await?;
    for (index, card) in cards.pipelines.iter().enumerate() {
        if is_json {
            output::write_json(card)?;
        } else {
            output::write(if index > 0 { "\n" } else { "" })?;
            output::write(&described(card))?;
        }
    }
    Ok(0)
}

fn described(card: &PipelineCard) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{}  {}\n  {}", card.id, card.title, card.purpose);
    let _ = writeln!(text, "\n  Inputs");
    for input in &card.inputs {
        let need = if input.is_required { "required" } else { "optional" };
        let _ = writeln!(text, "    {}  {}, {need}: {}", input.key, input.kind, one_line(&input.help));
        let _ = writeln!(text, "      --input {}=\"{}\"", input.key, input.example);
    }
    if !card.sources.is_empty() {
        let _ = writeln!(text, "\n  Sources\n    {}", card.sources.join(", "));
    }
    let _ = writeln!(text, "\n  Limits");
    for name in LimitName::ALL {
        if let Some(most) = card.limits.get(name) {
            let _ = writeln!(text, "    {}={most}", name.word());
        }
    }
    for preset in &card.presets {
        let _ = writeln!(text, "    preset {}: {}", preset.name, one_line(&preset.description));
    }
    let _ = writeln!(text, "\n  Stages");
    let mut rows = Vec::new();
    stages(&card.outline, 0, &mut rows);
    for line in table(&["AGENT", "KIND", "READS", "MAY READ", "WRITES"], &rows).lines() {
        let _ = writeln!(text, "    {line}");
    }
    text
}

fn stages(outline: &Outline, depth: usize, rows: &mut Vec<Vec<String>>) {
    let kind = match &outline.agent {
        AgentKind::Llm => "model".to_owned(),
        AgentKind::Sequential => "sequence".to_owned(),
        AgentKind::Parallel => "parallel".to_owned(),
        AgentKind::Loop { max_rounds } => format!("loop, {max_rounds} rounds"),
        AgentKind::Custom => "custom".to_owned(),
    };
    let keys = |keys: &[String]| if keys.is_empty() { "–".to_owned() } else { keys.join(", ") };
    let contract = &outline.contract;
    let name = format!("{}{}", "  ".repeat(depth), outline.name);
    rows.push(vec![name, kind, keys(&contract.reads), keys(&contract.may_read), keys(&contract.writes)]);
    for child in &outline.children {
        stages(child, depth + 1, rows);
    }
}

/// `galley runs`.
pub(crate) async fn runs(desk: &Desk, asked: Runs) -> Result<u8, ApiError> {
    let found: RunCards =
        ask(desk, "list_runs", ListRuns { search: asked.search.clone(), limit: None }).await?;
    if asked.json {
        found.runs.iter().try_for_each(output::write_json)?;
        return Ok(0);
    }
    if found.runs.is_empty() {
        output::tell(match asked.search {
            Some(_) => "No run is found with these words",
            None => "There is no run yet; `galley run ai-news --input user_topic=\"…\"` starts one",
        });
        return Ok(0);
    }
    let rows: Vec<Vec<String>> = found.runs.iter().map(row).collect();
    output::write(&table(&["RUN", "BEGAN", "STATUS", "PIPELINE", "TITLE"], &rows))?;
    Ok(0)
}

fn row(card: &RunCard) -> Vec<String> {
    let mut title = cell(&card.title, TITLE);
    if let Some(snippet) = &card.snippet {
        title = format!("{title}  … {} …", cell(snippet, TITLE));
    }
    let (began, status) = (minute(card.started_at_ms), word(card.status).to_owned());
    vec![card.run.clone(), began, status, card.pipeline.clone(), title]
}

/// How a run stands, in a word.
fn word(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Running => "running",
        RunStatus::Finished => "finished",
        RunStatus::Failed => "failed",
        RunStatus::Limited => "limited",
        RunStatus::Waiting => "waiting",
        RunStatus::Cancelled => "cancelled",
        RunStatus::Interrupted => "interrupted",
    }
}
