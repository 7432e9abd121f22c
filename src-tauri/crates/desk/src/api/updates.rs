//! Newer versions of the program. They are announced, never downloaded.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether there is a newer version.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct CheckUpdate {
    /// Whether the person asks: then the feed is read at once, versions that were put off count too, and an error is shown.
    pub is_asked: bool,
}

/// What is known of newer versions.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct UpdateCard {
    /// The version of this program.
    pub version: String,
    /// The newest version that is newer; none when there is none, it was put off, or the check is off.
    pub newer: Option<Release>,
    /// The package that installed this program; none where it was built here.
    pub package: Option<PackageKind>,
}

/// A kind of package, which tells how the program is updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PackageKind {
    /// Of Debian, Ubuntu and their kin.
    Deb,
    /// Of Fedora, openSUSE and their kin.
    Rpm,
    /// One file that runs where it lies.
    AppImage,
}

/// A version that can be had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Release {
    /// Its version, as semantic versions are written.
    pub version: String,
    /// What is new in it, plain text.
    #[serde(default)]
    pub notes: String,
    /// Where it can be had: an address for a browser, `http` or `https`.
    pub page: String,
}

/// A version that is not to be shown for now.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DismissUpdate {
    /// The version.
    pub version: String,
}
