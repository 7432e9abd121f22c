//! `galley runs`: the history, newest first.

use desk::api::{ListRuns, RunCard, RunCards, RunStatus};
use desk::{ApiError, Desk};

use crate::arguments::Runs;
use crate::desk_client::ask;
use crate::output;
use crate::table::{cell, minute, table};

/// The width of a title, in columns.
const TITLE: usize = 60;
/// How many runs one page of the desk's list holds.
const RUNS_AT_ONCE: u32 = 1_000;

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
