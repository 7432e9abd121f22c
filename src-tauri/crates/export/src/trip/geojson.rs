//! GeoJSON (RFC 7946): points and route with all known properties, for programs.

use kernel::Coordinates;
use serde_json::{Value, json};

use super::sheet::{Entry, LeftOutStop, Sheet, line};
use super::way;
use crate::events::indented;

/// Writes the trip.
pub(crate) fn write(sheet: &Sheet<'_>) -> String {
    let itinerary = &sheet.plan.itinerary;
    let start = json!({
        "kind": "start",
        "position": 0,
        "name": sheet.start,
        "departure": sheet.stamp(itinerary.departure),
    });
    let mut features = vec![feature(Some(itinerary.start_coordinates), start)];
    features.extend(sheet.entries.iter().map(|entry| visit(sheet, entry)));
    features.extend(sheet.left_out.iter().map(left_out));
    let lines: Vec<Vec<Value>> = way::lines(&sheet.plan.itinerary.way_points())
        .iter()
        .map(|points| points.iter().copied().map(way::position).collect())
        .collect();
    let geometry = match &lines[..] {
        [] => None,
        [line] => Some(json!({ "type": "LineString", "coordinates": line })),
        lines => Some(json!({ "type": "MultiLineString", "coordinates": lines })),
    };
    if let Some(geometry) = geometry {
        let totals = &itinerary.totals;
        let properties = json!({
            "kind": "route",
            "name": sheet.title,
            "distance_m": totals.distance_m,
            "duration_s": totals.duration_s,
            "end": sheet.stamp(totals.end),
            "returns_to_start": itinerary.return_leg.is_some(),
            "is_estimate": totals.is_estimate,
        });
        features.push(json!({ "type": "Feature", "geometry": geometry, "properties": properties }));
    }
    let attributions: Vec<Value> =
        sheet.attributions().into_iter().map(|(name, url)| json!({ "name": name, "url": url })).collect();
    indented(&json!({
        "type": "FeatureCollection",
        "name": sheet.title,
        "language": sheet.words.tag,
        "time_zone": sheet.plan.time_zone,
        "remarks": sheet.remarks(),
        "attributions": attributions,
        "features": features,
    }))
}

fn visit(sheet: &Sheet<'_>, entry: &Entry<'_>) -> Value {
    let (visit, details) = (entry.visit, entry.details);
    let properties = json!({
        "kind": "visit",
        "id": line(&visit.id),
        "position": visit.position,
        "name": entry.name,
        "local_name": entry.local_name,
        "title": line(&details.title),
        "color": entry.color.css(),
        "arrival": sheet.stamp(visit.arrival),
        "departure": sheet.stamp(visit.departure),
        "wait_minutes": f64::from(visit.wait_s) / 60.0,
        "stay_minutes": f64::from(visit.stay_s) / 60.0,
        "travel_mode": visit.leg.mode,
        "distance_m": visit.leg.distance_m,
        "duration_s": visit.leg.duration_s,
        "is_estimate": visit.leg.is_estimate,
        "cumulative_distance_m": visit.cumulative_distance_m,
        "cumulative_duration_s": visit.cumulative_duration_s,
        "opening_hours": visit.opening_hours,
        "opening": visit.opening,
        "check": visit.check,
        "is_closed_on_arrival": visit.is_closed_on_arrival,
        "closes_during_stay": visit.closes_during_stay,
        "is_fixed": visit.is_fixed,
        "scene": line(&details.scene),
        "address": line(&details.address),
        "admission": line(&details.admission),
        "description": line(&details.description),
        "origin": line(&details.origin),
    });
    feature(Some(visit.coordinates), properties)
}

fn left_out(stop: &LeftOutStop<'_>) -> Value {
    let properties = json!({
        "kind": "left_out",
        "id": line(stop.id),
        "name": stop.name,
        "reason": stop.reason,
    });
    // Without a position its geometry is null, as in the standard.
    feature(stop.coordinates.filter(|point| itinerary::is_on_earth(*point)), properties)
}

fn feature(at: Option<Coordinates>, properties: Value) -> Value {
    let geometry = at.map(|at| json!({ "type": "Point", "coordinates": way::position(at) }));
    json!({ "type": "Feature", "geometry": geometry, "properties": properties })
}
