//! What a text says of a subject, quoted so that a reader who knows only its title understands it.
//!
//! A quotation begins with the sentence that names the thing: what the writers of a paper announce, or the first one of
//! a report. What stands before it in a paper was known before. Behind it stand findings, those with figures first.
//! Sentences that lean on one that is not quoted are left out; where none can begin, there is no quotation.

use crate::candidates::{Candidate, candidates, is_leaning};
use crate::cues::{CONNECTIVES, CREATING, FINDING, STUDYING};
use crate::standing::{Known, stands_alone};
use crate::stop_words::is_stop_word;
use crate::words::count_words;

/// Sentences of a quotation: more of one source is no quotation any more.
const MOST: usize = 4;
/// Sentences of a report among which the one that names the thing is looked for.
const OPENING: usize = 3;
/// What a sentence that is quoted behind the first one is worth at least.
const LEAST_WORTH: f64 = 0.9;
/// What a sentence loses in worth that leans on the one before.
const OF_LEANING: f64 = 3.0;
/// Characters of a clause that may be left out before "we introduce".
const LONGEST_LEAD: usize = 100;
/// What stands for words that are left out.
const LEFT_OUT: &str = "… ";

/// A sentence that may be quoted.
struct Quoted<'a> {
    candidate: &'a Candidate,
    /// Its words, without a clause that leans on what is not quoted.
    text: String,
    /// Whether the writers say what they made or looked into.
    is_announcing: bool,
}

/// The complete sentences of `text` that say most about `query`, at most `max_words` words together, as passages of
/// neighbouring sentences in their order. Empty where no sentence can begin.
pub fn quotation(text: &str, query: &str, title: &str, max_words: usize) -> Vec<String> {
    let all = candidates(text, query);
    // What others found is no finding of this text.
    let own = all.iter().filter(|candidate| !candidate.text.contains(" et al."));
    let all = own.map(|candidate| Quoted::new(candidate, title));
    let all: Vec<Quoted<'_>> = all.filter(|one| one.words() <= max_words).collect();
    let Some(first) = opening(&all, title) else { return Vec::new() };
    let mut chosen = vec![first];
    let mut behind: Vec<&Quoted<'_>> =
        all.iter().filter(|one| one.candidate.index > first.candidate.index).collect();
    behind.sort_by(|one, other| {
        let worth = |quoted: &Quoted<'_>| quoted.worth_behind(first);
        worth(other).total_cmp(&worth(one)).then(one.candidate.index.cmp(&other.candidate.index))
    });
    let mut used = first.words();
    for quoted in behind {
        if chosen.len() == MOST || quoted.worth_behind(first) < LEAST_WORTH {
            break;
        }
        let mut with = chosen.clone();
        with.push(quoted);
        with.sort_by_key(|quoted| quoted.candidate.index);
        if used + quoted.words() <= max_words && can_be_read(&with, title) {
            used += quoted.words();
            chosen = with;
        }
    }
    let runs = chosen.chunk_by(|one, other| other.candidate.index == one.candidate.index + 1);
    runs.map(|run| run.iter().map(|quoted| quoted.text.as_str()).collect::<Vec<_>>().join(" ")).collect()
}

/// The sentence that names the thing.
fn opening<'q, 'a>(all: &'q [Quoted<'a>], title: &str) -> Option<&'q Quoted<'a>> {
    let known = Known::of(title, true);
    let opens = |quoted: &&Quoted<'_>| quoted.can_begin(&known);
    let announcing = all.iter().filter(|quoted| quoted.is_announcing);
    let worth = |quoted: &&Quoted<'_>| quoted.candidate.as_lead;
    let best = announcing
        .clone()
        .filter(opens)
        .max_by(|one, other| worth(one).total_cmp(&worth(other)).then(other.index().cmp(&one.index())));
    // A paper that says what it is only in a sentence that leans on another may do so again by its name.
    let of_name = || {
        let name = title.split(':').next().filter(|name| name.len() < title.len())?;
        let named = all.iter().filter(opens).filter(|quoted| quoted.text.starts_with(name));
        let result = |quoted: &&Quoted<'_>| quoted.candidate.as_result;
        named
            .filter(|quoted| result(quoted) >= LEAST_WORTH)
            .max_by(|one, other| result(one).total_cmp(&result(other)))
    };
    let first_of_report = || {
        all.iter().take_while(|quoted| quoted.index() < OPENING).find(|quoted| {
            quoted.index() == 0 && !is_tied(&quoted.text)
                || quoted.can_begin(&known)
                    && !has_pronoun(&quoted.text)
                    && quoted.text.split(' ').any(|word| known.has(word))
        })
    };
    best.or_else(|| if announcing.clone().next().is_some() { of_name() } else { first_of_report() })
}

