//! The real `galley` as a user runs it: what it prints, how it exits, what it leaves behind.
//!
//! Not here: what each outcome of AI News means inside (`outcomes`), and the laws of the log (`laws`).

#[cfg(unix)]
mod access;
mod ask;
mod commands;
mod content;
mod disk;
mod documents;
mod evaluations;
mod fallbacks;
mod full_disk;
pub(crate) mod galley;
mod history;
pub(crate) mod host;
mod input_documents;
mod keyring;
mod kills;
mod library;
mod local_servers;
mod logs;
mod news;
mod pilgrimage;
mod pilgrimage_points;
mod plain_answers;
mod questions;
mod recovery;
mod refusals;
mod replays;
mod rewrites;
mod run_reports;
mod schedules;
mod secrets;
mod settings;
mod sources;
mod storage;
mod task_modes;
mod task_plans;
mod task_safety;
mod task_trips;
mod tasks;
mod terminal_escapes;
mod tool_conversations;
mod tool_server_sign_in;
mod tool_servers;
mod tools;
mod topics;
mod traces;
mod trip_files;
mod trip_services;
mod two_processes;
mod user_pipelines;
mod workers;
