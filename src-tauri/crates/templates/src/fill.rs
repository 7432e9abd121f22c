//! Replaces the placeholders of a template with values from a summary; without a value a placeholder stays open.
//!
//! Two sources fill a placeholder: a label with its name, and a sentence of the summary with the same words in the same
//! order. Both give a value exactly as written. If two values are possible, none is used.

use crate::checks::is_fitting;
use crate::frames::{capture_values, ends_in_article};
use crate::kinds::{FIGURES, asks_for_figure, begins_with_figure, is_of_kind, without_name};
use crate::labels::{Label, LabelKind, is_form, parted};
use crate::lines::{Line, depends_on_previous, lines};
use crate::placeholders::{Placeholder, placeholders};
use crate::sections::Sections;
use crate::summary::{Said, Summary};
use crate::tokens::{Token, TokenKind, content, denies, is_article, is_present, key, words};
use prose::{is_ideographic, is_stop_word};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A placeholder that was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    /// The placeholder, with its position in the earlier text.
    pub placeholder: Placeholder,
    /// The value.
    pub value: String,
    /// The words of the summary with the value.
    pub from: String,
}

/// A text with its placeholders replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filled {
    /// The text, which differs from the earlier text only at placeholders.
    pub text: String,
    /// The replacements in order.
    pub filled: Vec<Replacement>,
    /// The placeholders without a value, with their positions in this text.
    pub open: Vec<Placeholder>,
}

/// A value with the words of the summary that contain it.
#[derive(Clone, PartialEq)]
struct Answer {
    value: String,
    from: String,
}

/// Replaces the placeholders that have a value in the summary.
pub fn fill(template: &str, summary: &str) -> Filled {
    let marks = placeholders(template);
    let answers = answers(template, &marks, summary);
    build(template, marks, answers)
}

/// Which placeholders of a template have a value in the summary.
pub(crate) fn answered(template: &str, marks: &[Placeholder], summary: &str) -> Vec<bool> {
    answers(template, marks, summary).iter().map(Option::is_some).collect()
}

fn answers(template: &str, marks: &[Placeholder], summary: &str) -> Vec<Option<Answer>> {
    let summary = parted(summary);
    let summary = Summary::new(&summary);
    let mut answers: Vec<Option<Answer>> = vec![None; marks.len()];
    let sections = Sections::new(template);
    for line in lines(template, marks).into_iter().flat_map(|line| split_form_lines(template, marks, line)) {
        let words = &template[line.range.clone()];
        if line.gaps.is_empty() {
            continue;
        }
        let section = sections.at(line.range.start);
        let filler = Filler { template, marks, line: &line, summary: &summary, section };
        let said =
            if depends_on_previous(words) { vec![None; line.gaps.len()] } else { filler.sentence_values() };
        for (place, said) in line.gaps.clone().zip(said) {
            let answer = filler.label_value(&marks[place]).or(said);
            answers[place] = answer.and_then(|answer| filler.fit(&marks[place], answer));
        }
    }
    answers
}

/// Splits a sentence that consists of form lines into these lines.
fn split_form_lines(template: &str, marks: &[Placeholder], line: Line) -> Vec<Line> {
    let text = &template[line.range.clone()];
    if !text.contains('\n') || !text.lines().any(is_form) {
        return vec![line];
    }
    let start = line.range.start;
    let ends = text.match_indices('\n').map(|(at, _)| start + at).chain([line.range.end]);
    let mut from = start;
    let mut first = line.gaps.start;
    let mut found = Vec::new();
    for end in ends {
        let last = (first..line.gaps.end).take_while(|at| marks[*at].place.end <= end).last();
        let gaps = first..last.map_or(first, |last| last + 1);
        first = gaps.end;
        found.push(Line::new(template, marks, from..end, line.place, gaps));
        from = end + 1;
    }
    found
}

fn build(template: &str, marks: Vec<Placeholder>, answers: Vec<Option<Answer>>) -> Filled {
    let mut text = String::with_capacity(template.len());
    let (mut filled, mut open) = (Vec::new(), Vec::new());
    let mut from = 0;
    for (placeholder, answer) in marks.into_iter().zip(answers) {
        text.push_str(&template[from..placeholder.place.start]);
        from = placeholder.place.end;
        match answer {
            Some(Answer { value, from }) => {
                text.push_str(&value);
                filled.push(Replacement { placeholder, value, from });
            }
            None => {
                let start = text.len();
                text.push_str(&template[placeholder.place.clone()]);
                open.push(Placeholder { place: start..text.len(), ..placeholder });
            }
        }
    }
    text.push_str(&template[from..]);
    Filled { text, filled, open }
}

struct Filler<'a> {
    template: &'a str,
    marks: &'a [Placeholder],
    line: &'a Line,
    summary: &'a Summary<'a>,
    /// The headings above the line.
    section: Option<String>,
}

