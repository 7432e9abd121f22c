//! What is told of one article: which of its sentences, in which order, in which words.
//!
//! A paper is told from its own part on, sentence by sentence, to what came of it, or with gaps where that cannot be; any
//! other article from its lead on.
//! A sentence that needs another is only told behind it.

use super::frames::{Credit, cut};
use super::ideographic::{self, Language};
use super::long_forms::{LongForm, explained_in};
use super::shorten::{ends_alike, quoted};
use super::{ArticleText, size, voice};
use crate::candidates::{Candidate, candidates, stems_of};
use crate::grounding::missing;
use crate::paragraphs::without_title;
use crate::ranking::Document;
use crate::repeatable::is_balanced;
use crate::sources::Source;
use crate::standing::Known;
use crate::support::{each_content_stem, share_of};
use crate::tokens::Keys;

/// Least support that a sentence must have in its article.
const NEEDED_SUPPORT: f64 = 0.8;
/// Words to which a longer one is cut, where a clause ends.
pub(super) const CUT: usize = 34;
/// Words of a sentence that introduces what a finding speaks of, where it can be cut.
const INTRODUCTION: usize = 28;
/// Words, with the citation, of a sentence that is too short to be the last.
const SHORT_END: usize = 7;
/// What it adds to a sentence as the one that says what was made, that it begins with the name of it.
const OF_INTRODUCTION: f64 = 2.6;
/// What it adds to a result that it names what was made.
const OF_NAME: f64 = 0.8;
/// Sentences by which news begin.
const OPENING_OF_NEWS: usize = 2;
/// Sentences that are told of one article.
const MOST_SENTENCES: usize = 6;
/// How plainly a further sentence of a paper must tell what came of it.
const WORTH_TELLING: f64 = 1.6;
/// How plainly the only sentence that is told of a paper must say what was made or what came of it.
const LEAST: f64 = 0.6;
/// How plainly a sentence must tell what came of something to be told as a result.
pub(crate) const RESULT: f64 = 2.2;

/// An article with what can be said of it.
pub(super) struct Draft {
    pub(super) number: usize,
    pub(super) credit: Credit,
    pub(super) language: Language,
    source: Source,
    pub(super) candidates: Vec<Candidate>,
    /// The stems of each of them.
    pub(super) stems: Vec<Keys>,
    /// The short forms that it explains.
    pub(super) long_forms: Vec<LongForm>,
    /// Stems of its title and of the topic.
    pub(super) wanted: Keys,
}

/// What is told of an article.
pub(super) struct Item {
    pub(super) sentences: Vec<String>,
    pub(super) has_result: bool,
    pub(super) used: Vec<usize>,
    pub(super) known: Known,
    /// Whether its last sentence tells of the authors.
    pub(super) tells_of_authors: bool,
    /// Whether its sentences stand one behind the other in the article.
    pub(super) in_sequence: bool,
    /// Whether the last sentence is told to its end.
    pub(super) is_whole: bool,
}

impl Item {
    /// Takes back a last sentence that is too short to end with: it only leads to what is not told.
    pub(super) fn end_well(&mut self) {
        let is_short = |sentence: &String| sentence.split_whitespace().count() <= SHORT_END;
        if self.sentences.len() > 2 && self.sentences.last().is_some_and(is_short) {
            self.sentences.pop();
        }
    }

    pub(super) fn size(&self) -> usize {
        self.sentences.iter().map(|sentence| size(sentence)).sum()
    }
}

impl Draft {
    pub(super) fn new(index: usize, article: &ArticleText<'_>, topic: &str) -> Self {
        let credit = Credit::of(article);
        let language = ideographic::language(&format!("{} {}", article.title, cut(article.text, 3000)));
        let mut candidates = candidates(without_title(article.text, article.title), topic);
        // Only in a paper it is the authors who say "we"; and what is quoted is nobody's to change.
        candidates.retain(|candidate| match credit.is_paper {
            true => !voice::is_in_first_person(&quoted(&candidate.text)),
            false => !voice::is_in_first_person(&candidate.text) || may_be_quoted(candidate),
        });
        let mut wanted = Keys::default();
        for text in [article.title, cut(topic, 1000)] {
            each_content_stem(text, |stem| {
                wanted.insert(stem);
            });
        }
        let source = Source::new(&article.whole());
        let mut draft = Self {
            number: index + 1,
            credit,
            language,
            source,
            candidates: Vec::new(),
            stems: Vec::new(),
            long_forms: explained_in(article.text),
            wanted,
        };
        // "CloudCast is a model that …" says what was made as plainly as "we present CloudCast".
        for candidate in &mut candidates {
            let is_introduced = candidate.as_lead < OF_INTRODUCTION && draft.is_introduced_in(candidate);
            candidate.as_lead += if is_introduced { OF_INTRODUCTION } else { 0.0 };
            let names_itself = draft.names_itself(candidate);
            candidate.as_result += if names_itself { OF_NAME } else { 0.0 };
        }
        draft.stems = candidates.iter().map(|candidate| stems_of(&candidate.text)).collect();
        draft.candidates = candidates;
        draft
    }

