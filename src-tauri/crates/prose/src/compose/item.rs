//! What is told of one article: which of its sentences, in which order, in which words.
//!
//! A paper is told by its finding and then by what was made; where the finding speaks of a thing whose name the title
//! does not have, what was made comes first. Any other article is told from its news on, one sentence after the other.
//! A sentence that needs another is only told behind it.

use super::frames::{Credit, cut, framed};
use super::ideographic::{self, Language};
use super::long_forms::with_long_forms;
use super::shorten::{shortened, without_asides};
use super::voice::{self, Opening, follow, open};
use super::{ArticleText, size};
use crate::candidates::{Candidate, candidates, is_balanced};
use crate::grounding::missing;
use crate::sources::Source;
use crate::standing::{self, stands_alone};
use crate::support::{each_content_stem, share_of};
use crate::tokens::Keys;

/// Least support that a sentence must have in its article.
const NEEDED_SUPPORT: f64 = 0.8;
/// Words of a sentence that is told whole.
const LONG: usize = 40;
/// The same of the sentences by which news begin, which hold all of it.
const LONG_OF_NEWS: usize = 48;
/// Words to which a longer one is cut, where a clause ends.
const CUT: usize = 34;
/// Words of a sentence that introduces what a finding speaks of, where it can be cut.
const INTRODUCTION: usize = 20;
/// Sentences that are told of one article.
const MOST_SENTENCES: usize = 4;
/// Words below which a sentence of an article is a fragment.
const FRAGMENT: usize = 6;
/// Sentences of an article's beginning among which its news is.
const BEGINNING: usize = 8;
/// How plainly a sentence must tell what came of something to be told as a result.
const RESULT: f64 = 2.2;

/// An article with what can be said of it.
pub(super) struct Draft {
    number: usize,
    pub(super) credit: Credit,
    pub(super) language: Language,
    source: Source,
    candidates: Vec<Candidate>,
    /// Stems of its title and of the topic.
    wanted: Keys,
}

/// What is told of an article.
pub(super) struct Item {
    pub(super) sentences: Vec<String>,
    pub(super) has_result: bool,
    used: Vec<usize>,
    known: standing::Known,
    names_authors: bool,
}

impl Item {
    pub(super) fn size(&self) -> usize {
        self.sentences.iter().map(|sentence| size(sentence)).sum()
    }
}

impl Draft {
    pub(super) fn new(index: usize, article: &ArticleText<'_>, topic: &str) -> Self {
        let credit = Credit::of(article);
        let language = ideographic::language(&format!("{} {}", article.title, cut(article.text, 3000)));
        let mut candidates = candidates(article.text, topic);
        // Only in a paper it is the authors who say "we"; and what is quoted is nobody's to change.
        candidates.retain(|candidate| match credit.is_paper {
            true => !voice::is_in_first_person(&quoted(&candidate.text)),
            false => !voice::is_in_first_person(&candidate.text),
        });
        let mut wanted = Keys::default();
        for text in [article.title, cut(topic, 1000)] {
            each_content_stem(text, |stem| {
                wanted.insert(stem);
            });
        }
        let source = Source::new(&article.whole());
        Self { number: index + 1, credit, language, source, candidates, wanted }
    }

    /// What is told in at most `room` words; none when no sentence fits.
    pub(super) fn item(&self, room: usize) -> Option<Item> {
        let orders: Vec<Vec<usize>> = if self.credit.is_paper && self.language == Language::Spaced {
            self.orders_of_paper()
        } else {
            self.orders_of_news()
        };
        orders.iter().find_map(|order| self.told(order, room))
    }

    /// The sentences in this order, if each fits.
    fn told(&self, order: &[usize], room: usize) -> Option<Item> {
        let mut item = Item {
            sentences: Vec::new(),
            has_result: false,
            used: Vec::new(),
            known: standing::Known::of(&self.credit.title, self.credit.is_paper),
            names_authors: false,
        };
        // What only introduces the name of a finding is kept short.
        let is_told = order.iter().enumerate().all(|(place, at)| {
            let longest = if place + 1 < order.len() { INTRODUCTION } else { CUT };
            self.tell(*at, &mut item, (room, longest))
        });
        is_told.then_some(item)
    }

