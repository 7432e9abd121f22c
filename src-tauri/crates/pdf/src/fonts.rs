//! The fonts that pages are set in.

use std::path::PathBuf;
use std::sync::OnceLock;

use typst_kit::fonts::{FontStore, embedded, scan, system};

/// The fonts in the program, those shipped with it, and those of this machine, searched for once.
///
/// Latin, Greek and Cyrillic letters and code stand in fonts that the program brings in itself; Chinese, Japanese, Korean
/// and emoji in those that are shipped beside it, or in the machine's own of the same names. What these lack is set in any
/// other font of the machine.
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

/// Where the fonts are that are shipped: beside the program, or where a package puts what belongs to it.
fn shipped() -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    let folder = program.ok().and_then(|program| program.parent().map(PathBuf::from));
    folder.map(|folder| vec![folder.join("fonts"), folder.join("../lib/Galley/fonts")]).unwrap_or_default()
}
