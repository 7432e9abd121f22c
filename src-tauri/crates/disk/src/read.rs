//! Opens and reads paths that may be anything: a pipe without a writer, an endless device, a link.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens a file of the data folder for reading and writing. A missing file is created with permissions for its owner
/// only.
///
/// # Errors
/// It is a link, a folder, a pipe or a device, or the system refuses.
pub fn open_private(path: &Path) -> io::Result<File> {
    open_own(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))
}

/// As [`open_private`], for appending.
///
/// # Errors
/// As [`open_private`].
pub fn append_private(path: &Path) -> io::Result<File> {
    open_own(path, OpenOptions::new().append(true).create(true))
}

fn open_own(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    if let Ok(found) = std::fs::symlink_metadata(path) {
        refuse_irregular(&found)?;
    }
    let file = open(options, path, true)?;
    refuse_irregular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a text of at most `most_bytes`, as [`read_file`] does.
///
/// # Errors
/// As [`read_file`]; `InvalidData` when it is not UTF-8.
pub fn read_text(path: &Path, most_bytes: u64) -> io::Result<String> {
    String::from_utf8(read_file(path, most_bytes)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Reads at most `most_bytes` from a regular file that a person names, or from the target of a link: never from a pipe
/// or a device, which may be endless.
///
/// # Errors
/// `InvalidInput` when it is no regular file, `IsADirectory`, `FileTooLarge` when it is longer; or the error of the
/// system.
pub fn read_file(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_named(path)?.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is longer than {most_bytes} bytes"),
        ));
    }
    Ok(bytes)
}

/// Opens a regular file that a person names, or the target of a link, for reading.
///
/// # Errors
/// As [`read_file`], without the limit of length.
pub fn open_named(path: &Path) -> io::Result<File> {
    refuse_irregular(&std::fs::metadata(path)?)?;
    let file = open(OpenOptions::new().read(true), path, false)?;
    refuse_irregular(&file.metadata()?)?;
    Ok(file)
}

/// Opens without waiting for the other end of a pipe, and optionally without following a link.
fn open(options: &mut OpenOptions, path: &Path, refuses_links: bool) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        let links = if refuses_links { libc::O_NOFOLLOW } else { 0 };
        options.mode(0o600).custom_flags(libc::O_NONBLOCK | links);
    }
    #[cfg(not(unix))]
    let _ = refuses_links;
    options.open(path)
}

fn refuse_irregular(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        Ok(())
    } else if found.is_symlink() {
        Err(crate::refused("it is a link to another place"))
    } else if found.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        Err(crate::refused("it is no regular file"))
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_text_is_read_from_regular_files_only_and_never_without_bound() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("text");
        std::fs::write(&text, "0123456789").unwrap();
        assert_eq!(read_text(&text, 10).unwrap(), "0123456789");
        assert_eq!(read_text(&text, 9).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        std::fs::write(&text, b"\xff").unwrap();
        assert_eq!(read_text(&text, 9).unwrap_err().kind(), io::ErrorKind::InvalidData);
        let link = folder.path().join("link");
        symlink(&text, &link).unwrap();
        std::fs::write(&text, "linked").unwrap();
        assert_eq!(read_text(&link, 9).unwrap(), "linked");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for irregular in [pipe.as_path(), Path::new("/dev/zero"), folder.path()] {
            assert!(read_text(irregular, 9).is_err(), "{}", irregular.display());
        }
        assert_eq!(read_text(&folder.path().join("none"), 9).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_file_of_the_data_folder_is_private_and_never_opened_through_a_link_or_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        open_private(&place("lock")).unwrap();
        assert_eq!(mode(&place("lock")), 0o600);
        symlink(place("elsewhere"), place("dangling")).unwrap();
        symlink(place("lock"), place("link")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(place("pipe")).status().unwrap().success());
        for name in ["dangling", "link", "pipe", "."] {
            assert!(open_private(&place(name)).is_err(), "{name}");
        }
        assert!(!place("elsewhere").exists());
    }
}
