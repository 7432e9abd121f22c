//! L2: SQLite: the log, the library index, sessions; one file per table.
//!
//! The only crate that knows SQL. One connection writes, and everything that waits goes into one
//! transaction; readers have connections of their own and never wait for it.
//!
//! Not here: what an event means (`kernel`), who may append one (`engine`), how files become
//! articles (`tools`).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod backup_copy;
mod backup_files;
mod backups;
mod batch;
mod caches;
mod changes;
mod checksum;
mod connection;
mod data_sets;
mod erasure;
mod error;
mod evaluations;
mod history;
mod identity;
mod inspection;
mod job;
mod json;
mod library;
mod log;
mod mutex;
mod omissions;
mod open;
mod queue;
mod read_context;
mod recovery;
mod reserved_room;
mod run_requests;
mod run_search;
mod salvage;
mod salvaged_beginning;
mod salvaged_contents;
mod schedules;
mod schema;
mod sessions;
mod shapes;
mod spending;
mod store;
mod table;
mod texts;
mod transaction;
mod unstored_events;
mod unstored_files;
mod words;
mod writer;

pub use backup_files::Backup;
pub use error::DATABASE_FILE;
pub use inspection::Inspection;
pub use omissions::Missing;
pub use recovery::{Recovered, Replacement};
pub use run_search::FoundRuns;
pub use schedules::{Claim, NewFiring};
pub use shapes::{
    FailureCount, FiringEnd, ImportReport, Imported, LibraryEntry, LibraryPage, NewArticle, PastCall,
    RunCard, ScheduleState, ScheduleTimes, SessionCard, SessionMessage, SetCard, Shown, Spent,
    StoredEvaluation, StoredFiring, StoredSchedule,
};
pub use store::Store;
