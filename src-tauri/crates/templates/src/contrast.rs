//! Tells apart placeholders of one kind by the words that only one of them has beside it: "in the north [n], in the
//! south [n]". A value of the summary belongs to the words that stand beside it there.

use crate::asks::Asked;
use crate::candidates::{Candidate, asks_for_whole};
use crate::lines::{Gap, Line};
use crate::phrases::fixed_behind;
use crate::summary::Summary;
use crate::tokens::{Token, TokenKind, tokens};
use crate::values::Value;
use std::collections::HashMap;
use std::ops::Range;

/// Lines before and behind in which placeholders of the same shape are looked for.
const REACH: usize = 3;
/// Placeholders that are told apart together, words of one sentence by which they are.
const MOST_RIVALS: usize = 32;
const MOST_ITEMS: usize = 24;
/// Cost of a telling word that no value belongs to.
const ALONE: f64 = 20.0;
/// What it weighs against a value that it belongs to the words of another placeholder, and that another value belongs
/// to the words of this one.
const FOREIGN: f64 = 0.45;
const ELSEWHERE: f64 = 0.2;
/// What it weighs for a value that it belongs to the words of the placeholder, and others to those of others.
const OWN: f64 = 0.15;

/// Placeholders that compete for the same values, as bits.
type Label = u32;

/// A placeholder with the words beside it.
struct Rival {
    /// Index among the gaps of the line that is solved.
    own_gap: Option<usize>,
    keys: Vec<u64>,
    /// Those of its name alone.
    named: Vec<u64>,
}

/// Weighs the candidates of the gaps of a line by the words that tell these gaps from each other and from those of
/// the lines around.
pub(crate) fn tell_apart(
    text: &str,
    lines: &[Line],
    index: usize,
    summary: &Summary<'_>,
    lists: &mut [Vec<Candidate>],
) {
    let Some(line) = lines.get(index) else { return };
    for (own, gap) in line.gaps.iter().enumerate().filter(|(_, gap)| gap.choices.is_empty()) {
        let rivals = rivals(text, lines, index, own);
        let labels = labels(&rivals, summary);
        let Some(bit) = rivals.iter().position(|rival| rival.own_gap == Some(own)) else { continue };
        let is_told = labels.values().any(|label| label & (1 << bit) != 0);
        let Some(list) = lists.get_mut(own).filter(|_| is_told) else { continue };
        let mut sentences: Vec<usize> = list.iter().map(|candidate| candidate.sentence).collect();
        sentences.sort_unstable();
        sentences.dedup();
        for sentence in sentences {
            let belongs = belongings(gap, asks_for_whole(line, gap, text), summary, sentence, &labels);
            for candidate in list.iter_mut().filter(|candidate| candidate.sentence == sentence) {
                candidate.score -= objection(&belongs, 1 << bit, &candidate.value);
            }
        }
    }
}

fn objection(belongs: &[(Range<usize>, Label)], own: Label, value: &Value) -> f64 {
    let overlaps = |range: &Range<usize>| range.start < value.last && value.first < range.end;
    match belongs.iter().find(|(range, _)| overlaps(range)) {
        Some((_, label)) if *label == own => -OWN,
        Some((_, label)) if label & own != 0 => 0.0,
        Some(_) => FOREIGN,
        None if belongs.iter().any(|(_, label)| *label == own) => ELSEWHERE,
        None => 0.0,
    }
}

/// A gap of a line and those that compete with it: in the line, and in the lines around that have the same shape.
fn rivals(text: &str, lines: &[Line], index: usize, own: usize) -> Vec<Rival> {
    let mut found = Vec::new();
    let line = &lines[index];
    let gap = &line.gaps[own];
    let counted = counted(line, gap);
    let around = index.saturating_sub(REACH)..lines.len().min(index + REACH + 1);
    for (at, other) in around.clone().zip(&lines[around]) {
        if at != index && !has_same_shape(line, other) {
            continue;
        }
        let gaps: Vec<usize> = (0..other.gaps.len())
            .filter(|one| {
                (at, *one) == (index, own) || competes(text, (line, gap, counted), other, &other.gaps[*one])
            })
            .collect();
        for (one, (keys, named)) in gaps.iter().zip(words_of_gaps(text, other, &gaps)) {
            if found.len() < MOST_RIVALS {
                found.push(Rival { own_gap: (at == index).then_some(*one), keys, named });
            }
        }
    }
    found
}

