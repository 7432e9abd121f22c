//! Judges a text against its sources. Each citation gets a verdict and the passage of the source that is nearest to the
//! citing sentence. A sentence without a citation is reported if no source has its figures and names.
//!
//! Checks, the ledger of citations, reviews and exports read this one judgement, so they agree. It compares words,
//! figures, names and opposites, not meaning.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::characters::is_ideographic;
use crate::citations::citations;
use crate::contradictions::{Contradiction, contradiction};
use crate::grounding::{Claim, ClaimKind, claims};
use crate::markup::{Mark, scan};
use crate::passages::{NearPassage, Passages};
use crate::references::without_references;
use crate::sentences::{Place, sentences};
use crate::sources::SourceTexts;
use crate::stop_words::{EMPTY, is_stop};
use crate::support::support;
use crate::tokens::{TokenKind, each_token, normal};

/// How far a source supports a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The nearest passages have the sentence's figures and most of its words, and the cited sources have its names.
    Supported,
    /// The source has only part of the words, has a figure in another passage, or differs in a negation; or it is in
    /// another language, so that only figures and names were compared.
    Weak,
    /// The cited sources have hardly any of its words, lack one of its figures or names, or say the opposite.
    NotFound,
    /// No source has this number.
    OutOfRange,
}

/// The verdict on one citation, or on a sentence without citations whose figures or names no source has.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedSentence {
    /// The byte range of the sentence in the text.
    pub sentence: Range<usize>,
    /// The cited number, 1 for the first source; `None` for a sentence without citations.
    pub number: Option<usize>,
    /// How far the source supports the sentence.
    pub verdict: Verdict,
    /// The words that decide the verdict, at most six: for a supported sentence words that the source has, else words
    /// that it lacks.
    pub words: Vec<String>,
    /// The byte range, in [`JudgedSource::text`], of the source's sentence that shares most with this one.
    pub passage: Option<Range<usize>>,
}

/// A source, indexed once so that many sentences can be compared with it.
pub struct JudgedSource {
    text: String,
    header: usize,
    index: SourceTexts,
    passages: OnceLock<Passages>,
}

impl JudgedSource {
    /// Indexes a source. The header (title, publisher, day as `YYYY-MM-DD`) counts as a part of every passage.
    pub fn new(header: &[&str], body: &[&str]) -> JudgedSource {
        let joined = |parts: &[&str]| {
            parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("\n\n")
        };
        let header = joined(header);
        let text = format!("{header}\n\n{}", joined(body));
        let index = SourceTexts::new(&[&text]);
        JudgedSource { header: header.len(), text, index, passages: OnceLock::new() }
    }

    /// Header and body.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn nearest(&self, sentence: &str) -> Vec<NearPassage> {
        self.passages.get_or_init(|| Passages::of(&self.text)).nearest(sentence)
    }

    /// The header, and the nearest passages with their neighbouring sentences.
    fn context(&self, near: &[NearPassage]) -> String {
        let parts = near.iter().filter_map(|near| self.text.get(near.context.clone()));
        std::iter::once(&self.text[..self.header]).chain(parts).collect::<Vec<_>>().join("\n")
    }
}

/// Least share of a sentence's content words that a supporting source has.
const SUPPORTED_FROM: f64 = 0.5;
/// Below this share of the content words a sentence is not found in its cited sources.
const NOT_FOUND_BELOW: f64 = 0.25;
/// Most words listed with a verdict.
const MOST_WORDS: usize = 6;

