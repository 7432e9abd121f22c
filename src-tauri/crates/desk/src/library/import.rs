//! The person's library: imports files; lists, removes and restores articles.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};

use kernel::{Code, Phrase, phrase};
use store::{ImportReport, NewArticle};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tools::readers::{Document, Progress, document_text, read_path};

use crate::api::{
    DocumentText, ImportLibrary, Imported, LibraryCard, LibraryEntry, LibraryPage, ListLibrary, Named,
    Nothing, ReadDocument, WatchItem,
};
use crate::library::LibraryService;
use crate::{ApiError, interrupted};

/// Most removed articles that can be restored.
const REMEMBERED: usize = 50;
/// Most files that are read ahead of storing their articles.
const AHEAD: usize = 4;
/// Most unreadable files of a folder that are reported with their reasons.
const MOST_REASONS: usize = 8;

impl LibraryService {
    pub(crate) async fn list_library(&self, request: ListLibrary) -> Result<LibraryPage, ApiError> {
        let search = Some(request.search.trim()).filter(|search| !search.is_empty());
        let page = self.store.list_articles(search, request.limit.unwrap_or(100).min(1000)).await?;
        let entries = page.entries.into_iter().map(|entry| LibraryCard {
            id: entry.id,
            title: entry.title,
            url: entry.url,
            source: entry.source,
            published: entry.published,
            snippet: entry.snippet,
        });
        Ok(LibraryPage { total: u32::try_from(page.total).unwrap_or(u32::MAX), entries: entries.collect() })
    }

    pub(crate) async fn import_library(&self, request: ImportLibrary) -> Result<Imported, ApiError> {
        let stop = CancellationToken::new();
        {
            let mut importing = self.importing();
            if importing.is_some() {
                let message =
                    phrase!("Something is being imported already; wait until it is done, or stop it");
                return Err(ApiError::new(Code::Busy, message));
            }
            *importing = Some(stop.clone());
        }
        let window_link = self.window_link.clone();
        let imported = self
            .import_until(request.paths.into_iter().map(PathBuf::from).collect(), stop, move |progress| {
                if let Progress::Reading { file, index, total } = progress {
                    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
                    // Sending without an open page is no error.
                    window_link.tell_page(WatchItem::Import {
                        path: file.clone(),
                        done: count(index.saturating_sub(1)),
                        total: count(*total),
                    });
                }
            })
            .await;
        *self.importing() = None;
        imported
    }

    pub(crate) async fn stop_import(&self, _: Nothing) -> Result<Nothing, ApiError> {
        if let Some(stop) = self.importing().as_ref() {
            stop.cancel();
        }
        Ok(Nothing {})
    }

    fn importing(&self) -> MutexGuard<'_, Option<CancellationToken>> {
        self.importing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn read_document(&self, request: ReadDocument) -> Result<DocumentText, ApiError> {
        let path = PathBuf::from(request.path);
        let read = tokio::task::spawn_blocking(move || text_of_document(&path));
        Ok(DocumentText { text: read.await.map_err(|_| interrupted())?? })
    }

    /// Imports files and folders, and reports the progress. An unreadable file is skipped with its reason when others
    /// can be read.
    ///
    /// # Errors
    /// No file can be read, or the articles cannot be stored.
    pub async fn import(
        &self,
        paths: Vec<PathBuf>,
        on: impl Fn(&Progress) + Send + 'static,
    ) -> Result<Imported, ApiError> {
        self.import_until(paths, CancellationToken::new(), on).await
    }

