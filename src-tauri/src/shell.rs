//! The window as the desk may ask for it. What each wish does is in a file of its own.

use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use desk::api::{Closing, Notice};
use tauri::AppHandle;
use tauri_plugin_opener::OpenerExt;
use tokio::sync::watch;

use crate::{leaving, notices};

/// The window of this program; before it is there nobody can have a wish.
#[derive(Default)]
pub(crate) struct Shell {
    app: OnceLock<AppHandle>,
    /// Since when the page asks whether the window may close.
    pub(crate) asking_since: Mutex<Option<Instant>>,
    /// How many notifications can still be clicked.
    pub(crate) open_notices: watch::Sender<usize>,
}

impl Shell {
    pub(crate) fn belongs_to(&self, app: &AppHandle) {
        // Set once; a second time it is the same.
        let _ = self.app.set(app.clone());
    }
}

impl desk::Window for Shell {
    fn close(&self, how: Closing) {
        if let Some(app) = self.app.get() {
            leaving::close(app, self, how);
        }
    }

    fn show_folder(&self, folder: &Path) -> Result<(), String> {
        let Some(app) = self.app.get() else { return Err("the window is not there yet".to_owned()) };
        app.opener().open_path(folder.to_string_lossy(), None::<&str>).map_err(|error| error.to_string())
    }

    fn web_view(&self) -> String {
        tauri::webview_version().unwrap_or_default()
    }

    fn notify(&self, notice: Notice) {
        if let Some(app) = self.app.get() {
            notices::show(app, notice);
        }
    }
}
