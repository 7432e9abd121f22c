//! What opens pages that show nothing without scripts. Which program that is, and whether the person lets it, is decided
//! above.

use std::time::Duration;

use async_trait::async_trait;
use kernel::Error;
use net::{Net, Url};

/// A browser for pages that need one.
#[async_trait]
pub trait PageBrowser: Send + Sync + 'static {
    /// The HTML of a page in UTF-8 as it is after its scripts ran. All that the page loads is judged by the policy of this
    /// client. Dropping the future ends the browser.
    ///
    /// # Errors
    /// Where there is no browser, it may not be used, or it gives no page; each says what to do next.
    async fn open(&self, net: &Net, page: &Url) -> Result<Vec<u8>, Error>;

    /// The longest that opening a page takes.
    fn longest(&self) -> Duration;
}
