//! The topic as it can stand in a heading and an opening sentence, and those two.

use super::frames::{Day, cut, is_german, period};
use super::ideographic::{Language, language};
use super::voice::capitalised;
use crate::clean::clean;
use crate::stop_words::is_stop;
use crate::tokens::word_key;
use crate::topic_words::{FILLERS, FIRST_OF_TWO};

/// Who asked, as far as the language of the topic tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A language with spaces; whether it is English.
    Spaced { is_english: bool },
    /// Chinese or Japanese, which short topics do not tell apart.
    Dense,
}

impl Reader {
    pub(crate) fn of(topic: &str) -> Self {
        match language(topic) {
            Language::Spaced => {
                let is_plain = topic.chars().filter(|c| c.is_alphabetic()).all(|c| c.is_ascii());
                Self::Spaced { is_english: is_plain && !is_german(topic) }
            }
            Language::Chinese | Language::Japanese => Self::Dense,
        }
    }

    pub(crate) fn is_english(self) -> bool {
        self == Self::Spaced { is_english: true }
    }

    /// Whether a text of this language is theirs.
    pub(crate) fn reads(self, language: Language, is_english: bool) -> bool {
        match self {
            Self::Spaced { is_english: wants } => language == Language::Spaced && (is_english || !wants),
            Self::Dense => language != Language::Spaced,
        }
    }
}

/// The topic without the words around it, or none when it is no short phrase: it came from a text box.
pub(crate) fn phrase(topic: &str) -> Option<String> {
    let topic = clean(cut(topic, 300));
    if topic.chars().count() > 80
        || topic.contains(['[', ']', '<', '>', '|', '#', '*', '`', '_', '\\'])
        || !is_plainly_bracketed(&topic)
    {
        return None;
    }
    let words: Vec<&str> = topic
        .split_whitespace()
        .map(|word| word.trim_matches(['.', '?', '!', ',', ';', ':', '"', '“', '”']))
        .collect();
    let wraps = |word: &&str| {
        let key = word_key(&word.to_lowercase());
        word.is_empty() || is_stop(key) || FILLERS.contains(&key)
    };
    let is_first_part = |at: usize| {
        let is_after_filler =
            at > 0 && wraps(&words[at - 1]) && FILLERS.contains(&word_key(&words[at - 1].to_lowercase()));
        FIRST_OF_TWO.contains(&word_key(&words[at].to_lowercase()))
            && !is_after_filler
            && words.get(at + 1).is_some_and(|next| !wraps(next))
    };
    let start = (0..words.len()).find(|at| !wraps(&words[*at]) || is_first_part(*at))?;
    let end = words.iter().rposition(|word| !wraps(word))? + 1;
    // "Latest developments in games" is about games, "game development" is another thing.
    let end = end + usize::from(words.get(end).is_some_and(|word| word.eq_ignore_ascii_case("development")));
    let kept = words.get(start..end)?;
    (kept.len() <= 8 && kept.iter().any(|word| word.chars().any(char::is_alphanumeric)))
        .then(|| kept.join(" "))
}

/// Whether brackets hold another name for what stands before them, "Segment Anything (SAM 3)", or there are none.
fn is_plainly_bracketed(topic: &str) -> bool {
    let Some((before, rest)) = topic.split_once('(') else { return !topic.contains(')') };
    let is_name = |inside: &str| {
        inside.chars().any(char::is_alphanumeric)
            && inside.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '.'))
    };
    before.ends_with(' ')
        && rest
            .split_once(')')
            .is_some_and(|(inside, behind)| is_name(inside) && !behind.contains(['(', ')']))
}

/// Names out of a topic, if they are words and nothing else.
pub(crate) fn named(names: &[String]) -> Option<String> {
    let is_plain = |name: &String| name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
    (!names.is_empty() && names.iter().all(is_plain)).then(|| names.join(", "))
}

/// A topic that is asked as a question stays one.
pub(crate) fn question(topic: &str) -> Option<String> {
    let topic = clean(cut(topic, 300));
    let first = topic.split(' ').next().unwrap_or_default().to_lowercase();
    let asks =
        ["what", "which", "how", "are", "is", "do", "does", "who", "why", "when", "where", "can", "will"]
            .contains(&first.as_str());
    // "What does the law change" asks without its mark; "how models reason" only names a topic.
    let second = topic.split(' ').nth(1).unwrap_or_default().to_lowercase();
    let asks_unmarked = matches!(first.as_str(), "what" | "how" | "why")
        && matches!(second.as_str(), "are" | "can" | "did" | "do" | "does" | "is" | "many" | "much" | "will");
    let topic =
        if asks_unmarked && topic.ends_with(char::is_alphanumeric) { format!("{topic}?") } else { topic };
    let is_plain = topic.split_whitespace().count() <= 16
        && topic.ends_with('?')
        && !topic.contains(['[', ']', '<', '>', '|', '#', '*', '`', '_', '\\']);
    (asks && is_plain).then(|| capitalised(&topic))
}

/// Letters of a word from which on it can be told from another by all but one of them.
const LEAST_MISSPELT: usize = 7;

/// The topic with the capitals that the articles write ("ai chips" is about AI chips), and as they spell what none has with
/// one slip in it.
pub(crate) fn as_written(topic: &str, texts: &[&str]) -> String {
    let word = |word: &str| -> String {
        if word.is_empty() || !word.chars().all(char::is_lowercase) {
            return word.to_owned();
        }
        let words = || texts.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        let mut written = words().filter(|other| other.eq_ignore_ascii_case(word)).take(50);
        let first = written.next();
        let has_capitals = |other: &&str| other.chars().skip(1).any(char::is_uppercase);
        match first.filter(has_capitals) {
            Some(first) if written.all(|other| has_capitals(&other)) => first.to_owned(),
            None if word.len() >= LEAST_MISSPELT => {
                // One of several and several of one are no slips.
                let is_one_of_many = |other: &str| other.trim_end_matches('s') == word.trim_end_matches('s');
                let is_meant = |other: &&str| {
                    let other = other.to_lowercase();
                    other.len().abs_diff(word.len()) <= 1
                        && !is_one_of_many(&other)
                        && strsim::osa_distance(&other, word) == 1
                };
                let is_there = || words().any(|other| is_one_of_many(&other.to_lowercase()));
                if is_there() {
                    return word.to_owned();
                }
                words().find(is_meant).map_or_else(|| word.to_owned(), str::to_lowercase)
            }
            _ => word.to_owned(),
        }
    };
    topic.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// "# Topic in June 2026".
pub(crate) fn heading(topic: Option<&str>, days: &[Option<Day>]) -> Option<String> {
    let topic = capitalised(topic?);
    Some(match period(days) {
        Some(period) if days.iter().flatten().min() == days.iter().flatten().max() => {
            format!("# {topic}, {period}")
        }
        Some(period) => format!("# {topic} in {period}"),
        None => format!("# {topic}"),
    })
}
