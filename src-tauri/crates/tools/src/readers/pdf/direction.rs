//! Reorders the glyphs of a line with Hebrew or Arabic from visual to reading order.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};
use unicode_normalization::char::is_combining_mark;

use super::brackets;
use crate::readers::formula;

/// The size and height of a superscript power, relative to the size of the glyph before it.
const RAISED_SIZE: f64 = 0.85;
const RAISED: f64 = 0.15;

/// The characters of one glyph, and its position on the line.
pub(super) struct PlacedGlyph {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) size: f64,
    /// Its distance above the line's baseline.
    pub(super) above: f64,
    pub(super) words: String,
}

/// Whether a glyph of this size at this height is superscript to one of another size.
pub(super) fn is_raised(size: f64, above: f64, other: f64) -> bool {
    size < RAISED_SIZE * other && above > RAISED * other
}

pub(super) fn is_right_to_left(character: char) -> bool {
    matches!(bidi_class(character), BidiClass::R | BidiClass::AL)
}

/// The number of left-to-right and right-to-left letters of a text.
#[derive(Clone, Copy, Default)]
pub(super) struct Letters {
    from_left: usize,
    from_right: usize,
}

impl Letters {
    pub(super) fn of(text: &str) -> Letters {
        let mut letters = Letters::default();
        for character in text.chars() {
            match bidi_class(character) {
                BidiClass::L => letters.from_left += 1,
                BidiClass::R | BidiClass::AL => letters.from_right += 1,
                _ => {}
            }
        }
        letters
    }

    /// Positive when most letters are right-to-left, negative when most are left-to-right.
    pub(super) fn leaning(self) -> isize {
        isize::from(self.from_right > self.from_left) - isize::from(self.from_right < self.from_left)
    }

    /// The base direction of a line. A line with both kinds follows its page.
    fn base(self, page: isize) -> Level {
        let leaning = if self.from_left == 0 || page == 0 { self.leaning() } else { page };
        if leaning < 0 { Level::ltr() } else { Level::rtl() }
    }
}

/// The words of a line on a page with this direction. Gaps wider than `space` separate words.
pub(super) fn in_reading_order(glyphs: Vec<PlacedGlyph>, space: f64, page: isize) -> String {
    let mut units: Vec<PlacedGlyph> = Vec::with_capacity(glyphs.len());
    for glyph in glyphs {
        // A combining mark stays with its letter.
        match units.last_mut().filter(|_| glyph.words.chars().all(is_combining_mark)) {
            Some(letter) => letter.words.push_str(&glyph.words),
            None => units.push(glyph),
        }
    }
    units.sort_by(|one, two| one.from.total_cmp(&two.from));
    let mut seen: Vec<PlacedGlyph> = Vec::with_capacity(units.len());
    for unit in units {
        let is_blank = |placed: &PlacedGlyph| placed.words.trim().is_empty();
        let is_apart = |last: &PlacedGlyph| unit.from - last.to > space && !is_blank(last);
        if !is_blank(&unit) && seen.last().is_some_and(is_apart) {
            seen.push(PlacedGlyph { words: " ".to_owned(), from: unit.from, to: unit.from, ..unit });
        }
        seen.push(unit);
    }
    // One character for each glyph keeps the characters of one glyph together.
    let shape: String = seen.iter().map(|placed| placed.words.chars().next().unwrap_or(' ')).collect();
    // Reordering is its own inverse: applied to visual order it gives reading order.
    let info = BidiInfo::new(&shape, Some(Letters::of(&shape).base(page)));
    let Some(line) = info.paragraphs.first() else { return String::new() };
    let levels = info.reordered_levels_per_char(line, line.range.clone());
    let order = BidiInfo::reorder_visual(&levels);
    let read: Vec<(&PlacedGlyph, bool)> = order
        .iter()
        .filter_map(|index| Some((seen.get(*index)?, levels.get(*index).is_some_and(Level::is_rtl))))
        .collect();
    let characters: Vec<(char, bool)> = read
        .iter()
        .map(|(placed, is_turned)| {
            let mut characters = placed.words.chars();
            let first = characters.next().unwrap_or(' ');
            // A bracket in a glyph with other characters is not treated as one.
            (if characters.next().is_some() { 'x' } else { first }, *is_turned)
        })
        .collect();
    let mut text = String::new();
    let mut before: Option<&PlacedGlyph> = None;
    for ((placed, _), (own, character)) in
        read.into_iter().zip(characters.iter().zip(brackets::as_read(&characters)))
    {
        let is_raised =
            before.is_some_and(|before| is_raised(placed.size, placed.above - before.above, before.size));
        if is_raised && formula::is_power(&text, &placed.words) {
            text.push('^');
        }
        match own.0 == character {
            true => text.push_str(&placed.words),
            false => text.push(character),
        }
        before = Some(placed);
    }
    text
}
