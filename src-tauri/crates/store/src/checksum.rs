//! A checksum of what a row means, written with it and compared whenever it is read: SQLite itself keeps none, so a byte
//! that changed on the disk would be another number, another name or another text without a word.
//!
//! CRC-32 notices every change of up to four bytes in a row, and of others all but one in four thousand million.

/// The checksum of numbers and texts in their order; the length of each text is one of the numbers, so that none can pass
/// for the end of its neighbour.
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
