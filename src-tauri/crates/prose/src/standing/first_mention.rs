//! Things that are counted or set apart by an article as if they had been named: "all six schemes", "the original benchmark".

use super::Known;

/// Words that set one thing apart from others of its kind, which the reader has to know.
const APART: [&str; 12] = [
    "chosen",
    "controlled",
    "corresponding",
    "earlier",
    "fixed",
    "modified",
    "original",
    "previous",
    "remaining",
    "respective",
    "revised",
    "selected",
];
const NUMBERS: [&str; 12] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "dozen"];

/// Whether a sentence speaks of such a thing that neither it nor what is known before it has named.
pub(super) fn is_unknown(words: &[&str], known: &Known) -> bool {
    let is_described =
        |at: usize| matches!(words.get(at + 1), Some(&"of" | &"that" | &"which" | &"who" | &"whose"));
    let is_named = |at: usize| {
        let Some(thing) = words.get(at) else { return true };
        is_described(at) || known.has(thing) || words[..at.saturating_sub(2)].contains(thing)
    };
    words.windows(2).enumerate().any(|(at, pair)| match *pair {
        ["the" | "all", number] if NUMBERS.contains(&number) => {
            let is_list = words[..at].contains(&"and") || at > 1 && words[at - 1] == "of";
            // What something is tried on, and a time, need not have been named.
            let is_free = words
                .get(at + 2)
                .is_some_and(|thing| pair[0] == "all" && TRIED_ON.contains(thing) || TIMES.contains(thing));
            !is_list && !is_free && !(is_named(at + 2) && (known.names(number) || is_described(at + 2)))
        }
        ["that", said] => SAID.contains(&said),
        ["the", set_apart] if APART.contains(&set_apart) => !is_named(at + 2),
        _ => false,
    }) || ["in place of the ", "instead of the "].iter().any(|instead| {
        let joined = words.join(" ");
        joined.split_once(instead).is_some_and(|(before, _)| {
            let at = before.split_whitespace().count() + instead.split_whitespace().count();
            !is_named(at) && !is_named(at + 1)
        })
    })
}

const TRIED_ON: [&str; 12] = [
    "benchmarks",
    "datasets",
    "domains",
    "environments",
    "experiments",
    "languages",
    "metrics",
    "models",
    "settings",
    "subjects",
    "tasks",
    "evaluations",
];
const TIMES: [&str; 10] =
    ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "quarters", "times", "decades"];
/// What was asked or said before: "it answers that question".
const SAID: [&str; 12] = [
    "approach",
    "assumption",
    "challenge",
    "end",
    "gap",
    "goal",
    "idea",
    "issue",
    "limitation",
    "problem",
    "question",
    "view",
];

/// "The invariance issue": a trouble that is spoken of as if it had been told.
pub(super) fn is_unnamed_trouble(words: &[&str], known: &Known) -> bool {
    const TROUBLES: [&str; 10] = [
        "issue",
        "issues",
        "problem",
        "challenge",
        "challenges",
        "gap",
        "limitation",
        "limitations",
        "bottleneck",
        "dilemma",
    ];
    words.windows(3).enumerate().any(|(at, window)| {
        let is_told = known.has(window[1]) || words[..at].contains(&window[1]);
        let is_explained = matches!(words.get(at + 3), Some(&"of" | &"that" | &"where" | &"in"));
        window[0] == "the" && TROUBLES.contains(&window[2]) && !is_told && !is_explained
    })
}

/// Whether a word stands twice in a sentence in small letters: what "those heads" are, it has said then.
pub(crate) fn is_twice(lower: &str, word: &str) -> bool {
    lower.split(|c: char| !c.is_alphanumeric()).filter(|other| *other == word).count() > 1
}