impl Filler<'_> {
    fn is_in_section(&self, other: Option<&String>) -> bool {
        other.is_none_or(|other| match &self.section {
            Some(section) => section == other,
            None => !self.summary.parts.contains(other),
        })
    }

    /// Whether the line is a form line: a name, a colon or a cell border, and only this placeholder.
    fn name_of_form(&self, mark: &Placeholder) -> Option<&str> {
        let before = self.template[self.line.range.start..mark.place.start].trim_end();
        let behind =
            self.template[mark.place.end..self.line.range.end].trim_matches(['|', ' ', '*', '.', '。']);
        let before = before.trim_matches(['|', ' ', '*', '-']);
        let is_cell = self.template[self.line.range.clone()].starts_with('|');
        let name = before.strip_suffix([':', '：']).or(is_cell.then_some(before))?;
        behind.is_empty().then(|| name.trim_matches(['*', ' ']))
    }

    /// The value of the label with the name of the placeholder, or of its line.
    fn label_value(&self, mark: &Placeholder) -> Option<Answer> {
        let form = self.name_of_form(mark);
        // A sentence with a negation contradicts a label on the same thing.
        if form.is_none() && denies(&self.line.words(self.template, self.marks)) {
            return None;
        }
        // The line "Owner: {name}" asks for the owner, the line "Owner: {phone}" does not.
        let is_bare = |name: &str| {
            let (name, form) = (key(&without_name(name)), key(form.unwrap_or_default()));
            let is_kind = FIGURES.split_whitespace().any(|word| key(word) == name);
            let is_in_form = |word: &str| {
                form.split(' ').any(|one| one == word || word.contains(is_ideographic) && one.contains(word))
            };
            is_kind || name.split_whitespace().all(is_in_form)
        };
        let of_line = form.filter(|_| is_bare(&mark.name));
        let names: Vec<&str> = [Some(mark.name.as_str()), of_line].into_iter().flatten().collect();
        let keys =
            names.iter().map(|name| key(name)).chain(names.iter().map(|name| key(&without_name(name))));
        let keys: Vec<String> = keys.filter(|key| !key.is_empty()).collect();
        let kinds = match form {
            Some(_) => &[LabelKind::Colon, LabelKind::Is, LabelKind::IsForForms][..],
            None => &[LabelKind::Colon, LabelKind::Is],
        };
        let all = kinds.iter().flat_map(|kind| keys.iter().map(|key| self.labels(*kind, key)));
        let found = all.into_iter().find(|found| !found.is_empty())?;
        let (first, rest) = found.split_first()?;
        // A denied value does not fit a count: "There were not known guests".
        let has_figure = first.value.contains(char::is_numeric) || !denies(&first.value);
        let is_kind = form.is_some() || !asks_for_figure(&mark.name) || has_figure;
        let answer = Answer { value: first.value.clone(), from: first.from.clone() };
        (is_kind && rest.iter().all(|other| other.value == first.value)).then_some(answer)
    }

    fn labels(&self, kind: LabelKind, key: &str) -> Vec<&Label> {
        let is_it = |label: &&Label| {
            label.kind == kind && label.key == key && self.is_in_section(label.section.as_ref())
        };
        self.summary.labels.iter().filter(is_it).collect()
    }

    /// The values at the gaps of a line, from sentences of the summary with the same words.
    fn sentence_values(&self) -> Vec<Option<Answer>> {
        let mut found: Vec<Vec<Answer>> = vec![Vec::new(); self.line.gaps.len()];
        let all: Vec<u64> = self.line.fixed.iter().flat_map(|run| words(run)).collect();
        let parts = self.parts();
        for said in &self.summary.sentences {
            // No word of the line may be missing.
            let is_said = !all.is_empty() && all.iter().all(|word| said.words.contains(word));
            if !is_said || !self.is_in_section(said.section.as_ref()) {
                continue;
            }
            let mut of_sentence = self.values(&self.line.fixed, 0, said, &said.tokens);
            if !of_sentence.is_empty() {
                let has_clauses =
                    self.line.fixed.iter().flatten().any(|token| token.kind == TokenKind::Break);
                of_sentence.retain(|(_, answer)| !has_clauses || begins_with_figure(&answer.value));
                of_sentence.into_iter().for_each(|(gap, answer)| found[gap].push(answer));
                continue;
            }
            // A clause counts as a sentence if the clauses beside it are of the same kind.
            let is_parallel = |(at, clause): (usize, &Range<usize>)| {
                is_parallel(at, &said.tokens[clause.clone()], said.text)
            };
            if !said.clauses.iter().enumerate().all(is_parallel) {
                continue;
            }
            for (first, fixed) in &parts {
                for clause in &said.clauses {
                    let values = self.values(fixed, *first, said, &said.tokens[clause.clone()]);
                    let figures = values.into_iter().filter(|(_, answer)| begins_with_figure(&answer.value));
                    figures.for_each(|(gap, answer)| found[gap].push(answer));
                }
            }
        }
        found
            .into_iter()
            .map(|answers| {
                answers.first().filter(|first| answers.iter().all(|one| one.value == first.value)).cloned()
            })
            .collect()
    }

    /// The clauses of the line with a gap: the number of their first gap, and their fixed tokens.
    fn parts(&self) -> Vec<(usize, Vec<Vec<Token>>)> {
        let mut found: Vec<(usize, Vec<Vec<Token>>)> = vec![(0, vec![Vec::new()])];
        for (gap, run) in self.line.fixed.iter().enumerate() {
            if gap > 0
                && let Some((_, part)) = found.last_mut()
            {
                part.push(Vec::new());
            }
            for token in run {
                if token.kind == TokenKind::Break {
                    found.push((gap, vec![Vec::new()]));
                } else if let Some(last) = found.last_mut().and_then(|(_, part)| part.last_mut()) {
                    last.push(*token);
                }
            }
        }
        found.retain(|(_, part)| part.len() > 1 && part.iter().any(|run| !content(run).is_empty()));
        found
    }

    /// The values of a part of a sentence at the gaps from `first` on, if it has the fixed words and the values the
    /// right kind.
    fn values(
        &self,
        fixed: &[Vec<Token>],
        first: usize,
        said: &Said<'_>,
        part: &[Token],
    ) -> Vec<(usize, Answer)> {
        if fixed.iter().all(|run| content(run).is_empty()) {
            return Vec::new();
        }
        let marks = self.marks.get(self.line.gaps.clone()).unwrap_or_default();
        let is_before = |token: &&Token| part.first().is_some_and(|first| token.end <= first.start);
        let from = said.tokens.iter().rfind(is_before).map_or(0, |before| before.end);
        let found = capture_values(fixed, said.text, from, part).unwrap_or_default();
        found
            .into_iter()
            .zip(first..)
            .filter_map(|(place, gap)| {
                let (value, mark) = (&said.text[place.clone()], marks.get(gap)?);
                let is_cut = !said.is_whole && place.end >= said.text.trim_end_matches('.').len();
                if is_cut || !is_same_time(self.template, mark, &said.text[..place.start]) {
                    return None;
                }
                let is_kind = !mark.choices.is_empty() || !denies(value) && is_of_kind(&mark.name, value);
                is_kind.then(|| (gap, Answer { value: value.to_owned(), from: said.text.to_owned() }))
            })
            .collect()
    }

    /// The answer without words that the template has beside the placeholder; `None` if it is not allowed there.
    fn fit(&self, mark: &Placeholder, mut answer: Answer) -> Option<Answer> {
        let (before, behind) = (&self.template[..mark.place.start], &self.template[mark.place.end..]);
        if ends_in_article(before) {
            let first = answer.value.split(' ').next().unwrap_or_default();
            if is_article(first) {
                answer.value = answer.value[first.len()..].trim_start().to_owned();
            }
        }
        let behind = behind.trim_start_matches(' ');
        let is_unit = |(at, _): &(usize, char)| {
            let (figure, unit) = answer.value.split_at(*at);
            let unit = unit.trim_start();
            !unit.is_empty() && figure.trim_end().ends_with(char::is_numeric) && behind.starts_with(unit)
        };
        if let Some((at, _)) = answer.value.char_indices().find(is_unit) {
            answer.value.truncate(at);
            answer.value.truncate(answer.value.trim_end().len());
        }
        if behind.starts_with('.') && answer.value.ends_with('.') {
            answer.value.pop();
        }
        if !mark.choices.is_empty() {
            let choice =
                mark.choices.iter().find(|choice| choice.to_lowercase() == answer.value.to_lowercase())?;
            answer.value.clone_from(choice);
        }
        let has_marks = answer.value.contains('|') || !placeholders(&answer.value).is_empty();
        (!answer.value.is_empty() && !has_marks && is_fitting(self.template, mark, &answer.value))
            .then_some(answer)
    }
}

