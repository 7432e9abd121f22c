//! Cuts a text into words, figures, ideographs and marks that can be compared across texts.

use crate::thesaurus::{ideograph_key, is_light, word_key};
use prose::{is_hiragana, is_ideographic, is_stop_word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A word in letters.
    Word,
    /// A grammar word.
    Stop,
    Number,
    Ideograph,
    /// Hiragana in a Japanese text and the grammar characters of Chinese.
    Particle,
    /// A mark that parts clauses.
    Break,
    /// Any other mark.
    Mark,
}

/// One token, with its byte range in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// The same for words of one meaning and for figures of one value.
    pub(crate) key: u64,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Stands against the token before it.
    pub(crate) is_joined: bool,
}

impl Token {
    pub(crate) fn is_content(&self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Number | TokenKind::Ideograph)
    }

    pub(crate) fn is_mark(&self) -> bool {
        matches!(self.kind, TokenKind::Break | TokenKind::Mark)
    }

    pub(crate) fn is_wide(&self) -> bool {
        matches!(self.kind, TokenKind::Ideograph | TokenKind::Particle)
    }

    pub(crate) fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// Characters of Chinese that only join others.
const GRAMMAR: &str = "的了在由与和至到共为有是于中其将也已该对把被及或从向并可以率占";

/// The tokens of `text[start..end]`, without articles.
pub(crate) fn tokens(text: &str, start: usize, end: usize) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = start;
    let mut last_end = usize::MAX;
    while let Some(character) = text.get(at..end).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..end];
        let (mut kind, key, length) = read(rest, character);
        let stop = at + length;
        if is_letter_of_series(&text[start..at], &rest[..length]) {
            kind = Some(TokenKind::Word);
        }
        if let Some(kind) = kind {
            let is_article = kind == TokenKind::Stop
                && matches!(rest[..length].to_ascii_lowercase().as_str(), "a" | "an" | "the");
            if !is_article {
                found.push(Token { kind, key, start: at, end: stop, is_joined: last_end == at });
                last_end = stop;
            }
        }
        at = stop;
    }
    found
}

/// "Hall A": a capital within a sentence is no article.
fn is_letter_of_series(before: &str, word: &str) -> bool {
    word == "A" && before.trim_end_matches(' ').ends_with(|c: char| c.is_alphanumeric() || c == ',')
}

fn read(rest: &str, character: char) -> (Option<TokenKind>, u64, usize) {
    if digit(character).is_some() {
        let length = number_length(rest);
        let value = number_value(&rest[..length]).unwrap_or(0.0);
        return (Some(TokenKind::Number), value.to_bits(), length);
    }
    if is_ideographic(character) {
        let is_particle = is_hiragana(character) || GRAMMAR.contains(character);
        let kind = if is_particle { TokenKind::Particle } else { TokenKind::Ideograph };
        return (Some(kind), ideograph_key(character), character.len_utf8());
    }
    if character.is_alphabetic() {
        let is_part = |(_, c): &(usize, char)| {
            (c.is_alphanumeric() && !is_ideographic(*c) && digit(*c).is_none()) || matches!(c, '\'' | '’')
        };
        let length = rest.char_indices().take_while(is_part).last().map_or(1, |(at, c)| at + c.len_utf8());
        let lowered = rest[..length].to_lowercase().replace('’', "'");
        let kind = if is_stop_word(&lowered) { TokenKind::Stop } else { TokenKind::Word };
        return (Some(kind), word_key(&lowered), length.max(character.len_utf8()));
    }
    let kind = match character {
        ',' | ';' | ':' | '.' | '!' | '?' | '(' | ')' | '、' | '，' | '；' | '：' | '。' | '（' | '）'
        | '！' | '？' | '—' | '|' | '\t' => Some(TokenKind::Break),
        '\n' if opens_label(&rest[1..]) => Some(TokenKind::Break),
        '-' | '–' | '/' | '°' | '%' | '％' | '$' | '€' | '£' | '¥' | '~' | '～' | '〜' | '@' | '#' | '+' => {
            Some(TokenKind::Mark)
        }
        _ => None,
    };
    let key = if character == '％' { '%' } else { character };
    (kind, u64::from(u32::from(key)) | 1 << 40, character.len_utf8())
}

/// Longest label of a line in characters.
const LONGEST_LABEL: usize = 40;

/// Whether a line begins with a label: "Moderator: …".
fn opens_label(line: &str) -> bool {
    let mut letters = line.chars().take(LONGEST_LABEL);
    letters
        .find(|c| matches!(c, ':' | '：' | '\n' | '.' | '。' | ',' | '，'))
        .is_some_and(|mark| matches!(mark, ':' | '：'))
}

