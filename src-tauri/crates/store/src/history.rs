//! Reads the history: ranges of events, states, cards.

use engine::LogError;
use kernel::{Code, Event, Fact, Hash, RunFold, RunId, Seq, Start, State, Value, phrase};

use crate::error::not_found;
use crate::read_context::{beginning, no_run};
use crate::table::run_cards::{self, Shelf};
use crate::table::run_marks::{self, Change};
use crate::table::{runs, snapshots};
use crate::{RunCard, Shown, Store};

impl Store {
    /// Returns at most `limit` events from `from_seq` on; large values stay references.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or is damaged.
    pub async fn events(&self, run: &RunId, from_seq: Seq, limit: u32) -> Result<Vec<Event>, LogError> {
        let run = run.clone();
        self.read(move |context| {
            let standing = context.complete(&run)?;
            let from = from_seq.max(1);
            let until = standing.last_seq.min(from.saturating_add(limit).saturating_sub(1));
            context.source().every(standing.id, from, until)
        })
        .await
    }

    /// The same with large values resolved.
    ///
    /// # Errors
    /// As of [`Store::events`].
    pub async fn whole_events(&self, run: &RunId, from_seq: Seq, limit: u32) -> Result<Vec<Event>, LogError> {
        let mut events = self.events(run, from_seq, limit).await?;
        self.read(move |context| {
            events.iter_mut().try_for_each(|event| context.resolve_event(event))?;
            Ok(events)
        })
        .await
    }

    /// The state after event `seq` with large values resolved; the last state for a larger number.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or is damaged.
    pub async fn state_at(&self, run: &RunId, seq: Seq) -> Result<State, LogError> {
        let references = self.state_references_at(run, seq).await?;
        if references.iter().all(|(_, value)| !value.is_stored()) {
            return Ok(references);
        }
        self.read(move |context| context.resolve_state(&references)).await
    }

    /// The state after event `seq`; large values stay references.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or is damaged.
    pub async fn state_references_at(&self, run: &RunId, seq: Seq) -> Result<State, LogError> {
        let run = run.clone();
        let (id, seq, state, is_far) = self
            .read(move |context| {
                let standing = context.complete(&run)?;
                let seq = seq.min(standing.last_seq);
                let near = snapshots::nearest(&context.source(), standing.id, seq)?;
                let state = snapshots::state_at(&context.source(), standing.id, seq)?;
                Ok((standing.id, seq, state, seq - near.fold.last_seq >= 2 * snapshots::INTERVAL))
            })
            .await?;
        if is_far {
            self.want_snapshots(id, seq);
        }
        Ok(state)
    }

    /// The start of a run: its definition and inputs.
    ///
    /// # Errors
    /// [`LogError`] when there is no such run, or its start cannot be read.
    pub async fn start(&self, run: &RunId) -> Result<Start, LogError> {
        let run = run.clone();
        self.read(move |context| Ok(beginning(context, &run)?.1)).await
    }

    /// The start of a run and its current fold; large values of its state stay references.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or is damaged.
    pub async fn standing(&self, run: &RunId) -> Result<(Start, RunFold), LogError> {
        let fold = self.shown_at(run, Seq::MAX).await?.fold;
        let run = run.clone();
        let start = self.read(move |context| Ok(beginning(context, &run)?.1)).await?;
        Ok((start, fold))
    }

    /// The run after event `seq` and the events that display it; the last state for a larger number. Large values stay
    /// references. The cost does not depend on the length of the run.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or is damaged.
    pub async fn shown_at(&self, run: &RunId, seq: Seq) -> Result<Shown, LogError> {
        let run = run.clone();
        let (id, far, snapshot) = self
            .read(move |context| {
                let standing = context.complete(&run)?;
                let (id, seq) = (standing.id, seq.min(standing.last_seq));
                let near = snapshots::nearest(&context.source(), id, seq)?.fold.last_seq;
                let snapshot = snapshots::at(&context.source(), id, seq)?;
                Ok((id, (seq - near >= 2 * snapshots::INTERVAL).then_some(seq), snapshot))
            })
            .await?;
        if let Some(seq) = far {
            self.want_snapshots(id, seq);
        }
        Ok(Shown { fold: snapshot.fold, excerpt: snapshot.excerpt })
    }

    /// The events with these numbers; large values stay references.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or is damaged.
    pub async fn picked_events(&self, run: &RunId, seqs: Vec<Seq>) -> Result<Vec<Event>, LogError> {
        let run = run.clone();
        self.read(move |context| {
            let id = context.complete(&run)?.id;
            context.source().picked(id, &seqs)
        })
        .await
    }

    /// The events that changed or read a key, for its history; the key's values are resolved.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or is damaged.
    pub async fn key_events(&self, run: &RunId, key: &str) -> Result<Vec<Event>, LogError> {
        let (run, key) = (run.clone(), key.to_owned());
        self.read(move |context| {
            let standing = context.complete(&run)?;
            let quoted = serde_json::Value::from(key.as_str()).to_string();
            let mut found = context.source().containing(standing.id, standing.last_seq, &quoted)?;
            found.retain(|event| event.concerns(&key));
            for event in &mut found {
                if let Fact::StateChanged { delta } | Fact::RunResumed { delta, .. } = &mut event.fact
                    && let Some(value) = delta.set.get_mut(&key)
                {
                    context.resolve(value)?;
                }
            }
            Ok(found)
        })
        .await
    }

