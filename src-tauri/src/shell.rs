//! The window's implementation for the desk. Each request has a file of its own.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use async_trait::async_trait;
use desk::api::{Closing, Menu, Notice, PathKind, ShowTray};
use tauri::AppHandle;
use tauri_plugin_dialog::{DialogExt, FilePath};
use tauri_plugin_opener::OpenerExt;
use tokio::sync::{oneshot, watch};

use crate::{close_request, menu, notifications};

/// The window of this program; requests before it exists have no effect.
#[derive(Default)]
pub(crate) struct Shell {
    app: OnceLock<AppHandle>,
    /// Since when the page has been asking whether the window may close.
    pub(crate) asking_since: Mutex<Option<Instant>>,
    /// How many notifications can still be clicked.
    pub(crate) open_notices: watch::Sender<usize>,
    /// The page's entries for the tray; `None` before the first ones.
    pub(crate) tray: watch::Sender<Option<ShowTray>>,
}

impl Shell {
    pub(crate) fn belongs_to(&self, app: &AppHandle) {
        // Set once; later calls set the same value.
        let _ = self.app.set(app.clone());
    }
}

#[async_trait]
impl desk::Window for Shell {
    async fn choose(&self, kind: PathKind) -> Vec<PathBuf> {
        let Some(window) = self.app.get().and_then(crate::window::of) else { return Vec::new() };
        let (sender, chosen) = oneshot::channel();
        let dialog = window.dialog().file().set_parent(&window);
        // A receiver that is gone has closed the window.
        let tell = move |chosen: Option<Vec<FilePath>>| drop(sender.send(chosen));
        match kind {
            PathKind::Files => dialog.pick_files(tell),
            PathKind::Folders => dialog.pick_folders(tell),
        }
        let chosen = chosen.await.ok().flatten().unwrap_or_default();
        chosen.into_iter().filter_map(|path| path.into_path().ok()).collect()
    }

    async fn choose_target(&self, name: &str) -> Option<PathBuf> {
        let window = self.app.get().and_then(crate::window::of)?;
        let (sender, chosen) = oneshot::channel();
        let dialog = window.dialog().file().set_parent(&window).set_file_name(name);
        dialog.save_file(move |target: Option<FilePath>| drop(sender.send(target)));
        chosen.await.ok().flatten()?.into_path().ok()
    }

    fn close(&self, how: Closing) {
        if let Some(app) = self.app.get() {
            close_request::close(app, self, how);
        }
    }

    fn show_folder(&self, folder: &Path) -> Result<(), String> {
        let Some(app) = self.app.get() else { return Err("the window is not there yet".to_owned()) };
        app.opener().open_path(folder.to_string_lossy(), None::<&str>).map_err(|error| error.to_string())
    }

    fn show_file(&self, file: &Path) -> Result<(), String> {
        let Some(app) = self.app.get() else { return Err("the window is not there yet".to_owned()) };
        app.opener().reveal_item_in_dir(file).map_err(|error| error.to_string())
    }

    fn web_view(&self) -> String {
        tauri::webview_version().unwrap_or_default()
    }

    fn show_menu(&self, menus: Vec<Menu>) {
        if let Some(app) = self.app.get() {
            menu::show(app, menus);
        }
    }

    fn show_tray(&self, wanted: ShowTray) {
        self.tray.send_replace(Some(wanted));
    }

    fn notify(&self, notice: Notice) {
        if let Some(app) = self.app.get() {
            notifications::show(app, notice);
        }
    }
}
