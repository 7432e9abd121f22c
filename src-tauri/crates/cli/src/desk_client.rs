//! Opens the desk for commands, and sends it commands of its list.

use std::path::PathBuf;

use desk::api::DoctorLine;
use desk::{ApiError, Desk, ErrorCode, Options, Phrase};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::output;
use crate::table::one_line;

/// Opens the desk for a command that asks no questions.
pub(crate) async fn open(data_dir: Option<PathBuf>) -> Result<Desk, ApiError> {
    open_with(Options { data_dir, ..Options::default() }).await
}

/// Opens the desk, and first reports settings without effect.
pub(crate) async fn open_with(options: Options) -> Result<Desk, ApiError> {
    let desk = Desk::open(options).await?;
    for DoctorLine { name, found, fix, .. } in desk.program().remarks() {
        output::tell(&one_line(&format!("Warning: {name} {found}. {fix}")));
    }
    Ok(desk)
}

/// Sends the desk a command of its list.
pub(crate) async fn ask<T: DeserializeOwned>(
    desk: &Desk,
    command: &str,
    request: impl Serialize,
) -> Result<T, ApiError> {
    let unfit = |error: serde_json::Error| {
        ApiError::new(
            ErrorCode::Internal,
            Phrase::verbatim(format!("`{command}` is not understood inside the program: {error}")),
        )
    };
    let payload = serde_json::to_value(request).map_err(unfit)?;
    serde_json::from_value(desk.rpc(command, payload).await?).map_err(unfit)
}
