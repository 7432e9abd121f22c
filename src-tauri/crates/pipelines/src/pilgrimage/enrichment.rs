//! The details of points that a service tells: they are added where a point lacks them.

use engine::Acted;
use interpreter::{FunctionContext, Registry, Shape};
use kernel::{Delta, Note};
use serde_json::{Value, json};
use tools::trips::PlaceDetails;

pub(super) fn register(registry: &mut Registry) {
    registry.shapes.insert("enriched_points", enriched_points as Shape);
}

/// The points with what was told of them; nothing where nothing was. Whose data they are stands with the points.
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
        let Some(told) = details.iter().find(|told| point["id"].as_str() == Some(told.id.as_str())) else {
            continue;
        };
        for (field, told) in [("address", &told.address), ("opening_hours", &told.opening_hours)] {
            let is_missing = point[field].as_str().is_none_or(|known| known.trim().is_empty());
            if let (true, Some(told)) = (is_missing, told) {
                point[field] = json!(told);
            }
        }
    }
    let note = Note::decision("points_enriched", json!({ "n": details.len(), "of": points.len() }));
    delta = delta.with("points_enriched", json!(points));
    Acted { notes: vec![note], delta, ..Acted::default() }
}
