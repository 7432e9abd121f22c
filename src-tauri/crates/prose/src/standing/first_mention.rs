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
        ["of", "the"] if at <= 2 && words.first().is_some_and(|first| COUNTED.contains(first)) => {
            words.get(at + 2).is_some_and(|thing| !NUMBERS.contains(thing))
                && !is_named(at + 2)
                && !words.get(at + 3).is_some_and(|thing| known.has(thing))
        }
        // "Six of the eight": of what was not told.
        ["of", "the"] if words.get(at + 2).is_some_and(|number| NUMBERS.contains(number)) => {
            !known.names(&format!(" {} ", words[at + 2])) && words.len() == at + 3
        }
        // "Most of them" at the beginning: of whom was not told. Further on the sentence itself has said it.
        ["of", "them"] => at <= 3,
        ["that", said] => SAID.contains(&said),
        ["contrary", "to"] => words.get(at + 2) == Some(&"the") && !is_named(at + 3),
        ["of" | "for" | "from" | "by" | "with", "that"] => {
            words.get(at + 2).is_some_and(|thing| is_thing(thing) && !is_named(at + 2))
        }
        // "The length itself": of what was not told.
        ["the", thing] if matches!(words.get(at + 2), Some(&"itself" | &"themselves")) => {
            !known.has(thing) && !words[..at].contains(&thing)
        }
        ["the", "figure"] => !is_described(at + 1),
        ["the", "question"] => !matches!(
            words.get(at + 2),
            Some(&"of" | &"whether" | &"how" | &"that" | &"which" | &"why" | &"what" | &"when" | &"who")
        ),
        ["the", set_apart] if APART.contains(&set_apart) => {
            let thing = (at + 2..words.len()).find(|at| !APART.contains(&words[*at])).unwrap_or(at + 2);
            !is_named(thing) && !known.has(set_apart)
        }
        _ => false,
    }) || ["in place of the ", "instead of the "].iter().any(|instead| {
        let joined = words.join(" ");
        joined.split_once(instead).is_some_and(|(before, _)| {
            let at = before.split_whitespace().count() + instead.split_whitespace().count();
            !is_named(at) && !is_named(at + 1)
        })
    })
}

/// Whether a word behind "of that" may be a thing, and no verb or pronoun.
fn is_thing(word: &str) -> bool {
    !matches!(
        word,
        "is" | "are"
            | "was"
            | "were"
            | "has"
            | "have"
            | "can"
            | "will"
            | "it"
            | "they"
            | "he"
            | "she"
            | "the"
    )
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
/// How a sentence begins that tells of some of several things.
const COUNTED: [&str; 14] = [
    "all", "both", "each", "few", "five", "four", "half", "many", "most", "none", "one", "several", "three",
    "two",
];

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

/// What writers call what they made or found, whatever it is.
const OWN: [&str; 20] = [
    "algorithm",
    "analysis",
    "approach",
    "architecture",
    "controller",
    "experiment",
    "experiments",
    "framework",
    "gains",
    "method",
    "model",
    "network",
    "objective",
    "pipeline",
    "policy",
    "procedure",
    "results",
    "scheme",
    "system",
    "technique",
];

/// Words by which a thing is known to be a model.
const TRAINING: [&str; 3] = ["trained ", "fine-tuned ", " train "];

/// What is said of such a thing without making it another.
const PLAIN_KINDS: [&str; 14] = [
    "best",
    "complete",
    "entire",
    "final",
    "full",
    "largest",
    "new",
    "overall",
    "proposed",
    "resulting",
    "same",
    "smallest",
    "strongest",
    "whole",
];

/// Whether nothing in a sentence is called "the model" or the like that neither what is known nor the sentence itself has
/// named before.
pub(crate) fn names_its_own(sentence: &str, known: &Known) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty()).collect();
    // What was told to be made is "the model" and "the method" alike.
    let has_thing = OWN.iter().chain(&TRAINING).any(|own| known.names(own));
    words.windows(2).enumerate().all(|(at, pair)| {
        let next = words.get(at + 2).copied().unwrap_or_default();
        // "The linear model", "the debate pipeline".
        let is_told = |word: &str| known.has(word) || words[..at].contains(&word);
        let kind = pair[1];
        let is_kind_told = !OWN.contains(&next) || is_told(kind) || PLAIN_KINDS.contains(&kind);
        let thing = if OWN.contains(&next) { next } else { pair[1] };
        let is_own =
            pair[0] == "the" && pair[1] != "authors" && (OWN.contains(&pair[1]) || OWN.contains(&next));
        let end = at + 1 + usize::from(thing == next);
        let is_described =
            matches!(words.get(end + 1), Some(&"of" | &"that" | &"which" | &"whose" | &"with"));
        !is_own || is_described || is_kind_told && (has_thing || is_told(thing))
    })
}

/// Whether what writers say they did is done to a part that nobody has named: "train the head in 90 hours".
pub(crate) fn has_unknown_object(deed: &str, known: &Known) -> bool {
    const DESCRIBING: [&str; 12] =
        ["of", "that", "which", "whose", "to", "for", "between", "behind", "where", "by", "from", "with"];
    let words: Vec<&str> = deed.split_whitespace().take(6).collect();
    // "They train one with 13 billion parameters": one of what was not told.
    let is_one = words.get(1) == Some(&"one") && words.get(2) != Some(&"of");
    let ["the", object @ ..] = words.get(1..).unwrap_or_default() else { return is_one };
    let first = object.first().copied().unwrap_or_default();
    let is_name = first.contains('-') || first.chars().any(|c| c.is_uppercase() || c.is_ascii_digit());
    let is_rank = first.ends_with("est") || matches!(first, "first" | "most" | "question" | "problem");
    let is_described = object.iter().skip(1).take(3).any(|word| DESCRIBING.contains(word));
    !(is_name || is_rank || is_described || object.iter().take(2).any(|word| known.has(word)))
}

/// Whether what a sentence points at with "this" or "these" was told, or is what was found in general.
pub(crate) fn points_at_known(sentence: &str, known: &Known) -> bool {
    const FOUND: [&str; 8] =
        ["effect", "findings", "gain", "gains", "improvement", "improvements", "result", "results"];
    let lower = sentence.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty()).collect();
    words.windows(2).enumerate().all(|(at, pair)| {
        let thing = words.get(at + 2).copied().unwrap_or_default();
        let is_pointing = matches!(pair[0], "this" | "these" | "such" | "those");
        let is_joint = matches!(
            pair[1],
            "as" | "that" | "who" | "of" | "with" | "in" | "from" | "paper" | "work" | "study"
        );
        !is_pointing || is_joint || FOUND.contains(&pair[1]) || known.has(pair[1]) || known.has(thing)
    })
}
