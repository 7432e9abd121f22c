//! Writes a short cited post out of articles, without a model.
//!
//! What stands in it are the articles' own sentences, retold in the third person and set between plain frames:
//! nothing is concluded, compared or made up, and each sentence is held against its article before it is
//! used. Each article gets its contribution, and as far as the limit allows what came of it. Not here: any
//! judgement of which articles matter; they come ranked.

mod frames;
mod ideographic;
mod shorten;
mod topic;
mod voice;

use crate::candidates::{Candidate, candidates};
use crate::grounding::missing;
use crate::known_words::OPENING_WORDS;
use crate::sources::Source;
use crate::stop_words::{is_reporting, is_stop};
use crate::support::share_of;
use crate::tokens::{ByKey, hash, word_key};
use crate::topic_words::is_filler;
use crate::words::count_words;
use frames::{Credit, Day, Position, bare, framed};
use ideographic::Language;
use shorten::{shortened, without_asides};
use std::cell::RefCell;
use voice::{Known, Opening, follow, open};

/// One article to write about.
#[derive(Clone, Copy, Debug)]
pub struct ArticleText<'a> {
    /// Its title.
    pub title: &'a str,
    /// Who published it, e.g. "arXiv".
    pub source: &'a str,
    /// YYYY-MM-DD, or empty.
    pub published: &'a str,
    /// Its abstract or body; may be empty.
    pub text: &'a str,
}

impl ArticleText<'_> {
    /// All of it as one text, as [`crate::SourceTexts`] wants it.
    pub fn whole(&self) -> String {
        [self.title, self.source, self.published, self.text].join("\n")
    }
}

/// Least support that a sentence must have in its article.
const NEEDED_SUPPORT: f64 = 0.8;
/// Most articles one post is written about; more would only be listed.
const MOST_ARTICLES: usize = 20;

