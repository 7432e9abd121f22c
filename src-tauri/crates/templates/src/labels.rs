//! Answers that a summary gives behind labels: "Date of the audit: 12 May 2026". A label that is called as a placeholder
//! answers it, whatever the sentences around both say.

use std::ops::Range;

use crate::asks::Asked;
use crate::candidates::Candidate;
use crate::lines::{Gap, Line};
use crate::summary::Summary;
use crate::tokens::{Token, TokenKind, tokens};
use crate::values::{Value, ValueKind};

/// Tokens of a label, and of what stands behind it.
const LONGEST_LABEL: usize = 10;
const LONGEST_VALUE: usize = 14;
/// Score of what stands behind a label that is called as the placeholder in its sentence, and behind one that has more
/// words.
const NAMED: f64 = 2.2;
const PARTLY_NAMED: f64 = 0.9;

/// A label of a summary and what stands behind it, as tokens.
pub(crate) struct Label {
    sentence: usize,
    name: Range<usize>,
    value: Range<usize>,
}

/// Words that only say of what kind a placeholder is, or join others.
static KINDS: &[&str] = &[
    "number", "name", "value", "total", "n", "amount", "count", "insert", "enter", "full", "text", "of",
    "and", "at", "by", "for", "in", "is", "on", "to", "was", "were", "with",
];
static WIDE_KINDS: &[&str] = &[
    "氏名", "姓名", "名前", "名字", "名称", "日付", "日期", "日時", "人数", "数量", "数", "金额", "金額",
    "番号", "编号", "时间", "時間",
];

/// The labels of a sentence: one at its beginning, and one at the beginning of every further line of it.
pub(crate) fn labels(text: &str, all: &[Token], sentence: usize, range: Range<usize>) -> Vec<Label> {
    let is_line_break = |at: &usize| all[*at].text(text) == "\n";
    let breaks = range.clone().filter(is_line_break);
    let mut found = Vec::new();
    let mut from = range.start;
    for to in breaks.chain([range.end]) {
        found.extend(label(text, all, sentence, from..to));
        from = to + 1;
    }
    found
}

fn label(text: &str, all: &[Token], sentence: usize, range: Range<usize>) -> Option<Label> {
    let tokens = all.get(range.clone())?;
    let colon = tokens.iter().position(|token| matches!(token.text(text), ":" | "："))?;
    let name = &tokens[..colon];
    let is_name = (1..=LONGEST_LABEL).contains(&colon)
        && !name.iter().any(|token| token.kind == TokenKind::Break)
        && name.iter().any(Token::is_content);
    let behind = &tokens[colon + 1..];
    let length =
        behind.len() - behind.iter().rev().take_while(|token| token.kind == TokenKind::Break).count();
    let is_value = (1..=LONGEST_VALUE).contains(&length) && behind[..length].iter().any(Token::is_content);
    (is_name && is_value).then(|| Label {
        sentence,
        name: range.start..range.start + colon,
        value: range.start + colon + 1..range.start + colon + 1 + length,
    })
}

/// What the labels of the summary answer a gap with.
pub(crate) fn labelled(text: &str, line: &Line, gap: &Gap, summary: &Summary<'_>) -> Option<Candidate> {
    let named = summary.labels.iter().map(|label| (label, named(text, line, gap, summary, label)));
    let named: Vec<(&Label, f64)> = named.filter(|(_, score)| *score > 0.0).collect();
    let (label, score) =
        named.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    // A label that alone has the words of the placeholder can mean nothing else.
    let score = if named.len() == 1 { NAMED } else { score };
    let value = value_behind(gap, summary, label)?;
    let is_labelled = score >= NAMED;
    Some(Candidate { value, sentence: label.sentence, score, fraction: None, is_labelled })
}

/// How well a label names what a gap asks for; 0 where it names something else.
fn named(text: &str, line: &Line, gap: &Gap, summary: &Summary<'_>, label: &Label) -> f64 {
    let name = &summary.tokens[label.name.clone()];
    let asked_tokens = tokens(&gap.request.name, 0, gap.request.name.len());
    // The first of several is not answered by what is said of all.
    let is_number = |token: &&Token| token.kind == TokenKind::Number;
    if asked_tokens.iter().filter(is_number).any(|number| !name.iter().any(|token| token.key == number.key)) {
        return 0.0;
    }
    let score = |is_same: bool, has_more: bool| match (is_same, has_more) {
        (true, _) => NAMED,
        (false, true) => PARTLY_NAMED,
        (false, false) => 0.0,
    };
    if name.iter().any(Token::is_wide) {
        let bare = |text: &str| text.replace(['的', 'の', ' '], "");
        let written = bare(&summary.text[summary.span(label.name.start, label.name.end)]);
        let asked = bare(&gap.request.name);
        let fixed = bare(&text[line.range.clone()]);
        if WIDE_KINDS.contains(&asked.as_str()) {
            return score(fixed.contains(&written) || asked == written, false);
        }
        let rest = written.replacen(&asked, "", 1);
        let has_more = !asked.is_empty() && rest.len() < written.len();
        let is_same = has_more && (rest.is_empty() || fixed.contains(&rest));
        return score(is_same, has_more);
    }
    let words = |text: &str, tokens: &[Token]| -> Vec<u64> {
        let is_of_kind = |token: &Token| KINDS.contains(&token.text(text).to_lowercase().as_str());
        let words = tokens
            .iter()
            .filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Stop) && !is_of_kind(token));
        words.map(|token| token.key).collect()
    };
    let asked = words(&gap.request.name, &asked_tokens);
    let written = words(summary.text, name);
    if written.is_empty() || !asked.iter().all(|word| written.contains(word)) {
        return 0.0;
    }
    let is_fixed = |word: &u64| asked.contains(word) || line.tokens.iter().any(|token| token.key == *word);
    score(written.iter().all(is_fixed), !gap.request.units.is_empty())
}

/// The value behind a label that is of the kind that is asked for; of a name and of words all of it up to a mark.
fn value_behind(gap: &Gap, summary: &Summary<'_>, label: &Label) -> Option<Value> {
    let range = label.value.clone();
    let within = |value: &&Value| range.start <= value.first && value.last <= range.end;
    let values = summary.values.get(label.sentence).into_iter().flatten().filter(within);
    if matches!(gap.request.asked, Asked::Text | Asked::Person | Asked::Organisation | Asked::Place) {
        let is_end = |at: &usize| summary.tokens[*at].kind == TokenKind::Break;
        let last = match gap.request.asked {
            Asked::Text => range.end,
            _ => range.clone().find(is_end).unwrap_or(range.end),
        };
        let whole = values.into_iter().find(|value| value.first == range.start && value.last == last);
        let phrase = Value { kind: ValueKind::Phrase, first: range.start, core: last, last, number: None };
        return Some(whole.cloned().unwrap_or(phrase)).filter(|value| value.first < value.last);
    }
    let fitting = values.filter(|value| gap.request.fit(value.kind) > 0.0);
    let best = |best: &Value, next: &Value| {
        let fit = |value: &Value| gap.request.fit(value.kind);
        fit(next) > fit(best) || fit(next) == fit(best) && next.last - next.first > best.last - best.first
    };
    fitting.reduce(|one, next| if best(one, next) { next } else { one }).cloned()
}
