//! Makes a sentence shorter where a clause ends, or not at all.
//!
//! What is cut off is what an editor would cut: asides in brackets, and clauses hung on at the end. A cut in
//! the middle of a clause is never made; when no border is near enough there is no shorter sentence.

use crate::repeatable::is_balanced;

/// Fewest words that still make a sentence.
const FEWEST: usize = 6;

/// The sentence, or its longest beginning up to a clause border that has at most `most` words; none when
/// there is no such border.
pub(crate) fn shortened(sentence: &str, most: usize) -> Option<String> {
    let list = list_start(sentence);
    if sentence.split_whitespace().count() <= most && list.is_none() {
        return Some(sentence.to_owned());
    }
    let sentence = &sentence[..list.unwrap_or(sentence.len())];
    let announced = sentence.trim_end().strip_suffix(':').filter(|_| list.is_some());
    let fits = |head: &&str| (FEWEST..=most).contains(&head.split_whitespace().count()) && is_balanced(head);
    if let Some(head) = announced.filter(fits) {
        return Some(head.to_owned());
    }
    let mut best: Option<&str> = None;
    for (at, mark) in sentence.match_indices([',', ';', '–', '—']) {
        let head = sentence[..at].trim_end();
        let tail = &sentence[at + mark.len()..];
        let count = head.split_whitespace().count();
        if count > most {
            break;
        }
        if count >= FEWEST
            && tail.starts_with(' ')
            && is_border(mark, head, tail.trim_start())
            && is_balanced(head)
        {
            best = Some(head);
        }
    }
    best.map(str::to_owned)
}

/// Takes longer asides out: "(e.g., in the wild)" goes, "(RAG)" stays.
pub(crate) fn without_asides(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len());
    let mut rest = sentence;
    let mut has_lost_range = false;
    while let Some(open) = rest.find(" (") {
        let inside = &rest[open + 2..];
        let Some(close) = inside.find([')', '(']).filter(|close| inside[*close..].starts_with(')')) else {
            // Nested or unclosed: leave it to the reader as it is.
            out.push_str(&rest[..open + 2]);
            rest = inside;
            continue;
        };
        let aside = &inside[..close];
        let is_long = aside.split_whitespace().count() > 3 || aside.len() > 40;
        let is_example =
            ["e.g", "i.e", "cf", "see ", "such as", "vs"].iter().any(|start| aside.starts_with(start));
        let is_number_of_list =
            aside.len() < 5 && aside.chars().all(|c| c.is_ascii_digit() || "ivx".contains(c));
        let end = open + 2 + close + 1;
        // "(95% CI 0.03 to 0.19)" says what the bare range in the next bracket is.
        let is_bare_range =
            has_lost_range && aside.split([' ', '–']).all(|word| word == "to" || word.parse::<f64>().is_ok());
        let keeps = is_number_of_list || !(is_long || is_example || is_bare_range);
        has_lost_range |= !keeps && aside.contains(|c: char| c.is_ascii_digit());
        out.push_str(&rest[..if keeps { end } else { open }]);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Where a numbered list begins inside a sentence; such a sentence is told up to its colon.
fn list_start(sentence: &str) -> Option<usize> {
    ["(1)", "(i)", "(a)", " 1)", " i)", "(I)"].iter().find_map(|mark| sentence.find(mark))
}

fn is_border(mark: &str, head: &str, tail: &str) -> bool {
    let last = head.rsplit(' ').next().unwrap_or_default();
    // Behind a colon or an opened dash stands a list or an aside that has not ended yet.
    if UNFINISHED.contains(&last) || head.contains(": ") || head.contains(" – ") || head.contains(" — ") {
        return false;
    }
    if is_without_verb(head) {
        return false;
    }
    let mut words = tail.split(' ');
    let first = words.next().unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric());
    let second = words.next().unwrap_or_default();
    match mark {
        ";" => !opens_dependent(head),
        "–" | "—" => {
            head.ends_with(|c: char| c.is_alphanumeric() || c == ')')
                && !tail.contains(" – ")
                && !tail.contains(" — ")
                && !opens_dependent(head)
        }
        _ => {
            let is_tail = TAILS.contains(&first)
                || (matches!(first, "and" | "but") && matches!(second, "they" | "the" | "it" | "that"))
                || (matches!(first, "in" | "of" | "for" | "from" | "through" | "all" | "each" | "most")
                    && matches!(second, "which" | "of"));
            is_tail && !opens_dependent(head) && !is_listing(head, tail)
        }
    }
}

/// Whether the head only names what was done, and its verb stands behind the cut.
fn is_without_verb(head: &str) -> bool {
    let names_trials =
        ["Extensive", "Experiments", "Experimental", "Evaluations", "Evaluation", "Results", "Tests"];
    names_trials.iter().any(|start| head.starts_with(start))
        && !TELLING.iter().any(|verb| head.split(' ').any(|word| word == *verb))
}

/// Whether the head is an opening clause that waits for its main one.
fn opens_dependent(head: &str) -> bool {
    let first = head.split(' ').next().unwrap_or_default();
    OPENERS.contains(&first) && !head.contains(", ")
}

