//! The parameters of a tree: its tools and rounds.

use std::collections::BTreeMap;

use kernel::{PipelineDefinition, ToolOffer};

/// The tools of the slots of a run.
pub type BoundTools = BTreeMap<String, ToolOffer>;

/// The parameters of a tree.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// The tool behind each slot.
    pub tools: BoundTools,
    /// Whether the person decides on the issues of a review before the draft is rewritten.
    pub decides_issues: bool,
    /// The rounds that inputs set, by key; for a loop without its input here, the most rounds are used.
    pub rounds: BTreeMap<String, u32>,
}

/// A tool for drawing a tree; it is never called.
pub fn placeholder(slot: &str) -> ToolOffer {
    ToolOffer {
        name: slot.to_owned(),
        description: String::new(),
        schema: serde_json::Value::Object(Default::default()).into(),
    }
}

/// Most rounds of a loop whose rounds an input sets.
pub(crate) fn most_rounds(definition: &PipelineDefinition, key: &str) -> u32 {
    let most = definition.inputs.get(key).and_then(|input| input.most);
    most.unwrap_or(1.0).clamp(1.0, 100.0) as u32
}
