//! The search over titles, texts and journals of runs, and the index of words that it reads.
//!
//! The index follows the runs: it is brought up to date when one ends, and before a search for the newest of those that went
//! on since. Where more are missing, as after a recovery, that is done beside, and what is found says how many are missing.

use std::sync::atomic::Ordering;

use engine::LogError;
use kernel::{Definition, Event, Fact, RunId, Seq};

use crate::read_context::ReadContext;
use crate::table::{run_cards, run_words, runs, snapshots};
use crate::{RunCard, Store, texts, words};

/// Runs whose words are brought up to date in one transaction: few, since other writers wait for it.
const INDEXED_AT_ONCE: u32 = 16;
/// So many are brought up to date before a search.
const INDEXED_BEFORE: u32 = 64;
/// Values larger than this, in bytes of JSON, are no draft anybody searches for.
const SEARCHED_BYTES: usize = 1 << 20;

/// A page of runs that were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundRuns {
    /// The newest of them, each with a snippet.
    pub runs: Vec<RunCard>,
    /// How many there are on all pages.
    pub found: u32,
    /// How many runs could not be searched yet.
    pub not_indexed: u32,
}

impl Store {
    /// The newest runs in whose title, texts or journal every word of the search occurs (words by their beginning); of those
    /// that began before `before`, when it is given.
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
            self.index_beside();
        }
        Ok(found)
    }

    /// Brings the index of words up to date with all runs, the newest first; what goes on meanwhile is left to the next time.
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

    /// Brings it up to date with one run.
    ///
    /// # Errors
    /// `not_found` where there is no such run; else when the database cannot be read or written.
    pub async fn index_run(&self, run: &RunId) -> Result<(), LogError> {
        let run = run.clone();
        let id = self.read(move |context| Ok(context.standing(&run)?.id)).await?;
        self.index_some(id.saturating_add(1), 1).await.map(drop)
    }

    /// Has the index brought up to date while other things are done.
    fn index_beside(&self) {
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

    /// Brings it up to date with the newest runs below a row that went on since; gives the row of the last of them, or nothing
    /// where there was none.
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

/// The texts in a run's state and the notes of its journal. What cannot be read is not searched; opening the run will say why.
fn words_of(context: &ReadContext<'_>, id: i64, seq: Seq) -> String {
    let collect = || -> Result<String, LogError> {
        let state = snapshots::state_at(&context.source(), id, seq)?;
        let mut text = String::new();
        for (_, value) in state.iter() {
            let mut value = value.clone();
            if value.is_stored() && value.bytes() > SEARCHED_BYTES {
                continue;
            }
            context.make_whole(&mut value)?;
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
