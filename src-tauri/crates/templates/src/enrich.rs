//! Adds to a filled template the few sentences of the summary whose content it does not have yet.

use crate::labels::parted;
use crate::lines::depends_on_previous;
use crate::placeholders::placeholders;
use prose::{Place, Sentence, SourceTexts, is_ideographic, sentences};
use serde::{Deserialize, Serialize};

/// A sentence that was added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addition {
    /// The sentence as in the summary.
    pub sentence: String,
    /// Its byte offset in the enriched text.
    pub at: usize,
}

/// A document with the additions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enriched {
    /// The filled text with the additions.
    pub text: String,
    /// The additions in the order of the text.
    pub added: Vec<Addition>,
}

/// Most sentences that are added.
const MOST: usize = 5;
/// Largest share of a sentence that may occur in the document already.
const MOST_KNOWN: f64 = 0.6;
/// Most sentences of a summary that are read, and of a document that are compared with them.
const MOST_READ: usize = 200;

/// Adds the sentences of the summary that contain a figure and are mostly new. Each is inserted after the sentence of
/// the document with the most similar words, and after those that depend on that one.
pub fn enrich(filled: &str, summary: &str) -> Enriched {
    let summary = parted(&without_quotation_marks(summary));
    let places = sentences(filled);
    let is_paragraph =
        |one: &Sentence<'_>| one.place == Place::Paragraph && ends(one.text) && !is_quoted(filled, one);
    let paragraphs: Vec<usize> =
        (0..places.len()).filter(|at| is_paragraph(&places[*at])).take(MOST_READ).collect();
    let texts: Vec<&str> = paragraphs.iter().map(|at| places[*at].text).collect();
    let (near, whole) = (SourceTexts::new(&texts), SourceTexts::new(&[filled]));
    let mut wanted: Vec<(f64, usize, String)> = Vec::new();
    for sentence in sentences(&summary).iter().filter(|one| is_statement(one)).take(MOST_READ) {
        let known = whole.support(sentence.text, 0);
        let nearest = (0..texts.len()).rev().map(|at| (near.support(sentence.text, at), at));
        let Some((_, place)) = nearest.max_by(|one, other| one.0.total_cmp(&other.0)) else { break };
        if known <= MOST_KNOWN {
            wanted.push((known, last_dependent(filled, &places, paragraphs[place]), one_line(sentence.text)));
        }
    }
    wanted.sort_by(|one, other| one.0.total_cmp(&other.0));
    wanted.truncate(MOST);
    wanted.sort_by_key(|(_, place, sentence)| (*place, summary.find(sentence.as_str())));
    insert(filled, &wanted, &places)
}

/// Whether a sentence of a summary is an independent statement with a figure.
fn is_statement(sentence: &Sentence<'_>) -> bool {
    let text = sentence.text;
    let opens =
        text.starts_with(|first: char| first.is_uppercase() || first.is_numeric() || is_ideographic(first));
    let count = |marks: &[char]| text.matches(marks).count();
    let is_closed = count(&['(', '（', '“', '「']) == count(&[')', '）', '”', '」']);
    let is_plain =
        !text.contains(['{', '}', '<', '>', '|', '`', '\\', '"', ':', '：']) && !text.contains("](");
    matches!(sentence.place, Place::Paragraph | Place::ListItem)
        && ends(text)
        && opens
        && is_closed
        && is_plain
        && text.contains(char::is_numeric)
        && has_verb(text)
        && !depends_on_previous(text)
        && !is_part(text)
        && !addresses_reader(text)
        && placeholders(text).is_empty()
}

/// Whether a sentence has a verb that is recognisable by its form; always true for Chinese and Japanese.
fn has_verb(sentence: &str) -> bool {
    let is_verb = |word: &str| {
        word.ends_with("ed") || " is are was were has have had will can ".contains(&format!(" {word} "))
    };
    sentence.contains(is_ideographic) || sentence.split(' ').skip(1).any(is_verb)
}

/// Whether a sentence begins with a count of things that the previous sentence named.
fn is_part(sentence: &str) -> bool {
    let first = sentence.split(' ').next().unwrap_or_default().to_lowercase();
    ["both", "neither", "either", "one", "another", "others", "most", "some", "all", "none"]
        .contains(&first.as_str())
}

/// Whether a sentence addresses the reader or is about the template, as an instruction does.
fn addresses_reader(sentence: &str) -> bool {
    let lowered = sentence.to_lowercase();
    let mut words = lowered.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| {
        " you your please template placeholder instructions reply answer ".contains(&format!(" {word} "))
    }) || ["请", "請", "您", "你", "ください", "模板", "ひな形"].iter().any(|words| sentence.contains(words))
}

/// Whether a sentence has a final mark.
fn ends(sentence: &str) -> bool {
    sentence.ends_with(['.', '!', '?', '。', '！', '？'])
}

/// The text without the marks of quotations at its lines, so that a sentence over two lines is complete.
fn without_quotation_marks(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let bare = line.trim_start().trim_start_matches(['>', ' ']);
        if line.trim_start().starts_with('>') { bare } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn is_quoted(text: &str, sentence: &Sentence<'_>) -> bool {
    let line = text[..sentence.start].rsplit('\n').next().unwrap_or_default();
    line.trim_start().starts_with('>')
}

/// The index of the last sentence in the chain after `place` in which each sentence depends on the one before.
fn last_dependent(text: &str, places: &[Sentence<'_>], place: usize) -> usize {
    let is_next = |pair: &&[Sentence<'_>]| {
        let between = text.get(pair[0].end..pair[1].start).unwrap_or("\n\n");
        !between.contains("\n\n") && pair[1].place == Place::Paragraph && depends_on_previous(pair[1].text)
    };
    place + places.get(place..).unwrap_or_default().windows(2).take_while(is_next).count()
}

/// A sentence on one line.
fn one_line(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len());
    for line in sentence.lines().map(str::trim) {
        let is_wide = |letter: Option<char>| letter.is_some_and(is_ideographic);
        let joins = is_wide(out.chars().next_back()) || is_wide(line.chars().next());
        if !out.is_empty() && !joins {
            out.push(' ');
        }
        out.push_str(line);
    }
    out
}

fn insert(filled: &str, wanted: &[(f64, usize, String)], places: &[Sentence<'_>]) -> Enriched {
    let mut text = String::with_capacity(filled.len());
    let mut added = Vec::new();
    let mut from = 0;
    for (_, place, sentence) in wanted {
        let Some(place) = places.get(*place) else { continue };
        text.push_str(filled.get(from..place.end).unwrap_or_default());
        from = place.end.max(from);
        if !text.ends_with(['。', '！', '？']) {
            text.push(' ');
        }
        let at = text.len();
        text.push_str(sentence);
        added.push(Addition { sentence: sentence.clone(), at });
    }
    text.push_str(filled.get(from..).unwrap_or_default());
    let enriched = Enriched { text, added };
    if crate::checks::check_enriched(filled, &enriched.text).is_empty() {
        return enriched;
    }
    Enriched { text: filled.to_owned(), added: Vec::new() }
}
