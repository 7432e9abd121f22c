//! Whether a sentence can be understood by a reader who has only what was told before it.
//!
//! Judged by its words alone: what points back (this, such, both, the latter), counts parts that it does not name,
//! compares without the other half, or speaks of "the department" as if it had been introduced. Rather a sentence too
//! few than one that hangs in the air.

mod first_mention;
mod incomplete;
mod untold;

pub(crate) use first_mention::{has_unknown_object, is_twice, names_its_own, points_at_known};

pub(crate) use untold::{Untold, leans_on};

use crate::candidates::{is_bare_behind_clause, is_leaning_on_number, is_of_own_work};
use crate::cues::OWN_WORK;
use crate::support::each_content_stem;
use crate::tokens::Keys;
use incomplete::{compares_with_nothing, counts_without_naming, is_half, measures_nothing};

/// What the reader knows already: the titles and sentences before.
#[derive(Default)]
pub(crate) struct Known {
    stems: Keys,
    text: String,
    /// In a paper "the method" and "the results" are its own.
    is_paper: bool,
}

impl Known {
    /// Nothing but a title.
    pub(crate) fn of(text: &str, is_paper: bool) -> Self {
        let mut known = Self { is_paper, ..Self::default() };
        known.add(text);
        known
    }

    pub(crate) fn add(&mut self, text: &str) {
        each_content_stem(text, |stem| {
            self.stems.insert(stem);
        });
        self.text.push_str(&text.to_lowercase());
        self.text.push('\n');
    }

    pub(crate) fn names(&self, word: &str) -> bool {
        self.text.contains(&word.to_lowercase())
    }

    /// Whether every content word of it was told.
    pub(crate) fn has(&self, word: &str) -> bool {
        let mut has = true;
        let mut any = false;
        each_content_stem(word, |stem| {
            any = true;
            has &= self.stems.contains(&stem);
        });
        any && has
    }
}

/// Whether nothing in the sentence needs more than what is known.
pub(crate) fn stands_alone(sentence: &str, known: &Known) -> bool {
    let lower = sentence.to_lowercase();
    let words = words_of(&lower);
    !points_back(&lower, &words) && is_complete(sentence, (&lower, &words), known)
}

/// The same right behind the sentence that its writers wrote it behind: there "they" is understood.
pub(crate) fn stands_behind(sentence: &str, known: &Known) -> bool {
    let lower = sentence.to_lowercase();
    is_complete(sentence, (&lower, &words_of(&lower)), known)
}

fn words_of(lower: &str) -> Vec<&str> {
    lower
        .split(|c: char| !c.is_alphanumeric() && !"-'’".contains(c))
        .filter(|word| !word.is_empty())
        .collect()
}

fn is_complete(sentence: &str, (lower, words): (&str, &[&str]), known: &Known) -> bool {
    !counts_without_naming(lower, words)
        && !compares_with_nothing(lower, words)
        && !measures_nothing(words, known)
        && !is_half(lower)
        && !first_mention::is_unnamed_trouble(words, known)
        && !first_mention::is_unknown(words, known)
        && introduces(sentence, known)
}

/// Whether a clause names a part of a work as if it were known: "On the server side", "In the second stage".
pub(crate) fn names_part_of_work(lead: &str) -> bool {
    let rest = ["At the ", "During the ", "For the ", "In the ", "On the ", "Within the "]
        .iter()
        .find_map(|start| lead.strip_prefix(start));
    rest.is_some_and(|rest| !rest.contains(|c: char| c.is_uppercase() || c.is_ascii_digit()))
}

/// The word pairs of a sentence, with an empty one at the end.
fn pairs<'a>(words: &'a [&'a str]) -> impl Iterator<Item = (&'a str, &'a str)> {
    words.iter().enumerate().map(|(at, word)| (*word, words.get(at + 1).copied().unwrap_or_default()))
}

