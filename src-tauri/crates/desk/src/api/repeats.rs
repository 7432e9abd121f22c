//! Repetitions: of a run with its inputs, and of its text by an instruction.

use std::collections::BTreeMap;

use kernel::{Json, Phrase};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a run was asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ReadRequest {
    /// The run.
    pub run: String,
    /// Inputs that take the place of its own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, Json>>")]
    pub inputs: BTreeMap<String, Json>,
}

/// An instruction of the program.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct OwnInstruction {
    /// Its name.
    pub name: String,
    /// What it does.
    pub title: Phrase,
    /// Whether it needs a language.
    pub takes_language: bool,
}

/// An instruction that the person saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SavedInstruction {
    /// Its name.
    pub name: String,
    /// What the model reads.
    pub text: String,
}

/// Every instruction there is.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Instructions {
    /// Those of the program.
    pub own: Vec<OwnInstruction>,
    /// Those that the person saved, by name.
    pub saved: Vec<SavedInstruction>,
    /// Bytes that the text of an instruction has at the most.
    pub max_bytes: u32,
}

/// An instruction to be saved.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SaveInstruction {
    /// Its name.
    pub name: String,
    /// What the model reads.
    pub text: String,
    /// The saved instruction that it replaces; a new one when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub replaces: Option<String>,
}

/// A rewrite of the text of a run in a linked run of its session.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RewriteRun {
    /// The run.
    pub run: String,
    /// The one step that is done; the whole way from the writer on, with the notes of the review, when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub step: Option<RewriteStep>,
}

/// What a one-step rewrite does: a named instruction, or one in words.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RewriteStep {
    /// The name of an instruction of the program or of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub instruction: Option<String>,
    /// The instruction in words, in place of a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// The language into which is translated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub language: Option<String>,
    /// The profile; that of the run when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub profile: Option<String>,
}
