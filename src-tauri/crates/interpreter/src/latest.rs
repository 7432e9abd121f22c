//! The last results of a function that takes long and gives the same for the same.
//!
//! Runs that are forked, resumed, replayed or made again ask the same of the same texts. Forgetting is always right.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Results of longer texts, in bytes, are not kept: what is kept stays small beside the runs.
const MOST_BYTES: usize = 1 << 18;

/// The last results, latest first.
pub struct Latest<K, V> {
    most: usize,
    kept: Mutex<Vec<(K, V)>>,
}

impl<K, V: Clone> Latest<K, V> {
    /// Keeps so many.
    pub const fn new(most: usize) -> Latest<K, V> {
        Latest { most, kept: Mutex::new(Vec::new()) }
    }

    /// The result that is kept for what `is_asked` knows, a text of so many bytes, or the one that `make` gives.
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
        // Made outside the lock: two that make the same at once lose nothing but time, and `make` may ask for what is kept.
        let (key, made) = make();
        let mut kept = self.kept();
        if !kept.iter().any(|(known, _)| is_asked(known)) {
            kept.insert(0, (key, made.clone()));
            kept.truncate(self.most);
        }
        made
    }

    /// The latest result that is like this, whatever it was made of.
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

    /// What is made anew when these are asked for one after the other.
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
    fn what_was_asked_lately_is_not_made_again_and_what_is_old_is() {
        assert_eq!(made(&[1, 2, 1, 3, 1, 2], 10), [1, 2, 3, 2]);
    }

    #[test]
    fn what_is_long_is_not_kept() {
        assert_eq!(made(&[1, 1], MOST_BYTES + 1), [1, 1]);
    }
}
