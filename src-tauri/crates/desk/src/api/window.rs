//! The page's commands to its window, where there is one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{DamageCard, DoctorLine, ExportRun};

/// What becomes of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Closing {
    /// As its own button does: it closes, or asks first where runs go on.
    Ask,
    /// It hides, and the runs go on.
    Keep,
    /// The runs are stopped and stored, and it closes.
    Stop,
    /// It stays.
    Cancel,
}

/// The answer to a window that was asked to close.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct CloseWindow {
    /// What becomes of it.
    pub how: Closing,
}

/// What is around the page.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct HostCard {
    /// Whether it is a window of its own, with dialogs, notifications and an end; a browser's tab has none of them.
    pub is_window: bool,
    /// Why there is no desk behind the page, and what can be done; none where there is one.
    pub damage: Option<DamageCard>,
    /// Settings that have no effect as they stand, one line each as the doctor has them.
    pub remarks: Vec<DoctorLine>,
}

/// Something to tell the person while they look elsewhere.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Notice {
    /// The run that it is about; a click on it shows that run.
    pub run: String,
    /// One line.
    pub title: String,
    /// What happened, in plain text.
    pub text: String,
}

/// The menu bar, column by column.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ShowMenu {
    /// The columns from the left.
    pub menus: Vec<Menu>,
}

/// A column of the menu bar.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Menu {
    /// What it is called.
    pub title: String,
    /// What stands in it.
    pub entries: Vec<MenuEntry>,
}

/// An entry of a menu.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MenuEntry {
    /// A command of the page.
    Command {
        /// Its id, which the page receives when it is chosen.
        id: String,
        /// What it is called.
        title: String,
        /// Its keys as the page writes them, `mod+shift+s`; empty for none.
        keys: String,
    },
    /// A command that the system does itself.
    Standard {
        /// Which.
        command: StandardCommand,
        /// What it is called.
        title: String,
    },
    /// A line between others.
    Rule,
}

/// What the system does itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StandardCommand {
    /// Takes the program off the screen.
    Hide,
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
    /// Cuts out what is selected.
    Cut,
    /// Copies what is selected.
    Copy,
    /// Puts in what was copied.
    Paste,
    /// Selects everything.
    SelectAll,
    /// Makes the window small.
    Minimize,
    /// Makes the window as large as the screen, or as it was.
    FullScreen,
}

/// The runs that the tray lists, in the language of the page. Without runs there is no icon in the tray.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ShowTray {
    /// The tooltip of the icon.
    pub title: String,
    /// The runs that work or wait for an answer.
    pub runs: Vec<TrayRun>,
    /// The label of the entry that shows the window.
    pub show: String,
    /// The label of the entry that closes the window.
    pub quit: String,
}

/// A run that the tray lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TrayRun {
    /// Its id.
    pub run: String,
    /// Its title and what it does, one line.
    pub title: String,
}

/// What is to be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PathKind {
    /// Any number of files.
    Files,
    /// Any number of folders.
    Folders,
}

/// What a person is asked to choose with the system's own dialog.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ChoosePaths {
    /// Of which kind.
    pub kind: PathKind,
}

/// What was chosen; nothing when the dialog was left.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Paths {
    /// Paths on this machine.
    pub paths: Vec<String>,
}

/// What is saved as a file: the program makes it, so that the page writes nothing of its own choosing.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FileContent {
    /// The export of a run.
    Run(ExportRun),
    /// Settings and profiles without keys.
    Settings,
}

/// A file to be saved where the person chooses.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SaveFile {
    /// What is in it.
    pub content: FileContent,
}

/// Where it was saved.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SavedFile {
    /// Its path; nothing when the dialog was left.
    pub path: Option<String>,
}
