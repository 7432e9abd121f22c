//! The log as the engine sees it: create, append, load, hold, release.
//!
//! Events are written out as text where they are made, so that the writer only binds and commits.

use async_trait::async_trait;
use engine::{Durability, Log, LogError, Recorded};
use kernel::{Code, Event, Fact, Hash, INLINE_BYTES, RunId, Seq, Start, Value};

use crate::Store;
use crate::json;
use crate::reading::{Reading, no_run};
use crate::recent::Recent;
use crate::table::events::{self, Encoded};
use crate::table::runs::{self, Beginning, Head, NewRun};
use crate::table::{contents, sessions, snapshots};
use crate::writer::{After, Writing};

/// Inputs whose JSON text is longer are kept in `contents`, since the run's row is written often.
const INLINE_INPUTS: usize = 1_000;

/// Events of no more text, in bytes, are written where they are made when the writer is free.
const SMALL: usize = 1 << 18;

/// Events on their way to the writer.
struct Batch {
    rows: Vec<Encoded>,
    contents: Vec<(Hash, String)>,
    /// Values that are taken for stored, unless contents were deleted since.
    trusted: Vec<(Hash, Value)>,
    first: Seq,
    head: Head,
}

/// Leaves the value's hash in its place when it is large; its text goes to `contents` unless it is
/// known to be there.
fn externalise(
    value: &mut Value,
    recent: &Recent,
    contents: &mut Vec<(Hash, String)>,
    trusted: &mut Vec<(Hash, Value)>,
) {
    let is_surely_small = match value.json() {
        None => true,
        // Measuring writes the value out; a text that cannot become too long need not be measured.
        Some(serde_json::Value::String(text)) => text.len() * 6 + 2 <= INLINE_BYTES,
        Some(serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_)) => true,
        Some(serde_json::Value::Array(_) | serde_json::Value::Object(_)) => false,
    };
    if is_surely_small {
        return;
    }
    let text = if value.known_bytes().is_none() { Some(value.written()) } else { None };
    if value.bytes() <= INLINE_BYTES {
        return;
    }
    let hash = text.as_ref().map_or_else(|| value.hash(), |text| value.hash_as_written(text));
    if recent.contains(&hash) {
        trusted.push((hash, value.clone()));
    } else if !contents.iter().any(|(known, _)| *known == hash) {
        contents.push((hash, text.unwrap_or_else(|| value.written())));
    }
    *value = value.stored();
}

impl Batch {
    /// `None` when there is nothing to write.
    fn new(run: &RunId, events: Vec<Event>, recent: &Recent) -> Result<Option<Batch>, LogError> {
        let (Some(first), Some(last)) = (events.first(), events.last()) else { return Ok(None) };
        let (first, mut head) =
            (first.seq, Head { last_seq: last.seq, last_at_ms: last.at_ms, outcome: None });
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
                Fact::RunStarted { .. } | Fact::RunResumed { .. } => head.outcome = Some(None),
                Fact::AgentStarted { .. }
                | Fact::AgentEnded { .. }
                | Fact::StateChanged { .. }
                | Fact::EffectAsked { .. }
                | Fact::EffectAnswered { .. }
                | Fact::Noted { .. } => {}
            }
            for value in event.values_mut() {
                externalise(value, recent, &mut contents, &mut trusted);
            }
            let fact = json::encode(&event.fact, "an event")?;
            rows.push(Encoded { event, fact });
        }
        Ok(Some(Batch { rows, contents, trusted, first, head }))
    }

    /// Whether writing it takes no time worth speaking of.
    fn is_small(&self) -> bool {
        let facts = self.rows.iter().map(|row| row.fact.len()).sum::<usize>();
        let contents = self.contents.iter().map(|(_, text)| text.len()).sum::<usize>();
        facts + contents <= SMALL && self.trusted.iter().all(|(_, value)| value.bytes() <= SMALL)
    }

    fn write(mut self, writing: &mut Writing<'_>, run: i64) -> Result<(), LogError> {
        if !self.trusted.is_empty() {
            let erasures = contents::erasures(writing.connection).map_err(|error| writing.fault(&error))?;
            if !writing.recent.holds_after(erasures) {
                self.contents.extend(self.trusted.drain(..).map(|(hash, value)| (hash, value.written())));
            }
        }
        for (hash, text) in self.contents {
            contents::insert(writing.connection, &hash.0, &text).map_err(|error| writing.fault(&error))?;
            writing.after.push(After::Stored(hash));
        }
        events::insert(writing.connection, run, &self.rows).map_err(|error| writing.fault(&error))?;
        if (self.first - 1) / snapshots::EVERY != self.head.last_seq / snapshots::EVERY {
            writing.after.push(After::Snapshots(run, self.head.last_seq));
        }
        Ok(())
    }
}

