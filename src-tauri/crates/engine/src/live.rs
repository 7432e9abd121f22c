//! What all agents of one run share, and the streams that run beside its events.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::World;
use crate::perform::now_ms;
use crate::writer::Writer;

/// Shared by every context of a run.
pub(crate) struct Shared {
    pub(crate) writer: Writer,
    /// Nothing in a replay: its answers come from the records alone.
    pub(crate) world: Option<World>,
    pub(crate) cancel: CancellationToken,
    pub(crate) texts: Texts,
    /// Whether the records break off without an end: then a replay ends where they do.
    pub(crate) is_open_ended: bool,
    /// From when to when nobody worked on the run: before each time it went on, and before a fork began.
    pub(crate) pauses: Vec<(i64, i64)>,
}

impl Shared {
    /// The time of an event: now, never before what is known; in a replay what the records know.
    pub(crate) fn time(&self, known_ms: i64) -> i64 {
        if self.world.is_some() { now_ms().max(known_ms) } else { known_ms }
    }

    /// How much of the time between two moments was work, milliseconds: without the pauses of the run and the waits
    /// for the person, which may overlap.
    pub(crate) fn worked_ms(&self, from: i64, to: i64, waits: &[(i64, i64)]) -> u64 {
        let mut idle: Vec<(i64, i64)> = self.pauses.iter().chain(waits).copied().collect();
        idle.sort_unstable();
        let (mut worked, mut at) = (0, from);
        for (since, until) in idle {
            worked += (since.min(to) - at).max(0);
            at = at.max(until);
        }
        u64::try_from(worked + (to - at).max(0)).unwrap_or(0)
    }
}

/// An answer while it comes.
#[derive(Clone, Debug, Default)]
pub struct Streamed {
    /// The place of its agent.
    pub path: String,
    /// What a person may read of it so far; empty as long as the model writes what only the program reads.
    pub text: String,
    /// How many bytes of the answer have come; none when it is complete.
    pub received: usize,
}

/// Answers that stream, by the place of their agent.
#[derive(Clone, Default)]
pub(crate) struct Texts {
    inner: Arc<TextsInner>,
}

struct TextsInner {
    so_far: Mutex<BTreeMap<String, Streamed>>,
    audience: broadcast::Sender<Streamed>,
}

impl Default for TextsInner {
    fn default() -> TextsInner {
        TextsInner { so_far: Mutex::default(), audience: broadcast::channel(256).0 }
    }
}

impl Texts {
    /// Follows the answers; a late watcher first gets what there is so far.
    pub(crate) fn follow(&self) -> (Vec<Streamed>, broadcast::Receiver<Streamed>) {
        let receiver = self.inner.audience.subscribe();
        let so_far = self.inner.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        (so_far.values().cloned().collect(), receiver)
    }

    /// The answer at a place so far.
    pub(crate) fn say(&self, streamed: Streamed) {
        {
            let mut so_far = self.inner.so_far.lock().unwrap_or_else(PoisonError::into_inner);
            if streamed.received == 0 {
                if so_far.remove(&streamed.path).is_none() {
                    return;
                }
            } else {
                so_far.insert(streamed.path.clone(), streamed.clone());
            }
        }
        // Nobody listening is no fault.
        let _ = self.inner.audience.send(streamed);
    }
}
