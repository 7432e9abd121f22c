//! Checks the whole database: the file structure, the numbering of every run, the checksum of every event, the hash of
//! every stored value. It only reads, and other processes continue meanwhile.

use std::cell::Cell;
use std::collections::HashSet;

use engine::LogError;
use kernel::{Hash, RunId, Seq};

use crate::Store;
use crate::connection::open_reader;
use crate::read_context::ReadContext;
use crate::table::contents;
use crate::table::runs::{self, RunRow};

/// The most problems that are listed; there may be more of the same kind.
const MOST_LISTED: usize = 5;
/// The number of events per query.
const WINDOW: Seq = 4096;
/// The total of the progress, which the three checks share.
const PARTS: u32 = 100;
const PARTS_OF_FILE: u32 = 40;
const PARTS_OF_VALUES: u32 = 70;

/// The result of checking the whole database.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inspection {
    /// The number of runs.
    pub runs: u32,
    /// The number of stored large values.
    pub values: u32,
    /// Runs with unreadable data.
    pub damaged_runs: Vec<RunId>,
    /// The first problems; empty when there are none.
    pub problems: Vec<String>,
}

impl Inspection {
    fn note(&mut self, problem: String) {
        if self.problems.len() < MOST_LISTED && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

impl Store {
    /// Checks the whole database. `on` is called with the progress and its total.
    ///
    /// # Errors
    /// When the database cannot be checked at all; damage is part of the result.
    pub async fn inspect(&self, on: impl Fn(u32, u32) + Send + 'static) -> Result<Inspection, LogError> {
        self.read(move |context| {
            let mut found = Inspection::default();
            let reported = Cell::new(None);
            let on = |part: u32| {
                if reported.replace(Some(part)) != Some(part) {
                    on(part, PARTS);
                }
            };
            inspect_file(context, &mut found, &on);
            let known = inspect_values(context, &mut found, &on);
            inspect_runs(context, &known, &mut found, &on);
            on(PARTS);
            Ok(found)
        })
        .await
    }
}

/// Checks the structure of the file, table by table.
fn inspect_file(context: &ReadContext<'_>, found: &mut Inspection, on: &impl Fn(u32)) {
    let names = || -> rusqlite::Result<Vec<String>> {
        let mut names = context.connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
        names.query_map([], |row| row.get(0))?.collect()
    };
    let tables = names().unwrap_or_else(|error| {
        found.note(error.to_string());
        Vec::new()
    });
    // A connection that searched caches the structure of the word index, and takes it for damaged after another
    // connection merged the index. A new connection has no such cache.
    let fresh = match open_reader(context.place) {
        Ok(fresh) => fresh,
        Err(error) => return found.note(error.phrase.english()),
    };
    for (done, table) in tables.iter().enumerate() {
        on(part(done, tables.len(), 0, PARTS_OF_FILE));
        let sql = format!("PRAGMA quick_check(\"{}\")", table.replace('"', "\"\""));
        let checked = fresh.query_row(&sql, [], |row| row.get::<_, String>(0));
        match checked {
            Ok(words) if words == "ok" => {}
            Ok(words) => found.note(words),
            Err(error) => found.note(error.to_string()),
        }
    }
}

/// Checks every stored value against its hash, and returns the intact ones.
fn inspect_values(context: &ReadContext<'_>, found: &mut Inspection, on: &impl Fn(u32)) -> HashSet<String> {
    let mut known = HashSet::new();
    let total = contents::count(context.connection).unwrap_or(1).max(1);
    let read = contents::each(context.connection, |hash, text| {
        if known.len().is_multiple_of(64) {
            on(part(known.len(), total, PARTS_OF_FILE, PARTS_OF_VALUES));
        }
        if Hash::of(text.as_bytes()).0 == hash {
            known.insert(hash.to_owned());
        } else {
            found.note(format!("the value {hash} is not what was stored"));
        }
    });
    if let Err(error) = read {
        found.note(error.to_string());
    }
    found.values = u32::try_from(known.len()).unwrap_or(u32::MAX);
    known
}

/// Checks the numbering of every run, its events, and that the values they refer to exist.
fn inspect_runs(
    context: &ReadContext<'_>,
    known: &HashSet<String>,
    found: &mut Inspection,
    on: &impl Fn(u32),
) {
    let all = runs::rows(context.connection).unwrap_or_else(|error| {
        found.note(error.to_string());
        Vec::new()
    });
    found.runs = u32::try_from(all.len()).unwrap_or(u32::MAX);
    for (done, RunRow { id, run, last_seq, definition, inputs }) in all.iter().enumerate() {
        on(part(done, all.len(), PARTS_OF_VALUES, PARTS));
        let has_beginning = known.contains(definition) && (inputs.starts_with('{') || known.contains(inputs));
        let is_whole = has_beginning
            && is_whole(context, known, (*id, run), *last_seq).unwrap_or_else(|error| {
                tracing::warn!(%error, run = run.0, "a run is damaged");
                false
            });
        if !is_whole {
            found.note(format!("run {run} is damaged"));
            found.damaged_runs.push(run.clone());
        }
    }
}

fn is_whole(
    context: &ReadContext<'_>,
    known: &HashSet<String>,
    (row, run): (i64, &RunId),
    last: Seq,
) -> Result<bool, LogError> {
    context.standing(run)?;
    let mut from = 1;
    while from <= last {
        let until = last.min(from.saturating_add(WINDOW - 1));
        for event in context.source().every(row, from, until)? {
            if event.values().iter().any(|value| value.is_stored() && !known.contains(&value.hash().0)) {
                return Ok(false);
            }
        }
        from = until + 1;
    }
    Ok(last > 0)
}

/// The overall progress when `done` of `of` items of a check are done, which spans `from` to `to`.
fn part(done: usize, of: usize, from: u32, to: u32) -> u32 {
    let share = done as f64 / of.max(1) as f64;
    from + (f64::from(to - from) * share.min(1.0)) as u32
}
