//! The steps of composed agents: agents, conditions, handled failures, and small actions between them.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use kernel::{AgentKind, Condition, Delta, LoopExit, Note, Outline};

use crate::agent::{Agent, Flow};
use crate::{AgentError, Cx};

/// The effects of an action on the run.
#[derive(Debug, Clone, Default)]
pub struct Acted {
    /// Notes, appended before the change.
    pub notes: Vec<Note>,
    /// The change of the state; empty for none.
    pub delta: Delta,
    /// Whether the change is shown to the person.
    pub surface: bool,
    /// How the flow continues.
    pub flow: Flow,
}

/// An action of a composed agent: reads the state and returns what to change.
pub type Action = Arc<dyn Fn(&Cx) -> Result<Acted, AgentError> + Send + Sync>;

/// One step of a composed agent.
#[derive(Clone)]
pub enum FlowStep {
    /// An agent.
    Agent(Arc<dyn Agent>),
    /// Steps that run when a condition holds, and others when it does not.
    When {
        /// The condition.
        condition: Condition,
        /// What runs when it holds.
        steps: Vec<FlowStep>,
        /// What runs when it does not.
        otherwise: Vec<FlowStep>,
    },
    /// Steps whose failure does not end the flow.
    Try {
        /// The steps.
        steps: Vec<FlowStep>,
        /// Steps that run when a tool failed.
        on_tool_failure: Option<Vec<FlowStep>>,
        /// Steps that run when an answer could not be used.
        on_malformed: Option<Vec<FlowStep>>,
        /// Steps that run when a limit was reached; the limit ends the run all the same.
        on_limit: Option<Vec<FlowStep>>,
    },
    /// An action of the composed agent itself.
    Act(Action),
}

impl FlowStep {
    fn agents(&self) -> Vec<&Arc<dyn Agent>> {
        match self {
            FlowStep::Agent(agent) => vec![agent],
            FlowStep::When { steps, otherwise, .. } => agents_of(steps.iter().chain(otherwise)),
            FlowStep::Try { steps, on_tool_failure, on_malformed, on_limit } => {
                let answers = [on_tool_failure, on_malformed, on_limit].into_iter().flatten().flatten();
                agents_of(steps.iter().chain(answers))
            }
            FlowStep::Act(_) => Vec::new(),
        }
    }
}

pub(crate) fn agents_of<'a>(steps: impl IntoIterator<Item = &'a FlowStep>) -> Vec<&'a Arc<dyn Agent>> {
    steps.into_iter().flat_map(FlowStep::agents).collect()
}

/// Names of the agents without children at or below an outline.
pub(crate) fn leaves(outline: &Outline) -> Vec<String> {
    let works = |agent: &&Outline| {
        agent.children.is_empty() && matches!(agent.agent, AgentKind::Llm | AgentKind::Custom)
    };
    outline.walk().into_iter().filter(works).map(|agent| agent.name.clone()).collect()
}

/// Runs steps in order until one fails, ends its loop or ends the run.
pub(crate) fn run_steps<'a>(
    cx: &'a mut Cx,
    steps: &'a [FlowStep],
) -> BoxFuture<'a, Result<Flow, AgentError>> {
    async move {
        for step in steps {
            let flow = run_step(cx, step).await?;
            if flow != Flow::Continue {
                return Ok(flow);
            }
        }
        Ok(Flow::Continue)
    }
    .boxed()
}

async fn run_step(cx: &mut Cx, step: &FlowStep) -> Result<Flow, AgentError> {
    match step {
        FlowStep::Agent(agent) => cx.run(agent.as_ref()).await,
        FlowStep::When { condition, steps, otherwise } => {
            cx.value(&condition.value.key)?;
            let (taken, left) =
                if condition.holds(cx.view()) { (steps, otherwise) } else { (otherwise, steps) };
            note_skipped(cx, left, taken)?;
            run_steps(cx, taken).await
        }
        FlowStep::Try { steps, on_tool_failure, on_malformed, on_limit } => {
            let error = match run_steps(cx, steps).await {
                Ok(flow) => return Ok(flow),
                Err(error) => error,
            };
            let (answer, ends) = match &error {
                error if error.stops_run() => (None, true),
                AgentError::Limit { .. } => (on_limit.as_ref(), true),
                error if error.is_malformed() => (on_malformed.as_ref(), false),
                error if error.is_of_tool() => (on_tool_failure.as_ref(), false),
                _ => (None, true),
            };
            let Some(answer) = answer else { return Err(error) };
            if error.is_of_tool() {
                cx.report(error.to_error());
            }
            let outer = cx.set_failure(Some(error.to_error()));
            let result = run_steps(cx, answer).await;
            cx.set_failure(outer);
            let flow = result?;
            if ends { Err(error) } else { Ok(flow) }
        }
        FlowStep::Act(action) => {
            let acted = action(cx)?;
            if acted.flow == Flow::ExitLoop {
                cx.exit_loop(LoopExit::ExitStep);
            }
            cx.carry_out(acted).await
        }
    }
}

impl Cx {
    /// Appends the notes and the change of an action, and returns how the flow continues.
    ///
    /// # Errors
    /// As [`Cx::note`] and [`Cx::change`].
    pub async fn carry_out(&mut self, acted: Acted) -> Result<Flow, AgentError> {
        let Acted { notes, delta, surface, flow } = acted;
        for note in notes {
            self.note(note)?;
        }
        match (delta.is_empty(), surface) {
            (true, _) => {}
            (false, true) => self.surface(delta).await?,
            (false, false) => self.change(delta).await?,
        }
        Ok(flow)
    }
}

/// Notes the agents that are skipped: those in `left` that have not started and are not in `taken`. Inside a round it
/// notes nothing, because the next round may run them.
fn note_skipped(cx: &mut Cx, left: &[FlowStep], taken: &[FlowStep]) -> Result<(), AgentError> {
    if cx.path().innermost_round().is_some() {
        return Ok(());
    }
    let names = |steps| -> BTreeSet<String> {
        agents_of(steps).into_iter().flat_map(|agent| leaves(agent.outline())).collect()
    };
    let instead = names(taken);
    let skipped: Vec<String> = agents_of(left)
        .into_iter()
        .flat_map(|agent| leaves(agent.outline()))
        .filter(|name| !instead.contains(name) && !cx.begun.contains(name))
        .collect();
    note_agents_skipped(cx, &skipped)?;
    // Each agent has one place in the flow, so it is noted once.
    Arc::make_mut(&mut cx.begun).extend(skipped);
    Ok(())
}

/// Notes the skipped agents, if there are any.
pub(crate) fn note_agents_skipped(cx: &mut Cx, agents: &[String]) -> Result<(), AgentError> {
    if agents.is_empty() {
        return Ok(());
    }
    cx.note(Note::Skipped { agents: agents.to_vec() })
}
