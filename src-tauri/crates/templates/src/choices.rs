//! Chooses among the words that a template offers, from what the summary says and from its figures.

use crate::answers::{Answer, Memory};
use crate::asks::Asked;
use crate::candidates::candidates;
use crate::evidence::{Evidence, is_contradicted};
use crate::lines::{Gap, Line};
use crate::summary::Summary;
use crate::thesaurus::{direction, least_share};
use crate::tokens::{TokenKind, tokens};
use crate::values::{Value, ValueKind};
use crate::vocabulary::{DOWN, UP};
use std::ops::Range;

/// The option of gap `index` that a sentence of the summary speaks for.
pub(crate) fn choose(
    text: &str,
    line: &Line,
    index: usize,
    summary: &Summary<'_>,
    sentence: usize,
    answers: &[Option<Answer>],
    memory: &Memory,
) -> Option<Answer> {
    let gap = line.gaps.get(index)?;
    let options: Vec<String> = gap.choices.iter().map(|choice| choice.to_lowercase()).collect();
    let by_quantity = options.iter().all(|option| least_share(option).is_some());
    let (option, from) = if by_quantity {
        quantity(text, line, gap, &options, summary, sentence)?
    } else if let Some(negative) = negative_option(&options) {
        let denies = denies(line, summary, sentence);
        (if denies { negative } else { 1 - negative }, summary.sentences.get(sentence)?.clone())
    } else if is_number_of_verb(&options) {
        verb_number(line, index, &options, answers)?
    } else {
        literal(line, index, &options, summary, sentence)
            .or_else(|| stated_direction(line, gap, &options, summary, sentence))
            .or_else(|| counted_direction(text, line, index, &options, summary, sentence, answers, memory))?
    };
    let opens = text.get(line.range.start..gap.place.start).is_some_and(|before| before.trim().is_empty());
    let mut written = gap.choices.get(option)?.clone();
    if opens && let Some(letter) = written.chars().next() {
        written = letter.to_uppercase().chain(written.chars().skip(1)).collect();
    }
    let from_bytes = summary.span(from.start, from.end);
    Some(Answer {
        text: written,
        from: from_bytes,
        score: 0.6,
        number: None,
        kind: ValueKind::Range,
        token: from.start,
        is_labelled: false,
    })
}

/// From a share: "most" from 37 of 40.
fn quantity(
    text: &str,
    line: &Line,
    gap: &Gap,
    options: &[String],
    summary: &Summary<'_>,
    sentence: usize,
) -> Option<(usize, Range<usize>)> {
    let mut request = gap.request.clone();
    request.asked = Asked::Share;
    request.units.clear();
    let asking = Gap {
        placeholder: gap.placeholder,
        place: gap.place.clone(),
        at: gap.at,
        request,
        choices: Vec::new(),
        percent_behind: false,
    };
    let near = (sentence.saturating_sub(1)..=sentence + 1).filter(|near| *near < summary.sentences.len());
    let places: Vec<Evidence> = near
        .map(|near| Evidence { sentence: near, share: if near == sentence { 1.0 } else { 0.5 } })
        .collect();
    let found = candidates(text, line, &asking, summary, &places);
    let best = found
        .iter()
        .find(|candidate| candidate.fraction.is_some() || candidate.value.kind == ValueKind::Percent);
    let (share, from) = match best.filter(|best| best.score > 0.3) {
        Some(best) => {
            let share = match &best.fraction {
                Some(fraction) => fraction.part * 100.0 / fraction.whole,
                None => best.value.number?,
            };
            (share, best.value.first..best.value.last)
        }
        None => {
            let range = summary.sentences.get(sentence)?.clone();
            let stated = |at: &usize| least_share(&summary.tokens[*at].text(summary.text).to_lowercase());
            let at = range.into_iter().find(|at| stated(at).is_some_and(|share| share > 0))?;
            (f64::from(stated(&at)?), at..at + 1)
        }
    };
    let fits = |option: &&(usize, u8)| f64::from(option.1) <= share + 1e-9;
    let shares: Vec<(usize, u8)> =
        options.iter().enumerate().filter_map(|(at, option)| Some((at, least_share(option)?))).collect();
    shares.iter().filter(fits).max_by_key(|option| option.1).map(|(at, _)| (*at, from))
}

