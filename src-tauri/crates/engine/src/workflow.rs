//! Composed agents: sequences, parallel branches and loops.

use std::sync::{Arc, PoisonError};

use async_trait::async_trait;
use kernel::{AgentKind, CallRange, Condition, Contract, KeyDeclaration, LoopExit, Outline, RoundMeasures};
use tokio::sync::Semaphore;

use crate::agent::{Agent, Flow};
use crate::error::worst;
use crate::flow_step::{FlowStep, agents_of, leaves, note_agents_skipped, run_steps};
use crate::round::Rounds;
use crate::{AgentError, Cx};

/// Most rounds of a loop, whatever the input says.
const MOST_ROUNDS: u32 = 100;

/// Runs its steps one after the other.
pub struct SequentialAgent {
    outline: Outline,
    steps: Vec<FlowStep>,
    /// Whether this is the root of the tree, where the end of the run takes effect.
    is_root: bool,
}

impl SequentialAgent {
    /// A sequence of agents under a name and a title.
    pub fn new(name: &str, title: &str, children: Vec<Arc<dyn Agent>>) -> SequentialAgent {
        SequentialAgent::of_steps(name, title, Contract::default(), steps_of(children))
    }

    /// A sequence of steps; `contract` has the keys of the steps that are no agents.
    pub fn of_steps(name: &str, title: &str, contract: Contract, steps: Vec<FlowStep>) -> SequentialAgent {
        let outline = outline(name, title, AgentKind::Sequential, contract, &steps);
        SequentialAgent { outline, steps, is_root: false }
    }

    /// Makes it the root of a tree: when a step ends the run, agents that have not started are noted as skipped.
    pub fn root(self) -> SequentialAgent {
        SequentialAgent { is_root: true, ..self }
    }
}

fn steps_of(children: Vec<Arc<dyn Agent>>) -> Vec<FlowStep> {
    children.into_iter().map(FlowStep::Agent).collect()
}

#[async_trait]
impl Agent for SequentialAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let flow = run_steps(cx, &self.steps).await?;
        if self.is_root && flow == Flow::End {
            let skipped: Vec<String> =
                leaves(&self.outline).into_iter().filter(|name| !cx.begun.contains(name)).collect();
            note_agents_skipped(cx, &skipped)?;
        }
        Ok(flow)
    }
}

/// Runs its children concurrently. If one fails, the others finish, and the error names all failures. A request to end
/// the loop or the run takes effect after all have finished.
pub struct ParallelAgent {
    outline: Outline,
    children: Vec<Arc<dyn Agent>>,
    at_most: Option<u32>,
}

impl ParallelAgent {
    /// Branches under a name and a title.
    pub fn new(name: &str, title: &str, children: Vec<Arc<dyn Agent>>) -> ParallelAgent {
        let steps = steps_of(children.clone());
        let outline = outline(name, title, AgentKind::Parallel, Contract::default(), &steps);
        ParallelAgent { outline, children, at_most: None }
    }

    /// Limits how many branches work concurrently.
    pub fn at_most(self, at_most: Option<u32>) -> ParallelAgent {
        ParallelAgent { at_most, ..self }
    }
}

#[async_trait]
impl Agent for ParallelAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let mut branches: Vec<Cx> = self.children.iter().map(|child| cx.branch(child.as_ref())).collect();
        let places = Semaphore::new(self.at_most.map_or(Semaphore::MAX_PERMITS, |most| most.max(1) as usize));
        let running = branches.iter_mut().zip(&self.children).map(async |(branch, child)| {
            // The semaphore is never closed.
            let _place = places.acquire().await;
            let result = branch.start(child.as_ref()).await;
            // The last events of a branch are stored without waiting for its siblings.
            branch.shared.writer.commit().await?;
            result
        });
        let results = cx.run_concurrently(running.collect()).await;
        cx.join(branches);
        let mut flow = Flow::Continue;
        let mut failures = Vec::new();
        for (child, result) in self.children.iter().zip(results) {
            match result {
                Ok(asked) => flow = flow.stronger(asked),
                Err(error) => failures.push((child.outline().name.clone(), error)),
            }
        }
        match worst(failures) {
            None => Ok(flow),
            Some(error) => Err(error),
        }
    }
}

/// The limit of a loop's rounds.
#[derive(Debug, Clone)]
pub enum RoundLimit {
    /// A fixed number.
    Number(u32),
    /// The number under this key, but at most `most`.
    Input {
        /// The key.
        key: String,
        /// Most rounds, for the outline and the estimate.
        most: u32,
    },
}

/// Repeats its steps until one of them exits the loop, its condition holds or the rounds are used up.
pub struct LoopAgent {
    outline: Outline,
    rounds: RoundLimit,
    until: Option<Condition>,
    steps: Vec<FlowStep>,
    measures: RoundMeasures,
}

impl LoopAgent {
    /// Agents in at most `max_rounds` rounds, under a name and a title.
    pub fn new(name: &str, title: &str, max_rounds: u32, children: Vec<Arc<dyn Agent>>) -> LoopAgent {
        let rounds = RoundLimit::Number(max_rounds);
        LoopAgent::of_steps(name, title, Contract::default(), steps_of(children), rounds, None)
    }

