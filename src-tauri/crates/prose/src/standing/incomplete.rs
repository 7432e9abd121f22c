//! Whether a sentence lacks a part of what it says: what it counts, what it compares with, or its other half.

use super::{Known, is_twice, pairs};

/// "along three axes" and then none: a number of parts that neither a colon nor a list names.
pub(super) fn counts_without_naming(lower: &str, words: &[&str]) -> bool {
    const NUMBERS: [&str; 10] =
        ["two", "three", "four", "five", "six", "seven", "several", "following", "eight", "multiple"];
    const PARTS: [&str; 32] = [
        "axes",
        "components",
        "stages",
        "dimensions",
        "aspects",
        "principles",
        "findings",
        "challenges",
        "steps",
        "parts",
        "modules",
        "levels",
        "ways",
        "questions",
        "categories",
        "pillars",
        "mechanisms",
        "strategies",
        "phases",
        "perspectives",
        "insights",
        "contributions",
        "limitations",
        "reasons",
        "types",
        "things",
        "conditions",
        "regimes",
        "paradigms",
        "properties",
        "criteria",
        "innovations",
    ];
    let counted = words.iter().enumerate().any(|(at, word)| {
        NUMBERS.contains(word) && words[at + 1..].iter().take(2).any(|part| PARTS.contains(part))
    });
    let names = [": ", " – ", " — ", ", namely", " such as "].iter().any(|mark| lower.contains(mark));
    let all = ["all two ", "all three ", "all four ", "all five "].iter().any(|all| {
        let rest = lower.split(all).nth(1).unwrap_or_default();
        let next = rest.split([' ', '.', ',']).next().unwrap_or_default();
        next.ends_with("esses") || next.ends_with("ems") || next.ends_with("ues") || next.ends_with("aps")
    });
    all || counted && !names || lower.ends_with(':') || lower.contains("as follows")
}

/// What two things are said to share without the other being told apart.
const SHARED: [&str; 14] = [
    "architecture",
    "backbone",
    "budget",
    "compute",
    "conditions",
    "cost",
    "data",
    "hardware",
    "model",
    "questions",
    "size",
    "time",
    "period",
    "training",
];

/// By how much something differs from what has to be named.
const COMPARING: [&str; 12] = [
    "better", "worse", "higher", "lower", "larger", "smaller", "faster", "slower", "longer", "shorter",
    "fewer", "more",
];

/// Whether something is compared with what the sentence does not name.
pub(super) fn compares_with_nothing(lower: &str, words: &[&str]) -> bool {
    if is_as_good(words) {
        return true;
    }
    let than = lower.contains(" than ") || lower.contains("compared") || lower.contains(" over ");
    let begins =
        words.first().is_some_and(|first| *first == "slightly" || *first == "much" || *first == "even");
    if begins && !than && words.get(1).is_some_and(|second| COMPARING.contains(second)) {
        return true;
    }
    pairs(words).any(|(word, next)| match word {
        "complementary" | "additionally" | "furthermore" | "moreover" => true,
        "further" => !matches!(next, "" | "away" | "than") && !than,
        "same" => {
            !SHARED.contains(&next)
                && !is_twice(lower, next)
                && !lower.contains("the same as")
                && !lower.contains("at the same time")
                && !lower.contains(" with ")
        }
        "similar" => !(lower.contains("similar to") || than),
        "other" => matches!(next, "hand" | "half" | "one" | "two" | "side"),
        _ => false,
    })
}

/// Whether a sentence has lost a half: "not only …" without "but", "either" without "or".
pub(super) fn is_half(lower: &str) -> bool {
    let lacks = |first: &str, second: &str| {
        lower.find(first).is_some_and(|at| !lower[at + first.len()..].contains(second))
    };
    lacks("not only ", "but") && lacks("not only ", "also") && lacks("not only ", ";")
        || lacks("either ", " or ")
        || lower.ends_with(" and")
        || lower.ends_with(',')
}

/// What a bare decimal may be a value of.
const MEASURES: [&str; 28] = [
    "accuracy",
    "area",
    "auc",
    "auroc",
    "bleu",
    "coefficient",
    "correlation",
    "curve",
    "deviation",
    "deviations",
    "dice",
    "error",
    "errors",
    "f1",
    "factor",
    "index",
    "iou",
    "kappa",
    "map",
    "points",
    "precision",
    "probability",
    "rate",
    "ratio",
    "recall",
    "score",
    "scores",
    "sensitivity",
];

/// "A model using nothing but age reached 0.60": of what was said in a sentence before.
pub(super) fn measures_nothing(words: &[&str], known: &Known) -> bool {
    let is_measure = |word: &&str| {
        MEASURES.contains(word) || word.contains('-') && word.split('-').any(|part| MEASURES.contains(&part))
    };
    let reaches = |pair: &[&str]| {
        matches!(pair[0], "reached" | "reaches" | "achieved" | "scored" | "got") && pair[1] == "0"
    };
    words.windows(2).any(reaches)
        && !words.iter().any(is_measure)
        && !MEASURES.iter().any(|measure| known.names(measure))
}

/// "Anything as good": as what was not told.
fn is_as_good(words: &[&str]) -> bool {
    const QUALITIES: [&str; 8] =
        ["accurate", "cheap", "effective", "fast", "good", "high", "likely", "large"];
    words
        .windows(2)
        .enumerate()
        .any(|(at, pair)| pair[0] == "as" && QUALITIES.contains(&pair[1]) && !words[at + 2..].contains(&"as"))
}
