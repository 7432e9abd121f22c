//! What the person chose of an itinerary.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the person chose. Ids that the trip does not have are left aside, so that a choice outlives a trip whose points
/// change; points that `order` lacks come after those that it has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
// Questions have choices, too, and the page knows all of them in one file.
#[ts(rename = "VisitChoice")]
pub struct Choice {
    /// The order of the person, by ids; nothing where the program chooses it.
    #[serde(default)]
    pub order: Option<Vec<String>>,
    /// The ids of points at fixed positions, which count from 1.
    #[serde(default)]
    pub fixed: BTreeMap<String, u32>,
    /// The ids of dropped points.
    #[serde(default)]
    pub dropped: BTreeSet<String>,
}