/// Whether a word stands for something that may not have been named.
fn has_pronoun(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).any(|word| matches!(word, "it" | "they" | "them"))
}

/// Whether every sentence, in their order, is understood by who knows the title and those before it.
fn can_be_read(chosen: &[&Quoted<'_>], title: &str) -> bool {
    let mut known = Known::of(title, true);
    chosen.iter().enumerate().all(|(place, quoted)| {
        let follows = place.checked_sub(1).is_some_and(|before| chosen[before].index() + 1 == quoted.index());
        let is_read = place == 0 || follows && !quoted.text.starts_with(LEFT_OUT) || quoted.can_begin(&known);
        known.add(&quoted.text);
        is_read
    })
}

impl<'a> Quoted<'a> {
    fn new(candidate: &'a Candidate, title: &str) -> Self {
        let is_announcing = announces(&candidate.text.to_lowercase());
        let hangs = || is_tied(&candidate.text) || !stands_alone(&candidate.text, &Known::of(title, true));
        let text = match without_lead(&candidate.text) {
            Some(rest) if hangs() => format!("{LEFT_OUT}{rest}"),
            _ => candidate.text.clone(),
        };
        Self { candidate, text, is_announcing }
    }

    fn index(&self) -> usize {
        self.candidate.index
    }

    fn words(&self) -> usize {
        count_words(&self.text)
    }

    /// Whether it is understood without a sentence before it.
    fn can_begin(&self, known: &Known) -> bool {
        let text = self.text.trim_start_matches(LEFT_OUT);
        !is_tied(text) && stands_alone(text, known) && (self.is_announcing || names_its_things(text, known))
    }

    /// What it is worth behind the one that names the thing.
    fn worth_behind(&self, first: &Quoted<'_>) -> f64 {
        let figure = if self.text.chars().any(|c| c.is_ascii_digit()) { 0.7 } else { 0.0 };
        let follows = match self.index() == first.index() + 1 {
            // It leans on nothing but what is quoted.
            true if self.candidate.is_leaning => 0.8 + OF_LEANING,
            true => 0.8,
            false => 0.0,
        };
        let is_speech = self.text.contains(['"', '“', '「']);
        self.candidate.as_result + figure + follows - if is_speech { 1.2 } else { 0.0 }
    }
}

/// Verbs of what writers did, beside those of making and of looking into something.
const DOING: [&str; 12] = [
    "train",
    "trained",
    "report",
    "measure",
    "measured",
    "instrument",
    "collect",
    "collected",
    "ask",
    "release",
    "extend",
    "built",
];

/// Whether the writers of a paper say in a sentence what they made or looked into.
fn announces(lower: &str) -> bool {
    let verb = |rest: &str| {
        let mut words = rest.split(' ').take(3).map(|word| word.trim_end_matches([',', 's']));
        words.any(|word| {
            !matches!(word, "use" | "provide")
                && [CREATING.as_slice(), &STUDYING, &FINDING, &DOING]
                    .iter()
                    .any(|verbs| verbs.contains(&word))
        })
    };
    let of_work =
        ["this paper ", "this work ", "this study ", "this article ", "this report ", "this survey "];
    let is_quoted = lower.contains(['"', '“']);
    let own = lower.strip_prefix("we ").or_else(|| lower.split_once(" we ").map(|(_, rest)| rest));
    !is_quoted
        && (own.is_some_and(verb) || of_work.iter().any(|own| lower.strip_prefix(own).is_some_and(verb)))
}

/// What stands behind a clause that leans on the sentence before: "we introduce …".
fn without_lead(text: &str) -> Option<&str> {
    let at = text.find(", we ").filter(|at| *at <= LONGEST_LEAD)?;
    let rest = &text[at + 2..];
    announces(&rest.to_lowercase()).then_some(rest)
}

/// Whether a sentence begins with words that tie it to the one before.
fn is_tied(text: &str) -> bool {
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
fn names_its_things(text: &str, known: &Known) -> bool {
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

#[cfg(test)]
mod tests;
