//! Checks what agents promise: each function names what breaks a promise, with the words concerned.

use crate::placeholders::{Placeholder, placeholders};
use crate::summary::Summary;
use crate::thesaurus::least_share;
use crate::tokens::{Token, TokenKind, number_value, tokens};
use crate::values::{ValueKind, spelt};
use prose::{ClaimKind, SourceTexts, is_hiragana, is_ideographic, sentences};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What promise is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BreachKind {
    /// A sentence that the text before does not have, or not in this order.
    ForeignSentence,
    /// Words of the text before that are missing or changed.
    ChangedWords,
    /// More text at a placeholder than a value needs.
    LongValue,
    /// A word at a choice that was not among those to choose from.
    ForeignChoice,
    /// A sentence of the text before that is gone.
    LostSentence,
    /// A figure that neither summary nor template has and no fraction beside it explains.
    InventedFigure,
    /// A name that neither summary nor template has.
    InventedName,
}

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breach {
    /// What is broken.
    pub kind: BreachKind,
    /// The words concerned.
    pub words: String,
}

/// Breaches beyond which a text is no longer searched: it is another text.
const MOST_BREACHES: usize = 50;
/// Longest value in characters.
const LONGEST_VALUE: usize = 300;

fn breach(kind: BreachKind, words: &str) -> Breach {
    Breach { kind, words: words.to_owned() }
}

fn one_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sentences of `part` that are not those of `whole` in its order.
fn out_of_order(part: &str, whole: &str) -> Vec<String> {
    let whole: Vec<String> = sentences(whole).into_iter().map(|sentence| one_spaced(sentence.text)).collect();
    let mut places: std::collections::HashMap<&str, Vec<usize>> = std::collections::HashMap::new();
    for (index, sentence) in whole.iter().enumerate() {
        places.entry(sentence).or_default().push(index);
    }
    let mut from = 0;
    let mut found = Vec::new();
    for sentence in sentences(part) {
        let written = one_spaced(sentence.text);
        let all = places.get(written.as_str()).map_or(&[][..], Vec::as_slice);
        match all.get(all.partition_point(|place| *place < from)) {
            Some(place) => from = place + 1,
            None if found.len() < MOST_BREACHES => found.push(written),
            None => break,
        }
    }
    found
}

/// Pruned text is made of sentences of the template, in its order.
pub fn check_pruned(template: &str, pruned: &str) -> Vec<Breach> {
    let found = out_of_order(pruned, template);
    found.iter().map(|sentence| breach(BreachKind::ForeignSentence, sentence)).collect()
}

/// Enriched text has every sentence of the filled text, in its order.
pub fn check_enriched(filled: &str, enriched: &str) -> Vec<Breach> {
    let found = out_of_order(filled, enriched);
    found.iter().map(|sentence| breach(BreachKind::LostSentence, sentence)).collect()
}

/// Filled text differs from the pruned text at placeholders only.
pub fn check_filled(pruned: &str, filled: &str) -> Vec<Breach> {
    read_values(pruned, filled).1
}

/// What stands in the filled text at each placeholder of the pruned text; an open one stands for itself.
pub fn filled_values(pruned: &str, filled: &str) -> Vec<(Placeholder, String)> {
    read_values(pruned, filled).0
}

fn read_values(pruned: &str, filled: &str) -> (Vec<(Placeholder, String)>, Vec<Breach>) {
    let marks = placeholders(pruned);
    // White space is compared as one blank; the marks keep their places in the pruned text as it was given.
    let document = one_spaced(filled);
    let mut values = Vec::new();
    let mut breaches = Vec::new();
    let mut from = 0;
    let mut at = 0;
    let mut was_blank = false;
    for index in 0..=marks.len() {
        let mark = marks.get(index);
        let end = mark.map_or(pruned.len(), |mark| mark.place.start);
        let has_space = |text: &str, at_start: bool| {
            if at_start { text.starts_with(char::is_whitespace) } else { text.ends_with(char::is_whitespace) }
        };
        let raw = &pruned[from..end];
        let mut piece = one_spaced(raw);
        if !piece.is_empty() && index > 0 && has_space(raw, true) {
            piece.insert(0, ' ');
        }
        if !piece.is_empty() && mark.is_some() && has_space(raw, false) {
            piece.push(' ');
        }
        let rest = &document[at..];
        let is_blank = !raw.is_empty() && piece.is_empty() && index > 0 && mark.is_some();
        if is_blank {
            piece.push(' ');
        }
        let place = match (index, mark) {
            (0, _) => rest.starts_with(&piece).then_some(0),
            (_, None) => rest.ends_with(&piece).then(|| rest.len() - piece.len()),
            _ => rest.find(&piece),
        };
        let Some(place) = place else {
            breaches.push(breach(BreachKind::ChangedWords, piece.trim()));
            if breaches.len() >= MOST_BREACHES {
                break;
            }
            from = mark.map_or(pruned.len(), |mark| mark.place.end);
            continue;
        };
        if let Some(before) = index.checked_sub(1).and_then(|before| marks.get(before))
            && breaches.is_empty()
        {
            let value = rest[..place].trim().to_owned();
            breaches.extend(misfit(before, &value, was_blank));
            values.push((before.clone(), value));
        }
        was_blank = is_blank;
        at += place + piece.len();
        from = mark.map_or(pruned.len(), |mark| mark.place.end);
    }
    if marks.is_empty() && breaches.is_empty() && one_spaced(pruned) != document {
        breaches.push(breach(BreachKind::ChangedWords, &document));
    }
    (values, breaches)
}

