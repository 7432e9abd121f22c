//! How the log holds a run, and how long a log that refuses is waited for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Code, RunId, phrase};
use tokio_util::sync::CancellationToken;

use crate::clock::RunClock;
use crate::{AgentError, Log, LogError};

/// How long a log that refuses is waited for.
pub(crate) struct Patience {
    /// At the most; nothing: until the run is stopped.
    pub(crate) most: Option<Duration>,
    pub(crate) cancel: CancellationToken,
    /// Stands while the log is waited for.
    pub(crate) clock: Arc<RunClock>,
}

/// How the log holds a run.
pub(crate) struct Hold {
    pub(crate) is_held: bool,
    /// Since when it takes nothing.
    pub(crate) refused_since: Option<Instant>,
    /// How many events are set aside.
    pub(crate) set_aside: usize,
    /// Why nothing more is stored through this writer, once it let go of a run whose end is not stored.
    pub(crate) let_go: Option<LogError>,
}

impl Default for Hold {
    fn default() -> Hold {
        Hold { is_held: true, refused_since: None, set_aside: 0, let_go: None }
    }
}

/// What is told to who edits a run that ended while its log took nothing.
pub(crate) fn has_ended() -> LogError {
    let message =
        phrase!("The run ended before this was stored. Resume the run, then look whether the edit is there.");
    LogError::new(Code::Busy, message)
}

/// A disk that refuses is no reason to drop what is being done: its answer is tried with the rest, and set aside with it.
pub(crate) fn allow_disk_refusal(flushed: Result<(), AgentError>) -> Result<(), AgentError> {
    match flushed {
        Err(AgentError::Log(refusal)) if refusal.code.is_of_disk() => Ok(()),
        flushed => flushed,
    }
}

/// Takes hold of a run that lives nowhere while something is done with it.
pub(crate) async fn while_held<T>(
    log: &dyn Log,
    run: &RunId,
    work: impl Future<Output = Result<T, LogError>>,
) -> Result<T, LogError> {
    log.hold(run).await?;
    let done = work.await;
    let released = log.release(run).await;
    let done = done?;
    released?;
    Ok(done)
}
