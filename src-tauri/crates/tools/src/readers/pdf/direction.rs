//! Brings the glyphs of a line with Hebrew or Arabic from the order in which they are seen into the order in which they are
//! read.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};
use unicode_normalization::char::is_combining_mark;

/// What one glyph stands for, and where it stands on its line.
pub(super) struct Placed {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) words: String,
}

/// Brackets that are seen the other way round in a text from the right.
const BRACKETS: [(char, char); 5] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»')];

pub(super) fn is_right_to_left(character: char) -> bool {
    matches!(bidi_class(character), BidiClass::R | BidiClass::AL)
}

/// The words of a line. Gaps wider than `space` part words.
pub(super) fn in_reading_order(glyphs: Vec<Placed>, space: f64) -> String {
    let mut units: Vec<Placed> = Vec::with_capacity(glyphs.len());
    for glyph in glyphs {
        // A vowel is drawn over its letter and goes where that goes.
        match units.last_mut().filter(|_| glyph.words.chars().all(is_combining_mark)) {
            Some(letter) => letter.words.push_str(&glyph.words),
            None => units.push(glyph),
        }
    }
    units.sort_by(|one, two| one.from.total_cmp(&two.from));
    let mut seen: Vec<String> = Vec::with_capacity(units.len());
    let mut end = f64::INFINITY;
    for unit in units {
        let is_blank = |words: &String| words.trim().is_empty();
        if unit.from - end > space && !is_blank(&unit.words) && !seen.last().is_some_and(is_blank) {
            seen.push(" ".to_owned());
        }
        end = unit.to;
        seen.push(unit.words);
    }
    // One character for each glyph, so that what one glyph stands for stays together.
    let shape: String = seen.iter().map(|words| words.chars().next().unwrap_or(' ')).collect();
    let of_direction = |is_right: bool| {
        let strong = |character: &char| match is_right {
            true => is_right_to_left(*character),
            false => bidi_class(*character) == BidiClass::L,
        };
        shape.chars().filter(strong).count()
    };
    let base = if of_direction(true) >= of_direction(false) { Level::rtl() } else { Level::ltr() };
    // What is seen, turned once more, is what is read.
    let info = BidiInfo::new(&shape, Some(base));
    let Some(line) = info.paragraphs.first() else { return seen.concat() };
    let levels = info.reordered_levels_per_char(line, line.range.clone());
    let order = BidiInfo::reorder_visual(&levels);
    let is_turned = |index: usize| levels.get(index).is_some_and(Level::is_rtl);
    let bracket = |index: usize| {
        let words = seen.get(index).filter(|_| is_turned(index))?;
        let mut characters = words.chars();
        let first = characters.next().filter(|_| characters.next().is_none())?;
        BRACKETS.iter().find(|(open, close)| [*open, *close].contains(&first)).map(|pair| (first, *pair))
    };
    // Some files name a bracket as it is read, others as it looks.
    let are_as_seen =
        order.iter().find_map(|index| bracket(*index)).is_some_and(|(first, (_, close))| first == close);
    let words = order.iter().map(|index| match bracket(*index).filter(|_| are_as_seen) {
        Some((first, (open, close))) => if first == open { close } else { open }.to_string(),
        None => seen.get(*index).cloned().unwrap_or_default(),
    });
    words.collect()
}
