//! What ties a sentence to one that is not quoted with it: its first words, a pronoun, a thing that is spoken of as known.

use crate::candidates::is_leaning;
use crate::cues::CONNECTIVES;
use crate::standing::Known;
use crate::stop_words::is_stop_word;

/// Whether such a word stands in the first clause, behind nothing that it could stand for but its subject: "most go
/// through it".
pub(super) fn points_nowhere(text: &str) -> bool {
    let clause = [
        " that ",
        " which ",
        " who ",
        " and ",
        " but ",
        " when ",
        " because ",
        " if ",
        " while ",
        " so ",
        "; ",
    ];
    let end = clause.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    has_pronoun(&text[..end]) || KNOWN_MEASURES.iter().any(|known| text.contains(&format!(" that {known}")))
}

/// What is spoken of as known with "that" before it.
const KNOWN_MEASURES: [&str; 16] = [
    "amount", "case", "decision", "figure", "gap", "goal", "group", "level", "number", "period", "plan",
    "point", "price", "rate", "share", "time",
];

/// Whether a word stands for something that may not have been named.
pub(super) fn has_pronoun(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).any(|word| matches!(word, "it" | "they" | "them"))
}

/// Whether a sentence begins with words that tie it to the one before.
pub(super) fn is_tied(text: &str) -> bool {
    const TIES: [&str; 33] = [
        "accordingly",
        "additional",
        "after that",
        "against this",
        "all of th",
        "along with th",
        "as such",
        "at the same time",
        "even so",
        "further",
        "given th",
        "guided by th",
        "it ",
        "likewise",
        "motivated by",
        "more ",
        "nevertheless",
        "nonetheless",
        "next",
        "only then",
        "others",
        "still",
        "subsequently",
        "taken together",
        "that ",
        "there",
        "though",
        "to address",
        "to bridge th",
        "to close th",
        "to fill th",
        "to overcome",
        "to tackle",
    ];
    let lower = text.to_lowercase();
    let own =
        ["in this paper, ", "in this work, ", "in this study, ", "in this article, ", "in this report, "];
    let lower = own.iter().find_map(|own| lower.strip_prefix(own)).unwrap_or(&lower);
    let begins = |start: &&str| lower.starts_with(*start);
    let connective = CONNECTIVES
        .iter()
        .any(|word| lower.strip_prefix(word).is_some_and(|rest| rest.starts_with([',', ' '])));
    let goes_further = lower
        .split(' ')
        .take(3)
        .any(|word| matches!(word, "additional" | "further" | "other" | "another" | "also" | "moreover"));
    let goes_on = [
        "we further ",
        "we also ",
        "we then ",
        "we additionally ",
        "we finally ",
        "we next ",
        "we therefore ",
    ];
    // "Some see": of whom was not told.
    let counted =
        ["some ", "many ", "most ", "others ", "several ", "each ", "all ", "none ", "few ", "one ", "two "];
    let is_counted = counted.iter().any(|word| {
        lower.strip_prefix(word).is_some_and(|rest| {
            let next = rest.split(' ').next().unwrap_or_default();
            is_stop_word(next) || VERBS.contains(&next)
        })
    });
    connective
        || goes_further
        || is_counted
        || is_leaning(lower)
        || TIES.iter().any(begins)
        || goes_on.iter().any(begins)
}

/// Verbs that say of "some" or "many" what they do.
const VERBS: [&str; 14] = [
    "see", "say", "argue", "fear", "think", "believe", "want", "expect", "doubt", "hope", "came", "come",
    "call", "remain",
];

/// Whether every thing that is spoken of as known is: it was named before, is named by the words behind it, or there is
/// one of it only.
pub(super) fn names_its_things(text: &str, known: &Known) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    words.iter().enumerate().filter(|(_, word)| matches!(**word, "the" | "The")).all(|(at, _)| {
        let behind = &words[at + 1..];
        let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let ends = |word: &&str| word.ends_with([',', '.', ';', ':', ')', '?', '!']);
        let length = behind.iter().take(5).take_while(|word| !is_stop_word(&bare(word))).count();
        let length = behind.iter().take(length).position(ends).map_or(length, |end| end + 1);
        let named = &behind[..length];
        let is_closed = named.last().is_some_and(ends);
        let follows = if is_closed { "" } else { behind.get(length).copied().unwrap_or_default() };
        let is_defined = matches!(
            follows,
            "of" | "that"
                | "which"
                | "who"
                | "whose"
                | "for"
                | "per"
                | "between"
                | "behind"
                | "where"
                | "to"
                | "when"
        );
        let is_name = |word: &&str| word.contains(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let is_single = |word: &&str| bare(word).ends_with("est") || ONLY_ONE.contains(&bare(word).as_str());
        let is_told =
            |word: &&str| known.has(&bare(word)) || words[..at].iter().any(|told| bare(told) == bare(word));
        named.is_empty()
            || is_defined
            || named.iter().any(is_name)
            || named.iter().any(is_single)
            || named.last().is_some_and(is_told)
    })
}

/// What there is one of, or what a paper calls its own.
const ONLY_ONE: [&str; 44] = [
    "approach",
    "art",
    "authors",
    "best",
    "board",
    "brain",
    "climate",
    "cloud",
    "community",
    "country",
    "ecosystem",
    "environment",
    "field",
    "first",
    "framework",
    "future",
    "government",
    "ground",
    "industry",
    "internet",
    "last",
    "latter",
    "law",
    "literature",
    "market",
    "method",
    "model",
    "moon",
    "night",
    "original",
    "paper",
    "past",
    "poor",
    "press",
    "proposed",
    "public",
    "results",
    "same",
    "study",
    "sun",
    "system",
    "web",
    "work",
    "world",
];
