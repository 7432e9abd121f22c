//! Finds names in a summary: by their capitals, in Chinese and Japanese by what they end in.

use crate::spelt::spelt;
use crate::tokens::{Token, TokenKind};
use crate::values::{FULL_MONTHS, Value, ValueKind};
use prose::{is_hiragana, is_ideographic};

/// The names in tokens `from..to`: runs of capitalised words, "of" between two of them included.
pub(crate) fn names(text: &str, tokens: &[Token], from: usize, to: usize) -> Vec<Value> {
    let mut found = wide_names(text, tokens, from, to);
    let is_capital = |at: usize| {
        tokens.get(at).filter(|_| at < to).is_some_and(|token| {
            let written = token.text(text);
            token.kind == TokenKind::Word
                && written.starts_with(char::is_uppercase)
                && !written.chars().next().is_some_and(is_ideographic)
        })
    };
    let is_month = |at: usize| {
        tokens.get(at).is_some_and(|token| FULL_MONTHS.contains(&token.text(text).to_lowercase().as_str()))
    };
    let mut at = from;
    while at < to {
        if !is_capital(at) || is_month(at) || spelt(&tokens[at].text(text).to_lowercase()).is_some() {
            at += 1;
            continue;
        }
        let mut last = at + 1;
        while is_capital(last) && !is_month(last) && apart(text, &tokens[last - 1], &tokens[last]) < 3 {
            last += 1;
        }
        let opens = at == from || tokens[at - 1].kind == TokenKind::Break && !is_inner(text, &tokens[at - 1]);
        let is_acronym = tokens[at].text(text).chars().filter(|c| c.is_uppercase()).count() > 1;
        if !opens || last - at > 1 || is_acronym {
            found.push(Value { kind: ValueKind::Name, first: at, core: last, last, number: None });
        }
        at = last;
    }
    found
}

fn is_inner(text: &str, token: &Token) -> bool {
    matches!(token.text(text), "," | "(" | ")" | ";" | ":")
}

fn apart(text: &str, first: &Token, second: &Token) -> usize {
    let between = text.get(first.end..second.start).unwrap_or("....");
    if between.contains(['.', '\n']) && first.end - first.start > 3 { 9 } else { between.len() }
}

/// What names of organisations and places end in.
static ENDINGS: &[&str] = &[
    "公司",
    "办事处",
    "委员会",
    "居委会",
    "中心",
    "大学",
    "学校",
    "中学",
    "小学",
    "学院",
    "医院",
    "基金会",
    "协会",
    "图书馆",
    "博物馆",
    "研究所",
    "研究院",
    "公园",
    "工厂",
    "社区",
    "街道",
    "集团",
    "银行",
    "図書館",
    "保育園",
    "幼稚園",
    "病院",
    "公園",
    "会社",
    "協会",
    "財団",
    "工場",
    "市役所",
    "消防署",
    "学園",
    "博物館",
    "美術館",
    "センター",
    "ホール",
    "高校",
    "支店",
    "商店",
    "农场",
    "農園",
    "体育館",
    "体育馆",
    "公民館",
    "合作社",
    "事務所",
];
/// Longest name in ideographs.
const LONGEST_NAME: usize = 16;

fn wide_names(text: &str, tokens: &[Token], from: usize, to: usize) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for at in from..to {
        if !tokens[at].is_wide() {
            continue;
        }
        let before = &text[tokens[from].start..tokens[at].end];
        let Some(ending) = ENDINGS.iter().find(|ending| before.ends_with(*ending)) else { continue };
        let first = wide_start(text, tokens, from, at);
        if at + 1 - first <= ending.chars().count() {
            continue;
        }
        // "…街道办事处" is one name, not two.
        if let Some(last) = found.last_mut().filter(|last| last.first == first) {
            last.core = at + 1;
            last.last = at + 1;
            continue;
        }
        found.push(Value { kind: ValueKind::Name, first, core: at + 1, last: at + 1, number: None });
    }
    found
}

/// Where a name that ends with token `at` begins. Hiragana belong to it when they open it behind a mark.
pub(crate) fn wide_start(text: &str, tokens: &[Token], from: usize, at: usize) -> usize {
    let is_joined = |first: usize| first > from && tokens[first - 1].end == tokens[first].start;
    let mut first = at;
    while is_joined(first) && tokens[first - 1].kind == TokenKind::Ideograph && at - first < LONGEST_NAME {
        first -= 1;
    }
    let is_kana = |token: &Token| token.text(text).chars().all(is_hiragana);
    let mut kana = first;
    while is_joined(kana) && is_kana(&tokens[kana - 1]) && tokens[kana - 1].text(text) != "の" {
        kana -= 1;
    }
    let is_behind_mark = kana == from
        || tokens[kana - 1].end < tokens[kana].start
        || matches!(tokens[kana - 1].kind, TokenKind::Break)
        || tokens[kana - 1].text(text) == "の";
    if first - kana > 1 && is_behind_mark { kana } else { first }
}
