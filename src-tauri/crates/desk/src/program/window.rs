//! The interface to the window around the page: what the desk can request from it, and what it reports to the page.
//!
//! A terminal and the bridge have no window, so commands that need one return an error.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use kernel::{Code, phrase};
use tokio::sync::broadcast;

use crate::ApiError;
use crate::api::{
    ChoosePaths, CloseWindow, Closing, HostCard, Menu, Nothing, Notice, PathKind, Paths, ShowMenu, ShowTray,
    WatchItem,
};
use crate::program::ProgramService;

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

/// The window around the page, and the channel to the page. Clones share them.
#[derive(Clone)]
pub(crate) struct WindowLink {
    pub(crate) window: Option<Arc<dyn Window>>,
    pub(crate) to_page: broadcast::Sender<WatchItem>,
}

impl WindowLink {
    pub(crate) fn new(window: Option<Arc<dyn Window>>) -> WindowLink {
        WindowLink { window, to_page: broadcast::Sender::new(UNREAD) }
    }

    /// The window around the page.
    ///
    /// # Errors
    /// `bad_input` where the host has none.
    pub(crate) fn window(&self) -> Result<&Arc<dyn Window>, ApiError> {
        self.window.as_ref().ok_or_else(|| {
            ApiError::new(
                Code::BadInput,
                phrase!("There is no window around this page; open `galley-desktop` for that"),
            )
        })
    }

    /// Sends an item to every page that follows the list of runs. False when there is none.
    pub(crate) fn tell_page(&self, item: WatchItem) -> bool {
        self.to_page.send(item).is_ok()
    }
}

impl ProgramService {
    /// Sends an item to every page that follows the list of runs. False when there is none.
    pub fn tell_page(&self, item: WatchItem) -> bool {
        self.window_link.tell_page(item)
    }

    /// Whether the host has a window around the page.
    pub(crate) fn has_window(&self) -> bool {
        self.window_link.window.is_some()
    }

    pub(crate) async fn describe_host(&self, _: Nothing) -> Result<HostCard, ApiError> {
        Ok(HostCard { is_window: self.has_window(), damage: None, remarks: self.remarks() })
    }

    pub(crate) async fn choose_paths(&self, request: ChoosePaths) -> Result<Paths, ApiError> {
        let chosen = self.window_link.window()?.choose(request.kind).await;
        // A path that is no text could not be sent back.
        Ok(Paths { paths: chosen.iter().filter_map(|path| path.to_str().map(str::to_owned)).collect() })
    }

    pub(crate) async fn close_window(&self, request: CloseWindow) -> Result<Nothing, ApiError> {
        self.window_link.window()?.close(request.how);
        Ok(Nothing {})
    }

    pub(crate) async fn show_menu(&self, request: ShowMenu) -> Result<Nothing, ApiError> {
        self.window_link.window()?.show_menu(request.menus);
        Ok(Nothing {})
    }

    pub(crate) async fn show_tray(&self, tray: ShowTray) -> Result<Nothing, ApiError> {
        self.window_link.window()?.show_tray(tray);
        Ok(Nothing {})
    }

    pub(crate) async fn notify(&self, notice: Notice) -> Result<Nothing, ApiError> {
        let window = self.window_link.window()?;
        if self.settings.get(NOTIFICATIONS)? != "off" {
            window.notify(notice);
        }
        Ok(Nothing {})
    }
}
