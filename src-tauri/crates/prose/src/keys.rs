//! Keys of words: 64-bit hashes that are the same in every run.

use std::hash::{BuildHasherDefault, Hasher};

/// Hash of bytes, the same in every run and on every machine.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64 ^ bytes.len() as u64;
    let mut rest = bytes;
    while let Some((chunk, tail)) = rest.split_first_chunk::<8>()
        && !tail.is_empty()
    {
        state = mix(state, u64::from_le_bytes(*chunk));
        rest = tail;
    }
    // The last chunk overlaps bytes that were already read, which avoids copying a short rest.
    let last = if let Some(chunk) = bytes.last_chunk::<8>() {
        u64::from_le_bytes(*chunk)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
    } else {
        bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    mix(state, last)
}

/// Folds a value into a hash.
pub fn mix(state: u64, value: u64) -> u64 {
    let folded = (state.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    folded ^ (folded >> 29)
}

/// Hasher for keys that are already hashes.
#[derive(Default)]
pub struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash(bytes);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A set of keys.
pub type Keys = std::collections::HashSet<u64, BuildHasherDefault<Ready>>;
/// A table by key.
pub type ByKey<V> = std::collections::HashMap<u64, V, BuildHasherDefault<Ready>>;
