//! Finds words of a summary that stand where a placeholder stands: between the same neighbours.

use crate::asks::{Asked, Request};
use crate::lines::{Gap, Line};
use crate::summary::Summary;
use crate::tokens::{Token, TokenKind};
use crate::values::{Value, ValueKind};

/// Longest phrase in tokens: of words, of ideographs.
const MOST_WORDS: usize = 14;
const MOST_IDEOGRAPHS: usize = 24;

/// Tokens that are the same at two places, from the inside outwards, with what they weigh together.
pub(crate) fn common_run<'t>(
    line: impl Iterator<Item = &'t Token>,
    summary: impl Iterator<Item = &'t Token>,
) -> f64 {
    let is_read = |token: &&Token| !token.is_mark();
    let mut weight = 0.0;
    for (ours, theirs) in line.filter(is_read).zip(summary.filter(is_read)).take(6) {
        if ours.key != theirs.key {
            break;
        }
        weight += match ours.kind {
            TokenKind::Word | TokenKind::Number => 1.0,
            TokenKind::Stop => 0.5,
            _ => 0.45,
        };
    }
    weight
}

/// How well what stands before a gap stands before `token` of the summary too, and so behind.
pub(crate) fn left_run(line: &Line, gap: &Gap, summary: &Summary<'_>, sentence: usize, token: usize) -> f64 {
    let start = summary.sentences.get(sentence).map_or(0, |range| range.start);
    let before = fixed_before(line, gap);
    let run = common_run(before.iter().rev(), summary.tokens[start.min(token)..token].iter().rev());
    let has_gap_before = line.gaps.iter().any(|other| other.place.end <= gap.place.start);
    let first = token.saturating_sub(before.len());
    let ends_value =
        summary.values.get(sentence).is_some_and(|values| values.iter().any(|value| value.last == first));
    let is_whole_gap = has_gap_before
        && !before.is_empty()
        && before.len() < 5
        && first > start
        && before.iter().zip(&summary.tokens[first..token]).all(|(ours, theirs)| ours.key == theirs.key);
    if is_whole_gap && ends_value { run + 1.0 } else { run }
}

pub(crate) fn right_run(line: &Line, gap: &Gap, summary: &Summary<'_>, sentence: usize, token: usize) -> f64 {
    let end = summary.sentences.get(sentence).map_or(0, |range| range.end);
    let behind = fixed_behind(line, gap);
    let run = common_run(behind.iter(), summary.tokens[token.min(end)..end].iter());
    let has_next_gap =
        gap.at + behind.len() < line.tokens.len() || line.gaps.iter().any(|other| other.at > gap.at);
    run + if has_next_gap
        && run > 0.0
        && spans(behind, &summary.tokens, token, end, |next| starts_value(summary, sentence, next))
    {
        1.0
    } else {
        0.0
    }
}

fn starts_value(summary: &Summary<'_>, sentence: usize, token: usize) -> bool {
    summary.values.get(sentence).is_some_and(|values| values.iter().any(|value| value.first == token))
}

/// Whether all fixed tokens up to the next gap stand in the summary too, with a value behind them.
fn spans(
    behind: &[Token],
    tokens: &[Token],
    token: usize,
    end: usize,
    is_value: impl Fn(usize) -> bool,
) -> bool {
    behind.len() < 5
        && token + behind.len() < end
        && behind.iter().zip(&tokens[token..end]).all(|(ours, theirs)| ours.key == theirs.key)
        && is_value(token + behind.len())
}

/// The fixed tokens between a gap and the gap before it, and so behind.
pub(crate) fn fixed_before<'l>(line: &'l Line, gap: &Gap) -> &'l [Token] {
    let from =
        line.gaps.iter().filter(|other| other.place.end <= gap.place.start).map(|other| other.at).max();
    &line.tokens[from.unwrap_or(0).min(gap.at)..gap.at.min(line.tokens.len())]
}

pub(crate) fn fixed_behind<'l>(line: &'l Line, gap: &Gap) -> &'l [Token] {
    let to = line.gaps.iter().filter(|other| other.place.start >= gap.place.end).map(|other| other.at).min();
    let to = to.unwrap_or(line.tokens.len()).min(line.tokens.len());
    &line.tokens[gap.at.min(to)..to]
}

