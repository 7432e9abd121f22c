//! Tells what was before from what is now: "the previous figure", "up from 410", "前回の実施日".

use crate::lines::{Gap, Line};
use crate::summary::Summary;
use crate::tokens::TokenKind;
use crate::values::{Value, ValueKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    Before,
    Now,
}

static BEFORE: &[&str] = &[
    "previous",
    "previously",
    "last",
    "prior",
    "earlier",
    "former",
    "formerly",
    "old",
    "original",
    "originally",
    "preceding",
];
static NOW: &[&str] = &["current", "currently", "new", "present", "latest", "now", "today", "updated"];
static WIDE_BEFORE: &[&str] = &[
    "前回", "上次", "上回", "去年", "上年", "昨年", "前年", "前月", "上月", "前期", "上期", "此前", "原来",
    "原先", "従来", "以前", "旧", "先月", "先週", "上周", "前次", "往年",
];
static WIDE_NOW: &[&str] = &[
    "今回",
    "本次",
    "今年",
    "本年",
    "今期",
    "本期",
    "今月",
    "本月",
    "现在",
    "目前",
    "現在",
    "当前",
    "此次",
    "今週",
    "本周",
    "新たな",
    "最新",
];

/// The era of which a word speaks.
pub(crate) fn era_of(word: &str) -> Option<Era> {
    let lowered = word.to_lowercase();
    match () {
        () if BEFORE.contains(&lowered.as_str()) => Some(Era::Before),
        () if NOW.contains(&lowered.as_str()) => Some(Era::Now),
        () => None,
    }
}

fn wide_era(text: &str) -> Option<Era> {
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    if starts(WIDE_BEFORE) {
        return Some(Era::Before);
    }
    starts(WIDE_NOW).then_some(Era::Now)
}

/// The era that a placeholder asks for, by its name or the words right before it.
pub(crate) fn asked_era(text: &str, line: &Line, gap: &Gap) -> Option<Era> {
    let name = &gap.request.name;
    let named = name.split_whitespace().find_map(era_of);
    let wide = || name.char_indices().find_map(|(at, _)| wide_era(&name[at..]));
    named.or_else(wide).or_else(|| {
        let before = crate::phrases::fixed_before(line, gap).iter().rev();
        let clause = before.take_while(|token| token.kind != TokenKind::Break || token.text(text) == ":");
        clause.take(6).find_map(|token| {
            if token.is_wide() {
                wide_era(text.get(token.start..gap.place.start)?)
            } else {
                era_of(token.text(text))
            }
        })
    })
}

/// Tokens between a value and the word that tells its era.
const REACH: usize = 7;

/// The era of a value: by words of its clause, or because it is compared with another.
pub(crate) fn era(summary: &Summary<'_>, sentence: usize, value: &Value) -> Option<Era> {
    let range = summary.sentences.get(sentence)?;
    if is_compared_with(summary, range.start, value) {
        return Some(Era::Before);
    }
    let clause = summary.clauses.get(value.first)?;
    let near = value.first.saturating_sub(REACH).max(range.start)..range.end.min(value.last + REACH);
    let told = near.filter(|at| summary.clauses[*at] == *clause).filter_map(|at| {
        let token = &summary.tokens[at];
        let era = if token.is_wide() {
            wide_era(&summary.text[token.start..])
        } else {
            era_of(token.text(summary.text))
        };
        let distance = if at < value.first { value.first - at } else { at.saturating_sub(value.last) + 1 };
        Some((distance, era?))
    });
    told.min_by_key(|(distance, _)| *distance).map(|(_, era)| era).or_else(|| {
        // What is compared with an earlier figure is what is now.
        let others = summary.values.get(sentence)?.iter();
        let mut same = others.filter(|other| other.first != value.first && other.kind == value.kind);
        same.any(|other| is_compared_with(summary, range.start, other)).then_some(Era::Now)
    })
}

/// Whether a figure stands as what another is compared with: "up from 410", "compared with 410", "from 410 to 468".
fn is_compared_with(summary: &Summary<'_>, start: usize, value: &Value) -> bool {
    let word = |at: usize| summary.tokens.get(at).map_or("", |token| token.text(summary.text));
    let Some(before) = value.first.checked_sub(1).filter(|before| *before >= start) else { return false };
    if !Summary::is_figure(value) || value.kind == ValueKind::Range {
        return false;
    }
    let earlier = if before > start { word(before - 1).to_lowercase() } else { String::new() };
    match word(before).to_lowercase().as_str() {
        "from" => {
            word(value.last) == "to" || word(value.core) == "to" || matches!(earlier.as_str(), "up" | "down")
        }
        "than" => true,
        "with" | "to" => earlier == "compared",
        _ => false,
    }
}

/// What it weighs whether a value is of the era that is asked for.
pub(crate) fn era_fit(asked: Option<Era>, told: Option<Era>) -> f64 {
    match (asked, told) {
        (Some(asked), Some(told)) if asked == told => 0.2,
        (Some(_), Some(_)) => -0.4,
        (Some(Era::Before), None) => -0.35,
        (None, Some(Era::Before)) => -0.08,
        _ => 0.0,
    }
}
