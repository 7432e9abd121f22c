//! Identifiers of traces and spans. They are derived from the run and the numbers of its events, so that a resumed run
//! continues its trace, and a second export is identical.

use kernel::{RunId, Seq};

/// The id of a run's trace, 16 bytes.
pub(crate) fn trace_id(run: &RunId) -> Vec<u8> {
    first_bytes(16, &format!("trace {run}"))
}

/// The id of the span that began with event `seq`, in the part of the run that began with event `part`; 8 bytes. `kind`
/// distinguishes spans that begin with the same event.
pub(crate) fn span_id(run: &RunId, part: Seq, seq: Seq, kind: &str) -> Vec<u8> {
    first_bytes(8, &format!("{kind} {run} {part} {seq}"))
}

fn first_bytes(count: usize, text: &str) -> Vec<u8> {
    blake3::hash(text.as_bytes()).as_bytes()[..count].to_vec()
}
