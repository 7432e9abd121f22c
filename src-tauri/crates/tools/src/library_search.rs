//! The search source `library`: the articles the person imported, and the sample library.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{LibraryArticle, LibraryIndex, Tool, ToolContext, ToolDescription, ToolExample};
use kernel::{EffectClass, Error, Json, Phrase, ToolResult, form, phrase};
use prose::{
    Document, Frequencies, is_known_word, query_terms, rank_apart, rank_broad, rank_within, wider_query,
};
use serde_json::json;

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
/// Articles of the person's own that are enough for a text on a broad subject.
const ENOUGH_OF_BROAD: usize = 3;
/// How much of a broad subject a sample must tell.
const PLAINLY: f64 = 0.8;
/// How much of a topic an article must tell whose things stand apart in it, and how many such articles are taken.
const MOSTLY: f64 = 0.6;
const MOST_APART: usize = 2;
/// One of so many hits may be a file of the person's own that has no day.
const UNDATED_SHARE: usize = 3;

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
        let notes: Vec<Phrase> = notes.collect();
        let most = request.max_results as usize;
        let ranked = |found: &[LibraryArticle]| {
            of_ranked(found, |documents| match request.is_broad {
                true => rank_broad(&query, documents),
                false => rank_within(&query, documents, &frequencies),
            })
        };
        let undated = ranked(&undated);
        // What came with the program stands in where the person's own articles do not answer.
        let (samples, found): (Vec<_>, Vec<_>) = found.into_iter().partition(|article| article.is_sample);
        let mut hits = ranked(&found);
        // Of the person's own, an article that tells each thing in other places than side by side is better than none.
        if hits.is_empty() && !request.is_broad {
            hits = of_ranked(&found, |documents| at_least(MOSTLY, rank_apart(&query, documents)));
            hits.truncate(MOST_APART);
        }
        let enough = if request.is_broad { ENOUGH_OF_BROAD } else { 1 };
        if hits.len() < enough {
            hits.extend(match request.is_broad {
                // Beside a broad subject a sample has to be plainly about it.
                true => of_ranked(&samples, |documents| at_least(PLAINLY, rank_broad(&query, documents))),
                false => ranked(&samples),
            });
        }
        // A few places are kept for files without a day: behind all dated ones they would never have one.
        hits.truncate(most - undated.len().min(most / UNDATED_SHARE));
        let room = most - hits.len();
        hits.extend(undated.into_iter().take(room));
        Ok(Hits { hits, notes, ..Hits::default() })
    }
}

