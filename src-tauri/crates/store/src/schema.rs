//! Checks that a database has only the tables of this program, and nothing that runs code.
//!
//! A data folder may come from an untrusted source. A trigger, view, index or changed table in it would make SQLite run
//! foreign SQL on a read or write.

use std::collections::BTreeMap;

use engine::LogError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Result};
use rusqlite_migration::Migrations;

use crate::error::Place;

/// Disables triggers, views and unsafe functions in the schema of an untrusted database.
pub(crate) fn harden(connection: &Connection) -> Result<()> {
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

/// Fails for a database of any format with triggers or views: no format has any.
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

/// Fails for a database of the current format whose tables differ from those of the migrations. Additional tables of
/// other programs are ignored.
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
    // The shadow tables of a full-text index are created and read only by SQLite.
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

/// A schema entry of a table, an index, a view or a trigger.
struct Entry {
    kind: String,
    /// The table that it belongs to.
    table: String,
    /// Its SQL with whitespace removed; empty for SQLite's internal objects.
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
