//! Controls a run from outside: start, resume, fork.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use kernel::{
    Code, Delta, Error, Event, Fact, Origin, Outcome, Overrides, RunFold, RunId, Seq, Start, State, Usage,
    phrase,
};
use tokio::sync::{OnceCell, broadcast, watch};
use tokio_util::sync::CancellationToken;

use crate::agent::Agent;
use crate::clock::{Moment, RunClock, now_ms};
use crate::limits::InFlight;
use crate::log_hold::{Patience, while_held};
use crate::outside::{next_outside_ordinal, outside_event};
use crate::records::{OpenQuestions, drops_to_go_on, followers};
use crate::resume::{
    Reply, answered_question, corrected_answer, done_once, drops_of_fork, first_events, replaced_answer,
    resumption,
};
use crate::run_shared::{Shared, StreamUpdate, TextStreams};
use crate::writer::{Mode, Writer};
use crate::{AgentError, Cx, Durability, Log, Recorded, World};

/// How a run ended.
#[derive(Debug, Clone)]
pub struct RunEnd {
    /// The kind of the end.
    pub outcome: Outcome,
    /// The reason, unless the run simply finished.
    pub error: Option<Error>,
    /// The state at the end.
    pub state: State,
    /// The usage of the run.
    pub usage: Usage,
}

/// A run that this process executes.
#[derive(Clone)]
pub struct RunHandle {
    shared: Arc<Shared>,
    end: watch::Receiver<Option<RunEnd>>,
}

/// The stream of updates to texts.
pub type StreamUpdates = broadcast::Receiver<StreamUpdate>;

impl RunHandle {
    /// The run.
    pub fn run(&self) -> &RunId {
        &self.shared.writer.run
    }

    /// Stops the run: returns at once, no request starts afterwards, and received text is kept.
    pub fn cancel(&self) {
        self.shared.cancel.cancel();
    }

    /// Appends an action of the person (an edit, a remark); it is stored when this returns. The next agent that starts
    /// sees an edit.
    ///
    /// # Errors
    /// The event cannot be stored.
    pub async fn outside(&self, fact: Fact) -> Result<Event, Error> {
        let shared = self.shared.clone();
        // A task of its own, so that a caller that is dropped does not interrupt the append.
        let stored = tokio::spawn(async move { shared.writer.outside(fact).await });
        match stored.await {
            Ok(stored) => stored.map_err(|error| error.to_error()),
            Err(_) => Err(Error::new(
                Code::Internal,
                phrase!("The edit broke off; look whether it was kept, or make it again"),
            )),
        }
    }

    /// Why the disk refuses the events of this run; `None` while it accepts them.
    pub fn refused(&self) -> watch::Receiver<Option<Error>> {
        self.shared.writer.refused.subscribe()
    }

    /// Follows the events as they are stored. The log has the earlier ones.
    pub fn follow(&self) -> broadcast::Receiver<Arc<Event>> {
        self.shared.writer.follow()
    }

    /// Follows the answers that stream: the texts so far, and the updates.
    pub fn follow_texts(&self) -> (Vec<StreamUpdate>, StreamUpdates) {
        self.shared.text_streams.follow()
    }

    /// The state of the run by the stored events.
    pub fn fold(&self) -> RunFold {
        self.shared.writer.fold()
    }

    /// Waits for the end of the run.
    pub async fn ended(&self) -> RunEnd {
        let mut end = self.end.clone();
        loop {
            if let Some(end) = end.borrow().clone() {
                return end;
            }
            if end.changed().await.is_err() {
                let error = Error::new(
                    Code::Internal,
                    phrase!("The run was dropped by its process; resume it to go on"),
                );
                let fold = self.fold();
                return RunEnd {
                    outcome: Outcome::Failed,
                    error: Some(error),
                    state: fold.state,
                    usage: fold.usage,
                };
            }
        }
    }

    /// Whether the run has ended.
    pub fn has_ended(&self) -> bool {
        self.end.borrow().is_some()
    }
}

/// Starts a run: its first events are stored when this returns.
///
/// # Errors
/// The first events cannot be stored.
pub async fn start(world: World, root: Arc<dyn Agent>, start: Start) -> Result<RunHandle, Error> {
    let events = first_events(&start);
    world.log.create(&start, events.clone()).await?;
    Ok(launch(world, root, start, events))
}

/// The changes with which a run resumes.
#[derive(Debug, Clone, Default)]
pub struct Continuation {
    /// Limits, models, instructions and permissions from here on.
    pub overrides: Overrides,
    /// The answer to an open question.
    pub answer: Option<Reply>,
    /// A correction by hand: the number of the answer's event, and the text that replaces it.
    pub correction: Option<(Seq, String)>,
}

