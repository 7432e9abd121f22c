//! The search source `library`: the user's imported articles and the sample library.

mod long_texts;
mod meaning;

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Access, LibraryArticle, LibraryIndex, Tool, ToolContext, ToolDescription, ToolExample};
use extractive::{Document, Frequencies, is_known_word, query_terms, rank_apart, rank_within, wider_query};
use kernel::{Error, Json, Phrase, ToolResult, form, phrase};
use serde_json::json;

use long_texts::relevant_parts;
use meaning::Meaning;

use crate::offered_tool::{KeyNeed, OfferedTool};
use crate::sample_terms;
use crate::search::{Hit, Hits, SEARCH, SearchRequest, hits_schema, request_schema, title_of};

/// The search source `library`.
pub(crate) const SOURCE: OfferedTool = OfferedTool {
    id: "library",
    tool: LIBRARY_SEARCH,
    title: "Library",
    purpose: form!(
        "The articles on this machine: what you imported, and the sample library. Needs no network."
    ),
    key: KeyNeed::None,
    key_page: "",
    services: &[],
    collection: Some(form!("the library")),
    chooses_itself: false,
    make: |parts| Arc::new(LibrarySearch::new(parts.index.clone())),
};

/// The tool's name.
pub const LIBRARY_SEARCH: &str = "library_search";

/// The most candidates that the index returns for ranking.
const CANDIDATES: u32 = 400;
/// With this many own articles in the requested period the sample library is not used.
const LARGE_OWN_LIBRARY: usize = 20;
/// This many articles are enough for a text on a broad subject.
const ENOUGH_FOR_BROAD: usize = 3;
/// The share of a topic that an article must cover when the topic's words are spread over the article.
const LEAST_COVERAGE: f64 = 0.6;
/// The most articles taken whose words do not clearly match a topic.
const MOST_UNCLEAR: usize = 2;
/// The most articles near by meaning that are considered.
const MOST_NEAR: usize = 20;
/// At most one hit in this many is an own file without a date.
const UNDATED_SHARE: usize = 3;

/// The score from which the words of an article clearly match a topic.
const CLEAR_SCORE: f64 = 0.86;
/// The least likelihood by meaning for an article whose words clearly match.
const LIKELY_IF_CLEAR: f64 = 0.003;
/// The least likelihood by meaning for an article whose words match less clearly.
const LIKELY_BY_WORDS: f64 = 0.08;
/// The least likelihood by meaning for an article in which the topic's words are spread.
const LIKELY_IF_SPREAD: f64 = 0.2;
/// The least likelihood by meaning for an article without the topic's words.
const LIKELY_BY_MEANING: f64 = 0.8;

/// Searches the library.
pub struct LibrarySearch {
    index: Arc<dyn LibraryIndex>,
}

impl LibrarySearch {
    /// Creates the source over this index.
    pub fn new(index: Arc<dyn LibraryIndex>) -> LibrarySearch {
        LibrarySearch { index }
    }

