//! The writer's hold on a run in the log, and how long a refusing log is waited for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Code, RunId, phrase};
use tokio_util::sync::CancellationToken;

use crate::clock::RunClock;
use crate::{AgentError, Log, LogError};

/// How long a log that refuses is waited for.
pub(crate) struct Patience {
    /// The longest wait; `None`: until the run is stopped.
    pub(crate) most: Option<Duration>,
    pub(crate) cancel: CancellationToken,
    /// The clock that stops while the log is waited for.
    pub(crate) clock: Arc<RunClock>,
}

/// The state of the hold.
pub(crate) struct Hold {
    pub(crate) is_held: bool,
    /// Since when the log refuses.
    pub(crate) refused_since: Option<Instant>,
    /// How many events are set aside.
    pub(crate) set_aside: usize,
    /// Why this writer stores nothing any more, after it released a run whose end is not stored.
    pub(crate) let_go: Option<LogError>,
}

impl Default for Hold {
    fn default() -> Hold {
        Hold { is_held: true, refused_since: None, set_aside: 0, let_go: None }
    }
}

/// The error for an edit of a run that ended while its log refused.
pub(crate) fn has_ended() -> LogError {
    let message =
        phrase!("The run ended before this was stored. Resume the run, then look whether the edit is there.");
    LogError::new(Code::Busy, message)
}

/// A refusal of the disk does not abort an effect: its answer is stored with the pending events, or set aside with
/// them.
pub(crate) fn allow_disk_refusal(flushed: Result<(), AgentError>) -> Result<(), AgentError> {
    match flushed {
        Err(AgentError::Log(refusal)) if refusal.code.is_of_disk() => Ok(()),
        flushed => flushed,
    }
}

/// Holds a run that no process executes while `work` runs.
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
