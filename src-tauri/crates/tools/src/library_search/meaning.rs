//! What the person's own articles mean, beside a query.

use std::collections::HashMap;
use std::sync::Arc;

use embedding::{Embedding, Missing, shared};
use engine::{LibraryArticle, LibraryIndex, OwnArticle};
use kernel::{Error, Phrase, phrase};
use prose::Document;

use crate::nearness::Nearness;
use crate::search::SearchRequest;

/// Articles of the person's own that are compared by meaning, the newest of a time.
const MOST_OWN: u32 = 2_000;
/// Of those, how many are read for the first time in one search: each takes some 20 ms.
const MOST_READ: usize = 200;

/// How likely articles answer a query by what they mean. Where the person added none there is nothing to compare, and the
/// files of the model are not even read.
#[derive(Default)]
pub(super) struct Meaning {
    nearness: Option<Nearness>,
    /// The person's own articles that have to do with what is asked for beside the field, each with its likelihood, the
    /// likeliest first.
    own: Vec<(LibraryArticle, f64)>,
    /// The likelihood of each of their articles.
    by_id: HashMap<String, f64>,
}

impl Meaning {
    /// Compares the articles of the request's time with a query; and a note where they cannot be compared.
    ///
    /// # Errors
    /// When the library cannot be read or written.
    pub(super) async fn of(
        query: &str,
        request: &SearchRequest,
        index: &Arc<dyn LibraryIndex>,
    ) -> Result<(Meaning, Option<Phrase>), Error> {
        let own = index.own(&request.from, &request.until, MOST_OWN).await?;
        if own.is_empty() {
            return Ok((Meaning::default(), None));
        }
        let query = query.to_owned();
        // Reading the model and the articles is computing, for which the runtime has threads of its own.
        let compared = tokio::task::spawn_blocking(move || compare(&query, own)).await;
        let reason = match compared {
            Ok(Ok((meaning, read))) => {
                if !read.is_empty() {
                    index.keep_embeddings(read).await?;
                }
                return Ok((meaning, None));
            }
            Ok(Err(missing)) => missing.to_string(),
            Err(error) => error.to_string(),
        };
        let note = phrase!("articles were compared by their words alone: {reason}", reason);
        Ok((Meaning::default(), Some(note)))
    }

    /// How many articles of the person's own there are.
    pub(super) fn count(&self) -> usize {
        self.by_id.len()
    }

    /// Whether an article has to do with what is asked for beside the field; true where nothing is known of it.
    pub(super) fn fits_field(&self, article: &LibraryArticle) -> bool {
        !self.by_id.contains_key(&article.id) || self.own.iter().any(|(own, _)| own.id == article.id)
    }

    /// Whether there is anything to compare.
    pub(super) fn is_known(&self) -> bool {
        self.nearness.is_some()
    }

    /// How likely an article answers; 1 where nothing is known of it.
    pub(super) fn likelihood(&self, article: &LibraryArticle) -> f64 {
        let Some(nearness) = &self.nearness else { return 1.0 };
        let known = self.by_id.get(&article.id).copied();
        known.unwrap_or_else(|| nearness.likelihood(&nearness.embedding(&article.title, &article.text)))
    }

    /// The person's own articles that answer so likely at least, the likeliest first.
    pub(super) fn near(&self, least: f64) -> impl Iterator<Item = &LibraryArticle> {
        self.own.iter().take_while(move |(_, likelihood)| *likelihood >= least).map(|(article, _)| article)
    }
}

/// Embeddings that were not kept yet, as bytes, by the id of their article.
type Read = Vec<(String, Vec<u8>)>;

/// The likelihood of each article, and what was read for it.
fn compare(query: &str, own: Vec<OwnArticle>) -> Result<(Meaning, Read), Missing> {
    let mut nearness = Nearness::to(query, shared()?);
    let mut read = Read::new();
    let mut known: Vec<(LibraryArticle, Embedding)> = Vec::new();
    for OwnArticle { article, embedding } in own {
        let kept = embedding.as_deref().and_then(Embedding::from_bytes);
        if kept.is_none() && read.len() >= MOST_READ {
            continue;
        }
        let embedding = kept.unwrap_or_else(|| {
            let embedding = nearness.embedding(&article.title, &article.text);
            read.push((article.id.clone(), embedding.to_bytes()));
            embedding
        });
        known.push((article, embedding));
    }
    nearness.compare(known.iter().map(|(_, embedding)| embedding));
    let (mut own, mut by_id) = (Vec::new(), HashMap::new());
    for (article, embedding) in known {
        let likelihood = nearness.likelihood(&embedding);
        by_id.insert(article.id.clone(), likelihood);
        let document = Document { title: &article.title, body: &article.text };
        if nearness.fits_field(document, &embedding) {
            own.push((article, likelihood));
        }
    }
    own.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    Ok((Meaning { nearness: Some(nearness), own, by_id }, read))
}