/// Resumes a run that this process holds: answers with the status `done` are reused.
///
/// # Errors
/// The run cannot resume, or the events cannot be stored.
pub async fn go_on(
    world: World,
    root: Arc<dyn Agent>,
    recorded: Recorded,
    continuation: Continuation,
) -> Result<RunHandle, Error> {
    let Recorded { start, mut events } = recorded;
    let questions = if continuation.answer.is_some() { OpenQuestions::Keep } else { OpenQuestions::AskAgain };
    let mut drops = drops_to_go_on(&events, questions);
    let corrected = match &continuation.correction {
        Some((seq, text)) => {
            let (event, followers) = corrected_answer(&events, *seq, text)?;
            drops.extend(followers);
            drops.sort_unstable();
            drops.dedup();
            Some(event)
        }
        None => None,
    };
    let mut overrides = continuation.overrides;
    overrides.already_done.extend(done_once(&events, |seq| drops.binary_search(&seq).is_ok()).1);
    keep_raised_limits(&events, &drops, &mut overrides);
    let mut added = vec![resumption(&events, drops, overrides)];
    events.extend(added.iter().cloned());
    let replies = match &continuation.answer {
        Some(answer) => Some(answered_question(&events, answer)?),
        None => corrected,
    };
    if let Some(mut reply) = replies {
        reply.seq = events.last().map_or(0, |event| event.seq) + 1;
        events.push(reply.clone());
        added.push(reply);
    }
    world.log.append(&start.run, added.into_iter().map(Arc::new).collect(), Durability::Committed).await?;
    Ok(launch(world, root, start, events))
}

/// Time that the person added to a limit while an effect was in flight stays added after the effect.
fn keep_raised_limits(events: &[Event], drops: &[Seq], overrides: &mut Overrides) {
    let raised = RunFold::of(events).limits;
    let kept = RunFold::of(events.iter().filter(|event| drops.binary_search(&event.seq).is_err())).limits;
    for (name, most) in raised.into_iter().filter(|(name, most)| kept.get(name) != Some(most)) {
        overrides.limits.entry(name).or_insert(most);
    }
}

/// The parameters of a fork.
#[derive(Debug, Clone)]
pub struct Fork {
    /// The new run.
    pub run: RunId,
    /// The last event of the parent that is reused.
    pub at: Seq,
    /// Changes of the definition from there on.
    pub overrides: Overrides,
    /// Changes of the state from there on.
    pub delta: Delta,
    /// The replacement of the answer at event `at`: the output of a tool, the text of a model, or the person's answer
    /// to an agent's question.
    pub result: Option<serde_json::Value>,
}

/// Forks a run: earlier events are reused, later ones run again. The fork is stored and held by this process when this
/// returns.
///
/// # Errors
/// The parent has no such event, or the first events cannot be stored.
pub async fn fork(
    world: World,
    root: Arc<dyn Agent>,
    parent: Recorded,
    fork: Fork,
) -> Result<RunHandle, Error> {
    let last = parent.events.last().map_or(0, |event| event.seq);
    if fork.at == 0 || fork.at > last {
        let message = phrase!(
            "Event {at} does not exist in run {run}; choose one from 1 to {last}",
            at = fork.at,
            run = parent.start.run,
            last
        );
        return Err(Error::new(Code::BadInput, message));
    }
    let mut overrides = fork.overrides;
    let (requests, done) = done_once(&parent.events, |seq| seq > fork.at);
    overrides.already_done = done;
    let origin = Origin { run: parent.start.run.clone(), seq: fork.at };
    let start = Start { run: fork.run, at_ms: now_ms(), origin: Some(origin.clone()), ..parent.start };
    let mut events: Vec<Event> = parent.events.into_iter().filter(|event| event.seq <= fork.at).collect();
    // The inputs belong to the start: a fork at the very first event keeps them.
    if events.len() < 2 {
        events = first_events(&start);
    }
    if let Some(Fact::RunStarted { run, origin: from, .. }) = events.first_mut().map(|event| &mut event.fact)
    {
        *run = start.run.clone();
        *from = Some(origin);
    }
    let replaced = match fork.result {
        Some(result) => Some(replaced_answer(&events, fork.at, result)?),
        None => None,
    };
    let mut drops = drops_of_fork(&events, fork.at, replaced.as_ref());
    // An effect that was in flight at the fork and is done by now is asked about as done, not as lost.
    for request in requests.iter().filter(|request| request.seq <= fork.at) {
        drops.extend(followers(&events, request));
    }
    drops.sort_unstable();
    drops.dedup();
    events.push(resumption(&events, drops, overrides));
    if !fork.delta.is_empty() {
        let seq = events.last().map_or(0, |event| event.seq) + 1;
        let at = Moment::behind(&events);
        events.push(outside_event(
            seq,
            next_outside_ordinal(&events),
            at,
            Fact::StateChanged { delta: fork.delta },
        ));
    }
    if let Some((by_person, _)) = replaced {
        let seq = events.last().map_or(0, |event| event.seq) + 1;
        events.push(Event { seq, ..by_person });
    }
    world.log.create(&start, events.clone()).await?;
    Ok(launch(world, root, start, events))
}