/// Whether a comma parts the members of a list rather than clauses: another comma and an "and" follow at once.
fn is_listing(head: &str, tail: &str) -> bool {
    let next = tail.split(", ").nth(1).unwrap_or_default();
    let is_short = tail.split(", ").next().unwrap_or_default().split(' ').count() < 4;
    is_short && (next.starts_with("and ") || next.starts_with("or ")) && !head.ends_with(')')
}

static UNFINISHED: [&str; 30] = [
    "a", "an", "and", "are", "as", "at", "because", "by", "follows", "for", "from", "if", "in", "include",
    "includes", "is", "namely", "not", "of", "on", "only", "or", "that", "the", "to", "was", "were", "while",
    "with", "both",
];

/// The verbs by which trials tell what came of them.
static TELLING: [&str; 20] = [
    "are",
    "confirm",
    "confirms",
    "demonstrate",
    "demonstrates",
    "establish",
    "highlight",
    "indicate",
    "indicates",
    "is",
    "prove",
    "reveal",
    "reveals",
    "show",
    "shows",
    "suggest",
    "suggests",
    "support",
    "validate",
    "verify",
];

static OPENERS: [&str; 36] = [
    "Across",
    "Although",
    "Among",
    "As",
    "At",
    "Based",
    "Because",
    "Beyond",
    "Built",
    "By",
    "Compared",
    "Despite",
    "Due",
    "During",
    "Evaluated",
    "Following",
    "For",
    "From",
    "Given",
    "If",
    "In",
    "On",
    "Since",
    "Though",
    "Through",
    "To",
    "Trained",
    "Under",
    "Unlike",
    "Using",
    "When",
    "Whereas",
    "While",
    "With",
    "Within",
    "Without",
];

static TAILS: [&str; 61] = [
    "achieving",
    "allowing",
    "along",
    "although",
    "because",
    "built",
    "but",
    "capturing",
    "combining",
    "confirming",
    "covering",
    "creating",
    "demonstrating",
    "eliminating",
    "enabling",
    "ensuring",
    "especially",
    "establishing",
    "even",
    "facilitating",
    "focusing",
    "highlighting",
    "improving",
    "including",
    "indicating",
    "leading",
    "leaving",
    "leveraging",
    "making",
    "offering",
    "outperforming",
    "pairing",
    "particularly",
    "performing",
    "preserving",
    "preventing",
    "producing",
    "providing",
    "raising",
    "rather",
    "reaching",
    "reducing",
    "requiring",
    "resulting",
    "revealing",
    "showing",
    "spanning",
    "suggesting",
    "supporting",
    "surpassing",
    "thereby",
    "thus",
    "together",
    "using",
    "where",
    "whereas",
    "which",
    "while",
    "with",
    "without",
    "yielding",
];

/// The first words of a sentence.
pub(super) fn beginning(sentence: &str) -> &str {
    let end = sentence.match_indices(' ').nth(3).map_or(sentence.len(), |(at, _)| at);
    &sentence[..end]
}

/// Whether a told sentence ends with the words of the one that it tells.
pub(super) fn ends_alike(told: &str, sentence: &str) -> bool {
    let told = told.rsplit_once(" [").map_or(told, |(told, _)| told);
    let end = |text: &str| -> Option<String> {
        text.trim_end_matches(['.', '!']).split_whitespace().next_back().map(str::to_owned)
    };
    end(told) == end(sentence)
}

/// What stands between quotation marks.
pub(super) fn quoted(sentence: &str) -> String {
    let parts = sentence.split('“').skip(1).map(|rest| rest.split('”').next().unwrap_or_default());
    let straight = sentence.split('"').skip(1).step_by(2);
    parts.chain(straight).collect::<Vec<_>>().join(" ")
}

/// What stands outside of quotation marks.
pub(super) fn unquoted(text: &str) -> String {
    let mut parts = text.split('“');
    let first = parts.next().unwrap_or_default();
    let behind = parts.map(|rest| rest.split_once('”').map_or(rest, |(_, behind)| behind));
    let own = std::iter::once(first).chain(behind).collect::<Vec<_>>().join(" ");
    own.split('"').step_by(2).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{shortened, without_asides};

    #[test]
    fn a_sentence_is_cut_where_a_clause_ends_or_not_at_all() {
        let sentence = "The method trains a small model on logs, which lowers cost, while it keeps its accuracy on all tasks";
        assert_eq!(shortened(sentence, 30).as_deref(), Some(sentence));
        assert_eq!(
            shortened(sentence, 12).as_deref(),
            Some("The method trains a small model on logs, which lowers cost")
        );
        assert_eq!(shortened(sentence, 10).as_deref(), Some("The method trains a small model on logs"));
        assert_eq!(shortened(sentence, 7), None);
        assert_eq!(
            shortened("While one two three four five six, using it helps a lot in practice", 10),
            None
        );
        assert_eq!(
            shortened("The framework measures models along three axes: (1) one; (2) two", 90).as_deref(),
            Some("The framework measures models along three axes")
        );
    }

    #[test]
    fn long_asides_go_and_short_forms_stay() {
        assert_eq!(
            without_asides(
                "A graph (RAG) helps agents (e.g., bots) in the wild (as was shown before by others) well"
            ),
            "A graph (RAG) helps agents in the wild well"
        );
    }
}
