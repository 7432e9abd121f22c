//! KML 2.2 for virtual globes. The order of elements follows the schema.

use kernel::Coordinates;

use super::color::Color;
use super::sheet::{Sheet, line as line_of};
use super::way;
use super::xml::Xml;
use crate::html::escaped;

/// Width of the route line in pixels.
const WAY_WIDTH: &str = "4";

/// Writes the trip.
pub(crate) fn write(sheet: &Sheet<'_>) -> String {
    let itinerary = &sheet.plan.itinerary;
    let mut colors: Vec<Color> = vec![Color::read("")];
    for entry in &sheet.entries {
        if !colors.contains(&entry.color) {
            colors.push(entry.color);
        }
    }
    Xml::of("kml", &[("xmlns", "http://www.opengis.net/kml/2.2")], |xml| {
        xml.element("Document", &[], |xml| {
            xml.text("name", &sheet.title);
            let mut description = sheet.remarks();
            description.extend(sheet.attributions().into_iter().map(|(words, _)| words));
            xml.text("description", &as_html(&description.join("\n")));
            colors.iter().for_each(|color| style(xml, *color));
            placemark(xml, &sheet.start, sheet.words.start, Color::read(""), |xml| {
                data(xml, &[("kind", "start")]);
                point(xml, itinerary.start_coordinates);
            });
            for entry in &sheet.entries {
                let name = format!("{}. {}", entry.visit.position, entry.name);
                let description = entry.lines(sheet.words).join("\n");
                placemark(xml, &name, &description, entry.color, |xml| {
                    let (id, address) = (line_of(&entry.visit.id), line_of(&entry.details.address));
                    let hours = line_of(entry.visit.opening_hours.as_deref().unwrap_or_default());
                    data(
                        xml,
                        &[
                            ("kind", "visit"),
                            ("id", &id),
                            ("name", &entry.name),
                            ("local_name", entry.local_name.as_deref().unwrap_or_default()),
                            ("opening_hours", &hours),
                            ("address", &address),
                        ],
                    );
                    point(xml, entry.visit.coordinates);
                });
            }
            let lines = way::lines(&sheet.plan.itinerary.way_points());
            if !lines.is_empty() {
                placemark(xml, sheet.words.itinerary, "", Color::read(""), |xml| {
                    data(xml, &[("kind", "route")]);
                    xml.element("MultiGeometry", &[], |xml| {
                        lines.iter().for_each(|points| line(xml, points));
                    });
                });
            }
        });
    })
}

fn id(color: Color) -> String {
    format!("color-{}", color.kml())
}

fn style(xml: &mut Xml, color: Color) {
    xml.element("Style", &[("id", &id(color))], |xml| {
        xml.element("IconStyle", &[], |xml| {
            xml.text("color", &color.kml());
        });
        xml.element("LineStyle", &[], |xml| {
            xml.text("color", &color.kml());
            xml.text("width", WAY_WIDTH);
        });
    });
}

fn placemark(xml: &mut Xml, name: &str, description: &str, color: Color, geometry: impl FnOnce(&mut Xml)) {
    xml.element("Placemark", &[], |xml| {
        xml.text("name", name);
        xml.text("description", &as_html(description));
        xml.text("styleUrl", &format!("#{}", id(color)));
        geometry(xml);
    });
}

/// Writes the extended data of a placemark.
fn data(xml: &mut Xml, values: &[(&str, &str)]) {
    xml.element("ExtendedData", &[], |xml| {
        for (name, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
            xml.element("Data", &[("name", name)], |xml| xml.text("value", value));
        }
    });
}

/// Escapes a description: programs show it as HTML.
fn as_html(text: &str) -> String {
    escaped(text).replace('\n', "<br>\n")
}

fn written(point: &Coordinates) -> String {
    format!("{},{}", point.longitude, point.latitude)
}

fn point(xml: &mut Xml, at: Coordinates) {
    xml.element("Point", &[], |xml| xml.text("coordinates", &written(&at)));
}

fn line(xml: &mut Xml, points: &[Coordinates]) {
    xml.element("LineString", &[], |xml| {
        xml.text("tessellate", "1");
        xml.text("coordinates", &points.iter().map(written).collect::<Vec<_>>().join(" "));
    });
}