/// The phrases of one sentence of the summary that may stand at a gap.
pub(crate) fn phrases(
    line: &Line,
    gap: &Gap,
    summary: &Summary<'_>,
    sentence: usize,
    is_field: bool,
) -> Vec<Value> {
    let mut found = Vec::new();
    let Some(range) = summary.sentences.get(sentence).cloned() else { return found };
    // The label of a field is no running text.
    let before = if is_field { &[][..] } else { fixed_before(line, gap) };
    let behind = if is_field { &[][..] } else { fixed_behind(line, gap) };
    for at in range.clone() {
        if summary.tokens[at].is_mark() {
            continue;
        }
        let left = common_run(before.iter().rev(), summary.tokens[range.start..at].iter().rev());
        let is_labelled = follows_label(&gap.request, summary, range.start, at);
        if left >= 0.85 || (left >= 0.45 && before.len() < 3 && !before.is_empty()) || is_labelled {
            let last = phrase_end(&gap.request, behind, summary, at, range.end);
            if last > at {
                found.push(phrase(at, last));
            }
        }
        let right = common_run(behind.iter(), summary.tokens[at..range.end].iter());
        if right >= 0.85 && at > range.start {
            let first = phrase_start(summary, range.start, at);
            if first < at {
                found.push(phrase(first, at));
            }
        }
        if let Some(value) = class_phrase(&gap.request, summary, range.start, at) {
            found.push(value);
        }
        if found.len() > 40 {
            break;
        }
    }
    for phrase in &mut found {
        whole_values(summary, sentence, phrase);
    }
    found.retain(|value| (value.first..value.last).any(|token| summary.tokens[token].is_content()));
    found
}

/// Widens a phrase that ends within a value of several parts: "between 2 and 5 km".
fn whole_values(summary: &Summary<'_>, sentence: usize, phrase: &mut Value) {
    let values = summary.values.get(sentence).map_or(&[][..], Vec::as_slice);
    for value in values
        .iter()
        .filter(|value| matches!(value.kind, ValueKind::Range | ValueKind::Duration | ValueKind::Date))
    {
        if value.first < phrase.last && phrase.last < value.last {
            phrase.last = value.last;
        }
        if value.first < phrase.first && phrase.first < value.last {
            phrase.first = value.first;
        }
    }
    phrase.core = phrase.last;
}

fn phrase(first: usize, last: usize) -> Value {
    Value { kind: ValueKind::Phrase, first, core: last, last, number: None }
}

/// Whether the words before a token name what is asked for: "The scope was …", "负责人为…", "集合場所の…".
pub(crate) fn follows_label(request: &Request, summary: &Summary<'_>, start: usize, at: usize) -> bool {
    if at < start + 2 {
        return false;
    }
    let link = &summary.tokens[at - 1];
    let is_link = matches!(
        link.text(summary.text),
        "is" | "was" | "are" | "were" | ":" | "：" | "为" | "是" | "は" | "の"
    );
    is_link
        && request.units.iter().any(|unit| {
            let width = usize::from(link.is_wide()) + 1;
            summary.places(unit.key).contains(&(at.saturating_sub(1 + width)))
        })
}

fn is_particle(token: &Token, text: &str) -> bool {
    token.kind == TokenKind::Particle
        && matches!(token.text(text), "に" | "で" | "を" | "が" | "は" | "在" | "于" | "由" | "从")
}

/// Names of what a report may be about.
static PROJECTS: &[&str] = &["项目", "试点", "工程", "计划", "活动", "事業", "計画"];

