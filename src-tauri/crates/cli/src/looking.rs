//! The lists: pipelines and runs.

use std::fmt::Write;

use desk::api::{ListRuns, Nothing, PipelineCard, PipelineCards, RunCard, RunCards, RunStatus};
use desk::{AgentKind, ApiError, Desk, LimitName, Outline};

use crate::arguments::Runs;
use crate::table::{cell, minute, one_line, table};
use crate::{ask, output};

/// As many columns as a title may take.
const TITLE: usize = 60;
/// As many runs as the desk lists at once.
const RUNS_AT_ONCE: u32 = 1_000;

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
        // What it changes, as it is typed.
        let changed =
            LimitName::ALL.into_iter().filter(|name| preset.limits.get(*name) != card.limits.get(*name));
        for (name, most) in changed.filter_map(|name| Some((name, preset.limits.get(name)?))) {
            let _ = writeln!(text, "      --limit {}={most}", name.word());
        }
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

/// The whole history, newest first, however many pages of the desk's list that takes.
pub(crate) async fn all_runs(desk: &Desk, search: Option<&str>) -> Result<Vec<RunCard>, ApiError> {
    let mut runs: Vec<RunCard> = Vec::new();
    loop {
        let before = runs.last().map(|card| card.run.clone());
        let request = ListRuns {
            search: search.map(str::to_owned),
            limit: Some(RUNS_AT_ONCE),
            before,
            is_trash: false,
        };
        let page: RunCards = ask(desk, "list_runs", request).await?;
        let is_last = page.runs.len() < RUNS_AT_ONCE as usize;
        runs.extend(page.runs);
        if is_last {
            return Ok(runs);
        }
    }
}

/// `galley runs`.
pub(crate) async fn runs(desk: &Desk, asked: Runs) -> Result<u8, ApiError> {
    let runs = all_runs(desk, asked.search.as_deref()).await?;
    if asked.json {
        runs.iter().try_for_each(output::write_json)?;
        return Ok(0);
    }
    if runs.is_empty() {
        output::tell(match asked.search {
            Some(_) => "No run is found with these words",
            None => "There is no run yet; `galley run ai-news --input user_topic=\"…\"` starts one",
        });
        return Ok(0);
    }
    let rows: Vec<Vec<String>> = runs.iter().map(row).collect();
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
        RunStatus::WaitingForDisk => "waiting for the disk",
        RunStatus::Finished => "finished",
        RunStatus::Failed => "failed",
        RunStatus::Limited => "limited",
        RunStatus::Waiting => "waiting",
        RunStatus::Cancelled => "cancelled",
        RunStatus::Interrupted => "interrupted",
    }
}
