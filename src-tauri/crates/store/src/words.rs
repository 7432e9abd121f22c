//! Text for the full-text index, and questions to it.
//!
//! The index splits at spaces, which Chinese and Japanese do not have. So each run of such
//! characters is written as its overlapping pairs: 聖地巡礼 becomes `聖地 地巡 巡礼 礼`, and any part
//! of it, of whatever length, is a phrase of pairs or the beginning of one. Everything else is left
//! to the tokenizer, which folds case and accents.
//!
//! Nobody's text is ever syntax: every term is quoted.

use std::borrow::Cow;
use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

/// More of a query than this many characters is not looked at.
const QUERY_CHARACTERS: usize = 4_000;
/// More terms than this are not looked for.
const QUERY_TERMS: usize = 64;

/// Whether the character belongs to a script written without spaces, or with endings glued on.
fn is_dense(character: char) -> bool {
    matches!(u32::from(character),
        0x3005..=0x3007 | 0x3041..=0x3096 | 0x309D..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF
        | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xAC00..=0xD7A3
        | 0x1100..=0x11FF | 0x20000..=0x3FFFF)
}

/// Full-width letters and half-width kana as everybody else writes them.
fn normal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) }
}

/// The text as it goes into the index.
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

/// Parts of a question that any text may answer in part.
const ANY_TERMS: usize = 160;

/// One thing to look for.
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

/// A question that finds texts with every term of the query; words match by their beginning.
/// `None` when there is nothing to look for in it.
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

/// A question that finds texts with any informative term of the query: words that only join others
/// are left out, unless there is nothing else.
pub(crate) fn any(query: &str) -> Option<String> {
    let all = terms(query);
    let is_informative = |term: &Term| match term {
        Term::Word(word) => !JOINING.contains(&word.as_str()) && word.chars().nth(1).is_some(),
        Term::Dense(_) => true,
    };
    let informative: Vec<&Term> = all.iter().filter(|term| is_informative(term)).collect();
    let chosen = if informative.is_empty() { all.iter().collect() } else { informative };
    // What was asked for stands first, behind it what is related.
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

/// Letters from which a word is long enough to be looked for without its ending.
const LONG_WORD: usize = 8;
/// Letters that an ending has at most, and that are left at least.
const ENDING: usize = 4;
const LEFT: usize = 5;

/// A question for the words that begin like this one: other forms of it.
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

/// English words that carry no topic, in alphabetic order.
const JOINING: &[&str] = &[
    "about", "after", "all", "an", "and", "any", "are", "as", "at", "be", "been", "between", "but", "by",
    "can", "do", "does", "for", "from", "has", "have", "how", "in", "into", "is", "it", "its", "latest",
    "more", "most", "new", "news", "no", "not", "of", "on", "or", "over", "recent", "some", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "to", "under", "using", "via", "was",
    "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "you",
];

/// How many characters of the text stand before the first match and after it.
const BEFORE: usize = 40;
const AFTER: usize = 120;

/// The surroundings of the first match in a text, on one line, every match between `[[` and `]]`;
/// `None` when no term of the query is in it.
pub(crate) fn snippet(text: &str, query: &str) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    // Lower-casing one character at a time keeps the places; what folds to several stays as it is.
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

/// The beginning of a text on one line.
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
    fn text_without_spaces_becomes_pairs_and_the_rest_stays() {
        assert_eq!(indexed("plain text"), "plain text");
        assert_eq!(indexed("RAGと聖地巡礼!"), "RAG と聖 聖地 地巡 巡礼 礼 !");
        assert_eq!(indexed("ＲＡＧ"), "RAG");
    }

    #[test]
    fn a_hostile_query_is_only_words() {
        assert_eq!(
            every("\" OR title:* NEAR(a b) -x ^\u{0}").unwrap(),
            r#""or"* AND "title"* AND "near"* AND "a"* AND "b"* AND "x"*"#
        );
        assert_eq!(every("  !?\"*^ "), None);
        assert!(any(&"word ".repeat(1_000_000)).unwrap().len() < 100);
        assert!(any(&(0..100_000).map(|n| format!("w{n} ")).collect::<String>()).unwrap().len() < 2_000);
    }

    #[test]
    fn words_that_only_join_others_are_not_looked_for_unless_alone() {
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
