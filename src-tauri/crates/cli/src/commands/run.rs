//! `galley run`: a run begun and shown to its end.

use std::path::PathBuf;

use desk::ApiError;
use desk::api::{Preflight, StartRun};

use crate::arguments::Run;
use crate::desk_client::ask;
use crate::run_session::RunSession;
use crate::{option_values, output};

/// `galley run`.
pub(crate) async fn run(data_dir: Option<PathBuf>, asked: Run) -> Result<u8, ApiError> {
    let option_values::ByAgent { instructions, models } = option_values::changes(&asked.changes)?;
    let request = StartRun {
        inputs: option_values::inputs(&asked.input)?,
        limits: option_values::limits(&asked.bounds.limit)?,
        pipeline: asked.pipeline,
        profile: asked.profile,
        source: asked.source,
        as_of: asked.as_of,
        session: asked.session,
        instructions,
        models,
        profiles: Default::default(),
        allow: asked.bounds.allow,
        fallback: option_values::on_failure(asked.on_failure)?,
    };
    let mut session = RunSession::begin(data_dir, asked.interaction).await?;
    let pipeline = request.pipeline.clone();
    let handle = session.desk.start(request.clone()).await?;
    if !asked.interaction.quiet {
        // Said at once, and not when it has happened. What cannot be said is no reason to leave the run.
        let preflight: Result<Preflight, ApiError> = ask(&session.desk, "preflight", request).await;
        let remarks = preflight.map_or_else(
            |error| vec![output::sentence(&error)],
            |found| found.remarks.iter().cloned().chain(found.time_remark()).collect(),
        );
        remarks.iter().for_each(|remark| output::tell(&format!("Note: {remark}")));
    }
    session.show(&handle, &pipeline, 1, 1).await
}