    /// Whether a sentence begins with the name that the title gives to what was made.
    pub(super) fn is_introduced_in(&self, candidate: &Candidate) -> bool {
        let Some((name, _)) = self.credit.title.split_once(':') else { return false };
        self.names_itself(candidate) && candidate.text.starts_with(name)
    }

    /// What is told in at most `room` words; none when no sentence fits.
    pub(super) fn item(&self, room: usize) -> Option<Item> {
        let told = |orders: &[Vec<usize>], in_sequence: bool| {
            orders.iter().find_map(|order| self.told(order, room, in_sequence))
        };
        let is_abstract = self.credit.is_paper && self.language == Language::Spaced;
        let with_gaps = || is_abstract.then(|| told(&self.with_gaps(), false)).flatten();
        let found = told(&self.sequences(), true).or_else(with_gaps);
        let has_result = found.as_ref().is_some_and(|item| item.has_result);
        if has_result || !self.credit.is_paper {
            return found;
        }
        told(&self.all_to_room(), true).or(found)
    }

    /// Places among the sentences of the article of those that are told.
    pub(super) fn places(&self, item: &Item) -> Vec<usize> {
        let mut places: Vec<usize> = item.used.iter().map(|at| self.candidates[*at].index).collect();
        places.sort_unstable();
        places
    }

    /// The same of an article of which neither a finding nor news can be told: the sentence that says most of it.
    pub(super) fn item_of_any(&self, room: usize) -> Option<Item> {
        let announced = self.by(|candidate| candidate.as_lead).into_iter();
        let announced = announced.filter(|at| self.candidates[*at].as_lead > 0.0);
        let found = self.by(|candidate| candidate.as_result).into_iter();
        // Before its own part a paper tells what others did, and that is not what is new.
        let is_paper = self.credit.is_paper && self.language == Language::Spaced;
        let from = if is_paper { self.own_part() } else { 0 };
        let says_something = |at: &usize| {
            let candidate = &self.candidates[*at];
            !is_paper || candidate.as_lead >= LEAST || candidate.as_result >= LEAST
        };
        let mut plain = announced
            .chain(found)
            .filter(|at| *at >= from && !self.candidates[*at].is_leaning && says_something(at));
        plain.find_map(|at| self.told(&[at], room, false))
    }

    /// The sentences in this order, if each fits.
    fn told(&self, order: &[usize], room: usize, in_sequence: bool) -> Option<Item> {
        let mut item = Item {
            sentences: Vec::new(),
            has_result: false,
            used: Vec::new(),
            known: Known::of(&self.credit.title, self.credit.is_paper),
            tells_of_authors: false,
            in_sequence,
            is_whole: true,
        };
        // What only introduces the name of a finding is kept short.
        let is_told = order.iter().enumerate().all(|(place, at)| {
            // Before the sentence that stands behind it, it is told to its end.
            let next = order.get(place + 1).filter(|next| !self.is_next(*at, **next));
            let longest = if next.is_some() { INTRODUCTION } else { CUT };
            self.tell(*at, &mut item, (room, longest))
        });
        is_told.then_some(item)
    }

