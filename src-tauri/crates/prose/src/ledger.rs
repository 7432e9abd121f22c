//! What each citation of a text is worth: the sentence that cites, the passage of the source that comes nearest to it,
//! and how much of the sentence the source says.
//!
//! It compares words, figures and names, not meaning: a source that says the opposite in the same words supports.

use std::collections::HashMap;
use std::ops::Range;

use crate::characters::is_ideographic;
use crate::citations::citations;
use crate::grounding::ClaimKind;
use crate::markup::{Mark, scan};
use crate::references::without_references;
use crate::sentences::{Place, sentences};
use crate::sources::SourceTexts;
use crate::stop_words::{is_reporting, is_stop};
use crate::support::each_content_stem;
use crate::tokens::{TokenKind, each_token, normal};

/// What a citation is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The source has the figures and names of the sentence and most of its words.
    Supported,
    /// The source has some of it, or is written in another script, so that only figures and names were compared.
    Weak,
    /// The source has hardly a word of it, lacks a figure of it, or has none of its figures and names.
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
/// Weight that a passage must share with a sentence to be shown for it.
const LEAST_SHARED: f64 = 0.5;

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
        let known: Vec<usize> = numbers
            .iter()
            .filter_map(|number| number.checked_sub(1))
            .filter(|index| *index < sources.len())
            .collect();
        let said = content_words(sentence.text);
        // Sources that are cited together carry a sentence together.
        let ungrounded = indexed.ungrounded_in(sentence.text, &known);
        let lacks_figure = ungrounded.iter().any(|claim| claim.kind != ClaimKind::Name);
        let missing: Vec<String> = ungrounded.into_iter().map(|claim| claim.text).collect();
        let n_claims = crate::grounding::claims(sentence.text).len();
        // A frame such as "Further on it says [1]:" states nothing.
        let states_nothing = said.is_empty() && n_claims == 0;
        numbers.retain(|number| !states_nothing || !known.iter().any(|index| index + 1 == *number));
        for number in numbers {
            let Some((index, source)) =
                number.checked_sub(1).and_then(|index| Some((index, *sources.get(index)?)))
            else {
                found.push(CitedSentence {
                    sentence: sentence.text,
                    number,
                    verdict: Verdict::OutOfRange,
                    words: vec![format!("[{number}]")],
                    passage: None,
                });
                continue;
            };
            let share = indexed.support(sentence.text, index);
            let has_no_claim = n_claims > 0 && missing.len() == n_claims;
            let passage =
                passages.entry(index).or_insert_with(|| Passages::of(source)).nearest(sentence.text);
            let verdict = if is_other_script(sentence.text, source) {
                if has_no_claim { Verdict::NotFound } else { Verdict::Weak }
            } else if share < HARDLY || has_no_claim || lacks_figure {
                Verdict::NotFound
            } else if share < SUPPORTS || !missing.is_empty() || passage.is_none() {
                Verdict::Weak
            } else {
                Verdict::Supported
            };
            let words = match verdict {
                Verdict::Supported => words_in(&said, &indexed, index, true),
                _ if !missing.is_empty() => missing.iter().take(MOST_WORDS).cloned().collect(),
                _ => words_in(&said, &indexed, index, false),
            };
            found.push(CitedSentence { sentence: sentence.text, number, verdict, words, passage });
        }
    }
    found
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

