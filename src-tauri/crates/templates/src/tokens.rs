//! Splits a text into words, figures, ideographs and marks that can be compared across texts.

use prose::{is_hiragana, is_ideographic, is_stop_word, spelt_number, stem};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    /// A grammar word of English.
    Stop,
    Figure,
    Ideograph,
    /// Hiragana, and Chinese characters that only join others.
    Particle,
    /// A mark or a word that separates clauses.
    Break,
    Mark,
}

/// One token, with its byte range in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Equal for all forms of a word and for figures with the same value.
    pub(crate) key: u64,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    pub(crate) fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// Chinese characters that only join others.
const JOINING_CHARACTERS: &str = "的了在由与和至到共为有是于中其将也已该对把被及或从向并可以";
/// Those of them that can be left out.
pub(crate) const OPTIONAL_CHARACTERS: &str = "的了共已";
const MARKS: u64 = 1 << 62;
static SELECTING_WORDS: [&str; 10] =
    ["first", "second", "third", "last", "other", "before", "after", "above", "below", "own"];

pub(crate) fn is_article(word: &str) -> bool {
    ["a", "an", "the"].iter().any(|article| word.eq_ignore_ascii_case(article)) && word != "A"
}

static PRESENT: [&str; 2] = ["is", "are"];
static PAST: [&str; 2] = ["was", "were"];

/// Whether a word is a present or a past form of "to be"; `None` for other words.
pub(crate) fn is_present(word: &str) -> Option<bool> {
    PRESENT.contains(&word).then_some(true).or_else(|| PAST.contains(&word).then_some(false))
}

/// The tokens of `text[range]`, without articles and final stops; all forms of "to be" are equal.
pub(crate) fn tokens(text: &str, range: Range<usize>) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some(character) = text.get(at..range.end).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..range.end];
        let (kind, key, length) = read(rest, character);
        // A capital "A" within a sentence is a name ("Hall A"), only at its beginning an article.
        let is_first = found.is_empty() && rest.starts_with("A ");
        if let Some(kind) = kind
            && !is_article(&rest[..length])
            && !OPTIONAL_CHARACTERS.contains(character)
            && !is_first
        {
            found.push(Token { kind, key, start: at, end: at + length });
        }
        at += length;
    }
    found
}

fn read(rest: &str, character: char) -> (Option<TokenKind>, u64, usize) {
    let width = character.len_utf8();
    if digit(character).is_some() {
        let length = figure_length(rest);
        return (Some(TokenKind::Figure), figure_value(&rest[..length]).unwrap_or(0.0).to_bits(), length);
    }
    if is_ideographic(character) {
        let is_particle = is_hiragana(character) || JOINING_CHARACTERS.contains(character);
        let kind = if is_particle { TokenKind::Particle } else { TokenKind::Ideograph };
        return (Some(kind), u64::from(u32::from(character)), width);
    }
    if character.is_alphabetic() {
        let is_part = |c: &char| {
            (c.is_alphanumeric() && !is_ideographic(*c) && digit(*c).is_none()) || matches!(c, '\'' | '’')
        };
        let length = rest.chars().take_while(is_part).map(char::len_utf8).sum::<usize>().max(width);
        let lowered = rest[..length].to_lowercase().replace('’', "'");
        if let Some(value) = spelt_number(&lowered) {
            return (Some(TokenKind::Figure), f64::from(value).to_bits(), length);
        }
        return match lowered.as_str() {
            "and" | "but" | "while" | "whereas" => (Some(TokenKind::Break), stem(&lowered), length),
            "is" | "are" | "was" | "were" => (Some(TokenKind::Stop), stem("is"), length),
            // Words that select one of several count as content: "sample A", "the second parcel".
            _ if is_stop_word(&lowered) && length > 1 && !SELECTING_WORDS.contains(&lowered.as_str()) => {
                (Some(TokenKind::Stop), stem(&lowered), length)
            }
            _ => (Some(TokenKind::Word), stem(&lowered), length),
        };
    }
    let kind = match character {
        '.' | '!' | '?' | '。' | '！' | '？' => None,
        ':' if rest[width..].starts_with(|next: char| next.is_ascii_digit()) => Some(TokenKind::Mark),
        ',' | ';' | ':' | '、' | '，' | '；' | '：' | '—' | '|' | '\t' => Some(TokenKind::Break),
        _ if character.is_whitespace() || matches!(character, '*' | '_' | '`' | '>' | '#') => None,
        _ => Some(TokenKind::Mark),
    };
    let key = match character {
        '％' => '%',
        '（' => '(',
        '）' => ')',
        _ => character,
    };
    (kind, u64::from(u32::from(key)) | MARKS, width)
}

/// Value of a digit in ASCII or full width.
pub(crate) fn digit(character: char) -> Option<u32> {
    match character {
        '0'..='9' => Some(u32::from(character) - u32::from('0')),
        '０'..='９' => Some(u32::from(character) - u32::from('０')),
        _ => None,
    }
}