/// Which of two options denies the other.
fn negative_option(options: &[String]) -> Option<usize> {
    let [first, second] = options else { return None };
    let denies = |option: &str| {
        option.split(' ').any(crate::thesaurus::is_denial)
            || ["未", "没", "不", "无", "無", "ない", "なかった", "ず", "ません"]
                .iter()
                .any(|mark| option.contains(mark))
    };
    match (denies(first), denies(second)) {
        (true, false) => Some(0),
        (false, true) => Some(1),
        _ => None,
    }
}

fn denies(line: &Line, summary: &Summary<'_>, sentence: usize) -> bool {
    is_contradicted(line, summary, sentence) != line.is_denied
}

fn is_number_of_verb(options: &[String]) -> bool {
    let pairs = [["was", "were"], ["is", "are"], ["has", "have"], ["does", "do"]];
    pairs
        .iter()
        .any(|pair| options.len() == 2 && pair.iter().all(|verb| options.iter().any(|option| option == verb)))
}

fn verb_number(
    line: &Line,
    index: usize,
    options: &[String],
    answers: &[Option<Answer>],
) -> Option<(usize, Range<usize>)> {
    let before = answers.get(..index)?.iter().flatten().next_back()?;
    if line.gaps[index].at > line.tokens.len() {
        return None;
    }
    let is_one = before.number? == 1.0;
    let singular =
        options.iter().position(|option| matches!(option.as_str(), "was" | "is" | "has" | "does"))?;
    Some((if is_one { singular } else { 1 - singular }, before.token..before.token + 1))
}

/// The option whose words the summary uses, the nearest to what the line says.
fn literal(
    line: &Line,
    index: usize,
    options: &[String],
    summary: &Summary<'_>,
    sentence: usize,
) -> Option<(usize, Range<usize>)> {
    let gap = &line.gaps[index];
    let range = summary.sentences.get(sentence)?.clone();
    let mut found: Vec<(usize, usize, f64)> = Vec::new();
    for (at, option) in options.iter().enumerate() {
        for place in occurrences(option, summary, &range) {
            let distance: f64 = line
                .units
                .iter()
                .filter_map(|unit| {
                    let far = summary.distance(unit.key, sentence, place, place + 1)?;
                    let gap_distance = unit.token.abs_diff(gap.at) as f64;
                    Some(unit.weight / (1.0 + far / 5.0) / (1.0 + gap_distance / 6.0))
                })
                .sum();
            found.push((at, place, distance));
        }
    }
    let twins: Vec<usize> =
        (0..line.gaps.len()).filter(|other| line.gaps[*other].choices == gap.choices).collect();
    if twins.len() > 1 {
        // "larger for girls than for boys": the options in the order in which the summary names them.
        let turn = twins.iter().position(|other| *other == index)?;
        found.sort_by_key(|(_, place, _)| *place);
        let mut seen: Vec<(usize, usize)> = Vec::new();
        for (at, place, _) in found {
            if !seen.iter().any(|(other, _)| *other == at) {
                seen.push((at, place));
            }
        }
        return seen.get(turn).map(|(at, place)| (*at, *place..*place + 1));
    }
    let best = found.into_iter().max_by(|a, b| a.2.total_cmp(&b.2).then(b.1.cmp(&a.1)))?;
    Some((best.0, best.1..best.1 + 1))
}

