//! Writes a temporary file, syncs it and renames it: a reader sees the old content or the new one, even after a crash,
//! and a failure leaves no temporary file.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::{parent_of, resolve_link};

/// Writes a file where a person wants it: through a link to its target, with the permissions of the file that it
/// replaces, and directly into a pipe or a device.
///
/// # Errors
/// `AlreadyExists` when the path exists and may not be replaced; or the error of the system. The old file is then
/// unchanged.
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
        // A file without write permission is not replaced either.
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

/// Writes a file of the data folder, with permissions for its owner only, and replaces an existing one.
///
/// # Errors
/// The error of the system; the old file is then unchanged.
pub fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    written_beside(path, content)?.persist(path)?;
    sync_folder(path);
    Ok(())
}

/// Writes a new file of the data folder, with permissions for its owner only.
///
/// # Errors
/// `AlreadyExists` when the path exists, even as a dangling link; or the error of the system.
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

/// Creates an empty file with permissions for its owner only.
///
/// # Errors
/// `AlreadyExists` when the path exists, even as a dangling link; or the error of the system.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Creates a file with permissions for its owner only and allocates `bytes` on the disk, replacing an existing file:
/// until these bytes are used, writes need no more space.
///
/// # Errors
/// `StorageFull` where the disk has less space; or the error of the system. No file is left then.
pub fn allocate_private(path: &Path, bytes: u64) -> io::Result<File> {
    remove_if_there(path)?;
    let file = create_private(path)?;
    match allocate(&file, bytes) {
        Ok(()) => Ok(file),
        Err(error) => {
            // If removing it fails too, the first error is the one to report.
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
        // A file system without allocation reserves space for written bytes.
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

/// Removes a file; succeeds when there is none.
///
/// # Errors
/// The error of the system.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The bytes that this user can still write to the disk of a folder; `None` where the system does not tell.
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

/// Renames a written and synced file within its folder, replacing an existing file.
///
/// # Errors
/// The error of the system.
pub fn move_into_place(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)?;
    sync_folder(to);
    Ok(())
}

/// A temporary file in the same folder, so that it can be renamed; it is deleted with its handle.
fn beside(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".galley-").suffix(".partial");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    // The error without the temporary name, which means nothing to a person.
    builder.tempfile_in(parent_of(path)).map_err(|error| error.kind().into())
}

/// Copies owner and permissions of another file; where the group cannot be set, it gets no permissions.
#[cfg(unix)]
fn take_over_rights(file: &File, of: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let mut mode = of.mode() & 0o777;
    let mine = file.metadata()?;
    if mine.uid() != of.uid() {
        // Only the superuser may change the owner; otherwise the current user owns the file.
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

/// Syncs the new name to the disk, where the file system supports it.
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
    fn a_file_of_the_data_folder_replaces_a_link_but_not_its_target() {
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
