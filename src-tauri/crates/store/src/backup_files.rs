//! The backups in a data folder, which are known by their names.

use std::fs::DirEntry;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The prefix of backup names.
pub(crate) const BACKUP_PREFIX: &str = "galley-backup-";

/// A backup of the database.
#[derive(Debug, Clone, PartialEq)]
pub struct Backup {
    /// Its name in the data folder.
    pub file: String,
    /// The time when it was made, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The backups in a data folder, the newest first.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) fn backups_in(folder: &Path) -> io::Result<Vec<Backup>> {
    let mut backups: Vec<Backup> =
        std::fs::read_dir(folder)?.flatten().filter_map(|entry| backup(&entry)).collect();
    backups.sort_by(|a, b| b.at_ms.cmp(&a.at_ms).then_with(|| b.file.cmp(&a.file)));
    Ok(backups)
}

fn backup(entry: &DirEntry) -> Option<Backup> {
    let file = entry.file_name().to_string_lossy().into_owned();
    let is_copy = Path::new(&file).extension().is_some_and(|ending| ending == "sqlite3");
    if !file.starts_with(BACKUP_PREFIX) || !is_copy {
        return None;
    }
    // Links, pipes and empty files are no backups.
    let found = entry.metadata().ok().filter(|found| found.is_file() && found.len() > 0)?;
    let at_ms = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_millis();
    Some(Backup { file, at_ms: i64::try_from(at_ms).unwrap_or(i64::MAX), bytes: found.len() })
}
