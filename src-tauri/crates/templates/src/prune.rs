//! Removes the sentences of a template that a summary denies or does not mention; changes none.

use crate::checks::check_pruned;
use crate::choice_words::QUANTITIES;
use crate::fill::answered;
use crate::fixed_text::is_fixed;
use crate::labels::parted;
use crate::lines::{Line, depends_on_previous, lines};
use crate::placeholders::{Placeholder, placeholders};
use crate::sections::level;
use crate::summary::{Summary, clauses};
use crate::tokens::{Token, TokenKind, content, denied, denies, tokens};
use prose::{OPPOSITES_WITHOUT_SPACES, OppositeSide, Place, is_ideographic, opposite_sides, says_undenied};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::Range;

/// Why a sentence was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RemovalReason {
    /// The summary does not mention its subject.
    NotMentioned,
    /// The summary says the opposite.
    Denied,
    /// A heading without remaining text.
    EmptySection,
}

/// A sentence that was taken out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// The sentence as in the template.
    pub sentence: String,
    /// Why it was removed.
    pub why: RemovalReason,
}

/// A template without the sentences that the summary does not support.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pruned {
    /// Sentences of the template, in its order.
    pub text: String,
    /// The removed sentences in order.
    pub removed: Vec<Removal>,
}

/// Removes the sentences that the summary denies, and those with no subject in it. Form lines, check lists, references
/// and sentences about the document stay.
pub fn prune(template: &str, summary: &str) -> Pruned {
    let marks = placeholders(template);
    let lines = lines(template, &marks);
    let known = SummaryFacts::new(&parted(summary));
    let answered = answered(template, &marks, summary);
    let mut verdicts: Vec<Option<RemovalReason>> = Vec::with_capacity(lines.len());
    let mut was_fixed = false;
    for line in &lines {
        let after = template.get(line.range.end..).unwrap_or_default();
        let is_it = is_fixed(template, line, &marks, was_fixed, after);
        was_fixed = is_it && line.place != Place::Heading;
        let verdict = if is_it { None } else { known.verdict(template, line, &marks) };
        // A sentence with a filled placeholder is supported, whatever its words.
        let is_filled = answered[line.gaps.clone()].contains(&true);
        verdicts.push(verdict.filter(|why| *why == RemovalReason::Denied || !is_filled));
    }
    empty_sections(template, &lines, &mut verdicts);
    build(template, &lines, &verdicts)
}

/// A sentence or a clause of the summary.
#[derive(Default)]
struct SummaryStatement {
    text: String,
    sides: Sides,
    /// Its words, and whether each is affirmed.
    words: HashMap<u64, bool>,
    figures: Vec<u64>,
    /// The number of its clauses before this one.
    clauses: usize,
}

/// The content of the summary.
struct SummaryFacts {
    said: Vec<SummaryStatement>,
}

/// Share of a sentence that another must have to be on the same subject.
const LEAST_SHARE: f64 = 0.5;
/// Most sentences and clauses of a summary that are compared.
const MOST_SAID: usize = 600;

impl SummaryFacts {
    fn new(summary: &str) -> Self {
        let mut said = Vec::new();
        for sentence in Summary::new(summary).sentences {
            let ranges = denied(sentence.text, &sentence.tokens);
            let whole = Some(&sentence.clauses[..]).filter(|clauses| clauses.len() > 1);
            for clauses in sentence.clauses.chunks(1).chain(whole) {
                let mut part = SummaryStatement::default();
                for clause in clauses {
                    let tokens = &sentence.tokens[clause.clone()];
                    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { continue };
                    let denied = words_within(&ranges, tokens);
                    for word in content(tokens) {
                        *part.words.entry(word).or_default() |= !denied.contains(&word);
                    }
                    part.figures.extend(figures(tokens));
                    part.text += &sentence.text[first.start..last.end].to_lowercase();
                    part.text.push(' ');
                }
                part.sides = sides(&part.text);
                part.clauses = if clauses.len() > 1 { clauses.len() } else { 0 };
                said.push(part);
            }
        }
        said.truncate(MOST_SAID);
        Self { said }
    }

