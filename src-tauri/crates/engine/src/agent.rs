//! The trait of an agent: it takes a context and appends events, nothing else.

use async_trait::async_trait;
use kernel::Outline;

use crate::{AgentError, Cx};

/// How an agent asks its caller to continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flow {
    /// Go on.
    #[default]
    Continue,
    /// End the innermost loop around this agent. The person sees it only where the event is surfaced.
    ExitLoop,
    /// End the run here, as finished.
    End,
}

impl Flow {
    /// The flow that reaches further of the two.
    pub(crate) fn stronger(self, other: Flow) -> Flow {
        match (self, other) {
            (Flow::End, _) | (_, Flow::End) => Flow::End,
            (Flow::ExitLoop, _) | (_, Flow::ExitLoop) => Flow::ExitLoop,
            (Flow::Continue, Flow::Continue) => Flow::Continue,
        }
    }
}

/// An agent. Between two effects its code is deterministic: no clock, no randomness, no I/O of its own.
#[async_trait]
pub trait Agent: Send + Sync {
    /// The name, contract and children of the agent. The tree that is drawn is built from the same outline.
    fn outline(&self) -> &Outline;

    /// Runs the agent.
    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError>;
}
