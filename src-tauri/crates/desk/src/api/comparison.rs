//! Two runs compared.

use std::collections::BTreeMap;

use kernel::{CheckResult, Json, LimitName, Outcome, Usage};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{AgentSettings, RunCard};
use crate::ApiError;

/// Two runs to be compared.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct CompareRuns {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
}

/// Two runs beside each other. Lists have only what differs, but for the checks.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunComparison {
    /// The one.
    pub one: ComparedRun,
    /// The other.
    pub other: ComparedRun,
    /// Inputs that differ.
    pub inputs: Vec<ComparedValue>,
    /// Agents whose settings differ.
    pub agents: Vec<ComparedAgent>,
    /// Limits that differ.
    pub limits: BTreeMap<LimitName, [Option<f64>; 2]>,
    /// Tools that differ, by slot.
    pub tools: BTreeMap<String, [Option<String>; 2]>,
    /// Every check of either run.
    pub checks: Vec<ComparedCheck>,
    /// The resulting texts, from the one to the other.
    pub text: Vec<ComparedText>,
    /// Other values at the end that differ.
    pub values: Vec<ComparedValue>,
}

/// One of two compared runs.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ComparedRun {
    /// As in the list.
    pub card: RunCard,
    /// The hash of its pipeline's definition: two versions differ in it.
    pub version: String,
    /// How it ended; `null` while it is open.
    pub outcome: Option<Outcome>,
    /// Why, unless it simply finished.
    pub error: Option<ApiError>,
    /// What it used up.
    pub usage: Usage,
    /// Issues of its reviews at the end; `null` without a review.
    pub issues: Option<u32>,
}

/// A value in two runs; `null` where a run does not have it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ComparedValue {
    /// The key.
    pub key: String,
    /// Its title.
    pub title: String,
    /// In the one.
    pub one: Option<Json>,
    /// In the other.
    pub other: Option<Json>,
}

/// The settings of an agent in two runs; `null` where a run does not have it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ComparedAgent {
    /// The agent.
    pub agent: String,
    /// In the one.
    pub one: Option<AgentSettings>,
    /// In the other.
    pub other: Option<AgentSettings>,
}

/// A check in two runs; `null` where a run does not have it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ComparedCheck {
    /// Its name.
    pub name: String,
    /// In the one.
    pub one: Option<CheckResult>,
    /// In the other.
    pub other: Option<CheckResult>,
}

/// How a part of a text changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ComparedPart {
    /// It is in both texts.
    Same,
    /// It is in the one alone.
    Removed,
    /// It is in the other alone.
    Added,
}

/// A part of two texts.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ComparedText {
    /// Where it is.
    pub part: ComparedPart,
    /// The text.
    pub text: String,
}
