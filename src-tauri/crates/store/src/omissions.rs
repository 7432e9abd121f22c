//! Data that were left out when the user chose to see the readable part of a damaged run.

use std::collections::BTreeSet;
use std::sync::Mutex;

use kernel::{Hash, Seq};

use crate::mutex::lock;

/// Events and values that could not be read; empty when nothing was left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Missing {
    /// The numbers of events.
    pub events: BTreeSet<Seq>,
    /// The hashes of values.
    pub values: BTreeSet<String>,
}

/// Collects what is left out during reads.
#[derive(Default)]
pub(crate) struct Omissions(Mutex<Missing>);

impl Omissions {
    pub(crate) fn note_event(&self, seq: Seq) {
        lock(&self.0).events.insert(seq);
    }

    pub(crate) fn note_value(&self, hash: &Hash) {
        lock(&self.0).values.insert(hash.0.clone());
    }

    pub(crate) fn so_far(&self) -> Missing {
        lock(&self.0).clone()
    }
}
