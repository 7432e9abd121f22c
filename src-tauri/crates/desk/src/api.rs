//! The API: the request and response of each command.
//!
//! The page's TypeScript is generated from these types; numbers become `number`.

use std::collections::BTreeMap;

pub use evaluation::{Case, DataSet, Judgement, Verdict};
pub use kernel::Json;
use kernel::{
    Event, EventKind, Gate, KeyDeclaration, LimitName, Limits, OnFailure, Outcome, Outline, Seq, Usage,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ApiError;

mod citations;
pub(crate) mod codec;
mod comparison;
mod data;
mod doctor;
mod evaluations;
mod favourites;
mod files;
pub(crate) mod findings;
mod history;
mod keys;
mod library;
mod maps;
mod pipelines;
mod preflight;
mod prices;
mod profiles;
mod questions;
mod queue;
mod repeats;
mod routing;
mod run_commands;
mod schedules;
mod sources;
mod tool_servers;
mod updates;
mod view;
mod watch;
mod window;

pub use citations::{CitationEntry, CitationLedger, CitationVerdict, CitedSource};
pub use comparison::{
    CompareRuns, ComparedAgent, ComparedCheck, ComparedPart, ComparedRun, ComparedText, ComparedValue,
    RunComparison,
};
pub use data::{
    BackupCard, ChangedSetting, DamageCard, DataFolder, ImportSettings, ImportedSettings, NewProfile,
    Recover, Recovered, Replacement, SettingsText,
};
pub use doctor::{DoctorLine, DoctorReport, Finding, Remedy, Topic, Wanted};
pub use evaluations::{
    AddRunToSet, DataSetCard, DataSetCards, EvaluatedCase, EvaluatedCell, EvaluatedChoice, EvaluationCard,
    EvaluationCards, EvaluationChoice, EvaluationRef, EvaluationStatus, EvaluationTable, ResumeEvaluation,
    SaveSet, SetFileForm, SetText, StartEvaluation,
};
pub use favourites::{Favourite, Favourites, SaveFavourite};
pub use files::{FileCard, FilePreview, FileRef, RunFiles};
pub use history::{ChangeRun, ListRuns, RunCard, RunCards, RunStatus};
pub use keys::{
    FoundServer, FoundServers, Ledger, LedgerLine, ProviderCard, Providers, RunCosts, SaveKey, SavedKey,
    TotalUsage,
};
pub use library::{
    DocumentText, ImportLibrary, Imported, LibraryCard, LibraryEntry, LibraryPage, ListLibrary, ReadDocument,
};
pub use maps::{MapFiles, MapTile, TileFormat, TileRef, TileSet};
pub use pipelines::{
    CheckPipeline, CreatePipeline, DefinitionFault, FaultyPipeline, InputField, PipelineCard, PipelineCards,
    PipelineCheck, PipelineRef, PipelineText, Preset, SavePipeline, SavePlanTemplate, SavedPipeline,
    SavedPlanTemplate, SlotCard, SlotChoice,
};
pub use preflight::{Preflight, Span, TimeLimitReason};
pub use prices::{ModelPrice, PriceOf, SetPrice, TokenPrice};
pub use profiles::{
    AddProfile, ModelCard, ModelList, ProfileCard, ProfileTest, Profiles, RemovedProfile, Setting,
    SettingInForce,
};
pub use questions::{
    AddRule, ListQuestions, OpenQuestion, OpenQuestions, PermissionRules, RuleRef, StandingRule,
};
pub use queue::{QueueCard, QueueServer, SaveQueue, WorkerCard};
pub use repeats::{
    Instructions, OwnInstruction, ReadRequest, RewriteRun, RewriteStep, SaveInstruction, SavedInstruction,
};
pub use routing::{RouteRequest, RoutedRequest, RoutingCandidate};
pub use run_commands::{
    AnswerRun, ChangeVisit, CorrectAnswer, Difference, EditState, ExportContents, ExportFormat,
    ExportFormats, ExportRun, ExportThing, Exported, ForkRun, ForkStep, ImportRun, ImportedRun, Landed,
    ReplayReport, ResumeRun, ReviewDraft, SayToRun, SetGates, TextForms,
};
pub use schedule::Missed;
pub use schedules::{
    FiringCard, FiringOutcome, PreviewSchedule, RefusedCall, SaveSchedule, ScheduleCard, ScheduleNeed,
    SchedulePreview, ScheduleStatus, ScheduledTime, Schedules, TimerCard,
};
pub use sources::{ContactedHost, ServiceCard, ServiceSetting, SourceCard, SourceCards};
pub use tool_servers::{
    AddTools, ForeignToolCard, GivenValue, ImportToolServers, ImportedToolServers, ReadServerText,
    RefusedTool, SaveToolServer, ServerPromptArgument, ServerPromptCard, ServerResourceCard, ServerText,
    ServerTexts, SignInToolServer, SignedInCard, ToolServerCard, ToolServerCards, ToolServerSetup,
    ToolServerSignIn, ToolServerTest,
};
pub use updates::{CheckUpdate, DismissUpdate, PackageKind, Release, UpdateCard};
pub use view::{
    Budget, EventIndex, FetchImage, FetchedImage, HeldValue, KeyChanges, KeyHistory, Moment, RunView,
};
pub use watch::WatchItem;
pub use window::{
    ChoosePaths, CloseWindow, Closing, FileContent, HostCard, Menu, MenuEntry, Notice, PathKind, Paths,
    SaveFile, SavedFile, ShowMenu, ShowTray, StandardCommand, TrayRun,
};

/// A request without fields.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct Nothing {}

/// What one agent of a run is to run with; what is not given is as it is for the whole run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct AgentSettings {
    /// The instruction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub instruction: Option<String>,
    /// The profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub profile: Option<String>,
    /// The model; of the profile, when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub model: Option<String>,
    /// The temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// Limits of this agent alone, by name, beside those of the run; nothing lifts one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<LimitName, Option<f64>>>")]
    pub limits: BTreeMap<LimitName, Option<f64>>,
}

