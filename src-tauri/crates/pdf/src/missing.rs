//! Characters without a font, for which a page would show a box.

use std::collections::BTreeSet;

use kernel::{Code, Error, phrase};
use typst::layout::{Frame, FrameItem};
use typst_layout::PagedDocument;

/// Most characters that the message names.
const NAMED: usize = 12;

/// The characters of the pages that were set without a glyph.
pub(crate) fn characters(document: &PagedDocument) -> BTreeSet<char> {
    let mut found = BTreeSet::new();
    document.pages().iter().for_each(|page| within(&page.frame, &mut found));
    found
}

fn within(frame: &Frame, found: &mut BTreeSet<char>) {
    for (_, item) in frame.items() {
        match item {
            FrameItem::Group(group) => within(&group.frame, found),
            FrameItem::Text(text) => {
                for glyph in text.glyphs.iter().filter(|glyph| glyph.id == 0) {
                    // Some characters are never visible.
                    let seen = text.text[glyph.range()].chars().filter(|c| !c.is_control() && !is_unseen(*c));
                    found.extend(seen);
                }
            }
            _ => {}
        }
    }
}

/// Whether a character only shapes others: joiners, direction marks, variation selectors, tags.
fn is_unseen(character: char) -> bool {
    matches!(character as u32, 0xAD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFE00..=0xFE0F | 0xFEFF | 0xE0000..=0xE0FFF)
}

pub(crate) fn refusal(characters: &BTreeSet<char>) -> Error {
    let named: Vec<String> =
        characters.iter().take(NAMED).map(|c| format!("{c} (U+{:04X})", u32::from(*c))).collect();
    Error::new(
        Code::BadInput,
        phrase!(
            "No font on this machine has {characters}. Install one that has them, or export the text as Word document or web page",
            characters = named
        ),
    )
}
