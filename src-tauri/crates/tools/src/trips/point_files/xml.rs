//! Reads points from KML and GPX without recursion, so that nesting depth does not matter; mismatched end tags and
//! truncated files are refused.

use kernel::{Coordinates, Phrase, phrase};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{Fields, Places, kept};
use crate::readers::markup::entity;

/// The elements of a place in KML, and two in GPX.
const PLACEMARK: &str = "Placemark";
const WAYPOINT: &str = "wpt";
const ROUTE_POINT: &str = "rtept";

/// The places of a file; the route points of a GPX file without waypoints.
pub(super) fn places(written: &str) -> Result<Places, Phrase> {
    let mut reader = Reader::from_str(written);
    reader.config_mut().expand_empty_elements = true;
    let mut file = File::default();
    loop {
        let event = reader
            .read_event()
            .map_err(|_| phrase!("its XML is malformed at byte {place}", place = reader.error_position()))?;
        match event {
            Event::Start(tag) => file.open(&tag)?,
            Event::End(_) => file.close(),
            Event::Text(text) => file.text.push_str(&text),
            Event::CData(text) => file.text.push_str(&text),
            Event::GeneralRef(name) => file.text.extend(entity(&name)),
            Event::Eof => break,
            _ => {}
        }
    }
    if let Some(open) = file.open.last() {
        return Err(phrase!("it ends within the element `{element}`", element = open.as_str()));
    }
    Ok(if file.places.is_empty() { file.route_points } else { file.places })
}

#[derive(Default)]
struct File {
    places: Places,
    route_points: Places,
    /// The names of the open elements.
    open: Vec<String>,
    /// The text since the last start tag.
    text: String,
    /// The place being read, and the name of its field being read.
    fields: Fields,
    field: String,
    at: Option<Coordinates>,
}

impl File {
    fn open(&mut self, tag: &BytesStart<'_>) -> Result<(), Phrase> {
        let name = tag.local_name().as_ref().to_owned();
        if self.open.is_empty() && !matches!(name.as_str(), "kml" | "gpx") {
            return Err(phrase!("its XML is neither KML nor GPX"));
        }
        match name.as_str() {
            PLACEMARK => (self.fields, self.at) = (Fields::new(), None),
            WAYPOINT | ROUTE_POINT => {
                self.fields = Fields::new();
                self.at = degrees(&attribute(tag, "lat"), &attribute(tag, "lon"));
            }
            "Data" | "SimpleData" => self.field = attribute(tag, "name").to_lowercase(),
            "link" if self.is_in(WAYPOINT) => {
                self.fields.insert("link".to_owned(), kept(&attribute(tag, "href")));
            }
            _ => {}
        }
        self.text.clear();
        self.open.push(name);
        Ok(())
    }

    fn is_in(&self, element: &str) -> bool {
        self.open.last().is_some_and(|open| open == element)
    }

    fn close(&mut self) {
        let Some(name) = self.open.pop() else { return };
        let text = std::mem::take(&mut self.text);
        let parent = self.open.last().map_or("", String::as_str);
        match (parent, name.as_str()) {
            (_, PLACEMARK | WAYPOINT) => self.places.push((std::mem::take(&mut self.fields), self.at.take())),
            (_, ROUTE_POINT) => self.route_points.push((std::mem::take(&mut self.fields), self.at.take())),
            ("Point", "coordinates") => self.at = self.at.or_else(|| first_of(&text)),
            ("Data", "value") | (_, "SimpleData") => {
                let field = std::mem::take(&mut self.field);
                self.fields.insert(field, kept(text.trim()));
            }
            (PLACEMARK, "name" | "address") | (WAYPOINT | ROUTE_POINT, "name" | "src") => {
                self.fields.entry(name).or_insert_with(|| kept(text.trim()));
            }
            (WAYPOINT | ROUTE_POINT, "type") => {
                self.fields.insert("kind".to_owned(), kept(text.trim()));
            }
            _ => {}
        }
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> String {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name);
    let written = found.map(|attribute| attribute.value.to_string()).unwrap_or_default();
    html_escape::decode_html_entities(&written).into_owned()
}

/// The first position in a list of KML: `longitude,latitude,height`.
fn first_of(written: &str) -> Option<Coordinates> {
    let mut numbers = written.split_whitespace().next()?.split(',');
    let (longitude, latitude) = (numbers.next()?, numbers.next()?);
    degrees(latitude, longitude)
}

fn degrees(latitude: &str, longitude: &str) -> Option<Coordinates> {
    let read = |degrees: &str| degrees.trim().parse::<f64>().ok().filter(|degrees| degrees.is_finite());
    Some(Coordinates { latitude: read(latitude)?, longitude: read(longitude)? })
}
