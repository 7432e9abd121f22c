//! `galley runs`: lists the history, newest first.

use desk::api::{ListRuns, RunCard, RunCards, RunStatus};
use desk::{ApiError, Desk};

use crate::arguments::Runs;
use crate::desk_client::ask;
use crate::output;
use crate::table::{cell, minute, table};

/// The width of a title in columns.
const TITLE: usize = 60;
/// Runs on one page of the desk's list.
const RUNS_AT_ONCE: u32 = 1_000;

/// The whole history, newest first, from all pages of the desk's list.
pub(crate) async fn all_runs(desk: &Desk) -> Result<Vec<RunCard>, ApiError> {
    let mut runs: Vec<RunCard> = Vec::new();
    loop {
        let before = runs.last().map(|card| card.run.clone());
        let request = ListRuns { limit: Some(RUNS_AT_ONCE), before, ..ListRuns::default() };
        let page: RunCards = ask(desk, "list_runs", request).await?;
        let is_last = page.runs.len() < RUNS_AT_ONCE as usize;
        runs.extend(page.runs);
        if is_last {
            return Ok(runs);
        }
    }
}

/// The runs that contain these words: for people the newest page, for programs all pages.
async fn write_found(desk: &Desk, asked: &Runs) -> Result<(), ApiError> {
    desk.runs().prepare_run_search().await?;
    let mut before = asked.before.clone();
    loop {
        let request = ListRuns { search: asked.search.clone(), before: before.take(), ..ListRuns::default() };
        let page: RunCards = ask(desk, "list_runs", request).await?;
        let Some(last) = page.runs.last().map(|card| card.run.clone()) else {
            if !asked.json {
                output::tell("No run is found with these words");
            }
            return Ok(());
        };
        if !asked.json {
            write_table(&page.runs)?;
            let (shown, found) = (page.runs.len(), page.found.unwrap_or_default());
            if shown < found as usize {
                output::tell(&format!("{shown} of {found} runs are shown; --before {last} shows older ones"));
            }
            return Ok(());
        }
        page.runs.iter().try_for_each(output::write_json)?;
        before = Some(last);
    }
}

/// `galley runs`.
pub(crate) async fn runs(desk: &Desk, asked: Runs) -> Result<u8, ApiError> {
    if asked.search.as_deref().is_some_and(|search| !search.trim().is_empty()) {
        write_found(desk, &asked).await?;
        return Ok(0);
    }
    let runs = all_runs(desk).await?;
    if asked.json {
        runs.iter().try_for_each(output::write_json)?;
        return Ok(0);
    }
    if runs.is_empty() {
        output::tell("There is no run yet; `galley run ai-news --input user_topic=\"…\"` starts one");
        return Ok(0);
    }
    write_table(&runs)?;
    Ok(0)
}

fn write_table(runs: &[RunCard]) -> Result<(), ApiError> {
    let rows: Vec<Vec<String>> = runs.iter().map(row).collect();
    output::write(&table(&["RUN", "BEGAN", "STATUS", "PIPELINE", "TITLE"], &rows))
}

fn row(card: &RunCard) -> Vec<String> {
    let mut title = cell(&card.title, TITLE);
    if let Some(snippet) = &card.snippet {
        title = format!("{title}  … {} …", cell(snippet, TITLE));
    }
    let (began, status) = (minute(card.started_at_ms), word(card.status).to_owned());
    vec![card.run.clone(), began, status, card.pipeline.clone(), title]
}

/// The status of a run in a word.
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
