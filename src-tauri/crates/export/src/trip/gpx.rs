//! GPX 1.1: points and a route for navigation devices. The order of elements follows the schema.

use jiff::Timestamp;
use kernel::Coordinates;

use super::sheet::{DOT, Sheet};
use super::xml::Xml;

const NAMESPACE: &str = "http://www.topografix.com/GPX/1/1";
const SCHEMA: &str = "http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd";

/// Writes the trip.
pub(crate) fn write(sheet: &Sheet<'_>) -> String {
    let itinerary = &sheet.plan.itinerary;
    let attributes = [
        ("version", "1.1"),
        ("creator", "Galley"),
        ("xmlns", NAMESPACE),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("xsi:schemaLocation", SCHEMA),
    ];
    Xml::of("gpx", &attributes, |xml| {
        xml.element("metadata", &[], |xml| metadata(xml, sheet));
        let departure = sheet.moment(itinerary.departure);
        let texts = [sheet.words.start, "start"];
        point(xml, "wpt", itinerary.start_coordinates, departure, &sheet.start, texts);
        for entry in &sheet.entries {
            let arrival = sheet.moment(entry.visit.arrival);
            let description = entry.lines(sheet.words).join("\n");
            point(xml, "wpt", entry.visit.coordinates, arrival, &entry.name, [&description, "visit"]);
        }
        xml.element("rte", &[], |xml| {
            xml.text("name", &sheet.title);
            point(xml, "rtept", itinerary.start_coordinates, departure, &sheet.start, ["", "start"]);
            for entry in &sheet.entries {
                let arrival = sheet.moment(entry.visit.arrival);
                point(xml, "rtept", entry.visit.coordinates, arrival, &entry.name, [&entry.way, "visit"]);
            }
            if let Some(back) = &itinerary.return_leg {
                let arrival = sheet.moment(back.arrival);
                let way = sheet.way(&back.leg);
                point(xml, "rtept", itinerary.start_coordinates, arrival, &sheet.start, [&way, "start"]);
            }
        });
    })
}

fn metadata(xml: &mut Xml, sheet: &Sheet<'_>) {
    let attributions = sheet.attributions();
    let owners: Vec<&str> = attributions.iter().map(|(words, _)| words.as_str()).collect();
    let mut description = sheet.remarks();
    description.insert(
        0,
        sheet.facts().iter().map(|(name, value)| sheet.words.pair(name, value)).collect::<Vec<_>>().join(DOT),
    );
    xml.text("name", &sheet.title);
    xml.text("desc", &description.join("\n"));
    if !owners.is_empty() {
        xml.element("copyright", &[("author", &owners.join("; "))], |_| {});
    }
    for (words, address) in &attributions {
        if let Some(address) = address {
            xml.element("link", &[("href", address)], |xml| xml.text("text", words));
        }
    }
    xml.text("time", &sheet.changed_at.to_string());
}

/// Writes a point as this element, with its description and its kind.
fn point(
    xml: &mut Xml,
    element: &str,
    at: Coordinates,
    time: Option<Timestamp>,
    name: &str,
    [description, kind]: [&str; 2],
) {
    // A longitude in GPX is less than 180.
    let longitude = if at.longitude >= 180.0 { at.longitude - 360.0 } else { at.longitude };
    let (latitude, longitude) = (at.latitude.to_string(), longitude.to_string());
    xml.element(element, &[("lat", &latitude), ("lon", &longitude)], |xml| {
        xml.text("time", &time.map(|time| time.to_string()).unwrap_or_default());
        xml.text("name", name);
        xml.text("desc", description);
        xml.text("type", kind);
    });
}
