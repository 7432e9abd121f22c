//! The interface to a browser for pages that show nothing without scripts. The application decides which program it is,
//! and whether the user allows it.

use std::time::Duration;

use async_trait::async_trait;
use kernel::Error;
use net::{Net, Url};

/// A browser for pages that need scripts.
#[async_trait]
pub trait PageBrowser: Send + Sync + 'static {
    /// The HTML of a page in UTF-8 after its scripts ran. The policy of `net` applies to everything that the page
    /// loads. Dropping the future ends the browser.
    ///
    /// # Errors
    /// When there is no browser, it may not be used, or it returns no page; each message says what to do next.
    async fn open(&self, net: &Net, page: &Url) -> Result<Vec<u8>, Error>;

    /// The time limit of opening a page.
    fn longest(&self) -> Duration;
}
