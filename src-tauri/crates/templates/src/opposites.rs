//! Tells that a summary says the opposite of a template's sentence: "closed" and "opened", "all" and "6 of the 8".

use crate::lines::Line;
use crate::summary::Summary;
use crate::thesaurus::{is_denial, least_share};
use crate::tokens::TokenKind;
use prose::{OPPOSITES_WITHOUT_SPACES, opposite_sides, says_undenied};
use std::ops::Range;

/// Whether a sentence of the summary says the opposite of what the line says.
pub(crate) fn says_the_opposite(text: &str, line: &Line, summary: &Summary<'_>, sentence: usize) -> bool {
    let Some(range) = summary.sentences.get(sentence).cloned() else { return false };
    let is_denied =
        line.is_denied || summary.denials.get(sentence).is_some_and(|denials| !denials.is_empty());
    if !is_denied
        && (english_opposite(text, line, summary, &range) || wide_opposite(text, line, summary, &range))
    {
        return true;
    }
    counts_otherwise(text, line, summary, sentence)
}

static PARTING: &[&str] =
    &[";", "；", ".", "。", "，", "and", "but", "while", "whereas", "although", "though"];

/// The parts of a sentence, the one that has most of the line's words first.
fn clauses(line: &Line, summary: &Summary<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for at in range.clone() {
        if PARTING.contains(&summary.tokens[at].text(summary.text)) {
            is_open = false;
            continue;
        }
        match found.last_mut().filter(|_| is_open) {
            Some(last) => last.end = at + 1,
            None => found.push(at..at + 1),
        }
        is_open = true;
    }
    let shared = |clause: &Range<usize>| -> f64 {
        let units = line.units.iter().filter(|unit| {
            let places = summary.places(unit.key);
            places
                .get(places.partition_point(|place| *place < clause.start))
                .is_some_and(|place| *place < clause.end)
        });
        units.map(|unit| unit.weight).sum()
    };
    let mut ranked: Vec<(f64, Range<usize>)> =
        found.into_iter().map(|clause| (shared(&clause), clause)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().map(|(_, clause)| clause).collect()
}

fn english_opposite(text: &str, line: &Line, summary: &Summary<'_>, range: &Range<usize>) -> bool {
    let ours: Vec<String> = words(&line.tokens, text);
    let theirs = |part: &Range<usize>| words(&summary.tokens[part.clone()], summary.text);
    let ranked = clauses(line, summary, range);
    let Some(nearest) = ranked.first().map(theirs) else { return false };
    let all = theirs(range);
    ours.iter().any(|word| {
        // A prefix that denies: "satisfactory" and "unsatisfactory".
        let is_prefixed = |other: &String| {
            let denies = |long: &str, short: &str| {
                short.len() > 4
                    && ["un", "in", "im", "dis", "non"]
                        .iter()
                        .any(|prefix| long.strip_prefix(prefix) == Some(short))
            };
            denies(other, word) || denies(word, other)
        };
        let own = opposite_sides(word);
        let is_same =
            |other: &String| opposite_sides(other).iter().any(|side| own.contains(side)) || other == word;
        let is_opposite = |other: &String| {
            opposite_sides(other).iter().any(|(pair, side)| own.contains(&(*pair, !*side)))
                || is_prefixed(other)
        };
        if nearest.iter().any(is_same) {
            return false;
        }
        nearest.iter().any(is_opposite) || all.iter().any(is_opposite) && !all.iter().any(is_same)
    })
}

fn words(tokens: &[crate::tokens::Token], text: &str) -> Vec<String> {
    let is_word = |token: &&crate::tokens::Token| matches!(token.kind, TokenKind::Word | TokenKind::Stop);
    tokens.iter().filter(is_word).map(|token| token.text(text).to_lowercase()).collect()
}

fn wide_opposite(text: &str, line: &Line, summary: &Summary<'_>, range: &Range<usize>) -> bool {
    let (Some(first), Some(last)) = (line.tokens.first(), line.tokens.last()) else { return false };
    let ours = text.get(first.start..last.end).unwrap_or_default();
    if ours.is_ascii() {
        return false;
    }
    let written = |part: &Range<usize>| &summary.text[summary.span(part.start, part.end)];
    let ranked = clauses(line, summary, range);
    let Some(nearest) = ranked.first().map(written) else { return false };
    let all = written(range);
    let any = |text: &str, words: &[&str]| words.iter().any(|word| says_undenied(text, word));
    OPPOSITES_WITHOUT_SPACES.iter().flat_map(|(one, other)| [(one, other), (other, one)]).any(
        |(own, opposite)| {
            any(ours, own)
                && !any(ours, opposite)
                && !any(nearest, own)
                && (any(nearest, opposite) || any(all, opposite) && !any(all, own))
        },
    )
}

/// Whether the sentence counts otherwise than the words of quantity that open the line.
fn counts_otherwise(text: &str, line: &Line, summary: &Summary<'_>, sentence: usize) -> bool {
    let opens = |token: &crate::tokens::Token| {
        !line.gaps.iter().any(|gap| gap.place.end <= token.start)
            && !is_denial(&token.text(text).to_lowercase())
    };
    let Some(least) = line
        .tokens
        .first()
        .filter(|token| opens(token))
        .and_then(|token| least_share(&token.text(text).to_lowercase()))
    else {
        return false;
    };
    let Some(range) = summary.sentences.get(sentence).cloned() else { return false };
    let said = |at: usize| least_share(&summary.tokens[at].text(summary.text).to_lowercase());
    // Its own words of quantity say as much.
    if range.clone().filter_map(said).any(|share| share == least) {
        return false;
    }
    let values = summary.values.get(sentence).map_or(&[][..], Vec::as_slice);
    let shares: Vec<f64> = values
        .iter()
        .filter_map(|value| summary.fraction(sentence, value))
        .filter(|fraction| fraction.is_explicit)
        .map(|fraction| fraction.part * 100.0 / fraction.whole)
        .collect();
    match least {
        100 => {
            let has_less = shares.iter().any(|share| *share < 99.5);
            has_less || range.filter_map(said).any(|share| share < 100)
        }
        34..=99 => !shares.is_empty() && shares.iter().all(|share| *share < f64::from(least)),
        _ => false,
    }
}
