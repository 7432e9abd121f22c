//! Answers the placeholders of one sentence together: no value twice, in the order of the summary if possible.

use crate::asks::Asked;
use crate::candidates::{Candidate, candidates, is_field, is_placed, is_subject_of_class};
use crate::choices::choose;
use crate::contrast::tell_apart;
use crate::eras::{asked_era, era, era_fit};
use crate::evidence::{Evidence, evidence};
use crate::labels::labelled;
use crate::lines::{Gap, Line, leans};
use crate::printed::printed;
use crate::summary::Summary;
use crate::tokens::Unit;
use crate::values::{Value, ValueKind};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Least score with which a value is printed.
const LEAST: f64 = 0.3;

/// An answer to a placeholder.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// What is printed.
    pub(crate) text: String,
    /// Where the summary says it, in bytes.
    pub(crate) from: Range<usize>,
    pub(crate) score: f64,
    pub(crate) number: Option<f64>,
    pub(crate) kind: ValueKind,
    /// First token in the summary.
    pub(crate) token: usize,
    /// Stands behind a label that is called as the placeholder.
    pub(crate) is_labelled: bool,
}

/// What was found for a sentence of a template.
pub(crate) struct Solution {
    /// The sentence of the summary that speaks of it.
    pub(crate) sentence: Option<usize>,
    /// One for each gap.
    pub(crate) answers: Vec<Option<Answer>>,
}

/// What the sentences before have found.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) near: Option<usize>,
    /// Names that were given, with what they were asked as.
    names: HashMap<String, String>,
    /// The sentence that answered each name of a placeholder.
    homes: HashMap<String, usize>,
    /// First tokens of the figures whose shares were printed.
    shares: HashSet<usize>,
    /// First tokens of the values that were printed.
    used: HashSet<usize>,
    /// Those of the last line.
    last: Vec<usize>,
    /// The last share that was printed.
    pub(crate) last_share: Option<f64>,
}

/// Finds the values for the gaps of a line.
pub(crate) fn solve(
    text: &str,
    lines: &[Line],
    index: usize,
    summary: &Summary<'_>,
    memory: &Memory,
) -> Solution {
    let line = &lines[index];
    let mut wanted: Vec<Unit> = line.units.clone();
    for gap in &line.gaps {
        let halved = |unit: &Unit| Unit { weight: 0.4 * unit.weight, ..*unit };
        wanted.extend(gap.request.units.iter().filter(|_| gap.choices.is_empty()).map(halved));
    }
    let leaning = leans(text.get(line.range.clone()).unwrap_or_default());
    let pull = if leaning { 0.3 } else { 0.06 };
    let mut places = evidence(&wanted, summary, memory.near, pull);
    let own = evidence(&line.units, summary, memory.near, pull).first().map(|best| best.sentence);
    let is_head = line.gaps.iter().any(|gap| is_field(line, gap, text));
    if is_head && !places.iter().any(|place| place.sentence == 0) && !summary.sentences.is_empty() {
        places.push(Evidence { sentence: 0, share: 0.0 });
    }
    add_likely(&mut places, line, summary, memory);
    let mut lists: Vec<Vec<Candidate>> = Vec::with_capacity(line.gaps.len());
    for gap in &line.gaps {
        let mut list =
            if gap.choices.is_empty() { candidates(text, line, gap, summary, &places) } else { Vec::new() };
        let asked = asked_era(text, line, gap);
        for candidate in &mut list {
            adjust(candidate, gap, is_head, summary, memory);
            candidate.score += era_fit(asked, era(summary, candidate.sentence, &candidate.value));
            if leaning && memory.last.contains(&candidate.value.first) && candidate.fraction.is_some() {
                candidate.score += 0.25;
            }
        }
        lists.push(list);
    }
    tell_apart(text, lines, index, summary, &mut lists);
    for (gap, list) in line.gaps.iter().zip(&mut lists) {
        if let Some(labelled) = labelled(text, line, gap, summary).filter(|_| gap.choices.is_empty()) {
            let value = &labelled.value;
            list.retain(|other| {
                other.value.last <= value.first || value.last <= other.value.first || other.fraction.is_some()
            });
            list.push(labelled);
        }
        list.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.value.first.cmp(&b.value.first)));
        if gap.request.asked == Asked::Largest {
            *list = crate::largest::largest(line, gap, summary, &places);
        }
    }
    crate::largest::pair_with_amount(line, &mut lists, summary);
    let picked = assign(line, &lists);
    let mut answers: Vec<Option<Answer>> = Vec::with_capacity(line.gaps.len());
    for (gap, pick) in line.gaps.iter().zip(&picked) {
        answers.push(pick.as_ref().map(|candidate| {
            let value = &candidate.value;
            Answer {
                text: printed(text, line, gap, summary, candidate),
                from: summary.span(value.first, value.last),
                score: candidate.score,
                number: candidate.fraction.as_ref().map_or(value.number, |f| Some(f.part * 100.0 / f.whole)),
                kind: if candidate.fraction.is_some() { ValueKind::Percent } else { value.kind },
                token: value.first,
                is_labelled: candidate.is_labelled,
            }
        }));
    }
    let sentence = main_sentence(&picked).or(own).or_else(|| places.first().map(|place| place.sentence));
    if let Some(sentence) = sentence {
        for index in 0..line.gaps.len() {
            if !line.gaps[index].choices.is_empty() {
                answers[index] = choose(text, line, index, summary, sentence, &answers, memory);
            }
        }
    }
    Solution { sentence, answers }
}

