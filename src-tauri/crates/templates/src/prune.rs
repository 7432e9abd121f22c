//! Keeps the sentences of a template that a summary speaks for and takes out the others; changes none.

use crate::answers::{Memory, Solution, solve};
use crate::asks::Asked;
use crate::checks::check_pruned;
use crate::eras::{asked_era, era_of};
use crate::evidence::{coverage_of, evidence, is_contradicted, weight};
use crate::fixed_text::is_fixed;
use crate::lines::{Line, leans, lines};
use crate::opposites::says_the_opposite;
use crate::placeholders::placeholders;
use crate::summary::Summary;
use crate::tokens::{Token, Unit};
use prose::Place;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Why a sentence was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RemovalReason {
    /// The summary does not speak of it.
    NotMentioned,
    /// The summary says the opposite.
    Denied,
    /// A heading under which nothing is left.
    EmptySection,
}

/// A sentence that was taken out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// The sentence as it stood in the template.
    pub sentence: String,
    /// Why it is gone.
    pub why: RemovalReason,
}

/// A template without the sentences that the summary does not speak for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pruned {
    /// Sentences of the template, in its order.
    pub text: String,
    /// What was taken out, in order.
    pub removed: Vec<Removal>,
}

/// Share of a sentence that the summary must say for it to stay.
const LEAST_SHARE: f64 = 0.6;
/// Share with which it stays though none of its placeholders can be answered.
const LEAST_SHARE_OPEN: f64 = 0.85;
/// Share of a sentence that leans on the one before and is answered.
const LEAST_SHARE_LEANING: f64 = 0.45;
/// Share with which it stays where labels answer all that it asks for.
const LEAST_SHARE_LABELLED: f64 = 0.2;

/// Takes out the sentences that the summary does not mention or denies. Lines of a form, check lists, references
/// and sentences on the document itself stay.
pub fn prune(template: &str, summary: &str) -> Pruned {
    let found = placeholders(template);
    let lines = lines(template, &found);
    let summary = Summary::new(summary);
    let mut memory = Memory::default();
    let mut verdicts: Vec<Option<RemovalReason>> = Vec::with_capacity(lines.len());
    let mut was_fixed = false;
    for (index, line) in lines.iter().enumerate() {
        let after = template.get(line.range.end..).unwrap_or_default();
        if is_fixed(template, line, was_fixed, after) {
            was_fixed = line.place != Place::Heading;
            verdicts.push(None);
            if !line.gaps.is_empty() {
                let solution = solve(template, &lines, index, &summary, &memory);
                memory.note(line, &solution, &summary);
            }
            continue;
        }
        was_fixed = false;
        let solution = solve(template, &lines, index, &summary, &memory);
        let leaning = leans(&template[line.range.clone()]);
        let verdict = judge(template, line, leaning, &summary, &solution);
        if verdict.is_none() {
            memory.note(line, &solution, &summary);
        }
        verdicts.push(verdict);
    }
    empty_sections(template, &lines, &mut verdicts);
    build(template, &lines, &verdicts)
}

/// Share of a line that the summary says. A word that says of when an answer is is said by that answer.
fn coverage(text: &str, line: &Line, summary: &Summary<'_>, sentence: usize, solution: &Solution) -> f64 {
    let is_told = line
        .gaps
        .iter()
        .zip(&solution.answers)
        .any(|(gap, answer)| answer.is_some() && asked_era(text, line, gap).is_some());
    let is_era = |unit: &&Unit| era_of(line.tokens[unit.token].text(text)).is_some();
    let units: Vec<Unit> = line.units.iter().filter(|unit| !(is_told && is_era(unit))).copied().collect();
    coverage_of(line, &units, summary, sentence)
}