    /// The articles of the library that answer the request, best first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub(crate) async fn search(&self, request: &SearchRequest) -> Result<Hits, Error> {
        let terms = query_terms(&request.query);
        let words = self.index.words(&terms).await?;
        // A word with known related terms is not corrected, even if no article contains it.
        let unknown = terms.iter().zip(&words.meant).filter(|(term, _)| !is_known_word(term));
        let misspelt: Vec<(&String, String)> =
            unknown.filter_map(|(term, meant)| Some((term, meant.clone()?))).collect();
        let query = corrected(&request.query, &misspelt);
        let notes = misspelt
            .iter()
            .map(|(word, meant)| phrase!("no article has “{word}”; searched for “{meant}”", word, meant));
        let mut notes: Vec<Phrase> = notes.collect();
        let mut topics = vec![self.topic(&query).await?];
        for thing in things(&query).into_iter().filter(|_| request.is_broad) {
            topics.push(self.topic(thing).await?);
        }
        let found = self.found(&query, request).await?;
        let by_words_found = found.own.iter().chain(&found.undated).map(|article| article.id.clone());
        let (meaning, note) = Meaning::of(&query, request, (&self.index, by_words_found.collect())).await?;
        notes.extend(note);
        let enough = if request.is_broad { ENOUGH_FOR_BROAD } else { 1 };
        let (mut hits, undated) = self.own_answers(&topics, &found, &meaning, enough).await?;
        // News need a date; a text on a broad subject may rest on files without one.
        let n_answers = hits.len() + if request.is_broad { undated.len() } else { 0 };
        // The sample library fills in when the user has few articles and they do not answer.
        if n_answers < enough && meaning.dated() < LARGE_OWN_LIBRARY {
            let (samples, note) = self.sample_answers(&topics, &found, request).await?;
            hits.extend(samples);
            notes.extend(note);
        }
        // A few places are reserved for files without a date, which are ranked below all dated ones.
        let most = request.max_results as usize;
        hits.truncate(most - undated.len().min(most / UNDATED_SHARE));
        let room = most - hits.len();
        hits.extend(undated.into_iter().take(room));
        let hits = hits.into_iter().map(|article| hit_of(article, &request.query)).collect();
        Ok(Hits { hits, notes, are_chosen: true, ..Hits::default() })
    }

    async fn topic(&self, text: &str) -> Result<Topic, Error> {
        let words = self.index.words(&query_terms(text)).await?;
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let holding = words.holding.into_iter().map(count).collect();
        let frequencies = Frequencies { documents: count(words.articles), holding };
        Ok(Topic { text: text.to_owned(), frequencies })
    }

    /// The articles that contain words of a query.
    async fn found(&self, query: &str, request: &SearchRequest) -> Result<IndexMatches, Error> {
        let looked_for = wider_query(query);
        let (from, until) = (Some(request.from.as_str()), Some(request.until.as_str()));
        let found = self.index.candidates(&looked_for, from, until, CANDIDATES).await?;
        let undated = self.index.undated(&looked_for, CANDIDATES).await?;
        let (samples, own) = found.into_iter().partition(|article| article.is_sample);
        Ok(IndexMatches { own, undated, samples })
    }

    /// The own articles that answer a topic, split into those with and without a date.
    async fn own_answers(
        &self,
        topics: &[Topic],
        found: &IndexMatches,
        meaning: &Meaning,
        enough: usize,
    ) -> Result<(Vec<LibraryArticle>, Vec<LibraryArticle>), Error> {
        let likely = |(article, score): &(LibraryArticle, f64)| {
            let is_plain = *score >= CLEAR_SCORE;
            let least = if is_plain { LIKELY_IF_CLEAR } else { LIKELY_BY_WORDS };
            meaning.likelihood(article) >= least && (is_plain || meaning.fits_field(article))
        };
        let mut undated = answering(topics, &found.undated, likely);
        let mut hits = answering(topics, &found.own, likely);
        if hits.len() < enough {
            let is_new = |id: &&String| !hits.iter().chain(&undated).any(|hit| hit.id == **id);
            let ids: Vec<String> =
                meaning.near(LIKELY_BY_MEANING).filter(is_new).take(MOST_NEAR).cloned().collect();
            let (dated, others) = self.dated_and_others(&ids).await?;
            hits.extend(dated.into_iter().take(MOST_UNCLEAR));
            undated.extend(others.into_iter().take(MOST_UNCLEAR));
        }
        // An article that mentions all words of the topic, but spread over the text, is better than none.
        if let (true, Some(topic)) = (hits.is_empty(), topics.first()) {
            let apart = of_ranked(&found.own, |documents| rank_apart(&topic.text, documents)).into_iter();
            let is_likely = |(article, share): &(LibraryArticle, f64)| {
                *share >= LEAST_COVERAGE
                    && meaning.fits_field(article)
                    && meaning.likelihood(article) >= LIKELY_IF_SPREAD
            };
            hits = apart.filter(is_likely).map(|(article, _)| article).take(MOST_UNCLEAR).collect();
        }
        Ok((hits, undated))
    }

    /// The articles of the sample library that match a topic's words; otherwise those that match the library's own name
    /// for it, with a note.
    async fn sample_answers(
        &self,
        topics: &[Topic],
        found: &IndexMatches,
        request: &SearchRequest,
    ) -> Result<(Vec<LibraryArticle>, Option<Phrase>), Error> {
        let hits = answering(topics, &found.samples, |_| true);
        let Some(Topic { text, .. }) = topics.first().filter(|_| hits.is_empty()) else {
            return Ok((hits, None));
        };
        for term in names_of(text).await {
            let found = self.found(&term, request).await?;
            let hits = answering(&[self.topic(&term).await?], &found.samples, |_| true);
            if !hits.is_empty() {
                let note =
                    phrase!("no article has “{word}”; searched for “{meant}”", word = text, meant = term);
                return Ok((hits, Some(note)));
            }
        }
        Ok((Vec::new(), None))
    }

    /// The articles with these ids in their order, split into those with and without a date.
    async fn dated_and_others(
        &self,
        ids: &[String],
    ) -> Result<(Vec<LibraryArticle>, Vec<LibraryArticle>), Error> {
        let mut found = self.index.articles(ids).await?;
        found.sort_by_key(|article| ids.iter().position(|id| *id == article.id));
        Ok(found.into_iter().partition(|article| !article.published.is_empty()))
    }
}

