//! The flow of a pipeline: its steps and their order.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::agent::TemplateValue;
use super::condition::{Condition, KeyPath};

/// The flow, which becomes the root of the tree.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlowDefinition {
    /// The name of the root; by default the pipeline's id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its steps, one after the other.
    pub steps: Vec<Step>,
}

/// The limit of a loop's rounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number of rounds, or the key of an input that tells it")]
pub enum Rounds {
    /// A fixed number.
    Number(u32),
    /// The number in the input with this key.
    Input(String),
}

/// The steps that run when a step fails, by the kind of its failure.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FailureSteps {
    /// When a tool failed.
    pub on_tool_failure: Vec<Step>,
    /// When an answer could not be used, not even after its repair.
    pub on_malformed: Vec<Step>,
    /// When a limit was reached. The run ends afterwards, with the result of these steps.
    pub on_limit: Vec<Step>,
}

/// An agent on demand, once for each item of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ForEach {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The list.
    pub items: KeyPath,
    /// The agent.
    pub run: String,
    /// Most concurrent instances; `None`: all.
    pub at_most: Option<u32>,
    /// The key that takes the outputs in the order of the items; null for one that failed.
    pub collect: String,
    /// The key for the failures, each with its `number`, `item` and `error`. Without it the step fails when an item
    /// does, after all instances have ended.
    pub failures: Option<String>,
    /// Whether tool calls and requests of its instances go through the queue, to the workers of the agent's role.
    pub queue: bool,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// An agent by name.
    Agent(String),
    /// Steps one after the other, as one stage.
    Sequence {
        /// Its name.
        name: String,
        /// Its title.
        title: String,
        /// The steps.
        steps: Vec<Step>,
    },
    /// Concurrent steps.
    Parallel {
        /// Its name.
        name: String,
        /// Its title.
        title: String,
        /// The branches.
        steps: Vec<Step>,
        /// Most concurrent branches; `None`: all.
        at_most: Option<u32>,
    },
    /// An agent on demand, once for each item of a list.
    ForEach(ForEach),
    /// Repeated steps.
    Loop {
        /// Its name.
        name: String,
        /// Its title.
        title: String,
        /// The steps of a round.
        steps: Vec<Step>,
        /// Most rounds.
        rounds: Rounds,
        /// The condition that ends it after a round.
        until: Option<Condition>,
    },
    /// Steps that run when a condition holds.
    When {
        /// The condition.
        condition: Condition,
        /// What runs when it holds.
        steps: Vec<Step>,
        /// What runs when it does not.
        otherwise: Vec<Step>,
    },
    /// Steps whose failure does not end the flow.
    Try {
        /// The steps.
        steps: Vec<Step>,
        /// The steps that run when one fails.
        failures: FailureSteps,
    },
    /// Sets keys.
    Set(IndexMap<String, TemplateValue>),
    /// Sets keys and shows the change to the person.
    Surface(IndexMap<String, TemplateValue>),
    /// Runs a function of code, by name, which changes the state and may end the loop or the run.
    Run {
        /// The function.
        function: String,
        /// Keys it uses when they are there.
        reads: Vec<String>,
        /// Keys it writes.
        writes: Vec<String>,
    },
    /// Adds a note, by id.
    Note(String),
    /// Ends the innermost loop.
    ExitLoop,
    /// Ends the run.
    End,
}

#[cfg(test)]
mod tests;
