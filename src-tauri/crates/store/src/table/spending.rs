//! The usage and costs of each run: a cache over the events that is updated when it is read, so that an append does not
//! pay for it. It stays when a run is erased. Usage outside of runs is stored only here.

use std::collections::BTreeMap;

use kernel::{Seq, Speed};
use rusqlite::{Connection, Result, Row};

use crate::{PastCall, Spent};

pub(crate) const CREATE: &str = "CREATE TABLE spending (
    run INTEGER NOT NULL,
    month TEXT NOT NULL,
    profile TEXT NOT NULL,
    model TEXT NOT NULL,
    agent TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed_calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost REAL,                         -- US dollars of the calls whose price is known
    unpriced_calls INTEGER NOT NULL,
    PRIMARY KEY (run, month, profile, model, agent)
) STRICT, WITHOUT ROWID;
CREATE TABLE spending_known (run INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;";

/// The input tokens that came from a provider's cache.
pub(crate) const CACHED: &str = "ALTER TABLE spending ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;";

/// Unanswered requests. Totals without them are added up again, and snapshots, which counted calls at their answers,
/// are made again.
pub(crate) const OPEN: &str = "ALTER TABLE spending ADD COLUMN open_calls INTEGER NOT NULL DEFAULT 0;
DELETE FROM spending_known;
DELETE FROM snapshots;";

/// The speed of answers. Totals without it are added up again.
pub(crate) const SPEED: &str = "ALTER TABLE spending ADD COLUMN timed_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spending ADD COLUMN timed_ms INTEGER NOT NULL DEFAULT 0;
DELETE FROM spending_known;
DELETE FROM snapshots;";

/// The run of usage outside of runs: rows of runs begin at 1.
const OUTSIDE_RUNS: i64 = 0;

/// A run with events that are not added up yet.
pub(crate) struct UncountedRun {
    pub(crate) row: i64,
    pub(crate) run: String,
    /// Its last event.
    pub(crate) seq: Seq,
    /// The last event that it inherited from its parent.
    pub(crate) repeated: Seq,
}

/// Runs after this row with events that are not added up yet, in the order of rows.
pub(crate) fn not_added_up(connection: &Connection, after: i64, limit: u32) -> Result<Vec<UncountedRun>> {
    connection
        .prepare_cached(
            "SELECT runs.id, runs.run, runs.last_seq, coalesce(runs.origin_seq, 0)
             FROM runs LEFT JOIN spending_known ON spending_known.run = runs.id
             WHERE runs.id > ?1 AND runs.last_seq > coalesce(spending_known.seq, 0) ORDER BY runs.id LIMIT ?2",
        )?
        .query_map((after, limit), |row| {
            Ok(UncountedRun { row: row.get(0)?, run: row.get(1)?, seq: row.get(2)?, repeated: row.get(3)? })
        })?
        .collect()
}

/// Replaces the totals of a run up to an event.
pub(crate) fn replace(connection: &Connection, run: i64, seq: Seq, lines: &[Spent]) -> Result<()> {
    connection.prepare_cached("DELETE FROM spending WHERE run = ?1")?.execute([run])?;
    for line in lines {
        add(connection, run, line)?;
    }
    connection
        .prepare_cached("INSERT OR REPLACE INTO spending_known (run, seq) VALUES (?1, ?2)")?
        .execute((run, seq))?;
    Ok(())
}

/// Adds usage outside of runs; first subtracts the settled open and unpriced calls.
pub(crate) fn add_outside(connection: &Connection, settled: &Spent, line: &Spent) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE spending SET open_calls = max(0, open_calls - ?6), unpriced_calls = max(0, unpriced_calls - ?7)
             WHERE run = ?1 AND month = ?2 AND profile = ?3 AND model = ?4 AND agent = ?5",
        )?
        .execute((
            OUTSIDE_RUNS,
            &line.month,
            &line.profile,
            &line.model,
            &line.agent,
            settled.open_calls,
            settled.unpriced_calls,
        ))?;
    add(connection, OUTSIDE_RUNS, line)
}

