//! Copies the readable data of a damaged database into a new one: every run up to its first unreadable event, even when
//! its start is unreadable; the library; data sets and evaluations; and the usage of deleted runs and outside of runs.
//!
//! Indexes and caches are not copied but rebuilt.

use std::sync::Arc;

use engine::LogError;
use kernel::{Event, Fact, Seq};
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, Row, params_from_iter};

use crate::connection::{READ_ONLY, real_path, without_log};
use crate::error::Place;
use crate::json;
use crate::salvaged_beginning::{StoredStart, salvage_beginning};
use crate::salvaged_contents::Contents;
use crate::schema;
use crate::table::events::{self, Encoded, Source};
use crate::table::{contents, library_words, runs, sessions};

/// The tables that are copied row by row, each with its key.
const COPIED_TABLES: [(&str, &str); 13] = [
    ("meta", "name"),
    ("sessions", "session"),
    ("messages", "id"),
    ("run_marks", "run"),
    ("spending", "run, month, profile, model, agent"),
    ("library", "number"),
    ("library_removed", "id"),
    ("data_sets", "id"),
    ("data_set_cases", "data_set, number"),
    ("evaluations", "id"),
    ("evaluation_cells", "evaluation, number"),
    ("schedules", "id"),
    ("schedule_firings", "id"),
];

/// The copied data.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Salvaged {
    pub(crate) runs: u32,
    /// Runs among them that are cut before unreadable data.
    pub(crate) shortened: u32,
    /// Runs among them that can be displayed but not executed, because their start could not be read.
    pub(crate) without_definition: u32,
    pub(crate) lost: u32,
}

/// Copies the readable data; none from a file that is no database.
///
/// # Errors
/// When the new database cannot be written.
pub(crate) fn salvage(place: &Place, target: &Connection) -> Result<Salvaged, LogError> {
    let explain = |error: rusqlite::Error| place.explain(&error);
    let Some(source) = connect(place) else { return Ok(Salvaged::default()) };
    let contents = Contents::of(place, &source);
    target.execute_batch("BEGIN").map_err(explain)?;
    for (table, key) in COPIED_TABLES {
        copy(&source, target, table, key).map_err(explain)?;
    }
    index_library(target).map_err(explain)?;
    // The row numbers of deleted runs are not reused, because a new run would get their costs.
    let spent =
        "INSERT OR IGNORE INTO spending_known (run, seq) SELECT DISTINCT run, 0 FROM spending WHERE run > 0";
    target.execute_batch(spent).map_err(explain)?;
    let mut salvaged = Salvaged::default();
    let columns = common_columns(&source, target, "runs");
    for row in rows(&source, "runs", &columns, "id") {
        match copy_run(place, &contents, target, &columns, row)? {
            Some(CopiedRun { is_shortened, has_definition }) => {
                salvaged.runs += 1;
                salvaged.shortened += u32::from(is_shortened);
                salvaged.without_definition += u32::from(!has_definition);
            }
            None => salvaged.lost += 1,
        }
    }
    target.execute_batch("COMMIT").map_err(explain)?;
    Ok(salvaged)
}

/// Opens the damaged database with its log, or without it when the log is unreadable; neither is changed.
fn connect(place: &Place) -> Option<Connection> {
    let path = real_path(place).to_string_lossy().into_owned();
    let found = [(path, READ_ONLY), without_log(place)];
    found.into_iter().find_map(|(name, flags)| {
        let connection = Connection::open_with_flags(name, flags).ok()?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).ok()?;
        schema::harden(&connection).ok()?;
        let has_runs = "SELECT count(*) FROM sqlite_schema WHERE name = 'runs' AND type = 'table'";
        let is_there = connection.query_row(has_runs, [], |row| row.get::<_, i64>(0)).ok()? == 1;
        is_there.then_some(connection)
    })
}

