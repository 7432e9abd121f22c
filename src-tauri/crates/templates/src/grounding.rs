//! Checks that figures, dates, times and names of a document occur in a sentence of its sources on the same subject.

use crate::breach::{Breach, BreachKind, MOST_BREACHES};
use crate::days::{Moment, moments};
use crate::figure_words::{NearSource, Part, figures, misplaced, parts};
use crate::kinds::without_name;
use crate::labels::{Label, is_form, parted};
use crate::lines::{Line, depends_on_previous, lines};
use crate::number_words::spelt_figures;
use crate::placeholders::{Placeholder, placeholders};
use crate::prune::subject;
use crate::sections::Sections;
use crate::summary::Summary;
use crate::surnames::unknown_persons;
use crate::tokens::{TokenKind, content, figure_value, key, tokens};
use prose::{ClaimKind, Place, SourceTexts, is_hiragana, is_ideographic, sentences};
use std::collections::{HashMap, HashSet};

/// A sentence of the summary or of the template.
struct Source<'a> {
    text: &'a str,
    /// Its words, and those of the sentence that it depends on.
    words: HashSet<u64>,
    parts: Vec<Part>,
    figures: HashSet<u64>,
    moments: Vec<Moment>,
    /// The headings above it; for the template's own sentences the position counts.
    section: Option<String>,
    is_template: bool,
}

/// Most sentences of a source; the rest is read as one sentence.
const MOST_SOURCES: usize = 800;

fn sources<'a>(text: &'a str, is_template: bool, into: &mut Vec<Source<'a>>) {
    let sections = Sections::new(text);
    let mut before: HashSet<u64> = HashSet::new();
    let mut known = HashSet::new();
    let mut end = 0;
    let mut all: Vec<(&str, Option<String>)> = Vec::new();
    for sentence in sentences(text) {
        let section = sections.at(sentence.start);
        if all.len() < MOST_SOURCES && known.insert((sentence.text, section.clone())) {
            all.push((sentence.text, section));
            end = sentence.end;
        }
    }
    all.extend(text.get(end..).filter(|rest| !rest.trim().is_empty()).map(|rest| (rest, None)));
    for (part, section) in all {
        let own: HashSet<u64> = content(&tokens(part, 0..part.len())).into_iter().collect();
        let mut words = own.clone();
        if depends_on_previous(part) {
            words.extend(&before);
        }
        let mut parts = parts(part);
        if let [whole] = &mut parts[..] {
            whole.words.clone_from(&words);
        }
        let figures = figures(part);
        let moments = moments(part).into_iter().map(|(_, moment)| moment).collect();
        into.push(Source { text: part, words, parts, figures, moments, section, is_template });
        before = own;
    }
}

/// The template's sentences, to find the one that a sentence of the document was made from.
struct Patterns<'a> {
    template: &'a str,
    marks: Vec<Placeholder>,
    lines: Vec<Line>,
}

impl<'a> Patterns<'a> {
    fn new(template: &'a str) -> Self {
        let marks = placeholders(template);
        let mut lines = lines(template, &marks);
        lines.retain(|line| line.fixed.iter().any(|run| !content(run).is_empty()));
        Self { template, marks, lines }
    }