fn competes(
    text: &str,
    (line, gap, counted): (&Line, &Gap, Option<u64>),
    other_line: &Line,
    other: &Gap,
) -> bool {
    let (asked, theirs) = (gap.request.asked, other.request.asked);
    let is_named = matches!(asked, Asked::Person | Asked::Organisation | Asked::Place | Asked::Text);
    let is_same_kind = asked == theirs && (!is_named || gap.request.name == other.request.name);
    let other_counted = self::counted(other_line, other);
    other.choices.is_empty()
        && is_same_kind
        && asks_for_whole(line, gap, text) == asks_for_whole(other_line, other, text)
        && (counted.is_none() || other_counted.is_none() || counted == other_counted)
}

/// The key of the word right behind a gap.
fn counted(line: &Line, gap: &Gap) -> Option<u64> {
    let next = fixed_behind(line, gap).first()?;
    matches!(next.kind, TokenKind::Word | TokenKind::Ideograph).then_some(next.key)
}

/// Rows of one table, items of one list, or sentences with half of their words in common.
fn has_same_shape(line: &Line, other: &Line) -> bool {
    let keys = |line: &Line| {
        line.tokens.iter().filter(|token| token.is_content()).map(|token| token.key).collect::<Vec<_>>()
    };
    let (ours, theirs) = (keys(line), keys(other));
    let same = ours.iter().filter(|key| theirs.contains(key)).count();
    line.place == other.place && 2 * same >= ours.len().max(theirs.len()) && same > 0
}

/// Words that tell apart though they are only grammar.
static TELLING: &[&str] = &[
    "before", "after", "with", "without", "above", "below", "under", "over", "first", "second", "other",
    "own", "up", "down",
];

fn tells(token: &Token, text: &str) -> bool {
    match token.kind {
        TokenKind::Word | TokenKind::Number | TokenKind::Ideograph => true,
        TokenKind::Stop => TELLING.contains(&token.text(text).to_lowercase().as_str()),
        _ => false,
    }
}

/// The keys of the words that belong to each of some gaps of a line, and those of their names.
fn words_of_gaps(text: &str, line: &Line, gaps: &[usize]) -> Vec<(Vec<u64>, Vec<u64>)> {
    let named = |gap: &usize| -> Vec<u64> {
        let name = &line.gaps[*gap].request.name;
        tokens(name, 0, name.len()).iter().filter(|token| tells(token, name)).map(|token| token.key).collect()
    };
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); gaps.len()];
    let Some(last) = gaps.last().map(|gap| line.gaps[*gap].at) else { return Vec::new() };
    // "[n] in 2024 and [n] in 2025": what stands behind the last stands behind each.
    let behind = line.tokens.get(last..).unwrap_or_default();
    let follows =
        behind.iter().take_while(|token| parting(token, text) <= 1.0).any(|token| tells(token, text));
    let telling = || line.tokens.iter().enumerate().filter(|(_, token)| tells(token, text));
    for (at, _) in telling() {
        let cost = |gap: usize| {
            let place = line.gaps[gap].at;
            let between = if at < place { at + 1..place } else { place..at };
            let turned = if (at >= place) == follows { 0.0 } else { 0.1 };
            apart(line.tokens.get(between).unwrap_or_default(), text) + turned
        };
        let nearest = (0..gaps.len()).min_by(|a, b| cost(gaps[*a]).total_cmp(&cost(gaps[*b])));
        if let Some(nearest) = nearest {
            found[nearest].push(at);
        }
    }
    let key = |at: &usize| line.tokens[*at].key;
    // Where one has no word of its own, they are told apart by their order, and by their line from other lines.
    let own: Vec<Vec<usize>> = (0..gaps.len())
        .map(|index| {
            let is_own = |at: &&usize| {
                let others = found.iter().enumerate().filter(|(other, _)| *other != index);
                others.flat_map(|(_, places)| places).all(|other| key(other) != key(at))
            };
            found[index].iter().filter(is_own).copied().collect()
        })
        .collect();
    let fewest = (0..gaps.len()).min_by_key(|index| own[*index].len()).unwrap_or_default();
    // "from [n] to [n] points": what stands around both is of both.
    let is_side_by_side = gaps.windows(2).any(|pair| {
        let between = line.gaps[pair[0]].at..line.gaps[pair[1]].at;
        line.tokens.get(between).is_some_and(|between| !between.iter().any(|token| tells(token, text)))
    });
    let keys: Vec<Vec<u64>> = if gaps.len() < 2 || own[fewest].is_empty() || is_side_by_side {
        vec![telling().map(|(_, token)| token.key).collect(); gaps.len()]
    } else {
        let like = |index: usize| {
            alike(line, &own[index], line.gaps[gaps[index]].at, &own[fewest], line.gaps[gaps[fewest]].at)
        };
        (0..gaps.len()).map(|index| like(index).iter().map(key).collect()).collect()
    };
    keys.into_iter().zip(gaps).map(|(keys, gap)| (keys, named(gap))).collect()
}

