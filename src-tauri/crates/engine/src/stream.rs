//! Text that streams beside the events.
//!
//! The text of a model is kept here while its effect is in flight: a late follower first gets the text so far, and when
//! the effect is cut off, the received text becomes part of its answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::{Remark, TokenUsage, WastedUsage};

/// Receives the visible text of one answer as it arrives. Clones share the text.
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
    /// Makes a sink that calls `listener` with the whole text so far after each piece.
    pub fn with_listener(listener: impl Fn(&str) + Send + Sync + 'static) -> TextSink {
        let shared = Arc::new(Shared { listener: Some(Box::new(listener)), ..Shared::default() });
        TextSink { shared, ..TextSink::default() }
    }

    /// Appends a piece of text.
    pub fn push(&self, piece: &str) {
        let mut text = self.shared.text.lock().unwrap_or_else(PoisonError::into_inner);
        text.push_str(piece);
        if let Some(listener) = &self.shared.listener {
            listener(&text);
        }
    }

    /// Starts a new attempt: the text of the last one is discarded, its usage stays counted.
    pub fn clear(&self) {
        self.shared.text.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.meter.begin_anew();
    }

    /// Sets the usage of this attempt as the provider reports it.
    pub fn count(&self, tokens: TokenUsage) {
        self.meter.count(tokens);
    }

    /// Adds a remark that the person sees with the answer, whatever the outcome.
    pub fn remark(&self, remark: Remark) {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).push(remark);
    }

    /// The remarks of all attempts.
    pub fn remarks(&self) -> Vec<Remark> {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The meter that counts the tokens.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The text so far.
    pub fn so_far(&self) -> String {
        self.shared.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Counts the usage of models by an effect, attempt by attempt. Clones share the count.
///
/// The count lives in memory: usage that a provider reports during an answer is recorded only when that answer ends or
/// is stopped. If the program dies before, those tokens are lost and the full usage is unknown; such a call counts as
/// one of unknown cost, never as free.
#[derive(Clone, Default)]
pub struct Meter {
    used: Arc<Mutex<Used>>,
}

type PriceOf = Box<dyn Fn(TokenUsage, u32) -> Option<f64> + Send + Sync>;

#[derive(Default)]
struct Used {
    /// The usage of finished attempts.
    before: TokenUsage,
    /// The usage of this attempt, as far as it is reported.
    now: TokenUsage,
    /// Whether the provider may have accepted this attempt, so that it may have cost something.
    may_cost: bool,
    /// Whether a finished attempt may have cost something and reported no usage.
    is_uncounted: bool,
    /// Searches that the model made in all attempts.
    searches: u32,
    price: Option<PriceOf>,
}

impl Used {
    /// Whether this attempt may have cost something and reported no usage.
    fn tells_nothing(&self) -> bool {
        self.may_cost && self.now == TokenUsage::default()
    }
}

impl Meter {
    /// Sets the usage of this attempt as the provider reports it.
    pub fn count(&self, tokens: TokenUsage) {
        self.used().now = tokens;
    }

    /// Sets whether the provider may have accepted this attempt: true from sending on, until it is known that the
    /// request was refused or not delivered. Unreported usage of an accepted request is unknown, not 0.
    pub fn may_cost(&self, may_cost: bool) {
        self.used().may_cost = may_cost;
    }

    /// Adds searches that the model made, which its provider may bill beside the tokens.
    pub fn count_searches(&self, searches: u32) {
        let mut used = self.used();
        used.searches = used.searches.saturating_add(searches);
    }

    /// Sets the function that prices tokens and searches.
    pub fn price(&self, price: impl Fn(TokenUsage, u32) -> Option<f64> + Send + Sync + 'static) {
        self.used().price = Some(Box::new(price));
    }

    /// The usage without a result: of finished attempts, and of the last one unless it became the answer.
    pub fn wasted_usage(&self, is_answered: bool) -> WastedUsage {
        let used = self.used();
        let tokens = if is_answered { used.before } else { used.before.and(used.now) };
        let is_uncounted = used.is_uncounted || (!is_answered && used.tells_nothing());
        let price = used.price.as_ref().filter(|_| !is_uncounted);
        WastedUsage { tokens, is_uncounted, cost: price.and_then(|price| price(tokens, used.searches)) }
    }

    /// Starts a new attempt.
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
