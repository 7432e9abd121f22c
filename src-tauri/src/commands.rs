//! The two commands of the page. The desk has the list of requests.

use desk::ApiError;
use serde_json::Value;
use tauri::{State, ipc::Channel};

use crate::{program::Program, watches::Watches};

/// Answers one request of the page.
#[tauri::command]
pub(crate) async fn rpc(program: State<'_, Program>, cmd: String, payload: Value) -> Result<Value, ApiError> {
    let answer = program.rpc(&cmd, payload).await;
    tracing::debug!(command = cmd, refused = answer.is_err(), "the page was answered");
    answer
}

/// Sends a run's events from `from_seq` on, then live ones, in order; without a run, the list of runs as it changes.
/// With `stop`, ends the watch of the same channel. The channel is closed when the watch ends.
#[tauri::command(rename_all = "snake_case")]
pub(crate) async fn watch(
    program: State<'_, Program>,
    watches: State<'_, Watches>,
    run: Option<String>,
    from_seq: Option<u32>,
    channel: Channel<Value>,
    stop: Option<bool>,
) -> Result<(), ApiError> {
    if stop.unwrap_or(false) {
        watches.stop(channel.id());
        return Ok(());
    }
    watches.reserve(channel.id());
    let desk = program.desk().await.inspect_err(|_| watches.stop(channel.id()))?;
    watches.begin(channel.id(), desk.runs().watch(run, from_seq.unwrap_or(0)), move |item| {
        channel.send(item).is_ok()
    });
    Ok(())
}
