//! Runs an agent: starts it between its gates, lets it work, and records how it ended.

use kernel::{AgentOutcome, Fact, GateSide};
use tracing::Instrument;

use crate::agent::{Agent, Flow};
use crate::clock::{Moment, worked_ms};
use crate::context::AskedChanges;
use crate::writer::StartedAgent;
use crate::{AgentError, Cx, telemetry};

impl Cx {
    /// Runs a child after everything that this agent did before. A child may run several times.
    ///
    /// # Errors
    /// Whatever ends the run or the child: stopped, a limit, a failure.
    pub async fn run(&mut self, agent: &dyn Agent) -> Result<Flow, AgentError> {
        let ordinal = self.next_ordinal(&agent.outline().name);
        let path = self.path.child(&agent.outline().name, ordinal);
        let mut child = self.beneath(path, &agent.outline().name, agent.outline().contract.clone());
        let result = child.start(agent).await;
        self.adopt(child);
        result
    }

    /// Starts, runs and ends `agent` at this path, between its gates. Where the person asks for changes, the agent runs
    /// again below this path, and its first result stays in the log.
    pub(crate) async fn start(&mut self, agent: &dyn Agent) -> Result<Flow, AgentError> {
        let outline = agent.outline();
        let is_stopped = self.stops_before();
        if is_stopped {
            self.stop(outline, GateSide::Before, 1).await?;
        }
        if !self.begin(is_stopped)? {
            // The person set the mark at this very moment.
            self.stop(outline, GateSide::Before, 1).await?;
            self.begin(true)?;
        }
        let mut flow = self.work_to_end(agent).await?;
        for ordinal in 1.. {
            if !self.stops_after(ordinal) {
                break;
            }
            let Some(words) = self.stop(outline, GateSide::After, ordinal).await? else { break };
            let path = self.path.child(&outline.name, ordinal + 1);
            let mut again = self.beneath(path, &outline.name, outline.contract.clone());
            again.instance = self.instance.clone();
            again.changes_asked = Some(AskedChanges { words, made: self.state.clone() });
            let result = match again.begin(true) {
                Ok(_) => again.work_to_end(agent).await,
                Err(error) => Err(error),
            };
            self.adopt(again);
            flow = result?;
        }
        Ok(flow)
    }

    /// Appends the start of this agent. False where the run has to stop before it and has not stopped yet: the stop
    /// mark is checked under the same lock that numbers the start.
    fn begin(&mut self, is_stopped: bool) -> Result<bool, AgentError> {
        // Recorded events are replayed to their end, so a stop takes effect only behind them.
        if self.shared.writer.recorded(&self.path, self.n + 1).is_none() {
            self.stop_if_cancelled()?;
        }
        let begun = {
            let instance = self.instance.as_ref().map(|started| started.instance.clone());
            let draft = self.draft(Fact::AgentStarted { sees: self.sees, instance }, false, self.now);
            self.shared.writer.begin(draft, self.sees, is_stopped)?
        };
        let Some(StartedAgent { changes, event }) = begun else { return Ok(false) };
        self.went_on(&event);
        for change in &changes {
            self.take_over(change);
            self.sees = change.seq;
        }
        // In a fork or after a pause, an agent starts at the present time, not at the time of the last record.
        self.now = self.now.max(Moment::of(&event));
        Ok(true)
    }

    /// Runs and ends the agent that started at this path.
    async fn work_to_end(&mut self, agent: &dyn Agent) -> Result<Flow, AgentError> {
        let started_ms = self.now.ran_ms;
        let span = telemetry::stage(&self.author, &self.path);
        span.in_scope(|| tracing::info!("stage started"));
        let result = Instrument::instrument(self.work(agent), span.clone()).await;
        self.keep_exit(&result);
        let outcome = match &result {
            Ok(flow) => AgentOutcome::Done { exits_loop: *flow == Flow::ExitLoop },
            // The run stops here. The agent has not ended and continues when the run resumes.
            Err(error) if error.stops_run() => return result,
            Err(error) => AgentOutcome::Failed { error: error.to_error() },
        };
        let since = self.first_asked_ms.map_or(started_ms, |asked| asked.max(started_ms));
        let took_ms = worked_ms(since, self.now.ran_ms, &self.waits);
        span.in_scope(|| tracing::info!(took_ms, failed = result.is_err(), "stage ended"));
        let reads = self.take_reads();
        let output = if result.is_ok() { self.output() } else { None };
        self.emit(Fact::AgentEnded { outcome, reads, took_ms, output }, false)?;
        result
    }

    async fn work(&mut self, agent: &dyn Agent) -> Result<Flow, AgentError> {
        let Some(started) = self.instance.clone() else { return agent.run(self).await };
        started.check_input()?;
        agent.run(self).await?;
        // A request to end a loop or the run stays inside the instance.
        self.exit = None;
        started.check_output(&self.output().unwrap_or_default())?;
        Ok(Flow::Continue)
    }
}
