//! Which sentences of a summary speak of what a template's sentence says, and whether they deny it.

use crate::lines::Line;
use crate::summary::Summary;
use crate::tokens::{TokenKind, Unit};
use std::collections::HashMap;

/// Sentences of the summary that are compared closely with one of the template.
const MOST: usize = 8;

/// How a sentence of the summary speaks of a sentence of the template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence {
    pub(crate) sentence: usize,
    /// Share (0 to 1) of the template's words that it says.
    pub(crate) share: f64,
}

/// The best sentences of the summary for units of a template, best first. `near`: where the sentence before
/// was found, which is preferred by `pull`.
pub(crate) fn evidence(
    units: &[Unit],
    summary: &Summary<'_>,
    near: Option<usize>,
    pull: f64,
) -> Vec<Evidence> {
    let total: f64 = units.iter().map(|unit| weight(unit, summary)).sum();
    let mut scores: HashMap<usize, f64> = HashMap::new();
    for unit in units {
        let mut last = usize::MAX;
        for place in summary.places(unit.key) {
            let sentence = summary.sentence_of(*place);
            if sentence != last {
                *scores.entry(sentence).or_default() += weight(unit, summary);
                last = sentence;
            }
        }
    }
    for near in near.into_iter().flat_map(|near| near.saturating_sub(1)..=near + 1) {
        if near < summary.sentences.len() {
            scores.entry(near).or_default();
        }
    }
    let preference = |sentence: usize| {
        near.map_or(0.0, |near| match sentence.abs_diff(near) {
            0 => pull,
            1 => 0.6 * pull,
            _ => 0.0,
        })
    };
    let mut found: Vec<Evidence> = scores
        .into_iter()
        .map(|(sentence, score)| Evidence { sentence, share: if total > 0.0 { score / total } else { 0.0 } })
        .collect();
    found.sort_by(|a, b| {
        let score = |evidence: &Evidence| evidence.share + preference(evidence.sentence);
        score(b).total_cmp(&score(a)).then(a.sentence.cmp(&b.sentence))
    });
    found.truncate(MOST);
    found
}

/// What a unit weighs: less when half the summary says it.
pub(crate) fn weight(unit: &Unit, summary: &Summary<'_>) -> f64 {
    let count = summary.places(unit.key).len();
    let common = count as f64 / summary.sentences.len().max(4) as f64;
    unit.weight * (1.0 - 0.6 * common.min(1.0))
}

/// Share of some of a line's words that a sentence of the summary says, words of its neighbours and of the rest of the
/// summary counting less.
pub(crate) fn coverage_of(line: &Line, units: &[Unit], summary: &Summary<'_>, sentence: usize) -> f64 {
    let (mut said, mut total) = (0.0, 0.0);
    let is_known = |index: usize, next: usize| {
        units.get(index).is_some_and(|unit| {
            unit.token.abs_diff(next) == 1
                && line.tokens[unit.token].is_wide()
                && !summary.places(unit.key).is_empty()
        })
    };
    for (index, unit) in units.iter().enumerate() {
        let mut weight = weight(unit, summary);
        if line.tokens[unit.token].is_wide() && summary.places(unit.key).is_empty() {
            // A pair across the border of two known words is no word.
            let known = usize::from(index > 0 && is_known(index - 1, unit.token))
                + usize::from(is_known(index + 1, unit.token));
            weight *= [1.0, 0.6, 0.0][known];
        }
        total += weight;
        let nearest =
            summary.places(unit.key).iter().map(|place| summary.sentence_of(*place).abs_diff(sentence)).min();
        said += weight
            * match nearest {
                Some(0) => 1.0,
                Some(1) => 0.7,
                Some(_) => 0.4,
                None => 0.0,
            };
    }
    if total > 0.0 { said / total } else { 0.0 }
}

/// Whether a sentence of the summary denies what the line says, or says what the line denies.
pub(crate) fn is_contradicted(line: &Line, summary: &Summary<'_>, sentence: usize) -> bool {
    let Some(range) = summary.sentences.get(sentence) else { return false };
    let denials = summary.denials.get(sentence).map_or(&[][..], Vec::as_slice);
    let (mut inside, mut all) = (0.0, 0.0);
    let mut denies_directly = false;
    for unit in &line.units {
        let places = summary.places(unit.key);
        let from = places.partition_point(|place| *place < range.start);
        let here: Vec<usize> =
            places[from..].iter().copied().take_while(|place| *place < range.end).collect();
        if here.is_empty() || unit.weight < 0.3 {
            continue;
        }
        // "no" denies what follows it: who "found no faults" is there.
        let reaches = |denial: usize, place: usize| {
            let is_before = summary.tokens[denial].text(summary.text).eq_ignore_ascii_case("no");
            summary.clauses[denial] == summary.clauses[place] && (!is_before || denial < place)
        };
        let is_inside = here.iter().all(|place| denials.iter().any(|denial| reaches(*denial, *place)));
        let weight = weight(unit, summary);
        all += weight;
        inside += if is_inside { weight } else { 0.0 };
        denies_directly |= denials.iter().any(|denial| {
            let next = (*denial + 1..range.end).find(|at| summary.tokens[*at].kind == TokenKind::Word);
            next.is_some_and(|next| here.contains(&next) && here.len() == 1 && unit.weight > 0.5)
        });
    }
    if line.is_denied {
        // What the summary only states, it does not deny.
        return all > 0.0 && inside < 0.34 * all;
    }
    all > 0.0 && (inside > 0.5 * all || denies_directly)
}
