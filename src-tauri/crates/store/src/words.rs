//! Prepares text for the full-text index, and queries of it.
//!
//! The index splits at spaces, which Chinese and Japanese do not have. So a run of such characters is indexed as
//! overlapping pairs: 聖地巡礼 becomes `聖地 地巡 巡礼 礼`, and any part of it is a phrase of pairs or the prefix of one. All
//! other text is left to the tokenizer, which folds case and accents.
//!
//! Text is never query syntax: every term is quoted.

use std::borrow::Cow;
use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

/// Further characters of a query are ignored.
const QUERY_CHARACTERS: usize = 4_000;
/// Further terms of a query are ignored.
const QUERY_TERMS: usize = 64;

/// Whether the character belongs to a script without spaces, or with attached endings.
fn is_dense(character: char) -> bool {
    matches!(u32::from(character),
        0x3005..=0x3007 | 0x3041..=0x3096 | 0x309D..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF
        | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xAC00..=0xD7A3
        | 0x1100..=0x11FF | 0x20000..=0x3FFFF)
}

/// Converts full-width letters and half-width kana to the usual forms.
fn normal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) }
}

/// The text for the index.
pub(crate) fn indexed(text: &str) -> Cow<'_, str> {
    let text = normal(text);
    if !text.chars().any(is_dense) {
        return text;
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut characters = text.chars().peekable();
    let mut was_dense = false;
    while let Some(character) = characters.next() {
        if is_dense(character) {
            out.push(' ');
            out.push(character);
            if let Some(&next) = characters.peek().filter(|next| is_dense(**next)) {
                out.push(next);
            }
        } else {
            if was_dense {
                out.push(' ');
            }
            out.push(character);
        }
        was_dense = is_dense(character);
    }
    Cow::Owned(out)
}

/// The most terms of a query that matches any of them.
const ANY_TERMS: usize = 160;

/// A search term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    Word(String),
    Dense(String),
}

fn terms(query: &str) -> Vec<Term> {
    let query: String = query.chars().take(QUERY_CHARACTERS).collect();
    let lower = normal(&query).to_lowercase();
    let mut terms = Vec::new();
    for chunk in lower.split(|character: char| !character.is_alphanumeric() && !is_dense(character)) {
        let mut rest = chunk;
        while let Some(first) = rest.chars().next() {
            let dense = is_dense(first);
            let end = rest.find(|character| is_dense(character) != dense).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            terms.push(if dense { Term::Dense(part.to_owned()) } else { Term::Word(part.to_owned()) });
            rest = after;
        }
    }
    let mut seen = BTreeSet::new();
    terms.retain(|term| seen.insert(term.clone()));
    terms
}

fn pairs(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.windows(2).map(|pair| pair.iter().collect()).collect()
}

/// A query that matches texts with all terms; words match by prefix. `None` when it has no term.
pub(crate) fn every(query: &str) -> Option<String> {
    let parts: Vec<String> = terms(query)
        .into_iter()
        .take(QUERY_TERMS)
        .map(|term| match term {
            Term::Word(word) => format!("\"{word}\"*"),
            Term::Dense(text) if text.chars().nth(1).is_none() => format!("\"{text}\"*"),
            Term::Dense(text) => format!("\"{}\"", pairs(&text).join(" ")),
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(" AND "))
}

/// A query that matches texts with any informative term: function words are left out, unless there are no others.
pub(crate) fn any(query: &str) -> Option<String> {
    let all = terms(query);
    let is_informative = |term: &Term| match term {
        Term::Word(word) => !FUNCTION_WORDS.contains(&word.as_str()) && word.chars().nth(1).is_some(),
        Term::Dense(_) => true,
    };
    let informative: Vec<&Term> = all.iter().filter(|term| is_informative(term)).collect();
    let chosen = if informative.is_empty() { all.iter().collect() } else { informative };
    // The user's terms come first, related ones after them.
    let mut parts = Vec::new();
    for term in chosen {
        match term {
            Term::Word(word) => parts.push(begins_like(word)),
            Term::Dense(text) if text.chars().nth(1).is_none() => parts.push(format!("\"{text}\"*")),
            Term::Dense(text) => parts.extend(pairs(text).iter().map(|pair| format!("\"{pair}\""))),
        }
    }
    let mut seen = BTreeSet::new();
    parts.retain(|part| seen.insert(part.clone()));
    parts.truncate(ANY_TERMS);
    (!parts.is_empty()).then(|| parts.join(" OR "))
}

/// The least length of a word that is searched without its ending.
const LONG_WORD: usize = 8;
/// The most letters of an ending, and the least that remain.
const ENDING: usize = 4;
const LEFT: usize = 5;

/// A query for words with the same beginning, such as other forms of a word.
fn begins_like(word: &str) -> String {
    let length = word.chars().count();
    if !word.is_ascii() || length < LEFT || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return format!("\"{word}\"");
    }
    if length >= LONG_WORD {
        return format!("\"{}\"*", &word[..(length - ENDING).max(LEFT)]);
    }
    match word.strip_suffix('s').filter(|stem| !stem.ends_with('s')) {
        Some(stem) => format!("\"{stem}\"*"),
        None => format!("\"{word}\"*"),
    }
}