    /// The value with this content hash.
    ///
    /// # Errors
    /// `not_found` when no value has this hash; else when the database cannot be read or is damaged.
    pub async fn value(&self, hash: &Hash) -> Result<Value, LogError> {
        let hash = hash.clone();
        self.read(move |context| {
            context.value(&hash)?.ok_or_else(|| {
                not_found(phrase!(
                    "No value with the hash {hash} is stored in this data folder.",
                    hash = hash.0
                ))
            })
        })
        .await
    }

    /// The card of a run.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or is damaged.
    pub async fn run_card(&self, run: &RunId) -> Result<RunCard, LogError> {
        let run = run.clone();
        self.read(move |context| {
            let listed =
                context.of(run_cards::card(context.connection, &run.0))?.ok_or_else(|| no_run(&run))?;
            context.card(listed)
        })
        .await
    }

    /// The only run whose id begins with this prefix (at least four characters), or the newest for `last` and `latest`.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or is damaged.
    pub async fn resolve_run(&self, prefix: &str) -> Result<RunId, LogError> {
        let prefix = prefix.trim().to_lowercase();
        self.read(move |context| {
            if prefix == "last" || prefix == "latest" {
                let newest = context.of(run_cards::newest(context.connection, None, 1, Shelf::History))?.pop();
                return newest.map(|listed| listed.card.run).ok_or_else(|| {
                    not_found(phrase!("There is no run in this data folder yet. Start one first."))
                });
            }
            let mut found = context.of(runs::beginning_with(context.connection, &prefix))?;
            if let Some(whole) = found.iter().position(|run| *run == prefix) {
                return Ok(RunId(found.swap_remove(whole)));
            }
            if prefix.chars().count() < 4 {
                return Err(LogError::new(
                    Code::BadInput,
                    phrase!("`{prefix}` is too short for a run's id. Give at least four characters of it, or `last`.", prefix),
                ));
            }
            match found.as_slice() {
                [] => Err(no_run(&RunId(prefix))),
                [only] => Ok(RunId(only.clone())),
                several => Err(LogError::new(
                    Code::BadInput,
                    phrase!("Several runs begin with `{prefix}`: {several}. Give more of the id.", prefix, several),
                )),
            }
        })
        .await
    }

    /// The newest runs, or the newest that began before the run `before`.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn list_runs(&self, before: Option<&RunId>, limit: u32) -> Result<Vec<RunCard>, LogError> {
        let before = before.map(|run| run.0.clone());
        self.read(move |context| {
            let newest = run_cards::newest(context.connection, before.as_deref(), limit, Shelf::History);
            context.of(newest)?.into_iter().map(|listed| context.card(listed)).collect()
        })
        .await
    }

    /// The runs that may wait for an answer, the oldest first: those that ended waiting, and those without an end.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn waiting_runs(&self) -> Result<Vec<RunId>, LogError> {
        let waiting = self.read(|context| context.of(run_cards::waiting(context.connection))).await?;
        Ok(waiting.into_iter().map(RunId).collect())
    }

    /// The newest runs in the trash.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn list_trash(&self, limit: u32) -> Result<Vec<RunCard>, LogError> {
        self.read(move |context| {
            let newest = context.of(run_cards::newest(context.connection, None, limit, Shelf::Trash))?;
            newest.into_iter().map(|listed| context.card(listed)).collect()
        })
        .await
    }

    /// Changes a run's title (empty: its original one), pin or tags; `None` changes nothing.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when it cannot be stored.
    pub async fn mark_run(
        &self,
        run: &RunId,
        title: Option<String>,
        is_pinned: Option<bool>,
        tags: Option<Vec<String>>,
    ) -> Result<(), LogError> {
        self.change_marks(run, Change { title, is_pinned, tags, ..Change::default() }).await
    }

    /// Moves a run into the trash, or back. No data are deleted.
    ///
    /// # Errors
    /// `busy` while a process holds it.
    pub async fn trash_run(&self, run: &RunId, into: bool) -> Result<(), LogError> {
        let holder = self.run_card(run).await?.held_by;
        if into && holder.is_some() {
            let message =
                phrase!("The run {run} is being worked on. Stop it first, then put it into the trash.", run);
            return Err(LogError::new(Code::Busy, message));
        }
        let trashed_at_ms = Some(into.then(engine::now_ms));
        self.change_marks(run, Change { trashed_at_ms, ..Change::default() }).await
    }

    async fn change_marks(&self, run: &RunId, change: Change) -> Result<(), LogError> {
        let run = run.clone();
        self.write(false, move |writing| {
            let standing = runs::standing(writing.connection, &run.0)
                .map_err(|error| writing.explain(&error))?
                .ok_or_else(|| no_run(&run))?;
            run_marks::change(writing.connection, standing.id, &change)
                .map_err(|error| writing.explain(&error))
        })
        .await
    }
}
