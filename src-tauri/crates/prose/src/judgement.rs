//! The one judgement of a text against its sources: of each citation the sentence that cites, the passage of the source
//! that comes nearest to it, and how much of the sentence stands there; of a sentence that cites nothing, what no source has.
//!
//! Checks, the ledger of citations, reviews and exports read this judgement, so they agree. It compares words, figures,
//! names and opposites, not meaning.

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
use crate::stop_words::{is_reporting, is_stop};
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
/// name of no source, in the order of the text; its list of references is not read. Source 1 comes first. Time is linear
/// in the text, and in the sources for every citation of them.
pub fn judge_text(markdown: &str, sources: &[Arc<JudgedSource>]) -> Vec<JudgedSentence> {
    let all = SourceTexts::joined(sources.iter().map(|source| &source.index));
    let mut judged = Vec::new();
    for sentence in sentences(without_references(markdown)) {
        let range = sentence.start..sentence.end;
        let mut numbers: Vec<usize> = Vec::new();
        for citation in citations(sentence.text) {
            if !numbers.contains(&citation.number) {
                numbers.push(citation.number);
            }
        }
        if numbers.is_empty() || sentence.place == Place::Heading {
            let missing = all.ungrounded(sentence.text);
            // Without any source there is nothing to compare with.
            if !missing.is_empty() && !sources.is_empty() {
                judged.push(JudgedSentence {
                    sentence: range,
                    number: None,
                    verdict: Verdict::NotFound,
                    words: words_of(&missing),
                    passage: None,
                });
            }
            continue;
        }
        let cited: Vec<&JudgedSource> = numbers
            .iter()
            .filter_map(|number| sources.get(number.checked_sub(1)?).map(Arc::as_ref))
            .collect();
        let claimed = Claimed::of(sentence.text, &cited);
        let mut place = 0;
        for number in numbers {
            let entry = if (1..=sources.len()).contains(&number) {
                place += 1;
                claimed.judge(place - 1)
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
}

impl<'a> Claimed<'a> {
    fn of(sentence: &'a str, cited: &'a [&'a JudgedSource]) -> Claimed<'a> {
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
        let is_other = is_other_language(self.sentence, source);
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
                Some(Contradiction::Opposite(words)) => (Verdict::NotFound, words),
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

    /// Words of the sentence that one source has, or has not.
    fn words(&self, place: usize, has: bool) -> Vec<String> {
        let is_there = |word: &&String| (self.indexed.support(word, place) > 0.5) == has;
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

/// Whether a sentence is in another language than its source: in Chinese or Japanese characters and the source hardly, or
/// in English and the source hardly; the same the other way round.
fn is_other_language(sentence: &str, source: &str) -> bool {
    let differ = |(one, other): (f64, f64), much: f64, hardly: f64| {
        (one > much && other < hardly) || (one < hardly && other > much)
    };
    let (said, stands) = (Shares::of(sentence), Shares::of(source));
    differ((said.ideographic, stands.ideographic), 0.4, 0.1)
        || differ((said.english, stands.english), 0.25, 0.12)
}

/// Of the beginning of a text the shares of ideographic letters and of English grammar words.
struct Shares {
    ideographic: f64,
    english: f64,
}

impl Shares {
    fn of(text: &str) -> Shares {
        let (mut letters, mut wide, mut words, mut grammar) = (0_u32, 0_u32, 0_u32, 0_u32);
        for letter in text.chars().filter(|letter| letter.is_alphabetic()).take(2000) {
            letters += 1;
            wide += u32::from(is_ideographic(letter));
        }
        let beginning: String = normal(text).chars().take(4000).collect();
        each_token(&beginning, 0, beginning.len(), false, |token| {
            if token.kind == TokenKind::Word {
                words += 1;
                grammar += u32::from(is_stop(token.key));
            }
        });
        let share = |part: u32, all: u32, unknown: f64| {
            if all == 0 { unknown } else { f64::from(part) / f64::from(all) }
        };
        Shares { ideographic: share(wide, letters, 0.2), english: share(grammar, words, 0.2) }
    }
}

#[cfg(test)]
mod tests;
