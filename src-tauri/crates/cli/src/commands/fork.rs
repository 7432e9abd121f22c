//! `galley fork`: starts a new run at an event of another one, and shows it to its end.

use std::path::PathBuf;

use desk::ApiError;
use desk::api::ForkRun;

use crate::arguments::Fork;
use crate::option_values;
use crate::run_session::RunSession;

/// `galley fork`.
pub(crate) async fn fork(data_dir: Option<PathBuf>, asked: Fork) -> Result<u8, ApiError> {
    let settings = option_values::run_settings(&asked.changes, &asked.bounds.limit)?;
    let set = option_values::values(&asked.set)?;
    let result = asked.result.as_deref().map(option_values::result).transpose()?;
    let mut session = RunSession::begin(data_dir, asked.interaction).await?;
    let before = session.before(&asked.run).await?;
    let request = ForkRun {
        run: before.card.run,
        at: asked.at,
        set,
        temperature: settings.temperature,
        agents: settings.agents,
        limits: settings.limits,
        profile: asked.profile,
        gates: option_values::gates(&asked.bounds.stop_at, &asked.bounds.stop_after),
        allow: asked.bounds.allow,
        result,
    };
    let handle = session.desk.runs().fork(request).await?;
    session.show(&handle, &before.card.pipeline, 1, asked.at.saturating_add(1)).await
}
