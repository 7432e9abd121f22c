//! Decodes bytes to text: by byte order mark, by declaration, as UTF-8, or, when the bytes clearly indicate it, as a
//! legacy East Asian encoding. Latin-1 and its relatives accept any bytes, so they are never guessed.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

/// The encodings that may be guessed.
const GUESSABLE: [&Encoding; 6] = [GBK, BIG5, SHIFT_JIS, EUC_JP, EUC_KR, ISO_2022_JP];

/// Switches between ASCII and Japanese in ISO-2022-JP.
const ESCAPE: u8 = 0x1b;

/// The text of the bytes; `None` when they are no text or their encoding is uncertain.
pub(crate) fn decode(bytes: &[u8], declared: Option<&str>) -> Option<String> {
    let (text, is_marked) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (strictly(encoding, &bytes[mark..]), true),
        None => (None, false),
    };
    if is_marked {
        return text.map(tidy);
    }
    // ASCII with escape sequences to Japanese is ISO-2022-JP.
    if bytes.is_ascii()
        && bytes.contains(&ESCAPE)
        && let Some(text) = guess(bytes)
    {
        return Some(tidy(text));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return without_zeros(text.to_owned()).map(tidy);
    }
    let declared = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    if let Some(text) = declared.and_then(|encoding| strictly(encoding, bytes)) {
        return without_zeros(text).map(tidy);
    }
    // A few wrong, truncated or foreign bytes do not change the encoding of the rest.
    if is_nearly_utf8(bytes, declared == Some(UTF_8)) {
        return without_zeros(String::from_utf8_lossy(bytes).into_owned()).map(tidy);
    }
    if let Some(text) = declared.and_then(|encoding| nearly(encoding, bytes)) {
        return without_zeros(text).map(tidy);
    }
    guess(bytes).map(tidy)
}

/// Whether bytes are UTF-8 except for a few: only the last character is truncated, far more characters are valid than
/// invalid, or every invalid byte stands alone among ASCII, which no East Asian encoding allows.
fn is_nearly_utf8(bytes: &[u8], is_declared: bool) -> bool {
    let (mut right, mut wrong) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        right += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        wrong += usize::from(!chunk.invalid().is_empty());
    }
    let is_alone = || !bytes.windows(2).any(|pair| !pair[0].is_ascii() && !pair[1].is_ascii());
    let is_rare = wrong * 100 <= bytes.len();
    let is_cut = std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    is_cut || right > 3 * wrong || (is_rare && (is_declared || is_alone()))
}

/// The text in this encoding when almost nothing of it is malformed.
fn nearly(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let foreign = text.chars().filter(|character| !character.is_ascii()).count();
    let wrong = text.chars().filter(|character| *character == char::REPLACEMENT_CHARACTER).count();
    (wrong * 10 <= foreign).then(|| text.into_owned())
}

fn strictly(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    (!malformed).then(|| text.into_owned())
}

/// Rejects text with NUL characters, unless it is UTF-16 without a byte order mark.
fn without_zeros(text: String) -> Option<String> {
    if !text.contains('\0') {
        return Some(text);
    }
    let bytes = text.as_bytes();
    let even = bytes.iter().step_by(2).filter(|byte| **byte == 0).count();
    let odd = bytes.iter().skip(1).step_by(2).filter(|byte| **byte == 0).count();
    let half = bytes.len() / 2;
    if odd * 10 > half * 8 && even == 0 {
        strictly(UTF_16LE, bytes)
    } else if even * 10 > half * 8 && odd == 0 {
        strictly(UTF_16BE, bytes)
    } else {
        None
    }
}

/// The text in the East Asian encoding that the detector is confident of.
fn guess(bytes: &[u8]) -> Option<String> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let guessed = detector.guess(None, Utf8Detection::Deny);
    GUESSABLE.contains(&guessed).then(|| nearly(guessed, bytes)).flatten()
}

/// Normalizes line ends to LF and removes control characters that are no layout.
fn tidy(text: String) -> String {
    let is_tidy = |c: char| !c.is_control() || c == '\n' || c == '\t';
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if text.chars().all(is_tidy) {
        return text;
    }
    text.replace("\r\n", "\n").replace(['\r', '\u{c}'], "\n").chars().filter(|c| is_tidy(*c)).collect()
}
