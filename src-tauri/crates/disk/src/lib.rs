//! L0: files on the disk, written atomically and read without blocking on pipes or devices.
//!
//! Files for a person are written with [`write_export`], files of the data folder with [`write_private`] and
//! [`open_private`]. A data folder may contain links, pipes and devices, so its files are opened only where they are
//! regular files.
//!
//! Not here: messages for people, because callers know the purpose of the file.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod access;
mod read;
mod write;

pub use access::{is_open_to_others, make_private_folder, restrict};
pub use read::{append_private, open_named, open_private, read_file, read_text};
pub use write::{
    allocate_private, available_bytes, create_private, move_into_place, remove_if_there, write_export,
    write_new_private, write_private,
};

use std::io;
use std::path::{Path, PathBuf};

/// Most links in a chain, as in the kernel.
const MOST_LINKS: usize = 40;

/// The target of a link, even if it does not exist; the path itself when it is no link.
///
/// # Errors
/// A link cannot be read, or the chain of links is too long.
pub fn resolve_link(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => path = parent_of(&path).join(std::fs::read_link(&path)?),
            _ => return Ok(path),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link that leads back to itself"))
}

/// The folder of a file.
fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
