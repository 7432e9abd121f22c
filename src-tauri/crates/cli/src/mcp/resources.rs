//! Runs as resources: the resulting text, the draft, and the full report.

use desk::api::{
    ExportRun, Exported, ListRuns, Moment, Nothing, PipelineCards, RunCard, RunCards, RunPage, RunRef,
    RunStatus, StatePage,
};
use desk::{ApiError, Desk, ErrorCode, Phrase, Role, printable};
use rmcp::model::{ListResourcesResult, Resource, ResourceContents, ResourceTemplate};

use crate::commands::show::draft_at;
use crate::desk_client::ask;

/// Runs on a page.
const RUNS_ON_A_PAGE: u32 = 50;
/// Length of a run's id in bytes.
const ID_BYTES: usize = 36;
const MARKDOWN: &str = "text/markdown";

/// The parts of a run that can be read.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Result,
    Draft,
    Report,
}

impl Part {
    const ALL: [Part; 3] = [Part::Result, Part::Draft, Part::Report];

    fn word(self) -> &'static str {
        match self {
            Part::Result => "result",
            Part::Draft => "draft",
            Part::Report => "report",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Part::Result => "The text of the result",
            Part::Draft => "The draft as it is now",
            Part::Report => "The whole run as a page: result, sources, stages, costs, journal",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Part::Result | Part::Draft => MARKDOWN,
            Part::Report => "text/html",
        }
    }

    fn address(self, run: &str) -> String {
        format!("galley://runs/{run}/{}", self.word())
    }
}

/// The resources of one page of runs, newest first; `cursor` is the last run of the page before.
///
/// # Errors
/// As for listing the runs; `not_found` for a cursor that is no run.
pub(crate) async fn list(desk: &Desk, cursor: Option<String>) -> Result<ListResourcesResult, ApiError> {
    let request = ListRuns { limit: Some(RUNS_ON_A_PAGE), before: cursor, ..ListRuns::default() };
    let RunCards { runs, .. } = ask(desk, "list_runs", request).await?;
    let cards: PipelineCards = ask(desk, "list_pipelines", Nothing {}).await?;
    let writes_draft = |pipeline: &str| {
        let card = cards.pipelines.iter().find(|card| card.id == pipeline);
        card.is_some_and(|card| card.keys.iter().any(|key| matches!(key.role, Role::Draft { .. })))
    };
    let next = runs.last().filter(|_| runs.len() == RUNS_ON_A_PAGE as usize).map(|run| run.run.clone());
    let resources = runs.iter().flat_map(|run| {
        let has_result = matches!(run.status, RunStatus::Finished | RunStatus::Limited);
        let has_draft = writes_draft(&run.pipeline);
        let parts = Part::ALL.into_iter().filter(move |part| match part {
            Part::Result => has_result,
            Part::Draft => has_draft,
            Part::Report => true,
        });
        parts.map(|part| resource(run, part))
    });
    let mut page = ListResourcesResult::with_all_items(resources.collect());
    page.next_cursor = next;
    Ok(page)
}

fn resource(run: &RunCard, part: Part) -> Resource {
    let title = printable(&run.title).into_owned();
    Resource::new(part.address(&run.run), format!("{} of {title}", part.word()))
        .with_title(title)
        .with_description(part.description())
        .with_mime_type(part.media_type())
}

/// The templates of the URIs.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = |part: Part| {
        ResourceTemplate::new(part.address("{run}"), part.word())
            .with_description(part.description())
            .with_mime_type(part.media_type())
    };
    Part::ALL.into_iter().map(template).collect()
}

/// The content at a URI.
///
/// # Errors
/// `not_found` if there is none; else as for reading the run.
pub(crate) async fn read(desk: &Desk, address: &str) -> Result<ResourceContents, ApiError> {
    let shown: String = address.chars().take(120).collect();
    let none = |why: &str| {
        let message =
            format!("There is no resource `{shown}`: {why}; resources/list names those that there are");
        ApiError::new(ErrorCode::NotFound, Phrase::verbatim(message))
    };
    let parts = address.strip_prefix("galley://runs/").and_then(|rest| rest.split_once('/'));
    let (run, word) =
        parts.ok_or_else(|| none("an address is galley://runs/RUN/result, …/draft or …/report"))?;
    let part = Part::ALL.into_iter().find(|part| part.word() == word);
    let part = part.ok_or_else(|| none("a run has a result, a draft and a report"))?;
    let unknown = || none("no run of the history has this id");
    // A prefix of an id, or a keyword for one, is no URI.
    if run.len() != ID_BYTES {
        return Err(unknown());
    }
    let page: Result<RunPage, ApiError> = ask(desk, "open_run", RunRef { run: run.to_owned() }).await;
    let page = page.map_err(|error| if error.code == ErrorCode::NotFound { unknown() } else { error })?;
    if page.card.run != run || page.card.trashed_at_ms.is_some() {
        return Err(unknown());
    }
    let text = match part {
        Part::Draft => draft_at(desk, run, None).await?.text,
        Part::Report => {
            let request = ExportRun {
                run: run.to_owned(),
                format: part.word().to_owned(),
                without: Vec::new(),
                left_out: Vec::new(),
            };
            let exported: Exported = ask(desk, "export_run", request).await?;
            exported.content
        }
        Part::Result => {
            let state: StatePage = ask(desk, "state_at", Moment { run: run.to_owned(), seq: None }).await?;
            let key = page.keys.iter().find(|key| matches!(key.role, Role::Final));
            let text = key.and_then(|key| state.state.get(&key.name)).and_then(|value| value.0.as_str());
            text.filter(|text| !text.is_empty())
                .map(str::to_owned)
                .ok_or_else(|| none("the run has no result"))?
        }
    };
    Ok(ResourceContents::text(text, address).with_mime_type(part.media_type()))
}