/// Judges a Markdown text: one entry, in the order of the text, for every citation, and for every sentence without
/// citations that has a figure or a name which neither a source nor `asked`, the request, contains. The list of
/// references is ignored. Citation `[1]` means `sources[0]`. Time is linear in the text, and in the cited source for
/// each citation.
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
            // Without sources there is nothing to compare with.
            if !missing.is_empty() && !sources.is_empty() {
                judged.push(JudgedSentence {
                    sentence: range.clone(),
                    number: None,
                    verdict: Verdict::NotFound,
                    words: claim_texts(&missing),
                    passage: None,
                });
            }
        }
        let cited: Vec<&JudgedSource> = numbers
            .iter()
            .filter_map(|number| sources.get(number.checked_sub(1)?).map(Arc::as_ref))
            .collect();
        // A heading makes no claim that a source must support.
        let citing =
            (!cited.is_empty() && !is_heading).then(|| CitingSentence::of(sentence.text, &cited, english));
        let mut place = 0;
        for number in numbers {
            let entry = if (1..=sources.len()).contains(&number) {
                place += 1;
                citing.as_ref().and_then(|citing| citing.judge(place - 1))
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

/// The texts of the first claims.
fn claim_texts(missing: &[Claim]) -> Vec<String> {
    missing.iter().map(|claim| claim.text.clone()).take(MOST_WORDS).collect()
}

/// A citing sentence, compared with its cited sources.
struct CitingSentence<'a> {
    sentence: &'a str,
    cited: &'a [&'a JudgedSource],
    near: Vec<Vec<NearPassage>>,
    /// The indexes of the whole sources, and of the context of the nearest passages of each.
    indexed: SourceTexts,
    contexts: SourceTexts,
    /// The sentence's content words, as written.
    content_words: Vec<String>,
    /// Number of figures and names.
    n_claims: usize,
    /// Figures and names that none of the cited sources has. Sources cited together support a sentence together.
    missing: Vec<Claim>,
    /// Figures that the sources have only in other passages, and number words that no source has: a number word is
    /// often just a count of names ("the two companies").
    elsewhere: Vec<String>,
    /// Share (0 to 1) of the content words in the contexts of all cited sources together.
    together: f64,
    /// Share of English grammar words in the whole text, because a short sentence may have none.
    english: f64,
}

