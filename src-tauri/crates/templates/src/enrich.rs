//! Adds to a filled template the few sentences of the summary that say what it does not say yet.

use crate::statements::{ends, is_statement, needs_the_one_before};
use crate::summary::Summary;
use prose::{Place, Sentence, is_ideographic, sentences};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A sentence that was added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addition {
    /// The sentence, as the summary has it.
    pub sentence: String,
    /// Where it begins in the enriched text, in bytes.
    pub at: usize,
}

/// A document with what was missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enriched {
    /// The filled text with the additions.
    pub text: String,
    /// What was added, in the order of the text.
    pub added: Vec<Addition>,
}

/// Most sentences that are added.
const MOST: usize = 5;
/// Share of a sentence that must be new to the document.
const NEW: f64 = 0.4;

/// Adds the sentences of the summary that state a figure or a name and are mostly new, each behind the sentence
/// of the document that is nearest to it in words and those that lean on that one.
pub fn enrich(filled: &str, summary: &str) -> Enriched {
    let summary = &without_quotation_marks(summary);
    let document = Summary::new(filled);
    let source = Summary::new(summary);
    let places = sentences(filled);
    let written = sentences(summary);
    let is_paragraph = |at: &usize| {
        places.get(*at).is_some_and(|place| {
            place.place == Place::Paragraph && ends(place.text) && !is_quoted(filled, place)
        })
    };
    let last_paragraph = (0..document.sentences.len()).rfind(is_paragraph);
    let mut wanted: Vec<(f64, usize, usize)> = Vec::new();
    for (index, units) in source.units.iter().enumerate() {
        let (mut new, mut total) = (0.0, 0.0);
        let mut nearest: HashMap<usize, f64> = HashMap::new();
        for unit in units {
            total += unit.weight;
            let found = document.places(unit.key);
            if found.is_empty() {
                new += unit.weight;
            }
            let mut last = usize::MAX;
            for place in found {
                let sentence = document.sentence_of(*place);
                if sentence != last {
                    *nearest.entry(sentence).or_default() += unit.weight / found.len() as f64;
                    last = sentence;
                }
            }
        }
        let is_dense = source.values.get(index).is_some_and(|values| !values.is_empty());
        let place = nearest
            .into_iter()
            .filter(|(at, _)| is_paragraph(at))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
            .map(|(at, _)| at)
            .or(last_paragraph);
        let share = if total > 0.0 { new / total } else { 0.0 };
        if let Some(place) = place
            && is_dense
            && share >= NEW
            && total > 2.0
            && written.get(index).is_some_and(is_statement)
        {
            wanted.push((share, index, behind_leaning(filled, &places, place)));
        }
    }
    wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    wanted.truncate(MOST);
    wanted.sort_by_key(|(_, index, place)| (*place, *index));
    insert(filled, &wanted, &places, &written)
}

/// The text with the marks of quotations taken from its lines, so that a sentence over two of them is one.
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

/// The last of the sentences that lean on the one at `place`, each on the one before it.
fn behind_leaning(text: &str, places: &[Sentence<'_>], place: usize) -> usize {
    let is_next = |pair: &&[Sentence<'_>]| {
        let between = text.get(pair[0].end..pair[1].start).unwrap_or("\n\n");
        !between.contains("\n\n") && pair[1].place == Place::Paragraph && needs_the_one_before(pair[1].text)
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

fn insert(
    filled: &str,
    wanted: &[(f64, usize, usize)],
    places: &[Sentence<'_>],
    written: &[Sentence<'_>],
) -> Enriched {
    let mut text = String::with_capacity(filled.len());
    let mut added = Vec::new();
    let mut from = 0;
    for (_, index, place) in wanted {
        let (Some(sentence), Some(place)) = (written.get(*index), places.get(*place)) else { continue };
        let sentence = one_line(sentence.text);
        text.push_str(filled.get(from..place.end).unwrap_or_default());
        from = place.end.max(from);
        if !text.ends_with(['。', '！', '？']) {
            text.push(' ');
        }
        let at = text.len();
        text.push_str(&sentence);
        added.push(Addition { sentence, at });
    }
    text.push_str(filled.get(from..).unwrap_or_default());
    let enriched = Enriched { text, added };
    if crate::checks::check_enriched(filled, &enriched.text).is_empty() {
        return enriched;
    }
    Enriched { text: filled.to_owned(), added: Vec::new() }
}
