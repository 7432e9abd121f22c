//! The log for the engine: create, append, load, hold, release.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Durability, Log, LogError, Recorded};
use kernel::{Code, Event, Hash, RunId, Seq, Start, phrase};
use tokio::sync::oneshot;

use crate::batch::{Batch, gap, stand_in};
use crate::connection::LOCK_TIMEOUT;
use crate::error::closed;
use crate::job::{After, EVENTS_LOCK_TIMEOUT, Release, Writing};
use crate::json;
use crate::mutex::lock;
use crate::read_context::{beginning, no_run};
use crate::sessions::keep_reply;
use crate::table::events::Source;
use crate::table::runs::{self, NewRun};
use crate::table::{messages, sessions};
use crate::unstored_events::take_up;
use crate::unstored_files;
use crate::{Imported, Store};

/// Inputs with longer JSON text are stored in `contents`, because the run's row is written often.
const INLINE_INPUTS: usize = 1_000;

/// The longest wait until the release of a run is stored.
const RELEASE_TIMEOUT: Duration = Duration::from_millis(300);

fn not_held(run: &RunId) -> LogError {
    LogError::new(
        Code::Busy,
        phrase!(
            "The run {run} is not held by this program (any more): nothing was stored. Another Galley may have \
             taken it; resume it from there, or once that one has let go.",
            run
        ),
    )
}

impl Store {
    /// The records of a run as [`Log::load`] returns them, also when events were removed on purpose: the rest can be
    /// replayed.
    ///
    /// # Errors
    /// `not_found`; `database_corrupt` when the file itself is damaged.
    pub async fn load_records(&self, run: &RunId) -> Result<Recorded, LogError> {
        self.recorded(run, |source, id, last_seq| source.events_with_gaps(id, 1, last_seq)).await
    }

    /// Stores a complete run that was made elsewhere, without a holder.
    ///
    /// # Errors
    /// `bad_input` when a run with this id exists; then nothing is stored.
    pub async fn import_run(
        &self,
        start: &Start,
        events: Vec<Event>,
        imported: &Imported,
    ) -> Result<(), LogError> {
        let left_out = json::encode(&imported.left_out, "what was left out of the run")?;
        self.create_run(start, events, Some(left_out)).await
    }

    async fn create_run(
        &self,
        start: &Start,
        events: Vec<Event>,
        imported: Option<String>,
    ) -> Result<(), LogError> {
        let recent = &self.shared.recent;
        let events = events.into_iter().map(Arc::new).collect();
        let Some(batch) = Batch::new(&start.run, events, recent)? else {
            return Err(gap(&start.run, 0, 1));
        };
        if batch.first != 1 {
            return Err(gap(&start.run, batch.first, 1));
        }
        let mut batch = batch;
        let definition_text = json::encode(&start.definition, "a definition")?;
        let definition = Hash::of(definition_text.as_bytes());
        // Always written: the cache of stored hashes does not contain definitions.
        batch.contents.push((definition.clone(), definition_text));
        let mut inputs = start.inputs.clone();
        for value in inputs.values_mut() {
            if let Some(large) = stand_in(value, recent, &mut batch.contents, &mut batch.trusted) {
                *value = large;
            }
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
        let keeps_message =
            self.shared.keeps_messages.get().is_some() && origin.is_none() && imported.is_none();
        let work = move |writing: &mut Writing<'_>| {
            writing.beat()?;
            sessions::ensure(writing.connection, &session.0, started_at_ms)
                .map_err(|error| writing.explain(&error))?;
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
                holder: imported.is_none().then_some(writing.process.id),
                imported: imported.as_deref(),
            };
            let id = runs::insert(writing.connection, &new)
                .map_err(|error| writing.explain(&error))?
                .ok_or_else(|| {
                    LogError::new(
                        Code::BadInput,
                        phrase!("There is a run {run} already. Begin with a new id.", run),
                    )
                })?;
            batch.write(writing, id)?;
            if keeps_message {
                messages::ask(writing.connection, &run.0).map_err(|error| writing.explain(&error))?;
            }
            if imported.is_none() {
                writing.after.push(After::Held(run.0, id));
            }
            Ok(())
        };
        if is_small { self.write_soon(LOCK_TIMEOUT, work).await } else { self.write(false, work).await }
    }

    /// Appends events to a run that this process holds; returns whether they end it.
    async fn append_batch(&self, run: &RunId, batch: Batch, is_synced: bool) -> Result<bool, LogError> {
        let run = run.clone();
        let is_small = batch.is_small();
        let keeps_messages = self.shared.keeps_messages.get().is_some();
        let work = move |writing: &mut Writing<'_>| {
            let holder = writing.process.id;
            if let Some(&id) = writing.held.get(&run.0) {
                let before = batch.first.wrapping_sub(1);
                let is_moved = runs::advance(writing.connection, id, holder, before, batch.head)
                    .map_err(|error| writing.explain(&error))?;
                if is_moved {
                    let (has_ended, head) = (batch.head.outcome.flatten().is_some(), batch.head);
                    batch.write(writing, id)?;
                    if has_ended {
                        if keeps_messages {
                            keep_reply(writing, (&run, id), head)?;
                        }
                        writing.after.push(After::Released(run.0));
                    }
                    return Ok(has_ended);
                }
            }
            // The update changed no row: find out why.
            let standing = runs::standing(writing.connection, &run.0)
                .map_err(|error| writing.explain(&error))?
                .ok_or_else(|| no_run(&run))?;
            if standing.holder == Some(holder) {
                return Err(gap(&run, batch.first, standing.last_seq.saturating_add(1)));
            }
            let error = not_held(&run);
            writing.after.push(After::Released(run.0));
            Err(error)
        };
        match is_small && !is_synced {
            true => self.write_soon(EVENTS_LOCK_TIMEOUT, work).await,
            false => self.write_within(EVENTS_LOCK_TIMEOUT, is_synced, work).await,
        }
    }

    async fn recorded(
        &self,
        run: &RunId,
        events: impl FnOnce(&Source<'_>, i64, Seq) -> Result<Vec<Event>, LogError> + Send + 'static,
    ) -> Result<Recorded, LogError> {
        let run = run.clone();
        self.read(move |context| {
            let (id, start) = beginning(context, &run)?;
            let last_seq = context.standing(&run)?.last_seq;
            let mut events = events(&context.source(), id, last_seq)?;
            for event in &mut events {
                context.resolve_event(event)?;
            }
            Ok(Recorded { start, events })
        })
        .await
    }
}

