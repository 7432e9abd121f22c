//! The processes that hold runs, and whether they are alive.
//!
//! A row identifies a process even if its id was reused; the heartbeat decides when the ids are not comparable: on
//! another machine, in another container or after a restart.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

pub(crate) const CREATE: &str = "CREATE TABLE processes (
    id INTEGER PRIMARY KEY,         -- random, never used again
    pid INTEGER NOT NULL,
    started TEXT NOT NULL,          -- of the process, in the kernel's ticks; empty where it cannot be known
    boot TEXT NOT NULL,             -- of the machine; empty where it cannot be known
    space TEXT NOT NULL,            -- the namespace in which the pid counts; empty where there are none
    heartbeat_at_ms INTEGER NOT NULL
) STRICT;";

/// A process with an older heartbeat has lost its runs.
pub(crate) const STALE_MS: i64 = 30_000;

/// The row of a process.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Process {
    pub(crate) id: i64,
    pub(crate) pid: u32,
    pub(crate) started: String,
    pub(crate) boot: String,
    pub(crate) space: String,
    pub(crate) heartbeat_at_ms: i64,
}

impl Process {
    /// This process, with a separate id for each store it opens.
    pub(crate) fn this() -> Process {
        let (_, random) = engine::new_id().as_u64_pair();
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        Process {
            id: (random & 0x3fff_ffff_ffff_ffff) as i64,
            pid: std::process::id(),
            started: start_time(&read("/proc/self/stat")).unwrap_or_default(),
            boot: read("/proc/sys/kernel/random/boot_id").trim().to_owned(),
            space: space.to_string_lossy().into_owned(),
            heartbeat_at_ms: 0,
        }
    }

    /// Whether the process is alive, as far as this one can determine.
    pub(crate) fn is_alive(&self, now_ms: i64, observer: &Process) -> bool {
        if now_ms.saturating_sub(self.heartbeat_at_ms) > STALE_MS {
            return false;
        }
        if self.boot.is_empty() || observer.boot.is_empty() {
            return true;
        }
        if self.boot != observer.boot {
            return false;
        }
        if self.started.is_empty() || self.space != observer.space {
            return true;
        }
        match std::fs::read_to_string(format!("/proc/{}/stat", self.pid)) {
            Ok(stat) => start_time(&stat).is_none_or(|started| started == self.started),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }
}

/// The 22nd field of a `stat` file of Linux; the second, the name, may contain spaces and brackets. A zombie counts as
/// dead: its start time is replaced by one that matches none.
fn start_time(stat: &str) -> Option<String> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    if fields.next()? == "Z" {
        return Some("zombie".to_owned());
    }
    fields.nth(18).map(str::to_owned)
}

fn from_row(row: &Row<'_>) -> Result<Process> {
    Ok(Process {
        id: row.get(0)?,
        pid: row.get(1)?,
        started: row.get(2)?,
        boot: row.get(3)?,
        space: row.get(4)?,
        heartbeat_at_ms: row.get(5)?,
    })
}

pub(crate) fn get(connection: &Connection, id: i64) -> Result<Option<Process>> {
    connection
        .prepare_cached("SELECT id, pid, started, boot, space, heartbeat_at_ms FROM processes WHERE id = ?1")?
        .query_row([id], from_row)
        .optional()
}

/// Writes the heartbeat, and the row if it is missing.
pub(crate) fn beat(connection: &Connection, process: &Process, now_ms: i64) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO processes (id, pid, started, boot, space, heartbeat_at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (id) DO UPDATE SET heartbeat_at_ms = ?6",
        )?
        .execute(params![process.id, process.pid, process.started, process.boot, process.space, now_ms])?;
    Ok(())
}

/// Deletes a process that ended, and those without a heartbeat for a day.
pub(crate) fn leave(connection: &Connection, id: i64, now_ms: i64) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM processes WHERE id = ?1 OR heartbeat_at_ms < ?2")?
        .execute([id, now_ms.saturating_sub(86_400_000)])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_time_is_parsed_after_a_name_with_spaces_and_brackets() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 10 20";
        assert_eq!(start_time(stat).as_deref(), Some("98765"));
        assert_eq!(start_time("nonsense"), None);
    }

    #[test]
    fn a_process_is_dead_after_id_reuse_a_restart_or_missing_heartbeats() {
        let me = Process { heartbeat_at_ms: 1_000, ..Process::this() };
        assert!(me.is_alive(1_000, &me));
        assert!(!me.is_alive(1_001 + STALE_MS, &me));
        if me.started.is_empty() {
            return;
        }
        assert!(!Process { started: "1".to_owned(), ..me.clone() }.is_alive(1_000, &me));
        assert!(!Process { boot: "another".to_owned(), ..me.clone() }.is_alive(1_000, &me));
        assert!(!Process { pid: u32::MAX, ..me.clone() }.is_alive(1_000, &me));
        // In another container process ids are not comparable; only the heartbeat counts.
        let elsewhere = Process { pid: u32::MAX, space: "another".to_owned(), ..me.clone() };
        assert!(elsewhere.is_alive(1_000, &me));
    }
}