/// Whether a value after "is" or "was" is filled in after the same: "The chair was Ms. Ito" does not say who it is.
fn is_same_time(template: &str, mark: &Placeholder, said_before: &str) -> bool {
    let last = |text: &str| text.split_whitespace().next_back().and_then(is_present);
    match (last(&template[..mark.place.start]), last(said_before)) {
        (Some(ours), Some(theirs)) => ours == theirs,
        _ => true,
    }
}

/// Whether a clause is independent of those beside it: it has its own figure and begins with no conjunction.
fn is_parallel(at: usize, clause: &[Token], text: &str) -> bool {
    let has_figure = clause.iter().any(|token| token.kind == TokenKind::Figure);
    let rest = clause.first().map_or("", |first| &text[first.start..]);
    let is_part = at > 0
        && ["of which", "of these", "of them", "其中", "うち"].iter().any(|word| rest.starts_with(word));
    let is_bound = clause.first().is_none_or(|first| is_stop_word(&first.text(text).to_lowercase()))
        || ["其中", "但", "只", "仅", "除", "うち", "ただし"].iter().any(|word| rest.starts_with(word));
    // "2 days and 5 hours" is one figure.
    let goes_on = at > 0 && clause.first().is_some_and(|first| first.kind == TokenKind::Figure);
    has_figure && !goes_on && (is_part || !is_bound)
}
