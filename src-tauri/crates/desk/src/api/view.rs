//! The state of a run at a moment, without the events before: opens a long run.

use std::collections::BTreeMap;

use kernel::{AgentUsage, EventKind, Gate, Json, KeyChange, Limits, Seq, Touched, Usage};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::JournalEntry;

/// A run at a moment.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunView {
    /// The moment: the number of the last event that counts.
    pub seq: Seq,
    /// When the event of the moment happened, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// The events from which the moment is drawn, in order; what lies between them was left out.
    pub entries: Vec<JournalEntry>,
    /// Events before this one carry by hash what is not short, as if it were large.
    pub whole_from: Seq,
    /// The state: every key with the event that set it. Large values stand by hash.
    pub state: BTreeMap<String, HeldValue>,
    /// What is used up.
    pub usage: Usage,
    /// Agents whose profile was changed since the run began, with the one they ask at the moment.
    pub profiles: BTreeMap<String, String>,
    /// Where the run stops and asks at the moment, by the agent or by the place of one call of it.
    pub gates: BTreeMap<String, Gate>,
    /// What each agent used up, with all that runs below it, and the limits of that which are in force: by its name, of one
    /// instance that has limits of its own by its path.
    pub budgets: BTreeMap<String, Budget>,
    /// Of keys that changed more often than `entries` tell: how many versions there were, and where some of the
    /// older ones are.
    pub changes: BTreeMap<String, KeyChanges>,
    /// What each agent read and wrote so far.
    pub touched: BTreeMap<String, Touched>,
    /// How often each agent was called.
    pub times: BTreeMap<String, u32>,
}

/// What an agent used up and may use up, with all that runs below it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct Budget {
    /// What it used up.
    pub used: AgentUsage,
    /// What it may use up, beside what the run may.
    pub limits: Limits,
}

/// A value of the state.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct HeldValue {
    /// The value.
    pub value: Json,
    /// The event that set it.
    pub seq: Seq,
    /// Who set it.
    pub author: String,
}

/// The changes of a key.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct KeyChanges {
    /// Its versions so far; what one person saves again and again is one.
    pub versions: u32,
    /// The numbers of older changes, not all of them.
    pub older: Vec<Seq>,
}

/// Of every event of a run its kind, its author and whether it is trouble.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EventIndex {
    /// Authors in the order in which they first appear.
    pub authors: Vec<String>,
    /// The kinds, in the order that `marks` counts them.
    pub kinds: Vec<EventKind>,
    /// Of each event, from the first: the index of its kind, and 128 more where it is trouble.
    pub marks: Vec<u8>,
    /// Of each event the index of its author.
    pub by: Vec<u32>,
}

/// A picture of the web that a text names.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct FetchImage {
    /// The run whose text it is.
    pub run: String,
    /// The event after which its texts name it; the last one when not given.
    #[serde(default)]
    pub seq: Option<Seq>,
    /// Its address.
    pub url: String,
}

/// A picture that was fetched.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct FetchedImage {
    /// The picture itself, as an address that leads nowhere.
    pub data_url: String,
}

/// The history of a key.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct KeyHistory {
    /// Every change, oldest first.
    pub changes: Vec<KeyChange>,
}

/// A moment of a run.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Moment {
    /// The run.
    pub run: String,
    /// The event after which; the last one when not given.
    pub seq: Option<Seq>,
}
