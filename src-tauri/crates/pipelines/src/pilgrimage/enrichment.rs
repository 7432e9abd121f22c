//! Adds details from a service to points that lack them.

use engine::Acted;
use interpreter::{FunctionContext, Registry, Shape};
use kernel::{Delta, Note};
use serde_json::{Value, json};
use tools::trips::PlaceDetails;

pub(super) fn register(registry: &mut Registry) {
    registry.shapes.insert("enriched_points", enriched_points as Shape);
}

/// Adds the details of the service to the points, and its attributions and notes to `points_meta`. Without details the
/// points stay as they are.
fn enriched_points(context: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let PlaceDetails { details, attributions, notes } = serde_json::from_value(output).unwrap_or_default();
    let mut meta: Value = context.read("points_meta").unwrap_or_else(|| json!({}));
    for (field, added) in [("attributions", json!(attributions)), ("notes", json!(notes))] {
        let known = meta[field].as_array().into_iter().flatten();
        meta[field] = known.chain(added.as_array().into_iter().flatten()).cloned().collect();
    }
    let mut delta = Delta::of("points_meta", meta);
    if details.is_empty() {
        return Acted { delta, ..Acted::default() };
    }
    let points = context.read("points_filtered").or_else(|| context.read("points"));
    let mut points: Vec<Value> = points.unwrap_or_default();
    for point in &mut points {
        let Some(found) = details.iter().find(|found| point["id"].as_str() == Some(found.id.as_str())) else {
            continue;
        };
        for (field, known) in [("address", &found.address), ("opening_hours", &found.opening_hours)] {
            let is_missing = point[field].as_str().is_none_or(|known| known.trim().is_empty());
            if let (true, Some(known)) = (is_missing, known) {
                point[field] = json!(known);
            }
        }
    }
    let note = Note::decision("points_enriched", json!({ "n": details.len(), "of": points.len() }));
    delta = delta.with("points_enriched", json!(points));
    Acted { notes: vec![note], delta, ..Acted::default() }
}
