//! The search source `library`: the articles the person imported, and the sample library.

mod meaning;

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use engine::{LibraryArticle, LibraryIndex, Tool, ToolContext, ToolDescription, ToolExample};
use kernel::{EffectClass, Error, Json, Phrase, ToolResult, form, phrase};
use prose::{
    Document, Frequencies, is_known_word, query_terms, rank_apart, rank_broad, rank_within, wider_query,
};
use serde_json::json;

use meaning::Meaning;

use crate::search::{Hit, Hits, SearchRequest, request_schema, title_of};
use crate::sources::{KeyNeed, SearchSource};

/// The search source `library`.
pub(crate) const SOURCE: SearchSource = SearchSource {
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

/// Candidates that the index offers and the ranking chooses from.
const CANDIDATES: u32 = 400;
/// Articles of the person's own, of a time, beside which what came with the program is out of place.
const OWN_LIBRARY: usize = 20;
/// Articles of the person's own that are enough for a text on a broad subject.
const ENOUGH_OF_BROAD: usize = 3;
/// How much of a broad subject a sample must tell.
const PLAINLY: f64 = 0.8;
/// How much of a topic an article must tell whose things stand apart in it.
const MOSTLY: f64 = 0.6;
/// How many articles are taken that are not plainly about a topic by its words.
const MOST_BESIDE: usize = 2;
/// How many articles that are near by meaning are looked at.
const MOST_NEAR: usize = 20;
/// One of so many hits may be a file of the person's own that has no day.
const UNDATED_SHARE: usize = 3;

/// From what score on an article is plainly about a topic by its words.
const PLAIN: f64 = 0.86;
/// How likely, by its meaning, an article must answer that is plainly about a topic by its words.
const PLAIN_BY_WORDS: f64 = 0.003;
/// The same of one that is less plainly about a topic.
const BY_WORDS: f64 = 0.08;
/// The same of one that has the words of a topic in different places.
const BY_WORDS_APART: f64 = 0.2;
/// The same of one that need not have the words of a topic.
const BY_MEANING: f64 = 0.8;
/// How likely an article must be a source on a broad subject: one that has words of it, and one by its meaning alone.
const SOURCE_BY_WORDS: f64 = 0.8;
const SOURCE_BY_MEANING: f64 = 0.88;

/// Searches the library.
pub struct LibrarySearch {
    index: Arc<dyn LibraryIndex>,
}

impl LibrarySearch {
    /// Over this index.
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
        // A word to which others are related is no slip of the pen, though no article has it.
        let unknown = terms.iter().zip(&words.meant).filter(|(term, _)| !is_known_word(term));
        let misspelt: Vec<(&String, String)> =
            unknown.filter_map(|(term, meant)| Some((term, meant.clone()?))).collect();
        let query = corrected(&request.query, &misspelt);
        let words = match misspelt.is_empty() {
            true => words,
            false => self.index.words(&query_terms(&query)).await?,
        };
        let looked_for = wider_query(&query);
        let found =
            self.index.candidates(&looked_for, Some(&request.from), Some(&request.until), CANDIDATES).await?;
        let undated = self.index.undated(&looked_for, CANDIDATES).await?;
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let frequencies = Frequencies {
            documents: count(words.articles),
            holding: words.holding.iter().copied().map(count).collect(),
        };
        let notes = misspelt
            .iter()
            .map(|(word, meant)| phrase!("no article has “{word}”; searched for “{meant}”", word, meant));
        let mut notes: Vec<Phrase> = notes.collect();
        let most = request.max_results as usize;
        let (samples, own): (Vec<_>, Vec<_>) = found.into_iter().partition(|article| article.is_sample);
        let by_words_found = own.iter().chain(&undated).map(|article| article.id.clone()).collect();
        let (meaning, note) = Meaning::of(&query, request, (&self.index, by_words_found)).await?;
        notes.extend(note);
        // What came with the program stands in where the few articles that a person has do not answer.
        let samples = if meaning.dated() >= OWN_LIBRARY { Vec::new() } else { samples };
        let found = Found { own, undated, samples };
        let (mut hits, undated) = match request.is_broad {
            true => self.sources_on(&query, found, &meaning).await?,
            false => self.answers_to(&query, found, (&frequencies, &meaning)).await?,
        };
        // A few places are kept for files without a day: behind all dated ones they would never have one.
        hits.truncate(most - undated.len().min(most / UNDATED_SHARE));
        let room = most - hits.len();
        hits.extend(undated.into_iter().take(room));
        let hits = hits.into_iter().map(hit_of).collect();
        Ok(Hits { hits, notes, are_chosen: meaning.is_known(), ..Hits::default() })
    }

    /// The articles that answer a topic, and those of them without a day.
    async fn answers_to(
        &self,
        query: &str,
        found: Found,
        (frequencies, meaning): (&Frequencies, &Meaning),
    ) -> Result<(Vec<LibraryArticle>, Vec<LibraryArticle>), Error> {
        let likely = |least: f64, ranked: Vec<(LibraryArticle, f64)>| -> Vec<LibraryArticle> {
            let is_likely = |(article, _): &(LibraryArticle, f64)| meaning.likelihood(article) >= least;
            ranked.into_iter().filter(is_likely).map(|(article, _)| article).collect()
        };
        let answering = |articles: &[LibraryArticle]| {
            let ranked = of_ranked(articles, |documents| rank_within(query, documents, frequencies));
            let (plain, others) = ranked.into_iter().partition(|(_, score)| *score >= PLAIN);
            let mut found = likely(PLAIN_BY_WORDS, plain);
            found.extend(likely(BY_WORDS, others).into_iter().filter(|article| meaning.fits_field(article)));
            found
        };
        let mut undated = answering(&found.undated);
        let mut hits = answering(&found.own);
        if hits.is_empty() {
            let is_new = |id: &&String| !undated.iter().any(|hit| hit.id == **id);
            let ids: Vec<String> = meaning.near(BY_MEANING).filter(is_new).take(MOST_NEAR).cloned().collect();
            let (dated, others) = self.dated_and_others(&ids).await?;
            hits.extend(dated.into_iter().take(MOST_BESIDE));
            undated.extend(others.into_iter().take(MOST_BESIDE));
        }
        // An article that tells each thing in other places than side by side is better than none.
        if hits.is_empty() {
            let mut apart = of_ranked(&found.own, |documents| rank_apart(query, documents));
            apart.retain(|(article, told)| *told >= MOSTLY && meaning.fits_field(article));
            hits = likely(BY_WORDS_APART, apart);
            hits.truncate(MOST_BESIDE);
        }
        if hits.is_empty() {
            hits = answering(&found.samples);
        }
        Ok((hits, undated))
    }

    /// The articles that are sources on a broad subject, and those of them without a day.
    async fn sources_on(
        &self,
        subject: &str,
        found: Found,
        meaning: &Meaning,
    ) -> Result<(Vec<LibraryArticle>, Vec<LibraryArticle>), Error> {
        let ranked =
            |articles: &[LibraryArticle]| of_ranked(articles, |documents| rank_broad(subject, documents));
        let with_words = [&found.own, &found.undated].into_iter().flat_map(|articles| ranked(articles));
        let with_words: HashMap<String, f64> = with_words.map(|(article, told)| (article.id, told)).collect();
        let ids: Vec<String> = meaning
            .sources(&with_words, (SOURCE_BY_WORDS, SOURCE_BY_MEANING))
            .into_iter()
            .take(MOST_NEAR)
            .collect();
        let (mut hits, undated) = self.dated_and_others(&ids).await?;
        if hits.len() + undated.len() < ENOUGH_OF_BROAD {
            // Beside a broad subject a sample has to be plainly about it.
            let plainly = ranked(&found.samples).into_iter().filter(|(_, told)| *told >= PLAINLY);
            hits.extend(plainly.map(|(article, _)| article));
        }
        Ok((hits, undated))
    }

    /// The articles of these ids in their order, those with a day and the others.
    async fn dated_and_others(
        &self,
        ids: &[String],
    ) -> Result<(Vec<LibraryArticle>, Vec<LibraryArticle>), Error> {
        let mut found = self.index.articles(ids).await?;
        found.sort_by_key(|article| ids.iter().position(|id| *id == article.id));
        Ok(found.into_iter().partition(|article| !article.published.is_empty()))
    }
}

/// What the index found by the words of a query.
struct Found {
    own: Vec<LibraryArticle>,
    undated: Vec<LibraryArticle>,
    samples: Vec<LibraryArticle>,
}

/// The articles that a ranking keeps, best first, each with its score.
fn of_ranked(
    found: &[LibraryArticle],
    rank: impl Fn(&[Document<'_>]) -> Vec<(usize, f64)>,
) -> Vec<(LibraryArticle, f64)> {
    let documents: Vec<Document<'_>> =
        found.iter().map(|article| Document { title: &article.title, body: &article.text }).collect();
    let kept = rank(&documents).into_iter();
    kept.filter_map(|(index, score)| Some((found.get(index)?.clone(), score))).collect()
}

fn hit_of(article: LibraryArticle) -> Hit {
    let LibraryArticle { title, url, source, published, text, .. } = article;
    Hit { title, url, source, published, text }
}

/// A query with words that no article has as the library spells them.
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
            class: EffectClass::Pure,
            schema: Json(request_schema()),
        }
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
        Ok(ToolResult { output: Json(serde_json::to_value(hits).unwrap_or_default()), summary })
    }
}

#[cfg(test)]
mod tests;
