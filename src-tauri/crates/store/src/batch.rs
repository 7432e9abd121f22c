//! Events for the writer, serialized by their caller so that the writer only binds and commits. Large values go to
//! `contents` and are replaced by their hashes.

use std::sync::Arc;

use engine::LogError;
use kernel::{Code, Event, Fact, Hash, INLINE_BYTES, RunId, Seq, USER, Value, phrase};

use crate::caches::Caches;
use crate::job::{After, Writing};
use crate::json;
use crate::table::events::{self, Encoded};
use crate::table::runs::Head;
use crate::table::{contents, snapshots};

/// Events up to this size, in bytes of JSON, are written by their caller when the writer is free.
const SMALL_BYTES: usize = 1 << 18;

/// Events to be written.
pub(crate) struct Batch {
    rows: Vec<Encoded>,
    pub(crate) contents: Vec<(Hash, String)>,
    /// Values that are assumed to be stored, unless contents were deleted since.
    pub(crate) trusted: Vec<(Hash, Value)>,
    /// The number of erasures when they were assumed.
    trusted_after: u64,
    pub(crate) first: Seq,
    pub(crate) head: Head,
}

/// Replaces a large value with its hash. Its text goes to `contents` unless it is known to be stored.
pub(crate) fn stand_in(
    value: &Value,
    recent: &Caches,
    contents: &mut Vec<(Hash, String)>,
    trusted: &mut Vec<(Hash, Value)>,
) -> Option<Value> {
    let is_surely_small = match value.json() {
        None => true,
        // Measuring serializes the value, which is unnecessary for a text that is surely short.
        Some(serde_json::Value::String(text)) => text.len() * 6 + 2 <= INLINE_BYTES,
        Some(serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_)) => true,
        Some(serde_json::Value::Array(_) | serde_json::Value::Object(_)) => false,
    };
    if is_surely_small {
        return None;
    }
    let text = if value.known_bytes().is_none() { Some(value.written()) } else { None };
    if value.bytes() <= INLINE_BYTES {
        return None;
    }
    let hash = text.as_ref().map_or_else(|| value.hash(), |text| value.hash_as_written(text));
    if recent.contains(&hash) {
        trusted.push((hash, value.clone()));
    } else if !contents.iter().any(|(known, _)| *known == hash) {
        contents.push((hash, text.unwrap_or_else(|| value.written())));
    }
    Some(value.stored())
}

impl Batch {
    /// `None` when there is nothing to write.
    pub(crate) fn new(
        run: &RunId,
        events: Vec<Arc<Event>>,
        recent: &Caches,
    ) -> Result<Option<Batch>, LogError> {
        let (Some(first), Some(last)) = (events.first(), events.last()) else { return Ok(None) };
        let (first, mut head) =
            (first.seq, Head { last_seq: last.seq, last_at_ms: last.at_ms, outcome: None, is_raised: None });
        // Read before any value is assumed stored: an erasure meanwhile increases the number.
        let trusted_after = recent.erasures();
        let (mut contents, mut trusted) = (Vec::new(), Vec::new());
        let mut rows = Vec::with_capacity(events.len());
        let mut expected = first;
        for mut event in events {
            if event.seq != expected {
                return Err(gap(run, event.seq, expected));
            }
            expected = expected.saturating_add(1);
            match &event.fact {
                Fact::RunEnded { outcome, .. } => head.outcome = Some(Some(*outcome)),
                Fact::RunStarted { .. } | Fact::RunResumed { .. } => {
                    head.outcome = Some(None);
                    head.is_raised = Some(false);
                }
                Fact::StateChanged { .. } if event.surface => head.is_raised = Some(true),
                // The user has seen their own changes.
                Fact::StateChanged { .. } if event.author == USER => head.is_raised = Some(false),
                Fact::GatesSet { .. }
                | Fact::AgentStarted { .. }
                | Fact::AgentEnded { .. }
                | Fact::RoundEnded { .. }
                | Fact::StateChanged { .. }
                | Fact::EffectAsked { .. }
                | Fact::RequestFailed { .. }
                | Fact::RequestSent { .. }
                | Fact::EffectAnswered { .. }
                | Fact::FellBack { .. }
                | Fact::Noted { .. } => {}
            }
            let mut stand_in = |value: &Value| stand_in(value, recent, &mut contents, &mut trusted);
            let stand_ins: Vec<_> = event.values().into_iter().map(&mut stand_in).collect();
            // The event is shared with subscribers, and most events have no large value: it is cloned only for one.
            if stand_ins.iter().any(Option::is_some) {
                let values = Arc::make_mut(&mut event).values_mut().into_iter();
                let large = values.zip(stand_ins).filter_map(|(value, stand_in)| Some((value, stand_in?)));
                large.for_each(|(value, stand_in)| *value = stand_in);
            }
            let fact = json::encode(&event.fact, "an event")?;
            rows.push(Encoded { event, fact });
        }
        Ok(Some(Batch { rows, contents, trusted, trusted_after, first, head }))
    }

    /// Whether it is written quickly enough for the caller's thread.
    pub(crate) fn is_small(&self) -> bool {
        let facts = self.rows.iter().map(|row| row.fact.len()).sum::<usize>();
        let contents = self.contents.iter().map(|(_, text)| text.len()).sum::<usize>();
        facts + contents <= SMALL_BYTES && self.trusted.iter().all(|(_, value)| value.bytes() <= SMALL_BYTES)
    }

    pub(crate) fn write(mut self, writing: &mut Writing<'_>, run: i64) -> Result<(), LogError> {
        if !self.trusted.is_empty() {
            let erasures = contents::erasures(writing.connection).map_err(|error| writing.explain(&error))?;
            writing.recent.forget_before(erasures);
            if self.trusted_after != erasures {
                self.contents.extend(self.trusted.drain(..).map(|(hash, value)| (hash, value.written())));
            }
        }
        for (hash, text) in self.contents {
            contents::insert(writing.connection, &hash.0, &text).map_err(|error| writing.explain(&error))?;
            writing.after.push(After::Stored(hash));
        }
        events::insert(writing.connection, run, &self.rows).map_err(|error| writing.explain(&error))?;
        if (self.first - 1) / snapshots::INTERVAL != self.head.last_seq / snapshots::INTERVAL {
            writing.after.push(After::Snapshots(run, self.head.last_seq));
        }
        Ok(())
    }
}

/// The error for events whose numbers do not continue the stored ones.
pub(crate) fn gap(run: &RunId, found: Seq, expected: Seq) -> LogError {
    LogError::new(
        Code::Internal,
        phrase!(
            "The run {run} must go on with event {expected}, not {found}: nothing was stored. Please report it.",
            run,
            expected,
            found
        ),
    )
}
