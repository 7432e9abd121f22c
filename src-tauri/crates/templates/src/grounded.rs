//! Whether the figures, days, times and names of a document stand in a sentence of its sources on the same subject.

use crate::checks::{Breach, BreachKind, MOST_BREACHES};
use crate::days::{Moment, moments};
use crate::kinds::without_name;
use crate::labels::{is_form, labels, parted};
use crate::lines::{Line, leans, lines};
use crate::placeholders::{Placeholder, placeholders};
use crate::prune::subject;
use crate::spelt::spelt_figures;
use crate::summary::key;
use crate::surnames::unknown_persons;
use crate::tokens::{TokenKind, content, figure_value, tokens};
use prose::{ClaimKind, Place, SourceTexts, is_hiragana, is_ideographic, sentences};
use std::collections::{HashMap, HashSet};

/// A sentence of the summary or of the template.
struct Source<'a> {
    text: &'a str,
    /// Its words, and those of the sentence that it leans on.
    words: HashSet<u64>,
    figures: HashSet<u64>,
    moments: Vec<Moment>,
    is_template: bool,
}

/// Sentences of a source beyond which all the rest is one.
const MOST_SOURCES: usize = 800;

fn sources<'a>(text: &'a str, is_template: bool, into: &mut Vec<Source<'a>>) {
    let mut before: HashSet<u64> = HashSet::new();
    let mut all = sentences(text);
    let mut known = HashSet::new();
    all.retain(|sentence| known.insert(sentence.text));
    all.truncate(MOST_SOURCES);
    let ends: Vec<&str> = text.get(all.last().map_or(0, |last| last.end)..).into_iter().collect();
    for part in all
        .iter()
        .map(|sentence| sentence.text)
        .chain(ends.into_iter().filter(|rest| !rest.trim().is_empty()))
    {
        let own: HashSet<u64> = content(&tokens(part, 0..part.len())).into_iter().collect();
        let mut words = own.clone();
        if leans(part) {
            words.extend(&before);
        }
        let figures = figures(part);
        let moments = moments(part).into_iter().map(|(_, moment)| moment).collect();
        into.push(Source { text: part, words, figures, moments, is_template });
        before = own;
    }
}

/// The template's sentences, to tell of which one a sentence of the document was made.
struct Patterns<'a> {
    template: &'a str,
    marks: Vec<Placeholder>,
    lines: Vec<Line>,
}

impl<'a> Patterns<'a> {
    fn new(template: &'a str) -> Self {
        let marks = placeholders(template);
        let lines = lines(template, &marks);
        Self { template, marks, lines }
    }

    /// The placeholders of the first sentence that differs from this one at placeholders only, with their values.
    fn values<'d>(&self, sentence: &'d str) -> Option<Vec<(&Placeholder, &'d str)>> {
        self.lines.iter().find_map(|line| {
            let has_words = line.fixed.iter().any(|run| !content(run).is_empty());
            let marks = self.marks.get(line.gaps.clone()).filter(|marks| has_words && !marks.is_empty())?;
            let mut rest =
                sentence.strip_prefix(self.template.get(line.range.start..marks[0].place.start)?)?;
            let mut found = Vec::with_capacity(marks.len());
            for (index, mark) in marks.iter().enumerate() {
                let end = marks.get(index + 1).map_or(line.range.end, |next| next.place.start);
                let piece = self.template.get(mark.place.end..end)?;
                let at = match index + 1 == marks.len() {
                    true => rest.ends_with(piece).then(|| rest.len() - piece.len())?,
                    false => rest.find(piece)?,
                };
                found.push((mark, &rest[..at]));
                rest = &rest[at + piece.len()..];
            }
            Some(found)
        })
    }
}

