//! Instances of an agent on demand: started with an input each, several at once. What one writes stays within it; only its
//! output leaves it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::join_all;
use kernel::{Code, Delta, Error, ITEM, Instance, RESULT, Value, phrase};
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::agent::{Agent, Flow};
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
}

/// What an instance was started with.
pub(crate) struct Started {
    pub(crate) instance: Instance,
    input: Option<serde_json::Value>,
    output: Option<serde_json::Value>,
}

impl Started {
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
    /// Runs one instance for each input, at most so many at once, and waits for all of them. Gives what each came to, in the
    /// order of the inputs. One that waits for the person gives its place to the next.
    ///
    /// # Errors
    /// The run was stopped, waits, or reached a limit of its own; or there are more inputs than [`MOST_INSTANCES`].
    pub async fn run_all(
        &mut self,
        on_demand: &OnDemand,
        inputs: Vec<Value>,
        at_most: Option<u32>,
    ) -> Result<Vec<Result<Value, AgentError>>, AgentError> {
        let name = on_demand.agent.outline().name.clone();
        if inputs.len() > MOST_INSTANCES {
            let (count, most) = (inputs.len(), MOST_INSTANCES);
            let message =
                phrase!("`{name}` is to run for {count} items; at most {most} are run", name, count, most);
            return Err(Error::new(Code::BadInput, message).into());
        }
        let seats =
            Arc::new(Semaphore::new(at_most.map_or(Semaphore::MAX_PERMITS, |most| most.max(1) as usize)));
        let mut instances: Vec<Cx> =
            inputs.into_iter().map(|input| self.instance(on_demand, &name, input, &seats)).collect();
        let running = instances.iter_mut().map(async |instance| {
            let seat = instance.seat.clone();
            if let Some(seat) = &seat {
                seat.take().await;
            }
            let result = instance.live(on_demand.agent.as_ref()).await;
            if let Some(seat) = &seat {
                seat.give_back();
            }
            // What an instance did last does not wait unseen for the others.
            instance.shared.writer.commit().await?;
            result.map(|_| instance.output().unwrap_or_default())
        });
        let results = join_all(running).await;
        self.leave(instances);
        let stops = |result: &Result<Value, AgentError>| {
            result.as_ref().is_err_and(|error| error.stops_run() || error.is_limit_of_run())
        };
        if results.iter().any(stops) {
            let failures = results.into_iter().filter_map(Result::err).map(|error| (name.clone(), error));
            return Err(worst(failures.collect()).unwrap_or(AgentError::Cancelled));
        }
        Ok(results)
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

    fn instance(&mut self, on_demand: &OnDemand, name: &str, input: Value, seats: &Arc<Semaphore>) -> Cx {
        let number = self.next_ordinal(name);
        let contract = on_demand.agent.outline().contract.clone();
        let mut instance = self.beneath(self.path.instance(name, number), name, contract);
        instance.state.apply(&Delta {
            set: [(ITEM.to_owned(), input.clone())].into(),
            removed: vec![RESULT.to_owned()],
        });
        instance.instance = Some(Arc::new(Started {
            instance: Instance { agent: name.to_owned(), input },
            input: on_demand.input.clone(),
            output: on_demand.output.clone(),
        }));
        instance.seat = Some(Arc::new(Seat { seats: seats.clone(), held: Mutex::default() }));
        instance
    }
}

/// A place among the instances that work at once. Whoever waits for the person leaves it to the next.
pub(crate) struct Seat {
    seats: Arc<Semaphore>,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    permit: Option<OwnedSemaphorePermit>,
    /// How many branches of the instance wait for the person.
    waiting: usize,
}

impl Seat {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place.
    pub(crate) async fn take(&self) {
        // The semaphore is never closed.
        let permit = self.seats.clone().acquire_owned().await.ok();
        self.held().permit = permit;
    }

    fn give_back(&self) {
        self.held().permit = None;
    }

    /// Leaves the place while a question is open.
    pub(crate) fn leave(self: Arc<Seat>) -> Away {
        let mut held = self.held();
        held.waiting += 1;
        held.permit = None;
        drop(held);
        Away(self)
    }
}

/// A question of the instance is open: its place is left to the next.
pub(crate) struct Away(Arc<Seat>);

impl Away {
    /// Waits for a place again, once no other question of the instance is open.
    pub(crate) async fn come_back(self) {
        let seat = self.0.clone();
        drop(self);
        let is_without = {
            let held = seat.held();
            held.waiting == 0 && held.permit.is_none()
        };
        if is_without {
            seat.take().await;
        }
    }
}

impl Drop for Away {
    fn drop(&mut self) {
        let mut held = self.0.held();
        held.waiting = held.waiting.saturating_sub(1);
    }
}
