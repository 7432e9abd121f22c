//! The three ways to compose agents: one after the other, beside each other, in rounds.

use std::sync::Arc;

use async_trait::async_trait;
use futures::future::join_all;
use kernel::{AgentKind, CallRange, Contract, Outline};

use crate::agent::{Agent, Flow};
use crate::{AgentError, Cx};

/// Runs its children one after the other.
pub struct SequentialAgent {
    outline: Outline,
    children: Vec<Arc<dyn Agent>>,
}

impl SequentialAgent {
    /// A sequence under a name and a title.
    pub fn new(name: &str, title: &str, children: Vec<Arc<dyn Agent>>) -> SequentialAgent {
        SequentialAgent { outline: outline(name, title, AgentKind::Sequential, 1, &children), children }
    }
}

#[async_trait]
impl Agent for SequentialAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        for child in &self.children {
            if cx.run(child.as_ref()).await? == Flow::ExitLoop {
                return Ok(Flow::ExitLoop);
            }
        }
        Ok(Flow::Continue)
    }
}

/// Runs its children beside each other. One that fails lets the others finish; then all failures
/// are named. A request to end the loop holds after all have finished.
pub struct ParallelAgent {
    outline: Outline,
    children: Vec<Arc<dyn Agent>>,
}

impl ParallelAgent {
    /// Branches under a name and a title.
    pub fn new(name: &str, title: &str, children: Vec<Arc<dyn Agent>>) -> ParallelAgent {
        ParallelAgent { outline: outline(name, title, AgentKind::Parallel, 1, &children), children }
    }
}

#[async_trait]
impl Agent for ParallelAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let mut branches: Vec<Cx> = self.children.iter().map(|child| cx.branch(child.as_ref())).collect();
        let running = branches.iter_mut().zip(&self.children).map(async |(branch, child)| {
            let result = branch.live(child.as_ref()).await;
            // What a branch did last does not wait unseen for its siblings.
            branch.shared.writer.commit().await?;
            result
        });
        let results = join_all(running).await;
        cx.join(branches);
        let mut flow = Flow::Continue;
        let mut failures = Vec::new();
        for (child, result) in self.children.iter().zip(results) {
            match result {
                Ok(Flow::ExitLoop) => flow = Flow::ExitLoop,
                Ok(Flow::Continue) => {}
                Err(error) => failures.push((child.outline().name.clone(), error)),
            }
        }
        match worst(failures) {
            None => Ok(flow),
            Some(error) => Err(error),
        }
    }
}

/// What stops the run goes before what fails an agent; a limit alone stays a limit.
fn worst(mut failures: Vec<(String, AgentError)>) -> Option<AgentError> {
    if let Some(index) = failures.iter().position(|(_, error)| matches!(error, AgentError::Waiting(_)))
        && failures.iter().all(|(_, error)| matches!(error, AgentError::Waiting(_)) || !error.stops_run())
    {
        return Some(failures.swap_remove(index).1);
    }
    if let Some(index) =
        failures.iter().position(|(_, error)| error.stops_run() && !matches!(error, AgentError::Waiting(_)))
    {
        return Some(failures.swap_remove(index).1);
    }
    if !failures.is_empty() && failures.iter().all(|(_, error)| matches!(error, AgentError::Limit { .. })) {
        return failures.pop().map(|(_, error)| error);
    }
    (!failures.is_empty()).then_some(AgentError::Parallel(failures))
}

/// Runs its children in rounds until one of them exits the loop or the rounds are used up.
pub struct LoopAgent {
    outline: Outline,
    max_rounds: u32,
    children: Vec<Arc<dyn Agent>>,
}

impl LoopAgent {
    /// At most `max_rounds` rounds, under a name and a title.
    pub fn new(name: &str, title: &str, max_rounds: u32, children: Vec<Arc<dyn Agent>>) -> LoopAgent {
        let kind = AgentKind::Loop { max_rounds };
        LoopAgent { outline: outline(name, title, kind, max_rounds, &children), max_rounds, children }
    }
}

#[async_trait]
impl Agent for LoopAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        for round in 1..=self.max_rounds {
            let mut within = cx.round(round);
            let mut result = Ok(Flow::Continue);
            for child in &self.children {
                result = within.run(child.as_ref()).await;
                if !matches!(result, Ok(Flow::Continue)) {
                    break;
                }
            }
            cx.adopt(within);
            if result? == Flow::ExitLoop {
                // The request was for this loop: the one around it goes on.
                return Ok(Flow::Continue);
            }
        }
        cx.note(
            "rounds_used_up",
            format!("{} ended after its last round, {}", cx.name(), self.max_rounds),
            serde_json::json!({ "rounds": self.max_rounds }),
        )?;
        Ok(Flow::Continue)
    }
}

fn outline(name: &str, title: &str, agent: AgentKind, rounds: u32, children: &[Arc<dyn Agent>]) -> Outline {
    let children: Vec<Outline> = children.iter().map(|child| child.outline().clone()).collect();
    let calls = CallRange {
        least: children.iter().map(|child| child.calls.least).sum(),
        most: children.iter().map(|child| child.calls.most).sum::<u32>().saturating_mul(rounds),
    };
    Outline {
        name: name.to_owned(),
        title: title.to_owned(),
        agent,
        contract: Contract::default(),
        stream: None,
        calls,
        children,
    }
}