/// Figures and names of a document stand in a sentence of the summary on the same subject, or behind a label of their
/// placeholder's name, or in the template's own sentence; a share may be computed from a fraction printed beside it.
pub fn check_grounded(document: &str, template: &str, summary: &str) -> Vec<Breach> {
    let mut all = Vec::new();
    let [document, template, summary] = &[document, template, summary].map(parted);
    sources(summary, false, &mut all);
    sources(template, true, &mut all);
    let texts: Vec<&str> = all.iter().map(|source| source.text).collect();
    let index = SourceTexts::new(&texts);
    let patterns = Patterns::new(template);
    let mut labelled: HashMap<String, Vec<String>> = HashMap::new();
    for label in labels(summary) {
        labelled.entry(label.key).or_default().push(label.value);
    }
    let checker = Checker { all, index, patterns, labelled, summary, template };
    let mut found = Vec::new();
    let mut known: HashSet<&str> = texts.iter().copied().collect();
    for sentence in sentences(document) {
        if found.len() >= MOST_BREACHES {
            break;
        }
        if known.insert(sentence.text) {
            checker.check(sentence.text, sentence.place, &mut found);
        }
    }
    found
}

struct Checker<'a> {
    all: Vec<Source<'a>>,
    index: SourceTexts,
    patterns: Patterns<'a>,
    labelled: HashMap<String, Vec<String>>,
    summary: &'a str,
    template: &'a str,
}

