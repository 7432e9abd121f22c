//! L2: runs pipelines that are data: reads and checks definitions, builds their trees of agents, and maintains a draft
//! at the review desk with its issues and the person's sentences.
//!
//! The functions that a definition may name are in a [`Registry`], which the crates above fill.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod added_tools;
mod build;
mod check;
mod copy;
mod declared_agent;
pub mod draft;
mod draft_text;
mod edited_plan;
mod file;
mod issue_gate;
mod issues;
mod judgement;
mod latest;
mod on_demand;
pub mod own_text;
mod pipeline;
mod prompt_values;
mod question;
mod registry;
mod rewrite;
mod setup;
mod template;
mod tree;
mod verification;

pub use build::build;
pub use check::{Finding, check, is_id};
pub use copy::{MINIMAL, copy, next_number};
pub use file::{DefinitionFault, MOST_BYTES, fault_of_id, id_of, read};
pub use judgement::{Judgement, asked, judge};
pub use latest::Latest;
pub use pipeline::{AgentSetup, Pipeline};
pub use registry::{
    Accept, AddPlanTools, ChangeVisit, Check, Complete, Custom, CustomContext, FunctionContext, Registry,
    Run, Shape, SlotKind, SourceItem, TEXT, Titles, WithoutModel,
};
pub use rewrite::{PresentText, rewriting};
pub use setup::{BoundTools, Setup, placeholder};
pub use template::{TemplateError, earlier_day, one_line};