/// A Markdown post of at most `max_words` words (as [`crate::count_words`] counts, and also counted by spaces)
/// about the articles, each cited as `[n]` with n its place in the list, from 1. The same arguments always
/// give the same text; no articles, or no room, give an empty one.
pub fn compose_post(topic: &str, articles: &[ArticleText<'_>], max_words: usize) -> String {
    let articles = &articles[..articles.len().min(MOST_ARTICLES)];
    let drafts: Vec<Draft> = articles
        .iter()
        .enumerate()
        .map(|(index, article)| Draft::new(index, article, topic, articles.len() < 3))
        .collect();
    let phrase = topic::phrase(topic);
    // A topic with a name or a figure that no article has may not be written as if they were about it.
    let sources: Vec<&Source> = drafts.iter().map(|draft| &draft.source).collect();
    let phrase = phrase.filter(|phrase| missing(&format!("about {phrase}"), &sources).is_empty());
    for level in 0..6 {
        for kept in (1..=drafts.len()).rev() {
            if kept < drafts.len() && level < 5 {
                break;
            }
            let plan = Plan { level, max_words, phrase: phrase.as_deref() };
            if let Some(post) = plan.write(&drafts[..kept]) {
                return post;
            }
        }
    }
    String::new()
}

/// Words of a text, by the stricter of two counts: a reader's, and one by spaces.
fn size(text: &str) -> usize {
    count_words(text).max(text.split_whitespace().count())
}

/// An article with what can be said of it.
struct Draft {
    number: usize,
    credit: Credit,
    language: Language,
    source: Source,
    verdicts: RefCell<ByKey<bool>>,
    /// One of few articles: lesser sentences are welcome too.
    is_alone: bool,
    /// In the order of the text.
    candidates: Vec<Candidate>,
    /// Indexes into the candidates, best first, with what they open with.
    leads: Vec<(usize, Opening)>,
}

impl Draft {
    fn new(index: usize, article: &ArticleText<'_>, topic: &str, is_alone: bool) -> Self {
        let credit = Credit::of(article);
        let mut candidates = candidates(article.text, topic);
        // Only in a paper it is the authors who say "we"; and what is quoted is nobody's to change.
        candidates.retain(|candidate| match credit.noun {
            "paper" => !voice::is_in_first_person(&quoted(&candidate.text)),
            _ => !voice::is_in_first_person(&candidate.text),
        });
        let mut order: Vec<usize> = (0..candidates.len())
            .filter(|at| !candidates[*at].is_leaning || is_announcing(&candidates[*at]))
            .collect();
        order.sort_by(|one, other| {
            candidates[*other].as_lead.total_cmp(&candidates[*one].as_lead).then(one.cmp(other))
        });
        let leads = order
            .into_iter()
            .take(4)
            .filter_map(|at| {
                let opening = open(&without_asides(&candidates[at].text))?;
                Some((at, uncapitalised(opening, article.text)))
            })
            .collect();
        let language =
            ideographic::language(&format!("{} {}", article.title, frames::cut(article.text, 3000)));
        let source = Source::new(&article.whole());
        Self {
            number: index + 1,
            credit,
            language,
            source,
            verdicts: RefCell::default(),
            is_alone,
            candidates,
            leads,
        }
    }

    /// Whether the article says what the sentence says.
    fn backs(&self, sentence: &str) -> bool {
        // The same sentence is asked about again whenever something else did not fit.
        let key = hash(sentence.as_bytes());
        if let Some(verdict) = self.verdicts.borrow().get(&key) {
            return *verdict;
        }
        let verdict = missing(sentence, &[&self.source]).is_empty()
            && share_of(sentence, &self.source.stems) >= NEEDED_SUPPORT;
        self.verdicts.borrow_mut().insert(key, verdict);
        verdict
    }

    /// With its citation and full stop.
    fn cited(&self, sentence: &str) -> String {
        let sentence = sentence.trim_end_matches(['.', ' ', ',', ';']);
        format!("{sentence} [{}].", self.number)
    }

    /// Whether its best sentence is about measuring rather than making.
    fn is_evaluation(&self) -> bool {
        let Some((_, opening)) = self.leads.first() else { return false };
        let (Opening::Authors { rest: said, .. }
        | Opening::Work { rest: said, .. }
        | Opening::Plain { sentence: said }) = opening;
        let near = frames::cut(said, 90).to_lowercase();
        ["benchmark", "testbed", "test set", "evaluation of", "evaluation suite", "audit"]
            .iter()
            .any(|cue| near.contains(cue))
    }
}

/// What stands between quotation marks.
fn quoted(sentence: &str) -> String {
    let parts = sentence.split('“').skip(1).map(|rest| rest.split('”').next().unwrap_or_default());
    let straight = sentence.split('"').skip(1).step_by(2);
    parts.chain(straight).collect::<Vec<_>>().join(" ")
}

/// A sentence that comes to stand behind a frame loses its capital, unless its first word may be a name.
fn uncapitalised(opening: Opening, text: &str) -> Opening {
    let Opening::Plain { sentence } = opening else { return opening };
    let end = sentence.find(|character: char| !character.is_alphabetic()).unwrap_or(sentence.len());
    let first = &sentence[..end];
    let lower = first.to_lowercase();
    let is_plain = first.chars().skip(1).all(char::is_lowercase);
    let key = word_key(&lower);
    let is_word = is_stop(key)
        || is_reporting(key)
        || is_filler(key)
        || OPENING_WORDS.contains(&lower.as_str())
        || ["ing", "ed", "ly"].iter().any(|ending| lower.ends_with(ending))
        || text.contains(&format!(" {lower} "));
    if is_plain && is_word {
        return Opening::Plain { sentence: format!("{lower}{}", &sentence[end..]) };
    }
    Opening::Plain { sentence }
}

/// "To address this, we propose": leans, but what it leans on can be left out.
fn is_announcing(candidate: &Candidate) -> bool {
    candidate.as_lead > 1.0
}

/// What is given up so that the post fits: from 0 (nothing) to 5 (articles).
#[derive(Clone, Copy)]
struct Plan<'a> {
    level: u8,
    max_words: usize,
    phrase: Option<&'a str>,
}

