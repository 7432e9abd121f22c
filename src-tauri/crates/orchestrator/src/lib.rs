//! L2: plans of steps: their tools, their checks, their references and their execution; the queues of sub-tasks and
//! their workers.
//!
//! Not here: pipelines, tools, and plans without a model (`pipelines`).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod abilities;
mod added_tools;
mod check;
mod executor;
mod explore;
mod other_forms;
mod queue;
mod record;
mod reference;
mod revision;
mod stage;
mod tidy;
mod workers;

pub use abilities::{Abilities, Ability};
pub use added_tools::add_plan_tools;
pub use check::{PlanError, check, describe_errors};
pub use executor::PlanExecutor;
pub use explore::ExploreSearchResults;
pub use queue::{Delivery, MemoryQueue};
pub use record::{FailedStep, beginning};
pub use reference::{Field, Reference, references, resolve};
pub use revision::revised;
pub use stage::PlanStage;
pub use tidy::tidied;
pub use workers::{Workers, work};

/// The key of the plan: a [`kernel::Plan`].
pub const PLAN: &str = "plan";
/// The key of the executed steps: a list of [`kernel::StepRecord`] in the order of execution.
pub const EXECUTION_CONTEXT: &str = "execution_context";
/// The key of their short form: a list of `{ step, says, tool, status, result }`.
pub const STEP_RESULTS: &str = "step_results";
/// The key of the first failed step: a [`FailedStep`], or null.
pub const FAILED_STEP_DETAILS: &str = "failed_step_details";