/// Of the words of one gap as many as another has, those that stand as the other's do: "in the _ arm". The rest is
/// said of both: "counted", in "in this arm [n] were counted, in that arm [n]".
fn alike(line: &Line, words: &[usize], gap: usize, model: &[usize], model_gap: usize) -> Vec<usize> {
    let key = |at: Option<usize>| at.and_then(|at| line.tokens.get(at)).map(|token| token.key);
    let likeness = |at: usize| -> u8 {
        let like = |other: &usize| {
            let before = key(at.checked_sub(1));
            let is_same_before = before.is_some() && before == key(other.checked_sub(1));
            let is_same_behind = key(Some(at + 1)).is_some() && key(Some(at + 1)) == key(Some(other + 1));
            let is_same_side = (at < gap) == (*other < model_gap);
            2 * (u8::from(is_same_before) + u8::from(is_same_behind)) + u8::from(is_same_side)
        };
        model.iter().map(like).max().unwrap_or_default()
    };
    let mut ranked: Vec<usize> = words.to_vec();
    let is_behind = model.iter().all(|at| *at >= model_gap);
    if is_behind {
        ranked.reverse();
    }
    ranked.sort_by_key(|at| std::cmp::Reverse(likeness(*at)));
    ranked.truncate(model.len());
    ranked
}

/// How much a token parts what stands on its sides.
fn parting(token: &Token, text: &str) -> f64 {
    match token.text(text) {
        ";" | "；" | "." | "。" | "!" | "?" => 7.0,
        "," | "，" | "、" | "\n" => 5.0,
        ":" | "：" => 2.5,
        "and" | "but" | "while" | "whereas" | "versus" | "than" | "to" | "against" => 2.0,
        _ if token.is_wide() => 0.5,
        _ if token.is_mark() => 0.3,
        _ => 1.0,
    }
}

fn apart(between: &[Token], text: &str) -> f64 {
    between.iter().map(|token| parting(token, text)).sum()
}

/// For each word that some rivals have beside them and others do not: which have.
fn labels(rivals: &[Rival], summary: &Summary<'_>) -> HashMap<u64, Label> {
    let mut found: HashMap<u64, Label> = HashMap::new();
    for (bit, rival) in rivals.iter().enumerate() {
        // A name may use words of its own.
        let named = rival.named.iter().filter(|key| !summary.places(**key).is_empty());
        for key in rival.keys.iter().chain(named) {
            *found.entry(*key).or_default() |= 1 << bit;
        }
    }
    let all = (0..rivals.len()).fold(0, |all, bit| all | 1 << bit);
    found.retain(|_, label| *label != all);
    found
}

