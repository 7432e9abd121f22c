//! Instances of an agent on demand: started with an input each, several at once. What one writes stays within it; only its
//! output leaves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::{join, join_all};
use kernel::{Code, Delta, Error, ITEM, Instance, RESULT, Value, phrase};
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use crate::agent::{Agent, Flow};
use crate::slots::Slot;
use crate::workflow::worst;
use crate::{AgentError, Cx, tool_directory};

/// Most instances that one call starts.
pub const MOST_INSTANCES: usize = 1000;

/// An agent on demand.
#[derive(Clone)]
pub struct OnDemand {
    /// The agent. It finds its input under [`ITEM`] and leaves its output under [`RESULT`].
    pub agent: Arc<dyn Agent>,
    /// JSON Schema of its input.
    pub input: Option<serde_json::Value>,
    /// JSON Schema of its output.
    pub output: Option<serde_json::Value>,
    /// The role of the workers that make the calls of its tools; nothing: they are made in place.
    pub worker: Option<String>,
}

/// How an instance ended.
#[derive(Debug)]
pub struct InstanceEnd {
    /// What it came to, or why it failed.
    pub result: Result<Value, AgentError>,
    /// What its answers cost in US dollars; nothing where no model with a known price answered.
    pub cost: Option<f64>,
    /// How long it worked by the run's own clock, in milliseconds, from the first thing that it asked.
    pub worked_ms: u64,
}

/// What an instance was started with.
pub(crate) struct Started {
    pub(crate) instance: Instance,
    pub(crate) input: Option<serde_json::Value>,
    pub(crate) output: Option<serde_json::Value>,
    /// The role of the workers that make the calls of its tools.
    pub(crate) worker: Option<String>,
}

impl Started {
    /// The same with the item that the person changed at the gate before it.
    pub(crate) fn with_input(&self, input: Value) -> Self {
        let instance = Instance { agent: self.instance.agent.clone(), input };
        Started {
            instance,
            input: self.input.clone(),
            output: self.output.clone(),
            worker: self.worker.clone(),
        }
    }

    /// Runs the agent between the checks of its input and its output. Its loops and its end are its own.
    pub(crate) async fn work(&self, cx: &mut Cx, agent: &dyn Agent) -> Result<Flow, AgentError> {
        self.fits(self.input.as_ref(), &self.instance.input)?;
        agent.run(cx).await?;
        cx.exit = None;
        self.fits(self.output.as_ref(), &cx.output().unwrap_or_default())?;
        Ok(Flow::Continue)
    }

    fn fits(&self, schema: Option<&serde_json::Value>, value: &Value) -> Result<(), Error> {
        let Some(schema) = schema else { return Ok(()) };
        let agent = &self.instance.agent;
        let validator = tool_directory::validator(agent, schema)?;
        let Some(faults) = tool_directory::faults(&validator, value.json_or_null()) else { return Ok(()) };
        let why = faults.why;
        let message = match std::ptr::eq(value, &self.instance.input) {
            true => phrase!("The input of `{agent}` does not fit: {why}", agent, why),
            false => phrase!("The output of `{agent}` does not fit: {why}", agent, why),
        };
        Err(Error::new(Code::BadInput, message))
    }
}