    fn verdict(&self, template: &str, line: &Line, marks: &[Placeholder]) -> Option<RemovalReason> {
        let words = line.words(template, marks);
        let all = tokens(&words, 0..words.len());
        let mut subject = subject(&words, &all);
        let names = marks.get(line.gaps.clone()).unwrap_or_default();
        let asked: Vec<u64> =
            names.iter().flat_map(|mark| content(&tokens(&mark.name, 0..mark.name.len()))).collect();
        // "The {treasurer} spoke" mentions the treasurer.
        if !subject.is_empty() && line.fixed.first().is_some_and(|before| content(before).is_empty()) {
            subject.extend(&asked);
        }
        let has_polarity = names.iter().any(|mark| mark.choices.iter().any(|choice| denies(choice)));
        if !has_polarity && self.denies(&words, &all, &subject) {
            return Some(RemovalReason::Denied);
        }
        let ours = content(&all);
        let speaks = |said: &SummaryStatement| {
            subject.iter().chain(&asked).any(|word| said.words.contains_key(word))
                // A sentence with a placeholder states nothing yet; at least half of a statement must occur in the
                // summary.
                && (!line.gaps.is_empty() || share(&ours, &subject, said, 0) >= LEAST_SHARE)
        };
        (!subject.is_empty() && !self.said.iter().any(speaks)).then_some(RemovalReason::NotMentioned)
    }

    fn denies(&self, written: &str, all: &[Token], subject: &[u64]) -> bool {
        let text = written.to_lowercase();
        let (ours, own, sides) = (content(all), figures(all), sides(&text));
        let ranges = denied(written, all);
        let denied = words_within(&ranges, all);
        let is_all = ALL.iter().any(|word| text.starts_with(word));
        let (mut against, mut beside) = (0.0_f64, 0.0_f64);
        let mut contradictions = vec![0.0; self.said.len()];
        for (at, said) in self.said.iter().enumerate() {
            let named = if subject.is_empty() { &ours } else { subject };
            if !named.iter().any(|word| said.words.contains_key(word)) {
                continue;
            }
            let opposed = opposites(&sides, &said.sides);
            let share = share(&ours, subject, said, opposed.len());
            // A negation in a clause applies to its sentence.
            if contradictions[at - said.clauses..at].iter().any(|of_clause| *of_clause >= share) {
                continue;
            }
            let is_affirmed = |word: &u64| said.words.get(word).copied();
            let is_other = if !opposed.is_empty() {
                let mut words = opposed.iter().flat_map(|word| content(&tokens(word, 0..word.len())));
                ranges.is_empty() == words.any(|word| is_affirmed(&word) == Some(false))
            } else if ranges.is_empty() {
                ours.iter().any(|word| is_affirmed(word) == Some(false))
            } else {
                // The same words that are denied here must be affirmed there, not only their neighbours.
                let here: Vec<bool> = denied.iter().filter_map(is_affirmed).collect();
                !here.is_empty() && !here.contains(&false)
            };
            let counts_otherwise = share >= 1.0
                && !said.figures.is_empty()
                && own.iter().any(|figure| !said.figures.contains(figure));
            // A double negation cancels out: "did not rise" and "fell" agree.
            let contradicts = is_other == opposed.is_empty();
            contradictions[at] = if contradicts { share } else { 0.0 };
            let is_part = is_all
                && !ALL.iter().any(|word| says(&said.text, word))
                && (!said.figures.is_empty() || says_part(&said.text));
            if contradicts || opposed.iter().any(|word| denies(word)) || counts_otherwise || is_part {
                against = against.max(share);
            } else {
                beside = beside.max(share);
            }
        }
        against > LEAST_SHARE && (against > beside || is_all && against >= beside)
    }
}

/// Words for the whole of something.
static ALL: [&str; 7] = ["all ", "every ", "each ", "全部", "所有", "すべて", "全員"];

fn says(text: &str, word: &str) -> bool {
    text.starts_with(word) || text.contains(&format!(" {word}")) || !word.is_ascii() && text.contains(word)
}

/// Whether a text counts a part of something: "most", "部分".
fn says_part(text: &str) -> bool {
    QUANTITIES
        .iter()
        .filter(|word| !denies(word))
        .any(|word| says(text, &if word.is_ascii() { format!("{word} ") } else { (*word).to_owned() }))
}

