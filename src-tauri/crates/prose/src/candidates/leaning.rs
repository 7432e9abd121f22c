//! Whether a sentence leans on the one before it.

use crate::cues::{OWN_METHODS, OWN_WORK};
use crate::standing::is_twice;

/// What a sentence in small letters says that begins with the work of its writers: "this study tests …".
pub(crate) fn behind_own_work(lower: &str) -> Option<&str> {
    let (which, rest) = lower.split_once(' ')?;
    let (work, rest) = rest.split_once(' ')?;
    let is_own = which == "this" && OWN_WORK.contains(&work) || which == "the" && work == "paper";
    is_own.then_some(rest)
}

/// Whether a word only says of what kind the work of the writers is: "this preregistered study".
pub(crate) fn is_of_own_work(lower: &str, kind: &str) -> bool {
    let behind = lower.split_once(kind).map_or("", |(_, behind)| behind);
    OWN_WORK.iter().any(|work| behind.trim_start().starts_with(work))
}

/// "In this preregistered study, 22 clubs shared …" says what was done in the work.
pub(super) fn begins_in_own_work(lower: &str) -> bool {
    let behind = lower.strip_prefix("in this ").unwrap_or_default();
    behind.split([' ', ',']).take(2).any(|word| OWN_WORK.contains(&word))
}

/// Whether something inside the sentence can only be understood with the one before it.
pub(super) fn points_back(lower: &str) -> bool {
    let mut words =
        lower.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let start = &lower[..lower.floor_char_boundary(40)];
    if start.contains(" them ") || start.contains(" it ") {
        return true;
    }
    let mut before = "";
    words.any(|word| {
        let points = match before {
            "this" | "these" => {
                !OWN_WORK.contains(&word) && !is_twice(lower, word) && !is_of_own_work(lower, word)
            }
            "those" => {
                !matches!(word, "who" | "of" | "that" | "which" | "with" | "in" | "without" | "from" | "for")
                    && !is_twice(lower, word)
            }
            "such" => !matches!(word, "as" | "that"),
            "both" => matches!(word, "challenges" | "gaps" | "issues" | "limitations" | "problems"),
            _ => word == "thiswork",
        };
        before = word;
        points
    }) || matches!(before, "this" | "these" | "those")
}

/// Whether a sentence speaks of "our method", which is known behind the sentence that makes it.
pub(super) fn names_own_method(lower: &str) -> bool {
    lower.match_indices("our ").any(|(at, our)| {
        let word = lower[at + our.len()..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        (at == 0 || !lower.as_bytes()[at - 1].is_ascii_alphanumeric()) && OWN_METHODS.contains(&word)
    })
}

/// Whether a text begins so; most differ in their first letter, and are not compared further.
fn begins(text: &[u8], start: &str) -> bool {
    text.first() == start.as_bytes().first() && text.starts_with(start.as_bytes())
}

/// "Here a model was paired with …" leans on nothing: it says what is done in the work.
pub(super) fn begins_here(lower: &str) -> bool {
    lower.starts_with("here a ") || lower.starts_with("here, a ")
}

/// "Run over 38,000 fragments, it proposed …": what "it" is was told before.
pub(crate) fn is_bare_behind_clause(lower: &str) -> bool {
    const BARE: [&str; 6] = ["it ", "they ", "its ", "their ", "he ", "she "];
    // Behind these the clause may name it: "While the model is small, it …".
    const NAMING: [&str; 9] =
        ["while ", "although ", "though ", "when ", "if ", "because ", "since ", "once ", "as "];
    let behind = lower.split_once(", ").filter(|(clause, _)| clause.len() < 90);
    behind.is_some_and(|(_, rest)| BARE.iter().any(|start| rest.starts_with(start)))
        && !NAMING.iter().any(|start| lower.starts_with(start))
}

/// "Seven were synthesised": seven of what was told before.
pub(crate) fn is_leaning_on_number(lower: &str) -> bool {
    let mut words = lower.split(' ');
    words.next().is_some_and(|first| NUMBERS.contains(&first))
        && matches!(words.next(), Some("are" | "had" | "have" | "was" | "were"))
}

const NUMBERS: [&str; 12] =
    ["all", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "most", "some"];

/// Whether a sentence cannot be understood without the one before it.
pub(crate) fn is_leaning(lower: &str) -> bool {
    let opening = [
        "it ", "its ", "they ", "their ", "these ", "those ", "this ", "such ", "he ", "she ", "here ",
        "then ",
    ];
    let continuing = [
        "however",
        "in contrast",
        "instead",
        "second",
        "third",
        "fourth",
        "thus",
        "therefore",
        "consequently",
        "as a result",
        "for example",
        "for instance",
        "rather",
        "reference was",
        "yet ",
        "but ",
        "and ",
        "or ",
        "so ",
        "hence",
        "conversely",
        "by contrast",
        "otherwise",
        "together,",
        "together these",
        "both ",
        "also",
        "similarly",
        "meanwhile",
        "first,",
        "first ",
        "one ",
        "the former",
        "the latter",
        "the second",
        "the third",
        "the other",
        "another",
        "among these",
        "among them",
        "in this",
        "at this",
        "on this",
        "under this",
        "with this",
        "based on this",
        "to this",
        "for this",
        "from this",
        "through this",
        "using this",
        "beyond this",
        "in such",
        "in these",
        "across these",
        "on these",
        "to address th",
        "unlike th",
        "building on th",
        "motivated by th",
        "in doing so",
        "in turn",
        "in both",
        "like ",
    ];
    if begins_here(lower) {
        return false;
    }
    if is_leaning_on_number(lower) || is_bare_behind_clause(lower) {
        return true;
    }
    let starts = |start: &&str| begins(lower.as_bytes(), start);
    // "In this study" leans on nothing.
    let is_own = |start: &&str| {
        let mut words = lower.strip_prefix(*start).unwrap_or_default().split([' ', ',']).skip(1).take(2);
        words.any(|word| OWN_WORK.contains(&word))
    };
    (opening.iter().any(starts) && behind_own_work(lower).is_none())
        || continuing.iter().any(|start| starts(start) && !is_own(start))
}