impl Cx {
    /// Runs instances, each of an agent on demand with its input, at most so many at once, and waits for all of them. Gives
    /// how each ended, in their order. One that waits for the person gives its place to the next.
    ///
    /// # Errors
    /// The run was stopped, waits, or reached a limit of its own; or there are more than [`MOST_INSTANCES`].
    pub async fn run_all(
        &mut self,
        started: Vec<(&OnDemand, Value)>,
        at_most: Option<u32>,
    ) -> Result<Vec<InstanceEnd>, AgentError> {
        if started.len() > MOST_INSTANCES {
            let (name, count, most) = (self.name(), started.len(), MOST_INSTANCES);
            let message =
                phrase!("`{name}` is to run for {count} items; at most {most} are run", name, count, most);
            return Err(Error::new(Code::BadInput, message).into());
        }
        if started.is_empty() {
            return Ok(Vec::new());
        }
        let slots =
            Arc::new(Semaphore::new(at_most.map_or(Semaphore::MAX_PERMITS, |most| most.max(1) as usize)));
        let agents: Vec<&dyn Agent> = started.iter().map(|(on_demand, _)| on_demand.agent.as_ref()).collect();
        let mut instances: Vec<Cx> =
            started.into_iter().map(|(on_demand, input)| self.instance(on_demand, input, &slots)).collect();
        // What runs them works no longer itself: its own slot is theirs until the last of them hands it back.
        let (own, cancel) = (self.slot.clone(), self.shared.cancel.clone());
        let left = AtomicUsize::new(instances.len());
        let running = instances.iter_mut().zip(&agents).map(async |(instance, agent)| {
            instance.work_again().await;
            let result = instance.live(*agent).await;
            if left.fetch_sub(1, Ordering::Relaxed) == 1
                && let Some(own) = &own
            {
                own.enter(&cancel).await;
            }
            instance.leave_slot();
            // What an instance did last does not wait unseen for the others.
            instance.shared.writer.commit().await?;
            result.map(|_| instance.output().unwrap_or_default())
        });
        let hand_over = async {
            if let Some(own) = &own {
                own.leave();
            }
        };
        let (results, ()) = join(join_all(running), hand_over).await;
        let measured: Vec<_> = instances.iter().map(|instance| instance.measured()).collect();
        self.leave(instances);
        let stops = |result: &Result<Value, AgentError>| {
            result.as_ref().is_err_and(|error| error.stops_run() || error.is_limit_of_run())
        };
        if results.iter().any(stops) {
            let failures = agents
                .iter()
                .zip(results)
                .filter_map(|(agent, result)| Some((agent.outline().name.clone(), result.err()?)));
            return Err(worst(failures.collect()).unwrap_or(AgentError::Cancelled));
        }
        let ends = results.into_iter().zip(measured);
        Ok(ends.map(|(result, (cost, worked_ms))| InstanceEnd { result, cost, worked_ms }).collect())
    }

    /// What its answers cost, and how long it worked.
    fn measured(&self) -> (Option<f64>, u64) {
        let since = self.first_asked_ms.unwrap_or(self.now.ran_ms);
        (self.spent.rounded_cost(), self.now.ran_ms.saturating_sub(since))
    }

    /// What this instance was started with.
    ///
    /// # Errors
    /// It is no instance, or its input has another shape.
    pub fn input<T: DeserializeOwned>(&self) -> Result<T, AgentError> {
        let input = self.instance.as_ref().map(|started| started.instance.input.clone()).unwrap_or_default();
        self.read_result(&input)
    }

    /// What this instance came to so far; nothing of an agent that is none.
    pub(crate) fn output(&self) -> Option<Value> {
        self.instance.as_ref()?;
        self.state.get(RESULT).cloned()
    }

    fn instance(&mut self, on_demand: &OnDemand, input: Value, slots: &Arc<Semaphore>) -> Cx {
        let name = &on_demand.agent.outline().name;
        let number = self.next_ordinal(name);
        let contract = on_demand.agent.outline().contract.clone();
        let mut instance = self.beneath(self.path.instance(name, number), name, contract);
        instance.state.apply(&Delta {
            set: [(ITEM.to_owned(), input.clone())].into(),
            removed: vec![RESULT.to_owned()],
        });
        instance.first_asked_ms = None;
        instance.instance = Some(Arc::new(Started {
            instance: Instance { agent: name.to_owned(), input },
            input: on_demand.input.clone(),
            output: on_demand.output.clone(),
            worker: on_demand.worker.clone(),
        }));
        instance.slot = Some(Arc::new(Slot::among(slots.clone(), self.slot.clone())));
        instance
    }
}
