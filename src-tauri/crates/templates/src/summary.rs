//! What a summary says: its labelled lines, and its sentences with their clauses.

use crate::labels::{Label, LabelKind, labels};
use crate::tokens::{Token, TokenKind, content, denies, tokens};
use prose::{Place, is_ideographic, sentences};
use std::collections::HashSet;
use std::ops::Range;

/// A sentence of the summary.
pub(crate) struct Said<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
    /// Its words.
    pub(crate) words: HashSet<u64>,
    /// Its clauses, as ranges of tokens.
    pub(crate) clauses: Vec<Range<usize>>,
    /// The heading above it.
    pub(crate) section: Option<String>,
}

/// A summary, read once.
pub(crate) struct Summary<'a> {
    pub(crate) labels: Vec<Label>,
    pub(crate) sentences: Vec<Said<'a>>,
    /// Headings of parts of one form, such as one for each patient: what stands under one says nothing of another.
    pub(crate) parts: HashSet<String>,
}

impl<'a> Summary<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut section = None;
        let mut found = Vec::new();
        let mut known = HashSet::new();
        for sentence in sentences(text) {
            if sentence.place == Place::Heading {
                section = Some(key(sentence.text));
                continue;
            }
            if !known.insert((sentence.text, section.clone())) {
                continue;
            }
            let tokens = tokens(sentence.text, 0..sentence.text.len());
            let words = content(&tokens).into_iter().collect();
            let clauses = clauses(&tokens);
            found.push(Said { text: sentence.text, tokens, words, clauses, section: section.clone() });
        }
        let mut labels = labels(text);
        labels.extend(found.iter().filter_map(copula_label));
        let mut parts = HashSet::new();
        for one in &labels {
            let is_twin = |other: &&Label| other.key == one.key && other.section != one.section;
            parts.extend(labels.iter().find(is_twin).and(one.section.clone()));
        }
        Self { labels, sentences: found, parts }
    }

    pub(crate) fn has_section(&self, key: &str) -> bool {
        let is_it = |section: &Option<String>| section.as_deref() == Some(key);
        self.labels.iter().any(|label| is_it(&label.section))
            || self.sentences.iter().any(|said| is_it(&said.section))
    }
}

/// The ranges of tokens between marks and words that part clauses.
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

/// What a name is compared by: its words in alphabetic order without articles and "of", its ideographs without blanks.
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
        .filter(|token| !token.text(&spaced).eq_ignore_ascii_case("of"))
        .map(|token| format!("{:x}", token.key))
        .collect();
    words.sort();
    let wide: String = spaced.chars().filter(|c| is_ideographic(*c) && !matches!(c, '的' | 'の')).collect();
    words.extend(Some(wide).filter(|wide| !wide.is_empty()));
    words.join(" ")
}

static COPULAS: [&str; 4] = ["is", "are", "was", "were"];
pub(crate) static TAILS: [&str; 7] = ["であった", "である", "だった", "でした", "です", "だ", "で"];

/// "The claim number is 000318.": a label with its value, where the whole sentence is that.
fn copula_label(said: &Said<'_>) -> Option<Label> {
    let [_] = said.clauses.as_slice() else { return None };
    let text = said.text.trim_end_matches(['.', '。']);
    let is_wide = text.contains(is_ideographic);
    let (name, value) = if is_wide {
        let (at, mark) = text.char_indices().find(|(_, c)| matches!(c, 'は' | '为' | '是'))?;
        let value = &text[at + mark.len_utf8()..];
        (&text[..at], TAILS.iter().find_map(|tail| value.strip_suffix(tail)).unwrap_or(value))
    } else {
        let is_copula = |token: &&Token| COPULAS.contains(&token.text(text));
        let mut all = said.tokens.iter().filter(is_copula);
        let copula = all.next().filter(|_| all.next().is_none())?;
        (&text[..copula.start], &text[copula.end..])
    };
    let (name, value) = (name.trim(), value.trim());
    let has_figure = value.chars().any(|c| c.is_numeric());
    let is_name = !is_wide && value.starts_with(char::is_uppercase);
    if denies(text) || value.is_empty() || content(&tokens(name, 0..name.len())).is_empty() {
        return None;
    }
    let joins = |token: &Token| matches!(token.kind, TokenKind::Stop | TokenKind::Particle);
    let is_whole = (has_figure || is_name) && !tokens(value, 0..value.len()).iter().any(joins);
    let kind = if is_whole { LabelKind::Is } else { LabelKind::IsForForms };
    let section = said.section.clone();
    Some(Label { key: key(name), value: value.to_owned(), from: said.text.to_owned(), section, kind })
}
