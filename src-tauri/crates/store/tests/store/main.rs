//! The store at its border: what a process writes, dies over, reads back and finds again.

mod history;
mod library;
mod log;
mod opening;
mod processes;
mod samples;
