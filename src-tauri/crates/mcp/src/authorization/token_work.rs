//! The work with tokens that must not be cut: a refresh token counts once, and a code, too.

use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long the end of the program waits for it.
const CLOSING: Duration = Duration::from_secs(10);

/// The tasks of all servers that get tokens, keep them or revoke them. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct TokenWork {
    pub(crate) tasks: TaskTracker,
    closing: CancellationToken,
}

impl TokenWork {
    /// Does it to its end, also where the caller stops waiting.
    ///
    /// # Errors
    /// As of the work; `internal` where it panics.
    pub(crate) async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let done = self.tasks.spawn(work).await;
        done.unwrap_or_else(|error| Err(Error::new(Code::Internal, Phrase::verbatim(error.to_string()))))
    }

    /// Does a part of it that the end of the program may cut: no token is used up by it.
    ///
    /// # Errors
    /// `not_found`: the program ends.
    pub(crate) async fn until_closed<T>(
        &self,
        name: &str,
        part: impl Future<Output = T>,
    ) -> Result<T, Error> {
        self.closing.run_until_cancelled(part).await.ok_or_else(|| {
            let message = phrase!("The tool server `{name}` was removed, changed or ended", name);
            Error::new(Code::NotFound, message)
        })
    }

    /// Waits for what is under way, for seconds at most; no renewal begins any more.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        self.tasks.close();
        if timeout(CLOSING, self.tasks.wait()).await.is_err() {
            tracing::warn!("a server has not answered a request for a token before the program ended");
        }
    }
}
