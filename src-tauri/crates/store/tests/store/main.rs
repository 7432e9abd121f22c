//! Integration tests of the store: writing, crashes, reading back and searching.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what goes wrong around a test fails the test")]

mod backups;
mod changed_bytes;
mod damage;
mod evaluations;
mod history;
mod library;
mod log;
mod marks;
mod open;
mod processes;
mod recovery;
mod refusals;
mod samples;
mod schedules;