/// Value of a digit in ASCII or full width.
pub(crate) fn digit(character: char) -> Option<u32> {
    match character {
        '0'..='9' => Some(u32::from(character) - u32::from('0')),
        '０'..='９' => Some(u32::from(character) - u32::from('０')),
        _ => None,
    }
}

fn number_length(rest: &str) -> usize {
    let digits = |from: usize| rest[from..].chars().take_while(|c| digit(*c).is_some()).map(char::len_utf8);
    let mut length = digits(0).sum::<usize>();
    let is_short = length <= 3;
    loop {
        let Some(mark) = rest[length..].chars().next().filter(|mark| matches!(mark, '.' | ',' | '．' | '，'))
        else {
            return length;
        };
        let after = length + mark.len_utf8();
        let more = digits(after).sum::<usize>();
        let is_group = matches!(mark, ',' | '，') && is_short && more == 3;
        let is_decimal = matches!(mark, '.' | '．') && more > 0;
        if !is_group && !is_decimal {
            return length;
        }
        length = after + more;
    }
}

/// Value of a figure in digits.
pub(crate) fn number_value(written: &str) -> Option<f64> {
    let plain: String = written
        .chars()
        .filter_map(|c| match c {
            ',' | '，' => None,
            '．' => Some('.'),
            _ => digit(c).and_then(|value| char::from_digit(value, 10)).or(Some(c)),
        })
        .collect();
    plain.parse().ok()
}

/// What is compared when it matters what a text is about: a word, or two neighbouring ideographs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub(crate) key: u64,
    /// Index of its (first) token.
    pub(crate) token: usize,
    /// What it weighs among the others.
    pub(crate) weight: f64,
}

/// The units of tokens of `text`. `has_numbers`: figures count too.
pub(crate) fn units(text: &str, tokens: &[Token], has_numbers: bool) -> Vec<Unit> {
    let mut found = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Word => {
                let lowered = token.text(text).to_lowercase();
                let weight = if lowered.len() < 2 {
                    0.2
                } else if is_light(&lowered) {
                    0.35
                } else {
                    1.0
                };
                found.push(Unit { key: token.key, token: index, weight });
            }
            TokenKind::Number if has_numbers => {
                found.push(Unit { key: token.key, token: index, weight: 0.8 });
            }
            TokenKind::Ideograph => {
                let next = tokens.get(index + 1).filter(|next| next.is_joined && next.kind == token.kind);
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                let is_alone = !(token.is_joined && before.is_some_and(|before| before.kind == token.kind));
                match next {
                    Some(next) => {
                        let key = same_pair(token.text(text), next.text(text));
                        let key = key.unwrap_or_else(|| pair(token.key, next.key));
                        found.push(Unit { key, token: index, weight: 0.6 });
                    }
                    None if is_alone => found.push(Unit { key: token.key, token: index, weight: 0.25 }),
                    None => {}
                }
            }
            _ => {}
        }
    }
    found
}

/// Pairs of ideographs that say the same in a report.
static SAME_PAIRS: &[(&str, &str)] = &[
    ("实施", "开展"),
    ("举办", "开展"),
    ("进行", "开展"),
    ("采购", "购置"),
    ("参与", "参加"),
    ("开始", "启动"),
    ("結束", "終了"),
    ("实行", "开展"),
    ("開催", "実施"),
    ("参与", "参加"),
    ("完了", "終了"),
    ("举行", "开展"),
    ("召开", "开展"),
    ("购买", "购置"),
    ("完工", "竣工"),
    ("增长", "增加"),
    ("上升", "增加"),
    ("提高", "增加"),
    ("下降", "减少"),
    ("降低", "减少"),
    ("更换", "替换"),
    ("修理", "维修"),
    ("修复", "维修"),
    ("聘用", "录用"),
    ("招聘", "录用"),
    ("员工", "职工"),
    ("职员", "职工"),
    ("赞成", "同意"),
    ("上昇", "増加"),
    ("低下", "減少"),
    ("修繕", "修理"),
    ("補修", "修理"),
    ("従業", "職員"),
    ("購買", "購入"),
    ("負傷", "怪我"),
];

/// The key of a pair that stands for another.
fn same_pair(first: &str, second: &str) -> Option<u64> {
    let is_it = |one: &str| one.strip_prefix(first) == Some(second);
    let (_, same) = SAME_PAIRS.iter().find(|(one, _)| is_it(one))?;
    let mut letters = same.chars();
    Some(pair(ideograph_key(letters.next()?), ideograph_key(letters.next()?)))
}

fn pair(first: u64, second: u64) -> u64 {
    first << 32 | second | 1 << 62
}