    /// The placeholders of the first sentence that differs from this one only at placeholders, with their values.
    fn values<'d>(&self, sentence: &'d str) -> Option<Vec<(&Placeholder, &'d str)>> {
        self.lines.iter().find_map(|line| {
            let marks = self.marks.get(line.gaps.clone()).filter(|marks| !marks.is_empty())?;
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

/// Checks that figures and names of a document occur in a sentence of the summary on the same subject, after a label
/// with the name of their placeholder, or in the template's own sentence. A share may be computed from a fraction
/// beside it.
pub fn check_grounded(document: &str, template: &str, summary: &str) -> Vec<Breach> {
    let mut all = Vec::new();
    let [document, template, summary] = &[document, template, summary].map(parted);
    sources(summary, false, &mut all);
    sources(template, true, &mut all);
    let texts: Vec<&str> = all.iter().map(|source| source.text).collect();
    let index = SourceTexts::new(&texts);
    let patterns = Patterns::new(template);
    let mut labelled: HashMap<String, Vec<Label>> = HashMap::new();
    for label in Summary::new(summary).labels {
        labelled.entry(label.key.clone()).or_default().push(label);
    }
    let sections = Sections::new(document);
    let mut known: HashSet<(&str, Option<String>)> = HashSet::new();
    for source in &all {
        known.insert((source.text, source.section.clone().filter(|_| !source.is_template)));
    }
    let checker = Checker { all, index, patterns, labelled, summary, template };
    let mut found = Vec::new();
    let all = sentences(document);
    let mut next = 0;
    while next < all.len() && found.len() < MOST_BREACHES {
        let first = &all[next];
        let section = sections.at(first.start);
        next += 1;
        if known.contains(&(first.text, None)) || !known.insert((first.text, section.clone())) {
            continue;
        }
        // A value such as "Hr. Dr. Lind" may look like the end of a sentence.
        let until = |last: usize| document.get(first.start..all.get(last)?.end);
        let whole = (next - 1..next + 2).find_map(|last| {
            let text = until(last)?;
            Some((text, checker.patterns.values(text)?, last + 1))
        });
        let (text, values, end) = whole.unwrap_or((first.text, Vec::new(), next));
        next = end;
        checker.check(text, first.place, section.as_deref(), &values, &mut found);
    }
    found
}

struct Checker<'a> {
    all: Vec<Source<'a>>,
    index: SourceTexts,
    patterns: Patterns<'a>,
    labelled: HashMap<String, Vec<Label>>,
    summary: &'a str,
    template: &'a str,
}

impl Checker<'_> {
    fn check(
        &self,
        sentence: &str,
        place: Place,
        section: Option<&str>,
        values: &[(&Placeholder, &str)],
        found: &mut Vec<Breach>,
    ) {
        let mut breach = |kind, words: &str| {
            found.push(Breach { kind, words: words.to_owned(), sentence: sentence.to_owned() });
        };
        // The value of a label with the placeholder's name is correct there, whatever the subject of the sentence.
        let is_labelled = |words: &str| {
            values.iter().any(|(mark, value)| {
                let mut labels =
                    self.labels_of(sentence, mark).filter(|label| is_under(&label.section, section));
                value.contains(words) && labels.any(|label| label.value.contains(words))
            })
        };
        let (which, subject) = self.on_the_subject(sentence, place, section, values);
        let near = which.iter().map(|at| &self.all[*at]).map(|source| NearSource {
            parts: &source.parts,
            rank: source.rank(&subject),
            is_template: source.is_template,
        });
        for figure in
            misplaced(sentence, &near.collect::<Vec<_>>()).iter().filter(|words| !is_labelled(words))
        {
            breach(BreachKind::InventedFigure, figure);
        }
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
            // "IBAN DE02": a word of the template before the value.
            let is_of_both = || {
                let words = || claim.text.split_whitespace();
                let is_of_template = |word: &str| self.template.contains(word);
                words().any(is_labelled) && words().all(|word| is_labelled(word) || is_of_template(word))
            };
            match claim.kind {
                _ if is_labelled(&claim.text) || is_labelled(value) || is_of_both() => {}
                ClaimKind::Percent if is_computed(sentence, value, &has_figure) => {}
                // The template has the currency, the summary the amount.
                ClaimKind::Money | ClaimKind::Figure | ClaimKind::Year if is_known => {}
                ClaimKind::Name => breach(BreachKind::InventedName, &claim.text),
                _ => breach(BreachKind::InventedFigure, &claim.text),
            }
        }
        for (range, value) in spelt_figures(&readable) {
            // "One" often means a member of a group, as in "one of them", not a count.
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
        // Chinese and Japanese names have no capitals: at a placeholder every word counts as a name.
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

    /// The labels with the name of a placeholder, or of its form line.
    fn labels_of<'s>(&'s self, sentence: &str, mark: &Placeholder) -> impl Iterator<Item = &'s Label> {
        let name = sentence.trim_start_matches(['|', ' ']).split([':', '：', '|']).next().unwrap_or_default();
        let keys = [key(&mark.name), key(&without_name(&mark.name)), key(name)];
        keys.into_iter().filter_map(|key| self.labelled.get(&key)).flatten()
    }

    /// The sources that share the subject of a sentence, or nearly all of its words, and that subject. All sources if
    /// the summary does not contain the subject, and for a form line, whose name need not occur in a summary.
    fn on_the_subject(
        &self,
        sentence: &str,
        place: Place,
        section: Option<&str>,
        values: &[(&Placeholder, &str)],
    ) -> (Vec<usize>, Vec<u64>) {
        let mut words = sentence.to_owned();
        for (_, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
            words = words.replacen(value, " ", 1);
        }
        let all = tokens(&words, 0..words.len());
        let ours = content(&all);
        let mut subject = subject(&words, &all);
        subject.truncate(2);
        let is_value = values.first().is_some_and(|(_, value)| sentence.starts_with(value));
        let is_named = place == Place::Paragraph && (is_value || !subject.is_empty());
        if is_value || subject.is_empty() && !depends_on_previous(sentence) {
            // If the value is the subject, the statement on it must be the same.
            subject.clone_from(&ours);
        }
        let mut which: Vec<usize> = (0..self.all.len())
            .filter(|at| is_under(&self.all[*at].section, section) || self.all[*at].is_template)
            .collect();
        if !matches!(place, Place::Paragraph | Place::ListItem)
            || sentence.lines().any(is_form)
            || subject.is_empty()
        {
            return (which, Vec::new());
        }
        let is_of_summary = |at: &&usize| !self.all[**at].is_template;
        // For "The checkout service", a sentence on the checkout matches better than one on another service.
        let best =
            which.iter().filter(is_of_summary).map(|at| self.all[*at].rank(&subject)).max().unwrap_or(0);
        if best == 0 {
            return (which, Vec::new());
        }
        let is_near =
            |source: &Source<'_>| source.rank(&subject) >= best || source.known(&ours) * 3 > ours.len() * 2;
        which.retain(|at| !is_named || is_near(&self.all[*at]));
        (which, subject)
    }
}

impl Source<'_> {
    fn known(&self, words: &[u64]) -> usize {
        words.iter().filter(|word| self.words.contains(word)).count()
    }

    /// The overlap with a subject, whose first word counts more.
    fn rank(&self, subject: &[u64]) -> usize {
        self.known(subject) * 2 + self.known(subject.get(..1).unwrap_or_default())
    }
}

/// Whether a statement under one heading also applies under another.
fn is_under(own: &Option<String>, section: Option<&str>) -> bool {
    own.is_none() || section.is_none() || own.as_deref() == section
}

/// Whether a percentage is the share of a fraction in the same sentence with known figures.
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