fn gap(run: &RunId, found: Seq, expected: Seq) -> LogError {
    LogError::new(
        Code::Internal,
        format!(
            "The run {run} must go on with event {expected}, not {found}: nothing was stored. Please report it."
        ),
    )
}

fn not_held(run: &RunId) -> LogError {
    LogError::new(
        Code::Busy,
        format!(
            "The run {run} is not held by this program (any more): nothing was stored. Another Galley may have \
             taken it; resume it from there, or once that one has let go."
        ),
    )
}

#[async_trait]
impl Log for Store {
    async fn create(&self, start: &Start, events: Vec<Event>) -> Result<(), LogError> {
        let recent = &self.shared.recent;
        let Some(batch) = Batch::new(&start.run, events, recent)? else {
            return Err(gap(&start.run, 0, 1));
        };
        if batch.first != 1 {
            return Err(gap(&start.run, batch.first, 1));
        }
        let mut batch = batch;
        let definition_text = json::encode(&start.definition, "a definition")?;
        let definition = Hash::of(definition_text.as_bytes());
        // Without trusting what is known: a definition is not among the values that are looked after.
        batch.contents.push((definition.clone(), definition_text));
        let mut inputs = start.inputs.clone();
        for value in inputs.values_mut() {
            externalise(value, recent, &mut batch.contents, &mut batch.trusted);
        }
        let mut inputs = json::encode(&inputs, "the inputs")?;
        if inputs.len() > INLINE_INPUTS {
            let hash = Hash::of(inputs.as_bytes());
            batch.contents.push((hash.clone(), std::mem::replace(&mut inputs, hash.0)));
        }
        let (run, session, origin) = (start.run.clone(), start.session.clone(), start.origin.clone());
        let (pipeline, title) = (start.definition.pipeline.clone(), start.definition.title.clone());
        let started_at_ms = start.at_ms;
        let is_small = batch.is_small();
        let work = move |writing: &mut Writing<'_>| {
            writing.beat()?;
            sessions::ensure(writing.connection, &session.0, started_at_ms)
                .map_err(|error| writing.fault(&error))?;
            let new = NewRun {
                run: &run.0,
                session: &session.0,
                pipeline: &pipeline,
                title: &title,
                definition: &definition,
                inputs: &inputs,
                origin: origin.as_ref(),
                started_at_ms,
                head: batch.head,
                holder: writing.process.id,
            };
            let id = runs::insert(writing.connection, &new)
                .map_err(|error| writing.fault(&error))?
                .ok_or_else(|| {
                    LogError::new(
                        Code::BadInput,
                        format!("There is a run {run} already. Begin with a new id."),
                    )
                })?;
            batch.write(writing, id)?;
            writing.after.push(After::Held(run.0, id));
            Ok(())
        };
        if is_small { self.write_soon(work).await } else { self.write(false, work).await }
    }

    async fn append(&self, run: &RunId, events: Vec<Event>, durability: Durability) -> Result<(), LogError> {
        let Some(batch) = Batch::new(run, events, &self.shared.recent)? else { return Ok(()) };
        let run = run.clone();
        let (is_synced, is_small) = (durability == Durability::Synced, batch.is_small());
        let work = move |writing: &mut Writing<'_>| {
            let holder = writing.process.id;
            if let Some(&id) = writing.held.get(&run.0) {
                let before = batch.first.wrapping_sub(1);
                let is_moved = runs::advance(writing.connection, id, holder, before, batch.head)
                    .map_err(|error| writing.fault(&error))?;
                if is_moved {
                    let has_ended = batch.head.outcome.flatten().is_some();
                    batch.write(writing, id)?;
                    if has_ended {
                        writing.after.push(After::Released(run.0));
                    }
                    return Ok(());
                }
            }
            // It could not: find out why.
            let standing = runs::standing(writing.connection, &run.0)
                .map_err(|error| writing.fault(&error))?
                .ok_or_else(|| no_run(&run))?;
            if standing.holder == Some(holder) {
                return Err(gap(&run, batch.first, standing.last_seq.saturating_add(1)));
            }
            let error = not_held(&run);
            writing.after.push(After::Released(run.0));
            Err(error)
        };
        if is_small && !is_synced { self.write_soon(work).await } else { self.write(is_synced, work).await }
    }

    async fn load(&self, run: &RunId) -> Result<Recorded, LogError> {
        let run = run.clone();
        self.read(move |reading| {
            let (id, start) = beginning(reading, &run)?;
            let last_seq = reading.standing(&run)?.last_seq;
            let mut events = events::every(reading.place, reading.connection, id, 1, last_seq)?;
            for event in &mut events {
                reading.make_event_whole(event)?;
            }
            Ok(Recorded { start, events })
        })
        .await
    }

    async fn hold(&self, run: &RunId) -> Result<(), LogError> {
        let run = run.clone();
        self.write(false, move |writing| {
            let standing = runs::standing(writing.connection, &run.0)
                .map_err(|error| writing.fault(&error))?
                .ok_or_else(|| no_run(&run))?;
            let me = writing.process.id;
            if standing.holder == Some(me) {
                return Err(LogError::new(
                    Code::Busy,
                    format!("The run {run} is being worked on by this program already. Wait until it ends, or stop it."),
                ));
            }
            if let Some(holder) = writing.living_holder(&standing)? {
                return Err(LogError::new(
                    Code::Busy,
                    format!(
                        "The run {run} is held by another Galley (process {}). Wait until it ends there, or stop \
                         it there.",
                        holder.pid
                    ),
                ));
            }
            writing.beat()?;
            runs::take(writing.connection, standing.id, me).map_err(|error| writing.fault(&error))?;
            writing.after.push(After::Held(run.0, standing.id));
            Ok(())
        })
        .await
    }

    async fn release(&self, run: &RunId) -> Result<(), LogError> {
        let run = run.clone();
        self.write_soon(move |writing| {
            // A run that another took meanwhile is let go of already.
            if let Some(&id) = writing.held.get(&run.0) {
                runs::let_go(writing.connection, id, writing.process.id)
                    .map_err(|error| writing.fault(&error))?;
                writing.after.push(After::Released(run.0));
            }
            Ok(())
        })
        .await
    }
}

/// The row of a run, and what it began with.
pub(crate) fn beginning(reading: &Reading<'_>, run: &RunId) -> Result<(i64, Start), LogError> {
    let beginning: Beginning =
        reading.of(runs::beginning(reading.connection, &run.0))?.ok_or_else(|| no_run(run))?;
    let missing = |what: &str| reading.place.damaged(&format!("{what} of the run {run} is missing"));
    let (definition, _) = reading.content(&beginning.definition)?.ok_or_else(|| missing("the definition"))?;
    let mut inputs: std::collections::BTreeMap<String, Value> = if beginning.inputs.starts_with('{') {
        json::decode(&beginning.inputs, "the inputs", reading.place)?
    } else {
        reading.content(&Hash(beginning.inputs))?.ok_or_else(|| missing("the list of inputs"))?.0
    };
    for value in inputs.values_mut() {
        reading.make_whole(value)?;
    }
    let start = Start {
        run: run.clone(),
        session: beginning.session,
        at_ms: beginning.started_at_ms,
        definition,
        inputs,
        origin: beginning.origin,
    };
    Ok((beginning.id, start))
}
