//! Recognises the field (artificial intelligence) in queries and documents.

use super::indexed_document::IndexedDocument;
use super::{Document, normal};
use crate::tables::{FIELD, FIELD_PAIRS, FIELD_VAGUE, TIES};

/// The query without the words for the field: "quantum" for "quantum machine learning". `None` if the query does not
/// name the field, names nothing else, or is in a script without spaces.
pub fn beside_field(query: &str) -> Option<String> {
    let words: Vec<&str> =
        query.split(|character: char| character.is_whitespace() || character == '-').collect();
    let plain =
        |word: &&str| word.trim_matches(|character: char| !character.is_alphanumeric()).to_lowercase();
    let plain: Vec<String> = words.iter().map(plain).collect();
    let is_of_field = |at: usize| {
        let is_pair = |first: usize| {
            plain
                .get(first..first + 2)
                .is_some_and(|pair| FIELD_PAIRS.iter().any(|known| pair.join(" ") == *known))
        };
        FIELD.contains(&plain[at].as_str()) || is_pair(at) || at.checked_sub(1).is_some_and(is_pair)
    };
    let names_field = (0..words.len()).any(is_of_field);
    let says_something = |at: &usize| {
        !plain[*at].is_empty() && !is_of_field(*at) && !FIELD_VAGUE.contains(&plain[*at].as_str())
    };
    let kept: Vec<usize> = (0..words.len()).filter(says_something).collect();
    let is_tie = |at: &usize| TIES.contains(&plain[*at].as_str());
    let first = kept.iter().position(|at| !is_tie(at))?;
    let last = kept.iter().rposition(|at| !is_tie(at))?;
    names_field.then(|| kept[first..=last].iter().map(|at| words[*at]).collect::<Vec<_>>().join(" "))
}

/// Whether the title or several sentences of a document name the field. Always true for ideographic scripts, for which
/// there is no word list.
pub fn is_of_field(document: Document<'_>) -> bool {
    let is_unspaced = document.body.chars().any(prose::is_ideographic);
    is_unspaced || IndexedDocument::new(&normal(document.title), &normal(document.body)).is_of_field(0)
}

#[cfg(test)]
mod tests {
    use super::beside_field;

    #[test]
    fn the_words_of_the_field_are_removed_from_a_query() {
        for (query, left) in [
            ("quantum machine learning", Some("quantum")),
            ("What is new in language models for mail?", Some("mail?")),
            ("AI-generated music", Some("generated music")),
            ("chatbots in hospitals", Some("hospitals")),
            ("machine translation", None),
            ("New York ferries", None),
            ("fashion models", None),
            ("new language models", None),
            ("AI", None),
            ("the latest news about AI", None),
            ("", None),
            ("中国大模型", None),
        ] {
            assert_eq!(beside_field(query).as_deref(), left, "{query}");
        }
    }
}