    /// Imports until stopped; articles that were read before are stored.
    async fn import_until(
        &self,
        paths: Vec<PathBuf>,
        stop: CancellationToken,
        on: impl Fn(&Progress) + Send + 'static,
    ) -> Result<Imported, ApiError> {
        let is_single = paths.len() == 1;
        let (sender, mut documents) = mpsc::channel::<Vec<Document>>(AHEAD);
        let read = tokio::task::spawn_blocking(move || {
            let (mut skipped, mut was_stopped) = (Vec::new(), false);
            // When the receiver is gone, articles could not be stored, so reading stops.
            let mut take = |found| match sender.blocking_send(found) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            };
            for path in &paths {
                let mut on = |progress: Progress| {
                    on(&progress);
                    match progress {
                        // Reading stops only here, between two files.
                        Progress::Reading { .. } if stop.is_cancelled() => {
                            was_stopped = true;
                            return ControlFlow::Break(());
                        }
                        Progress::Skipped { file, reason } => {
                            skipped.push(phrase!("{name}: {why}", name = file, why = reason))
                        }
                        Progress::Noted { file, note } => {
                            skipped.push(phrase!("{name}: {why}", name = file, why = note))
                        }
                        Progress::Reading { .. } | Progress::Read { .. } => {}
                    }
                    ControlFlow::Continue(())
                };
                match read_path(path, &mut on, &mut take) {
                    Ok(()) => {}
                    Err(_) if was_stopped => {}
                    Err(error) if is_single => {
                        let reasons = skipped.into_iter().take(MOST_REASONS);
                        let message = Phrase::clauses(std::iter::once(error.phrase()).chain(reasons));
                        return Err(ApiError::new(Code::BadInput, message));
                    }
                    Err(error) => skipped.push(error.phrase()),
                }
                if was_stopped {
                    break;
                }
            }
            Ok((skipped, was_stopped))
        });
        // Articles are stored while others are read: they survive a crash and do not fill the memory.
        let (mut found, mut undated, mut kept) = (Vec::new(), 0, ImportReport::default());
        while documents.recv_many(&mut found, AHEAD).await > 0 {
            let articles: Vec<_> = found.drain(..).flatten().map(article).collect();
            undated += articles.iter().filter(|new| new.article.published.is_empty()).count() as u64;
            let report = self.store.import(articles, |_| {}).await?;
            kept.added += report.added + report.updated;
            kept.unchanged += report.unchanged;
        }
        let (skipped, was_stopped) = read.await.map_err(|_| interrupted())??;
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Ok(Imported {
            added: count(kept.added),
            unchanged: count(kept.unchanged),
            undated: count(undated),
            skipped,
            was_stopped,
        })
    }

    pub(crate) async fn remove_library(&self, named: Named) -> Result<Nothing, ApiError> {
        let removed = self.store.remove_article(&named.name).await?;
        let mut kept = self.removed.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((named.name, removed));
        if kept.len() > REMEMBERED {
            kept.pop_front();
        }
        Ok(Nothing {})
    }

    pub(crate) async fn read_library(&self, named: Named) -> Result<LibraryEntry, ApiError> {
        let article = self.store.article(&named.name).await?;
        Ok(LibraryEntry {
            title: article.title,
            url: article.url,
            source: article.source,
            published: article.published,
            text: article.text,
        })
    }

    /// Restores an article that this process removed lately.
    pub(crate) async fn restore_library(&self, named: Named) -> Result<Nothing, ApiError> {
        let removed = {
            let mut kept = self.removed.lock().unwrap_or_else(PoisonError::into_inner);
            let place = kept.iter().position(|(id, _)| *id == named.name);
            place.and_then(|place| kept.remove(place))
        };
        let Some((_, article)) = removed else {
            let message =
                phrase!("The article {name} was not removed lately; import it again", name = named.name);
            return Err(ApiError::new(Code::NotFound, message));
        };
        self.store.import(vec![article], |_| {}).await?;
        Ok(Nothing {})
    }
}

/// The text of a document as an input, in every format that the library reads. Blocks.
///
/// # Errors
/// `bad_input` with the reason why there is no text.
pub fn text_of_document(path: &Path) -> Result<String, ApiError> {
    document_text(path).map_err(|error| ApiError::new(Code::BadInput, error.phrase()))
}

/// Converts a document to an article of the library.
pub(crate) fn article(document: tools::readers::Document) -> NewArticle {
    NewArticle {
        article: engine::LibraryArticle {
            id: String::new(),
            title: document.title,
            url: document.url.unwrap_or_default(),
            source: document.source,
            published: document.published.unwrap_or_default(),
            text: document.text,
            is_sample: false,
        },
        authors: document.authors,
        categories: document.categories,
        origin: document.origin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::window::WindowLink;

    fn library(folder: &Path) -> LibraryService {
        LibraryService::new(store::Store::open(folder).unwrap(), WindowLink::new(None))
    }

    #[tokio::test]
    async fn an_import_counts_as_stopped_only_if_a_file_was_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path());
        let papers = folder.path().join("papers");
        std::fs::create_dir(&papers).unwrap();
        for name in ["one.md", "two.md"] {
            std::fs::write(papers.join(name), format!("# {name}\n\nA lantern.")).unwrap();
        }
        let stopped_after = async |name: &str| {
            let stop = CancellationToken::new();
            let (cancel, name) = (stop.clone(), name.to_owned());
            let on = move |progress: &Progress| match progress {
                Progress::Read { file, .. } if Path::new(file).ends_with(&name) => cancel.cancel(),
                _ => {}
            };
            let imported = library.import_until(vec![papers.clone()], stop, on).await.unwrap();
            (imported.added + imported.unchanged, imported.was_stopped)
        };
        assert_eq!(stopped_after("one.md").await, (1, true));
        assert_eq!(stopped_after("two.md").await, (2, false));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn articles_are_stored_while_others_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path());
        let papers = folder.path().join("papers");
        std::fs::create_dir(&papers).unwrap();
        for number in 0..40 {
            let text = format!("# Paper {number}\n\nA zeppelinlantern.");
            std::fs::write(papers.join(format!("{number:02}.md")), text).unwrap();
        }
        let library = std::sync::Arc::new(library);
        let (looking, runtime) = (library.clone(), tokio::runtime::Handle::current());
        let kept = move || {
            let asked = ListLibrary { search: "zeppelinlantern".to_owned(), ..ListLibrary::default() };
            runtime.block_on(looking.list_library(asked)).unwrap().total
        };
        let before_last = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
        let seen = before_last.clone();
        let on = move |progress: &Progress| {
            let Progress::Reading { index: 40, .. } = progress else { return };
            // The last file has been started; the articles of most files before it are stored by now.
            let begun = std::time::Instant::now();
            while kept() < 30 && begun.elapsed() < std::time::Duration::from_secs(30) {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            seen.store(kept(), std::sync::atomic::Ordering::SeqCst);
        };
        let imported = library.import(vec![papers], on).await.unwrap();
        assert_eq!(imported.added, 40);
        let before_last = before_last.load(std::sync::atomic::Ordering::SeqCst);
        assert!((30..40).contains(&before_last), "{before_last} of 40 were kept before the last was read");
    }
}
