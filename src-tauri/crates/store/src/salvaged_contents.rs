//! The large values of a damaged database: its own, or those of its backups when they are missing or damaged. The hash
//! proves that a value is the same.

use kernel::Hash;
use rusqlite::Connection;

use crate::backup_files::backups_in;
use crate::connection::READ_ONLY;
use crate::error::Place;
use crate::schema;
use crate::table::contents;

/// The sources of large values.
pub(crate) struct Contents<'a> {
    pub(crate) source: &'a Connection,
    /// The newest first.
    backups: Vec<Connection>,
}

impl Contents<'_> {
    /// Opens the backups in the folder of a damaged database. Unreadable backups are skipped.
    pub(crate) fn of<'a>(place: &Place, source: &'a Connection) -> Contents<'a> {
        let folder = place.folder.canonicalize().unwrap_or_else(|_| place.folder.clone());
        let backups = backups_in(&place.folder).unwrap_or_default().into_iter().filter_map(|backup| {
            let connection = Connection::open_with_flags(folder.join(backup.file), READ_ONLY).ok()?;
            schema::harden(&connection).ok()?;
            Some(connection)
        });
        Contents { source, backups: backups.collect() }
    }

    /// The JSON text with this hash, as it was stored.
    pub(crate) fn get(&self, hash: &str) -> Option<String> {
        std::iter::once(self.source).chain(&self.backups).find_map(|connection| {
            let text = contents::read(connection, hash, str::to_owned).ok()??;
            (Hash::of(text.as_bytes()).0 == hash).then_some(text)
        })
    }
}