/// The columns that a table has in both databases: one of an older format has fewer.
fn common_columns(source: &Connection, target: &Connection, table: &str) -> Vec<String> {
    let of = |connection: &Connection| -> Vec<String> {
        let names = connection.prepare("SELECT name FROM pragma_table_info(?1)").and_then(|mut statement| {
            statement.query_map([table], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
        });
        names.unwrap_or_default()
    };
    let there = of(source);
    of(target).into_iter().filter(|name| there.contains(name)).collect()
}

/// The rows that can be read from the beginning and from the end; those between are on damaged pages.
fn rows(source: &Connection, table: &str, columns: &[String], key: &str) -> Vec<Vec<Value>> {
    if columns.is_empty() {
        return Vec::new();
    }
    let read = |order: &str| -> (Vec<Vec<Value>>, bool) {
        let sql = format!("SELECT {} FROM {table} ORDER BY {order}", columns.join(", "));
        let Ok(mut statement) = source.prepare(&sql) else { return (Vec::new(), false) };
        let Ok(mut found) = statement.query([]) else { return (Vec::new(), false) };
        let mut rows = Vec::new();
        loop {
            match found.next() {
                Ok(Some(row)) => rows.extend(values(row, columns.len()).ok()),
                Ok(None) => return (rows, true),
                Err(_) => return (rows, false),
            }
        }
    };
    let (mut rows, is_whole) = read(key);
    if !is_whole {
        let backwards: Vec<String> = key.split(", ").map(|column| format!("{column} DESC")).collect();
        let (behind, _) = read(&backwards.join(", "));
        rows.extend(behind.into_iter().rev());
    }
    rows
}

fn values(row: &Row<'_>, count: usize) -> rusqlite::Result<Vec<Value>> {
    (0..count).map(|column| row.get(column)).collect()
}

fn copy(source: &Connection, target: &Connection, table: &str, key: &str) -> rusqlite::Result<()> {
    let columns = common_columns(source, target, table);
    for row in rows(source, table, &columns, key) {
        insert(target, table, &columns, &row)?;
    }
    Ok(())
}

/// Inserts a row unless it exists or has invalid values; returns whether it did.
fn insert(target: &Connection, table: &str, columns: &[String], row: &[Value]) -> rusqlite::Result<bool> {
    let places = vec!["?"; columns.len()].join(", ");
    let sql = format!("INSERT OR IGNORE INTO {table} ({}) VALUES ({places})", columns.join(", "));
    match target.prepare_cached(&sql)?.execute(params_from_iter(row)) {
        Ok(count) => Ok(count == 1),
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if matches!(failure.code, ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

fn index_library(target: &Connection) -> rusqlite::Result<()> {
    let mut articles = target.prepare("SELECT number, title, text FROM library")?;
    let mut rows = articles.query([])?;
    while let Some(row) = rows.next()? {
        library_words::insert(target, row.get(0)?, row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?)?;
    }
    Ok(())
}

/// How much of a run was copied.
struct CopiedRun {
    is_shortened: bool,
    has_definition: bool,
}

/// Copies a run; `None` when none of its events can be read.
fn copy_run(
    place: &Place,
    stored: &Contents<'_>,
    target: &Connection,
    columns: &[String],
    mut row: Vec<Value>,
) -> Result<Option<CopiedRun>, LogError> {
    let source = stored.source;
    let explain = |error: rusqlite::Error| place.explain(&error);
    let place_of = |name: &str| columns.iter().position(|column| column == name);
    let text = |name: &str| match place_of(name).and_then(|at| row.get(at)) {
        Some(Value::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let number = |name: &str| match place_of(name).and_then(|at| row.get(at)) {
        Some(Value::Integer(number)) => *number,
        _ => 0,
    };
    let id = number("id");
    let (session, started_at_ms) = (text("session"), number("started_at_ms"));
    // The row itself may be damaged.
    let last = events::last_stored(source, id).unwrap_or(0);
    let last = last.max(Seq::try_from(number("last_seq")).unwrap_or(0));
    let known = StoredStart {
        pipeline: text("pipeline"),
        title: text("title"),
        definition: text("definition"),
        inputs: text("inputs"),
    };
    let beginning = salvage_beginning(place, stored, &known)?;
    let mut needed = beginning.contents;
    let mut rows = Vec::new();
    for event in readable(place, source, id, last) {
        let Some(values) = whole_values(stored, &event) else { break };
        needed.extend(values);
        let fact = json::encode(&event.fact, "an event")?;
        rows.push(Encoded { event: Arc::new(event), fact });
    }
    let Some(end) = rows.last().map(|row| (row.event.seq, row.event.at_ms)) else { return Ok(None) };
    sessions::ensure(target, &session, started_at_ms).map_err(explain)?;
    for (name, text) in [("definition", beginning.definition), ("inputs", beginning.inputs)] {
        if let Some(value) = place_of(name).and_then(|at| row.get_mut(at)) {
            *value = Value::Text(text);
        }
    }
    if !insert(target, "runs", columns, &row).map_err(explain)? {
        return Ok(None);
    }
    for (hash, json) in needed {
        contents::insert(target, &hash, &json).map_err(explain)?;
    }
    events::insert(target, id, &rows).map_err(explain)?;
    let outcome = rows.iter().rev().find_map(|row| match &row.event.fact {
        Fact::RunEnded { outcome, .. } => Some(Some(*outcome)),
        Fact::RunStarted { .. } | Fact::RunResumed { .. } => Some(None),
        _ => None,
    });
    runs::set_end(target, id, end, outcome.flatten()).map_err(explain)?;
    Ok(Some(CopiedRun { is_shortened: end.0 != last, has_definition: beginning.is_whole }))
}

/// The events up to the first unreadable one.
fn readable(place: &Place, connection: &Connection, run: i64, last: Seq) -> Vec<Event> {
    let source = Source { place, connection, left_out: None };
    source
        .every(run, 1, last)
        .unwrap_or_else(|_| (1..=last).map_while(|seq| source.every(run, seq, seq).ok()).flatten().collect())
}

/// The values that an event refers to, if all of them exist.
fn whole_values(stored: &Contents<'_>, event: &Event) -> Option<Vec<(String, String)>> {
    let values = event.values().into_iter().filter(|value| value.is_stored());
    values
        .map(|value| {
            let hash = value.hash().0;
            let text = stored.get(&hash)?;
            Some((hash, text))
        })
        .collect()
}