fn judge(
    text: &str,
    line: &Line,
    leaning: bool,
    summary: &Summary<'_>,
    solution: &Solution,
) -> Option<RemovalReason> {
    let Some(mut sentence) = solution.sentence else { return Some(RemovalReason::NotMentioned) };
    let has_polarity = line.gaps.iter().any(|gap| gap.choices.iter().any(|choice| choice.contains("not")));
    let is_denied = |sentence: usize| {
        is_contradicted(line, summary, sentence) || says_the_opposite(text, line, summary, sentence)
    };
    if !has_polarity && is_denied(sentence) {
        // Another sentence may say as much of it without denying it.
        let places = evidence(&line.units, summary, None, 0.0);
        let best = places.first().map_or(0.0, |best| best.share);
        let other = places.iter().find(|place| place.share >= 0.85 * best && !is_denied(place.sentence));
        sentence = match other {
            Some(other) => other.sentence,
            None => return Some(RemovalReason::Denied),
        };
    }
    let covered = coverage(text, line, summary, sentence, solution);
    let words: f64 = line.units.iter().map(|unit| weight(unit, summary)).sum();
    let (mut said, mut total) = (covered * words, words);
    let mut is_answered = false;
    for (gap, answer) in line.gaps.iter().zip(&solution.answers) {
        if !gap.choices.is_empty() {
            continue;
        }
        total += 1.0;
        if let Some(answer) = answer {
            said += (answer.score / 0.6).min(1.0);
            is_answered = true;
        }
    }
    let share = if total > 0.0 { said / total } else { 1.0 };
    let has_largest = line
        .gaps
        .iter()
        .zip(&solution.answers)
        .any(|(gap, answer)| gap.request.asked == Asked::Largest && answer.is_some());
    if has_largest {
        return None;
    }
    let (share, least) = match (line.has_values(), is_answered) {
        (true, false) => (covered, LEAST_SHARE_OPEN),
        (true, true) if leaning => (share, LEAST_SHARE_LEANING),
        _ => (share, LEAST_SHARE),
    };
    let is_said = share >= least
        || covered >= LEAST_SHARE_LABELLED && is_answered_by_labels(line, solution)
        || is_answered && has_answered_part(text, line, summary, sentence, solution);
    (!is_said).then_some(RemovalReason::NotMentioned)
}

/// Whether labels of the summary that are called as its placeholders answer all of them, one with words of its own.
fn is_answered_by_labels(line: &Line, solution: &Solution) -> bool {
    let mut asked =
        line.gaps.iter().zip(&solution.answers).filter(|(gap, _)| gap.choices.is_empty()).peekable();
    let has_own_words = line.gaps.iter().any(|gap| gap.choices.is_empty() && !gap.request.units.is_empty());
    asked.peek().is_some()
        && has_own_words
        && asked.all(|(_, answer)| answer.as_ref().is_some_and(|answer| answer.is_labelled))
}

/// Share of a part of a sentence that the summary must say for the whole to stay, where only the rest is open.
const LEAST_SHARE_OF_PART: f64 = 0.8;

/// Whether the summary says a part of the sentence between two marks and answers its placeholder.
fn has_answered_part(
    text: &str,
    line: &Line,
    summary: &Summary<'_>,
    sentence: usize,
    solution: &Solution,
) -> bool {
    let is_border = |token: &Token| matches!(token.text(text), "," | ";" | "，" | "；");
    let borders = line.tokens.iter().enumerate().filter(|(_, token)| is_border(token)).map(|(at, _)| at);
    let ends: Vec<usize> = borders.chain([line.tokens.len()]).collect();
    let mut from = 0;
    for end in ends {
        let part = from..end;
        from = end + 1;
        let gaps = line
            .gaps
            .iter()
            .zip(&solution.answers)
            .filter(|(gap, _)| part.start <= gap.at && gap.at <= part.end);
        let answers: Vec<bool> = gaps.map(|(_, answer)| answer.is_some()).collect();
        let units: Vec<_> = line.units.iter().filter(|unit| part.contains(&unit.token)).copied().collect();
        let weight: f64 = units.iter().map(|unit| unit.weight).sum();
        let is_answered = !answers.is_empty() && answers.iter().all(|answer| *answer);
        if is_answered && weight >= 1.0 && coverage_of(line, &units, summary, sentence) >= LEAST_SHARE_OF_PART
        {
            return true;
        }
    }
    false
}

/// Marks the headings under which nothing is left.
fn empty_sections(template: &str, lines: &[Line], verdicts: &mut [Option<RemovalReason>]) {
    let level = |line: &Line| {
        let start = template[..line.range.start].rfind('\n').map_or(0, |at| at + 1);
        template[start..line.range.start].matches('#').count()
    };
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
    // Taking a sentence out can join its neighbours where their borders are unclear; then all of it stays.
    Pruned { text: template.to_owned(), removed: Vec::new() }
}

/// What is taken out, in bytes: the mark of a line goes with the last of its sentences.
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

/// The text without some ranges, and without the blanks and the empty lines that they leave.
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
