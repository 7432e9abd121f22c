//! The one judgement of a text against its sources: of each citation the sentence that cites, the passage of the source
//! that comes nearest to it, and how much of the sentence stands there; of a sentence that cites nothing, what no source has.
//!
//! Checks, the ledger of citations, reviews and exports read this judgement, so they agree. It compares words, figures,
//! names and opposites, not meaning.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::characters::is_ideographic;
use crate::citations::citations;
use crate::contradictions::{Contradiction, contradiction};
use crate::grounding::{Claim, ClaimKind, claims};
use crate::markup::{Mark, scan};
use crate::passages::{Near, Passages};
use crate::references::without_references;
use crate::sentences::{Place, sentences};
use crate::sources::SourceTexts;
use crate::stop_words::{EMPTY, is_stop};
use crate::support::support;
use crate::tokens::{TokenKind, each_token, normal};

/// What a source says of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The nearest passages have the figures of the sentence and most of its words, the cited sources its names.
    Supported,
    /// The source has some of it, has a figure elsewhere, has a "not" more or less, or is in another language, so that
    /// only figures and names were compared.
    Weak,
    /// The sources have hardly a word of it, lack a figure or a name of it, or say the opposite.
    NotFound,
    /// There is no source of this number.
    OutOfRange,
}

/// A citation of a sentence, or a sentence without one that has a figure or a name of no source.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedSentence {
    /// The sentence, as bytes of the text.
    pub sentence: Range<usize>,
    /// The number that it cites, 1 for the first source; nothing where it cites none.
    pub number: Option<usize>,
    /// What is to be thought of it.
    pub verdict: Verdict,
    /// The words that decide it: what the source has of the sentence where it supports it, else what it lacks.
    pub words: Vec<String>,
    /// The sentence of the source that shares most with it, as bytes of [`JudgedSource::text`].
    pub passage: Option<Range<usize>>,
}

/// A source, prepared once so that many sentences can be held against it.
pub struct JudgedSource {
    text: String,
    header: usize,
    index: SourceTexts,
    passages: OnceLock<Passages>,
}

impl JudgedSource {
    /// A source of its title, publisher and day (`YYYY-MM-DD`), which belong to every passage, and what it says.
    pub fn new(header: &[&str], body: &[&str]) -> JudgedSource {
        let joined = |parts: &[&str]| {
            parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("\n\n")
        };
        let header = joined(header);
        let text = format!("{header}\n\n{}", joined(body));
        let index = SourceTexts::new(&[&text]);
        JudgedSource { header: header.len(), text, index, passages: OnceLock::new() }
    }

    /// Everything that is known of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn nearest(&self, sentence: &str) -> Vec<Near> {
        self.passages.get_or_init(|| Passages::of(&self.text)).nearest(sentence)
    }

    /// What stands around the nearest passages, with the header.
    fn context(&self, near: &[Near]) -> String {
        let parts = near.iter().filter_map(|near| self.text.get(near.context.clone()));
        std::iter::once(&self.text[..self.header]).chain(parts).collect::<Vec<_>>().join("\n")
    }
}

/// Share of the content words of a sentence from which on a source supports it.
const SUPPORTS: f64 = 0.5;
/// Share below which the cited sources do not say it.
const HARDLY: f64 = 0.25;
/// Most words that are named with a verdict.
const MOST_WORDS: usize = 6;

