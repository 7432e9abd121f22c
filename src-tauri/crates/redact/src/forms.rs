//! The encodings of a whole key: plain, reversed, each of these in hexadecimal, in base64 with both alphabets at each
//! of the three alignments, and in base64 of any of these.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// A shorter key is searched for only as it is: its encodings would match anything.
const SHORTEST_ENCODED: usize = 8;
/// The number of consecutive characters that decide whether a text may be in the middle of a form.
const GRAM: usize = 4;

/// The substrings to search for: all windows of a fixed length of the key's forms, in lower case.
pub(crate) struct Forms {
    pub(crate) size: usize,
    windows: HashSet<Vec<u8>>,
    /// All substrings of forms with up to four characters.
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

    /// Whether a form contains this window.
    pub(crate) fn has_window(&self, window: &[u8]) -> bool {
        self.windows.contains(window)
    }

    /// Whether a form contains this character.
    pub(crate) fn has_byte(&self, byte: u8) -> bool {
        self.bytes[usize::from(byte)]
    }

    /// How many bytes at the end of a text may be in a form that continues.
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
    // Separated bytes are joined before (`escapes`).
    let hex = |key: &str| key.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    forms.extend([hex(key), hex(&forms[1])]);
    let once = encoded(key.as_bytes());
    // In a double encoding, the first one covers the whole key with its padding.
    let twice = once.iter().flat_map(|form| encoded(form.as_bytes()));
    forms.extend(twice.collect::<Vec<_>>());
    forms.extend(once);
    forms
}

/// Base64 of bytes, with both alphabets. The characters depend on the alignment of the bytes in the encoded text; the
/// ones at the ends also contain bits of neighbours and are left out.
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
