//! Streaming text, beside the events.
//!
//! What a model has said so far is kept here while its effect is in flight: a late watcher first
//! gets the text so far, and when the effect is cut off, what was received becomes part of its answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::{Remark, TokenUsage, WastedUsage};

/// Receives the visible text of one answer as it comes. Clones share the text.
#[derive(Clone, Default)]
pub struct TextSink {
    shared: Arc<Shared>,
    meter: Meter,
    remarks: Arc<Mutex<Vec<Remark>>>,
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
        let shared = Arc::new(Shared { listener: Some(Box::new(listener)), ..Shared::default() });
        TextSink { shared, ..TextSink::default() }
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
        self.meter.begin_anew();
    }

    /// What this attempt has used so far, as the provider tells it.
    pub fn count(&self, tokens: TokenUsage) {
        self.meter.count(tokens);
    }

    /// Something happened on the way that is told to the person with the answer, whatever becomes of it.
    pub fn remark(&self, remark: Remark) {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).push(remark);
    }

    /// What was told so of all attempts.
    pub fn remarks(&self) -> Vec<Remark> {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What counts the tokens.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The text so far.
    pub fn so_far(&self) -> String {
        self.shared.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Counts what an effect uses of a model, attempt by attempt. Clones share the count.
///
/// It lives in memory: what a provider told of an answer that is still coming is recorded when that answer ends or is
/// stopped, not while it comes. Should the program die before, those tokens are lost, because nobody can tell then what
/// else the answer came to; such a call is counted as one whose price is not known, which is never taken for nothing.
#[derive(Clone, Default)]
pub struct Meter {
    used: Arc<Mutex<Used>>,
}

type PriceOf = Box<dyn Fn(TokenUsage, u32) -> Option<f64> + Send + Sync>;

#[derive(Default)]
struct Used {
    /// By attempts that are over.
    before: TokenUsage,
    /// By this attempt, as far as it told.
    now: TokenUsage,
    /// Whether this attempt may have been taken, and so may have used something.
    may_cost: bool,
    /// Whether an attempt that is over may have used something and told nothing of it.
    is_uncounted: bool,
    /// Searches that the model made, all attempts.
    searches: u32,
    price: Option<PriceOf>,
}

impl Used {
    /// Whether this attempt may have used something and told nothing of it.
    fn tells_nothing(&self) -> bool {
        self.may_cost && self.now == TokenUsage::default()
    }
}

impl Meter {
    /// What this attempt has used so far, as the provider tells it.
    pub fn count(&self, tokens: TokenUsage) {
        self.used().now = tokens;
    }

    /// Whether the request of this attempt may have been taken: from when it is sent, until it is known that it reached
    /// nobody or was refused. What is not told of one that may have been is unknown, not nothing.
    pub fn may_cost(&self, may_cost: bool) {
        self.used().may_cost = may_cost;
    }

    /// The model made so many searches, which its provider may bill beside the tokens.
    pub fn count_searches(&self, searches: u32) {
        let mut used = self.used();
        used.searches = used.searches.saturating_add(searches);
    }

    /// By what tokens and searches are priced.
    pub fn price(&self, price: impl Fn(TokenUsage, u32) -> Option<f64> + Send + Sync + 'static) {
        self.used().price = Some(Box::new(price));
    }

    /// What was used for nothing: by attempts that are over, and by the last one unless it became the answer.
    pub fn wasted_usage(&self, is_answered: bool) -> WastedUsage {
        let used = self.used();
        let tokens = if is_answered { used.before } else { used.before.and(used.now) };
        let is_uncounted = used.is_uncounted || (!is_answered && used.tells_nothing());
        let price = used.price.as_ref().filter(|_| !is_uncounted);
        WastedUsage { tokens, is_uncounted, cost: price.and_then(|price| price(tokens, used.searches)) }
    }

    /// A new attempt begins.
    pub(crate) fn begin_anew(&self) {
        let mut used = self.used();
        used.is_uncounted |= used.tells_nothing();
        used.may_cost = false;
        used.before = used.before.and(std::mem::take(&mut used.now));
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