fn add(connection: &Connection, run: i64, line: &Spent) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO spending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT DO UPDATE SET
                calls = calls + excluded.calls,
                failed_calls = failed_calls + excluded.failed_calls,
                input_tokens = input_tokens + excluded.input_tokens,
                output_tokens = output_tokens + excluded.output_tokens,
                cost = CASE WHEN cost IS NULL THEN excluded.cost ELSE cost + coalesce(excluded.cost, 0) END,
                unpriced_calls = unpriced_calls + excluded.unpriced_calls,
                cached_tokens = cached_tokens + excluded.cached_tokens,
                open_calls = open_calls + excluded.open_calls,
                timed_tokens = timed_tokens + excluded.timed_tokens,
                timed_ms = timed_ms + excluded.timed_ms",
        )?
        .execute(rusqlite::params![
            run,
            line.month,
            line.profile,
            line.model,
            line.agent,
            line.calls,
            line.failed_calls,
            i64::try_from(line.input_tokens).unwrap_or(i64::MAX),
            i64::try_from(line.output_tokens).unwrap_or(i64::MAX),
            line.cost,
            line.unpriced_calls,
            i64::try_from(line.cached_tokens).unwrap_or(i64::MAX),
            line.open_calls,
            i64::try_from(line.speed.tokens).unwrap_or(i64::MAX),
            i64::try_from(line.speed.ms).unwrap_or(i64::MAX),
        ])?;
    Ok(())
}

/// All totals, or those of one run; the newest month first. Runs without a price have separate lines.
pub(crate) fn lines(connection: &Connection, run: Option<i64>) -> Result<Vec<Spent>> {
    connection
        .prepare_cached(
            "SELECT month, profile, model, agent, sum(calls), sum(failed_calls), sum(input_tokens),
                    sum(output_tokens), sum(cost), sum(unpriced_calls), sum(cached_tokens), sum(open_calls),
                    sum(timed_tokens), sum(timed_ms)
             FROM spending WHERE ?1 IS NULL OR run = ?1
             GROUP BY month, profile, model, agent, cost IS NULL ORDER BY month DESC, profile, model, agent",
        )?
        .query_map([run], line)?
        .collect()
}

/// The cost of each run in US dollars; `None` when no call of it has a known price. Runs without model calls are left
/// out.
pub(crate) fn run_costs(connection: &Connection) -> Result<Vec<(String, Option<f64>)>> {
    connection
        .prepare_cached(
            "SELECT runs.run, sum(cost) FROM spending JOIN runs ON runs.id = spending.run GROUP BY spending.run",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// The maximum usage of an answered call, averaged over the calls of a run, by profile, model and agent.
pub(crate) fn past_calls(connection: &Connection) -> Result<Vec<PastCall>> {
    connection
        .prepare_cached(
            "SELECT profile, model, agent, count(DISTINCT run),
                    max(input_tokens / (calls - failed_calls - open_calls)),
                    max(output_tokens / (calls - failed_calls - open_calls))
             FROM spending WHERE run <> ?1 AND calls > failed_calls + open_calls AND input_tokens > 0
             GROUP BY profile, model, agent",
        )?
        .query_map([OUTSIDE_RUNS], |row| {
            let tokens = |column: usize| -> Result<u32> {
                Ok(u32::try_from(row.get::<_, i64>(column)?).unwrap_or(u32::MAX))
            };
            Ok(PastCall {
                profile: row.get(0)?,
                model: row.get(1)?,
                agent: row.get(2)?,
                runs: row.get(3)?,
                input_tokens: tokens(4)?,
                output_tokens: tokens(5)?,
            })
        })?
        .collect()
}

/// The speed of answers in earlier runs, by profile and model.
pub(crate) fn past_speeds(connection: &Connection) -> Result<BTreeMap<(String, String), Speed>> {
    connection
        .prepare_cached(
            "SELECT profile, model, sum(timed_tokens), sum(timed_ms) FROM spending
             WHERE timed_ms > 0 GROUP BY profile, model",
        )?
        .query_map([], |row| Ok(((row.get(0)?, row.get(1)?), speed(row, 2)?)))?
        .collect()
}

fn speed(row: &Row<'_>, column: usize) -> Result<Speed> {
    let count = |column: usize| -> Result<u64> { Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or(0)) };
    Ok(Speed { tokens: count(column)?, ms: count(column + 1)? })
}

fn line(row: &Row<'_>) -> Result<Spent> {
    Ok(Spent {
        month: row.get(0)?,
        profile: row.get(1)?,
        model: row.get(2)?,
        agent: row.get(3)?,
        calls: row.get(4)?,
        failed_calls: row.get(5)?,
        input_tokens: u64::try_from(row.get::<_, i64>(6)?).unwrap_or(0),
        output_tokens: u64::try_from(row.get::<_, i64>(7)?).unwrap_or(0),
        cost: row.get(8)?,
        unpriced_calls: row.get(9)?,
        cached_tokens: u64::try_from(row.get::<_, i64>(10)?).unwrap_or(0),
        open_calls: row.get(11)?,
        speed: speed(row, 12)?,
    })
}