/// Judges a Markdown text: an entry for every citation and for every sentence that cites nothing and has a figure or a
/// name of no source, in the order of the text; its list of references is not read. Source 1 comes first. What cites
/// nothing may also say what was `asked` for. Time is linear in the text, and in the sources for every citation of them.
pub fn judge_text(markdown: &str, sources: &[Arc<JudgedSource>], asked: &str) -> Vec<JudgedSentence> {
    let asked = SourceTexts::new(&[asked]);
    let all = SourceTexts::joined(sources.iter().map(|source| &source.index).chain([&asked]));
    let text = without_references(markdown);
    let english = english_share(text);
    let mut judged = Vec::new();
    for sentence in sentences(text) {
        let range = sentence.start..sentence.end;
        let mut numbers: Vec<usize> = Vec::new();
        for citation in citations(sentence.text) {
            if !numbers.contains(&citation.number) {
                numbers.push(citation.number);
            }
        }
        let is_heading = sentence.place == Place::Heading;
        if numbers.is_empty() || is_heading {
            let missing = all.ungrounded(sentence.text);
            // Without any source there is nothing to compare with.
            if !missing.is_empty() && !sources.is_empty() {
                judged.push(JudgedSentence {
                    sentence: range.clone(),
                    number: None,
                    verdict: Verdict::NotFound,
                    words: words_of(&missing),
                    passage: None,
                });
            }
        }
        let cited: Vec<&JudgedSource> = numbers
            .iter()
            .filter_map(|number| sources.get(number.checked_sub(1)?).map(Arc::as_ref))
            .collect();
        // A heading states nothing.
        let claimed = (!cited.is_empty() && !is_heading).then(|| Claimed::of(sentence.text, &cited, english));
        let mut place = 0;
        for number in numbers {
            let entry = if (1..=sources.len()).contains(&number) {
                place += 1;
                claimed.as_ref().and_then(|claimed| claimed.judge(place - 1))
            } else {
                Some((Verdict::OutOfRange, vec![format!("[{number}]")], None))
            };
            judged.extend(entry.map(|(verdict, words, passage)| JudgedSentence {
                sentence: range.clone(),
                number: Some(number),
                verdict,
                words,
                passage,
            }));
        }
    }
    judged
}

/// The first claims as written.
fn words_of(missing: &[Claim]) -> Vec<String> {
    missing.iter().map(|claim| claim.text.clone()).take(MOST_WORDS).collect()
}

/// A sentence that cites, held against the sources that it cites.
struct Claimed<'a> {
    sentence: &'a str,
    cited: &'a [&'a JudgedSource],
    near: Vec<Vec<Near>>,
    /// The whole sources, and what stands around the nearest passages of each.
    indexed: SourceTexts,
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
    /// Share of the content words that stand near in any of the cited sources.
    together: f64,
    /// Share of English grammar words in the whole text: a short sentence may have none.
    english: f64,
}

