//! A row of the events table: its key, its columns and their checksum.

use kernel::Seq;
use rusqlite::{Result, Row};

use crate::checksum;

/// The columns of an event in the order of [`StoredEvent`], and the checksum.
pub(crate) const COLUMNS: &str =
    "id, at_ms, v, n, surface, changes_state, ran_ms, author, path, fact, checksum";

/// The key of an event.
pub(crate) fn key(run: i64, seq: Seq) -> i64 {
    (run << 32) | i64::from(seq)
}

/// The number of an event in its run, from its key.
pub(crate) fn seq_of(key: i64) -> Seq {
    (key & 0xffff_ffff) as Seq
}

/// The columns of an event.
pub(crate) struct StoredEvent<'a> {
    /// `id`, `at_ms`, `v`, `n`, `surface`, `changes_state`, `ran_ms`.
    pub(crate) numbers: [i64; 7],
    /// `author`, `path`, `fact`.
    pub(crate) texts: [&'a str; 3],
}

impl<'a> StoredEvent<'a> {
    /// Reads a row of [`COLUMNS`], and its stored checksum.
    pub(crate) fn read(row: &'a Row<'_>) -> Result<(StoredEvent<'a>, Option<i64>)> {
        let mut stored = StoredEvent { numbers: [0; 7], texts: [""; 3] };
        for (column, number) in stored.numbers.iter_mut().enumerate() {
            *number = row.get_ref(column)?.as_i64()?;
        }
        for (column, text) in stored.texts.iter_mut().enumerate() {
            *text = row.get_ref(7 + column)?.as_str()?;
        }
        Ok((stored, row.get_ref(10)?.as_i64_or_null()?))
    }

    pub(crate) fn checksum(&self) -> u32 {
        checksum::of(self.numbers, self.texts)
    }

    pub(crate) fn seq(&self) -> Seq {
        seq_of(self.numbers[0])
    }

    pub(crate) fn version(&self) -> i64 {
        self.numbers[2]
    }

    pub(crate) fn changes_state(&self) -> bool {
        self.numbers[5] != 0
    }

    pub(crate) fn fact(&self) -> &'a str {
        self.texts[2]
    }
}
