//! Which sentences of an article are told in sequence, one behind the other as the article has them; an abstract of which
//! none can be is told with gaps (`abstracts.rs`).

use super::ideographic::{self, Language};
use super::item::{Draft, RESULT};
use super::size;
use crate::candidates::Candidate;
use crate::lead_ins::Part;
use crate::support::each_content_stem;
use crate::tokens::Keys;

/// Sentences of news among which the first one that can be told is looked for.
const BEGINNING_OF_NEWS: usize = 3;
/// How many words of its title and the topic a sentence of news says that the news begin with.
const NAMED_IN_NEWS: usize = 2;
/// Sentences and words of a paper that are told up to its result, and how many of them stand before its own part.
const LONGEST_SEQUENCE: usize = 7;
const WORDS_OF_SEQUENCE: usize = 165;
const BEFORE_OWN: usize = 2;

impl Draft {
    /// Places of the sentences, those with the highest value first.
    pub(super) fn by(&self, value: impl Fn(&Candidate) -> f64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|one, other| {
            value(&self.candidates[*other]).total_cmp(&value(&self.candidates[*one])).then(one.cmp(other))
        });
        order
    }

    /// The sequences that may be told, the likeliest first.
    pub(super) fn sequences(&self) -> Vec<Vec<usize>> {
        if self.credit.is_paper { self.of_paper() } else { self.of_news() }
    }

    /// The lead of news; where that cannot be told, what stands behind it.
    fn of_news(&self) -> Vec<Vec<usize>> {
        let is_lead = |at: &usize| self.candidates[*at].index == 0;
        let names = |at: &usize| {
            self.language != Language::Spaced || self.hits(*at) >= NAMED_IN_NEWS.min(self.wanted.len())
        };
        let beginning = 0..self.candidates.len().min(BEGINNING_OF_NEWS);
        beginning.filter(|at| is_lead(at) || names(at)).map(|at| vec![at]).collect()
    }

    /// From the own part of a paper, or little before it, to the first result. What is told so has lost nothing that it
    /// leans on.
    fn of_paper(&self) -> Vec<Vec<usize>> {
        let own = self.own_part();
        let is_spaced = self.language == Language::Spaced;
        let Some(result) = (own..self.candidates.len()).find(|at| self.tells_result(&self.candidates[*at]))
        else {
            return Vec::new();
        };
        let is_run = |first: &usize| {
            let words: usize = (*first..=result).map(|at| size(&self.candidates[at].text)).sum();
            result - first < LONGEST_SEQUENCE
                && (words <= WORDS_OF_SEQUENCE || !is_spaced)
                && self.is_run(*first, result)
        };
        // From the very beginning it leans on nothing.
        let firsts = (own.saturating_sub(BEFORE_OWN)..=own).rev().chain((own > BEFORE_OWN).then_some(0));
        let told = firsts.filter(is_run).map(|first| (first..=result).collect());
        // Sentences in Chinese and Japanese say what they speak of more often than not.
        let alone = [Some(result), (own < result).then_some(own)].into_iter().flatten().map(|at| vec![at]);
        told.chain(alone.filter(|_| !is_spaced)).collect()
    }

    /// A paper from its very beginning on, as far as there is room, if that reaches behind its own part: the longest first.
    pub(super) fn all_to_room(&self) -> Vec<Vec<usize>> {
        let own = self.own_part();
        let count = self.candidates.len().min(LONGEST_SEQUENCE - 1);
        let has_figure = |last: &usize| {
            let behind = &self.candidates[own.min(*last)..=*last];
            behind.iter().any(|candidate| candidate.text.contains(|c: char| c.is_ascii_digit()))
        };
        let lasts = (own + 1..count).rev().filter(|last| self.is_run(0, *last)).filter(has_figure);
        lasts.map(|last| (0..=last).collect()).collect()
    }

    /// Whether sentences stand side by side, and none of them tells what others found.
    fn is_run(&self, first: usize, last: usize) -> bool {
        (first..last).all(|at| self.is_next(at, at + 1))
            && !self.candidates[first..=last].iter().any(|candidate| candidate.is_of_others)
    }

    /// Whether a sentence of the own part of a paper tells what came of it.
    pub(super) fn tells_result(&self, candidate: &Candidate) -> bool {
        match self.language {
            Language::Spaced => candidate.as_next_result >= RESULT,
            Language::Chinese | Language::Japanese => {
                let is_before = matches!(candidate.part, Some(Part::Background | Part::Methods));
                !is_before && ideographic::tells_result(&candidate.text)
            }
        }
    }

    /// Where a paper comes to its own part; what stands before is what others did.
    pub(super) fn own_part(&self) -> usize {
        let is_own = |at: &usize| {
            let candidate = &self.candidates[*at];
            let is_told = match self.language {
                Language::Spaced => candidate.is_own || self.names_itself(candidate),
                Language::Chinese | Language::Japanese => ideographic::is_own(&candidate.text),
            };
            is_told || candidate.part.is_some_and(|part| part != Part::Background)
        };
        // Who speaks of themselves only at the end has told of their own work before.
        let count = self.candidates.len();
        (0..count).find(is_own).filter(|own| own * 3 <= count * 2).unwrap_or(count / 3)
    }

    /// Whether a sentence speaks of what was made by the name that the title gives it: "KeyTrim keeps …".
    pub(super) fn names_itself(&self, candidate: &Candidate) -> bool {
        let Some((name, _)) = self.credit.title.split_once(':') else { return false };
        name.split_whitespace().count() <= 2 && candidate.text.contains(name)
    }

    /// How many words of the title and the topic a sentence has.
    pub(super) fn hits(&self, at: usize) -> usize {
        let mut hits = Keys::default();
        each_content_stem(&self.candidates[at].text, |stem| {
            if self.wanted.contains(&stem) {
                hits.insert(stem);
            }
        });
        hits.len()
    }
}
