//! Sets the brackets of a line right that is read from the right: some files name such a bracket as it is read, others as it
//! looks, and some mix both.

/// Brackets that are seen the other way round in a text from the right.
const BRACKETS: [[char; 2]; 5] = [['(', ')'], ['[', ']'], ['{', '}'], ['<', '>'], ['«', '»']];

/// The characters of a line in reading order, each with whether it is seen the other way round, with brackets as they are
/// read. What stands beside one tells whether it opens, else whether one is open does: its own form says nothing.
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
            // A sign beside a number is no bracket: it looks as the others of its line do.
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

/// What follows each character, brackets passed over; a blank behind the last.
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

/// The pair of a bracket, and whether it is the first of it.
fn kind_of(character: char) -> Option<(usize, bool)> {
    let kind = BRACKETS.iter().position(|pair| pair.contains(&character))?;
    Some((kind, BRACKETS[kind][0] == character))
}
