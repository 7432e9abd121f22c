//! Who may read the data folder: its owner alone. What was made with wider rights, by an earlier program or by hand, is
//! corrected when the folder is opened.

use std::path::{Path, PathBuf};

/// Names in the data folder that are the program's own, and how others begin.
const OWN: [&str; 6] = ["feeds.opml", "last-export.json", "prices.toml", "turns", "updates.json", "window"];
const OWN_BEGINNINGS: [&str; 3] = ["galley", ".galley-", "settings."];

/// Makes the data folder when it is missing; through a link a person may keep it elsewhere.
pub(crate) fn make_folder(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() { Ok(()) } else { disk::make_private_folder(folder) }
}

/// Takes the rights of everybody but the owner away from the folder and from what is the program's own in it. What the
/// system refuses the doctor tells.
pub(crate) fn restrict(folder: &Path) {
    // Through a link a person may keep the folder elsewhere.
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

/// The folder in the data folder in which a window may keep its things; none where it cannot be made, or where a link leads
/// to another place.
pub fn window_folder(folder: &Path) -> Option<PathBuf> {
    let kept = folder.join("window");
    disk::make_private_folder(&kept).ok()?;
    Some(kept)
}

/// The first thing in the folder that others may read: nothing where they may not enter it.
pub(crate) fn open_to_others(folder: &Path) -> Option<PathBuf> {
    let is_open = |path: &Path| std::fs::metadata(path).is_ok_and(|found| disk::is_open_to_others(&found));
    if !is_open(folder) {
        return None;
    }
    let found = own_files(folder).into_iter().find(|path| !path.is_symlink() && is_open(path));
    Some(found.unwrap_or_else(|| folder.to_owned()))
}

/// The program's own files and folders in the data folder, with what is in those.
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

/// Whether a folder is there for the program's data: it holds the database or nothing of anybody else's. A folder that
/// everybody shares, a home or the root of a disk stays as it is, whatever is put into it.
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
    fn a_folder_that_was_open_to_others_is_closed_with_everything_of_ours_in_it() {
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
    fn a_folder_that_others_share_keeps_its_rights_and_what_is_ours_in_it_is_closed() {
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
