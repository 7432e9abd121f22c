//! The lines of a text: which sentences begin one, after which mark, and what separates them from earlier ones.
//!
//! Spaces at line ends, empty lines at both ends and the kind of line ends do not count.

use crate::breach::{Breach, BreachKind, MOST_BREACHES, breach};
use prose::{Place, sentences};
use std::collections::HashMap;

/// A text without insignificant spaces before line ends and empty lines at both ends.
pub(crate) fn plain_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// The separator between a sentence and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Parting {
    /// Spaces: both are on one line.
    Blank,
    Line,
    /// An empty line, or a line that is no sentence.
    Block,
}

/// A sentence with its position among the lines.
struct Part<'a> {
    text: &'a str,
    place: Place,
    /// The beginning of its line before the first sentence: indentation and marks.
    mark: &'a str,
    /// The mark of the list item, also if the sentence is on its second line.
    item: &'a str,
    parting: Parting,
    /// Lines before it that are no sentences, such as the fences of code.
    between: Vec<&'a str>,
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut found: Vec<Part<'_>> = Vec::new();
    let mut from = 0;
    for sentence in sentences(text) {
        let gap = text.get(from..sentence.start).unwrap_or_default();
        from = sentence.end;
        let mut lines: Vec<&str> = gap.split('\n').collect();
        let last = lines.pop().unwrap_or_default();
        let inner = lines.get(1..).unwrap_or_default();
        let (parting, mark) = match (lines.is_empty(), found.last()) {
            (true, Some(before)) => (Parting::Blank, before.mark),
            (true, None) => (Parting::Block, last),
            (false, _) => (if inner.is_empty() { Parting::Line } else { Parting::Block }, last),
        };
        let between = inner.iter().copied().filter(|line| !line.is_empty()).collect();
        let is_within = sentence.place == Place::ListItem && mark.trim().is_empty();
        let item = found.last().filter(|_| is_within).map_or(mark, |before| before.item);
        found.push(Part { text: sentence.text, place: sentence.place, mark, item, parting, between });
    }
    found
}

/// The relation of a sentence of the shorter text to the longer one.
enum Standing {
    AsBefore(usize),
    OtherLines(usize),
    Missing,
}

/// Whether the shorter text results from removing sentences, or the longer one from adding some.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    TakenOut,
    Added,
}

/// The sentences of `part` that `whole` does not have in its order, or not on separate lines after the same marks.
pub(crate) fn differences(part: &str, whole: &str, change: Change) -> Vec<Breach> {
    let (part, whole) = (plain_lines(part), plain_lines(whole));
    let (part, whole) = (parts(&part), parts(&whole));
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, one) in whole.iter().enumerate() {
        places.entry(one.text).or_default().push(index);
    }
    let mut found = Vec::new();
    let mut last: Option<usize> = None;
    for (index, one) in part.iter().enumerate() {
        if found.len() >= MOST_BREACHES {
            break;
        }
        let all = places.get(one.text).map_or(&[][..], Vec::as_slice);
        let from = all.partition_point(|place| Some(*place) <= last);
        let is_first = index == 0;
        match standing(one, &whole, all.get(from..).unwrap_or_default(), last, is_first, change) {
            Standing::AsBefore(place) => last = Some(place),
            Standing::OtherLines(place) => {
                found.push(breach(BreachKind::ChangedLines, one.text));
                last = Some(place);
            }
            Standing::Missing => {
                let kind = match change {
                    Change::TakenOut => BreachKind::ForeignSentence,
                    Change::Added => BreachKind::LostSentence,
                };
                found.push(breach(kind, one.text));
            }
        }
    }
    if change == Change::TakenOut {
        found.extend(headless_tables(&part, &whole));
    }
    found
}

/// Most positions of one sentence that are compared; a more frequent sentence is matched at its first position.
const MOST_PLACES: usize = 32;

fn standing(
    one: &Part<'_>,
    whole: &[Part<'_>],
    places: &[usize],
    last: Option<usize>,
    is_first: bool,
    change: Change,
) -> Standing {
    let from = last.map_or(0, |last| last + 1);
    let fits = |place: &&usize| {
        let there = &whole[**place];
        let parting = whole[from..=**place].iter().map(|part| part.parting).max();
        let is_next = **place == from;
        let is_parted = match change {
            _ if is_first => change == Change::TakenOut || last.is_some() || one.mark == there.mark,
            Change::TakenOut => Some(one.parting) == parting,
            Change::Added if is_next => Some(one.parting) == parting,
            // Between two lines a paragraph may be added, within one only sentences.
            Change::Added => {
                parting >= Some(one.parting)
                    && (one.parting > Parting::Blank || parting == Some(Parting::Blank))
            }
        };
        let has_same_border = is_first || !is_next || one.between == there.between;
        let has_same_mark = one.mark == there.mark || change == Change::TakenOut && one.mark == there.item;
        one.place == there.place && has_same_mark && is_parted && has_same_border
    };
    match places.iter().take(MOST_PLACES).find(fits) {
        Some(place) => Standing::AsBefore(*place),
        None => places.first().map_or(Standing::Missing, |place| Standing::OtherLines(*place)),
    }
}

/// Reports tables without the rule below their head, which Markdown does not read as tables.
fn headless_tables(part: &[Part<'_>], whole: &[Part<'_>]) -> Vec<Breach> {
    let rules = |parts: &[Part<'_>]| -> HashMap<String, usize> {
        let mut found: HashMap<String, usize> = HashMap::new();
        for pair in parts.windows(2) {
            if pair[0].place == Place::Line && is_rule(pair[1].text) && !is_rule(pair[0].text) {
                *found.entry(pair[0].text.to_owned()).or_default() += 1;
            }
        }
        found
    };
    let (ours, theirs) = (rules(part), rules(whole));
    let mut heads: Vec<&String> = theirs.keys().filter(|head| !ours.contains_key(*head)).collect();
    heads.retain(|head| part.iter().any(|one| one.text == head.as_str()));
    heads.sort();
    heads.into_iter().map(|head| breach(BreachKind::ChangedLines, head)).collect()
}

fn is_rule(line: &str) -> bool {
    line.contains("--") && line.starts_with('|') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}
