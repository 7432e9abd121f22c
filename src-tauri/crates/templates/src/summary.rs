//! A parsed summary: its labels, and its sentences with their clauses.

use crate::labels::{Label, LabelKind, labels};
use crate::tokens::{Token, TokenKind, content, denies, tokens, words};
use prose::{Place, Sentence, is_ideographic, is_stop_word, sentences};
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

/// The positions of the headings of a text, each with the headings above the text after it. A title, which is the only
/// heading of the first level, separates nothing.
pub(crate) struct Sections(Vec<(usize, Option<String>)>);

impl Sections {
    pub(crate) fn new(text: &str) -> Self {
        let mut headings = sentences(text);
        headings.retain(|sentence| sentence.place == Place::Heading);
        let has_title = headings.iter().filter(|one| level(text, one.start) == 1).count() == 1;
        let mut above: Vec<(usize, String)> = Vec::new();
        let path = |heading: Sentence<'_>| {
            let level = level(text, heading.start);
            above.retain(|(other, _)| *other < level);
            if level > 1 || !has_title {
                above.push((level, key(heading.text)));
            }
            let path: Vec<&str> = above.iter().map(|(_, key)| key.as_str()).collect();
            (heading.start, Some(path.join("/")).filter(|path| !path.is_empty()))
        };
        Self(headings.into_iter().map(path).collect())
    }

    pub(crate) fn at(&self, place: usize) -> Option<String> {
        let before = self.0.partition_point(|(start, _)| *start <= place);
        self.0.get(before.checked_sub(1)?)?.1.clone()
    }
}

/// The number of heading marks before a position on its line.
pub(crate) fn level(text: &str, place: usize) -> usize {
    text[..place].rsplit('\n').next().unwrap_or_default().matches('#').count()
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

/// The comparison form of a name: its words without articles, "weight of the pump" as "pump weight"; its ideographs
/// without spaces. A "number of orders" is a count, an "order number" is not.
pub(crate) fn key(name: &str) -> String {
    let mut spaced = String::with_capacity(name.len());
    let mut last = ' ';
    for letter in name.chars() {
        if last.is_lowercase() && letter.is_ascii_uppercase() {
            spaced.push(' ');
        }
        spaced.push(if matches!(letter, '_' | '-') { ' ' } else { letter });
        last = letter;
    }
    let mut words: Vec<String> = tokens(&spaced, 0..spaced.len())
        .iter()
        .filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Stop | TokenKind::Figure))
        .map(|token| token.text(&spaced).to_lowercase())
        .collect();
    if words.first().is_some_and(|first| first != "number") {
        words = words.rsplit(|word| word == "of").flatten().cloned().collect();
    }
    let wide: String = spaced.chars().filter(|c| is_ideographic(*c) && !matches!(c, '的' | 'の')).collect();
    words.extend(Some(wide).filter(|wide| !wide.is_empty()));
    words.join(" ")
}

static PRESENT: [&str; 2] = ["is", "are"];
static PAST: [&str; 2] = ["was", "were"];
pub(crate) static TAILS: [&str; 7] = ["であった", "である", "だった", "でした", "です", "だ", "で"];

/// Whether a word is a present or a past form of "to be"; `None` for other words.
pub(crate) fn is_present(word: &str) -> Option<bool> {
    PRESENT.contains(&word).then_some(true).or_else(|| PAST.contains(&word).then_some(false))
}

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
