//! Searches the titles, texts and journals of runs, and maintains the word index for that.
//!
//! The index follows the runs: a run is indexed when it ends, and the newest runs with new events before a search. When
//! more are missing, as after a recovery, they are indexed in the background, and the result says how many are missing.

use std::sync::atomic::Ordering;

use engine::LogError;
use kernel::{Definition, Event, Fact, RunId, Seq};

use crate::read_context::ReadContext;
use crate::table::{run_cards, run_words, runs, snapshots};
use crate::{RunCard, Store, texts, words};

/// The most runs that are indexed in one transaction: few, because other writers wait for it.
const INDEXED_AT_ONCE: u32 = 16;
/// The most runs that are indexed before a search.
const INDEXED_BEFORE: u32 = 64;
/// Larger values, in bytes of JSON, are not indexed.
const SEARCHED_BYTES: usize = 1 << 20;

/// A page of matching runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundRuns {
    /// The newest of them, each with a snippet.
    pub runs: Vec<RunCard>,
    /// The number of matches on all pages.
    pub found: u32,
    /// The number of runs that are not indexed yet.
    pub not_indexed: u32,
}

impl Store {
    /// The newest runs whose title, texts or journal contain all words of the search (by prefix), or the newest that
    /// began before the run `before`.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn search_runs(
        &self,
        search: &str,
        before: Option<&RunId>,
        limit: u32,
    ) -> Result<FoundRuns, LogError> {
        let (search, before) = (search.trim().to_owned(), before.map(|run| run.0.clone()));
        let Some(question) = words::every(&search) else { return Ok(FoundRuns::default()) };
        let (mut below, mut indexed) = (i64::MAX, 0);
        while indexed < INDEXED_BEFORE
            && let Some(last) = self.index_some(below, INDEXED_AT_ONCE).await?
        {
            (below, indexed) = (last, indexed + INDEXED_AT_ONCE);
        }
        let found = self
            .read(move |context| {
                let connection = context.connection;
                let matching = run_words::matching(connection, &question, before.as_deref(), limit);
                let found = context.of(run_words::count_matching(connection, &question))?;
                let not_indexed = context.of(runs::count_not_indexed(connection))?;
                let mut cards = Vec::new();
                for id in context.of(matching)? {
                    let Some(listed) = context.of(run_cards::card_by_id(connection, id))? else { continue };
                    let seq = listed.card.last_seq;
                    let mut card = context.card(listed)?;
                    let text = words_of(context, id, seq);
                    let snippet =
                        words::snippet(&text, &search).or_else(|| words::snippet(&card.title, &search));
                    card.snippet = Some(snippet.unwrap_or_else(|| words::beginning(&text)));
                    cards.push(card);
                }
                Ok(FoundRuns { runs: cards, found, not_indexed })
            })
            .await?;
        if found.not_indexed > 0 {
            self.index_in_background();
        }
        Ok(found)
    }

    /// Indexes all runs, the newest first; runs with further events meanwhile are left for the next time.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub async fn index_runs(&self) -> Result<(), LogError> {
        let mut below = i64::MAX;
        while let Some(last) = self.index_some(below, INDEXED_AT_ONCE).await? {
            below = last;
        }
        Ok(())
    }

    /// Indexes one run.
    ///
    /// # Errors
    /// `not_found` when there is no such run; else when the database cannot be read or written.
    pub async fn index_run(&self, run: &RunId) -> Result<(), LogError> {
        let run = run.clone();
        let id = self.read(move |context| Ok(context.standing(&run)?.id)).await?;
        self.index_some(id.saturating_add(1), 1).await.map(drop)
    }

    /// Indexes in the background.
    fn index_in_background(&self) {
        if self.shared.is_indexing.swap(true, Ordering::AcqRel) {
            return;
        }
        let store = self.clone();
        tokio::spawn(async move {
            if let Err(error) = store.index_runs().await {
                tracing::warn!(%error, "the search does not know all runs yet");
            }
            store.shared.is_indexing.store(false, Ordering::Release);
        });
    }

    /// Indexes the newest runs below a row that have new events; returns the row of the last one, or `None` if there
    /// was none.
    async fn index_some(&self, below: i64, limit: u32) -> Result<Option<i64>, LogError> {
        let stale = self
            .read(move |context| {
                let stale = context.of(runs::not_indexed(context.connection, below, limit))?;
                Ok(stale
                    .into_iter()
                    .map(|(id, title, seq)| (id, title, seq, words_of(context, id, seq)))
                    .collect::<Vec<_>>())
            })
            .await?;
        let Some(last) = stale.last().map(|(id, ..)| *id) else { return Ok(None) };
        self.write(false, move |writing| {
            for (id, title, seq, text) in &stale {
                run_words::replace(writing.connection, *id, title, text)
                    .and_then(|()| runs::set_indexed(writing.connection, *id, *seq))
                    .map_err(|error| writing.explain(&error))?;
            }
            Ok(())
        })
        .await?;
        Ok(Some(last))
    }
}

/// The texts in a run's state and the notes of its journal. Unreadable data are skipped; opening the run reports them.
fn words_of(context: &ReadContext<'_>, id: i64, seq: Seq) -> String {
    let collect = || -> Result<String, LogError> {
        let state = snapshots::state_at(&context.source(), id, seq)?;
        let mut text = String::new();
        for (_, value) in state.iter() {
            let mut value = value.clone();
            if value.is_stored() && value.bytes() > SEARCHED_BYTES {
                continue;
            }
            context.resolve(&mut value)?;
            texts::collect(value.json_or_null(), &mut text);
        }
        let definition = context.of(runs::definition(context.connection, id))?;
        let definition = context.content::<Definition>(&definition)?;
        let notes = definition.map(|(definition, _)| definition.notes).unwrap_or_default();
        for Event { author, fact, .. } in context.source().remarks_and_ends(id, seq)? {
            let said = match fact {
                Fact::RequestFailed { error, .. } => kernel::request_failed(&author, &error),
                Fact::FellBack { from, to, error } => kernel::fell_back(&author, &from, &to, &error),
                Fact::Noted { note } => note.english(&author, &notes),
                Fact::RunEnded { error: Some(error), .. } => error.message,
                _ => continue,
            };
            texts::collect(&said.into(), &mut text);
        }
        Ok(text)
    };
    collect().unwrap_or_else(|error| {
        tracing::warn!(%error, "a run is searched by its title only");
        String::new()
    })
}
