//! Watches: the events of a run in order from a number on, then live; or the list of runs as it changes.
//!
//! The store reports every append, of this process and others, so a headless run elsewhere appears here as it happens.
//! Streaming text exists only in the process of the run.

use std::collections::HashMap;
use std::time::Duration;

use engine::{StreamUpdate, StreamUpdates};
use futures::Stream;
use kernel::{RunId, Seq};
use tokio::sync::{broadcast, mpsc};

use crate::ApiError;
use crate::api::{RunCard, WatchItem};
use crate::runs::RunService;
use crate::runs::history::entry;

const BATCH: u32 = 500;
const RUNS: u32 = 200;
/// A crash of a holder makes no event, so the list is read again at this interval.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

type Items = mpsc::Sender<WatchItem>;

impl RunService {
    /// Watches a run from an event on, or the list of runs. Ends when dropped.
    pub fn watch(
        &self,
        run: Option<String>,
        from_seq: Seq,
    ) -> impl Stream<Item = serde_json::Value> + Send + 'static {
        let (items, received) = mpsc::channel(256);
        let runs = self.clone();
        tokio::spawn(async move {
            let watched = match run {
                Some(run) => runs.watch_run(&run, from_seq, &items).await,
                None => runs.watch_runs(&items).await,
            };
            if let Err(error) = watched {
                // Sending to a watcher that has gone is no error.
                let _ = items.send(WatchItem::Error { error }).await;
            }
        });
        futures::stream::unfold(received, |mut received| async move {
            let item = received.recv().await?;
            Some((serde_json::to_value(item).unwrap_or_default(), received))
        })
    }

    async fn watch_run(&self, run: &str, from_seq: Seq, items: &Items) -> Result<(), ApiError> {
        let id = self.store.resolve_run(run).await?;
        let mut changes = self.store.watch_changes();
        let mut next = from_seq.max(1);
        let mut is_live = false;
        let mut texts: Option<StreamUpdates> = None;
        loop {
            changes.mark_unchanged();
            let events = self.store.events(&id, next, BATCH).await?;
            let is_whole_batch = events.len() == BATCH as usize;
            for event in events {
                next = event.seq + 1;
                if items.send(WatchItem::Event { entry: entry(event) }).await.is_err() {
                    return Ok(());
                }
            }
            if is_whole_batch {
                continue;
            }
            if !is_live {
                is_live = true;
                if items.send(WatchItem::Live { seq: next.saturating_sub(1) }).await.is_err() {
                    return Ok(());
                }
            }
            if texts.is_none() {
                texts = self.begin_texts(&id, items).await;
            }
            loop {
                tokio::select! {
                    changed = changes.changed() => {
                        if changed.is_err() {
                            return Ok(());
                        }
                        break;
                    }
                    streamed = next_text(&mut texts) => match streamed {
                        Some(streamed) => {
                            if items.send(text(streamed)).await.is_err() {
                                return Ok(());
                            }
                        }
                        None => texts = None,
                    },
                    () = items.closed() => return Ok(()),
                }
            }
        }
    }

    /// A late watcher first gets the texts so far.
    async fn begin_texts(&self, run: &RunId, items: &Items) -> Option<StreamUpdates> {
        let handle = self.handle(run).filter(|handle| !handle.has_ended())?;
        let (so_far, receiver) = handle.follow_texts();
        for streamed in so_far {
            if items.send(text(streamed)).await.is_err() {
                return None;
            }
        }
        Some(receiver)
    }

    async fn watch_runs(&self, items: &Items) -> Result<(), ApiError> {
        let mut changes = self.store.watch_changes();
        let mut from_window = self.window_link.to_page.subscribe();
        // The start time and the displayed form of each run.
        let mut shown: HashMap<String, (i64, String)> = HashMap::new();
        loop {
            changes.mark_unchanged();
            let cards = self.store.list_runs(None, RUNS).await?;
            let is_listed = |run: &String| cards.iter().any(|card| card.run.0 == *run);
            // A run older than the oldest card left this window of the list, not the list.
            let oldest = cards.last().filter(|_| cards.len() == RUNS as usize).map(|card| card.started_at_ms);
            let is_in_window = |began: i64| oldest.is_none_or(|oldest| began > oldest);
            let gone = shown.iter().filter(|(run, (began, _))| is_in_window(*began) && !is_listed(run));
            for run in gone.map(|(run, _)| run.clone()).collect::<Vec<_>>() {
                shown.remove(&run);
                if items.send(WatchItem::RunGone { run }).await.is_err() {
                    return Ok(());
                }
            }
            for card in cards.into_iter().rev().map(|card| self.card(card)) {
                let print = fingerprint(&card);
                if shown.get(&card.run).is_some_and(|(_, before)| *before == print) {
                    continue;
                }
                shown.insert(card.run.clone(), (card.started_at_ms, print));
                if items.send(WatchItem::Run { card }).await.is_err() {
                    return Ok(());
                }
            }
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return Ok(()) },
                item = from_window.recv() => if let Ok(item) = item && items.send(item).await.is_err() { return Ok(()) },
                () = tokio::time::sleep(LOOK_AGAIN) => {}
                () = items.closed() => return Ok(()),
            }
        }
    }
}

fn fingerprint(card: &RunCard) -> String {
    format!("{} {:?} {} {:?} {}", card.last_seq, card.status, card.is_pinned, card.tags, card.title)
}

fn text(StreamUpdate { path, text, received }: StreamUpdate) -> WatchItem {
    WatchItem::Text { path, text, received: u32::try_from(received).unwrap_or(u32::MAX) }
}

/// The next text; `None` when the run's stream has ended. A watcher that fell behind continues with the newest.
async fn next_text(texts: &mut Option<StreamUpdates>) -> Option<StreamUpdate> {
    let Some(receiver) = texts else { return std::future::pending().await };
    loop {
        match receiver.recv().await {
            Ok(streamed) => return Some(streamed),
            Err(broadcast::error::RecvError::Lagged(_)) => {}
            Err(broadcast::error::RecvError::Closed) => return None,
        }
    }
}
