//! Takes out of a template the sentences that a summary denies or does not speak of; changes none.

use crate::checks::check_pruned;
use crate::choice_words::QUANTITIES;
use crate::fill::answered;
use crate::fixed_text::is_fixed;
use crate::labels::parted;
use crate::lines::{Line, leans, lines};
use crate::placeholders::{Placeholder, placeholders};
use crate::summary::{Summary, clauses};
use crate::tokens::{Token, TokenKind, content, denies, tokens};
use prose::{OPPOSITES_WITHOUT_SPACES, OppositeSide, Place, is_ideographic, opposite_sides, says_undenied};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
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

/// Takes out the sentences that the summary denies, and those of whose subjects it mentions none. Lines of a form,
/// check lists, references and sentences on the document itself stay.
pub fn prune(template: &str, summary: &str) -> Pruned {
    let marks = placeholders(template);
    let lines = lines(template, &marks);
    let known = Known::new(&parted(summary));
    let answered = answered(template, &marks, summary);
    let mut verdicts: Vec<Option<RemovalReason>> = Vec::with_capacity(lines.len());
    let mut was_fixed = false;
    for line in &lines {
        let after = template.get(line.range.end..).unwrap_or_default();
        let is_it = is_fixed(template, line, &marks, was_fixed, after);
        was_fixed = is_it && line.place != Place::Heading;
        let verdict = if is_it { None } else { known.verdict(template, line, &marks) };
        // What is filled is spoken of, whatever its words are.
        let is_filled = answered[line.gaps.clone()].contains(&true);
        verdicts.push(verdict.filter(|why| *why == RemovalReason::Denied || !is_filled));
    }
    empty_sections(template, &lines, &mut verdicts);
    build(template, &lines, &verdicts)
}

/// A sentence or a clause of the summary.
struct Said {
    text: String,
    /// Its words, and whether each stands in a clause that denies nothing.
    words: HashMap<u64, bool>,
    figures: Vec<u64>,
}

/// What the summary speaks of.
struct Known {
    said: Vec<Said>,
}

/// Share of a sentence that another must have to speak of the same.
const LEAST_SHARE: f64 = 0.5;
/// Most sentences and clauses of a summary that are compared.
const MOST_SAID: usize = 600;

impl Known {
    fn new(summary: &str) -> Self {
        let mut said = Vec::new();
        for sentence in Summary::new(summary).sentences {
            let whole = Some(&sentence.clauses[..]).filter(|clauses| clauses.len() > 1);
            for clauses in whole.into_iter().chain(sentence.clauses.chunks(1)) {
                let mut part = Said { text: String::new(), words: HashMap::new(), figures: Vec::new() };
                for clause in clauses {
                    let tokens = &sentence.tokens[clause.clone()];
                    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { continue };
                    let text = sentence.text[first.start..last.end].to_lowercase();
                    let is_plain = !denies(&text);
                    content(tokens)
                        .into_iter()
                        .for_each(|word| *part.words.entry(word).or_default() |= is_plain);
                    part.figures.extend(figures(tokens));
                    part.text = part.text + &text + " ";
                }
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
        // "The {treasurer} spoke" speaks of the treasurer.
        if let (Some(first), Some(before)) =
            (names.first(), line.fixed.first().filter(|_| !subject.is_empty()))
            && content(before).is_empty()
        {
            subject.extend(content(&tokens(&first.name, 0..first.name.len())));
        }
        let has_polarity = names.iter().any(|mark| mark.choices.iter().any(|choice| denies(choice)));
        if !has_polarity && self.denies(&words, &all, &subject) {
            return Some(RemovalReason::Denied);
        }
        let ours = content(&all);
        let speaks = |said: &Said| {
            subject.iter().any(|word| said.words.contains_key(word))
                // What waits for a value says so itself; a statement must stand in the summary by half at least.
                && (!line.gaps.is_empty() || share(&ours, &subject, said, 0) >= LEAST_SHARE)
        };
        (!subject.is_empty() && !self.said.iter().any(speaks)).then_some(RemovalReason::NotMentioned)
    }

    fn denies(&self, text: &str, all: &[Token], subject: &[u64]) -> bool {
        let text = text.to_lowercase();
        let (ours, is_denied, own) = (content(all), denies(&text), figures(all));
        let is_all = ALL.iter().any(|word| text.starts_with(word));
        let (mut against, mut beside) = (0.0_f64, 0.0_f64);
        for said in &self.said {
            let named = if subject.is_empty() { &ours } else { subject };
            if !named.iter().any(|word| said.words.contains_key(word)) {
                continue;
            }
            let opposed = opposites(&text, &said.text);
            let share = share(&ours, subject, said, opposed.len());
            let mut here = ours.iter().filter_map(|word| said.words.get(word));
            let is_other =
                if is_denied { here.all(|is_plain| *is_plain) } else { here.any(|is_plain| !is_plain) };
            let counts_otherwise = share >= 1.0
                && !said.figures.is_empty()
                && own.iter().any(|figure| !said.figures.contains(figure));
            // What is turned round twice stays as it is: "did not rise" and "fell" say the same.
            let is_turned = is_other == opposed.is_empty();
            let is_part = is_all
                && !ALL.iter().any(|word| says(&said.text, word))
                && (!said.figures.is_empty() || says_part(&said.text));
            if is_turned || opposed.iter().any(|word| denies(word)) || counts_otherwise || is_part {
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

/// Share of the words that stand there, too, `more` of them as others; the first word of the subject counts twice.
fn share(words: &[u64], subject: &[u64], said: &Said, more: usize) -> f64 {
    let all = words.iter().chain(subject.first());
    let known = all.clone().filter(|word| said.words.contains_key(word)).count() + more;
    (known as f64 / all.count().max(1) as f64).min(1.0)
}

fn figures(tokens: &[Token]) -> Vec<u64> {
    tokens.iter().filter(|token| token.kind == TokenKind::Figure).map(|token| token.key).collect()
}

/// The words of the other text that are opposites of words of this one, of which it has none itself.
fn opposites(text: &str, other: &str) -> Vec<String> {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_alphabetic())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (ours, theirs) = (words(text), words(other));
    let own: Vec<OppositeSide> = ours.iter().flat_map(|word| opposite_sides(word)).copied().collect();
    let is_same = |word: &String| opposite_sides(word).iter().any(|side| own.contains(side));
    let is_opposite =
        |word: &&String| opposite_sides(word).iter().any(|(pair, side)| own.contains(&(*pair, !side)));
    let mut found = match theirs.iter().any(is_same) {
        true => Vec::new(),
        false => theirs.iter().filter(is_opposite).cloned().collect(),
    };
    if !text.is_ascii() {
        let any = |text: &str, words: &[&str]| words.iter().any(|word| says_undenied(text, word));
        for (one, two) in OPPOSITES_WITHOUT_SPACES {
            for (own, opposite) in [(one, two), (two, one)] {
                if any(text, own) && !any(text, opposite) && !any(other, own) {
                    found.extend(
                        opposite
                            .iter()
                            .find(|word| says_undenied(other, word))
                            .map(|word| (*word).to_owned()),
                    );
                }
            }
        }
    }
    found
}

/// Words with which a part of a sentence begins that is not its subject.
const BEFORE_SUBJECT: &str = " in on at of for from by with after before during since until under over between among to as \
    because although though when if there ";

/// What a sentence speaks of: its words before its verb. Nothing where it leans on another sentence.
pub(crate) fn subject(text: &str, all: &[Token]) -> Vec<u64> {
    if leans(text) {
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
