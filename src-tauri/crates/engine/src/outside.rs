//! Events from outside the tree: actions of the person, and resumptions.

use kernel::{EVENT_VERSION, Event, Fact, Path, Seq, USER};

use crate::clock::Moment;

/// The ordinal of the next outside event after these.
pub(crate) fn next_outside_ordinal(events: &[Event]) -> u32 {
    let count = events.iter().filter(|event| event.is_outside()).count();
    u32::try_from(count).unwrap_or(u32::MAX - 1) + 1
}

/// An event of the person.
pub(crate) fn outside_event(seq: Seq, n: u32, at: Moment, fact: Fact) -> Event {
    Event {
        v: EVENT_VERSION,
        seq,
        at_ms: at.at_ms,
        ran_ms: at.ran_ms,
        author: USER.to_owned(),
        path: Path::root(USER),
        n,
        surface: false,
        fact,
    }
}
