//! The real `galley` as a user runs it: what it prints, how it exits, what it leaves behind.
//!
//! Not here: what each outcome of AI News means inside (`outcomes`), and the laws of the log (`laws`).

mod commands;
pub(crate) mod galley;
mod history;
mod keyring;
mod library;
mod news;
mod questions;
mod refusals;
mod replays;
mod secrets;
mod settings;
mod sources;
mod storage;
mod together;