/// The articles that a ranking keeps, best first.
fn of_ranked(found: &[LibraryArticle], rank: impl Fn(&[Document<'_>]) -> Vec<(usize, f64)>) -> Vec<Hit> {
    let documents: Vec<Document<'_>> =
        found.iter().map(|article| Document { title: &article.title, body: &article.text }).collect();
    rank(&documents)
        .into_iter()
        .filter_map(|(index, _)| found.get(index))
        .map(|article| Hit {
            title: article.title.clone(),
            url: article.url.clone(),
            source: article.source.clone(),
            published: article.published.clone(),
            text: article.text.clone(),
        })
        .collect()
}

/// The ranked articles that score at least so much.
fn at_least(least: f64, mut ranked: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    ranked.retain(|(_, told)| *told >= least);
    ranked
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
mod tests {
    use super::*;
    use engine::LibraryWords;

    /// A library whose index answers with every article that has a word of the question.
    struct Shelf(Vec<LibraryArticle>);

    #[async_trait]
    impl LibraryIndex for Shelf {
        async fn candidates(
            &self,
            query: &str,
            _: Option<&str>,
            _: Option<&str>,
            _: u32,
        ) -> Result<Vec<LibraryArticle>, Error> {
            let has = |article: &&LibraryArticle| {
                let text = format!("{} {}", article.title, article.text).to_lowercase();
                query.to_lowercase().split(' ').any(|word| text.contains(word))
            };
            Ok(self.0.iter().filter(|article| !article.published.is_empty()).filter(has).cloned().collect())
        }

        async fn undated(&self, query: &str, _: u32) -> Result<Vec<LibraryArticle>, Error> {
            let is_about = |article: &&LibraryArticle| {
                query.to_lowercase().split(' ').any(|word| article.text.to_lowercase().contains(word))
            };
            Ok(self
                .0
                .iter()
                .filter(|article| article.published.is_empty())
                .filter(is_about)
                .cloned()
                .collect())
        }

        async fn words(&self, words: &[String]) -> Result<LibraryWords, Error> {
            let holding = |word: &String| {
                self.0.iter().filter(|article| article.text.to_lowercase().contains(word)).count() as u64
            };
            let meant = |word: &String| match word.as_str() {
                "ferryes" => Some("ferries".to_owned()),
                "defamation" => Some("deformation".to_owned()),
                _ => None,
            };
            Ok(LibraryWords {
                articles: self.0.len() as u64,
                holding: words.iter().map(holding).collect(),
                meant: words.iter().map(meant).collect(),
            })
        }
    }

    #[tokio::test]
    async fn a_misspelt_word_is_searched_as_the_library_spells_it_and_that_is_said() {
        let article = |title: &str, text: &str| LibraryArticle {
            id: title.to_owned(),
            title: title.to_owned(),
            url: String::new(),
            source: "a file".to_owned(),
            published: "2026-06-02".to_owned(),
            text: text.to_owned(),
            is_sample: false,
        };
        let shelf = vec![
            article("Electric ferries", "Electric ferries are quiet."),
            article("Electric buses", "Electric buses are quiet."),
        ];
        let search = LibrarySearch::new(Arc::new(Shelf(shelf)));
        let request = SearchRequest {
            query: "Electric ferryes?".to_owned(),
            from: "2026-06-01".to_owned(),
            until: "2026-07-01".to_owned(),
            max_results: 5,
            is_broad: false,
        };
        let found = search.search(&request).await.unwrap();
        let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
        assert_eq!(titles, ["Electric ferries"]);
        let notes: Vec<String> = found.notes.iter().map(Phrase::english).collect();
        assert_eq!(notes, ["no article has “ferryes”; searched for “ferries”"]);
    }

    #[tokio::test]
    async fn a_word_that_no_article_has_is_not_corrected_where_related_words_are_known() {
        let article = LibraryArticle {
            id: "1".to_owned(),
            title: "Councillor sues over libel by a chatbot".to_owned(),
            url: String::new(),
            source: "a file".to_owned(),
            published: "2026-06-02".to_owned(),
            text: "The court heard the libel case against the chatbot. Libel is costly.".to_owned(),
            is_sample: false,
        };
        let search = LibrarySearch::new(Arc::new(Shelf(vec![article])));
        let request = SearchRequest {
            query: "defamation".to_owned(),
            from: "2026-06-01".to_owned(),
            until: "2026-07-01".to_owned(),
            max_results: 5,
            is_broad: false,
        };
        let found = search.search(&request).await.unwrap();
        assert_eq!(found.hits.len(), 1);
        assert!(found.notes.is_empty());
    }

    #[tokio::test]
    async fn what_came_with_the_program_is_found_where_nothing_of_the_persons_own_answers() {
        let article = |title: &str, is_sample: bool| LibraryArticle {
            id: title.to_owned(),
            title: title.to_owned(),
            url: String::new(),
            source: "a file".to_owned(),
            published: "2026-06-02".to_owned(),
            text: format!("{title} are quiet. {title} cost less."),
            is_sample,
        };
        let shelf =
            [("Electric ferries", true), ("Electric ferries at night", false), ("Sailing boats", true)];
        let shelf = shelf.map(|(title, is_sample)| article(title, is_sample));
        let search = LibrarySearch::new(Arc::new(Shelf(shelf.to_vec())));
        let request = |query: &str| SearchRequest {
            query: query.to_owned(),
            from: "2026-06-01".to_owned(),
            until: "2026-07-01".to_owned(),
            max_results: 5,
            is_broad: false,
        };
        for (query, expected) in
            [("electric ferries", "Electric ferries at night"), ("sailing boats", "Sailing boats")]
        {
            let found = search.search(&request(query)).await.unwrap();
            let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
            assert_eq!(titles, [expected]);
        }
    }

    #[tokio::test]
    async fn files_without_a_day_stand_behind_all_that_have_one_and_keep_a_third_of_the_places() {
        let article = |number: usize, published: &str| LibraryArticle {
            id: number.to_string(),
            title: format!("Electric ferries {number}"),
            url: String::new(),
            source: "a file".to_owned(),
            published: published.to_owned(),
            text: "Electric ferries are quiet.".to_owned(),
            is_sample: false,
        };
        let shelf = |dated: usize, undated: usize| {
            let dated = (0..dated).map(|number| article(number, "2026-06-02"));
            let undated = (0..undated).map(|number| article(100 + number, ""));
            LibrarySearch::new(Arc::new(Shelf(undated.chain(dated).collect())))
        };
        let request = SearchRequest {
            query: "Electric ferries".to_owned(),
            from: "2026-06-01".to_owned(),
            until: "2026-07-01".to_owned(),
            max_results: 6,
            is_broad: false,
        };
        for (dated, undated, expected) in
            [(9, 4, "ddddu u"), (9, 1, "dddddu"), (2, 9, "dduuuu"), (9, 0, "dddddd"), (0, 1, "u")]
        {
            let found = shelf(dated, undated).search(&request).await.unwrap();
            let kinds: String =
                found.hits.iter().map(|hit| if hit.published.is_empty() { 'u' } else { 'd' }).collect();
            assert_eq!(kinds, expected.replace(' ', ""), "{dated} dated, {undated} undated");
        }
    }
}
