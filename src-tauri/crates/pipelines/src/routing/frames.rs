//! The subject of a request in free text: the request without the words around its subject.
//!
//! A request is split at its commas and colons. The phrases that `frames.toml` lists are removed from both ends of each
//! part until none is left. Nothing is removed from the middle: unknown words stay in the subject.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::terms::Script;
use interpreter::one_line;

const FRAMES: &str = include_str!("frames.toml");
/// Longest subject, in characters.
const LONGEST: usize = 160;
/// Bytes of a request that are read for its subject: a document that follows does not name it.
const READ: usize = 2_000;
/// Sentences at the beginning of a request that may contain the subject.
const SENTENCES: usize = 4;

/// The subject of a request for the search: "attention" for "explain how attention works".
pub(crate) fn subject_of(request: &str) -> String {
    shortened(thing_asked(named(request)))
}

/// The title of the requested text: the subject with the question about it.
pub(crate) fn title_of(request: &str) -> String {
    let title = named(request);
    // A question without words around it is a title as it is.
    let first = sentences(request).next().unwrap_or_default();
    let is_question = first.ends_with(['?', '？']) && without_end(first) == title;
    shortened(if is_question { first } else { title })
}

/// The part of a request that names its subject: from the first sentence that asks for something, else from the first
/// that is more than a frame, else the first sentence.
fn named(request: &str) -> &str {
    let read = &request[..request.floor_char_boundary(READ)];
    let says = |(place, sentence): &(usize, &str)| *place == 0 || !grammar(sentence).is_aside(sentence);
    let candidates = sentences(read).take(SENTENCES).enumerate().filter(says);
    let named = candidates.filter_map(|(_, sentence)| Some((sentence, grammar(sentence).subject(sentence)?)));
    let named: Vec<(&str, &str)> = named.collect();
    let asking = named.iter().find(|(sentence, subject)| thing_asked(subject) != without_end(sentence));
    let found = asking.or(named.first()).map(|(_, subject)| *subject);
    found.unwrap_or_else(|| without_end(sentences(read).next().unwrap_or_default()))
}

/// The thing that a question is about.
fn thing_asked(question: &str) -> &str {
    let mut left = question;
    loop {
        let mut found = grammar(left).question.iter().filter_map(|frame| frame.find(left));
        let Some(found) = found.find(|found| !found.is_empty()) else { return left };
        let rest = if found.start() == 0 { found.end()..left.len() } else { 0..found.start() };
        let rest = &left[trimmed(left, rest)];
        if rest.is_empty() {
            return left;
        }
        left = rest;
    }
}

fn shortened(text: &str) -> String {
    one_line(&text.chars().take(LONGEST).collect::<String>())
}

fn without_end(sentence: &str) -> &str {
    sentence.trim_end_matches(is_end)
}

fn is_end(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '。' | '！' | '？' | ':' | '：') || character.is_whitespace()
}

/// Whether the mark before this text separates: a mark inside a word or a number does not.
fn is_apart(rest: &str) -> bool {
    rest.chars().next().is_none_or(|next| next.is_whitespace() || matches!(next, '\u{2e80}'..='\u{ffef}'))
}

/// The sentences of a text, with their final marks.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split_inclusive(['。', '！', '？', '\n']);
    let parts = lines.flat_map(|line| {
        let stops = line.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
        let mut start = 0;
        let ends = stops.filter(move |end| is_apart(&line[*end..])).chain([line.len()]);
        ends.map(move |end| &line[std::mem::replace(&mut start, end)..end])
    });
    parts.map(str::trim).filter(|sentence| !without_end(sentence).is_empty())
}

#[derive(Deserialize)]
struct Written {
    parts: BTreeMap<String, String>,
    english: Patterns,
    chinese: Patterns,
    japanese: Patterns,
}

#[derive(Deserialize)]
struct Patterns {
    before: Vec<String>,
    after: Vec<String>,
    aside: Vec<String>,
    question: Vec<String>,
    #[serde(default)]
    variants: String,
}

/// The frames of one language.
#[derive(Default)]
struct Grammar {
    before: Vec<Regex>,
    after: Vec<Regex>,
    aside: Vec<Regex>,
    question: Vec<Regex>,
    variants: BTreeMap<char, char>,
}

/// The grammar of the language of a text.
fn grammar(text: &str) -> &'static Grammar {
    // A test reads the file, so an unreadable one never gets here.
    static GRAMMARS: LazyLock<[Grammar; 3]> = LazyLock::new(|| grammars().unwrap_or_default());
    let [english, chinese, japanese] = &*GRAMMARS;
    match Script::of(text) {
        Script::Spaced => english,
        Script::Chinese => chinese,
        Script::Japanese => japanese,
    }
}

