//! Turns bytes into text: by their mark, by what they declare, as UTF-8, or, where the bytes themselves are proof
//! enough, as one of the old East Asian encodings. Latin-1 and its kin fit any bytes, so they are never guessed.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

/// Characters so common in running Chinese or Japanese text that a wrong guess rarely shows them.
const COMMON: &str = "的一是不了在人有我他这個个们中来來上大为為和国國地到以说時时要就出会會可也你对對生能而子那得于着下自之年过過发發后後作里用道行所然家种事成方多经么去法学學如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日月第語文間見";

/// How many characters are looked at to judge a guess.
const SAMPLE: usize = 20_000;

/// The text of the bytes, or none when they are no text or their encoding is not clear.
pub(crate) fn decode(bytes: &[u8], declared: Option<&str>) -> Option<String> {
    let (text, is_marked) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (strictly(encoding, &bytes[mark..]), true),
        None => (None, false),
    };
    if is_marked {
        return text.map(tidy);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return without_zeros(text.to_owned()).map(tidy);
    }
    let declared = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    if let Some(text) = declared.and_then(|encoding| strictly(encoding, bytes)) {
        return without_zeros(text).map(tidy);
    }
    // A few bytes that are wrong, cut or of another hand do not change what the rest is.
    if is_nearly_utf8(bytes, declared == Some(UTF_8)) {
        return without_zeros(String::from_utf8_lossy(bytes).into_owned()).map(tidy);
    }
    if let Some(text) = declared.and_then(|encoding| nearly(encoding, bytes)) {
        return without_zeros(text).map(tidy);
    }
    guess(bytes).map(tidy)
}

/// Whether bytes are UTF-8 but for a few of them: only the last character is cut, or far more characters are right than wrong, or all that is foreign stands
/// alone among ASCII, as no character of an East Asian encoding does.
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

/// The text in this encoding where next to nothing of it is malformed.
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

/// A text with zero characters is none, unless UTF-16 without its mark.
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

/// The East Asian encoding whose reading is by far the most natural.
fn guess(bytes: &[u8]) -> Option<String> {
    let candidates = [GB18030, BIG5, SHIFT_JIS, EUC_JP, EUC_KR];
    let read = candidates.iter().filter_map(|encoding| nearly(encoding, bytes));
    let (score, text) = read.map(|text| (naturalness(&text), text)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (score > 0.8).then_some(text)
}

/// Points per foreign character: kana, hangul, CJK punctuation and common characters speak for a reading,
/// rare ones against it.
fn naturalness(text: &str) -> f64 {
    let mut points = 0.0;
    let mut foreign = 0.0;
    for character in text.chars().take(SAMPLE).filter(|character| !character.is_ascii()) {
        foreign += 1.0;
        points += match character {
            '\u{3041}'..='\u{3096}' => 3.0,
            '\u{30a1}'..='\u{30fc}' => 2.5,
            '\u{3000}'..='\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{ff01}'..='\u{ff1f}' => 2.5,
            '\u{2018}'..='\u{201d}' | '\u{2026}' => 1.0,
            '\u{ac00}'..='\u{d7a3}' => 2.0,
            '\u{4e00}'..='\u{9fff}' if COMMON.contains(character) => 3.0,
            '\u{4e00}'..='\u{9fff}' => 0.4,
            '\u{ff61}'..='\u{ff9f}' => -2.0,
            '\u{e000}'..='\u{f8ff}' => -8.0,
            _ => -2.0,
        };
    }
    if foreign == 0.0 { 0.0 } else { points / foreign }
}

/// Line ends as on Unix, no control characters that are no layout.
fn tidy(text: String) -> String {
    let is_tidy = |c: char| !c.is_control() || c == '\n' || c == '\t';
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if text.chars().all(is_tidy) {
        return text;
    }
    text.replace("\r\n", "\n").replace(['\r', '\u{c}'], "\n").chars().filter(|c| is_tidy(*c)).collect()
}
