//! Caches: large values that were stored recently, values that were read recently, and the event up to which runs were
//! found complete.
//!
//! Dropping an entry is always safe.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard};

use kernel::{Hash, Seq, Value};

use crate::mutex::lock;

/// Hashes of contents that are known to be stored, so that a large value is not serialized and bound again with every
/// event that contains it. Entries are valid until contents are deleted.
#[derive(Default)]
pub(crate) struct Caches {
    inner: Mutex<KnownHashes>,
}

#[derive(Default)]
struct KnownHashes {
    /// The number of erasures when the cache was started.
    erasures: u64,
    known: HashSet<Hash>,
    /// Oldest first.
    order: VecDeque<Hash>,
}

const HASHES: usize = 1_024;

impl Caches {
    pub(crate) fn contains(&self, hash: &Hash) -> bool {
        self.inner().known.contains(hash)
    }

    /// The number of erasures when the cache was started.
    pub(crate) fn erasures(&self) -> u64 {
        self.inner().erasures
    }

    /// Clears the cache if contents were erased since.
    pub(crate) fn forget_before(&self, erasures: u64) {
        let mut inner = self.inner();
        if inner.erasures != erasures {
            *inner = KnownHashes { erasures, ..KnownHashes::default() };
        }
    }

    fn inner(&self) -> MutexGuard<'_, KnownHashes> {
        lock(&self.inner)
    }

    pub(crate) fn insert(&self, hash: Hash) {
        let mut inner = self.inner();
        let KnownHashes { known, order, .. } = &mut *inner;
        if known.insert(hash.clone()) {
            order.push_back(hash);
            if order.len() > HASHES
                && let Some(oldest) = order.pop_front()
            {
                known.remove(&oldest);
            }
        }
    }
}

/// Recently read values, bounded by the length of their JSON text.
#[derive(Default)]
pub(crate) struct ReadValues {
    inner: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    values: HashMap<Hash, Value>,
    /// Oldest first, with the length of each.
    order: VecDeque<(Hash, usize)>,
    bytes: usize,
}

const BYTES: usize = 8 << 20;

impl ReadValues {
    pub(crate) fn get(&self, hash: &Hash) -> Option<Value> {
        lock(&self.inner).values.get(hash).cloned()
    }

    pub(crate) fn insert(&self, hash: &Hash, value: &Value, bytes: usize) {
        if bytes > BYTES / 2 {
            return;
        }
        let mut shelf = lock(&self.inner);
        if shelf.values.insert(hash.clone(), value.clone()).is_some() {
            return;
        }
        shelf.order.push_back((hash.clone(), bytes));
        shelf.bytes += bytes;
        while shelf.bytes > BYTES {
            let Some((oldest, size)) = shelf.order.pop_front() else { break };
            shelf.values.remove(&oldest);
            shelf.bytes -= size;
        }
    }
}

/// By a run's row, the number of the event up to which none was missing at the last check.
#[derive(Default)]
pub(crate) struct CountedEvents(Mutex<HashMap<i64, Seq>>);

impl CountedEvents {
    pub(crate) fn until(&self, run: i64) -> Seq {
        lock(&self.0).get(&run).copied().unwrap_or(0)
    }

    pub(crate) fn note(&self, run: i64, until: Seq) {
        lock(&self.0).insert(run, until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_caches_evict_the_oldest_entries() {
        let (recent, values) = (Caches::default(), ReadValues::default());
        let hash = |n: usize| Hash(format!("{n}"));
        for n in 0..3_000 {
            recent.insert(hash(n));
            values.insert(&hash(n), &Value::text("x"), 1 << 20);
        }
        assert!(recent.contains(&hash(2_999)) && !recent.contains(&hash(0)));
        assert!(values.get(&hash(2_999)).is_some() && values.get(&hash(2_990)).is_none());
    }
}
