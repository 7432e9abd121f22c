//! What each citation of a text is worth: the sentence that cites, the passage of the source that comes nearest to it,
//! and how much of the sentence stands in that passage and beside it.
//!
//! It compares words, figures, names and opposites, not meaning.

use std::collections::HashMap;
use std::ops::Range;

use crate::characters::is_ideographic;
use crate::citations::citations;
use crate::contradictions::{Contradiction, contradiction};
use crate::grounding::{Claim, ClaimKind, claims};
use crate::markup::{Mark, scan};
use crate::passages::{Near, Passages};
use crate::references::without_references;
use crate::sentences::{Place, sentences};
use crate::sources::SourceTexts;
use crate::stop_words::{is_reporting, is_stop};
use crate::tokens::{TokenKind, each_token, normal};

/// What a citation is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The nearest passages have the figures of the sentence and most of its words, the source its names.
    Supported,
    /// The source has some of it, has a figure elsewhere, has a "not" more or less, or is written in another script,
    /// so that only figures and names were compared.
    Weak,
    /// The source has hardly a word of it, lacks a figure of it, has none of its figures and names, or says the opposite.
    NotFound,
    /// There is no source of this number.
    OutOfRange,
}

/// One citation of one sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct CitedSentence<'a> {
    /// The sentence as it stands in the text.
    pub sentence: &'a str,
    /// The number that it cites, 1 for the first source.
    pub number: usize,
    /// What the citation is worth.
    pub verdict: Verdict,
    /// The words that decide it: what the source has of the sentence where it supports it, else what it lacks.
    pub words: Vec<String>,
    /// The sentence of the source that shares most with it, as bytes of the source.
    pub passage: Option<Range<usize>>,
}

/// Share of the content words of a sentence from which on a source supports it.
const SUPPORTS: f64 = 0.5;
/// Share below which a source does not say it.
const HARDLY: f64 = 0.25;
/// Words that are told of a verdict.
const MOST_WORDS: usize = 6;

/// Every citation of a Markdown text, in the order of the text; its list of references cites nothing. `sources` are the
/// whole texts, source 1 first. Time is linear in the text and in the sources for every citation of them.
pub fn citation_ledger<'a>(markdown: &'a str, sources: &[&str]) -> Vec<CitedSentence<'a>> {
    let indexed = SourceTexts::new(sources);
    let mut passages: HashMap<usize, Passages> = HashMap::new();
    let mut found = Vec::new();
    for sentence in sentences(without_references(markdown)) {
        if sentence.place == Place::Heading {
            continue;
        }
        let mut numbers: Vec<usize> = Vec::new();
        for citation in citations(sentence.text) {
            if !numbers.contains(&citation.number) {
                numbers.push(citation.number);
            }
        }
        if numbers.is_empty() {
            continue;
        }
        let known = numbers.iter().filter_map(|number| number.checked_sub(1));
        let known: Vec<usize> = known.filter(|index| *index < sources.len()).collect();
        let near: Vec<Vec<Near>> = known
            .iter()
            .map(|index| {
                let passages = passages.entry(*index).or_insert_with(|| Passages::of(sources[*index]));
                passages.nearest(sentence.text)
            })
            .collect();
        let claimed = Claimed::of(sentence.text, &indexed, sources, &known, &near);
        for number in numbers {
            let place = known.iter().position(|index| index + 1 == number);
            let entry = match place {
                None => Some((Verdict::OutOfRange, vec![format!("[{number}]")], None)),
                Some(place) => claimed.judge(place),
            };
            found.extend(entry.map(|(verdict, words, passage)| CitedSentence {
                sentence: sentence.text,
                number,
                verdict,
                words,
                passage,
            }));
        }
    }
    found
}

/// A sentence that cites, held against the sources that it cites.
struct Claimed<'a> {
    sentence: &'a str,
    indexed: &'a SourceTexts,
    sources: &'a [&'a str],
    known: &'a [usize],
    near: &'a [Vec<Near>],
    /// What stands around the nearest passages of each source, prepared as a source.
    contexts: SourceTexts,
    /// Content words as written.
    said: Vec<String>,
    /// Figures and names.
    n_claims: usize,
    /// Those that none of the cited sources has. Sources that are cited together carry a sentence together.
    missing: Vec<Claim>,
    /// Figures that stand in the sources, but nowhere near, and those spelt as words that stand in none: "the two
    /// companies" is often said where a source names both.
    elsewhere: Vec<String>,
}

