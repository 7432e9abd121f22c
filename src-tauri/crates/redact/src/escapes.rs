//! Decodes escapes of single characters. Each decoded byte keeps its range in the original text.
//!
//! | written | by |
//! |---|---|
//! | `\u0073` `\U00000073` `\u{73}` `\x73` `\x{73}` `\163` `\/` `\n` | JSON, and the languages near it |
//! | `%73` `%u0073` | addresses |
//! | `&#115;` `&#x73;` `&sol;` | HTML |
//! | `=73` | mail |
//! | `\-` | Markdown |
//! | a backslash at the end of a line, `" + "` | strings in parts, which a lenient reader joins: removed |
//! | `73 6b` `73:6b` `73-6b` `0x73, 0x6b` | bytes in hexadecimal: converted to `736b`, which is a form (`forms`) |

/// Most nested layers of escapes that are decoded.
const MOST_LEVELS: usize = 6;

/// Longest escape, in units of the level below.
const LONGEST: usize = 32;

/// Most white space between the parts of a string.
const MOST_SPACE: usize = 12;

/// HTML entities for the characters of keys.
const ENTITIES: [(&[u8], u8); 17] = [
    (b"amp", b'&'),
    (b"lt", b'<'),
    (b"gt", b'>'),
    (b"quot", b'"'),
    (b"apos", b'\''),
    (b"sol", b'/'),
    (b"bsol", b'\\'),
    (b"plus", b'+'),
    (b"equals", b'='),
    (b"lowbar", b'_'),
    (b"dash", b'-'),
    (b"hyphen", b'-'),
    (b"period", b'.'),
    (b"colon", b':'),
    (b"comma", b','),
    (b"num", b'#'),
    (b"commat", b'@'),
];

/// One byte, and the range of bytes in the text that encodes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) byte: u8,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Unit {
    /// The byte for comparison with forms, in lower case. Escapes distinguish upper and lower case.
    pub(crate) fn of_form(&self) -> u8 {
        self.byte.to_ascii_lowercase()
    }
}

/// The text, then the text with one layer of escapes decoded, and so on until none is left; behind these, the
/// hexadecimal digits in the first and the last level without separators, and each level with its strings joined.
pub(crate) fn levels(text: &str) -> Vec<Vec<Unit>> {
    let mut units: Vec<Unit> =
        text.bytes().zip(0..).map(|(byte, at)| Unit { byte, start: at, end: at + 1 }).collect();
    let mut levels = Vec::new();
    while levels.len() < MOST_LEVELS {
        let undone = undone(&units);
        let is_last = undone.len() == units.len();
        levels.push(std::mem::replace(&mut units, undone));
        if is_last {
            break;
        }
    }
    let joined: Vec<Vec<Unit>> = levels.iter().filter_map(|units| joined(units)).collect();
    let first = levels.first().map(|units| digits(units));
    let last = levels.last().filter(|_| levels.len() > 1).map(|units| digits(units));
    levels.extend(first.into_iter().chain(last).flatten());
    levels.extend(joined);
    levels
}

/// Hexadecimal digits without the separators between their bytes. Any other separator becomes a byte that is in no
/// form. `None` where nothing is separated.
fn digits(units: &[Unit]) -> Option<Vec<Unit>> {
    let mut out: Vec<Unit> = Vec::new();
    let (mut at, mut is_parted) = (0, false);
    while let Some(unit) = units.get(at) {
        let between = separator(&units[at..]);
        if between > 0 {
            is_parted = true;
            at += between;
            continue;
        }
        if unit.byte.is_ascii_hexdigit() {
            out.push(*unit);
        } else if out.last().is_some_and(|last| last.byte != 0) {
            out.push(Unit { byte: 0, ..*unit });
        }
        at += 1;
    }
    is_parted.then_some(out)
}

