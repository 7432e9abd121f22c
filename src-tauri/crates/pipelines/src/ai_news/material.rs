//! What a post is held against: the articles of a run, read and prepared once for all its checks.
//!
//! Summaries, drafts and edits are all held against the same articles. Preparing these costs more than everything else a
//! check does, so the last ones are kept. Forgetting is always right.

use std::sync::{Arc, Mutex, PoisonError};

use kernel::{Hash, State};
use prose::SourceTexts;

use super::checks::read;
use super::keys::{Article, FoundText, SEARCH_HITS, SEARCH_RESULTS, SearchHits, SearchResults};

/// The articles of a run.
pub(crate) struct Material {
    pub(crate) articles: Vec<Article>,
    /// First and last day of the window of recency; `None` when no search told it.
    pub(crate) window: Option<(String, String)>,
    /// What each article states, by its place.
    pub(crate) sources: Vec<SourceTexts>,
}

type Key = (Option<Hash>, Option<Hash>);

/// Of as many runs as are likely to be worked on at once.
static MATERIALS: Latest<Key, Arc<Material>> = Latest::new(16);
static HITS: Latest<String, SourceTexts> = Latest::new(80);

impl Material {
    /// The articles that this state tells of.
    pub(crate) fn of(state: &State) -> Arc<Material> {
        let hash = |key: &str| state.get(key).map(kernel::Value::hash);
        let key = (hash(SEARCH_RESULTS.name), hash(SEARCH_HITS.name));
        MATERIALS.get_or_make(&key, || {
            let results: Option<SearchResults> = read(state, SEARCH_RESULTS.name);
            let hits: Option<SearchHits> = read(state, SEARCH_HITS.name);
            Arc::new(Material::new(results.map(|results| results.articles).unwrap_or_default(), hits))
        })
    }

    pub(crate) fn new(articles: Vec<Article>, hits: Option<SearchHits>) -> Material {
        let found = hits.as_ref().map(|hits| hits.hits.as_slice()).unwrap_or_default();
        let sources = articles.iter().map(|article| of_article(article, found)).collect();
        Material { articles, window: hits.map(|hits| (hits.from, hits.until)), sources }
    }
}

/// An article as it stands in the state, and the hit that it was made of.
fn of_article(article: &Article, found: &[FoundText]) -> SourceTexts {
    let own = format!("{}\n{}\n{}\n{}", article.title, article.source, article.published, article.summary);
    let hit = found.iter().find(|hit| hit.url == article.url && hit.title == article.title);
    SourceTexts::joined(&[SourceTexts::new(&[&own]), hit.map(of_hit).unwrap_or_default()])
}

/// A hit as a source: everything a writer is given of it. Prepared once while it is remembered.
fn of_hit(hit: &FoundText) -> SourceTexts {
    let text = format!("{}\n{}\n{}\n{}", hit.title, hit.source, hit.published, hit.text);
    HITS.get_or_make(&text, || SourceTexts::new(&[&text]))
}

/// What was prepared last, latest first.
struct Latest<K, T> {
    kept: usize,
    things: Mutex<Vec<(K, T)>>,
}

impl<K: PartialEq + Clone, T: Clone> Latest<K, T> {
    const fn new(kept: usize) -> Self {
        Latest { kept, things: Mutex::new(Vec::new()) }
    }

    fn get_or_make(&self, key: &K, make: impl FnOnce() -> T) -> T {
        if let Some(known) = self.get(key) {
            return known;
        }
        // Made outside the lock: two that make the same at once lose nothing but time.
        let thing = make();
        let mut things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
        things.truncate(self.kept - 1);
        things.insert(0, (key.clone(), thing.clone()));
        thing
    }

    fn get(&self, key: &K) -> Option<T> {
        let mut things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
        let place = things.iter().position(|(known, _)| known == key)?;
        things[..=place].rotate_right(1);
        things.first().map(|(_, thing)| thing.clone())
    }
}
