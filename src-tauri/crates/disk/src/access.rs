//! The permissions of the data folder: only its owner may read it.

use std::fs::{DirBuilder, Metadata};
use std::io;
use std::path::Path;

/// Creates a folder that only its owner may enter, with its parents. An existing folder is not changed.
///
/// # Errors
/// It cannot be created, or the path is a file or a link.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(found) if found.is_symlink() => Err(crate::refused("it is a link to another place")),
        Ok(_) => Err(io::ErrorKind::NotADirectory.into()),
        Err(_) => {
            let mut builder = DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(path)
        }
    }
}

/// Whether other users have any permission for a file or folder. For a link, the target does not count.
#[cfg(unix)]
pub fn is_open_to_others(found: &Metadata) -> bool {
    !found.is_symlink() && std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0
}

/// Whether other users have any permission for a file or folder: unknown on this system.
#[cfg(not(unix))]
pub fn is_open_to_others(_: &Metadata) -> bool {
    false
}

/// Removes the permissions of other users from a file or folder. Links and private files are not changed.
///
/// # Errors
/// The system refuses, for instance because another user owns it.
pub fn restrict(path: &Path) -> io::Result<()> {
    let found = std::fs::symlink_metadata(path)?;
    if !is_open_to_others(&found) {
        return Ok(());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        let mode = found.permissions().mode() & 0o700;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}
