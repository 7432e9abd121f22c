//! The words of the border: what each command takes and gives.
//!
//! These types become the TypeScript of the page; numbers cross as `number`.

use std::collections::BTreeMap;

pub use kernel::Json;
use kernel::{
    CallRange, Event, EventKind, Fault, KeyChange, KeyDeclaration, LimitName, Limits, Origin, Outcome,
    Outline, Seq, Usage,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

mod view;

pub use view::{EventIndex, HeldValue, KeyChanges, RunView};

/// A request without fields.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct Nothing {}

/// What an input of a pipeline looks like in a form.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct InputField {
    /// The key it sets.
    pub key: String,
    /// Its label.
    pub title: String,
    /// A sentence of help.
    pub help: String,
    /// `text` (one line), `long_text`, `number`, `choice`.
    pub kind: String,
    /// Whether the run cannot start without it.
    pub is_required: bool,
    /// What can be chosen, of a choice.
    pub choices: Vec<String>,
    /// An example that works.
    pub example: String,
    /// Most bytes.
    pub max_bytes: u32,
}

/// A named set of limits.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Preset {
    /// Its name.
    pub name: String,
    /// What it means, with what cannot happen under it.
    pub description: String,
    /// The limits.
    pub limits: Limits,
}

/// A pipeline as it is offered.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PipelineCard {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is for, one line.
    pub purpose: String,
    /// Its inputs.
    pub inputs: Vec<InputField>,
    /// Its tree.
    pub outline: Outline,
    /// Its keys in display order.
    pub keys: Vec<KeyDeclaration>,
    /// Search sources it can use; empty when it does not search.
    pub sources: Vec<String>,
    /// Its limits when nothing else is said.
    pub limits: Limits,
    /// Named sets of limits.
    pub presets: Vec<Preset>,
}

/// All pipelines.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PipelineCards {
    /// By id.
    pub pipelines: Vec<PipelineCard>,
}

/// How to start a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct StartRun {
    /// The pipeline's id.
    pub pipeline: String,
    /// Inputs by key.
    pub inputs: BTreeMap<String, Json>,
    /// The profile; the setting `default_profile` when not given.
    pub profile: Option<String>,
    /// The search source; the setting `default_source` when not given.
    pub source: Option<String>,
    /// The run's clock, `YYYY-MM-DD`; now when not given.
    pub as_of: Option<String>,
    /// A session to belong to; a new one when not given.
    pub session: Option<String>,
    /// Instructions by agent.
    pub instructions: BTreeMap<String, String>,
    /// Models by agent.
    pub models: BTreeMap<String, String>,
    /// Limits by name.
    pub limits: BTreeMap<LimitName, f64>,
    /// Tools that may act without asking.
    pub allow: Vec<String>,
}

/// The run a command made or concerns.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunRef {
    /// Its id.
    pub run: String,
}

/// What the start would cost and whether it can work.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Preflight {
    /// Least and most model calls.
    pub calls: CallRange,
    /// The limits in force.
    pub limits: Limits,
    /// Remarks: a limit that cuts something off, a missing input, in sentences.
    pub remarks: Vec<String>,
}

/// How a run stands, as a list shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// A process works on it.
    Running,
    /// It came to its end.
    Finished,
    /// It could not go on.
    Failed,
    /// A limit ended it.
    Limited,
    /// It waits for an answer.
    Waiting,
    /// It was stopped.
    Cancelled,
    /// Its process died; it can be resumed.
    Interrupted,
}

/// A run in the list.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunCard {
    /// Its id.
    pub run: String,
    /// Its session.
    pub session: String,
    /// Its pipeline.
    pub pipeline: String,
    /// Its title.
    pub title: String,
    /// How it stands.
    pub status: RunStatus,
    /// When it began, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub started_at_ms: i64,
    /// When its last event happened.
    #[ts(type = "number")]
    pub last_at_ms: i64,
    /// The number of its last event.
    pub last_seq: Seq,
    /// Its parent, of a fork.
    pub origin: Option<Origin>,
    /// Whether it stands above the others.
    pub is_pinned: bool,
    /// When it was put into the trash; `null` when it is not there.
    #[ts(type = "number | null")]
    pub trashed_at_ms: Option<i64>,
    /// Where a search found it, with `[[` and `]]` around the hits.
    pub snippet: Option<String>,
}