    /// Adds a further sentence while there is room: the next one, or the best of a paper that is not told in its sequence.
    pub(super) fn go_on(&self, item: &mut Item, room: usize) -> bool {
        if item.sentences.len() >= MOST_SENTENCES {
            return false;
        }
        let is_paper = self.credit.is_paper && self.language == Language::Spaced;
        let mut order: Vec<usize> = if is_paper {
            let own = self.own_part();
            // What is plainly a result is told in the order of the paper.
            let plain = |candidate: &Candidate| match candidate.as_result >= RESULT {
                true => 100.0 - candidate.index as f64,
                false => self.early(candidate),
            };
            let rest = self.by(plain).into_iter();
            let last = item.used.iter().copied().max().unwrap_or_default().max(own);
            let next = (last + 1 < self.candidates.len()).then_some(last + 1);
            // What stands right behind what is told leans on nothing else.
            let next =
                next.filter(|at| self.goes_on(last, *at) || item.in_sequence && self.is_next(last, *at));
            let rest = rest.filter(|_| !item.in_sequence);
            let rest = rest.filter(|at| *at >= last && self.candidates[*at].as_result > WORTH_TELLING);
            next.into_iter().chain(rest).collect()
        } else {
            let last = item.used.iter().copied().max().unwrap_or_default();
            // Behind a gap a sentence may lean on what is not told.
            (last + 1..self.candidates.len()).take(1).filter(|at| self.is_next(last, *at)).collect()
        };
        order.retain(|at| !item.used.contains(at));
        order.into_iter().any(|at| self.tell(at, item, (room, CUT)))
    }

    /// Whether a sentence that leans on the one before it tells more of what that begins.
    pub(super) fn goes_on(&self, before: usize, next: usize) -> bool {
        let Some(told) = self.candidates.get(next) else { return false };
        self.is_next(before, next) && told.is_leaning && (told.as_next_result >= RESULT || told.is_own)
    }

    /// Whether nothing but a label stands between two sentences.
    pub(super) fn is_next(&self, before: usize, next: usize) -> bool {
        let of = |at: usize| self.candidates.get(at);
        of(before).zip(of(next)).is_some_and(|(before, next)| next.behind == Some(before.index))
    }

    /// Adds a sentence if it fits, can be understood there, and stands in the article.
    fn tell(&self, at: usize, item: &mut Item, (room, longest): (usize, usize)) -> bool {
        let Some(candidate) = self.candidates.get(at) else { return false };
        let Some((sentence, tells_of_authors)) = self.worded(candidate, (at, longest), item) else {
            return false;
        };
        let is_told =
            item.size() + size(&sentence) <= room && is_balanced(&sentence) && self.backs(&sentence);
        let is_new = !item.sentences.iter().any(|told| told.contains(sentence.trim_end_matches(['.', '。'])));
        if !is_told || !is_new {
            return false;
        }
        item.known.add(&candidate.text);
        let tells = match self.language {
            // Where the result leans on what stands before, the paper reads better from its beginning.
            Language::Spaced => candidate.as_result >= RESULT,
            Language::Chinese | Language::Japanese => self.tells_result(candidate),
        };
        item.has_result |= !self.credit.is_paper || tells;
        item.tells_of_authors = tells_of_authors;
        item.is_whole = ends_alike(&sentence, &candidate.text);
        item.used.push(at);
        item.sentences.push(sentence);
        true
    }

    /// Whether a sentence stands right behind the last one that is told.
    pub(super) fn follows(&self, at: usize, item: &Item) -> bool {
        let before = at.checked_sub(1).filter(|before| item.used.last() == Some(before));
        before.is_some_and(|before| self.is_next(before, at))
    }

    /// Whether the article says what the sentence says.
    pub(super) fn backs(&self, sentence: &str) -> bool {
        missing(sentence, &[&self.source]).is_empty()
            && share_of(sentence, &self.source.stems) >= NEEDED_SUPPORT
    }

    /// All of its article.
    pub(super) fn document<'a>(&self, articles: &[ArticleText<'a>]) -> Document<'a> {
        let article = articles.get(self.number - 1);
        Document {
            title: article.map_or("", |article| article.title),
            body: article.map_or("", |article| article.text),
        }
    }

    /// Only the title, with its citation.
    pub(super) fn bare(&self, is_first: bool) -> String {
        format!("{} [{}].", super::frames::bare(&self.credit, is_first), self.number)
    }
}

/// Whether a sentence in which a company speaks of itself tells its news or a figure, and has no quotation in it.
fn may_be_quoted(candidate: &Candidate) -> bool {
    let tells = candidate.index < OPENING_OF_NEWS || candidate.as_next_result >= RESULT;
    let points_on = ["the following", "below", "here"].iter().any(|word| candidate.text.contains(word));
    tells && !candidate.is_leaning && !points_on && !candidate.text.contains(['“', '”', '"', '?'])
}
