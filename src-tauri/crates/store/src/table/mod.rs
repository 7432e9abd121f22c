//! One file per table: its schema and all statements on it.
//!
//! To add a table: its file, a line here, a line in the list of migrations below.

pub(crate) mod contents;
pub(crate) mod data_sets;
pub(crate) mod evaluations;
pub(crate) mod event_row;
pub(crate) mod events;
pub(crate) mod library;
pub(crate) mod library_embeddings;
pub(crate) mod library_words;
pub(crate) mod messages;
pub(crate) mod meta;
pub(crate) mod processes;
pub(crate) mod run_cards;
pub(crate) mod run_marks;
pub(crate) mod run_requests;
pub(crate) mod run_words;
pub(crate) mod runs;
pub(crate) mod schedule_firings;
pub(crate) mod schedules;
pub(crate) mod sessions;
pub(crate) mod snapshots;
pub(crate) mod spending;

use rusqlite_migration::{M, Migrations};

/// The migrations from an empty file to the current format, in order. Released steps are never changed; each change of
/// a table is a new step at the end.
const STEPS: &[M<'static>] = &[
    M::up(meta::CREATE),
    M::up(processes::CREATE),
    M::up(sessions::CREATE),
    M::up(runs::CREATE),
    M::up(events::CREATE),
    M::up(contents::CREATE),
    M::up(snapshots::CREATE),
    M::up(messages::CREATE),
    M::up(run_words::CREATE),
    M::up(library::CREATE),
    M::up(library_words::CREATE),
    M::up(run_marks::CREATE),
    M::up(spending::CREATE),
    M::up(spending::CACHED),
    M::up(events::CREATE_REFERRING),
    M::up(run_marks::ADD_TAGS),
    M::up(spending::OPEN),
    M::up(events::DROP_REFERRING),
    M::up(spending::SPEED),
    M::up(events::ADD_RAN),
    M::up(runs::ADD_RAISED),
    M::up(events::ADD_CHECKSUM),
    M::up(snapshots::ADD_CHECKSUM),
    M::up(contents::KEEP_BY_ROW),
    M::up(runs::ADD_IMPORTED),
    M::up(library_embeddings::CREATE),
    M::up(run_requests::CREATE),
    M::up(schedules::CREATE),
    M::up(schedule_firings::CREATE),
    M::up(data_sets::CREATE),
    M::up(evaluations::CREATE),
];

/// The migrations of this program.
pub(crate) const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// The current format: the number of migrations.
pub(crate) const FORMAT: usize = STEPS.len();

#[cfg(test)]
mod tests {
    #[test]
    fn every_migration_applies_to_an_empty_database() {
        super::MIGRATIONS.validate().unwrap();
    }

    #[test]
    fn large_values_survive_the_migration_of_their_table() {
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        let at =
            super::STEPS.iter().position(|step| *step == super::M::up(super::contents::KEEP_BY_ROW)).unwrap();
        super::MIGRATIONS.to_version(&mut connection, at).unwrap();
        super::contents::insert(&connection, "h", "[1]").unwrap();
        super::MIGRATIONS.to_latest(&mut connection).unwrap();
        super::contents::insert(&connection, "h", "[2]").unwrap();
        assert_eq!(super::contents::read(&connection, "h", str::to_owned).unwrap().as_deref(), Some("[1]"));
    }
}
