//! Checks of agents' promises: each function returns the breaches, with the words concerned.

use crate::breach::{Breach, BreachKind, MOST_BREACHES, breach};
use crate::kinds::asks_for_figure;
use crate::labels::is_form;
use crate::placeholders::{Placeholder, placeholders};
use crate::structure::{Change, differences, plain_lines};
use prose::sentences;

/// Longest value in characters: of any kind, and of a placeholder for a figure or a date.
const LONGEST_VALUE: usize = 300;
const LONGEST_FIGURE: usize = 80;

fn one_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Pruned text consists of sentences of the template, in its order, on their lines after their marks.
pub fn check_pruned(template: &str, pruned: &str) -> Vec<Breach> {
    differences(pruned, template, Change::TakenOut)
}

/// Enriched text has every sentence of the filled text, in its order, on its line after its mark.
pub fn check_enriched(filled: &str, enriched: &str) -> Vec<Breach> {
    differences(filled, enriched, Change::Added)
}

/// Filled text differs from the pruned text only at placeholders. Spaces at line ends may differ.
pub fn check_filled(pruned: &str, filled: &str) -> Vec<Breach> {
    read_values(pruned, filled).1
}

/// The text of the filled text at each placeholder of the pruned text; for an open one, the placeholder itself.
pub fn filled_values(pruned: &str, filled: &str) -> Vec<(Placeholder, String)> {
    read_values(pruned, filled).0
}

fn read_values(pruned: &str, filled: &str) -> (Vec<(Placeholder, String)>, Vec<Breach>) {
    let (before, document) = (plain_lines(pruned), plain_lines(filled));
    let marks = placeholders(&before);
    let mut values = Vec::new();
    let mut breaches = Vec::new();
    let mut at = 0;
    let mut from = 0;
    for index in 0..=marks.len() {
        let mark = marks.get(index);
        let piece = &before[from..mark.map_or(before.len(), |mark| mark.place.start)];
        from = mark.map_or(before.len(), |mark| mark.place.end);
        let rest = &document[at..];
        let place = match (index, mark) {
            (0, None) => (rest == piece).then_some(0),
            (0, _) => rest.starts_with(piece).then_some(0),
            (_, None) => rest.ends_with(piece).then(|| rest.len() - piece.len()),
            _ => rest.find(piece),
        };
        let Some(place) = place else {
            let has_words = one_spaced(rest).contains(&one_spaced(piece));
            let kind =
                if has_words && index > 0 { BreachKind::ChangedLines } else { BreachKind::ChangedWords };
            breaches.push(breach(kind, if mark.is_none() && index == 0 { rest } else { piece.trim() }));
            if breaches.len() >= MOST_BREACHES {
                break;
            }
            continue;
        };
        if let Some(last) = index.checked_sub(1).and_then(|last| marks.get(last))
            && breaches.is_empty()
        {
            let value = rest[..place].trim().to_owned();
            // If only a space separates two placeholders, the first words of a value may belong to the one before.
            let open_ended = before[..last.place.start].ends_with(['}', ']', '］', '｝'])
                || before[..last.place.start].trim_end().len()
                    == marks.get(index.wrapping_sub(2)).map_or(usize::MAX, |two| two.place.end);
            let is_alone = is_alone(&before, last);
            breaches.extend(misfit(last, &value, open_ended, is_alone));
            values.push((last.clone(), value));
        }
        at += place + piece.len();
    }
    // The marks keep their positions in the pruned text.
    let given = placeholders(pruned);
    if given.len() == marks.len() {
        for ((mark, _), given) in values.iter_mut().zip(given) {
            mark.place = given.place;
        }
    }
    (values, breaches)
}

/// Whether a placeholder is alone on its line, or only after a form label.
fn is_alone(text: &str, mark: &Placeholder) -> bool {
    let is_empty = |side: &str| !side.chars().any(char::is_alphanumeric);
    let before = text[..mark.place.start].rsplit('\n').next().unwrap_or_default();
    let behind = text[mark.place.end..].split('\n').next().unwrap_or_default();
    let is_form = is_form(before) && before.trim_end_matches([' ', '*']).ends_with([':', '：']);
    (is_empty(before) || is_form) && is_empty(behind)
}

/// Whether a value is allowed at a placeholder of a text.
pub(crate) fn is_fitting(text: &str, mark: &Placeholder, value: &str) -> bool {
    misfit(mark, value, false, is_alone(text, mark)).is_none()
}

/// `is_open_ended`: only a space separates the value from the one before, so its first words may belong to that one.
fn misfit(mark: &Placeholder, value: &str, is_open_ended: bool, is_alone: bool) -> Option<Breach> {
    let lowered = value.to_lowercase();
    let same = |choice: &String| {
        let choice = choice.to_lowercase();
        lowered == choice || (is_open_ended && lowered.ends_with(&format!(" {choice}")))
    };
    let is_open = value.contains(mark.name.as_str());
    let is_choice = mark.choices.is_empty() || is_open || mark.choices.iter().any(same);
    if !is_choice {
        return Some(breach(BreachKind::ForeignChoice, value));
    }
    let longest = if is_open || !asks_for_figure(&mark.name) { LONGEST_VALUE } else { LONGEST_FIGURE };
    let is_long = value.chars().count() > longest || value.contains('\n') || !is_alone && is_sentence(value);
    is_long.then(|| breach(BreachKind::LongValue, value))
}

/// Whether a value contains the end of a sentence, or is a sentence; "Prof. Dr. med. Ada Lind" is a name.
fn is_sentence(value: &str) -> bool {
    let words = |text: &str| text.split_whitespace().count();
    let ends = value.ends_with(['!', '?']) || value.ends_with('.') && words(value) > 4;
    ends || value.contains(['。', '！', '？'])
        || sentences(value).iter().skip(1).any(|one| words(one.text) > 3)
}
