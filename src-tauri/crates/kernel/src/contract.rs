//! The contracts of agents, and the outline of a tree of agents.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The keys an agent uses. Checked before the run, enforced during it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Contract {
    /// Keys that must be there when the agent starts.
    pub reads: Vec<String>,
    /// Keys it uses when they are there.
    pub may_read: Vec<String>,
    /// Keys it may set.
    pub writes: Vec<String>,
}

impl Contract {
    /// Makes a contract from three lists.
    pub fn new(reads: &[&str], may_read: &[&str], writes: &[&str]) -> Contract {
        let owned = |keys: &[&str]| keys.iter().map(|&key| key.to_owned()).collect();
        Contract { reads: owned(reads), may_read: owned(may_read), writes: owned(writes) }
    }

    /// Whether the agent may read this key.
    pub fn allows_read(&self, key: &str) -> bool {
        [&self.reads, &self.may_read, &self.writes].iter().any(|keys| keys.iter().any(|k| k == key))
    }

    /// Whether the agent may set this key.
    pub fn allows_write(&self, key: &str) -> bool {
        self.writes.iter().any(|k| k == key)
    }
}

/// How an agent composes what is below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AgentKind {
    /// Asks a model.
    Llm,
    /// Its children one after the other.
    Sequential,
    /// Its children beside each other.
    Parallel,
    /// Its only child, an agent on demand, once for each item of a list.
    ForEach {
        /// How many at once; all when not given.
        at_most: Option<u32>,
    },
    /// Its children in rounds, until one exits the loop.
    Loop {
        /// Most rounds.
        max_rounds: u32,
    },
    /// Written by hand; calls its children in its own way.
    Custom,
}

/// The field whose text streams while an agent's model answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Stream {
    /// The key that the answer becomes.
    pub key: String,
    /// The field of the answer that is shown as it comes; empty for the whole text.
    pub field: String,
}

/// Least and most model calls of an agent when nothing fails and when everything must be repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct CallRange {
    /// When all goes well.
    pub least: u32,
    /// When every answer needs its repair and every loop its last round.
    pub most: u32,
}

/// The picture of an agent and all below it: checks, forms and stages are drawn from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Outline {
    /// The agent's name, unique in its tree.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// How it composes.
    pub agent: AgentKind,
    /// The keys it uses itself.
    pub contract: Contract,
    /// The field that streams, of a model's agent.
    pub stream: Option<Stream>,
    /// Whether it stands in no step: instances of it are started with an input each.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub is_on_demand: bool,
    /// Model calls of this agent and all below it in one pass.
    pub calls: CallRange,
    /// What is below it, in order.
    pub children: Vec<Outline>,
}

impl Outline {
    /// This outline and all outlines below it, parents first.
    pub fn walk(&self) -> Vec<&Outline> {
        let mut all = vec![self];
        for child in &self.children {
            all.extend(child.walk());
        }
        all
    }
}
