//! Undoes what escapes a text character by character: JSON, addresses, HTML, mail. Each byte that comes of it knows where it
//! stands in the text.

/// More layers of escapes than this are not undone.
const MOST_LEVELS: usize = 4;

/// Entities of HTML by which the characters of keys can be written.
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

/// One byte of a text, in lower case, and the bytes by which the text writes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) byte: u8,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The text as it is, then with one layer of escapes undone, and so on until nothing is left to undo.
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
    // Upper and lower case count the same, but not in an escape.
    for unit in levels.iter_mut().flatten() {
        unit.byte.make_ascii_lowercase();
    }
    levels
}

fn undone(units: &[Unit]) -> Vec<Unit> {
    let mut out = Vec::with_capacity(units.len());
    let mut at = 0;
    while let Some(first) = units.get(at) {
        let (byte, length) = match escape(&units[at..]) {
            Escape::Of(byte, length) => (byte, length),
            Escape::Open | Escape::None => (first.byte, 1),
        };
        let last = units.get(at + length - 1).unwrap_or(first);
        out.push(Unit { byte, start: first.start, end: last.end });
        at += length;
    }
    out
}

/// Where an escape begins that the end of the text leaves open; `None` where none does.
pub(crate) fn open_at(units: &[Unit]) -> Option<usize> {
    let mut at = units.len().saturating_sub(12);
    while at < units.len() {
        match escape(&units[at..]) {
            Escape::Open => return Some(units[at].start),
            Escape::Of(_, length) => at += length,
            Escape::None => at += 1,
        }
    }
    None
}

enum Escape {
    /// This byte, written with so many.
    Of(u8, usize),
    /// It may become one.
    Open,
    None,
}

/// The escape with which these begin.
fn escape(units: &[Unit]) -> Escape {
    let byte = |at: usize| units.get(at).map(|unit| unit.byte);
    let Some(first) = byte(0) else { return Escape::None };
    match (first, byte(1)) {
        (b'\\' | b'%' | b'&' | b'=', None) => Escape::Open,
        (b'\\', Some(b'u' | b'U')) => number(units, 2, 4),
        (b'\\', Some(b'x' | b'X')) => number(units, 2, 2),
        (b'\\', Some(plain @ (b'"' | b'\\' | b'/' | b'\''))) => Escape::Of(plain, 2),
        (b'\\', Some(b'n' | b't' | b'r' | b'b' | b'f')) => Escape::Of(b'\n', 2),
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

/// So many hexadecimal digits from a place on.
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

fn value(digits: &[Unit], radix: u32, length: usize) -> Escape {
    let number = digits.iter().try_fold(0_u32, |sum, unit| {
        sum.checked_mul(radix)?.checked_add(char::from(unit.byte).to_digit(radix)?)
    });
    match number {
        // What is no character of a key is any that is in none.
        Some(number) => Escape::Of(u8::try_from(number).ok().filter(u8::is_ascii).unwrap_or(0), length),
        None => Escape::None,
    }
}
