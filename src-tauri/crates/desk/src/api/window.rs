//! What the page says to the window around it, where there is one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::DamageCard;

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
