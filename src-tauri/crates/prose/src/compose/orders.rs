//! In which order the sentences of an article may be told: the likeliest order first.

use super::ideographic::{self, Language};
use super::item::{Draft, RESULT};
use super::size;
use crate::candidates::Candidate;
use crate::standing;
use crate::support::each_content_stem;
use crate::tokens::Keys;

/// Sentences of an article's beginning among which its news is.
const BEGINNING: usize = 8;
/// How plainly a sentence must announce what was made to be told as that.
const PLAINLY_MADE: f64 = 1.5;
/// The same where its writers say that they did it.
const MADE: f64 = 0.5;
/// How much less a result is worth with each sentence that it stands behind what was made.
const OF_LATE: f64 = 0.6;
/// Sentences and words of a paper that are told one behind the other, and how many of them stand before its own part.
const LONGEST_SEQUENCE: usize = 7;
const WORDS_OF_SEQUENCE: usize = 165;
const BEFORE_OWN: usize = 2;
/// How much more a sentence of news is worth that names what its title names before a colon.
const OF_OWN_NAME: f64 = 1.2;
/// How much less a sentence is worth before the own part of a paper in Chinese or Japanese.
const OF_BACKGROUND: f64 = -3.0;
/// How much more it is worth with a share.
const OF_SHARE: f64 = 1.8;
/// How much more the lead of news is worth than what follows.
const OF_LEAD: f64 = 1.6;

