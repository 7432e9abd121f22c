//! What a sentence speaks of as known because a sentence before it that is not told has named it: "the machine", MIRA.

use super::Known;
use crate::candidates::stems_of;
use crate::known_words::COMMON_SHORT_FORMS;
use crate::stop_words::is_stop_word;
use crate::support::each_content_stem;
use crate::tokens::Keys;

/// A sentence that is not told.
pub(crate) struct Untold<'a> {
    pub(crate) text: &'a str,
    pub(crate) stems: &'a Keys,
}

/// Whether a sentence leans on one of those before it that are not told.
pub(crate) fn leans_on(sentence: &str, known: &Known, untold: &[Untold<'_>]) -> bool {
    !untold.is_empty() && (has_named_thing(sentence, known, untold) || has_name(sentence, known, untold))
}

/// Whether it speaks of "the machine" that was introduced there.
fn has_named_thing(sentence: &str, known: &Known, untold: &[Untold<'_>]) -> bool {
    let words: Vec<&str> = sentence.split(' ').take(MOST_WORDS).collect();
    words.iter().enumerate().filter(|(_, word)| word.eq_ignore_ascii_case("the")).any(|(at, _)| {
        // "The first two seasons" are seasons.
        let kinds =
            words[at + 1..].iter().take_while(|word| KINDS.contains(&word.to_lowercase().as_str())).count();
        let [first, behind @ ..] = &words[at + 1 + kinds..] else { return false };
        let second = behind.first().filter(|_| !first.ends_with(|c: char| !c.is_alphanumeric()));
        // "The burner of the island" and "the red burner that …" say which one it is.
        let is_described = behind.iter().take(2).any(|word| DESCRIBING.contains(word));
        if is_described || stands_free(first) || is_stop_word(&bare(first).to_lowercase()) {
            return false;
        }
        if !untold.iter().any(|untold| has_stem(untold.stems, first)) {
            return false;
        }
        let before = stems_of(&words[..at].join(" "));
        let is_told = |word: &str| known.has(word) || known.names(bare(word)) || has_stem(&before, word);
        !is_told(first) && !second.is_some_and(|second| is_told(second))
    })
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Words of a sentence that are looked at.
const MOST_WORDS: usize = 120;
const NO_SUPERLATIVES: [&str; 11] = [
    "chest", "contest", "forest", "guest", "harvest", "interest", "nest", "protest", "quest", "request",
    "test",
];

/// Whether "the" before a word needs nothing that was told: a name, a figure, the highest, what every text speaks of.
fn stands_free(word: &str) -> bool {
    let bare = bare(word);
    bare.ends_with("est") && !NO_SUPERLATIVES.contains(&bare)
        || bare.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        || FREE.contains(&bare.to_lowercase().as_str())
}

fn has_stem(stems: &Keys, word: &str) -> bool {
    let mut has = false;
    each_content_stem(bare(word), |stem| has |= stems.contains(&stem));
    has
}

/// Whether it begins with a name that was given there to what was made: with capitals inside, or explained beside it.
fn has_name(sentence: &str, known: &Known, untold: &[Untold<'_>]) -> bool {
    let words = sentence.split(|c: char| !c.is_alphanumeric() && c != '-').take(NAME_WITHIN);
    words.filter(|word| word.len() > 2 && word.starts_with(char::is_uppercase)).any(|name| {
        let is_made = name.chars().skip(1).any(char::is_uppercase)
            && !COMMON_SHORT_FORMS.contains(&name.trim_end_matches('s'));
        let explains = |text: &str| {
            [", a ", ", an ", ", its ", ", our ", ", the "]
                .iter()
                .any(|mark| text.contains(&format!(" {name}{mark}")))
        };
        let gives = |untold: &Untold<'_>| is_made && has_word(untold.text, name) || explains(untold.text);
        // A short form can be written out with the words that it stands for.
        let is_short_form = |untold: &Untold<'_>| untold.text.contains(&format!("({name})"));
        !known.names(name) && untold.iter().any(gives) && !untold.iter().any(is_short_form)
    })
}

/// Words within which the subject of a sentence is named.
const NAME_WITHIN: usize = 3;

fn has_word(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == name)
}

/// Words that say behind a thing which one it is.
const DESCRIBING: [&str; 16] = [
    "of", "that", "which", "who", "whose", "for", "where", "with", "between", "behind", "to", "from", "by",
    "in", "per", "when",
];

/// What is said of a thing without making it another.
const KINDS: [&str; 16] = [
    "eight", "first", "five", "four", "last", "main", "next", "only", "other", "same", "second", "seven",
    "six", "third", "three", "two",
];

/// What every text may speak of as known.
const FREE: [&str; 104] = [
    "algorithm",
    "analysis",
    "answers",
    "approach",
    "architecture",
    "article",
    "authors",
    "average",
    "beginning",
    "budget",
    "case",
    "cases",
    "city",
    "company",
    "country",
    "data",
    "day",
    "documents",
    "economy",
    "effect",
    "end",
    "environment",
    "examples",
    "experiment",
    "experiments",
    "field",
    "fifth",
    "firm",
    "first",
    "former",
    "fourth",
    "framework",
    "future",
    "gains",
    "government",
    "images",
    "industry",
    "internet",
    "items",
    "language",
    "last",
    "latter",
    "law",
    "literature",
    "main",
    "market",
    "median",
    "method",
    "model",
    "month",
    "new",
    "next",
    "number",
    "only",
    "other",
    "others",
    "pages",
    "pairs",
    "paper",
    "participants",
    "past",
    "patients",
    "pipeline",
    "police",
    "predecessor",
    "present",
    "press",
    "previous",
    "prompts",
    "public",
    "questions",
    "rate",
    "report",
    "rest",
    "result",
    "results",
    "runs",
    "same",
    "samples",
    "scheme",
    "second",
    "sentences",
    "share",
    "sixth",
    "state",
    "study",
    "summer",
    "system",
    "task",
    "tasks",
    "technique",
    "tests",
    "third",
    "time",
    "times",
    "training",
    "trials",
    "user",
    "users",
    "videos",
    "weather",
    "words",
    "world",
    "year",
];