/// Words that say how long something was.
static LASTING: &[&str] = &["took", "takes", "lasted", "lasts", "ran", "runs", "duration"];
static WIDE_LASTING: &[&str] =
    &["持续", "历时", "为期", "耗时", "所要", "続い", "かかっ", "期間", "期间", "時間は"];

/// Whether the clause of a duration says that something lasted so long.
fn says_how_long(summary: &Summary<'_>, sentence: usize, value: &Value) -> bool {
    let Some(range) = summary.sentences.get(sentence) else { return false };
    let clause = summary.clauses.get(value.first);
    value.kind == ValueKind::Duration
        && range.clone().filter(|at| summary.clauses.get(*at) == clause).any(|at| {
            let token = &summary.tokens[at];
            LASTING.contains(&token.text(summary.text))
                || token.is_wide()
                    && WIDE_LASTING.iter().any(|word| summary.text[token.start..].starts_with(word))
        })
}

fn adjust(candidate: &mut Candidate, gap: &Gap, is_head: bool, summary: &Summary<'_>, memory: &Memory) {
    let value = &candidate.value;
    let name = gap.request.name.as_str();
    // What a name with words of its own was answered by answers it again.
    let same_name = if gap.request.units.is_empty() { 0.0 } else { 0.4 };
    let written = &summary.text[summary.span(value.first, value.last)];
    if candidate.fraction.is_none() && Summary::is_figure(value) && memory.used.contains(&value.first) {
        candidate.score -= 0.2;
    }
    if candidate.fraction.is_some() && memory.shares.contains(&value.first) {
        candidate.score -= 0.1;
    }
    if matches!(value.kind, ValueKind::Name | ValueKind::Phrase)
        && let Some(other) = memory.names.get(written)
    {
        candidate.score += if other == name {
            same_name
        } else if is_head {
            -0.15
        } else {
            -0.05
        };
    }
    if is_head {
        if gap.request.asked == Asked::Duration && says_how_long(summary, candidate.sentence, value) {
            candidate.score += 0.25;
        }
        if value.kind == ValueKind::Name && is_subject_of_class(gap, summary, value) {
            candidate.score += 0.3;
        }
        // The head of a report asks for what its summary opens with.
        let place = candidate.sentence.min(8) as f64;
        candidate.score += 0.1 - 0.03 * place;
        if candidate.sentence < 2 && opens_report(gap, value, summary) {
            candidate.score += 0.32 - 0.002 * value.first.min(50) as f64;
        }
    }
}

/// Adds the sentences that answered the same names before, and for dates and durations the first that have some.
fn add_likely(places: &mut Vec<Evidence>, line: &Line, summary: &Summary<'_>, memory: &Memory) {
    let mut likely: Vec<usize> =
        line.gaps.iter().filter_map(|gap| memory.homes.get(&gap.request.name).copied()).collect();
    if line.gaps.iter().any(|gap| gap.request.asked == Asked::Date) {
        likely.extend(summary.dated.iter().copied());
    }
    if line.gaps.iter().any(|gap| gap.request.asked == Asked::Duration) {
        likely.extend(summary.lasting.iter().copied());
    }
    for sentence in likely {
        if !places.iter().any(|place| place.sentence == sentence) {
            places.push(Evidence { sentence, share: 0.0 });
        }
    }
}

