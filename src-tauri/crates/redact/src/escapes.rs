//! Undoes what escapes a text character by character. Each byte that comes of it knows where it stands in the text.
//!
//! | written | by |
//! |---|---|
//! | `\u0073` `\U00000073` `\u{73}` `\x73` `\x{73}` `\163` `\/` `\n` | JSON, and the languages near it |
//! | `%73` `%u0073` | addresses |
//! | `&#115;` `&#x73;` `&sol;` | HTML |
//! | `=73` | mail |
//! | `\-` | Markdown |
//! | a backslash at the end of a line, `" + "` | strings in parts, which a lenient reader joins: nothing is left of it |
//! | `73 6b` `73:6b` `73-6b` `0x73, 0x6b` | bytes in hexadecimal: brought to `736b`, which is a form (`forms`) |

/// More layers of escapes than this are not undone.
const MOST_LEVELS: usize = 6;

/// No escape is written in more units of the level below.
const LONGEST: usize = 32;

/// No more white space is looked through between the parts of a string.
const MOST_SPACE: usize = 12;

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

/// One byte of a text, and the bytes by which the text writes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) byte: u8,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Unit {
    /// The byte as forms have it: upper and lower case count the same, but not in an escape.
    pub(crate) fn of_form(&self) -> u8 {
        self.byte.to_ascii_lowercase()
    }
}

/// The text as it is, then with one layer of escapes undone, and so on until nothing is left to undo; what of the first
/// and the last is written in hexadecimal comes behind.
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

/// Hexadecimal digits without what parts the bytes that they write; where anything else stands between, a byte that is
/// in no form does. `None` where nothing parts any.
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

/// How many units at the beginning part one byte in hexadecimal from the next. Never a mark that parts values of JSON,
/// where it stands between two of them.
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
            Escape::OfNothing(length) => {
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

/// Where an escape begins that the end of the text leaves open; `None` where none does.
pub(crate) fn open_at(units: &[Unit]) -> Option<usize> {
    let mut at = units.len().saturating_sub(LONGEST);
    // Of backslashes in a row each second one is meant, so that their first must be known.
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
            Escape::Of(_, length) | Escape::OfNothing(length) => at += length,
            Escape::None => at += 1,
        }
    }
    None
}

enum Escape {
    /// This byte, written with so many.
    Of(u8, usize),
    /// Nothing, written with so many.
    OfNothing(usize),
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
        (b'\\', Some(b'\n')) => Escape::OfNothing(2),
        (b'\\', Some(b'\r')) => match byte(2) {
            None => Escape::Open,
            Some(b'\n') => Escape::OfNothing(3),
            Some(_) => Escape::OfNothing(2),
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

/// The text with the parts of its strings joined; `None` where none has parts.
fn joined(units: &[Unit]) -> Option<Vec<Unit>> {
    let (mut out, mut at) = (Vec::with_capacity(units.len()), 0);
    while let Some(unit) = units.get(at) {
        at += match joint(&units[at..]) {
            Escape::OfNothing(length) => length,
            _ => {
                out.push(*unit);
                1
            }
        };
    }
    (out.len() < units.len()).then_some(out)
}

/// The end of one part of a string, a plus, and the beginning of the next part, where these begin with it.
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
        Some(byte) if byte == quote => Escape::OfNothing(next + 1),
        Some(_) => Escape::None,
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

/// Hexadecimal digits in braces.
fn braced(units: &[Unit]) -> Escape {
    let digits = units[3..].iter().take(8).take_while(|unit| unit.byte.is_ascii_hexdigit()).count();
    match units.get(3 + digits).map(|unit| unit.byte) {
        None => Escape::Open,
        Some(b'}') if digits > 0 => value(&units[3..3 + digits], 16, digits + 4),
        Some(_) => Escape::None,
    }
}

/// Three octal digits behind a backslash.
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
        // What is no character of a key is any that is in none.
        Some(number) => Escape::Of(u8::try_from(number).ok().filter(u8::is_ascii).unwrap_or(0), length),
        None => Escape::None,
    }
}
