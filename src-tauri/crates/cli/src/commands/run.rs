//! `galley run`: starts a run and shows it to its end.

use std::collections::BTreeMap;
use std::path::PathBuf;

use desk::api::{Nothing, PipelineCards, StartRun};
use desk::{ApiError, Desk};

use crate::arguments::{Run, RunRequest};
use crate::desk_client::ask;
use crate::option_values;
use crate::run_session::RunSession;

/// `galley run`.
pub(crate) async fn run(data_dir: Option<PathBuf>, asked: Run) -> Result<u8, ApiError> {
    // Misspelt options are refused before the desk opens.
    option_values::run_settings(&asked.request.changes, &asked.request.bounds.limit)?;
    // Prepares the search in parallel with the start. If no thread can be started, the first search takes a little
    // longer.
    let _no_matter = std::thread::Builder::new().spawn(desk::prepare_search);
    let mut session = RunSession::begin(data_dir, asked.interaction).await?;
    let request = start_request(&session.desk, asked.request).await?;
    let pipeline = request.pipeline.clone();
    let handle = session.start(request).await?;
    session.show(&handle, &pipeline, 1, 1).await
}

/// The request of a run.
pub(crate) async fn start_request(desk: &Desk, asked: RunRequest) -> Result<StartRun, ApiError> {
    let settings = option_values::run_settings(&asked.changes, &asked.bounds.limit)?;
    Ok(StartRun {
        inputs: option_values::inputs(&asked.input)?,
        limits: settings.limits,
        tools: tools(desk, &asked.pipeline, &asked.tool, asked.source.as_deref()).await?,
        pipeline: asked.pipeline,
        profile: asked.profile,
        as_of: asked.as_of,
        session: asked.session,
        temperature: settings.temperature,
        agents: settings.agents,
        gates: option_values::gates(&asked.bounds.stop_at, &asked.bounds.stop_after),
        allow: asked.bounds.allow,
        fallback: option_values::on_failure(asked.on_failure)?,
        decide_issues: asked.decide_issues,
        ..StartRun::default()
    })
}

/// The requested tools, by the slots of the pipeline.
async fn tools(
    desk: &Desk,
    pipeline: &str,
    given: &[String],
    source: Option<&str>,
) -> Result<BTreeMap<String, String>, ApiError> {
    let cards: PipelineCards = ask(desk, "list_pipelines", Nothing {}).await?;
    let card = cards.pipelines.into_iter().find(|card| card.id == pipeline);
    // If the pipeline does not exist, starting it fails with the reason.
    option_values::tools(given, source, &card.map(|card| card.slots).unwrap_or_default())
}
