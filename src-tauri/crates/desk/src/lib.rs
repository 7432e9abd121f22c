//! L4: all commands of a user as functions, and the command list.
//!
//! The desk connects store, models and tools to the engine's ports. Window, terminal, bridge and tests share its
//! router.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod accounts;
pub mod api;
mod bindings;
mod commands;
mod desk;
mod doctor;
mod evaluations;
mod library;
mod pipeline_directory;
mod program;
mod recovery;
mod runs;
mod schedules;
mod settings;
mod worker;

// Only a feature of it is needed; Cargo.toml gives the reason.
use either as _;
use kernel::{Code, phrase};

pub use accounts::AccountService;
pub use accounts::checks::on_failure;
pub use bindings::typescript;
pub use desk::{Desk, Options};
/// Reads a file that a person names.
pub use disk::read_file;
pub use doctor::Doctor;
pub use engine::{CancellationToken, RunEnd, RunHandle, UserAnswer, UserPrompt, admits, new_id};
pub use evaluations::{EvaluationHandle, EvaluationProgress, EvaluationService};
/// The parts that an export can leave out.
pub use export::Redaction;
/// The error of the API.
pub use kernel::Error as ApiError;
pub use kernel::{
    AgentKind, AgentOutcome, Answer, AskedInput, BUILT_IN, CheckResult, Code as ErrorCode, Effect, Event,
    EventKind, Fact, Gate, GateAnswer, KeyChange, LimitName, Note, NoteTexts, OnFailure, Outcome, Outline,
    PermissionAnswer, Phrase, Question, QuestionKind, Role, RunId as RunIdentity, Seq, ServerAnswer,
    fell_back, request_failed, request_sent, sentence,
};
pub use library::LibraryService;
pub use library::import::text_of_document;
pub use program::ProgramService;
pub use program::access::window_folder;
pub use program::data_folder::data_folder;
pub use program::logging::log_if_asked;
pub use program::secret::{is_same_secret, new_secret};
pub use program::terminal::{printable, printable_json};
pub use program::window::Window;
pub use queue_nats::WorkerEvent;
pub use recovery::{RECOVER, Recovery, backups, recover};
pub use runs::RunService;
pub use runs::answers::QuestionPolicy;
pub use runs::export::write_file;
pub use runs::replays::ReplayOf;
pub use schedules::{Clock, ScheduleService, has_due_schedules};
pub use settings::{Look, chosen_look};
pub use store::Missing;
pub use tools::readers::Progress as ImportProgress;
pub use worker::{WorkerService, WorkerSetup};

/// Every host calls this first: a process that was started to read a document or to guard a tool server does only that,
/// and this is its exit code.
pub fn serve_if_asked() -> Option<std::process::ExitCode> {
    mcp::guard_server_if_asked().or_else(tools::readers::serve_if_asked)
}

/// Reads tables that the first search in the library needs, which takes some milliseconds. A host that will start a run
/// calls it while the desk opens.
pub use tools::prepare_search;

/// A run allocates thousands of small texts and JSON trees: the system's allocator used a sixth of its instructions.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The error of a command that the end of the program interrupts.
pub fn interrupted() -> ApiError {
    ApiError::new(Code::Internal, phrase!("The program is closing"))
}