fn grammars() -> Result<[Grammar; 3], String> {
    let written: Written = toml_edit::de::from_str(FRAMES).map_err(|error| error.to_string())?;
    let of = |patterns: &Patterns| Grammar::new(patterns, &written.parts);
    Ok([of(&written.english)?, of(&written.chinese)?, of(&written.japanese)?])
}

impl Grammar {
    fn new(patterns: &Patterns, parts: &BTreeMap<String, String>) -> Result<Grammar, String> {
        // Parts may contain parts, nested no deeper than this.
        let whole = |pattern: &String| {
            let fill =
                |text: String, (name, part): (&String, &String)| text.replace(&format!("{{{name}}}"), part);
            (0..3).fold(pattern.clone(), |text, _| parts.iter().fold(text, fill))
        };
        let read = |patterns: &[String], around: fn(String) -> String| -> Result<Vec<Regex>, String> {
            let each = patterns.iter().map(|pattern| Regex::new(&around(whole(pattern))));
            each.collect::<Result<_, _>>().map_err(|error| error.to_string())
        };
        let variants: Vec<char> = patterns.variants.chars().collect();
        Ok(Grammar {
            before: read(&patterns.before, |pattern| format!("(?i)^(?:{pattern})"))?,
            after: read(&patterns.after, |pattern| format!("(?i)(?:{pattern})$"))?,
            aside: read(&patterns.aside, |pattern| format!("(?i)^(?:{pattern})"))?,
            question: read(&patterns.question, |pattern| format!("(?i){pattern}"))?,
            variants: variants.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
        })
    }

    /// The subject of a sentence as it is written; `None` if all of it is frames.
    fn subject<'t>(&self, sentence: &'t str) -> Option<&'t str> {
        // Both forms of a character have the same length, so offsets stay valid.
        let read: String = sentence.chars().map(|c| *self.variants.get(&c).unwrap_or(&c)).collect();
        let mut found: Option<Range<usize>> = None;
        for part in parts(&read) {
            let whole = trimmed(&read, part);
            let left = self.without_frames(&read, whole.clone());
            match &mut found {
                // After a part that does not belong to the subject, nothing does.
                Some(_) if left.is_empty() || self.is_aside(&read[whole.clone()]) => break,
                Some(found) => found.end = left.end,
                None if !left.is_empty() => found = Some(left.clone()),
                None => continue,
            }
            // The same holds after a frame.
            if left.end < whole.end {
                break;
            }
        }
        found.map(|range| &sentence[range])
    }

    /// Whether a part of a sentence does not belong to the subject.
    fn is_aside(&self, part: &str) -> bool {
        self.aside.iter().any(|frame| frame.is_match(part))
    }

    /// The range of a part without its frames.
    fn without_frames(&self, text: &str, mut left: Range<usize>) -> Range<usize> {
        let first = |frames: &[Regex], rest: &str| {
            let found = frames.iter().filter_map(|frame| Some(frame.find(rest)?.range()));
            let mut found = found.filter(|range| !range.is_empty());
            found.next()
        };
        while !left.is_empty() {
            let rest = &text[left.clone()];
            left = match (first(&self.before, rest), first(&self.after, rest)) {
                (Some(found), _) => trimmed(text, left.start + found.end..left.end),
                (None, Some(found)) => trimmed(text, left.start..left.start + found.start),
                (None, None) => break,
            };
        }
        left
    }
}

/// The parts of a sentence between its commas, colons and dashes.
fn parts(sentence: &str) -> impl Iterator<Item = Range<usize>> {
    let marks = sentence.match_indices([',', ';', ':', '，', '；', '：', '、', '-', '–', '—']);
    let marks = marks.filter(|(at, mark)| {
        let is_dash = matches!(*mark, "-" | "–" | "—");
        let (before, behind) = (&sentence[..*at], &sentence[at + mark.len()..]);
        !(mark.is_ascii() || is_dash) || (is_apart(behind) && (!is_dash || before.ends_with(' ')))
    });
    let ends: Vec<(usize, usize)> = marks.map(|(at, mark)| (at, at + mark.len())).collect();
    let mut start = 0;
    let last = (sentence.len(), sentence.len());
    ends.into_iter().chain([last]).map(move |(end, next)| std::mem::replace(&mut start, next)..end)
}

/// A range without the connecting marks at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start_matches(is_tie).len());
    start..start + text[start..range.end].trim_end_matches(is_tie).len()
}

fn is_tie(character: char) -> bool {
    is_end(character) || matches!(character, ',' | ';' | '，' | '；' | '、' | '-' | '–' | '—')
}

#[cfg(test)]
mod tests;
