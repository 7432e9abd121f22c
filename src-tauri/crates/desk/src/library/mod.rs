//! The person's library.

pub(crate) mod import;

use std::collections::VecDeque;
use std::sync::Mutex;

use store::{NewArticle, Store};
use tokio_util::sync::CancellationToken;

use crate::program::window::WindowLink;

/// The commands about the library: imports, lists, removes and restores articles.
pub struct LibraryService {
    store: Store,
    window_link: WindowLink,
    /// Cancels the import in progress.
    importing: Mutex<Option<CancellationToken>>,
    /// Articles that were removed lately, by id, to restore them.
    removed: Mutex<VecDeque<(String, NewArticle)>>,
}

impl LibraryService {
    pub(crate) fn new(store: Store, window_link: WindowLink) -> LibraryService {
        LibraryService { store, window_link, importing: Mutex::default(), removed: Mutex::default() }
    }
}
