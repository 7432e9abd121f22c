//! The decision about a tool call, and the rules for it.
//!
//! Decision and rule are stored with the call, so that a replay reads them there. Not here: the order in which rules
//! decide (`engine`), and where the rules of the settings are stored (`desk`).

use std::fmt::{Display, Formatter};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Hash, Json, NeededInput};

/// What a permission covers, written `TOOL` or `TOOL@PLACE`: all calls of a tool, or those at one place, which is a host or
/// a folder. That of a foreign tool may hold for the tool only as it was described then, written `TOOL#VERSION`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub struct Rule {
    /// The tool's name.
    pub tool: String,
    /// The tool as it was described then; however it is described when not given.
    pub version: Option<String>,
    /// The host or folder; every place when not given.
    pub place: Option<String>,
}

/// The hexadecimal digits of a version's hash in a rule: enough against a crafted collision.
const VERSION_SIGNS: usize = 32;

impl Rule {
    /// A host or folder in its normal form for comparison: `Example.org.` becomes `example.org`.
    pub fn place(text: &str) -> String {
        text.trim().trim_end_matches('.').to_lowercase()
    }

    /// A version in the form of a rule.
    pub fn version(hash: &Hash) -> String {
        hash.0.chars().take(VERSION_SIGNS).collect()
    }

    /// Whether the rule covers a call of this tool at this place. A call without a place is covered only by a rule for
    /// all.
    pub fn covers(&self, tool: &str, place: Option<&str>) -> bool {
        self.tool == tool && self.place.as_deref().is_none_or(|own| place == Some(own))
    }

    /// Whether the rule is for the present description of the tool.
    pub fn is_of_version(&self, version: Option<&Hash>) -> bool {
        self.version.as_ref().is_none_or(|own| version.is_some_and(|now| *own == Rule::version(now)))
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.tool)?;
        self.version.iter().try_for_each(|version| write!(f, "#{version}"))?;
        self.place.iter().try_for_each(|place| write!(f, "@{place}"))
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> String {
        rule.to_string()
    }
}

/// What decided about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// A rule of the settings that forbids it.
    Never,
    /// A grant of the run.
    Run,
    /// A rule of the settings that allows it.
    Always,
    /// The tool itself: it only looks, or acts in the run's own folder.
    Default,
    /// The person, at the question.
    Person,
    /// Nobody was there to be asked.
    Nobody,
}

/// Whether a call may be made, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Decision {
    /// Whether it may.
    pub is_allowed: bool,
    /// What decided.
    pub by: DecidedBy,
    /// The rule, where one decided or was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rule: Option<Rule>,
    /// Why the person refused, in their words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
    /// Whether the person changed the input.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub is_changed: bool,
}

impl Decision {
    /// A decision without a rule.
    pub fn of(is_allowed: bool, by: DecidedBy) -> Decision {
        Decision { is_allowed, by, rule: None, reason: None, is_changed: false }
    }

    /// A decision by a rule.
    pub fn by_rule(is_allowed: bool, by: DecidedBy, rule: Rule) -> Decision {
        Decision { rule: Some(rule), ..Decision::of(is_allowed, by) }
    }
}

/// The answer to the question whether a tool may be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PermissionAnswer {
    /// This call.
    Once,
    /// All that the rule covers, in this run.
    Run,
    /// All that the rule covers, in every run.
    Always,
    /// Not.
    Refuse,
    /// Refused, for a reason that the model reads.
    RefuseBecause(String),
    /// This call with another input.
    Change(Json),
    /// Nobody was there to be asked.
    Nobody,
}

/// Why a call of a tool came to nothing, for the model and the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "failure", rename_all = "snake_case")]
pub enum ToolFailure {
    /// The agent has no such tool.
    NotOffered {
        /// What it has.
        offered: Vec<String>,
    },
    /// The input does not fit the tool's schema.
    BadInput {
        /// Where in the input: `/days/2`; empty for the whole.
        place: String,
    },
    /// It may not be done.
    Refused {
        /// By whom.
        decision: Decision,
    },
    /// The tool failed.
    Failed,
    /// The server of the tool asks the person to sign in, or to allow it more. Nothing was done.
    SignInNeeded {
        /// The name of the server.
        server: String,
        /// What it asks for beside what was allowed.
        scopes: Vec<String>,
    },
    /// It took too long; nothing came of it.
    TimedOut,
    /// It may have been done or not: it can be done only once, and what became of it is not known.
    OutcomeUnknown,
    /// Its server asks something before it goes on: the call is made once more with the answers.
    NeedsInput {
        /// What it asks.
        input: Box<NeededInput>,
    },
}