/// A search target: the whole subject, or one of the things it lists.
struct Topic {
    text: String,
    frequencies: Frequencies,
}

/// What the index returned for the words of a query.
struct IndexMatches {
    own: Vec<LibraryArticle>,
    undated: Vec<LibraryArticle>,
    samples: Vec<LibraryArticle>,
}

/// The articles whose words answer a subject, then those that clearly answer one of its listed things; each once.
fn answering(
    topics: &[Topic],
    articles: &[LibraryArticle],
    fits: impl Fn(&(LibraryArticle, f64)) -> bool,
) -> Vec<LibraryArticle> {
    let mut kept: Vec<LibraryArticle> = Vec::new();
    for (place, Topic { text, frequencies }) in topics.iter().enumerate() {
        let ranked = of_ranked(articles, |documents| rank_within(text, documents, frequencies));
        for (article, score) in ranked {
            let is_new = kept.iter().all(|known| known.id != article.id);
            let found = (article, score);
            if is_new && (place == 0 || score >= CLEAR_SCORE) && fits(&found) {
                kept.push(found.0);
            }
        }
    }
    kept
}

/// The things that a subject lists, as in "nature, farming and natural hazards"; empty when it lists none.
fn things(subject: &str) -> Vec<&str> {
    let apart = subject
        .split([':', ';', ',', '、', '，', '：', '和', '与', 'と'])
        .flat_map(|part| part.split(" and "));
    let things: Vec<&str> = apart.map(str::trim).filter(|thing| thing.chars().count() > 2).collect();
    if things.len() > 1 { things } else { Vec::new() }
}

/// The sample library's names for a topic, the likeliest first; empty without the model files.
async fn names_of(topic: &str) -> Vec<String> {
    let topic = topic.to_owned();
    // Reading the model is CPU work, so it runs on the blocking threads of the runtime.
    let names = tokio::task::spawn_blocking(move || {
        let encoder = embedding::shared().ok()?;
        Some(sample_terms::terms_for(&topic, &encoder))
    });
    names.await.ok().flatten().unwrap_or_default()
}

/// The articles that the ranking keeps, best first, each with its score.
fn of_ranked(
    found: &[LibraryArticle],
    rank: impl Fn(&[Document<'_>]) -> Vec<(usize, f64)>,
) -> Vec<(LibraryArticle, f64)> {
    let documents: Vec<Document<'_>> =
        found.iter().map(|article| Document { title: &article.title, body: &article.text }).collect();
    let kept = rank(&documents).into_iter();
    kept.filter_map(|(index, score)| Some((found.get(index)?.clone(), score))).collect()
}

fn hit_of(article: LibraryArticle, query: &str) -> Hit {
    let LibraryArticle { title, url, source, published, text, .. } = article;
    Hit { title, url, source, published, text: relevant_parts(text, query) }
}

/// A query in which words that no article contains are replaced by the library's spelling.
fn corrected(query: &str, misspelt: &[(&String, String)]) -> String {
    let as_meant = |word: &str| -> String {
        let core = word.trim_matches(|character: char| !character.is_alphanumeric());
        let meant = misspelt.iter().find(|(written, _)| core.to_lowercase() == **written);
        meant.map_or_else(|| word.to_owned(), |(_, meant)| word.replace(core, meant))
    };
    query.split_whitespace().map(as_meant).collect::<Vec<_>>().join(" ")
}

#[async_trait]
impl Tool for LibrarySearch {
    fn describe(&self) -> ToolDescription {
        ToolDescription {
            name: LIBRARY_SEARCH.into(),
            description: "Searches the person's own library and returns the articles that answer a topic."
                .into(),
            input: Json(request_schema()),
            output: Json(hits_schema()),
        }
    }

    fn slots(&self) -> Vec<String> {
        vec![SEARCH.to_owned()]
    }

    fn access(&self, _: &serde_json::Value) -> Access {
        Access::looks_at_own()
    }

    fn title(&self, input: &serde_json::Value) -> Phrase {
        title_of(form!("the library"), input)
    }

    fn examples(&self) -> Vec<ToolExample> {
        vec![ToolExample {
            title: "articles of June on a topic",
            input: json!({
                "query": "retrieval-augmented generation", "from": "2026-06-01", "until": "2026-07-01", "max_results": 3
            }),
            output_contains: "https://arxiv.org/abs/",
        }]
    }

    async fn call(&self, input: &serde_json::Value, _: &ToolContext) -> Result<ToolResult, Error> {
        let request = SearchRequest::read(LIBRARY_SEARCH, input)?;
        let hits = self.search(&request).await?;
        let summary = hits.summary();
        Ok(ToolResult {
            output: Json(serde_json::to_value(hits).unwrap_or_default()),
            summary,
            files: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests;
