//! Shortens a text: leaves out the sentences that are least important for it, and changes nothing else.
//!
//! These always stay: headings, list items, tables and code, the list of sources, passages that must stay, parts of
//! quotations (but passages between omission marks can go), the last remaining sentence of a section, the only sentence
//! that cites a source, and a sentence that the next one depends on.

mod parts;

use prose::{TextQuote, count_words, without_references};

use crate::meaning::Measure;
use crate::sentence_filter::depends_on_previous;
use parts::{Part, cut, parts};

/// Share of its words that a shortened text keeps.
const KEPT_SHARE: f64 = 2.0 / 3.0;
/// Most bytes of a text that its meaning is computed from.
const MOST_BYTES_READ: usize = 6_000;
/// Added to the worth of a sentence for a figure, for each citation, and for being the first of its section.
const FIGURE_BONUS: f64 = 0.15;
const CITATION_BONUS: f64 = 0.05;
const FIRST_BONUS: f64 = 0.1;

/// The text without its least important sentences: at least one is left out, and more until two thirds of the words
/// remain. `None` if no sentence can be left out. The passages of `kept` stay word for word.
pub fn shorten(markdown: &str, kept: &[TextQuote]) -> Option<String> {
    let body = without_references(markdown);
    let parts = parts(body, kept);
    let mut worth: Vec<(f64, usize)> = worth(body, &parts).into_iter().zip(0..).collect();
    worth.sort_by(|(one, at), (other, place)| one.total_cmp(other).then(place.cmp(at)));
    let whole = count_words(body);
    let mut words = whole;
    let mut is_out = vec![false; parts.len()];
    // After the first pass, sentences that others depended on may have become removable.
    for _ in 0..2 {
        for (_, at) in &worth {
            if words as f64 <= whole as f64 * KEPT_SHARE {
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

/// Whether [`shorten`] can leave anything out.
pub fn can_be_shortened(markdown: &str, kept: &[TextQuote]) -> bool {
    let parts = parts(without_references(markdown), kept);
    let is_out = vec![false; parts.len()];
    (0..parts.len()).any(|at| can_go(&parts, &is_out, at))
}

/// The worth of each part: its nearness to the whole text, plus additions for figures, citations and position.
fn worth(body: &str, parts: &[Part<'_>]) -> Vec<f64> {
    let measure = Measure::by_encoder();
    let whole = measure.of(&body[..body.floor_char_boundary(MOST_BYTES_READ)]);
    let worth = |(at, part): (usize, &Part<'_>)| {
        let is_first = at == 0 || parts[at - 1].section != part.section;
        let has_figure = part
            .text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word.chars().any(char::is_numeric) && !part.text.contains(&format!("[{word}]")));
        measure.of(part.text).nearness(&whole)
            + if has_figure { FIGURE_BONUS } else { 0.0 }
            + if is_first { FIRST_BONUS } else { 0.0 }
            + CITATION_BONUS * part.sources.len() as f64
    };
    parts.iter().enumerate().map(worth).collect()
}

/// Whether the text still cites its sources, and is understandable, without this part.
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
    let is_cited = |source: &usize| others.iter().any(|other| parts[*other].sources.contains(source));
    if !part.sources.iter().all(is_cited) {
        return false;
    }
    let next = others.iter().copied().find(|other| *other > at);
    !next.is_some_and(|next| parts[next].section == part.section && depends_on_previous(parts[next].text))
}

#[cfg(test)]
mod tests;