impl<'a> CitingSentence<'a> {
    fn of(sentence: &'a str, cited: &'a [&'a JudgedSource], english: f64) -> CitingSentence<'a> {
        let near: Vec<Vec<NearPassage>> = cited.iter().map(|source| source.nearest(sentence)).collect();
        let around: Vec<String> =
            cited.iter().zip(&near).map(|(source, near)| source.context(near)).collect();
        let contexts = SourceTexts::new(&around.iter().map(String::as_str).collect::<Vec<_>>());
        let indexed = SourceTexts::joined(cited.iter().map(|source| &source.index));
        let missing = indexed.ungrounded(sentence);
        let is_figure = |claim: &Claim| claim.kind != ClaimKind::Name && !missing.contains(claim);
        let not_near = contexts.ungrounded(sentence).into_iter().filter(is_figure).map(|claim| claim.text);
        let elsewhere = not_near.chain(indexed.spelt_figures_missing(sentence)).collect();
        CitingSentence {
            content_words: content_words(sentence),
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

    /// The verdict on one of the cited sources, the words that decide it and the passage. `None` if the sentence has no
    /// content of its own, such as "Further on it says [1]:".
    fn judge(&self, place: usize) -> Option<(Verdict, Vec<String>, Option<Range<usize>>)> {
        if self.content_words.is_empty() && self.n_claims == 0 {
            return None;
        }
        let source = self.cited[place].text();
        let passage = self.near[place].first().map(|near| near.sentence.clone());
        let share = self.contexts.support(self.sentence, place);
        let against = || {
            let range = passage.clone().filter(|_| share >= SUPPORTED_FROM)?;
            contradiction(self.sentence, source.get(range)?)
        };
        let is_other = is_other_language(self.sentence, source, self.english);
        // Names are spelt differently in another language, so only figures count there, unless all claims are missing.
        let lacks = match is_other {
            true => self.missing.iter().any(|claim| claim.kind != ClaimKind::Name) || self.lacks_all_claims(),
            false => !self.missing.is_empty(),
        };
        let (verdict, words) = if lacks {
            (Verdict::NotFound, claim_texts(&self.missing))
        } else if is_other {
            (Verdict::Weak, self.words(place, false))
        } else {
            match against() {
                // If the source uses the word elsewhere, the two sentences may be about different things.
                Some(Contradiction::Opposite(words)) => match self.lacks_words(place, &words) {
                    true => (Verdict::NotFound, words),
                    false => (Verdict::Weak, words),
                },
                _ if self.together < NOT_FOUND_BELOW
                    && (self.n_claims == 0 || passage.is_none() || !self.elsewhere.is_empty()) =>
                {
                    (Verdict::NotFound, self.words(place, false))
                }
                _ if !self.elsewhere.is_empty() => (Verdict::Weak, self.elsewhere.clone()),
                Some(Contradiction::Negated(word)) => (Verdict::Weak, vec![word]),
                None if share < SUPPORTED_FROM || passage.is_none() => {
                    (Verdict::Weak, self.words(place, false))
                }
                None => (Verdict::Supported, self.words(place, true)),
            }
        };
        Some((verdict, words, passage))
    }

    fn lacks_all_claims(&self) -> bool {
        self.n_claims > 0 && self.missing.len() >= self.n_claims
    }

    fn lacks_words(&self, place: usize, words: &[String]) -> bool {
        words.iter().all(|word| self.indexed.support(word, place) < 0.5)
    }

    /// Content words of the sentence that one source has, or lacks.
    fn words(&self, place: usize, has: bool) -> Vec<String> {
        let is_there = |word: &&String| (self.indexed.support(word, place) > 0.5) == has;
        let words: Vec<String> =
            self.content_words.iter().filter(is_there).take(MOST_WORDS).cloned().collect();
        // No word differs, so the verdict rests on all of them: the source has them, but not together.
        if words.is_empty() { self.content_words.iter().take(MOST_WORDS).cloned().collect() } else { words }
    }
}

/// The content words and figures of a sentence as written, each once; in Chinese and Japanese, runs of ideographs.
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

/// Whether a sentence and its source are in different languages: only one of them is mostly in ideographs, or only one
/// of them has many English grammar words.
fn is_other_language(sentence: &str, source: &str, english: f64) -> bool {
    let differ = |one: f64, other: f64, much: f64, hardly: f64| {
        (one > much && other < hardly) || (one < hardly && other > much)
    };
    differ(ideographic_share(sentence), ideographic_share(source), 0.4, 0.1)
        || differ(english, english_share(source), 0.25, 0.12)
}

/// Share of ideographs among the first 2000 letters of a text; a neutral value if there are no letters.
fn ideographic_share(text: &str) -> f64 {
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).take(2000);
    let (all, wide) =
        letters.fold((0, 0), |(all, wide), letter| (all + 1, wide + i32::from(is_ideographic(letter))));
    share(wide, all)
}

/// Least number of words from which the language of a text can be judged.
const LEAST_WORDS_FOR_LANGUAGE: i32 = 12;

/// Share of English grammar words in the first 4000 characters of a text; a neutral value for a short text.
fn english_share(text: &str) -> f64 {
    let (mut words, mut grammar) = (0, 0);
    let beginning: String = normal(text).chars().take(4000).collect();
    each_token(&beginning, 0, beginning.len(), false, |token| {
        if token.kind == TokenKind::Word {
            words += 1;
            grammar += i32::from(is_stop(token.key));
        }
    });
    if words < LEAST_WORDS_FOR_LANGUAGE { share(0, 0) } else { share(grammar, words) }
}

/// The quotient, or for an empty whole a neutral value that lies between both limits of [`is_other_language`].
fn share(part: i32, all: i32) -> f64 {
    if all == 0 { 0.2 } else { f64::from(part) / f64::from(all) }
}

#[cfg(test)]
mod tests;