/// The share of the words that occur there, too, `more` of them in other forms; the first word of the subject counts
/// twice.
fn share(words: &[u64], subject: &[u64], said: &SummaryStatement, more: usize) -> f64 {
    let all = words.iter().chain(subject.first());
    let known = all.clone().filter(|word| said.words.contains_key(word)).count() + more;
    (known as f64 / all.count().max(1) as f64).min(1.0)
}

fn figures(tokens: &[Token]) -> Vec<u64> {
    tokens.iter().filter(|token| token.kind == TokenKind::Figure).map(|token| token.key).collect()
}

fn words_within(ranges: &[Range<usize>], all: &[Token]) -> Vec<u64> {
    let within = |range: &Range<usize>| {
        let is_within = |token: &&Token| range.start <= token.start && token.end <= range.end;
        content(&all.iter().filter(is_within).copied().collect::<Vec<_>>())
    };
    ranges.iter().flat_map(within).collect()
}

/// The words of a text with an opposite, with their polarity, in English, Chinese and Japanese.
#[derive(Default)]
struct Sides {
    spaced: Vec<(String, &'static [OppositeSide])>,
    wide: Vec<(&'static str, OppositeSide)>,
}

fn sides(text: &str) -> Sides {
    let words = text.split(|c: char| !c.is_ascii_alphabetic()).map(|word| (word, opposite_sides(word)));
    let spaced =
        words.filter(|(_, sides)| !sides.is_empty()).map(|(word, sides)| (word.to_owned(), sides)).collect();
    let mut wide = Vec::new();
    for (pair, (one, other)) in OPPOSITES_WITHOUT_SPACES.iter().enumerate().filter(|_| !text.is_ascii()) {
        for (words, side) in [(one, true), (other, false)] {
            let said = words.iter().find(|word| says_undenied(text, word));
            wide.extend(said.map(|word| (*word, (pair, side))));
        }
    }
    Sides { spaced, wide }
}

/// The opposites in the other text of words in this one, if this one does not have them itself.
fn opposites<'a>(own: &Sides, other: &'a Sides) -> Vec<&'a str> {
    let ours = |(pair, side): &OppositeSide| own.spaced.iter().any(|(_, own)| own.contains(&(*pair, *side)));
    let is_same = |(_, sides): &(String, &[OppositeSide])| sides.iter().any(ours);
    let is_opposite =
        |(_, sides): &&(String, &[OppositeSide])| sides.iter().any(|(pair, side)| ours(&(*pair, !side)));
    let is_wide_opposite = |(_, (pair, side)): &&(&str, OppositeSide)| {
        let has = |sides: &Sides, side: bool| sides.wide.iter().any(|(_, one)| *one == (*pair, side));
        has(own, !side) && !has(own, *side) && !has(other, !side)
    };
    let spaced = other.spaced.iter().filter(|_| !other.spaced.iter().any(is_same)).filter(is_opposite);
    let wide = other.wide.iter().filter(is_wide_opposite).map(|(word, _)| *word);
    spaced.map(|(word, _)| word.as_str()).chain(wide).collect()
}

/// Words that begin a part of a sentence other than its subject.
const BEFORE_SUBJECT: &str = " in on at of for from by with after before during since until under over between among to as \
    because although though when if there ";

/// The subject of a sentence: its words before its verb; empty if it depends on another sentence.
pub(crate) fn subject(text: &str, all: &[Token]) -> Vec<u64> {
    if depends_on_previous(text) {
        return Vec::new();
    }
    if text.contains(is_ideographic) {
        let first = &all[clauses(all).into_iter().next().unwrap_or(0..0)];
        let topic = first.iter().position(|token| matches!(token.text(text), "は" | "が" | "も"));
        let is_thing = |token: &Token| token.kind == TokenKind::Ideograph;
        let from = first.iter().position(is_thing).unwrap_or(first.len());
        let length = first[from..].iter().take_while(|token| is_thing(token)).count();
        return content(&first[from..topic.unwrap_or(from + length).max(from)]);
    }
    let is = |token: &Token, words: &str| words.contains(&format!(" {} ", token.text(text).to_lowercase()));
    let mut rest = all;
    if rest.first().is_some_and(|first| is(first, BEFORE_SUBJECT)) {
        let end = rest.iter().position(|token| token.kind == TokenKind::Break).unwrap_or(rest.len());
        rest = rest
            .get(end + 1..)
            .filter(|rest| !rest.first().is_some_and(|next| is(next, BEFORE_SUBJECT)))
            .unwrap_or_default();
    }
    let is_word = |token: &&Token| token.kind == TokenKind::Word;
    let from = rest.iter().position(|token| is_word(&token)).unwrap_or(rest.len());
    let goes_on = |token: &&Token| is_word(token) || token.kind == TokenKind::Break || is(token, " of ");
    let mut found: Vec<u64> = Vec::new();
    for token in rest[from..].iter().take_while(goes_on).filter(is_word) {
        if !found.is_empty() && token.text(text).ends_with("ed") {
            break;
        }
        found.push(token.key);
    }
    found
}

