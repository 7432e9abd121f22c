//! Data sets: the cases on which a pipeline is tried.

use std::collections::BTreeMap;

use kernel::Json;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Expectation;

/// One case: inputs of a run, and what is expected of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Case {
    /// Its name; empty: its number in the set, from 1.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The inputs of the run by key.
    pub inputs: BTreeMap<String, Json>,
    /// What is expected beside the expectations of the set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Expectation>,
    /// A result that is known to be good, for the model that judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The run of the history that it was made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

/// A named set of cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct DataSet {
    /// Its name.
    pub name: String,
    /// The pipeline that its inputs are for.
    pub pipeline: String,
    /// What is expected of every case.
    pub expect: Vec<Expectation>,
    /// The cases in order.
    pub cases: Vec<Case>,
}

impl DataSet {
    /// The cases as they are tried: each with a name and all its expectations, those of the set first.
    pub fn complete_cases(&self) -> Vec<Case> {
        let complete = |(index, case): (usize, &Case)| Case {
            name: if case.name.is_empty() { (index + 1).to_string() } else { case.name.clone() },
            expect: self.expect.iter().chain(&case.expect).cloned().collect(),
            ..case.clone()
        };
        self.cases.iter().enumerate().map(complete).collect()
    }
}
