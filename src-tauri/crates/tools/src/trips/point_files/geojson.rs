//! Reads points from GeoJSON (RFC 7946), also from programs that write numbers as strings.

use kernel::{Coordinates, Phrase, phrase};
use serde_json::{Map, Value};

use super::{Fields, Places, kept};
use crate::web::json_fields::{list, number_in, text};

/// The places of a feature collection, a feature or a geometry.
pub(super) fn places(written: &str) -> Result<Places, Phrase> {
    let json: Value = serde_json::from_str(written).map_err(|error| {
        phrase!(
            "its JSON is malformed in line {line}, column {column}",
            line = error.line(),
            column = error.column()
        )
    })?;
    let language = text(&json, "language");
    match text(&json, "type").as_ref() {
        "FeatureCollection" => {
            Ok(list(&json, "features").iter().map(|feature| place(feature, &language)).collect())
        }
        "Feature" => Ok(vec![place(&json, "")]),
        "Point" => Ok(vec![(Fields::new(), position(&json))]),
        _ => Err(phrase!("its JSON is no GeoJSON")),
    }
}

fn place(feature: &Value, language: &str) -> (Fields, Option<Coordinates>) {
    let mut fields = Fields::new();
    let properties = feature.get("properties").and_then(Value::as_object);
    let id = feature.get("id").map(|id| ("id".to_owned(), id.clone()));
    let own = properties.into_iter().flat_map(Map::clone);
    for (name, value) in id.into_iter().chain(own) {
        let text = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            _ => continue,
        };
        fields.insert(name.to_lowercase(), kept(&text));
    }
    // Galley's own exports have the local name in `local_name` and a translated one in `name`.
    if let (true, Some(name)) = (fields.contains_key("local_name"), fields.get("name").cloned()) {
        let field = if language.starts_with("zh") { "name_cn" } else { "name_en" };
        fields.insert(field.to_owned(), name);
    }
    (fields, feature.get("geometry").and_then(position))
}

/// The position of a point, longitude first; `None` for a line or an area.
fn position(geometry: &Value) -> Option<Coordinates> {
    let is_point = text(geometry, "type") == "Point";
    let [longitude, latitude, ..] = list(geometry, "coordinates") else { return None };
    let at = Coordinates { latitude: number_in(latitude)?, longitude: number_in(longitude)? };
    is_point.then_some(at)
}