/// The number of units at the start that separate two bytes in hexadecimal. A comma alone never counts, because it
/// separates values in JSON.
fn separator(units: &[Unit]) -> usize {
    let byte = |at: usize| units.get(at).map(|unit| unit.byte);
    let is_prefix = |at: usize| byte(at) == Some(b'0') && matches!(byte(at + 1), Some(b'x' | b'X'));
    match byte(0) {
        Some(b',') if is_prefix(1) => 3,
        Some(b',') if byte(1) == Some(b' ') && is_prefix(2) => 4,
        Some(b'0') if is_prefix(0) => 2,
        Some(b' ' | b'\t' | b'\r' | b'\n' | b':' | b'-' | b'_') => 1,
        _ => 0,
    }
}

fn undone(units: &[Unit]) -> Vec<Unit> {
    let mut out = Vec::with_capacity(units.len());
    let mut at = 0;
    while let Some(first) = units.get(at) {
        let (byte, length) = match escape(&units[at..]) {
            Escape::Of(byte, length) => (byte, length),
            Escape::Removed(length) => {
                at += length;
                continue;
            }
            Escape::Open | Escape::None => (first.byte, 1),
        };
        let last = units.get(at + length - 1).unwrap_or(first);
        out.push(Unit { byte, start: first.start, end: last.end });
        at += length;
    }
    out
}

/// Where an escape starts that the end of the text cuts off; `None` where there is none.
pub(crate) fn open_at(units: &[Unit]) -> Option<usize> {
    let mut at = units.len().saturating_sub(LONGEST);
    // In a row of backslashes every second one is escaped, so the first one must be found.
    while at > 0 && units[at - 1].byte == b'\\' {
        at -= 1;
    }
    while at < units.len() {
        let next = match escape(&units[at..]) {
            Escape::None => joint(&units[at..]),
            escape => escape,
        };
        match next {
            Escape::Open => return Some(units[at].start),
            Escape::Of(_, length) | Escape::Removed(length) => at += length,
            Escape::None => at += 1,
        }
    }
    None
}

enum Escape {
    /// This byte, encoded in this many units.
    Of(u8, usize),
    /// No byte, encoded in this many units.
    Removed(usize),
    /// The start of a possible escape.
    Open,
    None,
}

/// The escape at the start of these units.
fn escape(units: &[Unit]) -> Escape {
    let byte = |at: usize| units.get(at).map(|unit| unit.byte);
    let Some(first) = byte(0) else { return Escape::None };
    match (first, byte(1)) {
        (b'\\' | b'%' | b'&' | b'=', None) => Escape::Open,
        (b'\\', Some(b'u' | b'U' | b'x' | b'X')) if byte(2) == Some(b'{') => braced(units),
        (b'\\', Some(b'U')) => match number(units, 2, 8) {
            Escape::None => number(units, 2, 4),
            long => long,
        },
        (b'\\', Some(b'u')) => number(units, 2, 4),
        (b'\\', Some(b'x' | b'X')) => number(units, 2, 2),
        (b'\\', Some(b'0'..=b'3')) => octal(units),
        (b'\\', Some(plain @ (b'"' | b'\\' | b'/' | b'\''))) => Escape::Of(plain, 2),
        (b'\\', Some(b'n' | b't' | b'r' | b'b' | b'f')) => Escape::Of(b'\n', 2),
        (b'\\', Some(b'\n')) => Escape::Removed(2),
        (b'\\', Some(b'\r')) => match byte(2) {
            None => Escape::Open,
            Some(b'\n') => Escape::Removed(3),
            Some(_) => Escape::Removed(2),
        },
        (b'\\', Some(plain)) if plain.is_ascii_punctuation() => Escape::Of(plain, 2),
        (b'%', Some(b'u' | b'U')) => number(units, 2, 4),
        (b'%' | b'=', Some(_)) => number(units, 1, 2),
        (b'&', Some(b'#')) => {
            let is_hex = matches!(byte(2), Some(b'x' | b'X'));
            let from = if is_hex { 3 } else { 2 };
            let mut digits = from;
            while byte(digits)
                .is_some_and(|byte| if is_hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() })
            {
                digits += 1;
                if digits > from + 6 {
                    return Escape::None;
                }
            }
            match byte(digits) {
                None => Escape::Open,
                Some(_) if digits == from => Escape::None,
                Some(after) => {
                    let length = if after == b';' { digits + 1 } else { digits };
                    value(&units[from..digits], if is_hex { 16 } else { 10 }, length)
                }
            }
        }
        (b'&', Some(_)) => {
            let name: Vec<u8> =
                units[1..].iter().map(|unit| unit.byte).take_while(u8::is_ascii_alphabetic).take(8).collect();
            match byte(name.len() + 1) {
                None => Escape::Open,
                Some(b';') => match ENTITIES.iter().find(|(known, _)| *known == name) {
                    Some((_, meant)) => Escape::Of(*meant, name.len() + 2),
                    None => Escape::None,
                },
                Some(_) => Escape::None,
            }
        }
        _ => Escape::None,
    }
}

