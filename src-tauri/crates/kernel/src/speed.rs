//! The speed of a model.

use serde::{Deserialize, Serialize};

use crate::{Answer, AnswerSummary};

/// The speed of a model: tokens of answers, and the time that they took.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Speed {
    /// Tokens of answers.
    pub tokens: u64,
    /// Milliseconds from the requests to the ends of the answers.
    pub ms: u64,
}

impl Speed {
    /// The speed of one answer; `None` where the request was sent more than once, or its tokens were not reported.
    pub fn of(answer: &Answer, summary: &AnswerSummary, took_ms: u64, waited_ms: u64) -> Option<Speed> {
        let (tokens, ms) = (u64::from(summary.tokens?.output_tokens), took_ms.saturating_sub(waited_ms));
        (answer.is_done() && summary.sent == Some(1) && tokens > 0 && ms > 0).then_some(Speed { tokens, ms })
    }

    /// Tokens per second; `None` without a measurement.
    pub fn per_second(self) -> Option<f64> {
        (self.tokens > 0 && self.ms > 0).then(|| self.tokens as f64 * 1000.0 / self.ms as f64)
    }

    /// Adds more answers.
    pub fn add(&mut self, more: Speed) {
        self.tokens = self.tokens.saturating_add(more.tokens);
        self.ms = self.ms.saturating_add(more.ms);
    }
}
