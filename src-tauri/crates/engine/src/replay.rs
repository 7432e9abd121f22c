//! Executes a run again from its records.

use std::sync::Arc;

use kernel::{Definition, Event, Fact, Outcome, RunFold};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use crate::agent::Agent;
use crate::clock::RunClock;
use crate::limits::InFlight;
use crate::log_hold::Patience;
use crate::records::dropped;
use crate::resume::first_events;
use crate::run_shared::{Shared, TextStreams};
use crate::runner::{RunEnd, began, conclude, execute};
use crate::writer::{Mode, Writer};
use crate::{AgentError, Divergence, Recorded};

/// The result of a replay.
#[derive(Debug, Clone)]
pub struct Replayed {
    /// All events that the replay produced, outside events among them, in the order of their numbers.
    pub events: Vec<Event>,
    /// The end of the run; `None` when the records end before it.
    pub end: Option<RunEnd>,
    /// The first difference, if there is one.
    pub divergence: Option<Divergence>,
}

/// Executes a run again from its recorded effects: no network, no cost, nothing stored. `definition` is the present
/// one.
pub async fn replay(root: Arc<dyn Agent>, recorded: Recorded, definition: Definition) -> Replayed {
    let Recorded { start, mut events } = recorded;
    let has_first = |events: &[Event], seq| events.iter().any(|event| event.seq == seq);
    for first in first_events(&start) {
        if start.origin.is_none() && !has_first(&events, first.seq) {
            events.push(first);
        }
    }
    events.sort_by_key(|event| event.seq);
    let gone = dropped(&events);
    let kept: Vec<Event> =
        events.iter().filter(|event| event.is_outside() || gone.contains(&event.seq)).cloned().collect();
    let end = events.iter().rev().find_map(|event| match &event.fact {
        Fact::RunEnded { outcome, .. } if !gone.contains(&event.seq) => Some(*outcome),
        _ => None,
    });
    let began = began(&start, &events);
    let (cancel, clock) = (CancellationToken::new(), Arc::new(RunClock::behind(&[])));
    let patience = Patience { most: None, cancel: cancel.clone(), clock: clock.clone() };
    let writer = Writer::new(start.run.clone(), Mode::Replay, None, definition, events, patience);
    let shared = Arc::new(Shared {
        writer,
        world: None,
        cancel,
        text_streams: TextStreams::default(),
        is_open_ended: matches!(end, None | Some(Outcome::Cancelled | Outcome::Waiting)),
        in_flight: InFlight::default(),
        clock,
        folder: OnceCell::new(),
    });
    let (result, cx) = execute(shared.clone(), root, began).await;
    let mut divergence = None;
    let mut run_end = None;
    match result {
        Err(AgentError::Diverged(found)) => divergence = Some(*found),
        Err(AgentError::RecordsEnd) => {}
        result => match conclude(cx, result).await {
            Ok(end) => run_end = Some(end),
            Err(AgentError::Diverged(found)) => divergence = Some(*found),
            Err(_) => {}
        },
    }
    let (mut produced, missing) = shared.writer.produced();
    let is_end_of_open_records =
        |event: &Event| shared.is_open_ended && matches!(event.fact, Fact::RunEnded { .. });
    match missing {
        // That the person stopped the run or was absent came from outside, so it is taken from the records.
        Some(event) if is_end_of_open_records(&event) => produced.push(event),
        Some(event) if divergence.is_none() => {
            divergence = Some(Divergence {
                seq: event.seq,
                path: event.path.to_string(),
                recorded: serde_json::to_value(&event.fact).unwrap_or_default(),
                produced: serde_json::Value::Null,
            });
        }
        _ => {}
    }
    produced.extend(kept);
    produced.sort_by_key(|event| event.seq);
    if let Some(end) = &mut run_end {
        let fold = RunFold::of(&produced);
        (end.state, end.usage) = (fold.state, fold.usage);
    }
    Replayed { events: produced, end: run_end, divergence }
}