impl Draft {
    /// Places of the sentences, those with the highest value first.
    pub(super) fn by(&self, value: impl Fn(&Candidate) -> f64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|one, other| {
            value(&self.candidates[*other]).total_cmp(&value(&self.candidates[*one])).then(one.cmp(other))
        });
        order
    }

    /// The sentences as the article has them, one behind the other: of a paper from its own part, or little before it, to the
    /// first result; of any other from its lead on. What is told so has lost nothing that it leans on.
    pub(super) fn in_sequence(&self) -> Vec<Vec<usize>> {
        if !self.credit.is_paper {
            let lead = self.candidates.first().filter(|lead| lead.index == 0);
            return lead.map(|_| vec![0]).into_iter().collect();
        }
        let is_spaced = self.language == Language::Spaced;
        let is_own = |candidate: &Candidate| ideographic::is_own(&candidate.text);
        let own = match is_spaced {
            true => Some(self.own_part()),
            false => self.candidates.iter().position(is_own),
        };
        let Some(own) = own else { return Vec::new() };
        let tells = |at: &usize| match is_spaced {
            true => self.candidates[*at].as_next_result >= RESULT,
            false => ideographic::tells_result(&self.candidates[*at].text),
        };
        let Some(result) = (own..self.candidates.len()).find(tells) else { return Vec::new() };
        let is_run = |first: &usize| {
            let words: usize = (*first..=result).map(|at| size(&self.candidates[at].text)).sum();
            result - first < LONGEST_SEQUENCE
                && (words <= WORDS_OF_SEQUENCE || !is_spaced)
                && (*first..result).all(|at| self.is_next(at, at + 1))
                && !self.candidates[*first..=result].iter().any(|candidate| candidate.is_of_others)
        };
        // From the very beginning it leans on nothing.
        let firsts = (own.saturating_sub(BEFORE_OWN)..=own).rev().chain((own > BEFORE_OWN).then_some(0));
        firsts.filter(is_run).map(|first| (first..=result).collect()).collect()
    }

    /// A paper from its very beginning on, as far as there is room, if that reaches behind its own part: the longest first.
    pub(super) fn all_to_room(&self) -> Vec<Vec<usize>> {
        let count = self.candidates.len().min(LONGEST_SEQUENCE - 1);
        let is_run = |last: &usize| {
            (0..*last).all(|at| self.is_next(at, at + 1))
                && !self.candidates[..=*last].iter().any(|candidate| candidate.is_of_others)
        };
        let has_figure = |last: &usize| {
            let behind = &self.candidates[self.own_part().min(*last)..=*last];
            behind.iter().any(|candidate| candidate.text.contains(|c: char| c.is_ascii_digit()))
        };
        let lasts = (self.own_part() + 1..count).rev().filter(is_run).filter(has_figure);
        lasts.map(|last| (0..=last).collect()).collect()
    }

    fn contributions(&self) -> Vec<usize> {
        self.by(|candidate| candidate.as_lead)
            .into_iter()
            .filter(|at| self.is_made_in(&self.candidates[*at]))
            .collect()
    }

    /// Whether a sentence says what was made or done.
    fn is_made_in(&self, candidate: &Candidate) -> bool {
        let names_it = candidate.is_own || self.names_itself(candidate);
        candidate.as_lead > if names_it { MADE } else { PLAINLY_MADE }
    }

    /// Where a paper comes to its own part; what stands before is what others did.
    pub(super) fn own_part(&self) -> usize {
        let is_own = |at: &usize| {
            let candidate = &self.candidates[*at];
            candidate.is_own || candidate.is_behind_background || self.names_itself(candidate)
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

    /// How well a sentence tells what came of a work; the main result stands first among them.
    pub(super) fn early(&self, candidate: &Candidate) -> f64 {
        let own = self.candidates.get(self.own_part()).map_or(0, |own| own.index);
        let behind = candidate.index.saturating_sub(own);
        candidate.as_result - behind.min(10) as f64 * OF_LATE
    }

    pub(super) fn orders_of_paper(&self) -> Vec<Vec<usize>> {
        let own = self.own_part();
        let contributions: Vec<usize> = self.contributions().into_iter().filter(|at| *at >= own).collect();
        let results = self.by(|candidate| self.early(candidate));
        let results = results.into_iter().filter(|at| *at >= own && self.candidates[*at].as_result >= RESULT);
        let title = standing::Known::of(&self.credit.title, true);
        let leading = contributions.iter().take(2).filter(|at| self.goes_on(**at, **at + 1));
        let (mut orders, rest): (Vec<Vec<usize>>, Vec<Vec<usize>>) = leading
            .map(|at| vec![*at, at + 1])
            .partition(|both| self.candidates[both[1]].as_next_result >= RESULT);
        for result in results.take(4) {
            let before = |at: &usize| *at < result;
            let named =
                contributions.iter().copied().find(|at| before(at) && self.names_subject(*at, result));
            let is_named = self.is_named_by(result, &title);
            let made = named.or_else(|| contributions.iter().copied().find(before).filter(|_| is_named));
            orders.extend(made.map(|made| vec![made, result]));
            if is_named && self.tells_by_itself(result) {
                orders.push(vec![result]);
            }
        }
        orders.extend(rest);
        orders.extend(contributions.into_iter().take(3).map(|at| vec![at]));
        orders
    }

    /// Whether a result says what it is a result of: that a thing is good without saying what it does is none.
    fn tells_by_itself(&self, result: usize) -> bool {
        let Candidate { text, as_lead, .. } = &self.candidates[result];
        *as_lead > PLAINLY_MADE || self.hits(result) >= 2 || text.contains(|c: char| c.is_ascii_digit())
    }

    /// Names in a sentence that it opens with as if they were known: written with capitals inside.
    fn subjects(&self, at: usize) -> impl Iterator<Item = &str> {
        let text = &self.candidates[at].text;
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| word.len() > 2);
        words.filter(|word| word.chars().skip(1).any(char::is_uppercase)).take(6)
    }

    /// Whether the title has the names that a result speaks of, as far as the paper made them.
    fn is_named_by(&self, result: usize, title: &standing::Known) -> bool {
        let made = self.contributions();
        let own = |name: &&str| {
            made.iter().any(|at| {
                let text = &self.candidates[*at].text;
                text.contains(&format!("({name})"))
                    || NAMING.iter().any(|verb| text.contains(&format!("{verb} {name}")))
            })
        };
        self.subjects(result).filter(own).all(|name| title.names(name))
    }

    fn names_subject(&self, made: usize, result: usize) -> bool {
        self.subjects(result).any(|name| self.candidates[made].text.contains(name))
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

    /// The news of an article that is no paper: what of its beginning says most of its title, then the rest in order.
    pub(super) fn orders_of_news(&self) -> Vec<Vec<usize>> {
        let mut texts = self.candidates.iter().map(|candidate| candidate.text.as_str());
        let own = texts.position(ideographic::is_own).unwrap_or_default();
        let mut order: Vec<(f64, usize)> = self
            .candidates
            .iter()
            .enumerate()
            .take(BEGINNING)
            .map(|(at, candidate)| {
                let hits = self.hits(at);
                let has_figure = candidate.text.contains(|c: char| c.is_ascii_digit());
                let quotes = candidate.text.matches(['“', '"', '„']).count() as f64;
                let length = size(&candidate.text);
                // What the title names before a colon is what the article is about.
                let names_itself = self.names_itself(candidate);
                let is_short = self.language == Language::Spaced && length < 9;
                let short = if is_short && !names_itself { 1.5 } else { 0.0 };
                let named = if names_itself { OF_OWN_NAME } else { 0.0 };
                let told =
                    if self.language == Language::Spaced { 0.0 } else { ideographic::worth(&candidate.text) };
                // What has no word of the title or the topic is no news of it, but for a lead with a figure.
                let needed = match candidate.index {
                    0 if has_figure => 0,
                    0 => 1,
                    _ => 2,
                };
                if hits < needed.min(self.wanted.len()) && self.language == Language::Spaced {
                    return (f64::MIN, at);
                }
                let told = if self.credit.is_paper { 2.0 * told } else { told };
                let is_background = self.credit.is_paper && self.language != Language::Spaced && at < own;
                let background = if is_background { OF_BACKGROUND } else { 0.0 };
                let is_share = self.credit.is_paper && ideographic::has_share(&candidate.text);
                let share = if is_share { OF_SHARE } else { 0.0 };
                let value = background
                    + share
                    + named
                    + (hits as f64).min(5.0)
                    + if has_figure { 0.8 } else { 0.0 }
                    + 0.5 * told
                    - quotes.min(2.0) * 0.8
                    + if candidate.index == 0 && !self.credit.is_paper { OF_LEAD } else { 0.0 }
                    - at as f64 * 0.7
                    - short;
                (value, at)
            })
            .collect();
        order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let told = order.into_iter().filter(|(value, _)| *value > f64::MIN).map(|(_, at)| at);
        // Behind what was made stands what came of it, and before that what it leans on.
        let made_before = |at: usize| {
            let text = |at: usize| self.candidates[at].text.as_str();
            let made = at.checked_sub(1).filter(|made| ideographic::worth(text(*made)) >= 1.0)?;
            let is_run = |first: &usize| (*first..made).all(|at| ideographic::is_leaning(text(at + 1)));
            let first = (made.saturating_sub(2)..=made).rev().take_while(is_run).last()?;
            self.credit.is_paper.then_some(first)
        };
        told.flat_map(|at| {
            let run = made_before(at).map(|first| (first..=at).collect());
            run.into_iter().chain([vec![at]])
        })
        .collect()
    }
}

/// Verbs behind which what was made is named.
static NAMING: [&str; 10] = [
    "propose",
    "introduce",
    "present",
    "develop",
    "introduces",
    "presents",
    "proposes",
    "called",
    "build",
    "release",
];
