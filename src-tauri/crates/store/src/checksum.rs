//! A checksum of a row's values, written with it and compared on each read: SQLite has none, so a changed byte on the
//! disk would silently be another number, name or text.
//!
//! CRC-32 detects every burst of up to four bytes, and misses one in four billion other changes.

/// The checksum of numbers and texts in order; the length of each text is included, so that text cannot move between
/// neighbours undetected.
pub(crate) fn of<const NUMBERS: usize, const TEXTS: usize>(
    numbers: [i64; NUMBERS],
    texts: [&str; TEXTS],
) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(numbers.map(i64::to_le_bytes).as_flattened());
    sum.update(texts.map(|text| (text.len() as u64).to_le_bytes()).as_flattened());
    for text in texts {
        sum.update(text.as_bytes());
    }
    sum.finalize()
}
