//! Writes a short cited post out of articles, without a model.
//!
//! What stands in it are the articles' own sentences, told in the third person behind the articles' titles:
//! nothing is concluded, compared or made up, and each sentence is held against its article before it is
//! used. Few articles are told fully rather than many thinly, those first of which there is a finding to tell. Not
//! here: any judgement of which articles matter; they come ranked.

mod abstracts;
mod frames;
mod ideographic;
mod item;
mod long_forms;
mod orders;
mod research;
mod sentence;
mod shorten;
mod topic;
mod voice;

use crate::grounding::missing;
use crate::ranking::{Document, covered, has_heads, named_in};
use crate::sources::Source;
use crate::words::count_words;
pub use frames::is_file_name;
use frames::{Credit, Day};
pub(crate) use ideographic::is_own as says_own_work;
pub(crate) use ideographic::{Language, language};
pub(crate) use item::RESULT;
use item::{Draft, Item};

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

/// Most articles one post is written about; more would only be listed.
const MOST_ARTICLES: usize = 20;
/// Words that an article is told in at least, where it is told fully.
const FULL: usize = 60;
/// Characters of the same where words are not parted by blanks.
const FULL_DENSE: usize = 95;

/// A Markdown post of at most `max_words` words (as [`crate::count_words`] counts, and also counted by spaces)
/// about the articles, each cited as `[n]` with n its place in the list, from 1. Of many articles the first are told of
/// which there is something to tell. The same arguments always give the same text; no articles, or no room, give an
/// empty one.
pub fn compose_post(topic: &str, articles: &[ArticleText<'_>], max_words: usize) -> String {
    let articles = &articles[..articles.len().min(MOST_ARTICLES)];
    let drafts: Vec<Draft> =
        articles.iter().enumerate().map(|(index, article)| Draft::new(index, article, topic)).collect();
    let fits = |heading: &String| size(heading) * 4 <= max_words;
    let of_all = heading(topic, articles, &drafts.iter().collect::<Vec<_>>()).filter(fits);
    let room = max_words - of_all.as_deref().map_or(0, size);
    let is_dense = drafts.iter().all(|draft| draft.language != Language::Spaced);
    let full = if is_dense { FULL_DENSE } else { FULL };
    let fitting = (room / full).clamp(1, drafts.len().max(1));
    let mut told: Vec<(&Draft, Item)> = Vec::new();
    let mut left = room;
    let most = (room / fitting).max(FULL * 3 / 2).min(room);
    // A sentence of another language is told only where no article speaks the topic's, and in no English frame.
    let reader = topic::Reader::of(topic);
    let speaks = |draft: &&Draft| reader.reads(draft.language, draft.credit.is_english);
    let is_foreign = !drafts.iter().any(|draft| speaks(&draft));
    let has_own_frame = |draft: &Draft| !reader.is_english() || draft.language != Language::Spaced;
    let told_of = |draft: &&Draft| speaks(draft) || is_foreign && has_own_frame(draft);
    let items: Vec<(&Draft, Item)> =
        drafts.iter().filter(told_of).filter_map(|draft| Some((draft, draft.item(most)?))).collect();
    let (about, aside): (Vec<_>, Vec<_>) = items.into_iter().partition(|(draft, item)| {
        let whole = draft.document(articles);
        let has_heads = !draft.credit.is_paper || has_heads(topic, whole);
        has_heads && is_about(topic, (&draft.credit.title, &item.sentences), whole)
    });
    // A topic in another language than the articles is found in none of their sentences.
    let mut items = if about.is_empty() { aside } else { about };
    // What has to do with the topic by its title alone is told behind what says so itself.
    items.sort_by_key(|(draft, item)| !is_about(topic, ("", &item.sentences), draft.document(articles)));
    let (mut chosen, without): (Vec<_>, Vec<_>) = items.into_iter().partition(|(_, item)| item.has_result);
    // Articles of which only is told what they propose stand beside one other at most, unless there are no others.
    let others = if chosen.is_empty() { fitting } else { usize::from(chosen.len() == 1) };
    chosen.extend(without.into_iter().take(others));
    if chosen.is_empty() {
        chosen.extend(
            drafts.iter().filter(told_of).filter_map(|draft| Some((draft, draft.item_of_any(most)?))),
        );
    }
    for (draft, item) in chosen {
        if told.len() == fitting {
            break;
        }
        let shorter = |item: Item| match item.size() <= left {
            true => Some(item),
            false => draft.item(left).filter(|other| other.has_result || !item.has_result),
        };
        if let Some(item) = shorter(item) {
            left -= item.size();
            told.push((draft, item));
        }
    }
    loop {
        let mut goes_on = false;
        for (draft, item) in &mut told {
            let before = item.size();
            if draft.go_on(item, before + left) {
                left -= item.size() - before;
                goes_on = true;
            }
        }
        if !goes_on {
            break;
        }
    }
    told.iter_mut()
        .filter(|(draft, _)| draft.language == Language::Spaced)
        .for_each(|(_, item)| item.end_well());
    // The heading names the time of what is told, in no more words than that of all articles.
    let of_told = heading(topic, articles, &told.iter().map(|(draft, _)| *draft).collect::<Vec<_>>());
    let is_shorter = |heading: &String| of_all.as_ref().is_some_and(|all| size(heading) <= size(all));
    let heading = of_told.filter(|heading| !told.is_empty() && is_shorter(heading)).or(of_all.clone());
    let mut paragraphs: Vec<String> = heading.into_iter().collect();
    if told.is_empty() {
        let mut listed = Vec::new();
        for draft in &drafts {
            let bare = draft.bare(listed.is_empty());
            if let Some(rest) = left.checked_sub(size(&bare)) {
                left = rest;
                listed.push(bare);
            }
        }
        if listed.is_empty() {
            return String::new();
        }
        paragraphs.push(listed.join(" "));
    }
    for (draft, item) in &told {
        let separator = if draft.language == Language::Spaced { " " } else { "" };
        paragraphs.push(item.sentences.join(separator));
    }
    paragraphs.join("\n\n")
}

/// Whether an article is a scientific paper.
pub(crate) fn is_paper(article: &ArticleText<'_>) -> bool {
    Credit::of(article).is_paper
}

/// The places, among the sentences of an article, of those that a post tells of it: in `to_result` words up to what came of
/// it, and further ones while all have at most `max_words`. None where they tell nothing of what came of it.
pub(crate) fn told_places(
    topic: &str,
    article: &ArticleText<'_>,
    (to_result, max_words): (usize, usize),
) -> Option<Vec<usize>> {
    let draft = Draft::new(0, article, topic);
    let mut item = draft.item(to_result).filter(|item| item.has_result)?;
    while draft.go_on(&mut item, max_words) {}
    Some(draft.places(&item))
}

/// Share of a topic's words that an article's title and what is told of it must have more than.
const NEEDED_OF_TOPIC: f64 = 0.5;

/// Whether what is told of an article has to do with the topic.
fn is_about(topic: &str, (title, told): (&str, &[String]), whole: Document<'_>) -> bool {
    covered(topic, Document { title, body: &told.join(" ") }, whole) > NEEDED_OF_TOPIC
}

/// The topic with its time as a heading; a topic that was asked as a question stays one.
fn heading(topic: &str, articles: &[ArticleText<'_>], drafts: &[&Draft]) -> Option<String> {
    let sources: Vec<Source> = articles.iter().map(|article| Source::new(&article.whole())).collect();
    let sources: Vec<&Source> = sources.iter().collect();
    // A topic with a name or a figure that no article has may not be written as if they were about it.
    let bears = |phrase: &String| missing(&format!("about {phrase}"), &sources).is_empty();
    let texts: Vec<&str> = articles.iter().flat_map(|article| [article.title, article.text]).collect();
    let days: Vec<Option<Day>> = drafts.iter().map(|draft| draft.credit.day).collect();
    if let Some(question) = topic::question(topic).filter(bears) {
        return Some(format!("# {question}"));
    }
    // Of a long account of what somebody wants to know, the things that it names.
    let phrase = topic::phrase(topic)
        .or_else(|| topic::named(&named_in(topic)))
        .map(|phrase| topic::as_written(&phrase, &texts))
        .filter(bears);
    let is_dense = !drafts.is_empty() && drafts.iter().all(|draft| draft.language != Language::Spaced);
    if is_dense && !topic::Reader::of(topic).is_english() {
        return ideographic::heading(phrase.as_deref(), &days);
    }
    topic::heading(phrase.as_deref(), &days)
}

/// Words of a text, by the stricter of two counts: a reader's, and one by spaces.
fn size(text: &str) -> usize {
    count_words(text).max(text.split_whitespace().count())
}

#[cfg(test)]
mod tests;
