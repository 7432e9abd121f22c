//! Compares the user's own articles with a query by meaning.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use embedding::{Embedding, Unavailable, shared};
use engine::{KeptEmbedding, LibraryArticle, LibraryIndex, OwnArticle};
use extractive::Document;
use kernel::{Error, Phrase, form, phrase};

use crate::nearness::{MODEL, Nearness};
use crate::search::SearchRequest;

/// The most articles of the user that are compared by meaning, the newest of the requested period.
const MOST_OWN: u32 = 2_000;
/// The most of them that are embedded for the first time in one search: each takes about 20 ms.
const MOST_EMBEDDED: usize = 200;

/// How likely the user's own articles answer a query by their meaning. Without own articles nothing is compared, and
/// the model files are not read.
#[derive(Default)]
pub(super) struct Meaning {
    /// The number of own articles dated in the requested period.
    dated: usize,
    /// The comparison of each article, by its id.
    compared: HashMap<String, Comparison>,
    /// Ids of the articles that fit what the query asks for besides its field, the likeliest first.
    near: Vec<(String, f64)>,
}

/// The comparison of one article.
struct Comparison {
    likelihood: f64,
    fits_field: bool,
}

impl Meaning {
    /// Compares the articles of the requested period with a query, those found by their words first; with a note when
    /// they cannot be compared.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub(super) async fn of(
        query: &str,
        request: &SearchRequest,
        (index, found): (&Arc<dyn LibraryIndex>, HashSet<String>),
    ) -> Result<(Meaning, Option<Phrase>), Error> {
        let mut own = index.own((&request.from, &request.until), MODEL, MOST_OWN).await?;
        let dated = own.iter().filter(|article| article.is_dated).count();
        if own.is_empty() {
            return Ok((Meaning::default(), None));
        }
        own.sort_by_key(|article| !found.contains(&article.id));
        let query = query.to_owned();
        // Embedding is CPU work, so it runs on the blocking threads of the runtime.
        let compared = tokio::task::spawn_blocking(move || compare(&query, own)).await;
        let note = match compared {
            Ok(Ok((meaning, read))) => {
                // Storing embeddings only saves work: what cannot be stored is computed again by the next search.
                if !read.is_empty() {
                    drop(index.keep_embeddings(MODEL, read).await);
                }
                return Ok((Meaning { dated, ..meaning }, None));
            }
            Ok(Err(reason)) => {
                tracing::warn!(%reason, "articles are compared by their words alone");
                without_meaning(reason)
            }
            Err(error) => {
                tracing::error!(%error, "comparing articles by their meaning broke down");
                form!("articles were compared by their words alone: comparing their meaning broke down; please report it")
                    .into()
            }
        };
        Ok((Meaning { dated, ..Meaning::default() }, Some(note)))
    }

    /// The number of own articles dated in the requested period.
    pub(super) fn dated(&self) -> usize {
        self.dated
    }

    /// The likelihood that an article answers; 1 when it was not compared.
    pub(super) fn likelihood(&self, article: &LibraryArticle) -> f64 {
        self.compared.get(&article.id).map_or(1.0, |compared| compared.likelihood)
    }

    /// Whether an article fits what the query asks for besides its field; true when it was not compared.
    pub(super) fn fits_field(&self, article: &LibraryArticle) -> bool {
        self.compared.get(&article.id).is_none_or(|compared| compared.fits_field)
    }

    /// Ids of the articles with at least this likelihood, the likeliest first.
    pub(super) fn near(&self, least: f64) -> impl Iterator<Item = &String> {
        self.near.iter().take_while(move |(_, likelihood)| *likelihood >= least).map(|(id, _)| id)
    }
}

/// The note for a search without the model.
fn without_meaning(reason: Unavailable) -> Phrase {
    match reason {
        Unavailable::NotThere => form!(
            "articles were compared by their words alone: the files of the language model are not beside the program; install Galley again"
        )
        .into(),
        Unavailable::Damaged { file, .. } => phrase!(
            "articles were compared by their words alone: `{file}` of the language model is damaged; install Galley again",
            file
        ),
    }
}

/// The likelihood of each article, and the embeddings that are not stored yet.
fn compare(query: &str, own: Vec<OwnArticle>) -> Result<(Meaning, Vec<KeptEmbedding>), Unavailable> {
    let mut nearness = Nearness::to(query, shared()?);
    let mut read = Vec::new();
    let mut known: Vec<(OwnArticle, Embedding)> = Vec::new();
    for article in own {
        let kept = article.embedding.as_deref().and_then(Embedding::from_bytes);
        if kept.is_none() && read.len() < MOST_EMBEDDED {
            let bytes = nearness.embedding(&article.title, &article.beginning).to_bytes();
            // Uses the stored precision, so that the next search gives the same result.
            known.extend(Embedding::from_bytes(&bytes).map(|embedding| (article.clone(), embedding)));
            read.push(KeptEmbedding { id: article.id, hash: article.hash, bytes });
        } else {
            known.extend(kept.map(|embedding| (article, embedding)));
        }
    }
    nearness.compare(known.iter().map(|(_, embedding)| embedding));
    let mut meaning = Meaning::default();
    for (article, embedding) in known {
        let likelihood = nearness.likelihood(&embedding);
        let document = Document { title: &article.title, body: &article.beginning };
        let fits_field = nearness.fits_field(document, &embedding);
        if fits_field {
            meaning.near.push((article.id.clone(), likelihood));
        }
        meaning.compared.insert(article.id, Comparison { likelihood, fits_field });
    }
    meaning.near.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    Ok((meaning, read))
}