/// The text with the parts of its strings joined; `None` where no string has parts.
fn joined(units: &[Unit]) -> Option<Vec<Unit>> {
    let (mut out, mut at) = (Vec::with_capacity(units.len()), 0);
    while let Some(unit) = units.get(at) {
        at += match joint(&units[at..]) {
            Escape::Removed(length) => length,
            _ => {
                out.push(*unit);
                1
            }
        };
    }
    (out.len() < units.len()).then_some(out)
}

/// The end of one part of a string, a plus, and the start of the next part, at the start of these units.
fn joint(units: &[Unit]) -> Escape {
    let Some(quote) = units.first().map(|unit| unit.byte).filter(|byte| matches!(byte, b'"' | b'\'')) else {
        return Escape::None;
    };
    let after_space = |from: usize| {
        let is_space = |unit: &&Unit| unit.byte.is_ascii_whitespace();
        from + units[from..].iter().take(MOST_SPACE).take_while(is_space).count()
    };
    let plus = after_space(1);
    match units.get(plus).map(|unit| unit.byte) {
        None => return Escape::Open,
        Some(b'+') => {}
        Some(_) => return Escape::None,
    }
    let next = after_space(plus + 1);
    match units.get(next).map(|unit| unit.byte) {
        None => Escape::Open,
        Some(byte) if byte == quote => Escape::Removed(next + 1),
        Some(_) => Escape::None,
    }
}

/// A number with `digits` hexadecimal digits from a position on.
fn number(units: &[Unit], from: usize, digits: usize) -> Escape {
    let there = units[from..].iter().take(digits).take_while(|unit| unit.byte.is_ascii_hexdigit()).count();
    if there == digits {
        value(&units[from..from + digits], 16, from + digits)
    } else if from + there == units.len() {
        Escape::Open
    } else {
        Escape::None
    }
}

/// A hexadecimal number in braces.
fn braced(units: &[Unit]) -> Escape {
    let digits = units[3..].iter().take(8).take_while(|unit| unit.byte.is_ascii_hexdigit()).count();
    match units.get(3 + digits).map(|unit| unit.byte) {
        None => Escape::Open,
        Some(b'}') if digits > 0 => value(&units[3..3 + digits], 16, digits + 4),
        Some(_) => Escape::None,
    }
}

/// Three octal digits after a backslash.
fn octal(units: &[Unit]) -> Escape {
    let digits = units[1..].iter().take(3).take_while(|unit| matches!(unit.byte, b'0'..=b'7')).count();
    match digits {
        3 => value(&units[1..4], 8, 4),
        _ if digits + 1 == units.len() => Escape::Open,
        _ => Escape::None,
    }
}

fn value(digits: &[Unit], radix: u32, length: usize) -> Escape {
    let number = digits.iter().try_fold(0_u32, |sum, unit| {
        sum.checked_mul(radix)?.checked_add(char::from(unit.byte).to_digit(radix)?)
    });
    match number {
        // A character that no key contains is replaced by 0, which is in no form.
        Some(number) => Escape::Of(u8::try_from(number).ok().filter(u8::is_ascii).unwrap_or(0), length),
        None => Escape::None,
    }
}
