//! The package that installed this program.

use std::path::{Path, PathBuf};

use crate::api::PackageKind;

/// Where a package says what kind it is, from the folder of the program.
const MARK: &str = "../lib/Galley/package";
/// The variables with the path of an AppImage and of the folder where it is mounted. Programs that it starts inherit
/// them.
const APP_IMAGE: &str = "APPIMAGE";
const MOUNTED_AT: &str = "APPDIR";

/// The AppImage that this program is part of.
pub(crate) fn app_image() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    program
        .starts_with(std::env::var_os(MOUNTED_AT)?)
        .then(|| std::env::var_os(APP_IMAGE).map(PathBuf::from))?
}

/// The kind of package around this program; none for a program that was built here.
pub(crate) fn installed_package() -> Option<PackageKind> {
    if app_image().is_some() {
        return Some(PackageKind::AppImage);
    }
    let program = std::env::current_exe().and_then(std::fs::canonicalize).ok()?;
    kind_beside(program.parent()?)
}

fn kind_beside(folder: &Path) -> Option<PackageKind> {
    let mark = std::fs::read_to_string(folder.join(MARK)).ok()?;
    serde_json::from_value(mark.trim().into()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_beside_the_mark_of_a_package_is_of_that_package() {
        let root = tempfile::tempdir().unwrap();
        let (programs, library) = (root.path().join("bin"), root.path().join("lib/Galley"));
        std::fs::create_dir_all(&programs).unwrap();
        std::fs::create_dir_all(&library).unwrap();
        assert_eq!(kind_beside(&programs), None);
        for (mark, kind) in
            [("deb\n", Some(PackageKind::Deb)), ("rpm", Some(PackageKind::Rpm)), ("snap", None)]
        {
            std::fs::write(library.join("package"), mark).unwrap();
            assert_eq!(kind_beside(&programs), kind, "{mark}");
        }
    }
}
