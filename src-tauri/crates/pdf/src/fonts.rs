//! The fonts for pages.

use std::path::PathBuf;
use std::sync::OnceLock;

use typst_kit::fonts::{FontStore, embedded, scan, system};

/// The fonts in the program, those installed with it, and those of this machine, loaded once.
///
/// Latin, Greek and Cyrillic letters and code use fonts inside the program; Chinese, Japanese, Korean and emoji use
/// those installed beside it, or fonts of the machine with the same names. Missing characters use any other font of the
/// machine.
pub(crate) fn fonts() -> &'static FontStore {
    static FONTS: OnceLock<FontStore> = OnceLock::new();
    FONTS.get_or_init(|| {
        let mut fonts = FontStore::new();
        fonts.extend(embedded());
        for folder in shipped().iter().filter(|folder| folder.is_dir()) {
            fonts.extend(scan(folder));
        }
        fonts.extend(system());
        fonts
    })
}

/// The folders of the installed fonts: beside the program, or where a package installs them.
fn shipped() -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    let folder = program.ok().and_then(|program| program.parent().map(PathBuf::from));
    folder.map(|folder| vec![folder.join("fonts"), folder.join("../lib/Galley/fonts")]).unwrap_or_default()
}
