//! L1: evaluations without I/O: data sets and their files, expectations and their judgements, totals of choices and
//! their comparison.
//!
//! A data set has cases. A choice is one way to run the pipeline. An evaluation runs each case with each choice; the
//! pair is a cell. Not here: running the cells and storing them (`desk`, `store`).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod cell;
mod data_set;
mod expectation;
mod judgement;
mod set_file;
mod totals;

pub use cell::{CellResult, Spent};
pub use data_set::{Case, DataSet};
pub use expectation::{Criterion, Expectation};
pub use judgement::{HIGHEST_SCORE, Judgement, RunResult, Verdict, judge, judged_by_model, text_to_judge};
pub use set_file::{SetFile, SetFormat, read_expectation, read_set, write_set};
pub use totals::{ChoiceComparison, Totals, compare};