/// Those words that a source has, or has not.
fn words_in(words: &[String], sources: &SourceTexts, index: usize, has: bool) -> Vec<String> {
    let is_there = |word: &&String| (sources.support(word, index) > 0.5) == has;
    words.iter().filter(is_there).take(MOST_WORDS).cloned().collect()
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

/// The sentences of a source by the stems that stand in them.
struct Passages {
    ranges: Vec<Range<usize>>,
    /// The sentences in which a stem stands, ascending, each once.
    places: HashMap<u64, Vec<u32>>,
}

impl Passages {
    fn of(source: &str) -> Passages {
        let mut passages = Passages { ranges: Vec::new(), places: HashMap::new() };
        for (place, sentence) in (0_u32..).zip(sentences(source)) {
            passages.ranges.push(sentence.start..sentence.end);
            each_content_stem(sentence.text, |stem| {
                let places = passages.places.entry(stem).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            });
        }
        passages
    }

    /// The sentence that shares most with what is claimed; a stem counts the less the more sentences have it.
    fn nearest(&self, claim: &str) -> Option<Range<usize>> {
        let mut scores: HashMap<u32, f64> = HashMap::new();
        each_content_stem(claim, |stem| {
            let places = self.places.get(&stem).map(Vec::as_slice).unwrap_or_default();
            for place in places {
                *scores.entry(*place).or_default() += 1.0 / places.len() as f64;
            }
        });
        let best = scores
            .into_iter()
            .filter(|(_, score)| *score >= LEAST_SHARED)
            .max_by(|(one, first), (other, second)| first.total_cmp(second).then(other.cmp(one)))?;
        self.ranges.get(best.0 as usize).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::{CitedSentence, Verdict, citation_ledger};

    const HARBOUR: &str = "The port of Ostra opened in May. Its two cranes move 40 containers an hour, the \
        operator Veldt says. Night work begins in autumn.";
    const FERRIES: &str = "Ferries between Ostra and Lind carry 900 people a day. A ticket costs 12 euros.";

    fn ledger(text: &str) -> Vec<CitedSentence<'_>> {
        citation_ledger(text, &[HARBOUR, FERRIES])
    }

    #[test]
    fn a_sentence_that_its_source_says_is_supported_and_leads_to_the_passage() {
        let entries = ledger("Two cranes in Ostra move 40 containers an hour [1].");
        let [entry] = entries.as_slice() else { panic!("{entries:?}") };
        assert_eq!((entry.number, entry.verdict), (1, Verdict::Supported));
        let passage = entry.passage.clone().map(|range| &HARBOUR[range]);
        assert_eq!(passage, Some("Its two cranes move 40 containers an hour, the operator Veldt says."));
        assert!(entry.words.contains(&"cranes".to_owned()), "{:?}", entry.words);
    }

    #[test]
    fn a_figure_that_no_cited_source_has_is_not_found_and_a_name_makes_it_weak() {
        let entries = ledger("The cranes of Ostra move 70 containers an hour, Veldt says [1].");
        assert_eq!(
            (entries[0].verdict, entries[0].words.as_slice()),
            (Verdict::NotFound, &["70".to_owned()][..])
        );
        let entries = ledger("The cranes of Ostra move 40 containers an hour, says Brandt of Veldt [1].");
        assert_eq!(
            (entries[0].verdict, entries[0].words.as_slice()),
            (Verdict::Weak, &["Brandt".to_owned()][..])
        );
    }

    #[test]
    fn a_sentence_about_something_else_is_not_found() {
        let entries = ledger("Protein folding runs on graphics processors [2].");
        assert_eq!(entries[0].verdict, Verdict::NotFound);
        assert!(entries[0].words.contains(&"folding".to_owned()), "{:?}", entries[0].words);
        assert_eq!(entries[0].passage, None);
    }

    #[test]
    fn sources_cited_together_carry_a_sentence_together() {
        let entries =
            ledger("Ostra moves 40 containers an hour, and its ferries carry 900 people a day [1][2].");
        let verdicts: Vec<_> = entries.iter().map(|entry| (entry.number, entry.verdict)).collect();
        assert_eq!(verdicts.len(), 2);
        assert!(verdicts.iter().all(|(_, verdict)| *verdict != Verdict::NotFound), "{verdicts:?}");
    }

    #[test]
    fn a_number_without_a_source_is_out_of_range_and_the_list_of_references_cites_nothing() {
        let text = "Ferries carry 900 people a day [3].\n\n## References\n\n[1] Port, https://example.org/a\n\n\
            [2] Ferries, https://example.org/b\n";
        let entries = ledger(text);
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].number, entries[0].verdict), (3, Verdict::OutOfRange));
    }

    #[test]
    fn a_source_in_another_script_is_held_against_by_figures_and_names_only() {
        let sources = ["港の Ostra では二台のクレーンが一時間に40個のコンテナを動かすと運営会社が発表した。"];
        let verdict = |text| citation_ledger(text, &sources)[0].verdict;
        assert_eq!(verdict("The cranes of Ostra move 40 containers an hour [1]."), Verdict::Weak);
        assert_eq!(verdict("The cranes of Lind move 70 containers an hour [1]."), Verdict::NotFound);
    }

    #[test]
    fn chinese_sentences_are_held_against_their_source() {
        let sources = ["奥斯特拉港五月开放。两台起重机每小时搬运40个集装箱。"];
        let entries = citation_ledger("两台起重机每小时搬运40个集装箱[1]。", &sources);
        assert_eq!(entries[0].verdict, Verdict::Supported);
        assert_eq!(
            entries[0].passage.clone().map(|range| &sources[0][range]),
            Some("两台起重机每小时搬运40个集装箱。")
        );
    }
}