/// Marks the headings without remaining text.
fn empty_sections(template: &str, lines: &[Line], verdicts: &mut [Option<RemovalReason>]) {
    let level = |line: &Line| level(template, line.range.start);
    for index in 0..lines.len() {
        if lines[index].place != Place::Heading || level(&lines[index]) < 2 {
            continue;
        }
        let own = level(&lines[index]);
        let mut is_empty = true;
        let mut had_any = false;
        for other in index + 1..lines.len() {
            if lines[other].place == Place::Heading {
                if level(&lines[other]) <= own {
                    break;
                }
                is_empty = false;
                break;
            }
            had_any = true;
            if verdicts[other].is_none() {
                is_empty = false;
                break;
            }
        }
        if is_empty && had_any {
            verdicts[index] = Some(RemovalReason::EmptySection);
        }
    }
}

fn build(template: &str, lines: &[Line], verdicts: &[Option<RemovalReason>]) -> Pruned {
    let removed = lines.iter().zip(verdicts).filter_map(|(line, verdict)| {
        Some(Removal { sentence: template[line.range.clone()].to_owned(), why: (*verdict)? })
    });
    let text = without(template, &cuts(template, lines, verdicts));
    if check_pruned(template, &text).is_empty() {
        return Pruned { text, removed: removed.collect() };
    }
    // Removing a sentence can join its neighbours if their borders are unclear; then the whole text stays.
    Pruned { text: template.to_owned(), removed: Vec::new() }
}

/// The removed byte ranges: the mark of a line goes with the last of its sentences.
fn cuts(template: &str, lines: &[Line], verdicts: &[Option<RemovalReason>]) -> Vec<Range<usize>> {
    let start_of_line = |line: &Line| template[..line.range.start].rfind('\n').map_or(0, |at| at + 1);
    let has_mark = |index: usize| {
        let start = start_of_line(&lines[index]);
        let is_first = index == 0 || lines[index - 1].range.end <= start;
        is_first && !template[start..lines[index].range.start].trim().is_empty()
    };
    let is_gone = |index: usize| verdicts.get(index).is_some_and(Option::is_some);
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let mut end = at + 1;
        while has_mark(at) && end < lines.len() && lines[end].place == lines[at].place && !has_mark(end) {
            let between = template.get(lines[end - 1].range.end..lines[end].range.start).unwrap_or_default();
            if between.contains("\n\n") {
                break;
            }
            end += 1;
        }
        let first_kept = (at..end).find(|index| !is_gone(*index));
        match first_kept {
            Some(kept) if kept > at => found.push(lines[at].range.start..lines[kept].range.start),
            None if has_mark(at) => found.push(start_of_line(&lines[at])..lines[at].range.end),
            _ => {}
        }
        let from = first_kept.unwrap_or(if has_mark(at) { at + 1 } else { at });
        found.extend((from..end).filter(|index| is_gone(*index)).map(|index| lines[index].range.clone()));
        at = end;
    }
    found
}

/// The text without some ranges, and without the spaces and empty lines that they leave.
fn without(template: &str, cuts: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut from = 0;
    for cut in cuts {
        out.push_str(template.get(from..cut.start).unwrap_or_default());
        from = cut.end.max(from);
        let rest = &template[from..];
        from += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if template[from..].is_empty() || template[from..].starts_with('\n') {
            out.truncate(out.trim_end_matches([' ', '\t']).len());
        }
        if out.is_empty() || out.ends_with('\n') {
            let breaks = if out.ends_with("\n\n") || out.is_empty() { 2 } else { 1 };
            for _ in 0..breaks {
                from += usize::from(template[from..].starts_with('\n'));
            }
        }
    }
    out.push_str(template.get(from..).unwrap_or_default());
    out
}
