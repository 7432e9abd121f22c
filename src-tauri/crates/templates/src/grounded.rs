//! Whether the figures, dates, times and names of a document stand in its sources.

use crate::checks::{Breach, BreachKind, MOST_BREACHES, breach};
use crate::placeholders::Placeholder;
use crate::spelt::{spelt, spelt_figures};
use crate::summary::Summary;
use crate::surnames::unknown_persons;
use crate::thesaurus::least_share;
use crate::tokens::{Token, TokenKind, number_value, tokens};
use crate::values::ValueKind;
use prose::{ClaimKind, SourceTexts, is_hiragana, is_ideographic, sentences};
use std::collections::HashSet;
use std::ops::Range;

/// What summary and template have.
struct Known {
    /// Figures by their value, in digits or spelt.
    figures: HashSet<u64>,
    days: Vec<Day>,
    /// Hour and minute.
    times: HashSet<(u64, u64)>,
    /// Ideographs that stand side by side.
    pairs: HashSet<(char, char)>,
}

impl Known {
    fn new(texts: [&str; 2], has_ideographs: bool) -> Self {
        let mut known =
            Self { figures: HashSet::new(), days: Vec::new(), times: HashSet::new(), pairs: HashSet::new() };
        for text in texts {
            known.figures.extend(figures(text));
            for (_, moment) in moments(text) {
                match moment {
                    Moment::Days(days) => known.days.extend(days),
                    Moment::Time(time) => known.times.extend(both_halves(time)),
                }
            }
            if has_ideographs {
                known.pairs.extend(text.chars().zip(text.chars().skip(1)));
            }
        }
        known
    }

    fn has(&self, moment: &Moment) -> bool {
        match moment {
            Moment::Time(time) => both_halves(*time).iter().any(|time| self.times.contains(time)),
            Moment::Days(days) => days.iter().all(|day| self.days.iter().any(|own| self.is_same(day, own))),
        }
    }

    /// Whether a date says no more than one of the sources; a year may stand elsewhere in them.
    fn is_same(&self, day: &Day, own: &Day) -> bool {
        let agrees = |ours: Option<u64>, theirs: Option<u64>| ours.is_none() || ours == theirs;
        let has_year =
            |year: Option<u64>| year.is_none_or(|year| self.figures.contains(&(year as f64).to_bits()));
        agrees(day.month, own.month)
            && agrees(day.day, own.day)
            && (agrees(day.year, own.year) || own.year.is_none() && has_year(day.year))
    }
}

/// Figures and names of a document come from the summary or the template, or are computed from a fraction that
/// is printed beside them.
pub fn check_grounded(document: &str, template: &str, summary: &str) -> Vec<Breach> {
    let sources = SourceTexts::new(&[summary, template]);
    let known = Known::new([summary, template], !document.is_ascii());
    let mut found = Vec::new();
    for sentence in sentences(document) {
        if found.len() >= MOST_BREACHES {
            break;
        }
        let mut readable = sentence.text.to_owned();
        let mut foreign = Vec::new();
        for (range, moment) in moments(sentence.text).into_iter().rev() {
            if !known.has(&moment) {
                foreign.push(breach(BreachKind::InventedFigure, &sentence.text[range.clone()]));
            }
            readable.replace_range(range, "then");
        }
        found.extend(foreign.into_iter().rev());
        for claim in sources.ungrounded(&readable) {
            let value = claim.text.trim_end_matches(['%', '％']).trim();
            let figure = number_value(value).map(f64::to_bits);
            match claim.kind {
                ClaimKind::Percent if is_computed(sentence.text, value, &known.figures) => {}
                // The template has the currency, the summary the amount.
                ClaimKind::Money | ClaimKind::Figure | ClaimKind::Year
                    if figure.is_some_and(|figure| known.figures.contains(&figure)) => {}
                ClaimKind::Name => found.push(breach(BreachKind::InventedName, &claim.text)),
                _ => found.push(breach(BreachKind::InventedFigure, &claim.text)),
            }
        }
        for (range, value) in spelt_figures(&readable) {
            // "One of them" counts nothing.
            let is_counted = value > 1.0 && !known.figures.contains(&value.to_bits());
            let words = &readable[range];
            if is_counted && !summary.contains(words) && !template.contains(words) {
                found.push(breach(BreachKind::InventedFigure, words));
            }
        }
        let is_known = |first: char, second: char| known.pairs.contains(&(first, second));
        let has = |name: &str| summary.contains(name) || template.contains(name);
        let persons = unknown_persons(sentence.text, is_known, has);
        found.extend(persons.iter().map(|name| breach(BreachKind::InventedName, name)));
    }
    found
}

