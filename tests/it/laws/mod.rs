//! The laws of the log, proved on generated trees: a log in memory that dies where it is told to, with a database that must
//! hold the same; models and tools that count what they are asked; agents of every kind of action.
//!
//! Not here: any pipeline or provider, but for tasks, whose stages, queue and files are held to the same; those have their own
//! tests.

mod agents;
mod answers;
mod contracts;
mod crashes;
mod edits;
mod failures;
mod forks;
mod gates;
mod limits;
mod log;
mod permissions;
mod profiles;
mod recorded_runs;
mod refusals;
mod replays;
mod rounds;
mod stage;
mod stops;
mod tasks;
mod time;
mod tool_turns;
mod tree;
mod world;
