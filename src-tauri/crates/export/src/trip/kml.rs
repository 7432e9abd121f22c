//! KML 2.2: for programs that show a globe. The order of elements is that of its schema.

use kernel::Coordinates;

use super::color::Color;
use super::sheet::Sheet;
use super::way;
use super::xml::Xml;
use crate::html::escaped;

/// The width of the way in pixels.
const WAY_WIDTH: &str = "4";

/// The trip.
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
            let mut told = sheet.remarks();
            told.extend(sheet.attributions().into_iter().map(|(words, _)| words));
            xml.text("description", &as_html(&told.join("\n")));
            colors.iter().for_each(|color| style(xml, *color));
            placemark(xml, &sheet.start, sheet.words.start, Color::read(""), |xml| {
                point(xml, itinerary.start_coordinates);
            });
            for entry in &sheet.entries {
                let name = format!("{}. {}", entry.visit.position, entry.name);
                let told = entry.lines(sheet.words).join("\n");
                placemark(xml, &name, &told, entry.color, |xml| point(xml, entry.visit.coordinates));
            }
            let lines = way::lines(&sheet.plan.itinerary.way_points());
            if !lines.is_empty() {
                placemark(xml, sheet.words.itinerary, "", Color::read(""), |xml| {
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

fn placemark(xml: &mut Xml, name: &str, told: &str, color: Color, geometry: impl FnOnce(&mut Xml)) {
    xml.element("Placemark", &[], |xml| {
        xml.text("name", name);
        xml.text("description", &as_html(told));
        xml.text("styleUrl", &format!("#{}", id(color)));
        geometry(xml);
    });
}

/// Programs show a description as HTML: nothing of it is markup there.
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