impl<'a> Claimed<'a> {
    fn of(
        sentence: &'a str,
        indexed: &'a SourceTexts,
        sources: &'a [&'a str],
        known: &'a [usize],
        near: &'a [Vec<Near>],
    ) -> Claimed<'a> {
        let contexts: Vec<String> = known
            .iter()
            .zip(near)
            .map(|(index, near)| {
                let parts = near.iter().filter_map(|near| sources[*index].get(near.context.clone()));
                parts.collect::<Vec<_>>().join("\n")
            })
            .collect();
        let contexts = SourceTexts::new(&contexts.iter().map(String::as_str).collect::<Vec<_>>());
        let missing = indexed.ungrounded_in(sentence, known);
        let is_figure = |claim: &Claim| claim.kind != ClaimKind::Name && !missing.contains(claim);
        let not_near = contexts.ungrounded(sentence).into_iter().filter(is_figure).map(|claim| claim.text);
        let elsewhere = not_near.chain(indexed.spelt_figures_not_in(sentence, known)).collect();
        Claimed {
            said: content_words(sentence),
            n_claims: claims(sentence).len(),
            sentence,
            indexed,
            sources,
            known,
            near,
            contexts,
            missing,
            elsewhere,
        }
    }

    /// The verdict on one of the cited sources, the words that decide it and the passage; none where the sentence
    /// states nothing, as a frame such as "Further on it says [1]:".
    fn judge(&self, place: usize) -> Option<(Verdict, Vec<String>, Option<Range<usize>>)> {
        if self.said.is_empty() && self.n_claims == 0 {
            return None;
        }
        let source = self.sources[self.known[place]];
        let passage = self.near[place].first().map(|near| near.sentence.clone());
        let has_no_claim = self.n_claims > 0 && self.missing.len() >= self.n_claims;
        let lacks_figure = self.missing.iter().any(|claim| claim.kind != ClaimKind::Name);
        let missing = || self.missing.iter().map(|claim| claim.text.clone()).take(MOST_WORDS).collect();
        if is_other_script(self.sentence, source) {
            let verdict = if has_no_claim || lacks_figure { Verdict::NotFound } else { Verdict::Weak };
            let words = if self.missing.is_empty() { self.words(place, false) } else { missing() };
            return Some((verdict, words, passage));
        }
        let share = self.contexts.support(self.sentence, place);
        let against = passage
            .clone()
            .filter(|_| share >= SUPPORTS)
            .and_then(|range| contradiction(self.sentence, source.get(range)?));
        let (verdict, words) = if has_no_claim || lacks_figure {
            (Verdict::NotFound, missing())
        } else if let Some(Contradiction::Opposite(words)) = against {
            (Verdict::NotFound, words)
        } else if share < HARDLY && (self.n_claims == 0 || passage.is_none() || !self.elsewhere.is_empty()) {
            (Verdict::NotFound, if self.missing.is_empty() { self.words(place, false) } else { missing() })
        } else if !self.missing.is_empty() {
            (Verdict::Weak, missing())
        } else if !self.elsewhere.is_empty() {
            (Verdict::Weak, self.elsewhere.clone())
        } else if let Some(Contradiction::Negated(word)) = against {
            (Verdict::Weak, vec![word])
        } else if share < SUPPORTS || passage.is_none() {
            (Verdict::Weak, self.words(place, false))
        } else {
            (Verdict::Supported, self.words(place, true))
        };
        Some((verdict, words, passage))
    }

    /// Words of the sentence that one source has, or has not.
    fn words(&self, place: usize, has: bool) -> Vec<String> {
        let is_there = |word: &&String| (self.indexed.support(word, self.known[place]) > 0.5) == has;
        self.said.iter().filter(is_there).take(MOST_WORDS).cloned().collect()
    }
}

/// The content words and figures of a sentence as written, each once; of Chinese and Japanese runs of characters.
fn content_words(sentence: &str) -> Vec<String> {
    let text = normal(sentence);
    let mut words: Vec<String> = Vec::new();
    let mut run: Option<Range<usize>> = None;
    let mut keep = |range: Range<usize>| {
        let word = text[range].to_owned();
        if !words.contains(&word) {
            words.push(word);
        }
    };
    scan(&text, |mark, start, end| {
        if matches!(mark, Mark::Hidden | Mark::Citation) {
            return;
        }
        each_token(&text, start, end, true, |token| {
            let range = token.start as usize..token.end as usize;
            if token.kind == TokenKind::Ideographic {
                run = Some(match run.take() {
                    Some(before) if before.end == range.start => before.start..range.end,
                    Some(before) => {
                        keep(before);
                        range
                    }
                    None => range,
                });
                return;
            }
            let is_content =
                token.kind == TokenKind::Number || (!is_stop(token.key) && !is_reporting(token.key));
            if is_content {
                keep(range);
            }
        });
    });
    if let Some(last) = run {
        keep(last);
    }
    words
}

/// Whether one of two texts is written mostly in Chinese or Japanese characters and the other hardly.
fn is_other_script(sentence: &str, source: &str) -> bool {
    let share = |text: &str| {
        let letters = text.chars().filter(|letter| letter.is_alphabetic()).take(2000);
        let (all, wide) = letters
            .fold((0_u32, 0_u32), |(all, wide), letter| (all + 1, wide + u32::from(is_ideographic(letter))));
        if all == 0 { 0.5 } else { f64::from(wide) / f64::from(all) }
    };
    let (one, other) = (share(sentence), share(source));
    (one > 0.4 && other < 0.1) || (one < 0.1 && other > 0.4)
}

#[cfg(test)]
mod tests;