impl<'a> Claimed<'a> {
    fn of(sentence: &'a str, cited: &'a [&'a JudgedSource], english: f64) -> Claimed<'a> {
        let near: Vec<Vec<Near>> = cited.iter().map(|source| source.nearest(sentence)).collect();
        let around: Vec<String> =
            cited.iter().zip(&near).map(|(source, near)| source.context(near)).collect();
        let contexts = SourceTexts::new(&around.iter().map(String::as_str).collect::<Vec<_>>());
        let indexed = SourceTexts::joined(cited.iter().map(|source| &source.index));
        let missing = indexed.ungrounded(sentence);
        let is_figure = |claim: &Claim| claim.kind != ClaimKind::Name && !missing.contains(claim);
        let not_near = contexts.ungrounded(sentence).into_iter().filter(is_figure).map(|claim| claim.text);
        let elsewhere = not_near.chain(indexed.spelt_figures_missing(sentence)).collect();
        Claimed {
            said: content_words(sentence),
            n_claims: claims(sentence).len(),
            together: if cited.len() == 1 {
                contexts.support(sentence, 0)
            } else {
                support(sentence, &around.join("\n"))
            },
            sentence,
            cited,
            english,
            near,
            indexed,
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
        let source = self.cited[place].text();
        let passage = self.near[place].first().map(|near| near.sentence.clone());
        let share = self.contexts.support(self.sentence, place);
        let against = || {
            let range = passage.clone().filter(|_| share >= SUPPORTS)?;
            contradiction(self.sentence, source.get(range)?)
        };
        let is_other = is_other_language(self.sentence, source, self.english);
        // Another language writes names in its own way.
        let lacks = match is_other {
            true => self.missing.iter().any(|claim| claim.kind != ClaimKind::Name) || self.has_no_claim(),
            false => !self.missing.is_empty(),
        };
        let (verdict, words) = if lacks {
            (Verdict::NotFound, words_of(&self.missing))
        } else if is_other {
            (Verdict::Weak, self.words(place, false))
        } else {
            match against() {
                // Where the source has the word too, only not there, it may be that the two speak of different things.
                Some(Contradiction::Opposite(words)) => match self.lacks(place, &words) {
                    true => (Verdict::NotFound, words),
                    false => (Verdict::Weak, words),
                },
                _ if self.together < HARDLY
                    && (self.n_claims == 0 || passage.is_none() || !self.elsewhere.is_empty()) =>
                {
                    (Verdict::NotFound, self.words(place, false))
                }
                _ if !self.elsewhere.is_empty() => (Verdict::Weak, self.elsewhere.clone()),
                Some(Contradiction::Negated(word)) => (Verdict::Weak, vec![word]),
                None if share < SUPPORTS || passage.is_none() => (Verdict::Weak, self.words(place, false)),
                None => (Verdict::Supported, self.words(place, true)),
            }
        };
        Some((verdict, words, passage))
    }

    fn has_no_claim(&self) -> bool {
        self.n_claims > 0 && self.missing.len() >= self.n_claims
    }

    fn lacks(&self, place: usize, words: &[String]) -> bool {
        words.iter().all(|word| self.indexed.support(word, place) < 0.5)
    }

    /// Words of the sentence that one source has, or has not.
    fn words(&self, place: usize, has: bool) -> Vec<String> {
        let is_there = |word: &&String| (self.indexed.support(word, place) > 0.5) == has;
        let words: Vec<String> = self.said.iter().filter(is_there).take(MOST_WORDS).cloned().collect();
        // Where each word stands somewhere, they stand nowhere together.
        if words.is_empty() { self.said.iter().take(MOST_WORDS).cloned().collect() } else { words }
    }
}

/// The content words and figures of a sentence as written, each once; of Chinese and Japanese runs of characters.
fn content_words(sentence: &str) -> Vec<String> {
    let text = normal(sentence);
    let (mut words, mut known) = (Vec::new(), HashSet::new());
    let mut run: Option<Range<usize>> = None;
    let mut keep = |range: Range<usize>| {
        if known.insert(text[range.clone()].to_owned()) {
            words.push(text[range].to_owned());
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
            let is_content = token.kind == TokenKind::Number || !EMPTY.contains(&token.key);
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

/// Whether a sentence is in another language than its source: in Chinese or Japanese characters and the source hardly, or
/// its text in English and the source hardly; the same the other way round.
fn is_other_language(sentence: &str, source: &str, english: f64) -> bool {
    let differ = |one: f64, other: f64, much: f64, hardly: f64| {
        (one > much && other < hardly) || (one < hardly && other > much)
    };
    differ(ideographic_share(sentence), ideographic_share(source), 0.4, 0.1)
        || differ(english, english_share(source), 0.25, 0.12)
}

/// Of the letters at the beginning of a text the share of ideographs; something between where there are none.
fn ideographic_share(text: &str) -> f64 {
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).take(2000);
    let (all, wide) =
        letters.fold((0, 0), |(all, wide), letter| (all + 1, wide + i32::from(is_ideographic(letter))));
    share(wide, all)
}

/// Words from which on a text shows whether it is English.
const TELLING_WORDS: i32 = 12;

/// Of the words at the beginning of a text the share of English grammar words; something between where there are few.
fn english_share(text: &str) -> f64 {
    let (mut words, mut grammar) = (0, 0);
    let beginning: String = normal(text).chars().take(4000).collect();
    each_token(&beginning, 0, beginning.len(), false, |token| {
        if token.kind == TokenKind::Word {
            words += 1;
            grammar += i32::from(is_stop(token.key));
        }
    });
    if words < TELLING_WORDS { share(0, 0) } else { share(grammar, words) }
}

fn share(part: i32, all: i32) -> f64 {
    if all == 0 { 0.2 } else { f64::from(part) / f64::from(all) }
}

#[cfg(test)]
mod tests;