/// A post being written: per article its sentences, in the order of the text.
struct Written<'a> {
    draft: &'a Draft,
    opening: String,
    /// Which candidate the opening is.
    used: Option<usize>,
    known: Known,
    /// Candidate and sentence.
    more: Vec<(usize, String)>,
}

impl Plan<'_> {
    fn write(self, drafts: &[Draft]) -> Option<String> {
        let all_ideographic = drafts.iter().all(|draft| draft.language != Language::Spaced);
        let credits: Vec<Credit> = drafts.iter().map(|draft| draft.credit.clone()).collect();
        let days: Vec<Option<Day>> = credits.iter().map(|credit| credit.day).collect();
        let heading = if self.level >= 2 {
            None
        } else if all_ideographic {
            ideographic::heading(self.phrase, &days)
        } else {
            topic::heading(self.phrase, &days)
        };
        let opening =
            if self.level >= 3 || all_ideographic { None } else { topic::opening(self.phrase, &credits) };
        let fixed = heading.as_deref().map_or(0, size) + opening.as_deref().map_or(0, size);
        let left = self.max_words.checked_sub(fixed)?;
        let share = left / drafts.len().max(1);
        let (ordered, turn) = in_order(drafts);
        let mut named = Vec::new();
        let mut written: Vec<Written<'_>> = Vec::with_capacity(ordered.len());
        for (at, draft) in ordered.iter().enumerate() {
            let position = Position {
                at,
                is_last: at + 1 == ordered.len(),
                is_turn: turn == Some(at),
                is_titled: self.level == 0 && (at == 0 || ordered.len() < 3),
            };
            written.push(self.open_article(draft, position, share, &mut named)?);
        }
        let used: usize = written.iter().map(|article| size(&article.opening)).sum();
        let mut left = left.checked_sub(used)?;
        let rounds = [6, 3, 2].get(drafts.len().saturating_sub(1)).copied().unwrap_or(1);
        for _ in 0..rounds {
            for article in &mut written {
                if let Some((index, sentence)) = article.next(left) {
                    left -= size(&sentence);
                    article.more.push((index, sentence));
                }
            }
        }
        Some(assembled(heading, opening, &written, turn))
    }

    /// The sentence that opens an article, as short as its share of the room asks.
    fn open_article<'a>(
        self,
        draft: &'a Draft,
        position: Position,
        share: usize,
        named: &mut Vec<Option<Day>>,
    ) -> Option<Written<'a>> {
        let finished =
            |opening: String, used, known| Written { draft, opening, used, known, more: Vec::new() };
        if draft.language != Language::Spaced {
            let quoted =
                ideographic::quoted(draft.number, &draft.credit, &draft.candidates, draft.language, share);
            return quoted.into_iter().next().map(|opening| finished(opening, None, Known::No));
        }
        let most =
            if self.level < 4 { (share * 4 / 5).clamp(14, 34) } else { share.saturating_sub(7).max(7) };
        for (rank, (index, lead)) in draft.leads.iter().enumerate() {
            // With little room a title says more than the rest of an abstract.
            if draft.candidates[*index].as_lead < if self.level < 4 { -1.5 } else { 0.5 } {
                continue;
            }
            // The best sentence may be a little long before the next best is taken instead.
            let reach = if rank == 0 && self.level < 3 { most + 10 } else { most };
            let Some(lead) = fitted(lead, most).or_else(|| fitted(lead, reach)) else { continue };
            let mut days = named.clone();
            let sentence = framed(&lead, &draft.credit, position, &mut days);
            let cited = draft.cited(&sentence);
            if draft.backs(&cited)
                && crate::candidates::is_balanced(&sentence)
                && (self.level < 4 || size(&cited) <= share)
            {
                *named = days;
                let known = if matches!(lead, Opening::Authors { .. }) { Known::Yes } else { Known::No };
                return Some(finished(cited, Some(*index), known));
            }
        }
        let bare = draft.cited(&bare(&draft.credit, position.at == 0));
        (self.level < 4 || size(&bare) <= share).then(|| finished(bare, None, Known::No))
    }
}

