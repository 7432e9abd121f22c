//! What an agent is: a context in, events out, nothing else.

use async_trait::async_trait;
use kernel::Outline;

use crate::{AgentError, Cx};

/// What an agent tells the one that called it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the innermost loop that contains me. Never shown to the person by itself: that is `surface`.
    ExitLoop,
}

/// An agent. Between two effects its code is deterministic: no clock, no randomness, no I/O of its own.
#[async_trait]
pub trait Agent: Send + Sync {
    /// Its picture: name, contract, children. The tree that runs is the tree that is drawn.
    fn outline(&self) -> &Outline;

    /// Does its work.
    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError>;
}
