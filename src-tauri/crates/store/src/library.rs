//! The user's library: importing and listing articles, finding candidates for a search.
//!
//! Not here: parsing files and feeds (`tools`), ranking candidates (`prose`).

use async_trait::async_trait;
use engine::{KeptEmbedding, LibraryArticle, LibraryIndex, LibraryWords, LogError, OwnArticle};
use kernel::{Error, Hash, phrase};

use crate::error::not_found;
use crate::job::Writing;
use crate::table::library::{self, ImportOutcome};
use crate::table::{library_embeddings, library_words, meta};
use crate::{ImportReport, LibraryPage, NewArticle, Store, words};

/// Articles per transaction: concurrent runs wait for no more than that.
const BATCH: usize = 32;
/// The name of the entry with the imported version of the sample.
const SAMPLE: &str = "library_sample";

impl Store {
    /// Imports articles, and recognizes known ones by id, address or content. `progress` is called with the number done
    /// after each batch; finished batches stay when a later one fails.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn import(
        &self,
        articles: Vec<NewArticle>,
        progress: impl Fn(u64) + Send + 'static,
    ) -> Result<ImportReport, LogError> {
        let mut report = ImportReport::default();
        let mut done = 0_u64;
        let mut rest = articles.into_iter();
        loop {
            let batch: Vec<NewArticle> = rest.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(report);
            }
            done += batch.len() as u64;
            let part = self.write(false, move |writing| take_all(writing, &batch, false)).await?;
            report.added += part.added;
            report.updated += part.updated;
            report.unchanged += part.unchanged;
            progress(done);
        }
    }

    /// Imports the sample once per `version`; articles of it that the user removed are skipped. When the version is
    /// already imported, `articles` is not iterated.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn ensure_sample<I>(&self, articles: I, version: u32) -> Result<(), LogError>
    where
        I: IntoIterator<Item = NewArticle> + Send + 'static,
    {
        let is_here =
            move |found: Option<String>| found.and_then(|found| found.parse().ok()) >= Some(version);
        if self.read(move |context| Ok(is_here(context.of(meta::get(context.connection, SAMPLE))?))).await? {
            return Ok(());
        }
        self.write(false, move |writing| {
            // Another process may have imported it meanwhile.
            let found = meta::get(writing.connection, SAMPLE).map_err(|error| writing.explain(&error))?;
            if is_here(found) {
                return Ok(());
            }
            let articles: Vec<NewArticle> = articles.into_iter().collect();
            take_all(writing, &articles, true)?;
            meta::set(writing.connection, SAMPLE, &version.to_string())
                .map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// Removes an article, and returns it in the form for a new import.
    ///
    /// # Errors
    /// `not_found` when there is no such article; else when it cannot be stored.
    pub async fn remove_article(&self, id: &str) -> Result<NewArticle, LogError> {
        let id = id.to_owned();
        self.write(false, move |writing| {
            let removed = library::whole(writing.connection, &id).map_err(|error| writing.explain(&error))?;
            let removed = removed.ok_or_else(|| no_article(&id))?;
            library::remove(writing.connection, &id).map_err(|error| writing.explain(&error))?;
            Ok(removed)
        })
        .await
    }

    /// A complete article.
    ///
    /// # Errors
    /// `not_found` when there is no such article; else when the database cannot be read.
    pub async fn article(&self, id: &str) -> Result<LibraryArticle, LogError> {
        let id = id.to_owned();
        self.read(move |context| {
            context.of(library::get(context.connection, &id))?.ok_or_else(|| no_article(&id))
        })
        .await
    }

    /// The newest articles; with a search those that contain all its words, the best first, with snippets.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn list_articles(&self, search: Option<&str>, limit: u32) -> Result<LibraryPage, LogError> {
        let search = search.map(str::trim).filter(|search| !search.is_empty()).map(str::to_owned);
        self.read(move |context| {
            let connection = context.connection;
            let Some(search) = search else {
                return Ok(LibraryPage {
                    total: context.of(library::count(connection))?,
                    entries: context.of(library::newest(connection, limit))?,
                });
            };
            let Some(question) = words::every(&search) else { return Ok(LibraryPage::default()) };
            Ok(LibraryPage {
                total: context.of(library_words::count(connection, &question))?,
                entries: context.of(library::best(connection, &question, &search, limit))?,
            })
        })
        .await
    }

    /// The latest date of an article, YYYY-MM-DD; `None` when none has a date.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn latest_day(&self) -> Result<Option<String>, LogError> {
        self.read(|context| context.of(library::latest_day(context.connection))).await
    }

    /// The number of articles.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn count_articles(&self) -> Result<u64, LogError> {
        self.read(|context| context.of(library::count(context.connection))).await
    }
}