/// Names at placeholders in Chinese and Japanese, where no capitals tell them: their characters stand together in
/// the summary or in the template.
pub fn check_values(values: &[(Placeholder, String)], template: &str, summary: &str) -> Vec<Breach> {
    let is_part = |character: char| is_ideographic(character) && !is_hiragana(character);
    let mut found = Vec::new();
    for (_, value) in values {
        for run in value.split(|character: char| !is_part(character)) {
            let is_word = run.chars().count() > 1 && least_share(run).is_none();
            if is_word && !summary.contains(run) && !template.contains(run) && found.len() < MOST_BREACHES {
                found.push(breach(BreachKind::InventedName, run));
            }
        }
    }
    found
}

fn figures(text: &str) -> Vec<u64> {
    let written = tokens(text, 0, text.len());
    let digits = written.iter().filter(|token| token.kind == TokenKind::Number).map(|token| token.key);
    digits.chain(spelt_figures(text).into_iter().map(|(_, value)| value.to_bits())).collect()
}

fn figure(token: &Token, text: &str) -> Option<u64> {
    if token.kind == TokenKind::Number {
        return Some(token.key);
    }
    spelt(&token.text(text).to_lowercase()).map(|value| f64::from(value).to_bits())
}

/// Whether a share in per cent is that of a fraction in the same sentence whose figures are known.
fn is_computed(sentence: &str, share: &str, known: &HashSet<u64>) -> bool {
    let Some(share) = number_value(share) else { return false };
    let cut = tokens(sentence, 0, sentence.len());
    let read = |at: usize| cut.get(at).and_then(|token| figure(token, sentence));
    let word = |at: usize| cut.get(at).map_or("", |token| token.text(sentence));
    (0..cut.len()).any(|at| {
        let Some(part) = read(at) else { return false };
        let link = at + 1 + usize::from(word(at + 1) == "out");
        if !matches!(word(link), "of" | "/") {
            return false;
        }
        let Some(whole) = read(link + 1) else { return false };
        let exact = f64::from_bits(part) * 100.0 / f64::from_bits(whole);
        known.contains(&part) && known.contains(&whole) && (exact - share).abs() < 0.5001
    })
}

/// A date, as much of it as is written.
#[derive(Clone, Copy, Debug, Default)]
struct Day {
    year: Option<u64>,
    month: Option<u64>,
    day: Option<u64>,
}

enum Moment {
    /// One for each day of "14 and 15 April 2026".
    Days(Vec<Day>),
    /// Hour and minute.
    Time((u64, u64)),
}

/// A time on a clock of twelve hours may be either of two.
fn both_halves((hour, minute): (u64, u64)) -> [(u64, u64); 2] {
    [(hour, minute), ((hour + 12) % 24, minute)]
}

/// The dates and times of a text, in order.
fn moments(text: &str) -> Vec<(Range<usize>, Moment)> {
    let read = Summary::new(text);
    let values = read.values.iter().flatten();
    values
        .filter_map(|value| {
            let parts = read.tokens.get(value.first..value.last)?;
            let moment = match value.kind {
                ValueKind::Date | ValueKind::Month => Moment::Days(days(text, parts)?),
                ValueKind::Time => Moment::Time(time(parts)?),
                _ => return None,
            };
            Some((read.span(value.first, value.last), moment))
        })
        .collect()
}

fn whole_numbers(parts: &[Token]) -> impl Iterator<Item = (usize, u64)> {
    let is_number = |(_, token): &(usize, &Token)| token.kind == TokenKind::Number;
    parts.iter().enumerate().filter(is_number).map(|(at, token)| (at, f64::from_bits(token.key) as u64))
}

fn days(text: &str, parts: &[Token]) -> Option<Vec<Day>> {
    let mut day = Day { month: parts.iter().find_map(|token| month(token.text(text))), ..Day::default() };
    let mut all: Vec<u64> = Vec::new();
    let numbers: Vec<(usize, u64)> = whole_numbers(parts).collect();
    for (at, number) in &numbers {
        match parts.get(at + 1).map_or("", |unit| unit.text(text)) {
            "年" => day.year = Some(*number),
            "月" => day.month = Some(*number),
            "日" | "号" => all.push(*number),
            _ if *number > 31 => day.year = Some(*number),
            _ if day.month.is_none() && numbers.len() == 3 => day.month = Some(*number),
            _ => all.push(*number),
        }
    }
    day.month?;
    if all.is_empty() {
        return Some(vec![day]);
    }
    Some(all.into_iter().map(|one| Day { day: Some(one), ..day }).collect())
}

fn time(parts: &[Token]) -> Option<(u64, u64)> {
    let mut numbers = whole_numbers(parts).map(|(_, number)| number);
    let hour = numbers.next()?;
    Some((hour, numbers.next().unwrap_or(0)))
}

fn month(word: &str) -> Option<u64> {
    let lowered = word.to_lowercase();
    let is_it = |name: &str| lowered.len() > 2 && name.starts_with(&lowered);
    crate::values::FULL_MONTHS.iter().position(|name| is_it(name)).and_then(|at| u64::try_from(at + 1).ok())
}
