//! Adds to a filled template the few sentences of the summary that say what it does not say yet.

use crate::summary::Summary;
use prose::{Place, sentences};
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
/// of the document that is nearest to it in words.
pub fn enrich(filled: &str, summary: &str) -> Enriched {
    let document = Summary::new(filled);
    let source = Summary::new(summary);
    let places = sentences(filled);
    let is_paragraph =
        |at: &usize| places.get(*at).is_some_and(|place| place.place == Place::Paragraph && ends(place.text));
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
        {
            wanted.push((share, index, place));
        }
    }
    wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    wanted.truncate(MOST);
    wanted.sort_by_key(|(_, index, place)| (*place, *index));
    insert(filled, summary, &wanted, &places)
}

fn insert(
    filled: &str,
    summary: &str,
    wanted: &[(f64, usize, usize)],
    places: &[prose::Sentence<'_>],
) -> Enriched {
    let written = sentences(summary);
    let mut text = String::with_capacity(filled.len());
    let mut added = Vec::new();
    let mut from = 0;
    for (_, index, place) in wanted {
        let (Some(sentence), Some(place)) = (written.get(*index), places.get(*place)) else { continue };
        if !ends(sentence.text) {
            continue;
        }
        text.push_str(filled.get(from..place.end).unwrap_or_default());
        from = place.end.max(from);
        if !text.ends_with(['。', '！', '？']) {
            text.push(' ');
        }
        added.push(Addition { sentence: sentence.text.to_owned(), at: text.len() });
        text.push_str(sentence.text);
    }
    text.push_str(filled.get(from..).unwrap_or_default());
    let enriched = Enriched { text, added };
    if crate::checks::check_enriched(filled, &enriched.text).is_empty() {
        return enriched;
    }
    Enriched { text: filled.to_owned(), added: Vec::new() }
}

fn ends(sentence: &str) -> bool {
    sentence.ends_with(['.', '!', '?', '。', '！', '？'])
}
