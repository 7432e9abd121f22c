//! Slots for search tools: they complete the input and read the hits.

use engine::Acted;
use interpreter::{FunctionContext, Registry, SlotKind, SourceItem, earlier_day};
use kernel::{Delta, Role, ToolSlot};
use serde_json::{Map, Value, json};
use tools::SEARCH;

/// The first day of a search without one.
const FROM: &str = "1970-01-01";
/// How many days back the search of a slot looks, both days included. Without it, the search has no first day.
pub(crate) const DAYS: &str = "days";
/// Most hits of a search without a number.
const HITS: u32 = 8;

pub(super) fn register(registry: &mut Registry) {
    let kind = SlotKind {
        tools: tools::fitting(SEARCH).iter().map(|source| source.id).collect(),
        fields: &["query", "from", "until", "max_results", "broad"],
        options: &[DAYS],
        setting: Some("default_source"),
        looks_back: Some(|slot| slot.option(DAYS)),
        complete: Some(complete),
        shape: Some(found),
    };
    registry.slots.insert(SEARCH, kind);
}

/// Completes the dates of a search: as many days back as its slot says, up to the day of the run.
fn complete(slot: &ToolSlot, today: &str, input: &mut Map<String, Value>) {
    let first = slot.option(DAYS).and_then(|days| earlier_day(today, days.into()));
    input.entry("from").or_insert_with(|| json!(first.as_deref().unwrap_or(FROM)));
    input.entry("until").or_insert_with(|| json!(today));
    input.entry("max_results").or_insert_with(|| json!(HITS));
}

/// The output of a search for its key: the items if the key has the role of sources, else the tool's answer.
fn found(context: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let agent = context.declaration();
    let call = agent.and_then(|agent| agent.call.as_ref());
    let key = call.and_then(|call| call.writes.as_ref()).or_else(|| agent?.writes.first());
    let Some(key) = key else { return Acted::default() };
    let Some(Role::Sources { items }) = context.definition.role(key) else {
        return Acted { delta: Delta::of(key, output), ..Acted::default() };
    };
    let hits: Vec<SourceItem> = serde_json::from_value(output["hits"].clone()).unwrap_or_default();
    Acted { delta: Delta::of(key, json!({ items.as_ref(): hits })), ..Acted::default() }
}