/// Whether a value is of the kind that a report names at its beginning, and the summary knows what of.
fn opens_report(gap: &Gap, value: &Value, summary: &Summary<'_>) -> bool {
    match gap.request.asked {
        Asked::Organisation => value.kind == ValueKind::Name && gap.request.is_general(),
        Asked::Place => {
            value.kind == ValueKind::Name && gap.request.is_general() && is_placed(summary, value)
        }
        Asked::Date => {
            value.kind == ValueKind::Date
                && gap.request.units.iter().any(|unit| !summary.places(unit.key).is_empty())
        }
        _ => false,
    }
}

fn main_sentence(picked: &[Option<Candidate>]) -> Option<usize> {
    let mut counts: HashMap<usize, f64> = HashMap::new();
    for candidate in picked.iter().flatten() {
        *counts.entry(candidate.sentence).or_default() += candidate.score;
    }
    counts.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(sentence, _)| sentence)
}

/// The best candidates for all gaps together.
fn assign(line: &Line, lists: &[Vec<Candidate>]) -> Vec<Option<Candidate>> {
    // For each gap and each pick (its last is "open"): the best total so far and the pick before.
    let mut table: Vec<Vec<(f64, usize)>> = Vec::with_capacity(lists.len());
    for (index, list) in lists.iter().enumerate() {
        let mut row = Vec::with_capacity(list.len() + 1);
        for pick in 0..=list.len() {
            let own = list.get(pick).map_or(LEAST, |candidate| candidate.score);
            let best = match index.checked_sub(1) {
                None => (0.0, 0),
                Some(before) => table[before]
                    .iter()
                    .enumerate()
                    .map(|(other, (total, _))| {
                        let pair = list.get(pick).zip(lists[before].get(other));
                        let same_name = line.gaps[index].request.name == line.gaps[before].request.name;
                        (total - pair.map_or(0.0, |(this, last)| strain(last, this, same_name)), other)
                    })
                    .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
                    .unwrap_or((0.0, 0)),
            };
            row.push((best.0 + own, best.1));
        }
        table.push(row);
    }
    let mut picks = vec![0; lists.len()];
    let mut next: Option<usize> = None;
    for index in (0..lists.len()).rev() {
        let row = &table[index];
        let pick = next.unwrap_or_else(|| {
            let best = row.iter().enumerate().max_by(|a, b| a.1.0.total_cmp(&b.1.0).then(b.0.cmp(&a.0)));
            best.map_or(0, |(pick, _)| pick)
        });
        picks[index] = pick;
        next = row.get(pick).map(|(_, before)| *before);
    }
    let mut taken: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::with_capacity(lists.len());
    for ((list, pick), gap) in lists.iter().zip(picks).zip(&line.gaps) {
        let candidate = list.get(pick).filter(|candidate| {
            let is_taken = |(token, name): &(usize, String)| {
                *token == candidate.value.first && *name != gap.request.name
            };
            candidate.score >= LEAST && !taken.iter().any(is_taken)
        });
        if let Some(candidate) = candidate {
            taken.push((candidate.value.first, gap.request.name.clone()));
        }
        found.push(candidate.cloned());
    }
    found
}

/// What speaks against two values side by side.
fn strain(last: &Candidate, this: &Candidate, same_name: bool) -> f64 {
    let (a, b) = (&last.value, &this.value);
    if a.first < b.last && b.first < a.last {
        return if same_name { 0.1 } else { 2.0 };
    }
    if last.sentence != this.sentence {
        return 0.08;
    }
    if b.first < a.first { 0.12 } else { 0.0 }
}

impl Memory {
    /// Remembers what was found for a line.
    pub(crate) fn note(&mut self, line: &Line, solution: &Solution, summary: &Summary<'_>) {
        self.last.clear();
        for (gap, answer) in line.gaps.iter().zip(&solution.answers) {
            let Some(answer) = answer else { continue };
            self.last.push(answer.token);
            self.homes.entry(gap.request.name.clone()).or_insert_with(|| summary.sentence_of(answer.token));
            if gap.choices.is_empty() {
                let used = if answer.kind == ValueKind::Percent { &mut self.shares } else { &mut self.used };
                used.insert(answer.token);
            }
            match answer.kind {
                ValueKind::Name | ValueKind::Phrase => {
                    let written = summary.text[answer.from.clone()].to_owned();
                    self.names.entry(written).or_insert_with(|| gap.request.name.clone());
                }
                ValueKind::Percent => self.last_share = answer.number,
                _ => {}
            }
        }
        if solution.sentence.is_some() {
            self.near = solution.sentence;
        }
    }
}
