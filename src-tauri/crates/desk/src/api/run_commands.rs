//! The person's commands to a run: edit, answer, resume, correct, fork, replay, export.

use std::collections::BTreeMap;

use kernel::{EventKind, Gate, Json, LimitName, OnFailure, Phrase, ReviewAction, Seq};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::AgentSettings;

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
    /// Whether this begins a version of its own, also where the last one is the person's: when they sat down
    /// anew, or saved on purpose. What they type on without this continues their version.
    #[serde(default)]
    pub is_new_version: bool,
}

/// What the person does at the review desk of a run.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ReviewDraft {
    /// The run.
    pub run: String,
    /// What they do.
    pub action: ReviewAction,
}

/// What the person changes of the visit of places.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ChangeVisit {
    /// The run.
    pub run: String,
    /// The key with the places.
    pub key: String,
    /// What is changed.
    pub operation: itinerary::Operation,
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
    /// The number of the event that asks; where it is not given, the only question that is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub question: Option<Seq>,
    /// The answer: a text; of a permission a [`PermissionAnswer`](kernel::PermissionAnswer).
    pub value: Json,
}

/// How to go on.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ResumeRun {
    /// The run.
    pub run: String,
    /// New limits by name; nothing lifts one.
    pub limits: BTreeMap<LimitName, Option<f64>>,
    /// New limits of single agents, by agent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, BTreeMap<LimitName, Option<f64>>>>")]
    pub agent_limits: BTreeMap<String, BTreeMap<LimitName, Option<f64>>>,
    /// Tools that may act without asking.
    pub allow: Vec<String>,
    /// Where the run stops and asks, by the agent or by the place of one call of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, Gate>>")]
    pub gates: BTreeMap<String, Gate>,
    /// What is done from here on where a model fails for good; as before when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fallback: Option<OnFailure>,
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
    /// The temperature of every agent from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// What single agents run with from there, by name.
    pub agents: BTreeMap<String, AgentSettings>,
    /// Limits from there; nothing lifts one.
    pub limits: BTreeMap<LimitName, Option<f64>>,
    /// The profile from there.
    pub profile: Option<String>,
    /// Tools that may act without asking.
    pub allow: Vec<String>,
    /// Where the run stops and asks, by the agent or by the place of one call of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, Gate>>")]
    pub gates: BTreeMap<String, Gate>,
    /// What takes the place of the answer at event `at`: of a tool its output, of a model its text, of an agent's question what the person says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub result: Option<Json>,
}

/// How a step of a plan is done again, or what its result should be.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ForkStep {
    /// The run.
    pub run: String,
    /// The moment at which the step was seen: what was carried out behind it does not count. Nothing means the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seq: Option<Seq>,
    /// The step.
    pub step: String,
    /// Its input, where it is done again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub input: Option<Json>,
    /// Its result, where it is not done again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub result: Option<Json>,
}

/// Where a run stops and asks from here on.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SetGates {
    /// The run.
    pub run: String,
    /// By the agent or by the place of one call of it; a gate that stops at no side is taken away.
    pub gates: BTreeMap<String, Gate>,
}

/// A word to a run that goes on.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SayToRun {
    /// The run.
    pub run: String,
    /// What is said.
    pub text: String,
}

/// Where a replay and its records part.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Difference {
    /// The number of the recorded event; of one that is missing in the records, the last before it.
    pub seq: Seq,
    /// The place.
    pub path: String,
    /// One sentence.
    pub phrase: Phrase,
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
    /// The id of one of the formats that the run offers.
    pub format: String,
    /// Kinds of events to leave out of the journal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<EventKind>>")]
    pub without: Vec<EventKind>,
    /// What to leave out of a whole run, by the words of [`ExportThing`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub left_out: Vec<String>,
}

/// A file with a run that Galley exported.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportRun {
    /// Where it lies.
    pub path: String,
}

/// What became of a file with a run.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportedRun {
    /// The run.
    pub run: String,
    /// Whether the same run was here before, so that nothing was stored.
    pub was_here: bool,
    /// The kinds of things that were left out of the file, by their words.
    pub left_out: Vec<String>,
}

/// A kind of things that can be left out of a whole run.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ExportThing {
    /// The word by which it is left out.
    pub word: String,
    /// Its title for people.
    pub title: Phrase,
    /// How much of it the run holds.
    pub count: u32,
}

/// The formats that a run can be exported in, in the order in which they are offered.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ExportFormats {
    /// The formats.
    pub formats: Vec<ExportFormat>,
}

/// One format of exports.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ExportFormat {
    /// The word by which it is asked for.
    pub id: String,
    /// Its title for people.
    pub title: Phrase,
    /// The ending of its files, without the dot.
    pub extension: String,
    /// Its media type.
    pub media_type: String,
    /// Whether kinds of events can be left out of it.
    pub leaves_out: bool,
    /// Whether prompts, pages and the like can be left out of it.
    pub redacts: bool,
}

/// An export.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Exported {
    /// A file name that fits.
    pub file_name: String,
    /// Its media type.
    pub media_type: String,
    /// The content: text, or Base64.
    pub content: String,
    /// Whether the content is Base64, because the file is no text.
    pub is_base64: bool,
    /// The beginning of what is in it as text, to be shown; at most 20 000 characters.
    pub preview: String,
    /// Of the run's text, in whichever format, its forms for copying.
    pub forms: Option<TextForms>,
    /// A picture of the first page, where there are pages: PNG in Base64.
    pub picture: Option<String>,
    /// What is in it.
    pub contents: ExportContents,
}

/// A text in the two forms in which it is copied.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct TextForms {
    /// As Markdown.
    pub markdown: String,
    /// As a web page: what a program that takes rich text pastes.
    pub html: String,
}

/// What an export contains.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ExportContents {
    /// Lines of text.
    pub lines: u32,
    /// Events of the run; 0 when only its result is exported.
    pub events: u32,
    /// Prompts sent to models, with the answers.
    pub prompts: u32,
    /// Answers of models without their prompts.
    pub answers: u32,
    /// Tool calls, with what they returned.
    pub tool_calls: u32,
    /// Web addresses.
    pub links: u32,
    /// Places where a key stood and was replaced.
    pub redactions: u32,
    /// Of a whole run, whether the file is larger than what can be imported.
    pub is_too_large: bool,
    /// Of a whole run, what can be left out of it.
    pub things: Vec<ExportThing>,
}
