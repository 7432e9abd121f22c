//! Reads points from the user's file: KML, GPX or GeoJSON of map programs or of Galley's own exports. Not in here:
//! distances, and which points are visited.
//!
//! The XML is parsed with `quick-xml`, as elsewhere in the program: of the crates that read whole KML and GPX files,
//! `kml` 0.15 loops forever on a file that is truncated within a placemark, and panics at a point without coordinates.

mod geojson;
#[cfg(test)]
mod tests;
mod xml;

use std::collections::BTreeMap;

use itinerary::is_on_earth;
use kernel::{Code, Coordinates, Error, Phrase, phrase};

use super::Point;
use super::shapes::with_own_ids;
use crate::readers::web_address;
use crate::web::json_fields::{harmless, title};

/// Files with more points are refused.
const MOST_POINTS: usize = 5_000;
/// The longest text of a point, in bytes.
const LONGEST_FIELD: usize = 8_192;
/// The prefix of generated ids.
const ID: &str = "point";

/// The points of a file, and the number of unusable entries.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PointFile {
    /// The points in file order, with unique ids.
    pub points: Vec<Point>,
    /// The number of entries without a usable position: lines, areas, invalid coordinates.
    pub unplaced: u32,
}

/// The fields of a place: name in lower case, and text.
type Fields = BTreeMap<String, String>;

/// The result of a format's reader: the fields of each place, and its position if it has one.
type Places = Vec<(Fields, Option<Coordinates>)>;

/// Reads the points of a file.
///
/// # Errors
/// `bad_input` when the format is unknown, the file is malformed, or it has no points or too many.
pub fn read_points(text: &str) -> Result<PointFile, Error> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let found = match text.chars().next() {
        Some('{') => geojson::places(text),
        Some('<') => xml::places(text),
        _ => Err(phrase!("it is neither XML nor JSON")),
    };
    let places = found.map_err(refused)?;
    let mut file = PointFile::default();
    for (fields, at) in places {
        // Galley's own exports also contain the start, the route and the points left out.
        if fields.get("kind").is_some_and(|kind| matches!(kind.as_str(), "start" | "route" | "left_out")) {
            continue;
        }
        match at.filter(|at| is_on_earth(*at)) {
            Some(at) => file.points.push(point(&fields, at)),
            None => file.unplaced = file.unplaced.saturating_add(1),
        }
    }
    match file.points.len() {
        0 => Err(refused(phrase!("it has no points"))),
        count if count > MOST_POINTS => Err(refused(phrase!(
            "it has {count} points, and {most} are taken at most",
            count,
            most = MOST_POINTS
        ))),
        _ => {
            with_own_ids(&mut file.points, ID);
            Ok(file)
        }
    }
}

fn refused(why: Phrase) -> Error {
    let message = phrase!(
        "The points cannot be read: {why}; give a file of KML, GPX or GeoJSON with points in it",
        why
    );
    Error::new(Code::BadInput, message)
}

/// The text of a field, cut to the limit.
fn kept(text: &str) -> String {
    let end = text.floor_char_boundary(LONGEST_FIELD.min(text.len()));
    text[..end].to_owned()
}

fn point(fields: &Fields, coordinates: Coordinates) -> Point {
    let first = |names: &[&str]| {
        let found = names.iter().filter_map(|name| fields.get(*name));
        found.map(|text| title(&harmless(text))).find(|text| !text.is_empty()).unwrap_or_default()
    };
    let some = |names: &[&str]| Some(first(names)).filter(|text| !text.is_empty());
    let address =
        |names: &[&str]| names.iter().find_map(|name| web_address(fields.get(*name)?)).unwrap_or_default();
    let name = first(&["local_name", "name", "title", "id"]);
    Point {
        id: first(&["id"]),
        name: if name.is_empty() { written(coordinates) } else { name },
        cn_name: first(&["name_cn", "cn_name", "name:zh"]),
        en_name: first(&["name_en", "en_name", "name:en"]),
        coordinates,
        episode: first(&["episode", "ep"]),
        time_seconds: 0,
        screenshot_url: address(&["picture", "image", "screenshot_url"]),
        address: some(&["address"]),
        opening_hours: some(&["opening_hours"]),
        admission_fee: some(&["admission", "fee"]),
        kind: String::new(),
        origin: first(&["origin", "src"]),
        origin_url: address(&["origin_url", "url", "link"]),
    }
}

/// The name of a place without one.
fn written(at: Coordinates) -> String {
    format!("{:.5}, {:.5}", at.latitude, at.longitude)
}
