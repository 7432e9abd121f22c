//! Corrects the brackets of a right-to-left line: some files encode such a bracket by its meaning, others by its shape,
//! and some mix both.

/// Brackets that are mirrored in right-to-left text.
const BRACKETS: [[char; 2]; 5] = [['(', ')'], ['[', ']'], ['{', '}'], ['<', '>'], ['«', '»']];

/// The characters of a line in reading order with corrected brackets; the input says of each whether it is mirrored.
/// The neighbours of a bracket decide whether it opens, else whether one is open; its own shape does not.
pub(super) fn as_read(line: &[(char, bool)]) -> Vec<char> {
    let behind = characters_behind(line);
    let mut open = [0_usize; BRACKETS.len()];
    let (mut before, mut are_as_seen) = (' ', false);
    let mut read = Vec::with_capacity(line.len());
    for ((character, is_turned), behind) in line.iter().zip(behind) {
        let Some((kind, is_first)) = kind_of(*character) else {
            before = *character;
            read.push(*character);
            continue;
        };
        let (is_begun, is_ended) = (before.is_whitespace(), is_end(behind));
        let is_between = before.is_numeric() || behind.is_numeric() || is_begun == is_ended;
        let is_opening = if !is_turned {
            is_first
        } else if BRACKETS[kind] == ['<', '>'] && is_between {
            // A comparison sign next to a number is no bracket: it follows the encoding of the other brackets in its
            // line.
            is_first != are_as_seen
        } else if is_begun == is_ended {
            open[kind] == 0
        } else {
            is_begun
        };
        are_as_seen |= is_opening != is_first;
        open[kind] = if is_opening { open[kind] + 1 } else { open[kind].saturating_sub(1) };
        read.push(BRACKETS[kind][usize::from(!is_opening)]);
    }
    read
}

fn is_end(character: char) -> bool {
    character.is_whitespace() || ".,;:!?،؛؟".contains(character)
}

/// The next non-bracket character after each; a space after the last.
fn characters_behind(line: &[(char, bool)]) -> Vec<char> {
    let mut next = ' ';
    let mut behind: Vec<char> = Vec::with_capacity(line.len());
    for (character, _) in line.iter().rev() {
        behind.push(next);
        if kind_of(*character).is_none() {
            next = *character;
        }
    }
    behind.reverse();
    behind
}

/// The pair that a bracket belongs to, and whether it is the first of it.
fn kind_of(character: char) -> Option<(usize, bool)> {
    let kind = BRACKETS.iter().position(|pair| pair.contains(&character))?;
    Some((kind, BRACKETS[kind][0] == character))
}
