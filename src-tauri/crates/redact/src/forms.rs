//! The forms in which a key is written when it is encoded as a whole: as it is, backwards, each of these in hexadecimal,
//! base64 with either alphabet at each of the three places at which its bytes may stand, and base64 of any of these.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// A key shorter than this is looked for as it is only: of a few characters anything could be an encoding.
const SHORTEST_ENCODED: usize = 8;
/// So many characters in a row tell whether a text may be in the middle of a form.
const GRAM: usize = 4;

/// What of a key is looked for: so many characters in a row of one of its forms, in lower case.
pub(crate) struct Forms {
    pub(crate) size: usize,
    windows: HashSet<Vec<u8>>,
    /// Every piece of a form of up to four characters.
    grams: HashSet<Vec<u8>>,
    bytes: [bool; 256],
    longest: usize,
}

impl Forms {
    pub(crate) fn of(key: &str, size: usize) -> Forms {
        let forms: Vec<Vec<u8>> =
            forms(key).into_iter().map(|form| form.to_ascii_lowercase().into_bytes()).collect();
        let mut bytes = [false; 256];
        forms.iter().flatten().for_each(|byte| bytes[usize::from(*byte)] = true);
        let pieces = |size: usize| forms.iter().flat_map(move |form| form.windows(size)).map(<[u8]>::to_vec);
        Forms {
            size,
            windows: pieces(size).collect(),
            grams: (1..=GRAM).flat_map(pieces).collect(),
            bytes,
            longest: forms.iter().map(Vec::len).max().unwrap_or_default(),
        }
    }

    /// Whether a form has these characters in a row, as many as are looked for.
    pub(crate) fn has_window(&self, window: &[u8]) -> bool {
        self.windows.contains(window)
    }

    /// Whether this character stands in a form.
    pub(crate) fn has_byte(&self, byte: u8) -> bool {
        self.bytes[usize::from(byte)]
    }

    /// How many bytes at the end of a text may stand in a form, so that more of it may follow.
    pub(crate) fn begun_at_end(&self, text: &[u8]) -> usize {
        let most = text.len().min(self.longest);
        let stands = |length: &usize| {
            let start = text.len() - length;
            self.grams.contains(&text[start..text.len().min(start + GRAM)])
        };
        (1..=most).take_while(stands).last().unwrap_or(0)
    }
}

fn forms(key: &str) -> Vec<String> {
    let mut forms = vec![key.to_owned()];
    if key.len() < SHORTEST_ENCODED {
        return forms;
    }
    forms.push(key.chars().rev().collect());
    // Bytes that are written apart are brought together before (`escapes`).
    let hex = |key: &str| key.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    forms.extend([hex(key), hex(&forms[1])]);
    let once = encoded(key.as_bytes());
    // Encoded twice, the whole of it was encoded first, with what filled it up.
    let twice = once.iter().flat_map(|form| encoded(form.as_bytes()));
    forms.extend(twice.collect::<Vec<_>>());
    forms.extend(once);
    forms
}

/// Base64 of bytes, with either alphabet. Where the bytes stand inside what was encoded decides which characters they
/// become; those at the ends also hold bits of their neighbours and are left out.
fn encoded(bytes: &[u8]) -> Vec<String> {
    let mut forms = Vec::new();
    for before in 0..3_usize {
        let mut padded = vec![0; before];
        padded.extend_from_slice(bytes);
        let whole = STANDARD_NO_PAD.encode(&padded);
        let first = [0, 2, 3][before];
        let last = whole.len() - usize::from(padded.len() % 3 != 0);
        let whole = whole[first..last].to_owned();
        let of_addresses = whole.replace('+', "-").replace('/', "_");
        if of_addresses != whole {
            forms.push(of_addresses);
        }
        forms.push(whole);
    }
    forms
}