/// The tokens of a sentence at which an option begins.
fn occurrences(option: &str, summary: &Summary<'_>, range: &Range<usize>) -> Vec<usize> {
    let cut = tokens(option, 0, option.len());
    let is_letter = option.chars().count() == 1 && option.is_ascii();
    let is_same = |at: usize| {
        if is_letter {
            return summary.tokens[at].text(summary.text).eq_ignore_ascii_case(option)
                && summary.tokens[at].text(summary.text).starts_with(char::is_uppercase);
        }
        let words = cut.iter().filter(|token| token.kind != TokenKind::Mark);
        let mut length = 0;
        let same = words.clone().zip(&summary.tokens[at..range.end]).all(|(ours, theirs)| {
            length += 1;
            ours.key == theirs.key && !(ours.kind == TokenKind::Particle && theirs.kind != ours.kind)
        });
        same && length == words.count() && length > 0
    };
    range.clone().filter(|at| is_same(*at)).take(8).collect()
}

fn option_direction(option: &str) -> i8 {
    option.split(' ').map(direction).find(|way| *way != 0).unwrap_or_else(|| direction(option))
}

/// The option that goes the way of a word in the summary: "rose" speaks for "increased".
fn stated_direction(
    line: &Line,
    gap: &Gap,
    options: &[String],
    summary: &Summary<'_>,
    sentence: usize,
) -> Option<(usize, Range<usize>)> {
    let ways: Vec<i8> = options.iter().map(|option| option_direction(option)).collect();
    let up = ways.iter().position(|way| *way > 0)?;
    let down = ways.iter().position(|way| *way < 0)?;
    let range = summary.sentences.get(sentence)?.clone();
    let mut best: Option<(f64, i8, usize)> = None;
    for at in range {
        let token = &summary.tokens[at];
        let way = if token.is_wide() {
            let rest = &summary.text[token.start..];
            let begins = |words: &[&str]| words.iter().any(|word| !word.is_ascii() && rest.starts_with(word));
            i8::from(begins(UP)) - i8::from(begins(DOWN))
        } else {
            direction(&token.text(summary.text).to_lowercase())
        };
        if way == 0 {
            continue;
        }
        let closeness: f64 = line
            .units
            .iter()
            .filter_map(|unit| {
                let far = summary.distance(unit.key, sentence, at, at + 1)?;
                Some(unit.weight / (1.0 + far / 4.0) / (1.0 + unit.token.abs_diff(gap.at) as f64 / 6.0))
            })
            .sum();
        if best.is_none_or(|best| closeness > best.0) {
            best = Some((closeness, way, at));
        }
    }
    let (closeness, way, at) = best?;
    (closeness > 0.25).then(|| (if way > 0 { up } else { down }, at..at + 1))
}

/// The option that goes the way of the figures: from 44.1 to 48.6 is up.
#[allow(clippy::too_many_arguments)]
fn counted_direction(
    text: &str,
    line: &Line,
    index: usize,
    options: &[String],
    summary: &Summary<'_>,
    sentence: usize,
    answers: &[Option<Answer>],
    memory: &Memory,
) -> Option<(usize, Range<usize>)> {
    let ways: Vec<i8> = options.iter().map(|option| option_direction(option)).collect();
    let up = ways.iter().position(|way| *way > 0)?;
    let down = ways.iter().position(|way| *way < 0)?;
    let pick = |before: f64, after: f64, token: usize| {
        (before != after).then(|| (if after > before { up } else { down }, token..token + 1))
    };
    let given: Vec<(usize, &Answer, f64)> = answers
        .iter()
        .enumerate()
        .filter_map(|(at, answer)| {
            answer.as_ref().and_then(|answer| Some((at, answer, measure(answer, summary)?)))
        })
        .collect();
    let behind: Vec<&(usize, &Answer, f64)> = given.iter().filter(|(at, _, _)| *at > index).collect();
    match (&behind[..], given.iter().rfind(|(at, _, _)| *at < index)) {
        ([.., _, _], _) => pick(behind[0].2, behind[1].2, behind[1].1.token),
        ([after], _) if after.1.kind == ValueKind::Percent => {
            pick(memory.last_share?, after.2, after.1.token)
        }
        ([after], Some(before)) => pick(before.2, after.2, after.1.token),
        (_, Some(given)) => {
            // Compared with another figure of its kind in the summary.
            let other = other_figure(summary, sentence, given.1)?;
            let lowered = text[line.range.start..line.gaps[index].place.start].to_lowercase();
            let is_past =
                ["previous", "last ", "前回", "上次", "此前"].iter().any(|word| lowered.contains(word));
            if is_past { pick(given.2, other, given.1.token) } else { pick(other, given.2, given.1.token) }
        }
        _ => two_groups(line, index, summary, sentence)
            .and_then(|(first, second, token)| pick(second, first, token)),
    }
}

