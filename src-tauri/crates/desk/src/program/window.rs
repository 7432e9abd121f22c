//! The window around the page, as far as the desk knows of it: what it can be asked for, and what it is told.
//!
//! A host that has no window (a terminal, the bridge) gives none, and what needs one is refused in words.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use kernel::{Code, phrase};
use tokio::sync::{broadcast, watch};

use crate::accounts::settings::KEEP_AWAKE;
use crate::api::{
    ChoosePaths, CloseWindow, Closing, HostCard, Menu, Nothing, Notice, PathKind, Paths, ShowMenu, ShowTray,
    WatchItem,
};
use crate::{ApiError, Desk};

/// The setting of notifications: `on`, `off`, or `ask` as long as nobody has said.
const NOTIFICATIONS: &str = "notifications";
/// Items that a page which does not read yet may fall behind.
const UNREAD: usize = 64;

/// What the desk asks of the window around the page.
#[async_trait]
pub trait Window: Send + Sync {
    /// Closes, hides or keeps the window.
    fn close(&self, how: Closing);
    /// Lets the person choose; nothing when they leave the dialog.
    async fn choose(&self, kind: PathKind) -> Vec<PathBuf>;
    /// Lets the person choose where a file of this name is saved; nothing when they leave the dialog.
    async fn choose_target(&self, name: &str) -> Option<PathBuf>;
    /// Shows a folder in the system's file manager.
    ///
    /// # Errors
    /// Why it could not be shown, in words of the system.
    fn show_folder(&self, folder: &Path) -> Result<(), String>;
    /// Shows a file in its folder in the system's file manager.
    ///
    /// # Errors
    /// Why it could not be shown, in words of the system.
    fn show_file(&self, file: &Path) -> Result<(), String>;
    /// The version of what draws the page; empty where it is not known.
    fn web_view(&self) -> String;
    /// Puts these menus into the menu bar, where there is one.
    fn show_menu(&self, menus: Vec<Menu>);
    /// Lists these runs in the tray, where there is one.
    fn show_tray(&self, tray: ShowTray);
    /// Tells the person, unless they look at the window already.
    fn notify(&self, notice: Notice);
}

/// The way from the window to the page, and the pulse by which the window learns that runs ended.
pub(crate) struct WindowLink {
    pub(crate) window: Option<Arc<dyn Window>>,
    pub(crate) to_page: broadcast::Sender<WatchItem>,
    /// Changes whenever a run begins, ends or asks.
    pub(crate) pulse: Arc<watch::Sender<()>>,
}

impl WindowLink {
    pub(crate) fn new(window: Option<Arc<dyn Window>>) -> WindowLink {
        WindowLink { window, to_page: broadcast::Sender::new(UNREAD), pulse: Arc::default() }
    }
}

impl Desk {
    /// How many runs of this process go on without the person; one that waits for an answer goes on only with them.
    pub fn active_runs(&self) -> usize {
        let live = self.live();
        let goes_on =
            |handle: &&engine::RunHandle| !handle.has_ended() && !self.inner.answers.is_asking(handle.run());
        live.values().filter(goes_on).count()
    }

    /// Whether a run of this process waits for an answer.
    pub fn is_waited_for(&self) -> bool {
        self.live().keys().any(|run| self.inner.answers.is_asking(run))
    }

    /// Waits until runs go on without the person and their setting wants the machine to stay awake for them.
    pub async fn until_awake_is_wanted(&self) {
        let mut pulse = self.inner.window_link.pulse.subscribe();
        let is_off = || self.inner.settings.get(KEEP_AWAKE).is_ok_and(|value| value == "false");
        while self.active_runs() == 0 || is_off() {
            if pulse.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    /// Waits until no run goes on without the person.
    pub async fn until_quiet(&self) {
        let mut pulse = self.inner.window_link.pulse.subscribe();
        while self.active_runs() > 0 {
            if pulse.changed().await.is_err() {
                return;
            }
        }
    }

    /// Tells every page that follows the list of runs. False when none does.
    pub fn tell_page(&self, item: WatchItem) -> bool {
        self.inner.window_link.to_page.send(item).is_ok()
    }

    pub(crate) async fn describe_host(&self, _: Nothing) -> Result<HostCard, ApiError> {
        let is_window = self.inner.window_link.window.is_some();
        Ok(HostCard { is_window, damage: None, remarks: self.remarks() })
    }

    pub(crate) async fn choose_paths(&self, request: ChoosePaths) -> Result<Paths, ApiError> {
        let chosen = self.window()?.choose(request.kind).await;
        // What cannot be written as text could not come back either.
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
