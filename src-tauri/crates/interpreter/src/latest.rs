//! A cache of the latest results of an expensive pure function.
//!
//! Forked, resumed, replayed and repeated runs ask for the same results. Evicting an entry is always safe.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Results for longer texts, in bytes, are not cached, to bound the memory.
const MOST_BYTES: usize = 1 << 18;

/// The latest results, newest first.
pub struct Latest<K, V> {
    most: usize,
    kept: Mutex<Vec<(K, V)>>,
}

impl<K, V: Clone> Latest<K, V> {
    /// A cache for this many results.
    pub const fn new(most: usize) -> Latest<K, V> {
        Latest { most, kept: Mutex::new(Vec::new()) }
    }

    /// The cached result for the key that `is_asked` accepts, of a text of this many bytes, or a new one from `make`.
    pub fn get_or_make(
        &self,
        bytes: usize,
        is_asked: impl Fn(&K) -> bool,
        make: impl FnOnce() -> (K, V),
    ) -> V {
        if bytes > MOST_BYTES {
            return make().1;
        }
        if let Some(known) = self.find(&is_asked) {
            return known;
        }
        // Made outside the lock: two threads may compute the same result, and `make` may use the cache.
        let (key, made) = make();
        let mut kept = self.kept();
        if !kept.iter().any(|(known, _)| is_asked(known)) {
            kept.insert(0, (key, made.clone()));
            kept.truncate(self.most);
        }
        made
    }

    /// The latest result that `is_wanted` accepts, whatever its key.
    pub fn result(&self, is_wanted: impl Fn(&V) -> bool) -> Option<V> {
        self.kept().iter().find(|(_, value)| is_wanted(value)).map(|(_, value)| value.clone())
    }

    fn find(&self, is_asked: impl Fn(&K) -> bool) -> Option<V> {
        let mut kept = self.kept();
        let place = kept.iter().position(|(known, _)| is_asked(known))?;
        kept[..=place].rotate_right(1);
        kept.first().map(|(_, value)| value.clone())
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(K, V)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Latest, MOST_BYTES};

    /// The keys that are computed when these are requested in turn.
    fn made(keys: &[u32], bytes: usize) -> Vec<u32> {
        let latest: Latest<u32, u32> = Latest::new(2);
        let mut made = Vec::new();
        for key in keys {
            let value = latest.get_or_make(
                bytes,
                |known| known == key,
                || {
                    made.push(*key);
                    (*key, key * 10)
                },
            );
            assert_eq!(value, key * 10);
        }
        made
    }

    #[test]
    fn recent_results_are_cached_and_old_ones_are_evicted() {
        assert_eq!(made(&[1, 2, 1, 3, 1, 2], 10), [1, 2, 3, 2]);
    }

    #[test]
    fn results_for_long_texts_are_not_cached() {
        assert_eq!(made(&[1, 1], MOST_BYTES + 1), [1, 1]);
    }
}
