//! The package that installed this program.

use std::path::Path;

use crate::api::PackageKind;

/// Where a package says what kind it is, from the folder of the program.
const MARK: &str = "../lib/Galley/package";
/// The variable with the path of an AppImage, set by its own start.
const APP_IMAGE: &str = "APPIMAGE";

/// The kind of package around this program; none for a program that was built here.
pub(crate) fn installed_package() -> Option<PackageKind> {
    if std::env::var_os(APP_IMAGE).is_some() {
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
