//! Shortens a text: the sentences that say least about it are left out, and nothing else is changed.
//!
//! Never left out are headings, items of lists, tables and code, the list of sources, a passage that must stay, a part
//! of a quotation, the last sentence of a section, the only sentence that cites a source, and a sentence that the next
//! one leans on.

mod parts;

use std::collections::BTreeSet;

use prose::{TextQuote, count_words, sources_used, without_references};

use crate::meaning::Measure;
use crate::standing::leans;
use parts::{Part, cut, parts};

/// The share of its words that a text is shortened to.
const STAYS: f64 = 2.0 / 3.0;
/// Parts of a text beyond which the rest stays as it is.
const MOST_PARTS: usize = 600;
/// Bytes of a text that its meaning is taken from.
const READ: usize = 6_000;
/// What a figure adds to a sentence, a citation, and the first place of a section.
const OF_FIGURE: f64 = 0.15;
const OF_CITATION: f64 = 0.05;
const OF_FIRST: f64 = 0.1;

/// The text without the sentences that say least: at least one is left out, and as many as bring it to two thirds of its
/// words. `None` if none can be left out. The passages of `kept` stay word for word.
pub fn shorten(markdown: &str, kept: &[TextQuote]) -> Option<String> {
    let body = without_references(markdown);
    let mut parts = parts(body, kept);
    parts.truncate(MOST_PARTS);
    let mut worth: Vec<(f64, usize)> = worth(body, &parts).into_iter().zip(0..).collect();
    worth.sort_by(|(one, at), (other, place)| one.total_cmp(other).then(place.cmp(at)));
    let whole = count_words(body);
    let mut words = whole;
    let mut is_out = vec![false; parts.len()];
    // What leaned on a sentence may be gone after the first pass, and the sentence can go then.
    for _ in 0..2 {
        for (_, at) in &worth {
            if words as f64 <= whole as f64 * STAYS {
                break;
            }
            if !is_out[*at] && can_go(&parts, &is_out, *at) {
                is_out[*at] = true;
                words = words.saturating_sub(count_words(&body[parts[*at].range()]));
            }
        }
    }
    let out: Vec<&Part<'_>> =
        parts.iter().zip(&is_out).filter_map(|(part, is_out)| is_out.then_some(part)).collect();
    (!out.is_empty()).then(|| format!("{}{}", cut(body, &out), &markdown[body.len()..]))
}

/// What each part is worth: its nearness to the whole text, its figures and citations, and its place.
fn worth(body: &str, parts: &[Part<'_>]) -> Vec<f64> {
    let measure = Measure::by_encoder();
    let whole = measure.of(&body[..body.floor_char_boundary(READ)]);
    let worth = |(at, part): (usize, &Part<'_>)| {
        let is_first = at == 0 || parts[at - 1].section != part.section;
        let has_figure = part
            .text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word.chars().any(char::is_numeric) && !part.text.contains(&format!("[{word}]")));
        measure.of(part.text).nearness(&whole)
            + if has_figure { OF_FIGURE } else { 0.0 }
            + if is_first { OF_FIRST } else { 0.0 }
            + OF_CITATION * sources_used(part.text).len() as f64
    };
    parts.iter().enumerate().map(worth).collect()
}

/// Whether the text still names its sources, and is understood, without this part.
fn can_go(parts: &[Part<'_>], is_out: &[bool], at: usize) -> bool {
    let part = &parts[at];
    if part.is_fixed {
        return false;
    }
    let stays = |place: &usize| *place != at && !is_out[*place];
    let others: Vec<usize> = (0..parts.len()).filter(stays).collect();
    if !others.iter().any(|other| parts[*other].section == part.section) {
        return false;
    }
    let cited: BTreeSet<usize> = others.iter().flat_map(|other| sources_used(parts[*other].text)).collect();
    if sources_used(part.text).iter().any(|source| !cited.contains(source)) {
        return false;
    }
    let next = others.iter().copied().find(|other| *other > at);
    !next.is_some_and(|next| parts[next].section == part.section && leans(parts[next].text))
}

#[cfg(test)]
mod tests;