fn measure(answer: &Answer, summary: &Summary<'_>) -> Option<f64> {
    if answer.kind == ValueKind::Duration {
        seconds(&summary.text[answer.from.clone()])
    } else {
        answer.number
    }
}

/// A duration in seconds: "7分40秒".
fn seconds(written: &str) -> Option<f64> {
    let cut = tokens(written, 0, written.len());
    let mut total = 0.0;
    for (at, token) in cut.iter().enumerate() {
        if token.kind == TokenKind::Number {
            let number = f64::from_bits(token.key);
            let unit = cut.get(at + 1).map_or("", |unit| unit.text(written));
            total += number
                * match unit {
                    "時" | "小" | "hour" | "hours" => 3600.0,
                    "分" | "minute" | "minutes" => 60.0,
                    _ => 1.0,
                };
        }
    }
    (total > 0.0).then_some(total)
}

fn other_figure(summary: &Summary<'_>, sentence: usize, given: &Answer) -> Option<f64> {
    let order = [sentence, sentence.saturating_sub(1), sentence + 1];
    let label =
        given.token.checked_sub(1).and_then(|before| summary.tokens.get(before)).map(|token| token.key);
    let usable = |value: &&Value| {
        value.first != given.token
            && value.kind == given.kind
            && summary.span(value.first, value.last) != given.from
    };
    let figure = |value: &Value| {
        if value.kind == ValueKind::Duration {
            seconds(&summary.text[summary.span(value.first, value.last)])
        } else {
            value.number
        }
    };
    for near in order {
        let values = summary.values.get(near).map_or(&[][..], Vec::as_slice);
        let same_label = |value: &&Value| {
            value.first.checked_sub(1).and_then(|before| summary.tokens.get(before)).map(|token| token.key)
                == label
        };
        let found =
            values.iter().filter(usable).find(same_label).or_else(|| {
                values.iter().filter(usable).min_by_key(|value| value.first.abs_diff(given.token))
            });
        if let Some(found) = found.and_then(figure) {
            return Some(found);
        }
    }
    None
}

/// The figures of the two groups that a line compares: "fewer … in this group than in that".
fn two_groups(
    line: &Line,
    index: usize,
    summary: &Summary<'_>,
    sentence: usize,
) -> Option<(f64, f64, usize)> {
    let than = (line.gaps[index].at..line.tokens.len())
        .find(|at| line.tokens[*at].key == crate::thesaurus::word_key("than"))?;
    let values = summary.values.get(sentence)?;
    let figures: Vec<&Value> = values
        .iter()
        .filter(|value| {
            value.number.is_some() && summary.fraction(sentence, value).is_some_and(|f| f.is_explicit)
        })
        .collect();
    let [first, second] = figures[..] else { return None };
    let near = |value: &Value, is_first: bool| -> f64 {
        let units = units_of(line, summary);
        units
            .iter()
            .filter(|(token, _)| (*token < than) == is_first)
            .filter_map(|(_, key)| {
                Some(1.0 / (1.0 + summary.distance(*key, sentence, value.first, value.last)?))
            })
            .sum()
    };
    let straight = near(first, true) + near(second, false);
    let crossed = near(second, true) + near(first, false);
    let (a, b) = if straight >= crossed { (first, second) } else { (second, first) };
    Some((a.number?, b.number?, first.first))
}

fn units_of(line: &Line, _: &Summary<'_>) -> Vec<(usize, u64)> {
    line.units.iter().map(|unit| (unit.token, unit.key)).collect()
}