impl Checker<'_> {
    fn check(&self, sentence: &str, place: Place, found: &mut Vec<Breach>) {
        let values = self.patterns.values(sentence).unwrap_or_default();
        let mut breach = |kind, words: &str| {
            found.push(Breach { kind, words: words.to_owned(), sentence: sentence.to_owned() });
        };
        // What a label of the placeholder's name says is right there, whatever the sentence speaks of.
        let is_labelled = |words: &str| {
            values.iter().any(|(mark, value)| {
                value.contains(words) && self.labels_of(sentence, mark).any(|label| label.contains(words))
            })
        };
        let which = self.on_the_subject(sentence, place, &values);
        let sources: Vec<&Source<'_>> = which.iter().map(|at| &self.all[*at]).collect();
        let has_figure = |figure: u64| sources.iter().any(|source| source.figures.contains(&figure));
        let moments_of: Vec<Moment> =
            sources.iter().flat_map(|source| source.moments.iter().cloned()).collect();
        let mut readable = sentence.to_owned();
        for (range, moment) in moments(sentence).into_iter().rev() {
            let words = &sentence[range.clone()];
            let has_year =
                |year: u64| self.all.iter().any(|source| source.figures.contains(&(year as f64).to_bits()));
            if !moment.is_among(&moments_of, has_year) && !is_labelled(words) {
                breach(BreachKind::InventedFigure, words);
            }
            readable.replace_range(range, "then");
        }
        for claim in self.index.ungrounded_in(&readable, &which) {
            let value = claim.text.trim_end_matches(['%', '％']).trim();
            let is_known = figure_value(value).is_some_and(|figure| has_figure(figure.to_bits()));
            match claim.kind {
                _ if is_labelled(&claim.text) || is_labelled(value) => {}
                ClaimKind::Percent if is_computed(sentence, value, &has_figure) => {}
                // The template has the currency, the summary the amount.
                ClaimKind::Money | ClaimKind::Figure | ClaimKind::Year if is_known => {}
                ClaimKind::Name => breach(BreachKind::InventedName, &claim.text),
                _ => breach(BreachKind::InventedFigure, &claim.text),
            }
        }
        for (range, value) in spelt_figures(&readable) {
            // "One of them" counts nothing.
            let words = &readable[range];
            let is_said = sources.iter().any(|source| source.text.contains(words));
            if value > 1.0 && !has_figure(value.to_bits()) && !is_said && !is_labelled(words) {
                breach(BreachKind::InventedFigure, words);
            }
        }
        let has = |name: &str| self.summary.contains(name) || self.template.contains(name);
        let stand_together = |first: char, second: char| has(&String::from_iter([first, second]));
        for name in unknown_persons(sentence, stand_together, has) {
            breach(BreachKind::InventedName, &name);
        }
        // No capitals tell names of Chinese and Japanese: at a placeholder every word is one.
        let is_part = |letter: char| is_ideographic(letter) && !is_hiragana(letter);
        for (mark, value) in values.iter().filter(|(mark, _)| mark.choices.is_empty()) {
            let runs = value.split(|letter: char| !is_part(letter)).filter(|run| run.chars().count() > 1);
            for run in runs.filter(|run| !mark.name.contains(run) && !is_labelled(run)) {
                if !sources.iter().any(|source| source.text.contains(run)) {
                    breach(BreachKind::InventedName, run);
                }
            }
        }
    }

    /// The values of the labels that are called as a placeholder, or as the line of a form in which it stands.
    fn labels_of<'s>(&'s self, sentence: &str, mark: &Placeholder) -> impl Iterator<Item = &'s String> {
        let name = sentence.trim_start_matches(['|', ' ']).split([':', '：', '|']).next().unwrap_or_default();
        let keys = [key(&mark.name), key(&without_name(&mark.name)), key(name)];
        keys.into_iter().filter_map(|key| self.labelled.get(&key)).flatten()
    }

    /// The sources that share the subject of a sentence, or nearly all of its words; every one where it names none, and
    /// for a line of a form, whose name need be no word of a summary.
    fn on_the_subject(&self, sentence: &str, place: Place, values: &[(&Placeholder, &str)]) -> Vec<usize> {
        let mut words = sentence.to_owned();
        for (_, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
            words = words.replacen(value, " ", 1);
        }
        let all = tokens(&words, 0..words.len());
        let ours = content(&all);
        let mut subject = subject(&words, &all);
        subject.truncate(2);
        if values.first().is_some_and(|(_, value)| sentence.starts_with(value)) {
            // The value is the subject: what is said of it must be the same.
            subject.clone_from(&ours);
        }
        if place != Place::Paragraph || sentence.lines().any(is_form) || subject.is_empty() || ours.is_empty()
        {
            return (0..self.all.len()).collect();
        }
        let known =
            |source: &Source<'_>, of: &[u64]| of.iter().filter(|word| source.words.contains(word)).count();
        // Of "The checkout service" the sentence on the checkout says more than the one on another service.
        let rank = |source: &Source<'_>| known(source, &subject) * 2 + known(source, &subject[..1]);
        let best = self.all.iter().filter(|source| !source.is_template).map(rank).max().unwrap_or(0).max(1);
        let is_near = |at: &usize| {
            let source = &self.all[*at];
            rank(source) >= best || known(source, &ours) * 3 > ours.len() * 2
        };
        (0..self.all.len()).filter(is_near).collect()
    }
}

fn figures(text: &str) -> HashSet<u64> {
    let written = tokens(text, 0..text.len());
    let digits = written.iter().filter(|token| token.kind == TokenKind::Figure).map(|token| token.key);
    digits.chain(spelt_figures(text).into_iter().map(|(_, value)| value.to_bits())).collect()
}

/// Whether a share in per cent is that of a fraction in the same sentence whose figures are known.
fn is_computed(sentence: &str, share: &str, is_known: &impl Fn(u64) -> bool) -> bool {
    let Some(share) = figure_value(share) else { return false };
    let cut = tokens(sentence, 0..sentence.len());
    let read = |at: usize| cut.get(at).filter(|token| token.kind == TokenKind::Figure).map(|token| token.key);
    let word = |at: usize| cut.get(at).map_or("", |token| token.text(sentence));
    (0..cut.len()).any(|at| {
        let Some(part) = read(at) else { return false };
        let link = at + 1 + usize::from(word(at + 1) == "out");
        if !matches!(word(link), "of" | "/") {
            return false;
        }
        let Some(whole) = read(link + 1) else { return false };
        let exact = f64::from_bits(part) * 100.0 / f64::from_bits(whole);
        is_known(part) && is_known(whole) && (exact - share).abs() < 0.5001
    })
}
