//! What is expected of a run.

use kernel::{Json, KeyPath};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is expected of a run: a criterion, and the value that it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Expectation {
    /// Its name; the criterion's own words when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The key whose value it is about, with fields after dots: `draft.title`; the run's text when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<String>")]
    pub key: Option<KeyPath>,
    /// The least score of a rubric, from 0 to 10; without one the rubric is passed or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub at_least: Option<f64>,
    /// What has to hold.
    #[serde(flatten)]
    pub criterion: Criterion,
}

/// What has to hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// The pipeline's own check with this name passes.
    Check(String),
    /// This text stands in it.
    Contains(String),
    /// This text does not stand in it.
    Lacks(String),
    /// The value of the key equals this one.
    Equals(Json),
    /// A model judges by these words.
    Rubric(String),
}

impl Criterion {
    /// The name of each criterion in a file.
    pub(crate) const NAMES: [&str; 5] = ["check", "contains", "lacks", "equals", "rubric"];
}

impl Expectation {
    /// The expectation of the run's text by this criterion.
    pub fn of_text(criterion: Criterion) -> Expectation {
        Expectation { name: None, key: None, at_least: None, criterion }
    }

    /// A short name for tables: its own, else the criterion in words.
    pub fn title(&self) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        let about = self.key.as_ref().map(|key| format!(" in {key}")).unwrap_or_default();
        match &self.criterion {
            Criterion::Check(name) => format!("check {name}"),
            Criterion::Contains(text) => format!("contains “{text}”{about}"),
            Criterion::Lacks(text) => format!("lacks “{text}”{about}"),
            Criterion::Equals(json) => {
                let key = self.key.as_ref().map(ToString::to_string).unwrap_or_default();
                format!("{key} = {}", json.0)
            }
            Criterion::Rubric(words) => format!("rubric: {words}{about}"),
        }
    }

    /// Whether a model judges it.
    pub fn is_rubric(&self) -> bool {
        matches!(self.criterion, Criterion::Rubric(_))
    }
}
