//! A look at the whole database: the file's own structure, the numbering of every run, every event against its
//! checksum, every stored value against its hash. It only reads, and other processes go on meanwhile.

use std::cell::Cell;
use std::collections::HashSet;

use engine::LogError;
use kernel::{Hash, RunId, Seq};

use crate::Store;
use crate::open::open_reader;
use crate::read_context::ReadContext;
use crate::table::contents;
use crate::table::runs::{self, RunRow};

/// Problems that are told of; there may be many more of the same kind.
const MOST_TOLD: usize = 5;
/// Events read at once.
const WINDOW: Seq = 4096;
/// The whole of the work, in parts; the three looks take about so much of it.
const PARTS: u32 = 100;
const PARTS_OF_FILE: u32 = 40;
const PARTS_OF_VALUES: u32 = 70;

/// What a look at the whole database found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inspection {
    /// How many runs there are.
    pub runs: u32,
    /// How many large values are stored.
    pub values: u32,
    /// Runs of which something cannot be read.
    pub damaged_runs: Vec<RunId>,
    /// What is wrong, the first of it; empty when all is well.
    pub problems: Vec<String>,
}

impl Inspection {
    fn note(&mut self, problem: String) {
        if self.problems.len() < MOST_TOLD && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

impl Store {
    /// Looks at the whole database. `on` is called now and then with how much of how much is done.
    ///
    /// # Errors
    /// When the database cannot be looked at at all; what is damaged is no error here.
    pub async fn inspect(&self, on: impl Fn(u32, u32) + Send + 'static) -> Result<Inspection, LogError> {
        self.read(move |context| {
            let mut found = Inspection::default();
            let told = Cell::new(None);
            let on = |part: u32| {
                if told.replace(Some(part)) != Some(part) {
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

/// The structure of the file, table by table.
fn inspect_file(context: &ReadContext<'_>, found: &mut Inspection, on: &impl Fn(u32)) {
    let names = || -> rusqlite::Result<Vec<String>> {
        let mut names = context.connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
        names.query_map([], |row| row.get(0))?.collect()
    };
    let tables = names().unwrap_or_else(|error| {
        found.note(error.to_string());
        Vec::new()
    });
    // A connection that searched keeps what it knows of the index of words, and takes it for damaged once another connection
    // has merged that index: the file is looked at over one that knows nothing yet.
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

/// Every stored value against its hash; gives those that are what was stored.
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

/// The numbering of every run, its events, and that the values to which they refer are there.
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

/// How far the whole is when so many of a look are done, which goes from one part to another.
fn part(done: usize, of: usize, from: u32, to: u32) -> u32 {
    let share = done as f64 / of.max(1) as f64;
    from + (f64::from(to - from) * share.min(1.0)) as u32
}
