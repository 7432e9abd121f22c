//! Work with tokens that must not be interrupted: a refresh token or a code can be used only once.

use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The longest wait for it at the end of the program.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);

/// The tasks of all servers that request, store or revoke tokens. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct TokenWork {
    pub(crate) tasks: TaskTracker,
    closing: CancellationToken,
}

impl TokenWork {
    /// Completes the work, even if the caller stops waiting.
    ///
    /// # Errors
    /// The error of the work; `internal` if it panics.
    pub(crate) async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let done = self.tasks.spawn(work).await;
        done.unwrap_or_else(|error| Err(Error::new(Code::Internal, Phrase::verbatim(error.to_string()))))
    }

    /// Does work that the end of the program may interrupt, because it uses no token up.
    ///
    /// # Errors
    /// `not_found`: the program is ending.
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

    /// Waits a few seconds for running work; no renewal begins after that.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        self.tasks.close();
        if timeout(CLOSE_TIMEOUT, self.tasks.wait()).await.is_err() {
            tracing::warn!("a server has not answered a request for a token before the program ended");
        }
    }
}
