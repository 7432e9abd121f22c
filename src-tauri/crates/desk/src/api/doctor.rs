//! What the doctor tells.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// This program.
    Program,
    /// The operating system.
    System,
    /// What draws the page.
    WebView,
    /// Where everything is kept.
    DataFolder,
    /// The history.
    Database,
    /// The person's library.
    Library,
    /// Whom profiles can ask.
    Providers,
    /// Where keys are kept.
    Keyring,
    /// One profile.
    Profile,
    /// One search source.
    Source,
    /// The list of feeds.
    Feeds,
    /// Where this process has been.
    Hosts,
    /// What calls cost.
    Prices,
}

impl Topic {
    /// Its name in the program's own words; the page has its own for every language.
    pub fn words(self) -> &'static str {
        match self {
            Topic::Program => "Galley",
            Topic::System => "System",
            Topic::WebView => "Web view",
            Topic::DataFolder => "Data folder",
            Topic::Database => "Database",
            Topic::Library => "Library",
            Topic::Providers => "Providers",
            Topic::Keyring => "Keyring",
            Topic::Profile => "Profile",
            Topic::Source => "Search source",
            Topic::Feeds => "Feeds",
            Topic::Hosts => "Hosts contacted",
            Topic::Prices => "Prices",
        }
    }
}

/// One line of the doctor's report.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DoctorLine {
    /// What was looked at.
    pub topic: Topic,
    /// The same in words, with which one it is.
    pub name: String,
    /// Which one of several it is: the name of the profile or source; empty where there is one.
    pub subject: String,
    /// Whether it is well.
    pub is_well: bool,
    /// What was found.
    pub found: String,
    /// What to do, when it is not well.
    pub fix: String,
}

/// The doctor's report.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DoctorReport {
    /// Line by line.
    pub lines: Vec<DoctorLine>,
    /// The same as a text for strangers: without the person's folders, names of profiles and addresses.
    pub redacted: String,
}
