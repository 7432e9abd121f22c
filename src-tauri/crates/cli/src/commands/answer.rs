//! `galley answer`: the question of a run answered, and the run shown to its end.

use std::path::PathBuf;

use desk::ApiError;

use crate::arguments::Answer;
use crate::run_session::RunSession;

/// `galley answer`.
pub(crate) async fn answer(data_dir: Option<PathBuf>, asked: Answer) -> Result<u8, ApiError> {
    let mut session = RunSession::begin(data_dir, asked.interaction).await?;
    let before = session.before(&asked.run).await?;
    let handle = session.desk.answer(&before.card.run, asked.value).await?;
    let from = before.card.last_seq + 1;
    session.show(&handle, &before.card.pipeline, from, from).await
}
