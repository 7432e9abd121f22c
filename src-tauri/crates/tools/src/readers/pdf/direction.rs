//! Brings the glyphs of a line with Hebrew or Arabic from the order in which they are seen into the order in which they are
//! read.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};
use unicode_normalization::char::is_combining_mark;

use super::brackets;
use crate::readers::formula;

/// How much smaller and higher a figure is that is a power, in sizes of what stands before it.
const RAISED_SIZE: f64 = 0.85;
const RAISED: f64 = 0.15;

/// What one glyph stands for, and where it stands on its line.
pub(super) struct Placed {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) size: f64,
    /// How far it stands above the beginning of the line.
    pub(super) above: f64,
    pub(super) words: String,
}

/// Whether a glyph of this size is raised that stands so much above one of another size.
pub(super) fn is_raised(size: f64, above: f64, other: f64) -> bool {
    size < RAISED_SIZE * other && above > RAISED * other
}

pub(super) fn is_right_to_left(character: char) -> bool {
    matches!(bidi_class(character), BidiClass::R | BidiClass::AL)
}

/// The letters of a text that are read from the left and from the right.
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

    /// Above 0 where most are read from the right, below 0 where most are read from the left.
    pub(super) fn leaning(self) -> isize {
        isize::from(self.from_right > self.from_left) - isize::from(self.from_right < self.from_left)
    }

    /// Where a line of them begins. One that has both begins where the lines of its page do.
    fn base(self, page: isize) -> Level {
        let leaning = if self.from_left == 0 || page == 0 { self.leaning() } else { page };
        if leaning < 0 { Level::ltr() } else { Level::rtl() }
    }
}

/// The words of a line of a page that leans so. Gaps wider than `space` part words.
pub(super) fn in_reading_order(glyphs: Vec<Placed>, space: f64, page: isize) -> String {
    let mut units: Vec<Placed> = Vec::with_capacity(glyphs.len());
    for glyph in glyphs {
        // A vowel is drawn over its letter and goes where that goes.
        match units.last_mut().filter(|_| glyph.words.chars().all(is_combining_mark)) {
            Some(letter) => letter.words.push_str(&glyph.words),
            None => units.push(glyph),
        }
    }
    units.sort_by(|one, two| one.from.total_cmp(&two.from));
    let mut seen: Vec<Placed> = Vec::with_capacity(units.len());
    for unit in units {
        let is_blank = |placed: &Placed| placed.words.trim().is_empty();
        let is_apart = |last: &Placed| unit.from - last.to > space && !is_blank(last);
        if !is_blank(&unit) && seen.last().is_some_and(is_apart) {
            seen.push(Placed { words: " ".to_owned(), from: unit.from, to: unit.from, ..unit });
        }
        seen.push(unit);
    }
    // One character for each glyph, so that what one glyph stands for stays together.
    let shape: String = seen.iter().map(|placed| placed.words.chars().next().unwrap_or(' ')).collect();
    // What is seen, turned once more, is what is read.
    let info = BidiInfo::new(&shape, Some(Letters::of(&shape).base(page)));
    let Some(line) = info.paragraphs.first() else { return String::new() };
    let levels = info.reordered_levels_per_char(line, line.range.clone());
    let order = BidiInfo::reorder_visual(&levels);
    let read: Vec<(&Placed, bool)> = order
        .iter()
        .filter_map(|index| Some((seen.get(*index)?, levels.get(*index).is_some_and(Level::is_rtl))))
        .collect();
    let characters: Vec<(char, bool)> = read
        .iter()
        .map(|(placed, is_turned)| {
            let mut characters = placed.words.chars();
            let first = characters.next().unwrap_or(' ');
            // A bracket that a glyph has beside others is none of its own.
            (if characters.next().is_some() { 'x' } else { first }, *is_turned)
        })
        .collect();
    let mut text = String::new();
    let mut before: Option<&Placed> = None;
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
