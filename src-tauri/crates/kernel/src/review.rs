//! The review desk: the issues of all reviews of a draft with the person's decisions, and the person's own sentences in
//! the draft.
//!
//! Both are in the state under keys with roles, so they are part of the fold. Not here: how an anchor is found
//! (`prose`), and how reviews and edits change them (`pipelines`).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A passage of the draft as a quotation with what stands around it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Anchor {
    /// The passage.
    pub exact: String,
    /// What stands before it; empty at the beginning of the text.
    #[serde(default)]
    pub prefix: String,
    /// What stands behind it; empty at the end of the text.
    #[serde(default)]
    pub suffix: String,
}

/// What became of an issue, by the last review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum IssueStanding {
    /// The last review raises it.
    #[default]
    Open,
    /// The last review raises it again after an earlier one did not.
    CameBack,
    /// The last review does not raise it any more.
    Resolved,
}

/// What the person decided about an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum IssueDecision {
    /// It is to be met.
    Accepted,
    /// The writer does not receive it.
    Dismissed,
}

/// An issue over all reviews of the run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Issue {
    /// Its number, which it keeps from review to review.
    pub id: u32,
    /// What is to be changed, in the words of the last review that raised it.
    pub text: String,
    /// How grave it is, in a word.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub severity: String,
    /// The passage that it concerns; nothing where it concerns the whole draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// What became of it.
    pub standing: IssueStanding,
    /// The number of the first review that raised it, from 1.
    pub first_review: u32,
    /// The number of the last review that raised it.
    pub last_review: u32,
    /// What the person decided; nothing while it is undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<IssueDecision>,
    /// What the person replied.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reply: String,
}

impl Issue {
    /// Whether the last review raises it.
    pub fn is_open(&self) -> bool {
        self.standing != IssueStanding::Resolved
    }

    /// Whether the person hides it from the writer.
    pub fn is_dismissed(&self) -> bool {
        self.decision == Some(IssueDecision::Dismissed)
    }
}

/// The value of a key of issues.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Issues {
    /// How many reviews there were.
    pub reviews: u32,
    /// The issues, in the order in which they were first raised.
    pub issues: Vec<Issue>,
    /// Whether the person dismissed every open issue before the rewrite: the draft is taken as it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_draft_accepted: bool,
}

/// A sentence of the draft that is the person's own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct OwnSentence {
    /// The sentence in the draft.
    pub anchor: Anchor,
    /// The agent's sentence in whose place the person typed it; empty where it is new.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub base: String,
    /// Whether the person typed it; else they locked what an agent wrote.
    pub is_typed: bool,
    /// Whether agents must keep it word for word.
    pub is_locked: bool,
}

/// A sentence of the person against what an agent wrote in its place. The person's stands in the draft.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Collision {
    /// Its number.
    pub id: u32,
    /// What both began from; empty where the sentence was new.
    pub base: String,
    /// The person's sentence.
    pub yours: String,
    /// The agent's sentence; empty where it wrote none.
    pub agents: String,
}

/// The value of a key of own text: which sentences of the draft are the person's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct OwnText {
    /// The draft as an agent wrote it last, where the person has edited it since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The sentences.
    pub sentences: Vec<OwnSentence>,
    /// What the person may merge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collisions: Vec<Collision>,
}

impl OwnText {
    /// The sentences that a text still contains.
    #[must_use]
    pub fn standing_in(mut self, text: &str) -> OwnText {
        self.base = None;
        self.sentences.retain(|sentence| text.contains(&sentence.anchor.exact));
        self.collisions.retain(|collision| text.contains(&collision.yours));
        self
    }
}

/// Which side of a collision the draft takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MergeChoice {
    /// The person's sentence.
    Yours,
    /// The agent's sentence.
    Agents,
    /// What both began from.
    Base,
    /// The person's sentence, and the agent's behind it.
    Both,
}

/// What a person does at the review desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ReviewAction {
    /// Decides about an issue; nothing takes the decision back.
    Decide {
        /// The number of the issue.
        issue: u32,
        /// The decision.
        decision: Option<IssueDecision>,
    },
    /// Replies to an issue; an empty reply takes it away.
    Reply {
        /// The number of the issue.
        issue: u32,
        /// The reply.
        reply: String,
    },
    /// Locks a sentence of the draft for agents, or lets go of it.
    Lock {
        /// The sentence, or a part of it as it is read.
        sentence: String,
        /// Whether agents must keep it.
        is_locked: bool,
    },
    /// Decides a collision.
    Merge {
        /// The number of the collision.
        collision: u32,
        /// What the draft takes.
        take: MergeChoice,
    },
}
