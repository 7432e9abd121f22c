//! The route of a trip as lines on the globe.

use kernel::Coordinates;
use serde_json::{Value, json};

/// The points as lines that do not cross the date line, because programs draw a crossing line around the earth (RFC
/// 7946, section 3.1.9). Fewer than two points give no line.
pub(crate) fn lines(points: &[Coordinates]) -> Vec<Vec<Coordinates>> {
    let mut lines: Vec<Vec<Coordinates>> = Vec::new();
    let mut current: Vec<Coordinates> = Vec::new();
    for &to in points {
        let from = current.last().copied();
        if let Some(from) = from.filter(|from| (to.longitude - from.longitude).abs() > 180.0) {
            // The shorter way crosses the date line on the side of the starting point.
            let edge = 180.0_f64.copysign(from.longitude);
            let whole = to.longitude + 2.0 * edge - from.longitude;
            let part = if whole == 0.0 { 0.0 } else { (edge - from.longitude) / whole };
            let latitude = from.latitude + (to.latitude - from.latitude) * part;
            push(&mut current, Coordinates { latitude, longitude: edge });
            lines.push(std::mem::take(&mut current));
            current.push(Coordinates { latitude, longitude: -edge });
            push(&mut current, to);
            continue;
        }
        current.push(to);
    }
    lines.push(current);
    lines.retain(|line| line.len() > 1);
    lines
}

/// Adds a point to a line unless the line already ends there.
fn push(line: &mut Vec<Coordinates>, point: Coordinates) {
    if line.last() != Some(&point) {
        line.push(point);
    }
}

/// A GeoJSON position.
pub(crate) fn position(point: Coordinates) -> Value {
    json!([point.longitude, point.latitude])
}
