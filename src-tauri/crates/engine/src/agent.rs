//! What an agent is: a context in, events out, nothing else.

use async_trait::async_trait;
use kernel::Outline;

use crate::{AgentError, Cx};

/// What an agent tells the one that called it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flow {
    /// Go on.
    #[default]
    Continue,
    /// End the innermost loop that contains me. Never shown to the person by itself: that is `surface`.
    ExitLoop,
    /// End the run here, as finished.
    End,
}

impl Flow {
    /// Of two requests the one that reaches further.
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
    /// Its picture: name, contract, children. The tree that runs is the tree that is drawn.
    fn outline(&self) -> &Outline;

    /// Does its work.
    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError>;
}