fn figure_length(rest: &str) -> usize {
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
pub(crate) fn figure_value(written: &str) -> Option<f64> {
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

/// The content of tokens: their words in order, and their pairs of neighbouring ideographs, without figures.
pub(crate) fn content(tokens: &[Token]) -> Vec<u64> {
    let mut found = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Word => found.push(token.key),
            TokenKind::Ideograph => {
                let next = tokens.get(at + 1);
                let is_pair = |next: &&Token| next.kind == TokenKind::Ideograph && next.start == token.end;
                found.extend(next.filter(is_pair).map(|next| token.key << 32 | next.key | MARKS));
            }
            _ => {}
        }
    }
    found
}

/// The same with the figures.
pub(crate) fn words(tokens: &[Token]) -> Vec<u64> {
    let figures = tokens.iter().filter(|token| token.kind == TokenKind::Figure).map(|token| token.key);
    content(tokens).into_iter().chain(figures).collect()
}

/// The comparison form of a name: its words without articles, "weight of the pump" as "pump weight"; its ideographs
/// without spaces. A "number of orders" is a count, an "order number" is not.
pub(crate) fn key(name: &str) -> String {
    let mut spaced = String::with_capacity(name.len());
    let mut last = ' ';
    for letter in name.chars() {
        if last.is_lowercase() && letter.is_ascii_uppercase() {
            spaced.push(' ');
        }
        spaced.push(if matches!(letter, '_' | '-') { ' ' } else { letter });
        last = letter;
    }
    let mut words: Vec<String> = tokens(&spaced, 0..spaced.len())
        .iter()
        .filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Stop | TokenKind::Figure))
        .map(|token| token.text(&spaced).to_lowercase())
        .collect();
    if words.first().is_some_and(|first| first != "number") {
        words = words.rsplit(|word| word == "of").flatten().cloned().collect();
    }
    let wide: String = spaced.chars().filter(|c| is_ideographic(*c) && !matches!(c, '的' | 'の')).collect();
    words.extend(Some(wide).filter(|wide| !wide.is_empty()));
    words.join(" ")
}

/// Words of negation in English.
const DENIALS: &str = " no not none nobody never neither nor without cannot nothing ";
/// The same in Chinese, and in Japanese, where the denied words come before.
static CHINESE_DENIALS: [&str; 7] = ["不", "未", "没", "沒", "无", "無", "否认"];
static JAPANESE_DENIALS: [&str; 7] = ["ない", "なかっ", "なく", "ません", "せず", "れず", "ならず"];
/// The separators of the words before a negation in Japanese.
const PHRASE_BORDERS: [char; 7] = ['は', 'が', 'も', 'を', 'に', 'で', '、'];

/// Whether a text denies something.
pub(crate) fn denies(text: &str) -> bool {
    !denied(text, &tokens(text, 0..text.len())).is_empty()
}

/// The denied byte ranges of a text; the rest is affirmed.
pub(crate) fn denied(text: &str, all: &[Token]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let end_of_clause = |from: usize| {
        let mark = all.iter().find(|token| token.kind == TokenKind::Break && token.start >= from);
        mark.map_or(text.len(), |mark| mark.start)
    };
    let word = |token: Option<&Token>| token.map_or("", |token| token.text(text)).to_lowercase();
    for (at, token) in all.iter().enumerate() {
        let own = word(Some(token)).replace('’', "'");
        let next = all.get(at + 1);
        // "No. 4711" is a number.
        let is_number = own == "no"
            && text[token.end..].starts_with('.')
            && next.is_some_and(|next| next.kind == TokenKind::Figure);
        if is_number || !own.ends_with("n't") && !DENIALS.contains(&format!(" {own} ")) {
            continue;
        }
        // "With no delay the work began", "Without oil it weighs 38 kg": one word alone.
        let is_short = own == "without" || own == "no" && at > 0 && word(all.get(at - 1)) == "with";
        let last = all[at..].iter().find(|other| is_short && other.kind == TokenKind::Word);
        found.push(token.end..last.map_or(end_of_clause(token.end), |last| last.end));
    }
    if text.is_ascii() {
        return found;
    }
    for (start, _) in CHINESE_DENIALS.iter().flat_map(|denial| text.match_indices(denial)) {
        let end = end_of_clause(start);
        found.push(start..text[start..end].find(is_hiragana).map_or(end, |kana| start + kana));
    }
    for (end, denial) in JAPANESE_DENIALS.iter().flat_map(|denial| text.match_indices(denial)) {
        // "少なくとも" (at least) and "少ない" (few) are quantities, not negations.
        if text[..end].ends_with('少') {
            continue;
        }
        let mut part = end..end;
        // "遅れなく完了した" denies only the delay.
        let is_alone = denial == "なく";
        let says_nothing = |part: &Range<usize>| {
            part.is_empty() || !is_alone && content(&tokens(text, part.clone())).is_empty()
        };
        while part.end > 0 && says_nothing(&part) {
            part.end = text[..part.start].trim_end_matches(PHRASE_BORDERS).len();
            part.start = text[..part.end].rfind(PHRASE_BORDERS).map_or(0, |at| at + 'は'.len_utf8());
        }
        found.push(part);
    }
    found
}
