//! Jobs for the writer, the context in which they write, and what their commit causes.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use engine::LogError;
use kernel::{Hash, Seq};
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::caches::Caches;
use crate::connection::LOCK_TIMEOUT;
use crate::error::{Place, closed};
use crate::table::processes::{self, Process};
use crate::table::runs;

/// The longest wait of events for another process's lock before they are set aside; then it is retried.
pub(crate) const EVENTS_LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// The interval of heartbeats of a process that holds runs.
pub(crate) const HEARTBEAT_MS: i64 = 5_000;

/// A write job.
pub(crate) trait Job: Send {
    /// Writes; an error undoes its changes.
    fn work(&mut self, writing: &mut Writing<'_>) -> Result<(), LogError>;
    /// Answers the caller after the commit.
    fn answer(self: Box<Self>, failed: Option<LogError>);
    /// The longest wait for another process's lock.
    fn patience(&self) -> Duration {
        LOCK_TIMEOUT
    }
    /// The run that this process releases with the job, whether or not it can be written.
    fn released_run(&self) -> Option<&str> {
        None
    }
}

/// Runs that this process releases and whose rows still name it. With the row once writing the release failed; without
/// it before the first attempt.
pub(crate) type PendingReleases = Mutex<HashMap<String, Option<i64>>>;

/// Releases a run.
pub(crate) struct Release {
    pub(crate) run: String,
    pub(crate) reply: oneshot::Sender<()>,
}

impl Job for Release {
    fn work(&mut self, writing: &mut Writing<'_>) -> Result<(), LogError> {
        // A run that another process took meanwhile is released already.
        if let Some(&id) = writing.held.get(&self.run) {
            runs::let_go(writing.connection, id, writing.process.id)
                .map_err(|error| writing.explain(&error))?;
            writing.after.push(After::Released(self.run.clone()));
        }
        Ok(())
    }

    fn answer(self: Box<Self>, failed: Option<LogError>) {
        if let Some(error) = failed {
            tracing::warn!(%error, run = %self.run, "a run is let go of, which others learn when the disk takes it");
        }
        // The caller may have stopped waiting.
        let _ = self.reply.send(());
    }

    fn released_run(&self) -> Option<&str> {
        Some(&self.run)
    }
}

/// A closure as a job.
pub(crate) struct Task<F, T> {
    pub(crate) work: Option<F>,
    pub(crate) result: Option<T>,
    pub(crate) patience: Duration,
    pub(crate) reply: oneshot::Sender<Result<T, LogError>>,
}

impl<F, T> Job for Task<F, T>
where
    F: FnOnce(&mut Writing<'_>) -> Result<T, LogError> + Send,
    T: Send,
{
    fn work(&mut self, writing: &mut Writing<'_>) -> Result<(), LogError> {
        if let Some(work) = self.work.take() {
            self.result = Some(work(writing)?);
        }
        Ok(())
    }

    fn answer(self: Box<Self>, failed: Option<LogError>) {
        let answer = match (failed, self.result) {
            (None, Some(result)) => Ok(result),
            (Some(error), _) => Err(error),
            (None, None) => Err(closed()),
        };
        // The caller may have stopped waiting; its data are stored.
        let _ = self.reply.send(answer);
    }

    fn patience(&self) -> Duration {
        self.patience
    }
}

/// The context of a job.
pub(crate) struct Writing<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) place: &'a Place,
    pub(crate) process: &'a Process,
    pub(crate) recent: &'a Caches,
    /// Rows of the runs that this process holds, by run.
    pub(crate) held: &'a HashMap<String, i64>,
    pub(crate) now_ms: i64,
    /// The effects of the commit.
    pub(crate) after: Vec<After>,
    pub(crate) beat_at_ms: i64,
}

/// An effect of the commit.
pub(crate) enum After {
    Held(String, i64),
    Released(String),
    Stored(Hash),
    Snapshots(i64, Seq),
    Beat,
}

impl Writing<'_> {
    /// Whether this process holds a run, or will after the commit: earlier jobs may have taken or released it.
    pub(crate) fn holds(&self, run: &str) -> bool {
        let changed = self.after.iter().rev().find_map(|after| match after {
            After::Held(held, _) if held == run => Some(true),
            After::Released(released) if released == run => Some(false),
            _ => None,
        });
        changed.unwrap_or_else(|| self.held.contains_key(run))
    }

    /// The error for an SQLite error.
    pub(crate) fn explain(&self, error: &rusqlite::Error) -> LogError {
        self.place.explain(error)
    }

    /// The process that holds a run, unless it died without releasing it.
    pub(crate) fn living_holder(&self, standing: &runs::Standing) -> Result<Option<Process>, LogError> {
        let Some(holder) = standing.holder else { return Ok(None) };
        let holder = processes::get(self.connection, holder).map_err(|error| self.explain(&error))?;
        Ok(holder.filter(|holder| holder.is_alive(self.now_ms, self.process)))
    }

    /// Writes a heartbeat if one is due, so that other processes see this one as alive when it takes a run.
    pub(crate) fn beat(&mut self) -> Result<(), LogError> {
        if self.now_ms.saturating_sub(self.beat_at_ms) >= HEARTBEAT_MS {
            processes::beat(self.connection, self.process, self.now_ms)
                .map_err(|error| self.explain(&error))?;
            self.beat_at_ms = self.now_ms;
            self.after.push(After::Beat);
        }
        Ok(())
    }
}
