//! A transaction over the jobs of a batch: a savepoint undoes a failed job alone, and the other jobs continue.

use engine::LogError;
use rusqlite::Connection;

use crate::job::{After, Job, Writing};
use crate::table::runs;

/// Runs all jobs in one transaction. The returned error concerns all of them; a job's own error is stored with it.
pub(crate) fn transact(
    writing: &mut Writing<'_>,
    jobs: &mut [(Box<dyn Job>, Option<LogError>)],
    owed: &[(String, i64)],
    is_synced: bool,
    is_begun: bool,
) -> Result<(), LogError> {
    let connection = writing.connection;
    let place = writing.place;
    let explain = |error: rusqlite::Error| place.explain(&error);
    if is_synced {
        // The pragma takes effect when it is prepared, so it must not come from the statement cache.
        connection.execute_batch("PRAGMA synchronous = FULL").map_err(explain)?;
    }
    let result = (|| {
        if !is_begun {
            execute(connection, "BEGIN IMMEDIATE").map_err(explain)?;
        }
        if !writing.held.is_empty() || jobs.is_empty() {
            writing.beat()?;
        }
        for (_, id) in owed {
            runs::let_go(connection, *id, writing.process.id).map_err(explain)?;
        }
        // A single job needs no savepoint.
        let is_alone = jobs.len() == 1 && writing.after.is_empty() && owed.is_empty();
        let mut is_worth_it = !is_alone;
        for (job, failed) in jobs.iter_mut() {
            let (mark, beat_at_ms) = (writing.after.len(), writing.beat_at_ms);
            if !is_alone {
                execute(connection, "SAVEPOINT job").map_err(explain)?;
            }
            let error = job.work(writing).err();
            if let Some(error) = error {
                if connection.is_autocommit() {
                    // The transaction was rolled back, with the writes of the other jobs.
                    return Err(error);
                }
                let kept: Vec<After> = writing.after.drain(mark..).collect();
                writing.after.extend(kept.into_iter().filter(|after| matches!(after, After::Released(_))));
                writing.beat_at_ms = beat_at_ms;
                *failed = Some(error);
                if !is_alone {
                    execute(connection, "ROLLBACK TO job").map_err(explain)?;
                }
            } else {
                is_worth_it = true;
            }
            if !is_alone {
                execute(connection, "RELEASE job").map_err(explain)?;
            }
        }
        execute(connection, if is_worth_it { "COMMIT" } else { "ROLLBACK" }).map_err(explain)
    })();
    if result.is_err() {
        roll_back(connection);
    }
    if is_synced && let Err(error) = connection.execute_batch("PRAGMA synchronous = NORMAL") {
        tracing::debug!(%error, "commits stay synced");
    }
    result
}

pub(crate) fn execute(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

pub(crate) fn roll_back(connection: &Connection) {
    if !connection.is_autocommit()
        && let Err(error) = connection.execute_batch("ROLLBACK")
    {
        tracing::warn!(%error, "a transaction could not be undone");
    }
}
