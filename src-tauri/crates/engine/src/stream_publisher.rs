//! Publishes the text of an answer while it streams.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kernel::{Error, ModelReply, ModelRequest};

use crate::run_shared::{StreamUpdate, TextStreams};
use crate::{Model, TextSink, partial_field};

/// The shortest interval between two updates. A timer polls for new text, because waking up for each piece would cost a
/// thread switch each time.
const SHOW_EVERY: Duration = Duration::from_millis(30);

/// Publishes the text of one answer while it streams.
pub(crate) struct StreamPublisher {
    /// The field of the answer that streams, empty for the whole answer; `None` where the text is not shown.
    pub(crate) field: Option<String>,
    pub(crate) text_streams: TextStreams,
    pub(crate) path: String,
}

impl StreamPublisher {
    /// Publishes new text at each interval, until this future is dropped.
    async fn follow(&self, sink: &TextSink, is_new: &AtomicBool) -> Infallible {
        loop {
            tokio::time::sleep(SHOW_EVERY).await;
            if !is_new.swap(false, Ordering::Relaxed) {
                continue;
            }
            let so_far = sink.so_far();
            let received = so_far.len();
            let text = match self.field.as_deref() {
                None => String::new(),
                Some("") => so_far,
                Some(field) => partial_field::field(&so_far, field),
            };
            if received > 0 {
                self.text_streams.publish(StreamUpdate { path: self.path.clone(), text, received });
            }
        }
    }
}

/// Runs a model request and publishes its text meanwhile.
pub(crate) async fn answered(
    model: &dyn Model,
    request: &ModelRequest,
    sink: &TextSink,
    showing: &StreamPublisher,
    is_new: &AtomicBool,
) -> Result<ModelReply, Error> {
    tokio::select! {
        biased;
        reply = model.answer(request, sink) => reply,
        never = showing.follow(sink, is_new) => match never {},
    }
}
