//! Writing beside, syncing, moving into place: whoever reads the file sees the old content or the new one, also after a
//! crash, and what fails leaves nothing behind.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::{parent_of, resolve_link};

/// Writes a file for a person, where they want it: through a link to the file that it names, with the rights of the file
/// that it replaces, and straight into a pipe or a device.
///
/// # Errors
/// `AlreadyExists` when something is there and may not be replaced; else what the system says. Then the file is as it
/// was.
pub fn write_export(path: &Path, content: &[u8], may_replace: bool) -> io::Result<()> {
    if !may_replace && std::fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let target = resolve_link(path)?;
    let replaced = match std::fs::metadata(&target) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) => Some(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(replaced) = &replaced {
        // What may not be written is not replaced either.
        let mut file = OpenOptions::new().write(true).open(&target)?;
        if !replaced.is_file() {
            return file.write_all(content);
        }
    }
    let mut beside = beside(&target, 0o666)?;
    if let Some(replaced) = &replaced {
        take_over_rights(beside.as_file(), replaced)?;
    }
    beside.as_file_mut().write_all(content)?;
    beside.as_file().sync_all()?;
    if may_replace {
        beside.persist(&target)?;
    } else {
        beside.persist_noclobber(&target)?;
    }
    sync_folder(&target);
    Ok(())
}

/// Writes a file of the data folder, which only its owner may read, in place of whatever has its name.
///
/// # Errors
/// What the system says; then the file is as it was.
pub fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    written_beside(path, content)?.persist(path)?;
    sync_folder(path);
    Ok(())
}

/// Writes a file of the data folder, which only its owner may read, under a name that nothing has.
///
/// # Errors
/// `AlreadyExists` when something has its name, be it a link to nowhere; else what the system says.
pub fn write_new_private(path: &Path, content: &[u8]) -> io::Result<()> {
    written_beside(path, content)?.persist_noclobber(path)?;
    sync_folder(path);
    Ok(())
}

fn written_beside(path: &Path, content: &[u8]) -> io::Result<NamedTempFile> {
    let mut beside = beside(path, 0o600)?;
    beside.as_file_mut().write_all(content)?;
    beside.as_file().sync_all()?;
    Ok(beside)
}

/// Makes an empty file that only its owner may read.
///
/// # Errors
/// `AlreadyExists` when something has its name, be it a link to nowhere; else what the system says.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a file that only its owner may read, of so many bytes that the disk has given it, in place of whatever has its name:
/// until all of them are used, writing into it needs no more room.
///
/// # Errors
/// `StorageFull` where there is less room; else what the system says. No file is left then.
pub fn allocate_private(path: &Path, bytes: u64) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let file = create_private(path)?;
    match allocate(&file, bytes) {
        Ok(()) => Ok(file),
        Err(error) => {
            // Where it cannot be removed either, the first error is the one that matters.
            let _ = std::fs::remove_file(path);
            Err(error)
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;

    match fallocate(file, FallocateFlags::empty(), 0, bytes) {
        // A file system that cannot allocate gives room to what is written.
        Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => fill_with_zeros(file, bytes),
        allocated => Ok(allocated?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    fill_with_zeros(file, bytes)
}

fn fill_with_zeros(mut file: &File, bytes: u64) -> io::Result<()> {
    io::copy(&mut io::repeat(0).take(bytes), &mut file)?;
    file.sync_all()
}

/// How many bytes there are for this user on the disk that holds a folder, as far as the system tells.
pub fn available_bytes(folder: &Path) -> Option<u64> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        let found = rustix::fs::statvfs(folder).ok()?;
        found.f_bavail.checked_mul(found.f_frsize)
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    {
        let _ = folder;
        None
    }
}

/// Moves a file that is written and synced to another name in its folder, in place of whatever has it.
///
/// # Errors
/// What the system says.
pub fn move_into_place(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)?;
    sync_folder(to);
    Ok(())
}

/// A file in the same folder, so that it can be moved; it goes with its handle.
fn beside(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".galley-").suffix(".partial");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    // Its own name is nothing that a person should read.
    builder.tempfile_in(parent_of(path)).map_err(|error| error.kind().into())
}

/// Gives a file the owner and the rights of another; a group that it cannot have gets no rights.
#[cfg(unix)]
fn take_over_rights(file: &File, of: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let mut mode = of.mode() & 0o777;
    let mine = file.metadata()?;
    if mine.uid() != of.uid() {
        // Only the superuser may give a file away; whoever may not owns it from now on.
        let _ = fchown(file, Some(of.uid()), None);
    }
    if mine.gid() != of.gid() && fchown(file, None, Some(of.gid())).is_err() {
        mode &= !0o070;
    }
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn take_over_rights(file: &File, of: &Metadata) -> io::Result<()> {
    file.set_permissions(of.permissions())
}

/// Makes sure that the new name is on the disk, where the file system can promise that.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    let _ = File::open(parent_of(path)).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::PathBuf;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_export_goes_through_a_link_and_keeps_the_rights_of_what_it_replaces() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::create_dir(place("real")).unwrap();
        std::fs::write(place("real/post.md"), "old").unwrap();
        std::fs::set_permissions(place("real/post.md"), PermissionsExt::from_mode(0o640)).unwrap();
        symlink("real/post.md", place("post.md")).unwrap();
        symlink("real/later.md", place("later.md")).unwrap();
        for taken in ["post.md", "later.md", "real/post.md"] {
            let refused = write_export(&place(taken), b"new", false).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists, "{taken}");
        }
        write_export(&place("post.md"), b"new", true).unwrap();
        write_export(&place("later.md"), b"later", true).unwrap();
        assert!(place("post.md").is_symlink() && place("later.md").is_symlink());
        assert_eq!(std::fs::read_to_string(place("real/post.md")).unwrap(), "new");
        assert_eq!(std::fs::read_to_string(place("real/later.md")).unwrap(), "later");
        assert_eq!(mode(&place("real/post.md")), 0o640);
        write_export(&place("fresh.md"), b"fresh", false).unwrap();
        std::fs::write(place("usual"), "").unwrap();
        assert_eq!(mode(&place("fresh.md")), mode(&place("usual")));
        write_export(Path::new("/dev/null"), b"into a device", true).unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
        assert_eq!(names(&place("real")), ["later.md", "post.md"]);
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let looped = folder.path().join("looped");
        symlink(&looped, &looped).unwrap();
        std::fs::create_dir(folder.path().join("taken")).unwrap();
        let missing = folder.path().join("no/such/folder/file");
        let cases: [PathBuf; 3] = [looped, folder.path().join("taken"), missing];
        for path in &cases {
            assert!(write_export(path, b"text", true).is_err(), "{}", path.display());
        }
        assert!(write_private(&cases[1], b"text").is_err(), "a folder is not replaced");
        assert_eq!(names(folder.path()), ["looped", "taken"]);
    }

    #[test]
    fn a_file_of_the_data_folder_takes_the_place_of_a_link_and_not_of_what_it_leads_to() {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (folder.path().join("own"), folder.path().join("other"));
        std::fs::write(&other, "theirs").unwrap();
        symlink(&other, &own).unwrap();
        assert_eq!(create_private(&own).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(write_new_private(&own, b"ours").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert!(crate::append_private(&own).is_err());
        write_private(&own, b"ours").unwrap();
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "theirs");
        assert_eq!((std::fs::read_to_string(&own).unwrap().as_str(), mode(&own)), ("ours", 0o600));
    }
}
