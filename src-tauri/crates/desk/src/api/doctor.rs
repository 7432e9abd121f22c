//! The report of the doctor.

use interpreter::DefinitionFault;
use kernel::Phrase;
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
    /// Who may read it.
    Access,
    /// The history.
    Database,
    /// Whole copies of it.
    Backups,
    /// The settings.
    Settings,
    /// The person's library.
    Library,
    /// The person's own pipelines.
    Pipelines,
    /// One of them that cannot run.
    Pipeline,
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
    /// Whom profiles ask.
    Server,
    /// A model server on this machine.
    LocalServer,
    /// The queue of workers on other machines.
    Queue,
    /// Who gets the spans of runs.
    Collector,
}

impl Topic {
    /// Its English name; the page translates it.
    pub fn words(self) -> &'static str {
        match self {
            Topic::Program => "Galley",
            Topic::System => "System",
            Topic::WebView => "Web view",
            Topic::DataFolder => "Data folder",
            Topic::Access => "Access",
            Topic::Database => "Database",
            Topic::Backups => "Backups",
            Topic::Settings => "Settings",
            Topic::Library => "Library",
            Topic::Pipelines => "Pipelines",
            Topic::Pipeline => "Pipeline",
            Topic::Providers => "Providers",
            Topic::Keyring => "Keyring",
            Topic::Profile => "Profile",
            Topic::Source => "Search source",
            Topic::Feeds => "Feeds",
            Topic::Hosts => "Hosts contacted",
            Topic::Prices => "Prices",
            Topic::Server => "Server",
            Topic::LocalServer => "On this machine:",
            Topic::Queue => "Queue",
            Topic::Collector => "Collector",
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
    /// The same by its kind, for other languages.
    pub finding: Finding,
    /// What to do, when it is not well.
    pub fix: String,
    /// The same by its kind, for other languages.
    pub remedy: Remedy,
}

/// What a setting would have to be that has no effect as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// Nothing: there is no such setting.
    Nothing,
    /// A text in quotes.
    Text,
    /// A text in quotes, or a list of them.
    Texts,
    /// A number.
    Number,
    /// A table.
    Table,
}

/// What the doctor found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Finding {
    /// In words that have no kind of their own.
    Text {
        /// They.
        phrase: Phrase,
    },
    /// What draws the page does not tell its version.
    UnknownVersion,
    /// Nobody but the owner may read the data folder.
    OnlyOwner,
    /// Others may.
    OthersMayRead {
        /// The first thing that they may read.
        path: String,
    },
    /// A database of which everything can be read.
    WholeDatabase {
        /// Where it is.
        file: String,
        /// How many runs it holds.
        runs: u32,
        /// How many large values.
        values: u32,
    },
    /// One of which something cannot be read.
    DamagedDatabase {
        /// Where it is.
        file: String,
        /// How many runs are damaged.
        runs: u32,
        /// What is wrong, as far as it is known.
        problem: String,
    },
    /// Whole copies of the database.
    Backups {
        /// How many there are.
        count: u32,
        /// Bytes of all of them.
        #[ts(type = "number")]
        bytes: u64,
        /// The name of the newest in the data folder.
        newest: Option<String>,
    },
    /// A setting that has no effect.
    Setting {
        /// What would have one.
        wanted: Wanted,
    },
    /// The library.
    Articles {
        /// How many there are.
        count: u32,
    },
    /// The files of pipelines that can run.
    PipelineFiles {
        /// How many there are.
        count: u32,
    },
    /// A file of a pipeline that cannot run.
    FaultyPipeline {
        /// What is wrong.
        faults: Vec<DefinitionFault>,
    },
    /// No keyring, and none is missed.
    NoKeyring,
    /// A key that the keyring has.
    KeyInKeyring {
        /// Whose it is.
        provider: String,
        /// Its end.
        last_four: String,
    },
    /// A key that is in memory until the program ends.
    KeyForSession {
        /// Whose it is.
        provider: String,
    },
    /// A profile that has no key.
    NoKeyKept {
        /// Whom it asks.
        provider: String,
    },
    /// A key in the environment.
    KeyInEnvironment {
        /// Whose it is; empty for a search source.
        provider: String,
        /// Where it is.
        variable: String,
    },
    /// A key that is to be in the environment and is not.
    VariableNotSet {
        /// Whose it is; empty for a search source.
        provider: String,
        /// Where it is to be.
        variable: String,
    },
    /// A search source without the key that it needs.
    SourceNotSetUp {
        /// Where a key is given out.
        page: String,
    },
    /// A search source that needs no key, and has none.
    SourceWithoutKey,
    /// The list of feeds.
    Feeds {
        /// How many there are.
        count: u32,
        /// Where they stand.
        file: String,
    },
    /// This process sent no search.
    NoHosts,
    /// Who answers, whatever they say.
    Answers,
    /// Who does not.
    DoesNotAnswer,
    /// The prices of the program.
    OwnPrices,
    /// Prices of the person, before those of the program.
    PricesIn {
        /// Where they stand.
        file: String,
    },
}

/// What can be done about what the doctor found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Remedy {
    /// Nothing needs to be.
    Nothing,
    /// The web view of the system is to be installed anew.
    InstallWebView,
    /// The data folder is to be writable.
    MakeWritable,
    /// Others are to be kept out of the data folder.
    MakePrivate {
        /// Where it is.
        folder: String,
    },
    /// The database is held by others or broken.
    FreeDatabase,
    /// What can be read of the database is to be brought into a new one.
    RecoverDatabase,
    /// The settings are to be mended.
    MendSettings {
        /// Where they stand.
        file: String,
    },
    /// The library cannot be read.
    ImportFiles,
    /// A pipeline cannot run.
    MendPipeline {
        /// Its file.
        file: String,
    },
    /// The keyring is locked or away.
    UnlockKeyring,
    /// A profile cannot be used.
    AddProfile {
        /// Its name.
        name: String,
    },
    /// A profile needs a key and has none.
    SaveKey {
        /// Its name.
        name: String,
    },
    /// The variable of a profile is not set.
    SetVariable {
        /// The profile's name.
        name: String,
    },
    /// The variable of a search service is not set.
    SetVariableOfService {
        /// The service's name.
        name: String,
    },
    /// The list of feeds cannot be read.
    MendFeeds,
    /// The table of prices.
    MendPrices,
    /// The network, or the server itself.
    CheckNetwork,
    /// A model server that a profile asks has no model.
    GetModel {
        /// How to get one.
        way: Phrase,
    },
    /// The collector of spans, or its address.
    CheckCollector,
}

/// The doctor's report.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DoctorReport {
    /// Line by line.
    pub lines: Vec<DoctorLine>,
    /// The same as a text for strangers: without the person's folders, names of profiles and addresses.
    pub redacted: String,
}
