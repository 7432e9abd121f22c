//! Gates: where a run stops around an agent and asks the person how to continue.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Delta, Path};

/// At which side of an agent the run stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GateSide {
    /// Before it starts.
    Before,
    /// When it has ended well.
    After,
}

impl GateSide {
    /// The path segment of this side. It contains a hyphen, which no agent's name has.
    pub fn place(self) -> &'static str {
        match self {
            GateSide::Before => "stop-before",
            GateSide::After => "stop-after",
        }
    }

    /// The side of the gate at a path, if it is one.
    pub fn of(path: &Path) -> Option<GateSide> {
        [GateSide::Before, GateSide::After].into_iter().find(|side| path.name() == side.place())
    }
}

/// At which sides of an agent the run stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Gate {
    /// Before it starts.
    #[serde(default)]
    pub before: bool,
    /// When it has ended well.
    #[serde(default)]
    pub after: bool,
}

impl Gate {
    /// Whether the run stops at this side.
    pub fn stops(self, side: GateSide) -> bool {
        match side {
            GateSide::Before => self.before,
            GateSide::After => self.after,
        }
    }
}

/// The person's answer at a gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GateAnswer {
    /// Go on.
    GoOn,
    /// Go on with these changes of the state.
    GoOnWith(Delta),
    /// Let the agent work again, with these words.
    AskForChanges(String),
    /// End the run.
    Stop,
}
