//! A sentence of a template: its fixed words and the gaps at its placeholders.

use crate::placeholders::Placeholder;
use crate::tokens::{Token, tokens};
use prose::Place;
use std::ops::Range;

/// A sentence of a template.
pub(crate) struct Line {
    pub(crate) range: Range<usize>,
    pub(crate) place: Place,
    /// The indices of its placeholders among those of the text.
    pub(crate) gaps: Range<usize>,
    /// The tokens before, between and after its placeholders.
    pub(crate) fixed: Vec<Vec<Token>>,
}

impl Line {
    pub(crate) fn new(
        text: &str,
        marks: &[Placeholder],
        range: Range<usize>,
        place: Place,
        gaps: Range<usize>,
    ) -> Self {
        let mut fixed = Vec::new();
        let mut from = range.start;
        for mark in marks.get(gaps.clone()).unwrap_or_default() {
            fixed.push(tokens(text, from..mark.place.start));
            from = mark.place.end;
        }
        fixed.push(tokens(text, from..range.end));
        Self { range, place, gaps, fixed }
    }

    /// Its words without placeholders.
    pub(crate) fn words(&self, text: &str, marks: &[Placeholder]) -> String {
        let mut out = String::with_capacity(self.range.len());
        let mut from = self.range.start;
        for mark in marks.get(self.gaps.clone()).unwrap_or_default() {
            out.push_str(text.get(from..mark.place.start).unwrap_or_default());
            out.push(' ');
            from = mark.place.end;
        }
        out.push_str(text.get(from..self.range.end).unwrap_or_default());
        out
    }
}

/// The sentences of a template with their placeholders.
pub(crate) fn lines(text: &str, marks: &[Placeholder]) -> Vec<Line> {
    let mut next = 0;
    let mut found = Vec::new();
    for sentence in prose::sentences(text) {
        while marks.get(next).is_some_and(|mark| mark.place.start < sentence.start) {
            next += 1;
        }
        let first = next;
        while marks.get(next).is_some_and(|mark| mark.place.end <= sentence.end) {
            next += 1;
        }
        found.push(Line::new(text, marks, sentence.start..sentence.end, sentence.place, first..next));
    }
    found
}

/// Words that make a sentence depend on the one before.
const OPENINGS: &str = " this these that those it its they their them he she his her we our such however but and or so \
    thus hence therefore instead otherwise then there here also ";
static WIDE_OPENINGS: [&str; 27] = [
    "其",
    "此",
    "这",
    "该",
    "該",
    "它",
    "他",
    "她",
    "上述",
    "但",
    "因此",
    "所以",
    "而",
    "同时",
    "另",
    "两者",
    "これ",
    "それ",
    "この",
    "その",
    "また",
    "しかし",
    "なお",
    "ただし",
    "彼",
    "一方",
    "さらに",
];

/// Whether a sentence needs the one before it to be understood.
pub(crate) fn depends_on_previous(sentence: &str) -> bool {
    let lowered = sentence.to_lowercase();
    let mut words = lowered.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    let is_opening = |word: &str| !word.is_empty() && OPENINGS.contains(&format!(" {word} "));
    is_opening(first)
        || matches!(first, "of" | "in" | "after" | "for" | "as") && is_opening(second)
        || WIDE_OPENINGS.iter().any(|opening| sentence.starts_with(opening))
}
