//! The shapes of values that panels and checks share, one type for each.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One check of code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct CheckResult {
    /// Its name.
    pub name: String,
    /// Whether what was checked holds.
    pub passed: bool,
    /// What was found, in one sentence.
    pub detail: String,
}

impl CheckResult {
    /// The result of a check that found this fault, or what it says when all is well.
    pub fn new(name: &str, fault: Option<String>, well: impl FnOnce() -> String) -> CheckResult {
        CheckResult { name: name.to_owned(), passed: fault.is_none(), detail: fault.unwrap_or_else(well) }
    }
}
