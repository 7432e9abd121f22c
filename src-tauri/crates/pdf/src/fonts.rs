//! The fonts that pages are set in.

use std::sync::OnceLock;

use typst_kit::fonts::{FontStore, embedded, system};

/// The fonts of this machine and those in the program, searched for once.
///
/// Latin, Greek and Cyrillic letters and code stand in fonts that the program brings; Chinese, Japanese, Korean and emoji
/// in those of the packages that it depends on. What these lack is set in any other font of the machine.
pub(crate) fn fonts() -> &'static FontStore {
    static FONTS: OnceLock<FontStore> = OnceLock::new();
    FONTS.get_or_init(|| {
        let mut fonts = FontStore::new();
        fonts.extend(embedded());
        fonts.extend(system());
        fonts
    })
}