#[async_trait]
impl Log for Store {
    async fn create(&self, start: &Start, events: Vec<Event>) -> Result<(), LogError> {
        self.reserve_room(&start.run)?;
        let created = self.create_run(start, events, None).await;
        if created.is_err() {
            self.release_room(&start.run);
        }
        created
    }

    async fn append(
        &self,
        run: &RunId,
        events: Vec<Arc<Event>>,
        durability: Durability,
    ) -> Result<(), LogError> {
        let Some(batch) = Batch::new(run, events, &self.shared.recent)? else { return Ok(()) };
        let has_ended = self.append_batch(run, batch, durability == Durability::Synced).await?;
        self.mark_stored(run);
        if has_ended {
            self.release_room(run);
        }
        Ok(())
    }

    async fn load(&self, run: &RunId) -> Result<Recorded, LogError> {
        self.recorded(run, |source, id, last_seq| source.every(id, 1, last_seq)).await
    }

    async fn hold(&self, run: &RunId) -> Result<(), LogError> {
        let (of, run) = (run.clone(), run.clone());
        let kept = unstored_files::events_of(&self.shared.place, &run);
        let taken_up = self
            .write(false, move |writing| {
                let standing = runs::standing(writing.connection, &run.0)
                    .map_err(|error| writing.explain(&error))?
                    .ok_or_else(|| no_run(&run))?;
                let me = writing.process.id;
                if standing.holder == Some(me) && writing.holds(&run.0) {
                    return Err(LogError::new(
                        Code::Busy,
                        phrase!("The run {run} is being worked on by this program already. Wait until it ends, or stop it.", run),
                    ));
                }
                if standing.holder != Some(me)
                    && let Some(holder) = writing.living_holder(&standing)?
                {
                    return Err(LogError::new(
                        Code::Busy,
                        phrase!("The run {run} is held by another Galley (process {pid}). Wait until it ends there, or stop \
                             it there.", run, pid = holder.pid),
                    ));
                }
                writing.beat()?;
                runs::take(writing.connection, standing.id, me).map_err(|error| writing.explain(&error))?;
                let taken_up = match kept {
                    Some(kept) => Some(take_up(writing, &run, &standing, kept)?),
                    None => None,
                };
                // An end among the stored events released the run.
                runs::take(writing.connection, standing.id, me).map_err(|error| writing.explain(&error))?;
                writing.after.push(After::Held(run.0, standing.id));
                Ok(taken_up)
            })
            .await?;
        unstored_files::settle(&self.shared.place, &of, taken_up.as_ref());
        if let Err(full) = self.reserve_room(&of) {
            self.release(&of).await?;
            return Err(full);
        }
        Ok(())
    }

    async fn release(&self, run: &RunId) -> Result<(), LogError> {
        let (reply, answer) = oneshot::channel();
        self.release_room(run);
        lock(&self.shared.owed).entry(run.0.clone()).or_insert(None);
        self.shared.queue.do_or_send(Box::new(Release { run: run.0.clone(), reply }))?;
        // The next holder uses the same queue, behind this job: a database that refuses writes is not waited for.
        match tokio::time::timeout(RELEASE_TIMEOUT, answer).await {
            Ok(answer) => answer.map_err(|_| closed()),
            Err(_) => Ok(()),
        }
    }

    async fn set_aside(&self, run: &RunId, events: Vec<Event>) -> Result<String, LogError> {
        let (store, run) = (self.clone(), run.clone());
        let kept = tokio::task::spawn_blocking(move || store.keep_beside(&run, &events)).await;
        kept.unwrap_or_else(|_| Err(closed()))
    }
}
