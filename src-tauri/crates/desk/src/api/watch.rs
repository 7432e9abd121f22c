//! The items of a watch.

use kernel::Seq;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ApiError;

use super::{JournalEntry, RunCard};

/// One item of a watch.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum WatchItem {
    /// An event of the watched run, in order, without gap.
    Event {
        /// The entry.
        entry: JournalEntry,
    },
    /// Text that streams: the whole visible text so far of the agent at this place.
    Text {
        /// The agent's place.
        path: String,
        /// The text so far; empty as long as the model writes what only the program reads.
        text: String,
        /// How many bytes of the answer have come; none when it is complete.
        received: u32,
    },
    /// Everything stored so far was sent; from here on it is live.
    Live {
        /// The last number sent.
        seq: Seq,
    },
    /// A run of the list is new or changed (a watch without a run).
    Run {
        /// The card.
        card: RunCard,
    },
    /// A run left the list: it was put into the trash (a watch without a run).
    RunGone {
        /// Its id.
        run: String,
    },
    /// The window is asked to close while runs go on; it stays until the page says how (a watch without a run).
    Closing {
        /// How many runs go on.
        runs: u32,
    },
    /// A command of the page was chosen in the menu bar (a watch without a run).
    Command {
        /// Its id.
        id: String,
    },
    /// The person wants to see a run: they clicked its notification (a watch without a run).
    Show {
        /// Its id.
        run: String,
    },
    /// A file of an import is being read (a watch without a run).
    Import {
        /// The file.
        path: String,
        /// How many were read before it.
        done: u32,
        /// How many there are in its folder.
        total: u32,
    },
    /// The doctor looks at the whole database (a watch without a run).
    Inspection {
        /// How much of it was looked at.
        done: u32,
        /// Of how much.
        total: u32,
    },
    /// Something is dragged over the window, or no longer (a watch without a run).
    Dragging {
        /// Whether it is over it.
        is_over: bool,
    },
    /// Files and folders were dropped onto the window (a watch without a run).
    Dropped {
        /// Their paths.
        paths: Vec<String>,
    },
    /// Why the watch ends.
    Error {
        /// The error.
        error: ApiError,
    },
}
