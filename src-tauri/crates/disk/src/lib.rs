//! L0: files on the disk, written whole or not at all, and read without hanging.
//!
//! What the program writes for a person goes through [`write_export`], what it keeps in its data folder through
//! [`write_private`] and [`open_private`]. Anybody may have put links, pipes and devices into a data folder, so its
//! files are opened only where they are regular files.
//!
//! Not here: sentences for people, since every caller knows better what the file is for.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod access;
mod read;
mod write;

pub use access::{is_open_to_others, make_private_folder, restrict};
pub use read::{append_private, open_named, open_private, read_file, read_text};
pub use write::{
    allocate_private, available_bytes, create_private, move_into_place, write_export, write_new_private,
    write_private,
};

use std::io;
use std::path::{Path, PathBuf};

/// So many links lead from one to the next at the most, as in the kernel.
const MOST_LINKS: usize = 40;

/// Where a link leads, also when nothing is there; the path itself when it is no link.
///
/// # Errors
/// When a link cannot be read, or too many lead to each other.
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

/// The folder in which a file lies.
fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
