//! A text made shorter without a model: the sentences that carry least are left out, and nothing else is changed.
//!
//! Never left out are headings, items of lists, tables and code, the list of sources, a passage that must stand, a part
//! of a quotation, the last sentence of a section, the only sentence that cites a source, and a sentence that another one
//! needs to be understood.

mod parts;

use std::collections::{BTreeMap, BTreeSet};

use crate::candidates::{is_leaning, without_connective};
use crate::citations::sources_used;
use crate::grounding::claims;
use crate::quotes::TextQuote;
use crate::references::without_references;
use crate::standing::{Known, stands_alone};
use crate::support::{each_content_stem, share_of};
use crate::tokens::Keys;
use crate::words::count_words;
use parts::{Part, cut, parts};

/// Share of the words of a text that may stay.
const STAYS: f64 = 2.0 / 3.0;
/// Parts of a text beyond which the rest stays as it is.
const MOST_PARTS: usize = 600;
/// Words with which a Chinese or Japanese sentence leans on the one before it.
const LEANING: [&str; 38] = [
    "它",
    "他",
    "她",
    "这",
    "那",
    "该",
    "其",
    "此",
    "因此",
    "所以",
    "但",
    "然而",
    "不过",
    "而",
    "同时",
    "另外",
    "另一",
    "并且",
    "例如",
    "比如",
    "也就是说",
    "于是",
    "これ",
    "それ",
    "この",
    "その",
    "こうした",
    "そうした",
    "しかし",
    "だが",
    "また",
    "さらに",
    "そのため",
    "したがって",
    "たとえば",
    "例えば",
    "つまり",
    "一方",
];

/// The text without the sentences that carry least, at least one and as many as bring it to two thirds of its words;
/// nothing where none can be left out. `kept` are the passages that must stand word for word.
pub fn shorten_text(markdown: &str, kept: &[TextQuote]) -> Option<String> {
    let body = without_references(markdown);
    let mut parts = parts(body, kept);
    parts.truncate(MOST_PARTS);
    let whole = count_words(body);
    let mut weights: Vec<(f64, usize)> = weights(body, &parts).into_iter().zip(0..).collect();
    weights.sort_by(|(one, at), (other, place)| one.total_cmp(other).then(place.cmp(at)));
    let mut is_out = vec![false; parts.len()];
    let mut words = whole;
    // What leaned on a sentence may be gone after the first pass, and the sentence can go then.
    for _ in 0..2 {
        for (_, at) in &weights {
            if words as f64 <= whole as f64 * STAYS {
                break;
            }
            if !is_out[*at] && can_go(&parts, &is_out, *at) {
                is_out[*at] = true;
                words = words.saturating_sub(count_words(&body[parts[*at].range()]));
            }
        }
    }
    let out: Vec<&Part> =
        parts.iter().zip(&is_out).filter_map(|(part, is_out)| is_out.then_some(part)).collect();
    if out.is_empty() {
        return None;
    }
    Some(format!("{}{}", cut(body, &out), &markdown[body.len()..]))
}

/// What each part carries: figures and names, what the rest of the text speaks of, and its place.
fn weights(body: &str, parts: &[Part]) -> Vec<f64> {
    let texts: Vec<&str> = parts.iter().map(|part| &body[part.range()]).collect();
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    each_content_stem(body, |stem| *counts.entry(stem).or_default() += 1);
    let common: Keys = counts.iter().filter(|(_, count)| **count > 1).map(|(stem, _)| *stem).collect();
    let weight = |(at, text): (usize, &&str)| {
        let is_first = parts[..at].iter().all(|part| part.section != parts[at].section);
        let claims = claims(text).len().min(6) as f64;
        let place = if at == 0 {
            3.0
        } else if is_first {
            1.0
        } else {
            0.0
        };
        claims + 3.0 * share_of(text, &common) + place + 0.5 * sources_used(text).len() as f64
    };
    texts.iter().enumerate().map(weight).collect()
}

/// Whether the text can be understood, and says where it is from, without this part too.
fn can_go(parts: &[Part], is_out: &[bool], at: usize) -> bool {
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
    if next.is_some_and(|next| parts[next].section == part.section && leans(parts[next].text)) {
        return false;
    }
    is_understood_without(parts, is_out, at)
}

/// Whether the later sentences of the section that speak of something as known are understood without this part, where
/// they are with it.
fn is_understood_without(parts: &[Part], is_out: &[bool], at: usize) -> bool {
    let speaks_of_known = |other: &Part| other.section == parts[at].section && other.text.starts_with("The ");
    let standing = || parts.iter().enumerate().filter(|(place, _)| !is_out[*place]);
    if !standing().any(|(place, other)| place > at && speaks_of_known(other)) {
        return true;
    }
    let (mut with, mut without) = (Known::default(), Known::default());
    standing().all(|(place, other)| {
        let needs = place > at
            && speaks_of_known(other)
            && stands_alone(other.text, &with)
            && !stands_alone(other.text, &without);
        with.add(other.text);
        if place != at {
            without.add(other.text);
        }
        !needs
    })
}

/// Whether a sentence needs the one before it.
fn leans(sentence: &str) -> bool {
    let plain = sentence.trim_start_matches(|mark: char| !mark.is_alphanumeric());
    let lower = plain.to_lowercase();
    is_leaning(&lower)
        || without_connective(&lower) != lower
        || LEANING.iter().any(|start| plain.starts_with(start))
        || !stands_alone(plain, &Known::of(plain, true))
}

#[cfg(test)]
mod tests;
