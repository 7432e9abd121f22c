//! What a database may hold: the tables of this program and nothing that acts by itself.
//!
//! A data folder may come from anybody. A trigger, a view, an index or a changed table in it would have SQLite do what
//! somebody else wrote whenever something is read or stored.

use std::collections::BTreeMap;

use engine::LogError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Result};
use rusqlite_migration::Migrations;

use crate::error::Place;

/// Has a connection run nothing that the database brings with it.
pub(crate) fn distrust(connection: &Connection) -> Result<()> {
    for (setting, is_on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(setting, is_on)?;
    }
    Ok(())
}

/// Refuses a database of whatever format that has triggers or views: no format has any.
///
/// # Errors
/// `database_corrupt`.
pub(crate) fn refuse_triggers(place: &Place, connection: &Connection) -> std::result::Result<(), LogError> {
    for (name, entry) in entries(connection).map_err(|error| place.explain(&error))? {
        if matches!(entry.kind.as_str(), "trigger" | "view") {
            return Err(stranger(place, &entry.kind, &name));
        }
    }
    Ok(())
}

/// Refuses a database of the present format whose tables are not exactly those that the migrations make. A table that
/// another program put beside them is left alone.
///
/// # Errors
/// `database_corrupt`.
pub(crate) fn check(
    place: &Place,
    connection: &Connection,
    migrations: &Migrations<'_>,
) -> std::result::Result<(), LogError> {
    let explain = |error: rusqlite::Error| place.explain(&error);
    let mut made = Connection::open_in_memory().map_err(explain)?;
    migrations.to_latest(&mut made).map_err(|error| place.damaged(&error.to_string()))?;
    let mut ours = entries(&made).map_err(explain)?;
    let tables: Vec<String> = ours.keys().cloned().collect();
    let searched: Vec<String> =
        ours.iter().filter(|(_, entry)| entry.is_virtual()).map(|(name, _)| name.clone()).collect();
    // What a full-text index keeps its words in is made and read by SQLite alone.
    let is_of_index = |name: &str| {
        searched
            .iter()
            .any(|index| name.strip_prefix(index.as_str()).is_some_and(|rest| rest.starts_with('_')))
    };
    for (name, found) in entries(connection).map_err(explain)? {
        let known = ours.remove(&name);
        let is_fitting = match &known {
            Some(known) => known.kind == found.kind && (is_of_index(&name) || known.sql == found.sql),
            None if found.kind == "index" => !tables.contains(&found.table),
            None => found.kind == "table" && !found.is_virtual(),
        };
        if !is_fitting {
            return Err(stranger(place, &found.kind, &name));
        }
    }
    match ours.into_keys().next() {
        Some(missing) => Err(place.damaged(&format!("the table `{missing}` is missing"))),
        None => Ok(()),
    }
}

/// What the schema says of a table, an index, a view or a trigger.
struct Entry {
    kind: String,
    /// The table that it belongs to.
    table: String,
    /// How it was made, without regard to blanks; empty for what SQLite makes itself.
    sql: String,
}

impl Entry {
    fn is_virtual(&self) -> bool {
        self.sql.to_ascii_uppercase().starts_with("CREATE VIRTUAL")
    }
}

fn entries(connection: &Connection) -> Result<BTreeMap<String, Entry>> {
    connection
        .prepare("SELECT name, type, tbl_name, coalesce(sql, '') FROM sqlite_schema")?
        .query_map([], |row| {
            let sql: String = row.get(3)?;
            let sql = sql.split_whitespace().collect::<Vec<_>>().join(" ");
            Ok((row.get(0)?, Entry { kind: row.get(1)?, table: row.get(2)?, sql }))
        })?
        .collect()
}

fn stranger(place: &Place, kind: &str, name: &str) -> LogError {
    let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    place.damaged(&format!("its {kind} `{name}` is not Galley's own"))
}