/// Where a phrase that begins at `first` ends: before what follows the gap, or with its clause.
fn phrase_end(request: &Request, behind: &[Token], summary: &Summary<'_>, first: usize, end: usize) -> usize {
    let is_wide = summary.tokens[first].is_wide();
    let most = if is_wide { MOST_IDEOGRAPHS } else { MOST_WORDS };
    let reach = end.min(first + most);
    let mut fallback = reach;
    for at in first..reach {
        let token = &summary.tokens[at];
        let written = token.text(summary.text);
        let is_border = token.kind == TokenKind::Break;
        if at > first && common_run(behind.iter(), summary.tokens[at..end].iter()) >= 0.85 {
            return at;
        }
        if is_border {
            return at.min(fallback);
        }
        if at > first && fallback == reach {
            let ends_class = request.class.as_deref().is_some_and(|class| {
                is_wide
                    && summary.text[..token.start].ends_with(class)
                    && !matches!(written, "和" | "与" | "及" | "、" | "と")
            });
            let before = &summary.tokens[at - 1];
            let is_new_part = matches!(written, "and" | "but")
                && summary.tokens.get(at + 1).is_some_and(|next| {
                    next.kind == TokenKind::Number
                        || crate::spelt::spelt(&next.text(summary.text).to_lowercase()).is_some()
                });
            if ends_class
                || is_new_part
                || matches!(
                    written,
                    "which" | "who" | "that" | "by" | "for" | "as" | "while" | "when" | "because"
                )
                || (is_particle(token, summary.text) && before.kind == TokenKind::Ideograph)
            {
                fallback = at;
            }
        }
    }
    fallback
}

/// Where a phrase that ends before `last` begins: behind a mark, a grammar word or a particle.
fn phrase_start(summary: &Summary<'_>, start: usize, last: usize) -> usize {
    let most = if summary.tokens[last - 1].is_wide() { MOST_IDEOGRAPHS } else { 5 };
    let mut first = last;
    while first > start && last - first < most {
        let token = &summary.tokens[first - 1];
        let written = token.text(summary.text);
        let is_joint = written == "of" && first < last && first > start + 1;
        let is_border = token.kind == TokenKind::Break
            || (token.kind == TokenKind::Stop && !is_joint)
            || (first < last && has_article_between(summary, first))
            || (is_particle(token, summary.text) && first < last);
        if is_border || written == "/" {
            break;
        }
        first -= 1;
    }
    first
}

/// Whether an article, which is no token, stands before a token.
fn has_article_between(summary: &Summary<'_>, token: usize) -> bool {
    let between = summary.text.get(summary.tokens[token - 1].end..summary.tokens[token].start);
    between.is_some_and(|between| between.contains(char::is_alphabetic))
}

/// A thing of the class that is asked for, ending before `at` + 1: "the booking service", "桐花里社区".
fn class_phrase(request: &Request, summary: &Summary<'_>, start: usize, at: usize) -> Option<Value> {
    let class = request.class.as_deref()?;
    let token = &summary.tokens[at];
    if token.kind == TokenKind::Word {
        let is_class = token.text(summary.text).to_lowercase() == class;
        if !is_class
            || at == start
            || has_article_between(summary, at)
            || !matches!(request.asked, Asked::Text | Asked::Place | Asked::Organisation)
        {
            return None;
        }
        let first = phrase_start(summary, start, at).max(at.saturating_sub(3));
        let is_thing =
            (first..at).all(|index| matches!(summary.tokens[index].kind, TokenKind::Word | TokenKind::Mark));
        return (first < at && is_thing).then(|| phrase(first, at + 1));
    }
    let is_class = |text: &str| {
        text.ends_with(class)
            || (PROJECTS.contains(&class) && PROJECTS.iter().any(|other| text.ends_with(other)))
    };
    if token.kind != TokenKind::Ideograph || class.is_ascii() || !is_class(&summary.text[..token.end]) {
        return None;
    }
    if request.asked == Asked::Person {
        return None;
    }
    let first = crate::names::wide_start(summary.text, &summary.tokens, start, at);
    let own = class.chars().count();
    if at + 1 - first <= own {
        return None;
    }
    // "柳岸社区和东桥社区" is one answer.
    let is_joint = summary
        .tokens
        .get(at + 1)
        .is_some_and(|next| matches!(next.text(summary.text), "和" | "与" | "及" | "、" | "と"));
    let reach = summary.tokens.len().min(at + 12);
    let second = (at + 2..reach)
        .take_while(|next| summary.tokens[*next].kind == TokenKind::Ideograph)
        .find(|next| summary.text[..summary.tokens[*next].end].ends_with(class));
    let last = second.filter(|_| is_joint).unwrap_or(at);
    Some(phrase(first, last + 1))
}
