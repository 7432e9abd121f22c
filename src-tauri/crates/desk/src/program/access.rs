//! Restricts the data folder to its owner. Wider permissions, of an earlier program or set by hand, are corrected when
//! the folder is opened.

use std::path::{Path, PathBuf};

/// Names of the program's own files in the data folder, and prefixes of others.
const OWN: [&str; 6] = ["feeds.opml", "last-export.json", "prices.toml", "turns", "updates.json", "window"];
const OWN_BEGINNINGS: [&str; 3] = ["galley", ".galley-", "settings."];

/// Creates the data folder if missing. It may be a link to another place.
pub(crate) fn make_folder(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() { Ok(()) } else { disk::make_private_folder(folder) }
}

/// Removes the permissions of other users from the folder and the program's own files in it. The doctor reports what
/// the system refuses.
pub(crate) fn restrict(folder: &Path) {
    // The data folder may be a link to another place.
    let Ok(folder) = &folder.canonicalize() else { return };
    let mut paths = own_files(folder);
    if is_for_data(folder) {
        paths.push(folder.to_owned());
    }
    for path in paths {
        if let Err(error) = disk::restrict(&path) {
            tracing::warn!(%error, path = %path.display(), "others than the owner may read this");
        }
    }
}

/// The folder for the files of a window, in the data folder; `None` where it cannot be created, or is a link to another
/// place.
pub fn window_folder(folder: &Path) -> Option<PathBuf> {
    let kept = folder.join("window");
    disk::make_private_folder(&kept).ok()?;
    Some(kept)
}

/// The first file in the folder that others may read; `None` where they may not enter the folder.
pub(crate) fn open_to_others(folder: &Path) -> Option<PathBuf> {
    let is_open = |path: &Path| std::fs::metadata(path).is_ok_and(|found| disk::is_open_to_others(&found));
    if !is_open(folder) {
        return None;
    }
    let found = own_files(folder).into_iter().find(|path| !path.is_symlink() && is_open(path));
    Some(found.unwrap_or_else(|| folder.to_owned()))
}

/// The program's own files and folders in the data folder, with the content of these folders.
fn own_files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = entries(folder).into_iter().filter(|path| is_own(path)).collect();
    let mut next = 0;
    while let Some(path) = found.get(next).cloned() {
        if !path.is_symlink() && path.is_dir() {
            found.extend(entries(&path));
        }
        next += 1;
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.flatten().map(|entry| entry.path()).collect()
}

fn is_own(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    OWN.contains(&name.as_ref()) || OWN_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

/// Whether a folder is dedicated to the program's data: it contains the database, or only the program's own files. A
/// shared folder, a home or the root of a disk is not changed.
fn is_for_data(folder: &Path) -> bool {
    let holds_database = folder.join(store::DATABASE_FILE).is_file();
    let is_home = directories::UserDirs::new().is_some_and(|dirs| dirs.home_dir() == folder);
    let is_root = folder.canonicalize().map_or(true, |real| real.parent().is_none());
    let is_alone = || entries(folder).iter().all(|path| is_own(path));
    (holds_database || is_alone()) && !is_home && !is_root && !is_shared(folder)
}

fn is_shared(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        const STICKY: u32 = 0o1000;
        std::fs::metadata(folder).map_or(true, |found| found.permissions().mode() & STICKY != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        false
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }

    #[test]
    fn permissions_of_others_are_removed_from_the_folder_and_our_files() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("data");
        std::fs::create_dir_all(folder.join("turns")).unwrap();
        let ours = [
            "galley.sqlite3",
            "galley.sqlite3-wal",
            "galley-backup-1-x.sqlite3",
            "settings.toml",
            "turns/arxiv",
        ];
        for name in ours {
            std::fs::write(folder.join(name), "x").unwrap();
            set_mode(&folder.join(name), 0o644);
        }
        std::fs::write(outer.path().join("theirs"), "x").unwrap();
        std::fs::write(folder.join("notes"), "x").unwrap();
        for path in [outer.path().join("theirs"), folder.join("notes")] {
            set_mode(&path, 0o644);
        }
        symlink(outer.path().join("theirs"), folder.join("prices.toml")).unwrap();
        set_mode(&folder, 0o755);
        assert!(open_to_others(&folder).is_some());
        restrict(&folder);
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&folder.join("turns")), 0o700);
        for name in ours {
            assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
        }
        assert_eq!(mode(&outer.path().join("theirs")), 0o644, "a link leads to what is not ours");
        assert_eq!(mode(&folder.join("notes")), 0o644, "nor is what somebody else put there");
        assert_eq!(open_to_others(&folder), None);
    }

    #[test]
    fn a_shared_folder_keeps_its_permissions_and_our_files_become_private() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("shared");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("theirs"), "x").unwrap();
        std::fs::write(folder.join("settings.toml"), "").unwrap();
        set_mode(&folder.join("settings.toml"), 0o644);
        set_mode(&folder, 0o755);
        restrict(&folder);
        assert_eq!((mode(&folder), mode(&folder.join("settings.toml"))), (0o755, 0o600));
        std::fs::write(folder.join("galley.sqlite3"), "x").unwrap();
        set_mode(&folder, 0o1777);
        restrict(&folder);
        assert_eq!(mode(&folder), 0o1777);
    }
}
