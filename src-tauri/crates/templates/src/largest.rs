//! Finds the largest item of a list with amounts: "9,200 on books, 4,860 on staff", "设备11.2万元，人员4.9万元".

use crate::asks::Asked;
use crate::candidates::Candidate;
use crate::evidence::Evidence;
use crate::lines::{Gap, Line};
use crate::phrases::fixed_before;
use crate::summary::Summary;
use crate::tokens::TokenKind;
use crate::values::{Value, ValueKind};

/// The item with the largest amount in the first sentence of the evidence that lists several.
pub(crate) fn largest(_: &Line, _: &Gap, summary: &Summary<'_>, evidence: &[Evidence]) -> Vec<Candidate> {
    for place in evidence {
        let items = items(summary, place.sentence);
        if items.len() < 2 {
            continue;
        }
        let largest = items.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        return largest
            .map(|(_, value)| Candidate {
                value,
                sentence: place.sentence,
                score: 0.8,
                fraction: None,
                is_labelled: false,
            })
            .into_iter()
            .collect();
    }
    Vec::new()
}

/// The items of a sentence, each a phrase with its amount as its number.
fn items(summary: &Summary<'_>, sentence: usize) -> Vec<(f64, Value)> {
    let mut found = Vec::new();
    let Some(range) = summary.sentences.get(sentence) else { return found };
    for value in summary.values.get(sentence).map_or(&[][..], Vec::as_slice) {
        let Some(number) = value.number else { continue };
        let word = |at: usize| summary.tokens.get(at).map_or("", |token| token.text(summary.text));
        if matches!(word(value.last), "on" | "for") {
            let first = value.last + 1;
            let is_word = |at: &usize| *at < range.end && summary.tokens[*at].kind == TokenKind::Word;
            let last = (first..first + 4).take_while(is_word).last().map_or(first, |last| last + 1);
            if last > first {
                found.push((
                    number,
                    Value { kind: ValueKind::Phrase, first, core: last, last, number: Some(number) },
                ));
            }
            continue;
        }
        let is_wide = |at: &usize| *at >= range.start && summary.tokens[*at].kind == TokenKind::Ideograph;
        let first = (range.start..value.first).rev().take_while(is_wide).last().unwrap_or(value.first);
        if value.first >= first + 2 && first > range.start {
            let phrase = Value {
                kind: ValueKind::Phrase,
                first,
                core: value.first,
                last: value.first,
                number: Some(number),
            };
            found.push((number, phrase));
        }
    }
    found
}

/// An amount asked for right behind the largest item is the item's.
pub(crate) fn pair_with_amount(line: &Line, lists: &mut [Vec<Candidate>], summary: &Summary<'_>) {
    for index in 1..line.gaps.len().min(lists.len()) {
        if line.gaps[index - 1].request.asked != Asked::Largest
            || fixed_before(line, &line.gaps[index]).len() > 6
        {
            continue;
        }
        let Some(item) = lists[index - 1].first().cloned() else { continue };
        let values = summary.values.get(item.sentence).map_or(&[][..], Vec::as_slice);
        let is_its = |value: &&Value| {
            value.number == item.value.number
                && (value.last <= item.value.first + 1 || value.first >= item.value.last)
        };
        if let Some(value) = values.iter().find(is_its) {
            lists[index] = vec![Candidate {
                value: value.clone(),
                sentence: item.sentence,
                score: 0.8,
                fraction: None,
                is_labelled: false,
            }];
        }
    }
}
