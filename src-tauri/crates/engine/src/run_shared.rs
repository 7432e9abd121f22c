//! What all agents of one run share, and the streams that run beside its events.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::Error;
use tokio::sync::{OnceCell, broadcast};
use tokio_util::sync::CancellationToken;

use crate::clock::{Moment, RunClock};
use crate::limits::InFlight;
use crate::writer::Writer;
use crate::{RunFolder, World};

/// Shared by every context of a run.
pub(crate) struct Shared {
    pub(crate) writer: Writer,
    /// Nothing in a replay: its answers come from the records alone.
    pub(crate) world: Option<World>,
    pub(crate) cancel: CancellationToken,
    pub(crate) text_streams: TextStreams,
    /// Whether the records break off without an end: then a replay ends where they do.
    pub(crate) is_open_ended: bool,
    /// What is under way and not yet counted.
    pub(crate) in_flight: InFlight,
    /// The run's own clock.
    pub(crate) clock: Arc<RunClock>,
    /// The run's folder, once a tool needed it.
    pub(crate) folder: OnceCell<RunFolder>,
}

impl Shared {
    /// The time of an event: now, never before what is known; in a replay what the records know.
    pub(crate) fn time(&self, known: Moment) -> Moment {
        if self.world.is_some() { self.clock.now().max(known) } else { known }
    }

    /// The run's folder. It is brought to what the events tell when the first tool needs it: later, a tool may be writing
    /// there what no event tells yet.
    ///
    /// # Errors
    /// It cannot be made or written; the next tool that needs it tries again.
    pub(crate) async fn folder(&self, world: &World) -> Result<RunFolder, Error> {
        let open = || world.files.folder(&self.writer.run, self.writer.files());
        self.folder.get_or_try_init(open).await.cloned()
    }

    /// Brings the folder to what the events tell where they tell of files: a fork has those of its parent, also where no tool
    /// of it works with files. What fails here fails again, and is told, where a tool needs the folder.
    pub(crate) async fn make_files(&self) {
        let Some(world) = self.world.as_ref().filter(|_| !self.writer.files().is_empty()) else { return };
        if let Err(error) = self.folder(world).await {
            tracing::warn!(%error, "the files of a run could not be made when it began");
        }
    }
}

/// An answer while it comes.
#[derive(Clone, Debug, Default)]
pub struct StreamUpdate {
    /// The place of its agent.
    pub path: String,
    /// What a person may read of it so far; empty as long as the model writes what only the program reads.
    pub text: String,
    /// How many bytes of the answer have come; none when it is complete.
    pub received: usize,
}

/// Texts that a follower may leave unread; who leaves more goes on with the latest of them. There is room for them in every run.
const UNREAD: usize = 32;

/// Answers that stream, by the place of their agent.
#[derive(Clone, Default)]
pub(crate) struct TextStreams {
    inner: Arc<TextStreamsInner>,
}

struct TextStreamsInner {
    so_far: Mutex<BTreeMap<String, StreamUpdate>>,
    audience: broadcast::Sender<StreamUpdate>,
}

impl Default for TextStreamsInner {
    fn default() -> TextStreamsInner {
        TextStreamsInner { so_far: Mutex::default(), audience: broadcast::channel(UNREAD).0 }
    }
}

impl TextStreams {
    /// Follows the answers; a late watcher first gets what there is so far.
    pub(crate) fn follow(&self) -> (Vec<StreamUpdate>, broadcast::Receiver<StreamUpdate>) {
        let receiver = self.inner.audience.subscribe();
        let so_far = self.inner.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        (so_far.values().cloned().collect(), receiver)
    }

    /// The answer at a place so far.
    pub(crate) fn publish(&self, update: StreamUpdate) {
        {
            let mut so_far = self.inner.so_far.lock().unwrap_or_else(PoisonError::into_inner);
            if update.received == 0 {
                if so_far.remove(&update.path).is_none() {
                    return;
                }
            } else {
                so_far.insert(update.path.clone(), update.clone());
            }
        }
        // Nobody listening is no error.
        let _ = self.inner.audience.send(update);
    }
}