fn take_all(
    writing: &Writing<'_>,
    articles: &[NewArticle],
    is_sample: bool,
) -> Result<ImportReport, LogError> {
    let mut report = ImportReport::default();
    for new in articles {
        if is_sample
            && library::was_removed(writing.connection, &new.article.id)
                .map_err(|error| writing.explain(&error))?
        {
            continue;
        }
        let hash = Hash::of(format!("{}\n{}", new.article.title, new.article.text).as_bytes());
        let taken = library::take(writing.connection, new, &hash, (is_sample, writing.now_ms))
            .map_err(|error| writing.explain(&error))?;
        match taken {
            ImportOutcome::Added => report.added += 1,
            ImportOutcome::Updated => report.updated += 1,
            ImportOutcome::Unchanged => report.unchanged += 1,
        }
    }
    Ok(report)
}

fn no_article(id: &str) -> LogError {
    not_found(phrase!("There is no article {id} in the library. List the library to see the ids.", id))
}

#[async_trait]
impl LibraryIndex for Store {
    async fn candidates(
        &self,
        query: &str,
        from: Option<&str>,
        until: Option<&str>,
        limit: u32,
    ) -> Result<Vec<LibraryArticle>, Error> {
        let Some(question) = words::any(query) else { return Ok(Vec::new()) };
        let (from, until) = (from.map(str::to_owned), until.map(str::to_owned));
        let found = self.read(move |context| {
            let days = (from.as_deref(), until.as_deref());
            context.of(library::candidates(context.connection, &question, days, limit))
        });
        Ok(found.await?)
    }

    async fn undated(&self, query: &str, limit: u32) -> Result<Vec<LibraryArticle>, Error> {
        let Some(question) = words::any(query) else { return Ok(Vec::new()) };
        let found =
            self.read(move |context| context.of(library::undated(context.connection, &question, limit)));
        Ok(found.await?)
    }

    async fn words(&self, words: &[String]) -> Result<LibraryWords, Error> {
        let asked = words.to_vec();
        let found = self.read(move |context| {
            let mut found = LibraryWords {
                articles: context.of(library::count(context.connection))?,
                ..LibraryWords::default()
            };
            for word in &asked {
                let count = |question: Option<String>| match question {
                    Some(question) => context.of(library_words::count(context.connection, &question)),
                    None => Ok(0),
                };
                let holding = count(words::any(word))?;
                let meant = match count(words::every(word))? {
                    0 => context.of(library::similar_word(context.connection, word))?,
                    _ => None,
                };
                found.holding.push(holding);
                found.meant.push(meant);
            }
            Ok(found)
        });
        Ok(found.await?)
    }

    async fn own(&self, days: (&str, &str), model: &str, limit: u32) -> Result<Vec<OwnArticle>, Error> {
        let (from, until, model) = (days.0.to_owned(), days.1.to_owned(), model.to_owned());
        let found = self.read(move |context| {
            context.of(library_embeddings::own(context.connection, (&from, &until), &model, limit))
        });
        Ok(found.await?)
    }

    async fn articles(&self, ids: &[String]) -> Result<Vec<LibraryArticle>, Error> {
        let ids = ids.to_vec();
        let found = self.read(move |context| {
            let get = |id: &String| context.of(library::get(context.connection, id)).transpose();
            ids.iter().filter_map(get).collect()
        });
        Ok(found.await?)
    }

    async fn keep_embeddings(&self, model: &str, embeddings: Vec<KeptEmbedding>) -> Result<(), Error> {
        let model = model.to_owned();
        let kept = self.write(false, move |writing| {
            embeddings.iter().try_for_each(|kept| {
                library_embeddings::keep(writing.connection, &model, kept)
                    .map_err(|error| writing.explain(&error))
            })
        });
        Ok(kept.await?)
    }
}
