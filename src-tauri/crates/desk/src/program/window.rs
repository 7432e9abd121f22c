//! The interface to the window around the page: what the desk can request from it, and what it reports to the page.
//!
//! A terminal and the bridge have no window, so commands that need one return an error.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use kernel::{Code, phrase};
use tokio::sync::{broadcast, watch};

use crate::api::{
    ChoosePaths, CloseWindow, Closing, HostCard, Menu, Nothing, Notice, PathKind, Paths, ShowMenu, ShowTray,
    WatchItem,
};
use crate::{ApiError, Desk};

/// The setting of notifications: `on`, `off`, or `ask` until the person decides.
const NOTIFICATIONS: &str = "notifications";
/// Capacity of the channel to a page that does not read yet.
const UNREAD: usize = 64;

/// The requests of the desk to the window around the page.
#[async_trait]
pub trait Window: Send + Sync {
    /// Closes, hides or keeps the window.
    fn close(&self, how: Closing);
    /// Shows a dialog to choose files or folders; empty when the person cancels it.
    async fn choose(&self, kind: PathKind) -> Vec<PathBuf>;
    /// Shows a dialog to save a file of this name; `None` when the person cancels it.
    async fn choose_target(&self, name: &str) -> Option<PathBuf>;
    /// Shows a folder in the system's file manager.
    ///
    /// # Errors
    /// The system's message.
    fn show_folder(&self, folder: &Path) -> Result<(), String>;
    /// Shows a file in its folder in the system's file manager.
    ///
    /// # Errors
    /// The system's message.
    fn show_file(&self, file: &Path) -> Result<(), String>;
    /// The version of the web view; empty where it is unknown.
    fn web_view(&self) -> String;
    /// Puts these menus into the menu bar, where there is one.
    fn show_menu(&self, menus: Vec<Menu>);
    /// Lists these runs in the tray, where there is one.
    fn show_tray(&self, tray: ShowTray);
    /// Notifies the person, unless the window has the focus.
    fn notify(&self, notice: Notice);
}

/// The channel from the window to the page, and the notifications of changed runs.
pub(crate) struct WindowLink {
    pub(crate) window: Option<Arc<dyn Window>>,
    pub(crate) to_page: broadcast::Sender<WatchItem>,
    /// Changes whenever a run starts, ends or asks.
    pub(crate) pulse: Arc<watch::Sender<()>>,
}

impl WindowLink {
    pub(crate) fn new(window: Option<Arc<dyn Window>>) -> WindowLink {
        WindowLink { window, to_page: broadcast::Sender::new(UNREAD), pulse: Arc::default() }
    }
}

impl Desk {
    /// Sends an item to every page that follows the list of runs. False when there is none.
    pub fn tell_page(&self, item: WatchItem) -> bool {
        self.inner.window_link.to_page.send(item).is_ok()
    }

    pub(crate) async fn describe_host(&self, _: Nothing) -> Result<HostCard, ApiError> {
        let is_window = self.inner.window_link.window.is_some();
        Ok(HostCard { is_window, damage: None, remarks: self.remarks() })
    }

    pub(crate) async fn choose_paths(&self, request: ChoosePaths) -> Result<Paths, ApiError> {
        let chosen = self.window()?.choose(request.kind).await;
        // A path that is no text could not be sent back.
        Ok(Paths { paths: chosen.iter().filter_map(|path| path.to_str().map(str::to_owned)).collect() })
    }

    pub(crate) async fn close_window(&self, request: CloseWindow) -> Result<Nothing, ApiError> {
        self.window()?.close(request.how);
        Ok(Nothing {})
    }

    pub(crate) async fn show_menu(&self, request: ShowMenu) -> Result<Nothing, ApiError> {
        self.window()?.show_menu(request.menus);
        Ok(Nothing {})
    }

    pub(crate) async fn show_tray(&self, tray: ShowTray) -> Result<Nothing, ApiError> {
        self.window()?.show_tray(tray);
        Ok(Nothing {})
    }

    pub(crate) async fn notify(&self, notice: Notice) -> Result<Nothing, ApiError> {
        let window = self.window()?;
        if self.inner.settings.get(NOTIFICATIONS)? != "off" {
            window.notify(notice);
        }
        Ok(Nothing {})
    }

    pub(crate) fn window(&self) -> Result<&Arc<dyn Window>, ApiError> {
        self.inner.window_link.window.as_ref().ok_or_else(|| {
            ApiError::new(
                Code::BadInput,
                phrase!("There is no window around this page; open `galley-desktop` for that"),
            )
        })
    }
}
