//! Streaming text, beside the events.
//!
//! What a model has said so far is kept here while its effect is in flight: a late watcher first
//! gets the text so far, and when the effect is cut off, what was received becomes part of its answer.

use std::sync::{Arc, Mutex, PoisonError};

/// Receives the visible text of one answer as it comes. Clones share the text.
#[derive(Clone, Default)]
pub struct TextSink {
    shared: Arc<Shared>,
}

type Listener = Box<dyn Fn(&str) + Send + Sync>;

#[derive(Default)]
struct Shared {
    text: Mutex<String>,
    listener: Option<Listener>,
}

impl TextSink {
    /// A sink that tells somebody of every piece; the listener gets the whole text so far.
    pub fn with_listener(listener: impl Fn(&str) + Send + Sync + 'static) -> TextSink {
        TextSink { shared: Arc::new(Shared { text: Mutex::default(), listener: Some(Box::new(listener)) }) }
    }

    /// More text came.
    pub fn push(&self, piece: &str) {
        let mut text = self.shared.text.lock().unwrap_or_else(PoisonError::into_inner);
        text.push_str(piece);
        if let Some(listener) = &self.shared.listener {
            listener(&text);
        }
    }

    /// A new attempt begins: what the last one said is void.
    pub fn clear(&self) {
        self.shared.text.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The text so far.
    pub fn so_far(&self) -> String {
        self.shared.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
