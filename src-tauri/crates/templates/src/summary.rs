//! A parsed summary: its labels, and its sentences with their clauses.

use crate::labels::{Label, LabelKind, labels};
use crate::sections::Sections;
use crate::tokens::{Token, TokenKind, content, denies, is_present, key, tokens, words};
use prose::{Place, is_ideographic, is_stop_word, sentences};
use std::collections::HashSet;
use std::ops::Range;

/// A sentence of the summary.
pub(crate) struct Said<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
    /// Its words and figures.
    pub(crate) words: HashSet<u64>,
    /// Its clauses, as ranges of tokens.
    pub(crate) clauses: Vec<Range<usize>>,
    /// The heading above it.
    pub(crate) section: Option<String>,
    /// Whether its end is certain.
    pub(crate) is_whole: bool,
}

/// A summary, parsed once.
pub(crate) struct Summary<'a> {
    pub(crate) labels: Vec<Label>,
    pub(crate) sentences: Vec<Said<'a>>,
    /// Headings of parallel sections, such as one per patient: text under one does not apply to another.
    pub(crate) parts: HashSet<String>,
}

impl<'a> Summary<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let sections = Sections::new(text);
        let mut found = Vec::new();
        let mut known = HashSet::new();
        for sentence in sentences(text) {
            let section = sections.at(sentence.start);
            if sentence.place == Place::Heading || !known.insert((sentence.text, section.clone())) {
                continue;
            }
            let tokens = tokens(sentence.text, 0..sentence.text.len());
            let words = words(&tokens).into_iter().collect();
            let clauses = clauses(&tokens);
            let rest = text.get(sentence.end..).unwrap_or_default();
            let is_whole = is_whole(sentence.text, rest);
            found.push(Said { text: sentence.text, tokens, words, clauses, section, is_whole });
        }
        let mut labels = labels(text, &sections);
        labels.extend(found.iter().filter_map(copula_label));
        let mut parts = HashSet::new();
        for one in &labels {
            let is_twin = |other: &&Label| other.key == one.key && other.section != one.section;
            parts.extend(labels.iter().find(is_twin).and(one.section.clone()));
        }
        Self { labels, sentences: found, parts }
    }
}

/// Whether a sentence ends where it was split. In text without English, a point may belong to an ordinal or an
/// abbreviation: "am 3. März", "2.038 m ü. M.".
fn is_whole(sentence: &str, rest: &str) -> bool {
    let goes_on = rest.lines().next().is_some_and(|line| !line.trim().is_empty());
    // "Am" and "in" are words of other languages, too, "is" is not.
    let is_english = |word: &str| word == "is" || word.len() > 2 && is_stop_word(&word.to_lowercase());
    !(sentence.ends_with('.') && goes_on) || sentence.split_whitespace().any(is_english)
}

/// The ranges of tokens between marks and words that separate clauses.
pub(crate) fn clauses(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for at in 0..=tokens.len() {
        if tokens.get(at).is_none_or(|token| token.kind == TokenKind::Break) {
            if from < at {
                found.push(from..at);
            }
            from = at + 1;
        }
    }
    found
}

pub(crate) static TAILS: [&str; 7] = ["であった", "である", "だった", "でした", "です", "だ", "で"];

/// "The claim number is 000318.": a label with its value, where the whole sentence is that.
fn copula_label(said: &Said<'_>) -> Option<Label> {
    let [_] = said.clauses.as_slice() else { return None };
    if !said.is_whole {
        return None;
    }
    let text = said.text.trim_end_matches(['.', '。']);
    let is_wide = text.contains(is_ideographic);
    let mut is_past = false;
    let (name, value) = if is_wide {
        let (at, mark) = text.char_indices().find(|(_, c)| matches!(c, 'は' | '为' | '是'))?;
        let value = &text[at + mark.len_utf8()..];
        (&text[..at], TAILS.iter().find_map(|tail| value.strip_suffix(tail)).unwrap_or(value))
    } else {
        let is_copula = |token: &&Token| is_present(token.text(text)).is_some();
        let mut all = said.tokens.iter().filter(is_copula);
        let copula = all.next().filter(|_| all.next().is_none())?;
        is_past = is_present(copula.text(text)) == Some(false);
        (&text[..copula.start], &text[copula.end..])
    };
    let (name, value) = (name.trim(), value.trim());
    let has_figure = value.chars().any(|c| c.is_numeric());
    let is_name = !is_wide && value.starts_with(char::is_uppercase);
    if denies(text) || value.is_empty() || content(&tokens(name, 0..name.len())).is_empty() {
        return None;
    }
    let joins = |token: &Token| matches!(token.kind, TokenKind::Stop | TokenKind::Particle);
    // A past value may no longer hold.
    let is_whole = (has_figure || is_name) && !is_past && !tokens(value, 0..value.len()).iter().any(joins);
    let kind = if is_whole { LabelKind::Is } else { LabelKind::IsForForms };
    let section = said.section.clone();
    Some(Label { key: key(name), value: value.to_owned(), from: said.text.to_owned(), section, kind })
}
