//! Instances of an agent on demand: several run concurrently, each with its own input. Their writes stay local; only
//! their outputs leave them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::{join, join_all};
use kernel::{Code, Delta, Error, ITEM, Instance, RESULT, Value, phrase};
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use crate::agent::Agent;
use crate::error::worst;
use crate::instance_start::InstanceStart;
use crate::slots::Slot;
use crate::{AgentError, Cx};

/// Most instances that one call starts.
pub const MOST_INSTANCES: usize = 1000;

/// An agent on demand.
#[derive(Clone)]
pub struct OnDemand {
    /// The agent. It reads its input from [`ITEM`] and writes its output to [`RESULT`].
    pub agent: Arc<dyn Agent>,
    /// JSON Schema of its input.
    pub input: Option<serde_json::Value>,
    /// JSON Schema of its output.
    pub output: Option<serde_json::Value>,
    /// The role of the workers that make its tool calls; `None`: this process makes them.
    pub worker: Option<String>,
}

/// How an instance ended.
#[derive(Debug)]
pub struct InstanceEnd {
    /// Its output, or the error.
    pub result: Result<Value, AgentError>,
    /// The cost of its answers in US dollars; `None` where no model with a known price answered.
    pub cost: Option<f64>,
    /// The working time by the run's own clock, in milliseconds, from its first request.
    pub worked_ms: u64,
}

impl Cx {
    /// Runs instances, each of an agent on demand with its input, at most `at_most` at once, and waits for all of them.
    /// Returns their results in the same order. An instance that waits for the person frees its slot for the next one.
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
        // The caller does not work meanwhile: its instances use its slot until the last of them returns it.
        let (own, cancel) = (self.slot.clone(), self.shared.cancel.clone());
        let left = AtomicUsize::new(instances.len());
        let running = instances.iter_mut().zip(&agents).map(async |(instance, agent)| {
            instance.work_again().await;
            let result = instance.start(*agent).await;
            if left.fetch_sub(1, Ordering::Relaxed) == 1
                && let Some(own) = &own
            {
                own.enter(&cancel).await;
            }
            instance.leave_slot();
            // The last events of an instance are stored without waiting for the other instances.
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

    /// The cost of its answers, and its working time in milliseconds.
    fn measured(&self) -> (Option<f64>, u64) {
        let since = self.first_asked_ms.unwrap_or(self.now.ran_ms);
        (self.spent.rounded_cost(), self.now.ran_ms.saturating_sub(since))
    }

    /// The input of this instance.
    ///
    /// # Errors
    /// This agent is no instance, or its input has another shape.
    pub fn input<T: DeserializeOwned>(&self) -> Result<T, AgentError> {
        let input = self.instance.as_ref().map(|started| started.instance.input.clone()).unwrap_or_default();
        self.read_result(&input)
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
        instance.instance = Some(Arc::new(InstanceStart {
            instance: Instance { agent: name.to_owned(), input },
            input: on_demand.input.clone(),
            output: on_demand.output.clone(),
            worker: on_demand.worker.clone(),
        }));
        instance.slot = Some(Arc::new(Slot::among(slots.clone(), self.slot.clone())));
        instance
    }
}
