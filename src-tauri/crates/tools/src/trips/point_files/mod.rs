//! Points in a file of a person: KML, GPX or GeoJSON, as map programs and Galley itself write them. Not in here: how far away
//! they are, and whether they are visited.
//!
//! The XML is read with `quick-xml`, as all other XML of the program: of the crates that read whole files of KML and GPX, `kml`
//! 0.15 never ends on a file that is cut within a placemark and panics at a point without coordinates.

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

/// More points are refused.
const MOST_POINTS: usize = 5_000;
/// No text that is told of a point is longer, in bytes.
const LONGEST_FIELD: usize = 8_192;
/// The beginning of the ids of points that have none.
const ID: &str = "point";

/// The points of a file, and how much else is in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PointFile {
    /// The points in the order of the file, each with an id of its own.
    pub points: Vec<Point>,
    /// How many entries have no position that can be used: lines, areas, places nowhere on the earth.
    pub unplaced: u32,
}

/// What is told of a place in a file: the name of each field in small letters, and its text.
type Fields = BTreeMap<String, String>;

/// What a reader of a format found: the fields of each place, and its position where it has one.
type Places = Vec<(Fields, Option<Coordinates>)>;

/// Reads the points of a file.
///
/// # Errors
/// `bad_input` where it is no such file, is malformed, has no points or too many of them.
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
        // A file of Galley also has the start, the way and what is left out.
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

/// The text of a field, cut to what is kept of it.
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

/// What a place without a name is called.
fn written(at: Coordinates) -> String {
    format!("{:.5}, {:.5}", at.latitude, at.longitude)
}