/// Which values of a sentence belong to whose words.
fn belongings(
    gap: &Gap,
    is_whole: bool,
    summary: &Summary<'_>,
    sentence: usize,
    labels: &HashMap<u64, Label>,
) -> Vec<(Range<usize>, Label)> {
    let Some(range) = summary.sentences.get(sentence).cloned() else { return Vec::new() };
    let all = summary.values.get(sentence).map_or(&[][..], Vec::as_slice);
    let mut values: Vec<Range<usize>> = all
        .iter()
        .filter(|value| gap.request.fit(value.kind) > 0.3 && summary.is_whole(sentence, value) == is_whole)
        // "Group 2", "5月": a figure of the template that tells apart is no value.
        .filter(|value| summary.tokens.get(value.first).is_none_or(|token| !labels.contains_key(&token.key)))
        .map(|value| value.first..value.last)
        .collect();
    values.sort_by_key(|value| value.start);
    values.dedup_by(|next, last| next.start < last.end);
    let is_value = |at: usize| values.iter().any(|value| value.contains(&at));
    let mut items: Vec<(usize, Label)> = Vec::new();
    let mut is_parted = true;
    for at in range {
        if is_value(at) {
            is_parted = true;
            continue;
        }
        let token = &summary.tokens[at];
        let Some(label) = labels.get(&token.key).filter(|_| tells(token, summary.text)) else { continue };
        match items.last_mut() {
            Some(last) if !is_parted && last.1 & label != 0 => *last = (at, last.1 & label),
            _ => items.push((at, *label)),
        }
        is_parted = false;
    }
    items.truncate(MOST_ITEMS);
    if items.is_empty() || values.is_empty() {
        return Vec::new();
    }
    share_out(summary, &items, &values)
}

/// Gives each value to a word: to the last one before it, to the next one behind it, or one to one in their order,
/// whichever brings words and values nearest together.
fn share_out(
    summary: &Summary<'_>,
    items: &[(usize, Label)],
    values: &[Range<usize>],
) -> Vec<(Range<usize>, Label)> {
    let cost = |item: usize, value: &Range<usize>| {
        let at = items[item].0;
        let between = if at < value.start { at + 1..value.start } else { value.end..at };
        apart(summary.tokens.get(between).unwrap_or_default(), summary.text)
    };
    let before: Vec<Option<usize>> = values
        .iter()
        .map(|value| items.partition_point(|(at, _)| *at < value.start).checked_sub(1))
        .collect();
    let behind: Vec<Option<usize>> = values
        .iter()
        .map(|value| Some(items.partition_point(|(at, _)| *at < value.end)).filter(|at| *at < items.len()))
        .collect();
    let total = |given: &[Option<usize>]| -> f64 {
        (0..items.len())
            .map(|item| {
                let own = values.iter().zip(given).filter(|(_, given)| **given == Some(item));
                own.map(|(value, _)| cost(item, value)).min_by(f64::total_cmp).unwrap_or(ALONE)
            })
            .sum()
    };
    let in_order = one_to_one(items.len(), values, cost);
    let mut best = before;
    for other in [behind, in_order] {
        if total(&other) < total(&best) {
            best = other;
        }
    }
    let given = values.iter().zip(best);
    given.filter_map(|(value, item)| Some((value.clone(), items[item?].1))).collect()
}

/// Pairs words and values in their order, the nearest to each other; what is over has none.
fn one_to_one(
    items: usize,
    values: &[Range<usize>],
    cost: impl Fn(usize, &Range<usize>) -> f64,
) -> Vec<Option<usize>> {
    // Least cost for the first words and the first values.
    let mut table = vec![vec![0.0_f64; values.len() + 1]; items + 1];
    for item in 1..=items {
        table[item][0] = item as f64 * ALONE;
        for value in 1..=values.len() {
            let paired = table[item - 1][value - 1] + cost(item - 1, &values[value - 1]);
            table[item][value] = paired.min(table[item - 1][value] + ALONE).min(table[item][value - 1]);
        }
    }
    let mut given = vec![None; values.len()];
    let (mut item, mut value) = (items, values.len());
    while item > 0 && value > 0 {
        if table[item][value] == table[item][value - 1] {
            value -= 1;
        } else if table[item][value] == table[item - 1][value] + ALONE {
            item -= 1;
        } else {
            given[value - 1] = Some(item - 1);
            item -= 1;
            value -= 1;
        }
    }
    given
}