    /// Adds further sentences while there is room, the best first for a paper, the next for any other article.
    pub(super) fn go_on(&self, item: &mut Item, room: usize) -> bool {
        if item.sentences.len() >= MOST_SENTENCES {
            return false;
        }
        let is_paper = self.credit.is_paper && self.language == Language::Spaced;
        let mut order: Vec<usize> = if is_paper {
            let own = self.own_part();
            let rest = self.by(|candidate| candidate.as_result).into_iter();
            let mut order: Vec<usize> =
                rest.filter(|at| *at >= own && self.candidates[*at].as_result > 1.6).collect();
            // What was made is worth more than a second finding, if it was not told yet.
            if !item.used.iter().any(|at| self.candidates[*at].as_lead > 2.5) {
                order.splice(0..0, self.contributions().into_iter().take(2));
            }
            order
        } else {
            let last = item.used.iter().copied().max().unwrap_or_default();
            let before = self.candidates.get(last).map_or(0, |candidate| candidate.index);
            // The next one, or a later one that is about the same.
            let goes_on = |at: &usize| self.candidates[*at].index == before + 1 || self.hits(*at) >= 2;
            (last + 1..self.candidates.len().min(last + 4)).filter(goes_on).collect()
        };
        order.retain(|at| !item.used.contains(at));
        order.into_iter().any(|at| self.tell(at, item, (room, CUT)))
    }

    /// Adds a sentence if it fits, can be understood there, and stands in the article.
    fn tell(&self, at: usize, item: &mut Item, (room, longest): (usize, usize)) -> bool {
        let Some(candidate) = self.candidates.get(at) else { return false };
        let Some((sentence, names_authors)) = self.worded(candidate, (at, longest), item) else {
            return false;
        };
        let is_told =
            item.size() + size(&sentence) <= room && is_balanced(&sentence) && self.backs(&sentence);
        let is_new = !item.sentences.iter().any(|told| told.contains(sentence.trim_end_matches(['.', '。'])));
        if !is_told || !is_new {
            return false;
        }
        item.known.add(&candidate.text);
        item.has_result |= !self.credit.is_paper || candidate.as_result >= RESULT;
        item.names_authors = names_authors;
        item.used.push(at);
        item.sentences.push(sentence);
        true
    }

    /// A sentence as it is told there, and whether the authors have been named.
    fn worded(
        &self,
        candidate: &Candidate,
        (at, longest): (usize, usize),
        item: &Item,
    ) -> Option<(String, bool)> {
        let is_first = item.sentences.is_empty();
        let follows = at.checked_sub(1).is_some_and(|before| item.used.last() == Some(&before))
            && candidate.index == self.candidates[at - 1].index + 1;
        if self.language != Language::Spaced {
            let leans = ideographic::is_leaning(&candidate.text);
            let said = candidate.text.trim_end_matches(['。', '！', '.', '!']);
            if leans && !follows {
                return None;
            }
            let said = if is_first {
                ideographic::framed(said, &self.credit, self.language)
            } else {
                said.to_owned()
            };
            return Some((format!("{said}[{}]。", self.number), false));
        }
        let text = without_asides(&candidate.text);
        let text = voice::plainer(&text);
        // A sentence right behind the one it leans on is understood there, if its writers wrote it so.
        // The first sentence of an article leans on nothing.
        let may_lean = (follows || is_first && candidate.index == 0) && !self.credit.is_paper;
        if !may_lean {
            let opened = open(&text)?;
            let core = match &opened {
                Opening::Authors { rest, .. } | Opening::Work { rest, .. } => rest,
                Opening::Plain { sentence } => sentence,
            };
            if !stands_alone(core, &item.known) {
                return None;
            }
        }
        if text.split_whitespace().count() < FRAGMENT {
            return None;
        }
        let long = with_long_forms(&text, &self.credit.title, &self.candidates);
        let text = if is_first { long? } else { long.unwrap_or(text) };
        let most = |said: &str| {
            let words = said.split_whitespace().count();
            let tight = (longest < CUT && words > longest).then(|| self.cut(said, longest)).flatten();
            let whole = if self.credit.is_paper { LONG } else { LONG_OF_NEWS };
            tight.or_else(|| if words <= whole { Some(said.to_owned()) } else { self.cut(said, CUT) })
        };
        let (said, names_authors) = if is_first {
            let opening = match open(&text)? {
                Opening::Authors { lead, rest } => Opening::Authors { lead, rest: most(&rest)? },
                Opening::Work { noun, rest } => Opening::Work { noun, rest: most(&rest)? },
                Opening::Plain { sentence } => {
                    Opening::Plain { sentence: voice::capitalised(&most(&sentence)?) }
                }
            };
            (framed(&opening, &self.credit), matches!(opening, Opening::Authors { .. }))
        } else {
            let known = if item.names_authors { voice::Known::Yes } else { voice::Known::No };
            let said = follow(&text, known)?;
            (most(&said)?, item.names_authors || said.contains("he authors"))
        };
        let said = said.trim_end_matches(['.', ' ', ',', ';']);
        Some((format!("{said} [{}].", self.number), names_authors))
    }

