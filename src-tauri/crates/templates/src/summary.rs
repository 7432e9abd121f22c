//! A summary, cut and indexed once, so that many sentences can be compared with it.

use crate::labels::{Label, labels};
use crate::names::names;
use crate::thesaurus::{ideographic_denials, is_denial};
use crate::tokens::{Token, TokenKind, Unit, tokens, units};
use crate::values::{Value, ValueKind, values};
use prose::sentences;
use std::collections::HashMap;
use std::ops::Range;

/// Tokens of one sentence beyond which the rest is not read, and of a whole summary.
const LONGEST_SENTENCE: usize = 400;
const LONGEST_SUMMARY: usize = 200_000;
/// Places of one unit that are remembered; what occurs more often tells nothing.
const MOST_PLACES: usize = 64;

/// Sentences with a date, or with a duration, that are remembered.
const MOST_LIKELY: usize = 3;

/// A summary with its index.
pub(crate) struct Summary<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
    /// The tokens of each sentence.
    pub(crate) sentences: Vec<Range<usize>>,
    /// The units of each sentence.
    pub(crate) units: Vec<Vec<Unit>>,
    /// The values of each sentence.
    pub(crate) values: Vec<Vec<Value>>,
    /// The clause of each token; clauses are numbered through.
    pub(crate) clauses: Vec<usize>,
    /// Tokens that deny, by sentence.
    pub(crate) denials: Vec<Vec<usize>>,
    /// Where each unit occurs: token indices in order.
    places: HashMap<u64, Vec<usize>>,
    /// The first sentences with a date, and the first with a duration: they are looked at though their words are
    /// others.
    pub(crate) dated: Vec<usize>,
    pub(crate) lasting: Vec<usize>,
    /// What it says behind labels.
    pub(crate) labels: Vec<Label>,
    /// Whether percent signs stand behind a blank.
    pub(crate) has_spaced_percent: bool,
}

impl<'a> Summary<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut summary = Self {
            text,
            tokens: Vec::new(),
            sentences: Vec::new(),
            units: Vec::new(),
            values: Vec::new(),
            clauses: Vec::new(),
            denials: Vec::new(),
            places: HashMap::new(),
            dated: Vec::new(),
            lasting: Vec::new(),
            labels: Vec::new(),
            has_spaced_percent: text.contains(" %"),
        };
        for sentence in sentences(text) {
            let from = summary.tokens.len();
            if from > LONGEST_SUMMARY {
                break;
            }
            let cut = tokens(text, sentence.start, sentence.end);
            summary.tokens.extend(cut.into_iter().take(LONGEST_SENTENCE));
            summary.add_sentence(from);
        }
        summary
    }

    fn add_sentence(&mut self, from: usize) {
        let to = self.tokens.len();
        let own = units(self.text, &self.tokens[from..to], true);
        let mut placed = Vec::with_capacity(own.len());
        for unit in own {
            let token = from + unit.token;
            let places = self.places.entry(unit.key).or_default();
            if places.len() < MOST_PLACES {
                places.push(token);
            }
            placed.push(Unit { token, ..unit });
        }
        self.units.push(placed);
        let mut found = values(self.text, &self.tokens, from, to);
        found.extend(names(self.text, &self.tokens, from, to));
        let has = |kinds: &[ValueKind]| found.iter().any(|value| kinds.contains(&value.kind));
        if self.dated.len() < MOST_LIKELY && has(&[ValueKind::Date, ValueKind::Month]) {
            self.dated.push(self.values.len());
        }
        if self.lasting.len() < MOST_LIKELY && has(&[ValueKind::Duration]) {
            self.lasting.push(self.values.len());
        }
        self.values.push(found);
        self.labels.extend(labels(self.text, &self.tokens, self.sentences.len(), from..to));
        self.sentences.push(from..to);
        let mut denials = Vec::new();
        let mut clause = self.clauses.last().map_or(0, |last| last + 1);
        for at in from..to {
            let token = self.tokens[at];
            let written = token.text(self.text);
            let is_aside = matches!(written, "(" | ")" | "（" | "）");
            if (token.kind == TokenKind::Break && !is_aside) || matches!(written, "and" | "but" | "while") {
                clause += 1;
            }
            self.clauses.push(clause);
            if is_denial(&written.to_lowercase()) {
                denials.push(at);
            }
        }
        if let (Some(first), Some(last)) = (self.tokens.get(from), self.tokens.last()) {
            for place in ideographic_denials(&self.text[first.start..last.end]) {
                let place = first.start + place;
                let at = self.tokens[from..to].partition_point(|token| token.start < place);
                denials.push((from + at).min(to.saturating_sub(1)));
            }
        }
        self.denials.push(denials);
    }

    /// The sentence that holds a token.
    pub(crate) fn sentence_of(&self, token: usize) -> usize {
        self.sentences.partition_point(|range| range.end <= token).min(self.sentences.len().saturating_sub(1))
    }

    /// Where a unit occurs, as token indices in order.
    pub(crate) fn places(&self, key: u64) -> &[usize] {
        self.places.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Distance in tokens from a unit's nearest place in a sentence to `from..to`; larger across clauses.
    pub(crate) fn distance(&self, key: u64, sentence: usize, from: usize, to: usize) -> Option<f64> {
        self.distance_on(key, sentence, from, to, None)
    }

    /// The same where the unit should stand before (`Some(true)`) or behind the tokens.
    pub(crate) fn distance_on(
        &self,
        key: u64,
        sentence: usize,
        from: usize,
        to: usize,
        wants_before: Option<bool>,
    ) -> Option<f64> {
        let range = self.sentences.get(sentence)?;
        let places = self.places(key);
        let first = places.partition_point(|place| *place < range.start);
        let near = places[first..].iter().take_while(|place| **place < range.end);
        near.map(|place| {
            let gap = if *place < from {
                from - place
            } else if *place >= to {
                place + 1 - to
            } else {
                0
            };
            let clauses = self.clauses[*place].abs_diff(self.clauses[from.min(self.clauses.len() - 1)]);
            let is_turned = wants_before.is_some_and(|before| gap > 0 && before != (*place < from));
            let turned = match (is_turned, self.tokens[*place].is_wide()) {
                (true, true) => 2.0,
                (true, false) => 0.8,
                (false, _) => 0.0,
            };
            gap as f64 * self.token_width(*place) + 2.0 * clauses.min(5) as f64 + turned
        })
        .min_by(f64::total_cmp)
    }

    /// An ideograph is less than a word.
    fn token_width(&self, token: usize) -> f64 {
        if self.tokens[token].is_wide() { 0.5 } else { 1.0 }
    }

    /// The bytes of tokens `first..last`.
    pub(crate) fn span(&self, first: usize, last: usize) -> Range<usize> {
        match (self.tokens.get(first), last.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if first.start <= last.end => first.start..last.end,
            _ => 0..0,
        }
    }

    /// Whether a value is a figure, to be printed without its unit where the template prints one.
    pub(crate) fn is_figure(value: &Value) -> bool {
        matches!(
            value.kind,
            ValueKind::Number
                | ValueKind::Percent
                | ValueKind::Money
                | ValueKind::Duration
                | ValueKind::Range
        )
    }
}
