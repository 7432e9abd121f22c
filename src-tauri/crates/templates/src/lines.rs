//! One sentence of a template: its fixed words and the gaps that its placeholders leave between them.

use crate::asks::{Asked, Request, request};
use crate::placeholders::Placeholder;
use crate::thesaurus::{ideographic_denials, is_denial};
use crate::tokens::{Token, Unit, tokens, units};
use prose::{Place, Sentence};
use std::ops::Range;

/// Placeholders of one sentence beyond which the rest stays open.
const MOST_GAPS: usize = 24;
/// Fixed tokens of one sentence that are read.
const MOST_TOKENS: usize = 160;

/// A placeholder in its sentence.
pub(crate) struct Gap {
    /// Index among the placeholders of the text.
    pub(crate) placeholder: usize,
    /// Its byte range in the text.
    pub(crate) place: Range<usize>,
    /// How many fixed tokens stand before it.
    pub(crate) at: usize,
    pub(crate) request: Request,
    pub(crate) choices: Vec<String>,
    /// A percent sign stands behind it.
    pub(crate) percent_behind: bool,
}

/// A sentence of a template.
pub(crate) struct Line {
    pub(crate) range: Range<usize>,
    pub(crate) place: Place,
    /// Its fixed tokens, placeholders left out.
    pub(crate) tokens: Vec<Token>,
    /// Their units, figures included.
    pub(crate) units: Vec<Unit>,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) is_denied: bool,
}

impl Line {
    /// Reads a sentence; `placeholders` are those within it, the first being number `first` of the text.
    pub(crate) fn new(
        text: &str,
        sentence: &Sentence<'_>,
        placeholders: &[Placeholder],
        first: usize,
    ) -> Self {
        let mut all: Vec<Token> = Vec::new();
        let mut gaps = Vec::new();
        let mut from = sentence.start;
        for (index, placeholder) in placeholders.iter().enumerate() {
            all.extend(tokens(text, from, placeholder.place.start));
            from = placeholder.place.end;
            if gaps.len() < MOST_GAPS && all.len() < MOST_TOKENS {
                gaps.push(Gap {
                    placeholder: first + index,
                    place: placeholder.place.clone(),
                    at: all.len(),
                    request: request(&placeholder.name),
                    choices: placeholder.choices.clone(),
                    percent_behind: text
                        .get(placeholder.place.end..)
                        .is_some_and(|behind| behind.trim_start_matches(' ').starts_with(['%', '％'])),
                });
            }
        }
        all.extend(tokens(text, from, sentence.end));
        all.truncate(MOST_TOKENS);
        let mut units = units(text, &all, true);
        if gaps.iter().any(|gap| gap.request.asked == Asked::Share) {
            // That it is a share is said by the figure.
            for unit in &mut units {
                if is_share_word(&all, unit, text) {
                    unit.weight = 0.0;
                }
            }
        }
        let has_denial = all.iter().any(|token| is_denial(&token.text(text).to_lowercase()));
        let is_denied = has_denial || !ideographic_denials(&fixed(text, sentence, placeholders)).is_empty();
        let range = sentence.start..sentence.end;
        Self { range, place: sentence.place, tokens: all, units, gaps, is_denied }
    }

    /// Whether placeholders that want a value, not a choice, stand in it.
    pub(crate) fn has_values(&self) -> bool {
        self.gaps.iter().any(|gap| gap.choices.is_empty())
    }
}

fn is_share_word(all: &[Token], unit: &Unit, text: &str) -> bool {
    let written = all.get(unit.token).map_or("", |token| token.text(text)).to_lowercase();
    let next = all.get(unit.token + 1).map_or("", |token| token.text(text));
    matches!(written.as_str(), "rate" | "percentage" | "share" | "proportion" | "ratio")
        || matches!((written.as_str(), next), ("比", "例") | ("割", "合") | ("比", "重") | ("比", "率"))
}

/// Whether a line leans on the one before: "This is …", "Of these …", "その…".
pub(crate) fn leans(text: &str) -> bool {
    let openings = [
        "This ",
        "These ",
        "It ",
        "They ",
        "Their ",
        "Its ",
        "Of these",
        "Of them",
        "Since then",
        "Those ",
        "The rate",
        "其中",
        "その",
        "それ",
        "其",
        "这",
        "該当",
    ];
    openings.iter().any(|opening| text.starts_with(opening))
        || text.contains(" of them ")
        || text.contains("therefore")
}

/// The text of a sentence without its placeholders.
fn fixed(text: &str, sentence: &Sentence<'_>, placeholders: &[Placeholder]) -> String {
    let mut out = String::with_capacity(sentence.text.len());
    let mut from = sentence.start;
    for placeholder in placeholders {
        out.push_str(text.get(from..placeholder.place.start).unwrap_or_default());
        out.push(' ');
        from = placeholder.place.end;
    }
    out.push_str(text.get(from..sentence.end).unwrap_or_default());
    out
}

/// The sentences of a template with their placeholders.
pub(crate) fn lines(text: &str, placeholders: &[Placeholder]) -> Vec<Line> {
    let mut next = 0;
    let mut found = Vec::new();
    for sentence in prose::sentences(text) {
        while placeholders.get(next).is_some_and(|placeholder| placeholder.place.start < sentence.start) {
            next += 1;
        }
        let first = next;
        while placeholders.get(next).is_some_and(|placeholder| placeholder.place.end <= sentence.end) {
            next += 1;
        }
        found.push(Line::new(text, &sentence, &placeholders[first..next], first));
    }
    found
}
