//! Which figures of a summary are parts of which others: "31 of the 48", "of which 37", "240名中204人".

use crate::summary::Summary;
use crate::tokens::TokenKind;
use crate::values::{Value, ValueKind};

/// A part of a whole, with both as they are written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fraction {
    pub(crate) part: f64,
    pub(crate) whole: f64,
    pub(crate) part_text: String,
    pub(crate) whole_text: String,
    /// The whole stands beside the part in so many words.
    pub(crate) is_explicit: bool,
}

/// Sentences before a figure in which its whole may stand.
const REACH: usize = 2;

impl Summary<'_> {
    /// The fraction of which a figure is the part.
    pub(crate) fn fraction(&self, sentence: usize, value: &Value) -> Option<Fraction> {
        let part = value.number?;
        let (whole, is_explicit) = self
            .whole_behind(sentence, value)
            .or_else(|| self.all(value))
            .map(|whole| (whole, true))
            .or_else(|| self.whole_before(sentence, value))?;
        let whole_number = whole.number?;
        if whole_number <= 0.0 || part > whole_number || part < 0.0 {
            return None;
        }
        let written = |value: &Value| self.text[self.span(value.first, self.figure_end(value))].to_owned();
        Some(Fraction {
            part,
            whole: whole_number,
            part_text: written(value),
            whole_text: written(whole),
            is_explicit,
        })
    }

    fn figure_end(&self, value: &Value) -> usize {
        let is_digits = self.tokens.get(value.first).is_some_and(|token| token.kind == TokenKind::Number);
        if is_digits { value.first + 1 } else { value.core }
    }

    fn word(&self, token: usize) -> &str {
        self.tokens.get(token).map_or("", |token| token.text(self.text))
    }

    fn figures(&self, sentence: usize) -> impl DoubleEndedIterator<Item = &Value> {
        let values = self.values.get(sentence).map_or(&[][..], Vec::as_slice);
        values.iter().filter(|value| {
            value.number.is_some() && matches!(value.kind, ValueKind::Number | ValueKind::Money)
        })
    }

    /// "18 of 24", "18 out of the 24", "18/24".
    fn whole_behind(&self, sentence: usize, value: &Value) -> Option<&Value> {
        let mut next = value.core;
        if self.word(next) == "out" {
            next += 1;
        }
        let is_of = matches!(self.word(next), "of" | "/");
        self.figures(sentence).find(|other| is_of && other.first == next + 1)
    }

    /// "All 22".
    fn all<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        let before = value.first.checked_sub(1)?;
        matches!(self.word(before).to_lowercase().as_str(), "all" | "全" | "全部").then_some(value)
    }

    fn whole_before(&self, sentence: usize, value: &Value) -> Option<(&Value, bool)> {
        let part = value.number?;
        let before: Vec<&Value> = self
            .figures(sentence)
            .filter(|other| other.core <= value.first && other.number >= Some(part))
            .collect();
        if let Some(base) = before.iter().rev().find(|other| self.is_base(sentence, other, value)) {
            return Some((base, true));
        }
        let unit = self.unit(value)?;
        let is_same = |other: &&&Value| self.unit(other) == Some(unit) && other.number > Some(part);
        if let Some(same) = before.iter().rev().find(is_same) {
            return Some((same, false));
        }
        let earlier = sentence.saturating_sub(REACH)..sentence;
        earlier
            .rev()
            .find_map(|sentence| {
                self.figures(sentence)
                    .rev()
                    .find(|other| other.number > Some(part) && self.unit(other) == Some(unit))
            })
            .map(|whole| (whole, false))
    }

    /// Whether the sentence gives a figure as the whole of another: the 48 of "31 of the 48".
    pub(crate) fn is_whole(&self, sentence: usize, value: &Value) -> bool {
        let is_behind = value.first >= 2
            && self.word(value.first - 1) == "of"
            && self.figures(sentence).any(|other| other.core == value.first - 1);
        let behind =
            self.tokens.get(value.core.saturating_sub(1)).map_or("", |token| &self.text[token.end..]);
        let head: String = behind.chars().take(8).collect();
        is_behind || head.contains("のうち") || head.contains("中，")
    }

    /// The ideograph that says what a figure counts.
    fn unit(&self, value: &Value) -> Option<u64> {
        let token = self.tokens.get(value.core)?;
        (token.kind == TokenKind::Ideograph && token.is_joined).then_some(token.key)
    }

    /// Whether the sentence takes a figure as the whole of those behind it.
    fn is_base(&self, sentence: usize, base: &Value, part: &Value) -> bool {
        let start = self.sentences.get(sentence).map_or(0, |range| range.start);
        let before = base.first.checked_sub(1).filter(|before| *before >= start);
        // "Of 61 people invited, 48 agreed".
        if before.is_some_and(|before| self.word(before) == "Of") {
            return true;
        }
        // "40 records, of which 37 …".
        if part.first >= 2 && self.word(part.first - 1) == "which" && self.word(part.first - 2) == "of" {
            return true;
        }
        let Some((base_end, part_start)) =
            self.tokens.get(base.core.saturating_sub(1)).zip(self.tokens.get(part.first))
        else {
            return false;
        };
        let between = self.text.get(base_end.end..part_start.start).unwrap_or_default();
        // "150 parents: 129 said …, 141 would …".
        let noun = between.split([':', '：']).next().unwrap_or_default();
        let has_colon = noun.len() < between.len() && noun.len() < 40 && !noun.contains([',', ';']);
        has_colon || ["のうち", "中，", "中、", "其中", "中有"].iter().any(|mark| between.contains(mark))
    }
}

/// A share in per cent with at most one decimal: "62.5".
pub(crate) fn percent(part: f64, whole: f64) -> String {
    let rounded = (part * 1000.0 / whole).round() / 10.0;
    if rounded.fract() == 0.0 { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}