/// An opening with its parts shortened to `most` words; none when there is no clause border to do it at.
fn fitted(opening: &Opening, most: usize) -> Option<Opening> {
    Some(match opening {
        Opening::Authors { lead, rest } => {
            let length = lead.split_whitespace().count();
            // A clause in front that leaves no room for what follows is not worth keeping.
            let (lead, length) = if length * 2 > most { (String::new(), 0) } else { (lead.clone(), length) };
            Opening::Authors { lead, rest: shortened(rest, most - length)? }
        }
        Opening::Work { noun, rest } => Opening::Work { noun: noun.clone(), rest: shortened(rest, most)? },
        Opening::Plain { sentence } => Opening::Plain { sentence: shortened(sentence, most)? },
    })
}

impl Written<'_> {
    /// The next best sentence of the article that fits, with its place among the candidates.
    fn next(&self, left: usize) -> Option<(usize, String)> {
        let used = self.used.filter(|_| left > 7)?;
        let is_free = |at: &usize| *at != used && self.more.iter().all(|(taken, _)| taken != at);
        let candidates = &self.draft.candidates;
        let mut order: Vec<usize> = (used + 1..candidates.len()).filter(is_free).collect();
        let is_worth = |at: &usize| candidates[*at].as_result > if self.draft.is_alone { 0.4 } else { 1.5 };
        order.retain(|at| !candidates[*at].is_leaning && is_worth(at));
        order.sort_by(|one, other| {
            candidates[*other].as_result.total_cmp(&candidates[*one].as_result).then(one.cmp(other))
        });
        order.into_iter().find_map(|at| {
            let text = without_asides(&candidates[at].text);
            let sentence = follow(&text, self.known)?;
            let sentence = self.draft.cited(&shortened(&sentence, left.saturating_sub(1).min(32))?);
            let fits = size(&sentence) <= left
                && crate::candidates::is_balanced(&sentence)
                && self.draft.backs(&sentence);
            fits.then_some((at, sentence))
        })
    }
}

/// The articles in the order in which they are told, and which one opens the part about evaluations: those
/// come last when there are some of both.
fn in_order(drafts: &[Draft]) -> (Vec<&Draft>, Option<usize>) {
    let (about, made): (Vec<&Draft>, Vec<&Draft>) = drafts.iter().partition(|draft| draft.is_evaluation());
    if drafts.len() < 3 || about.is_empty() || made.is_empty() {
        return (drafts.iter().collect(), None);
    }
    let turn = made.len();
    (made.into_iter().chain(about).collect(), Some(turn))
}

fn assembled(
    heading: Option<String>,
    opening: Option<String>,
    written: &[Written<'_>],
    turn: Option<usize>,
) -> String {
    let border = turn.unwrap_or(if written.len() < 3 { 1 } else { written.len().div_ceil(2) });
    let mut paragraphs: Vec<String> = heading.into_iter().collect();
    let mut paragraph: Vec<&str> = opening.as_deref().into_iter().collect();
    for (at, article) in written.iter().enumerate() {
        if at == border {
            paragraphs.push(paragraph.join(" "));
            paragraph.clear();
        }
        paragraph.push(&article.opening);
        let mut more: Vec<&(usize, String)> = article.more.iter().collect();
        more.sort_by_key(|(index, _)| *index);
        paragraph.extend(more.iter().map(|(_, sentence)| sentence.as_str()));
    }
    paragraphs.push(paragraph.join(" "));
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs.join("\n\n")
}

#[cfg(test)]
mod tests;
