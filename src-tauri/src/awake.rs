//! Keeps the machine awake during runs, if the setting asks for it.

use std::time::Duration;

use keepawake::{Builder, KeepAwake};
use tauri::{AppHandle, Manager};

use crate::program::Program;

/// How long to wait before retrying a desk that could not be opened: a recovery may open it.
const AGAIN: Duration = Duration::from_secs(30);

/// Follows the runs until the program ends.
pub(crate) fn follow(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        loop {
            let Ok(desk) = app.state::<Program>().desk().await else {
                tokio::time::sleep(AGAIN).await;
                continue;
            };
            desk.runs().until_awake_is_wanted().await;
            let held = tauri::async_runtime::spawn_blocking(hold).await.ok().flatten();
            desk.runs().until_quiet().await;
            drop(held);
        }
    });
}

/// Keeps the machine awake while the result is held; the screen may turn off.
fn hold() -> Option<KeepAwake> {
    let held = Builder::default()
        .display(false)
        .idle(true)
        .sleep(true)
        .reason("A run is working")
        .app_name("Galley")
        .app_reverse_domain("app.galley.desktop")
        .create();
    // A system without a power manager cannot be kept awake, which does not stop a run.
    held.inspect_err(|error| tracing::info!(%error, "the system cannot be kept from sleeping")).ok()
}
