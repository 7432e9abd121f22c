//! Who may read the data folder: its owner, and nobody else.

use std::fs::{DirBuilder, Metadata};
use std::io;
use std::path::Path;

/// Makes a folder that only its owner may enter, with the folders above it. One that is there already is left as it is.
///
/// # Errors
/// When it cannot be made, or something else has its name: a file, or a link to anywhere.
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

/// Whether others than the owner may do anything with a file or folder. A link says nothing of what it leads to.
#[cfg(unix)]
pub fn is_open_to_others(found: &Metadata) -> bool {
    !found.is_symlink() && std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0
}

/// Whether others than the owner may do anything with a file or folder: that is not told here.
#[cfg(not(unix))]
pub fn is_open_to_others(_: &Metadata) -> bool {
    false
}

/// Takes the rights of everybody but the owner away from a file or folder; links, and what is private already, are left
/// alone.
///
/// # Errors
/// When the system refuses, for instance because somebody else owns it.
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