    /// A loop of steps; `contract` has the keys of the steps that are no agents.
    pub fn of_steps(
        name: &str,
        title: &str,
        contract: Contract,
        steps: Vec<FlowStep>,
        rounds: RoundLimit,
        until: Option<Condition>,
    ) -> LoopAgent {
        let (RoundLimit::Number(most) | RoundLimit::Input { most, .. }) = rounds;
        let kind = AgentKind::Loop { max_rounds: most };
        let outline = outline(name, title, kind, contract, &steps);
        LoopAgent { outline, rounds, until, steps, measures: RoundMeasures::default() }
    }

    /// Records the result of each round from those of these keys that hold drafts, checks and reviews and are written
    /// inside the loop.
    pub fn told_by(self, keys: &[KeyDeclaration]) -> LoopAgent {
        LoopAgent { measures: RoundMeasures::of(&self.outline, keys), ..self }
    }

    /// Runs the steps of one round. Returns why the loop continues or ends, and whether the run does.
    async fn round(&self, within: &mut Cx, is_last: bool) -> Result<(LoopExit, Flow), AgentError> {
        match run_steps(within, &self.steps).await? {
            // The request was for this loop; an outer loop continues.
            Flow::ExitLoop => {
                return Ok((within.exit.take().unwrap_or(LoopExit::ExitStep), Flow::Continue));
            }
            Flow::End => return Ok((LoopExit::RunEnded, Flow::End)),
            Flow::Continue => {}
        }
        if let Some(until) = &self.until {
            within.value(&until.value.key)?;
            if until.holds(within.view()) {
                return Ok((LoopExit::ConditionHeld, Flow::Continue));
            }
        }
        Ok((if is_last { LoopExit::RoundsUsedUp } else { LoopExit::WentOn }, Flow::Continue))
    }

    fn most_rounds(&self, cx: &Cx) -> Result<u32, AgentError> {
        match &self.rounds {
            RoundLimit::Number(most) => Ok(*most),
            RoundLimit::Input { key, most } => {
                let asked = cx.value(key)?.and_then(|value| value.json().and_then(serde_json::Value::as_f64));
                Ok(asked.map_or(*most, |asked| asked.clamp(1.0, f64::from(*most)) as u32).min(MOST_ROUNDS))
            }
        }
    }
}

#[async_trait]
impl Agent for LoopAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let most = self.most_rounds(cx)?;
        let mut rounds = Rounds::new(&self.measures);
        for number in 1..=most {
            // Rounds without an effect never await, so this yields to other tasks.
            tokio::task::consume_budget().await;
            let mut within = cx.round(number);
            rounds.begin(&within);
            let result = self.round(&mut within, number == most).await;
            let recorded = match &result {
                Ok((exit, _)) => rounds.end(&mut within, number, exit.clone()),
                // The run stops here. The round has not ended and continues when the run resumes.
                Err(error) if error.stops_run() => Ok(()),
                Err(AgentError::Limit { .. }) => rounds.end(&mut within, number, LoopExit::LimitReached),
                Err(_) => rounds.end(&mut within, number, LoopExit::Failed),
            };
            // The loop records the reads of steps that are no agents.
            let reads = within.take_reads();
            cx.adopt(within);
            cx.reads.get_mut().unwrap_or_else(PoisonError::into_inner).extend(reads);
            recorded?;
            let (exit, flow) = result?;
            if exit != LoopExit::WentOn {
                return Ok(flow);
            }
        }
        Ok(Flow::Continue)
    }
}

fn outline(name: &str, title: &str, agent: AgentKind, contract: Contract, steps: &[FlowStep]) -> Outline {
    let mut children: Vec<Outline> = Vec::new();
    for child in agents_of(steps) {
        // An agent that occurs twice in a flow is drawn once.
        if !children.iter().any(|known| known.name == child.outline().name) {
            children.push(child.outline().clone());
        }
    }
    let rounds = if let AgentKind::Loop { max_rounds } = &agent { *max_rounds } else { 1 };
    let calls = CallRange {
        least: least_calls(steps),
        most: agents_of(steps)
            .iter()
            .map(|child| child.outline().calls.most)
            .fold(0, u32::saturating_add)
            .saturating_mul(rounds),
    };
    Outline {
        name: name.to_owned(),
        title: title.to_owned(),
        agent,
        contract,
        stream: None,
        is_on_demand: false,
        calls,
        children,
    }
}

/// Calls without failures: steps under a condition or after a failure may not run.
fn least_calls(steps: &[FlowStep]) -> u32 {
    let least = |step: &FlowStep| match step {
        FlowStep::Agent(agent) => agent.outline().calls.least,
        FlowStep::When { steps, otherwise, .. } => least_calls(steps).min(least_calls(otherwise)),
        FlowStep::Try { steps, .. } => least_calls(steps),
        FlowStep::Act(_) => 0,
    };
    steps.iter().map(least).fold(0, u32::saturating_add)
}