/// Appends an action of the person to a run that no process executes.
///
/// # Errors
/// The run is held by another process, or the event cannot be stored.
pub async fn append_outside(log: &dyn Log, run: &RunId, fact: Fact) -> Result<Event, Error> {
    let appending = async {
        let recorded = log.load(run).await?;
        let seq = recorded.events.last().map_or(0, |event| event.seq) + 1;
        let at = Moment::behind(&recorded.events);
        let event = outside_event(seq, next_outside_ordinal(&recorded.events), at, fact);
        log.append(run, vec![Arc::new(event.clone())], Durability::Committed).await?;
        Ok(event)
    };
    Ok(while_held(log, run, appending).await?)
}

fn launch(world: World, root: Arc<dyn Agent>, start: Start, events: Vec<Event>) -> RunHandle {
    let began = began(&start, &events);
    let (log, cancel, clock) =
        (world.log.clone(), CancellationToken::new(), Arc::new(RunClock::behind(&events)));
    let patience = Patience { most: world.disk_patience, cancel: cancel.clone(), clock: clock.clone() };
    let writer = Writer::new(start.run, Mode::Live, Some(log), start.definition, events, patience);
    let shared = Arc::new(Shared {
        writer,
        world: Some(world),
        cancel,
        text_streams: TextStreams::default(),
        is_open_ended: true,
        in_flight: InFlight::default(),
        clock,
        folder: OnceCell::new(),
    });
    let (done, end) = watch::channel(None);
    let handle = RunHandle { shared: shared.clone(), end };
    tokio::spawn(async move {
        let span = tracing::info_span!("run", run = %shared.writer.run);
        let work = async {
            shared.make_files().await;
            let (result, cx) = execute(shared.clone(), root, began).await;
            conclude(cx, result).await
        };
        let end = match AssertUnwindSafe(tracing::Instrument::instrument(work, span)).catch_unwind().await {
            Ok(Ok(end)) => end,
            Ok(Err(error)) => unwritten_end(&shared, error.to_error()),
            Err(_) => unwritten_end(
                &shared,
                Error::new(
                    Code::Internal,
                    phrase!("An agent broke off by an error of the program; the run can be resumed"),
                ),
            ),
        };
        if let Err(error) = shared.writer.let_go().await {
            tracing::warn!(%error, "the run could not be released");
        }
        // Sending without a listener is no error.
        let _ = done.send(Some(end));
    });
    handle
}

/// The start time of a run.
pub(crate) fn began(start: &Start, events: &[Event]) -> Moment {
    events.first().map_or(Moment { at_ms: start.at_ms, ran_ms: 0 }, Moment::of)
}

pub(crate) async fn execute(
    shared: Arc<Shared>,
    root: Arc<dyn Agent>,
    began: Moment,
) -> (Result<crate::Flow, AgentError>, Cx) {
    let outline = root.outline();
    let mut cx = Cx::root(shared, &outline.name, outline.contract.clone(), began);
    let result = cx.start(root.as_ref()).await;
    (result, cx)
}

/// Writes the end of the run.
pub(crate) async fn conclude(
    mut cx: Cx,
    result: Result<crate::Flow, AgentError>,
) -> Result<RunEnd, AgentError> {
    let (outcome, error) = match result {
        Ok(_) => (Outcome::Finished, cx.reported()),
        Err(error) => {
            let outcome = match &error {
                AgentError::Cancelled => Outcome::Cancelled,
                AgentError::Waiting(_) => Outcome::Waiting,
                AgentError::Limit { .. } => Outcome::Limited,
                AgentError::Log(_) | AgentError::RecordsEnd => return Err(error),
                AgentError::Failed(_)
                | AgentError::Tool(_)
                | AgentError::Malformed(_)
                | AgentError::Parallel(_)
                | AgentError::Diverged(_) => Outcome::Failed,
            };
            (outcome, Some(error.to_error()))
        }
    };
    cx.emit(Fact::RunEnded { outcome, error: error.clone() }, false)?;
    cx.shared.writer.commit().await?;
    let fold = cx.shared.writer.fold();
    Ok(RunEnd { outcome, error, state: fold.state, usage: fold.usage })
}

fn unwritten_end(shared: &Shared, error: Error) -> RunEnd {
    let fold = shared.writer.fold();
    RunEnd { outcome: Outcome::Failed, error: Some(error), state: fold.state, usage: fold.usage }
}
