//! `galley resume`: resumes a run and shows it to its end.

use std::path::PathBuf;

use desk::ApiError;
use desk::api::ResumeRun;

use crate::arguments::Resume;
use crate::option_values;
use crate::run_session::RunSession;

/// `galley resume`.
pub(crate) async fn resume(data_dir: Option<PathBuf>, asked: Resume) -> Result<u8, ApiError> {
    let limits = option_values::limits(&asked.bounds.limit)?;
    let mut session = RunSession::begin(data_dir, asked.interaction).await?;
    let before = session.before(&asked.run).await?;
    let request = ResumeRun {
        run: before.card.run,
        limits: limits.of_run,
        agent_limits: limits.of_agents,
        gates: option_values::gates(&asked.bounds.stop_at, &asked.bounds.stop_after),
        allow: asked.bounds.allow,
        fallback: option_values::on_failure(asked.on_failure)?,
    };
    let handle = session.desk.runs().resume(request).await?;
    let from = before.card.last_seq + 1;
    session.show(&handle, &before.card.pipeline, from, from).await
}