fn points_back(lower: &str, words: &[&str]) -> bool {
    const STARTS: [&str; 35] = [
        "additional",
        "it",
        "its",
        "they",
        "their",
        "them",
        "he",
        "she",
        "his",
        "her",
        "him",
        "there",
        "then",
        "here",
        "thus",
        "hence",
        "so",
        "but",
        "and",
        "or",
        "yet",
        "instead",
        "rather",
        "otherwise",
        "conversely",
        "similarly",
        "consequently",
        "second",
        "third",
        "another",
        "others",
        "nor",
        "neither",
        "that",
        "those",
    ];
    const LEANING: [&str; 39] = [
        "as a result",
        "for example",
        "for instance",
        "by contrast",
        "in contrast",
        "in turn",
        "in doing so",
        "the former",
        "the latter",
        "the other",
        "the rest",
        "the same",
        "the two",
        "the three",
        "the four",
        "at the same time",
        "to this",
        "to that",
        "on the one hand",
        "on the other",
        "unlike that",
        "first, ",
        "like ",
        "one of the",
        "one is",
        "one reason",
        "together",
        "the second",
        "the third",
        "even so",
        "more than that",
        "not all",
        "part of",
        "the first",
        "among the",
        "under the new",
        "with the new",
        "so far the",
        "until now the",
    ];
    // "On the server side, …" parts something in two that was not told.
    if lower.starts_with("on the ")
        && lower.split(", ").next().is_some_and(|clause| clause.ends_with(" side"))
    {
        return true;
    }
    // "A timetable avoids that harm": which one was not said.
    if let [.., "that", last] = words
        && !["extent", "is", "many", "much", "way"].contains(last)
    {
        return true;
    }
    // "Compared to others, it is faster": what it is was not said.
    if is_bare_behind_clause(lower) {
        return true;
    }
    if words.first().is_some_and(|first| STARTS.contains(first))
        || LEANING.iter().any(|start| lower.starts_with(start))
    {
        return true;
    }
    if is_leaning_on_number(lower) || TROUBLES_ABOVE.iter().any(|above| lower.contains(above)) {
        return true;
    }
    let is_own = |next: &str| OWN_WORK.contains(&next) || matches!(next, "week" | "month" | "year");
    pairs(words).any(|(word, next)| match word {
        "this" | "these" => !is_own(next) && !is_twice(lower, next) && !is_of_own_work(lower, next),
        "those" => {
            !matches!(next, "who" | "of" | "that" | "with" | "in" | "without" | "from" | "for")
                && !is_twice(lower, next)
        }
        "such" => !matches!(next, "as" | "that"),
        "both" => !lower.split("both ").nth(1).is_some_and(|rest| {
            let rest = &rest[..rest.floor_char_boundary(90)];
            rest.split([',', ';']).next().is_some_and(|part| part.contains(" and "))
        }),
        "latter" | "aforementioned" | "thereof" | "abovementioned" | "above-mentioned" | "likewise" => true,
        "former" => matches!(next, "" | "is" | "are" | "has"),
        "its" | "it" | "they" | "their" | "them" | "he" | "she" | "his" | "her" => {
            is_early(lower, words, word)
        }
        _ => false,
    })
}

const TROUBLES_ABOVE: [&str; 4] = ["problems above", "issues above", "challenges above", "limitations above"];

/// Whether a pronoun stands where nothing before it can be meant.
fn is_early(lower: &str, words: &[&str], pronoun: &str) -> bool {
    const OPENERS: [&str; 14] = [
        "at", "by", "for", "from", "in", "on", "over", "since", "under", "with", "within", "without",
        "after", "across",
    ];
    let at = words.iter().position(|word| *word == pronoun).unwrap_or_default();
    let is_subject = matches!(pronoun, "it" | "they" | "he" | "she");
    let opens = words.first().is_some_and(|first| OPENERS.contains(first));
    at < 3
        || is_subject && opens && at < 9 && !lower.contains(", ")
        || is_subject
            && opens
            && lower.split_once(", ").is_some_and(|(clause, _)| clause.contains(&format!(" {pronoun} ")))
        || matches!(pronoun, "their" | "them") && !words[..at].iter().any(|word| names_several(word))
}

/// Whether "their" may stand for it.
fn names_several(word: &str) -> bool {
    const SEVERAL: [&str; 12] = [
        "and",
        "authors",
        "children",
        "data",
        "everybody",
        "everyone",
        "men",
        "people",
        "staff",
        "who",
        "women",
        "they",
    ];
    word.len() > 3 && word.ends_with('s') || SEVERAL.contains(&word)
}

/// Whether no definite noun at the beginning is spoken of as if it were known.
fn introduces(sentence: &str, known: &Known) -> bool {
    const FREE: [&str; 69] = [
        "biggest",
        "endpoint",
        "outcome",
        "primary",
        "target",
        "ability",
        "accuracy",
        "algorithm",
        "analysis",
        "approach",
        "architecture",
        "authors",
        "average",
        "benchmark",
        "best",
        "code",
        "corpus",
        "dataset",
        "effect",
        "evaluation",
        "evidence",
        "experiments",
        "experimental",
        "findings",
        "first",
        "framework",
        "gains",
        "goal",
        "highest",
        "idea",
        "improvement",
        "internet",
        "largest",
        "law",
        "main",
        "majority",
        "method",
        "methodology",
        "model",
        "models",
        "most",
        "new",
        "number",
        "paper",
        "performance",
        "pipeline",
        "proposed",
        "proportion",
        "public",
        "rate",
        "ratio",
        "result",
        "results",
        "resulting",
        "share",
        "strongest",
        "study",
        "survey",
        "system",
        "technique",
        "training",
        "use",
        "value",
        "web",
        "work",
        "world",
        "year",
        "price",
        "cost",
    ];
    let Some(rest) = sentence.strip_prefix("The ") else { return true };
    let mut words =
        rest.split(|c: char| !c.is_alphanumeric() && !"-'’".contains(c)).filter(|word| !word.is_empty());
    let mut next = || words.next().unwrap_or_default();
    let (first, second, third) = (next(), next(), next());
    first.chars().any(|c| c.is_uppercase() || c.is_ascii_digit())
        || second == "of"
        || second.starts_with(char::is_uppercase)
        || known.is_paper && [first, second, third].iter().any(|word| FREE.contains(word))
        || matches!(
            first,
            "number" | "share" | "use" | "price" | "average" | "majority" | "public" | "internet"
        )
        || known.has(first)
        || known.has(second) && !second.ends_with('s')
}

#[cfg(test)]
mod tests;