/// English words without a topic, in alphabetical order.
const FUNCTION_WORDS: &[&str] = &[
    "about", "after", "all", "an", "and", "any", "are", "as", "at", "be", "been", "between", "but", "by",
    "can", "do", "does", "for", "from", "has", "have", "how", "in", "into", "is", "it", "its", "latest",
    "more", "most", "new", "news", "no", "not", "of", "on", "or", "over", "recent", "some", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "to", "under", "using", "via", "was",
    "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "you",
];

/// The number of characters of the text before the first match, and after it.
const BEFORE: usize = 40;
const AFTER: usize = 120;

/// The text around the first match, on one line, every match between `[[` and `]]`; `None` when it contains no term of
/// the query.
pub(crate) fn snippet(text: &str, query: &str) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    // Each character is lowered separately to keep positions; characters that expand to several stay unchanged.
    let folded: Vec<char> = characters.iter().map(|&character| fold(character)).collect();
    let needles: Vec<Vec<char>> = terms(query)
        .into_iter()
        .map(|(Term::Word(text) | Term::Dense(text))| text.chars().map(fold).collect())
        .collect();
    let match_at = |place: usize| {
        let is_within_word = place > 0 && folded[place - 1].is_alphanumeric() && !is_dense(folded[place]);
        needles
            .iter()
            .filter(|needle| !is_within_word && folded[place..].starts_with(needle))
            .map(Vec::len)
            .max()
    };
    let first = (0..folded.len()).find(|&place| match_at(place).is_some())?;
    let from = first.saturating_sub(BEFORE);
    let start = (from..first).find(|&place| !characters[place].is_whitespace()).unwrap_or(first);
    let end = (first + AFTER).min(characters.len());
    let mut out = String::new();
    if start > 0 {
        out.push('…');
    }
    let mut place = start;
    while place < end {
        let length = match_at(place).unwrap_or(0);
        if length > 0 {
            out.push_str("[[");
            out.extend(&characters[place..place + length]);
            out.push_str("]]");
            place += length;
        } else {
            out.push(if characters[place].is_whitespace() { ' ' } else { characters[place] });
            place += 1;
        }
    }
    out.truncate(out.trim_end().len());
    if end < characters.len() {
        out.push('…');
    }
    Some(out)
}

/// The beginning of a text, on one line.
pub(crate) fn beginning(text: &str) -> String {
    let mut out: String = text
        .chars()
        .take(BEFORE + AFTER)
        .map(|character| if character.is_whitespace() { ' ' } else { character })
        .collect();
    if text.chars().nth(BEFORE + AFTER).is_some() {
        out.push('…');
    }
    out
}

fn fold(character: char) -> char {
    let base = std::iter::once(character).nfkd().next().unwrap_or(character);
    let base = if is_dense(character) { character } else { base };
    let mut lower = base.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) => only,
        _ => base,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_spaces_is_indexed_as_pairs() {
        assert_eq!(indexed("plain text"), "plain text");
        assert_eq!(indexed("RAGと聖地巡礼!"), "RAG と聖 聖地 地巡 巡礼 礼 !");
        assert_eq!(indexed("ＲＡＧ"), "RAG");
    }

    #[test]
    fn query_syntax_in_a_query_is_plain_text() {
        assert_eq!(
            every("\" OR title:* NEAR(a b) -x ^\u{0}").unwrap(),
            r#""or"* AND "title"* AND "near"* AND "a"* AND "b"* AND "x"*"#
        );
        assert_eq!(every("  !?\"*^ "), None);
        assert!(any(&"word ".repeat(1_000_000)).unwrap().len() < 100);
        assert!(any(&(0..100_000).map(|n| format!("w{n} ")).collect::<String>()).unwrap().len() < 2_000);
    }

    #[test]
    fn function_words_are_searched_only_when_alone() {
        assert_eq!(any("What is new in the retrieval of agents").unwrap(), r#""retri"* OR "agent"*"#);
        assert_eq!(any("the").unwrap(), r#""the""#);
        assert_eq!(any("聖地巡礼").unwrap(), r#""聖地" OR "地巡" OR "巡礼""#);
    }

    #[test]
    fn a_snippet_marks_every_match_and_says_where_it_was_cut() {
        assert_eq!(snippet("Café culture\nin Rome", "cafe ROME").unwrap(), "[[Café]] culture in [[Rome]]");
        assert_eq!(snippet("駅から聖地巡礼へ", "聖地").unwrap(), "駅から[[聖地]]巡礼へ");
        assert_eq!(snippet("nothing here", "else"), None);
        let long = format!("{} needle {}", "a ".repeat(100), "b ".repeat(100));
        let found = snippet(&long, "needle").unwrap();
        assert!(found.starts_with("…a") && found.contains("[[needle]]") && found.ends_with('…'));
        assert_eq!(snippet("İstanbul ﬁne ß", "ß").unwrap(), "İstanbul ﬁne [[ß]]");
    }
}
