//! Streaming text, beside the events.
//!
//! What a model has said so far is kept here while its effect is in flight: a late watcher first
//! gets the text so far, and when the effect is cut off, what was received becomes part of its answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::{Lost, TokenUsage};

/// Receives the visible text of one answer as it comes. Clones share the text.
#[derive(Clone, Default)]
pub struct TextSink {
    shared: Arc<Shared>,
}

type Listener = Box<dyn Fn(&str) + Send + Sync>;
type PriceOf = Box<dyn Fn(TokenUsage) -> Option<f64> + Send + Sync>;

#[derive(Default)]
struct Shared {
    text: Mutex<String>,
    used: Mutex<Used>,
    listener: Option<Listener>,
}

#[derive(Default)]
struct Used {
    /// By attempts that are over.
    before: TokenUsage,
    /// By this attempt, as far as it told.
    now: TokenUsage,
    price: Option<PriceOf>,
}

impl TextSink {
    /// A sink that tells somebody of every piece; the listener gets the whole text so far.
    pub fn with_listener(listener: impl Fn(&str) + Send + Sync + 'static) -> TextSink {
        TextSink { shared: Arc::new(Shared { listener: Some(Box::new(listener)), ..Shared::default() }) }
    }

    /// More text came.
    pub fn push(&self, piece: &str) {
        let mut text = self.shared.text.lock().unwrap_or_else(PoisonError::into_inner);
        text.push_str(piece);
        if let Some(listener) = &self.shared.listener {
            listener(&text);
        }
    }

    /// A new attempt begins: what the last one said is void. What it used was used.
    pub fn clear(&self) {
        self.shared.text.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let mut used = self.used();
        used.before = used.before.and(std::mem::take(&mut used.now));
    }

    /// What this attempt has used so far, as the provider tells it.
    pub fn count(&self, tokens: TokenUsage) {
        self.used().now = tokens;
    }

    /// By what tokens are priced, should the answer break off.
    pub fn price(&self, price: impl Fn(TokenUsage) -> Option<f64> + Send + Sync + 'static) {
        self.used().price = Some(Box::new(price));
    }

    /// What was used for nothing: by attempts that are over, and by the last one unless it became the answer.
    pub fn lost(&self, is_answered: bool) -> Lost {
        let used = self.used();
        let tokens = if is_answered { used.before } else { used.before.and(used.now) };
        Lost { tokens, cost: used.price.as_ref().and_then(|price| price(tokens)) }
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.shared.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text so far.
    pub fn so_far(&self) -> String {
        self.shared.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
