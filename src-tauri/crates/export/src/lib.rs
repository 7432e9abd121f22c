//! L2: exports: the text of a run for people, its events for programs.
//!
//! Exports contain no secrets, because events contain none, and no active content: texts come from models and pages.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod document;
mod docx;
mod events;
mod format;
mod html;
mod inert;
mod journal;
mod paper;
mod redaction;
mod report;
mod run_file;
mod session;
#[cfg(test)]
mod tests;
mod text;
mod trip;

pub use format::{
    Contents, Export, FORMATS, Format, Holds, Omissions, TextForms, export, format, offered, trip_in_format,
};
pub use redaction::Redaction;
pub use run_file::{FileTexts, LARGEST_RUN_FILE, RunFile, read_run};

use kernel::{Event, KeyDeclaration, Start};

/// The parts of a run that an export needs.
pub struct Exportable<'a> {
    /// The start of the run.
    pub start: &'a Start,
    /// Its events.
    pub events: &'a [Event],
    /// Its keys in display order.
    pub keys: &'a [KeyDeclaration],
    /// The contents of its files.
    pub files: &'a FileTexts,
}
