//! The data that all agents of one run share, and the text streams beside its events.

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
    /// `None` in a replay, where all answers come from the records.
    pub(crate) world: Option<World>,
    pub(crate) cancel: CancellationToken,
    pub(crate) text_streams: TextStreams,
    /// Whether the records end without an end of the run: then the replay ends there too.
    pub(crate) is_open_ended: bool,
    /// The cost of effects in flight, which the usage does not include yet.
    pub(crate) in_flight: InFlight,
    /// The run's own clock.
    pub(crate) clock: Arc<RunClock>,
    /// The run's folder, once a tool has needed it.
    pub(crate) folder: OnceCell<RunFolder>,
}

impl Shared {
    /// The time of an event: now, but never before `known`; in a replay, `known`.
    pub(crate) fn time(&self, known: Moment) -> Moment {
        if self.world.is_some() { self.clock.now().max(known) } else { known }
    }

    /// The run's folder. It is synchronized with the events when the first tool needs it; later, a tool may be writing
    /// files that no event lists yet.
    ///
    /// # Errors
    /// It cannot be made or written; the next tool that needs it tries again.
    pub(crate) async fn folder(&self, world: &World) -> Result<RunFolder, Error> {
        let open = || world.files.folder(&self.writer.run, self.writer.files());
        self.folder.get_or_try_init(open).await.cloned()
    }

    /// Synchronizes the folder with the events if they list files: a fork gets the files of its parent even if none of
    /// its tools uses files. An error here occurs again, and is reported, when a tool needs the folder.
    pub(crate) async fn make_files(&self) {
        let Some(world) = self.world.as_ref().filter(|_| !self.writer.files().is_empty()) else { return };
        if let Err(error) = self.folder(world).await {
            tracing::warn!(%error, "the files of a run could not be made when it began");
        }
    }
}

/// An answer that streams.
#[derive(Clone, Debug, Default)]
pub struct StreamUpdate {
    /// The path of its agent.
    pub path: String,
    /// The part that a person may read so far; empty while the model writes data for the program only.
    pub text: String,
    /// The number of bytes received so far; 0 when the answer is complete.
    pub received: usize,
}

/// Capacity of the channel per run: a follower that leaves more updates unread continues with the latest.
const UNREAD: usize = 32;

/// The answers that stream, by the path of their agent.
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
    /// Follows the answers; a late follower first gets the texts so far.
    pub(crate) fn follow(&self) -> (Vec<StreamUpdate>, broadcast::Receiver<StreamUpdate>) {
        let receiver = self.inner.audience.subscribe();
        let so_far = self.inner.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        (so_far.values().cloned().collect(), receiver)
    }

    /// Publishes the answer at a path so far.
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
        // Sending without a listener is no error.
        let _ = self.inner.audience.send(update);
    }
}
