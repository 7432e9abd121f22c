//! Which points a request wants, and which it excludes.

use std::ops::Range;

use regex::Captures;
use serde::{Deserialize, Serialize};

use super::forms::TABLE;
use super::{first, number};

/// The points that are wanted. An empty or absent field restricts nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::pilgrimage) struct Wishes {
    /// The episodes.
    pub(in crate::pilgrimage) episodes: Vec<u32>,
    /// The excluded episodes.
    pub(in crate::pilgrimage) without_episodes: Vec<u32>,
    /// Most points; the nearest are kept.
    pub(in crate::pilgrimage) most_points: Option<u32>,
    /// The kinds of place.
    pub(in crate::pilgrimage) kinds: Vec<String>,
    /// The excluded kinds of place.
    pub(in crate::pilgrimage) without_kinds: Vec<String>,
}

impl Wishes {
    pub(in crate::pilgrimage) fn is_empty(&self) -> bool {
        *self == Wishes::default()
    }
}

/// The sense of a wish.
enum Sense {
    /// Only these.
    Only,
    /// All except these.
    Not,
    /// No marking word stands beside it.
    Unmarked,
}

/// Reads the wishes from a request in which numbers are digits.
pub(super) fn read(text: &str) -> Wishes {
    let table = &*TABLE;
    let mut wishes = Wishes {
        most_points: first(&table.most_points.forms, text, |found| number(found, "number")),
        ..Wishes::default()
    };
    for (at, is_without, episodes) in episodes(text) {
        if is_without || is_negated(text, &at) {
            wishes.without_episodes.extend(episodes);
        } else {
            wishes.episodes.extend(episodes);
        }
    }
    for (at, kinds) in kinds(text) {
        match sense(text, &at) {
            Sense::Only => wishes.kinds.extend(kinds),
            Sense::Not => wishes.without_kinds.extend(kinds),
            // A kind that is only mentioned is no wish.
            Sense::Unmarked => {}
        }
    }
    wishes
}

/// The episodes in the text: their range, whether the form itself excludes them, and their numbers.
fn episodes(text: &str) -> Vec<(Range<usize>, bool, Vec<u32>)> {
    let mut named: Vec<(Range<usize>, bool, Vec<u32>)> = Vec::new();
    for form in &TABLE.episodes.forms {
        for found in form.0.captures_iter(text) {
            let Some(at) = found.get(0).map(|whole| whole.range()) else { continue };
            if named.iter().any(|(other, ..)| at.start < other.end && other.start < at.end) {
                continue;
            }
            let is_without = found.name("without").is_some();
            named.extend(numbers(&found).map(|episodes| (at, is_without, episodes)));
        }
    }
    named.sort_by_key(|(at, ..)| at.start);
    named
}

/// The numbers of a list such as `1, 3 to 5`; `None` if the list makes no sense.
fn numbers(found: &Captures<'_>) -> Option<Vec<u32>> {
    if let Some(last) = number::<u32>(found, "first") {
        return (last > 0).then(|| (1..=last).collect());
    }
    let list = found.name("list").or_else(|| found.name("without"))?.as_str();
    let mut all: Vec<u32> = Vec::new();
    let mut between = "";
    let mut rest = list;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = &rest[begin..];
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let number: u32 = digits[..length].parse().ok()?;
        between = if all.is_empty() { between } else { &rest[..begin] };
        match all.last() {
            Some(&before) if TABLE.episodes.range.0.is_match(between) => all.extend(before + 1..=number),
            _ => all.push(number),
        }
        rest = &digits[length..];
    }
    all.dedup();
    (!all.is_empty()).then_some(all)
}

/// The kinds of place in the text, those of one list together, with their ranges.
fn kinds(text: &str) -> Vec<(Range<usize>, Vec<String>)> {
    let table = &*TABLE;
    let mut named: Vec<(Range<usize>, Vec<String>)> = table
        .kinds
        .iter()
        .flat_map(|(kind, words)| {
            words.0.find_iter(text).map(|found| (found.range(), vec![kind.clone()])).collect::<Vec<_>>()
        })
        .collect();
    named.sort_by_key(|(at, _)| at.start);
    let mut lists: Vec<(Range<usize>, Vec<String>)> = Vec::new();
    for (at, kinds) in named {
        match lists.last_mut() {
            // `喫茶店` contains the word for a shop, and is a café.
            Some((list, _)) if at.start < list.end => {}
            Some((list, all)) if table.marks.and.0.is_match(&text[list.end..at.start]) => {
                all.extend(kinds);
                list.end = at.end;
            }
            _ => lists.push((at, kinds)),
        }
    }
    lists
}

/// The sense of the wish at this range.
fn sense(text: &str, at: &Range<usize>) -> Sense {
    if is_negated(text, at) {
        return Sense::Not;
    }
    let marks = &TABLE.marks;
    let (before, behind) = (&text[..at.start], &text[at.end..]);
    if marks.only_before.0.is_match(before) || marks.only_behind.0.is_match(behind) {
        return Sense::Only;
    }
    Sense::Unmarked
}

/// Whether a word beside this range negates it.
pub(super) fn is_negated(text: &str, at: &Range<usize>) -> bool {
    let marks = &TABLE.marks;
    marks.not_before.0.is_match(&text[..at.start]) || marks.not_behind.0.is_match(&text[at.end..])
}

/// Whether one of the names of a point shows that it is of this kind.
pub(in crate::pilgrimage) fn is_named_as(kind: &str, names: &[&str]) -> bool {
    TABLE.kinds.get(kind).is_some_and(|words| names.iter().any(|name| words.0.is_match(name)))
}