/// How to start a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct StartRun {
    /// The pipeline's id.
    pub pipeline: String,
    /// Inputs by key.
    pub inputs: BTreeMap<String, Json>,
    /// What a one-step rewrite begins with beside its inputs, by key: the text as the draft, the person's sentences in it
    /// and its sources.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, Json>>")]
    pub state: BTreeMap<String, Json>,
    /// The title; of the inputs when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    /// The profile; the setting `default_profile` when not given.
    pub profile: Option<String>,
    /// Tools by slot; what is not given is as the pipeline says, else as the setting `default_source` says.
    pub tools: BTreeMap<String, String>,
    /// The run's clock, `YYYY-MM-DD`; now when not given.
    pub as_of: Option<String>,
    /// A session to belong to; a new one when not given.
    pub session: Option<String>,
    /// The temperature of every agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// What single agents run with, by name.
    pub agents: BTreeMap<String, AgentSettings>,
    /// Limits by name; nothing lifts one.
    pub limits: BTreeMap<LimitName, Option<f64>>,
    /// Tools that may act without asking.
    pub allow: Vec<String>,
    /// Where the run stops and asks, by the agent or by the place of one call of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, Gate>>")]
    pub gates: BTreeMap<String, Gate>,
    /// What is done where a model fails for good; the setting `default_fallback` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fallback: Option<OnFailure>,
    /// Whether the person is asked to decide the issues of a review before the draft is rewritten; the setting
    /// `decide_issues` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub decide_issues: Option<bool>,
}

/// The run a command made or concerns.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunRef {
    /// Its id.
    pub run: String,
}

/// A value that an event carries by its hash alone.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ReadValue {
    /// The hash, as in `$stored`.
    pub hash: String,
    /// The run of the event.
    pub run: String,
    /// The event: what is not large enough to be kept apart is looked for in it.
    pub seq: Seq,
}

/// A value brought back.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct WholeValue {
    /// The value.
    pub value: Json,
}

/// A run opened.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunPage {
    /// As in the list.
    pub card: RunCard,
    /// The tree it runs.
    pub outline: Outline,
    /// Its keys in display order.
    pub keys: Vec<KeyDeclaration>,
    /// The texts of the notes that its pipeline makes, by id.
    pub notes: BTreeMap<String, String>,
    /// What its pipeline says of itself in other languages, by language (`zh`, `ja`) and by the English words.
    pub words: BTreeMap<String, BTreeMap<String, String>>,
    /// What is used up.
    pub usage: Usage,
    /// What of it the parent of a fork used before the fork began: it is counted by the limits and was not spent again.
    pub inherited: Usage,
    /// The limits in force now.
    pub limits: Limits,
    /// How often a call is attempted at the most, when its provider does not answer.
    pub most_attempts: u32,
    /// The profile that the first of its agents uses now.
    pub profile: String,
    /// The profile of each agent when the run began; what was changed since stands in a view.
    pub profiles: BTreeMap<String, String>,
    /// The tool behind each slot, by the name under which it is chosen.
    pub tools: BTreeMap<String, String>,
    /// The day that counts as today in it, YYYY-MM-DD; `null` when it is the day of the run.
    pub as_of: Option<String>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why.
    pub error: Option<ApiError>,
    /// Agents whose work was done without a model, because theirs failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub without_model: Vec<String>,
}

/// A window of events.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ReadEvents {
    /// The run.
    pub run: String,
    /// The first number wanted.
    pub from_seq: Seq,
    /// Most events; 500 at the most.
    pub limit: u32,
    /// Whether values above 4 KiB are there whole too.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub is_whole: bool,
}

/// An event of the journal.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct JournalEntry {
    /// The event; values above 4 KiB stand by hash.
    pub event: Event,
    /// What kind of event it is.
    pub kind: EventKind,
    /// Whether it tells of something that went wrong.
    pub is_trouble: bool,
}

/// A window of the journal.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct JournalPage {
    /// In the order of their numbers.
    pub entries: Vec<JournalEntry>,
}

/// The state at a moment.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct StatePage {
    /// The moment.
    pub seq: Seq,
    /// Values by key.
    pub state: BTreeMap<String, Json>,
    /// The exact text of “display all states”.
    pub text: String,
}

/// A key of a run.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct KeyOfRun {
    /// The run.
    pub run: String,
    /// The key.
    pub key: String,
}

/// One thing by its name or id.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Named {
    /// The name or id.
    pub name: String,
}