/// Runs, newest first, or best found first.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunCards {
    /// The runs.
    pub runs: Vec<RunCard>,
}

/// Which runs to list.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ListRuns {
    /// Words to find in titles, drafts and the journal.
    pub search: Option<String>,
    /// Most runs; 200 when not given, 1000 at the most.
    pub limit: Option<u32>,
    /// Only runs that began before this one: the last of one page leads to the next.
    #[ts(optional)]
    pub before: Option<String>,
    /// The runs in the trash instead of the history; without search and `before`.
    #[ts(optional, as = "Option<bool>")]
    pub is_trash: bool,
}

/// What a person says about a run; what is not given stays.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ChangeRun {
    /// The run.
    pub run: String,
    /// Its title; empty for the one it began with.
    #[serde(default)]
    pub title: Option<String>,
    /// Whether it stands above the others.
    #[serde(default)]
    pub is_pinned: Option<bool>,
}

/// A value that an event carries by its hash alone.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ReadValue {
    /// The hash, as in `$stored`.
    pub hash: String,
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
    /// What is used up.
    pub usage: Usage,
    /// The limits it began with.
    pub limits: Limits,
    /// The profile its agents use.
    pub profile: String,
    /// The search source.
    pub source: Option<String>,
    /// The day that counts as today in it, YYYY-MM-DD; `null` when it is the day of the run.
    pub as_of: Option<String>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why.
    pub fault: Option<Fault>,
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
}

/// An event with its sentence.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct JournalEntry {
    /// The event; values above 4 KiB stand by hash.
    pub event: Event,
    /// The sentence.
    pub sentence: String,
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

/// A moment of a run.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Moment {
    /// The run.
    pub run: String,
    /// The event after which; the last one when not given.
    pub seq: Option<Seq>,
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

/// The history of a key.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct KeyHistory {
    /// Every change, oldest first.
    pub changes: Vec<KeyChange>,
}

/// An edit by the person.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditState {
    /// The run.
    pub run: String,
    /// The key.
    pub key: String,
    /// The field of the key's value; the whole value when not given.
    #[serde(default)]
    pub field: Option<String>,
    /// The new value of the field or key.
    pub value: Json,
}

/// Where an event landed.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Landed {
    /// Its number.
    pub seq: Seq,
}

/// An answer of the person.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct AnswerRun {
    /// The run.
    pub run: String,
    /// The answer.
    pub value: String,
}

/// How to go on.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ResumeRun {
    /// The run.
    pub run: String,
    /// New limits by name.
    pub limits: BTreeMap<LimitName, f64>,
    /// Tools that may act without asking.
    pub allow: Vec<String>,
}

/// A correction by hand of a model's answer that could not be used.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct CorrectAnswer {
    /// The run.
    pub run: String,
    /// The event of the answer.
    pub seq: Seq,
    /// The corrected text.
    pub text: String,
}

/// How to fork.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ForkRun {
    /// The parent.
    pub run: String,
    /// The last event that is reused.
    pub at: Seq,
    /// Keys changed from there.
    pub set: BTreeMap<String, Json>,
    /// Instructions by agent from there.
    pub instructions: BTreeMap<String, String>,
    /// Models by agent from there.
    pub models: BTreeMap<String, String>,
    /// Limits from there.
    pub limits: BTreeMap<LimitName, f64>,
    /// The profile from there.
    pub profile: Option<String>,
    /// Tools that may act without asking.
    pub allow: Vec<String>,
}

/// Where a replay and its records part.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Difference {
    /// The number of the recorded event; of one that is missing in the records, the last before it.
    pub seq: Seq,
    /// The place.
    pub path: String,
    /// One sentence.
    pub message: String,
    /// The recorded side.
    pub recorded: Json,
    /// The replayed side.
    pub replayed: Json,
}

/// What a replay found.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ReplayReport {
    /// The run.
    pub run: String,
    /// How many events came out.
    pub events: u32,
    /// How many effects were answered from the records.
    pub effects: u32,
    /// The first difference, if any.
    pub difference: Option<Difference>,
}

/// What to export.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ExportRun {
    /// The run.
    pub run: String,
    /// `md` or `json`.
    pub format: String,
}

