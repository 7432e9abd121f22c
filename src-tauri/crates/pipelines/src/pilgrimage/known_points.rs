//! Points that are not requested from a service: those from a file of the person, and those of an earlier run.

use engine::Acted;
use interpreter::{FunctionContext, Registry, Run};
use itinerary::distance_m;
use kernel::{Coordinates, Delta, Phrase, phrase};
use serde_json::{Value, json};
use tools::trips::{Points, read_points};

use super::points::found_points;

/// The keys that a visit takes over from an earlier run before points are searched for.
const EARLIER_RUN_KEYS: [&str; 4] = ["bangumi_id", "bangumi_title", "station", "user_coordinates"];
/// The one of these keys that a visit with points from a file does not have.
const MAY_BE_MISSING: &str = "bangumi_id";

pub(super) fn register(registry: &mut Registry) {
    registry.run.insert("read_given_points", read_given_points as Run);
    registry.run.insert("take_given_points", take_given_points as Run);
    registry.run.insert("take_earlier_visit", take_earlier_visit as Run);
}

/// Reads the person's file before the first question or request.
fn read_given_points(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let file = read_points(context.text("given_points")).map_err(|error| *error.phrase)?;
    let count = u32::try_from(file.points.len()).unwrap_or(u32::MAX);
    let total = count.saturating_add(file.unplaced);
    let mut notes = vec![phrase!("The points are those of the file that was given: {n} of them", n = count)];
    if file.unplaced > 0 {
        notes.push(phrase!("{n} entries of the file were left out: they are no points", n = file.unplaced));
    }
    let points = Points {
        points: file.points,
        total,
        given: total,
        unplaced: file.unplaced,
        notes,
        ..Points::default()
    };
    Ok(Acted { delta: Delta::of("imported_points", json!(points)), ..Acted::default() })
}

/// Takes the points of the file that lie within the radius.
fn take_given_points(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let mut points: Points = context.read("imported_points").unwrap_or_default();
    let (center, radius) = (context.read("user_coordinates"), context.read("search_radius_km"));
    points.points.retain(|point| is_within(center, point.coordinates, radius));
    Ok(found_points(context, &Value::Null, json!(points)))
}

/// Takes title, start and points from an earlier run, without the points beyond the requested radius.
fn take_earlier_visit(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let run = context.text("from_run");
    let mut points: Vec<Value> = context.read("points").unwrap_or_default();
    let is_missing = |key: &&str| context.read::<Value>(key).is_none_or(|value| value.is_null());
    let missing = EARLIER_RUN_KEYS
        .iter()
        .filter(|key| **key != MAY_BE_MISSING)
        .find(|key| is_missing(key))
        .or(points.is_empty().then_some(&"points"));
    if let Some(key) = missing {
        return Err(phrase!(
            "The earlier run {run} has no `{key}`; name one that planned a visit, or leave it out",
            run,
            key = *key
        ));
    }
    let (center, then) = (context.read("user_coordinates"), context.read::<f64>("search_radius_km"));
    let details: Value = context.read("extraction_meta").unwrap_or_default();
    let wished = context.read::<f64>("radius_km").or_else(|| details["radius_km"].as_f64());
    // The earlier run has no points beyond the radius that it searched.
    let radius = wished.into_iter().chain(then).reduce(f64::min);
    points.retain(|point| {
        let at = serde_json::from_value(point["coordinates"].clone());
        at.is_ok_and(|at| is_within(center, at, radius))
    });
    let mut meta: Value = context.read("points_meta").unwrap_or_default();
    let note = phrase!("Title, start and points are those of the earlier run {run}", run);
    if let Some(notes) = meta["notes"].as_array_mut() {
        notes.push(json!(note));
    }
    let mut delta = Delta::of("points", json!(points)).with("points_meta", meta);
    for key in EARLIER_RUN_KEYS {
        delta = delta.with(key, context.read::<Value>(key).unwrap_or_default());
    }
    Ok(Acted { delta: delta.with("search_radius_km", json!(radius)), ..Acted::default() })
}

fn is_within(center: Option<Coordinates>, at: Coordinates, radius_km: Option<f64>) -> bool {
    let metres = center.and_then(|center| distance_m(center, at));
    metres.zip(radius_km).is_none_or(|(metres, radius)| f64::from(metres) <= radius * 1000.0)
}