/// `is_open_ended`: only a blank parts the value from the one before, so its first words may be that one's.
fn misfit(mark: &Placeholder, value: &str, is_open_ended: bool) -> Option<Breach> {
    if value.chars().count() > LONGEST_VALUE {
        return Some(breach(BreachKind::LongValue, value));
    }
    let lowered = value.to_lowercase();
    let same = |choice: &String| {
        let choice = choice.to_lowercase();
        lowered == choice || (is_open_ended && lowered.ends_with(&format!(" {choice}")))
    };
    let is_open = value.contains(mark.name.as_str());
    let is_choice = mark.choices.is_empty() || is_open || mark.choices.iter().any(same);
    (!is_choice).then(|| breach(BreachKind::ForeignChoice, value))
}

/// Figures and names of a document come from the summary or the template, or are computed from a fraction that
/// is printed beside them.
pub fn check_grounded(document: &str, template: &str, summary: &str) -> Vec<Breach> {
    let sources = SourceTexts::new(&[summary, template]);
    let known =
        figures(summary).into_iter().chain(figures(template)).collect::<std::collections::HashSet<_>>();
    let dates = dates(summary).into_iter().chain(dates(template)).collect::<std::collections::HashSet<_>>();
    let mut found = Vec::new();
    for sentence in sentences(document) {
        if found.len() >= MOST_BREACHES {
            break;
        }
        let readable = without_known_dates(sentence.text, &dates);
        for claim in sources.ungrounded(&readable) {
            let value = claim.text.trim_end_matches(['%', '％']).trim();
            let figure = number_value(value).map(f64::to_bits);
            match claim.kind {
                ClaimKind::Percent if is_computed(sentence.text, value, &known) => {}
                // The template has the currency, the summary the amount.
                ClaimKind::Money | ClaimKind::Figure | ClaimKind::Year
                    if figure.is_some_and(|figure| known.contains(&figure)) => {}
                ClaimKind::Name => found.push(breach(BreachKind::InventedName, &claim.text)),
                _ => found.push(breach(BreachKind::InventedFigure, &claim.text)),
            }
        }
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

/// Figures of a text by their value, in digits or spelt.
fn figures(text: &str) -> Vec<u64> {
    tokens(text, 0, text.len()).iter().filter_map(|token| figure(token, text)).collect()
}

fn figure(token: &Token, text: &str) -> Option<u64> {
    if token.kind == TokenKind::Number {
        return Some(token.key);
    }
    spelt(&token.text(text).to_lowercase()).map(|value| f64::from(value).to_bits())
}

/// Whether a share in per cent is that of a fraction in the same sentence whose figures are known.
fn is_computed(sentence: &str, share: &str, known: &std::collections::HashSet<u64>) -> bool {
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

type Day = (u64, u64, u64);

/// Dates of a text as year, month and day.
fn dates(text: &str) -> Vec<Day> {
    dated(text).into_iter().map(|(_, day)| day).collect()
}

fn dated(text: &str) -> Vec<(Range<usize>, Day)> {
    let read = Summary::new(text);
    let values = read.values.iter().flatten().filter(|value| value.kind == ValueKind::Date);
    values
        .filter_map(|value| {
            let range = read.span(value.first, value.last);
            let parts = &read.tokens[value.first..value.last];
            let numbers: Vec<u64> = parts
                .iter()
                .filter(|t| t.kind == TokenKind::Number)
                .map(|t| f64::from_bits(t.key) as u64)
                .collect();
            let month = parts.iter().find_map(|token| month(token.text(text)));
            let day = match (&numbers[..], month) {
                ([day, year], Some(month)) => (*year, month, *day),
                ([year, month, day], None) => (*year, *month, *day),
                _ => return None,
            };
            Some((range, day))
        })
        .collect()
}

fn month(word: &str) -> Option<u64> {
    let lowered = word.to_lowercase();
    let is_it = |name: &str| lowered.len() > 2 && name.starts_with(&lowered);
    crate::values::FULL_MONTHS.iter().position(|name| is_it(name)).and_then(|at| u64::try_from(at + 1).ok())
}

/// A sentence without the dates that the sources have too, however they write them.
fn without_known_dates(sentence: &str, known: &std::collections::HashSet<Day>) -> String {
    let mut out = sentence.to_owned();
    for (range, _) in dated(sentence).into_iter().rev().filter(|(_, day)| known.contains(day)) {
        out.replace_range(range, "then");
    }
    out
}