/// An export.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Exported {
    /// A file name that fits.
    pub file_name: String,
    /// The content.
    pub content: String,
}

/// A library entry.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct LibraryCard {
    /// Its id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Address, or empty.
    pub url: String,
    /// Where it is from.
    pub source: String,
    /// `YYYY-MM-DD`, or empty.
    pub published: String,
    /// The beginning of the text, or where a search found it.
    pub snippet: String,
}

/// A part of the library.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct LibraryPage {
    /// How many entries there are, or match, in all.
    pub total: u32,
    /// Some of them.
    pub entries: Vec<LibraryCard>,
}

/// What to look for in the library.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ListLibrary {
    /// Words to find; all entries when empty.
    pub search: String,
    /// Most entries; 100 when not given.
    pub limit: Option<u32>,
}

/// Files and folders to import.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportLibrary {
    /// Paths on this machine.
    pub paths: Vec<String>,
}

/// What an import brought.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Imported {
    /// New or changed entries.
    pub added: u32,
    /// Entries that were already there.
    pub unchanged: u32,
    /// What could not be read, each with its reason.
    pub skipped: Vec<String>,
}

/// One thing by its name or id.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Named {
    /// The name or id.
    pub name: String,
}

/// A profile as it is shown: never with its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ProfileCard {
    /// Its name.
    pub name: String,
    /// The provider's id.
    pub provider: String,
    /// Where requests go; empty for the provider's own address.
    #[serde(default)]
    pub base_url: String,
    /// Models by role (`default`, `search`, `write`, `review`).
    #[serde(default)]
    pub models: BTreeMap<String, String>,
    /// The environment variable that holds the key; empty for none.
    #[serde(default)]
    pub key_env: String,
}

/// All profiles.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Profiles {
    /// By name.
    pub profiles: Vec<ProfileCard>,
}

/// A setting.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Setting {
    /// Its key, dotted.
    pub key: String,
    /// Its value; empty text when it is not set.
    #[serde(default)]
    pub value: String,
}

/// One line of the doctor's report.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DoctorLine {
    /// What was looked at.
    pub name: String,
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
}

/// One setting of a service: `services.NAME.SETTING`.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServiceSetting {
    /// The whole key of the setting.
    pub key: String,
    /// What it means.
    pub help: String,
    /// What it is set to, or empty.
    pub value: String,
}

/// An outside service that a search source asks.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServiceCard {
    /// Its name in settings.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Where it is asked unless another base URL is set; empty when there is no usual place.
    pub base_url: String,
    /// Everything that can be set.
    pub settings: Vec<ServiceSetting>,
}

/// A search source, as a form of settings shows it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SourceCard {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What it searches and what it takes.
    pub purpose: String,
    /// `none`, `optional` or `required`.
    pub key: String,
    /// Where a key is given out, or empty.
    pub key_page: String,
    /// The services it asks.
    pub services: Vec<ServiceCard>,
}

/// A host that searches of this process have contacted.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ContactedHost {
    /// Its name, with the port when that is not the usual one.
    pub host: String,
    /// How often.
    #[ts(type = "number")]
    pub requests: u64,
    /// When last, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub last_at_ms: i64,
}

/// Every search source, and where searches have been.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SourceCards {
    /// Alphabetic.
    pub sources: Vec<SourceCard>,
    /// Alphabetic.
    pub contacted: Vec<ContactedHost>,
    /// The file with the list of feeds.
    pub feeds_file: String,
}

/// One item of a watch.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum WatchItem {
    /// An event of the watched run, in order, without gap.
    Event {
        /// The entry.
        entry: JournalEntry,
    },
    /// Text that streams: the whole visible text so far of the agent at this place.
    Text {
        /// The agent's place.
        path: String,
        /// The text so far; empty when the answer is complete.
        text: String,
    },
    /// Everything stored so far was sent; from here on it is live.
    Live {
        /// The last number sent.
        seq: Seq,
    },
    /// A run of the list is new or changed (a watch without a run).
    Run {
        /// The card.
        card: RunCard,
    },
    /// A run left the list: it was put into the trash (a watch without a run).
    RunGone {
        /// Its id.
        run: String,
    },
    /// Why the watch ends.
    Fault {
        /// The fault.
        fault: Fault,
    },
}