    /// A long sentence cut where a clause ends, if what it told by figures is kept.
    fn cut(&self, said: &str, most: usize) -> Option<String> {
        let has_figure = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        let short = shortened(said, most)?;
        (stands_alone(&short, &standing::Known::of(said, self.credit.is_paper))
            && (!has_figure(said) || has_figure(&short)))
        .then_some(short)
    }

    /// Places of the sentences, those with the highest value first.
    fn by(&self, value: impl Fn(&Candidate) -> f64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|one, other| {
            value(&self.candidates[*other]).total_cmp(&value(&self.candidates[*one])).then(one.cmp(other))
        });
        order
    }

    fn contributions(&self) -> Vec<usize> {
        self.by(|candidate| candidate.as_lead)
            .into_iter()
            .filter(|at| self.candidates[*at].as_lead > 1.5)
            .collect()
    }

    /// Where a paper comes to its own part; what stands before is what others did.
    fn own_part(&self) -> usize {
        self.contributions().iter().take(3).min().copied().unwrap_or(self.candidates.len() / 3)
    }

    fn orders_of_paper(&self) -> Vec<Vec<usize>> {
        let contributions = self.contributions();
        let own = self.own_part();
        let results = self.by(|candidate| candidate.as_result);
        let results = results.into_iter().filter(|at| *at >= own && self.candidates[*at].as_result >= RESULT);
        let title = standing::Known::of(&self.credit.title, true);
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for result in results.take(4) {
            let made =
                contributions.iter().copied().find(|at| *at != result && self.names_subject(*at, result));
            match made.filter(|_| !self.is_named_by(result, &title)) {
                Some(made) => orders.push(vec![made, result]),
                None if self.is_named_by(result, &title) => orders.push(vec![result]),
                None => {}
            }
        }
        orders.extend(contributions.into_iter().take(3).map(|at| vec![at]));
        orders
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
    fn hits(&self, at: usize) -> usize {
        let mut hits = Keys::default();
        each_content_stem(&self.candidates[at].text, |stem| {
            if self.wanted.contains(&stem) {
                hits.insert(stem);
            }
        });
        hits.len()
    }

    /// The news of an article that is no paper: what of its beginning says most of its title, then the rest in order.
    fn orders_of_news(&self) -> Vec<Vec<usize>> {
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
                let short = if self.language == Language::Spaced && length < 9 { 1.5 } else { 0.0 };
                let told =
                    if self.language == Language::Spaced { 0.0 } else { ideographic::worth(&candidate.text) };
                // What has no word of the title or the topic is no news of it.
                let needed = if candidate.index == 0 { 1 } else { 2 };
                if hits < needed.min(self.wanted.len()) && self.language == Language::Spaced {
                    return (f64::MIN, at);
                }
                let told = if self.credit.is_paper { 2.0 * told } else { told };
                let value = (hits as f64).min(5.0) + if has_figure { 0.8 } else { 0.0 } + 0.5 * told
                    - quotes.min(2.0) * 0.8
                    - at as f64 * 0.7
                    - short;
                (value, at)
            })
            .collect();
        order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let told = order.into_iter().filter(|(value, _)| *value > f64::MIN).map(|(_, at)| at);
        // Behind what was made stands what came of it.
        let made_before = |at: usize| {
            at.checked_sub(1).filter(|before| {
                self.credit.is_paper && ideographic::worth(&self.candidates[*before].text) >= 1.0
            })
        };
        told.flat_map(|at| {
            let both = made_before(at).map(|before| vec![before, at]);
            both.into_iter().chain([vec![at]])
        })
        .collect()
    }

    /// Whether the article says what the sentence says.
    fn backs(&self, sentence: &str) -> bool {
        missing(sentence, &[&self.source]).is_empty()
            && share_of(sentence, &self.source.stems) >= NEEDED_SUPPORT
    }

    /// Only the title, with its citation.
    pub(super) fn bare(&self, is_first: bool) -> String {
        format!("{} [{}].", super::frames::bare(&self.credit, is_first), self.number)
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

/// What stands between quotation marks.
fn quoted(sentence: &str) -> String {
    let parts = sentence.split('“').skip(1).map(|rest| rest.split('”').next().unwrap_or_default());
    let straight = sentence.split('"').skip(1).step_by(2);
    parts.chain(straight).collect::<Vec<_>>().join(" ")
}
