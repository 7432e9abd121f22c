use super::*;

fn read(text: &str) -> PointFile {
    read_points(text).unwrap_or_else(|error| panic!("{}: {text}", error.message))
}

/// The name and the position of each point.
fn places(file: &PointFile) -> Vec<(&str, f64, f64)> {
    let points = file.points.iter();
    points.map(|point| (&*point.name, point.coordinates.latitude, point.coordinates.longitude)).collect()
}

const KML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Map</name><Folder><name>Inner</name>
  <Placemark><name>Caf&#xE9; &amp; bar</name><description><![CDATA[<b>no</b>]]></description>
    <ExtendedData><Data name="id"><value>cafe</value></Data><SchemaData><SimpleData name="opening_hours">Mo-Fr 09:00-17:00</SimpleData></SchemaData></ExtendedData>
    <Point><coordinates>
      137.96,36.23,590 </coordinates></Point></Placemark>
  <Placemark><name><![CDATA[喫茶]]></name><MultiGeometry><Point><coordinates>137.97,36.24</coordinates></Point></MultiGeometry></Placemark>
  <Placemark><name>Way</name><LineString><coordinates>137,36 138,37</coordinates></LineString></Placemark>
  <Placemark><name>Empty</name><Point><coordinates></coordinates></Point></Placemark>
  <Placemark/>
</Folder></Document></kml>"#;

const GPX: &str = r#"<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
  <metadata><name>Walk</name></metadata>
  <wpt lat="36.23" lon="137.96"><name>Café &amp; bar</name><link href="https://example.org/cafe"><text>page</text></link></wpt>
  <wpt lat="36.24" lon="137.97"/>
  <wpt lat="91" lon="0"><name>Nowhere</name></wpt>
  <rte><rtept lat="1" lon="2"><name>On the way</name></rtept></rte>
</gpx>"#;

const GEOJSON: &str = r#"{"type": "FeatureCollection", "features": [
  {"type": "Feature", "id": 7, "geometry": {"type": "Point", "coordinates": [137.96, 36.23, 590]},
   "properties": {"name": "Café & bar", "name:en": "Bar", "opening_hours": "24/7", "image": "javascript:alert(1)"}},
  {"type": "Feature", "geometry": {"type": "Point", "coordinates": ["137.97", "36.24"]}, "properties": null},
  {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[137, 36], [138, 37]]}, "properties": {}},
  {"type": "Feature", "geometry": null, "properties": {"name": "Nowhere"}},
  "no feature"]}"#;

#[test]
fn points_of_each_format_are_read_with_their_fields_and_other_entries_are_counted() {
    let file = read(KML);
    assert_eq!(places(&file), [("Café & bar", 36.23, 137.96), ("喫茶", 36.24, 137.97)]);
    assert_eq!((file.points[0].id.as_str(), file.unplaced), ("cafe", 3));
    assert_eq!(file.points[0].opening_hours.as_deref(), Some("Mo-Fr 09:00-17:00"));

    let file = read(&format!("\u{feff}\n{GPX}"));
    assert_eq!(places(&file), [("Café & bar", 36.23, 137.96), ("36.24000, 137.97000", 36.24, 137.97)]);
    assert_eq!((file.points[0].origin_url.as_str(), file.unplaced), ("https://example.org/cafe", 1));
    assert_eq!(file.points[1].id, "point-1");
    let route = "<gpx><rte><rtept lat='1' lon='2'><name>On the way</name></rtept></rte></gpx>";
    assert_eq!(places(&read(route)), [("On the way", 1.0, 2.0)]);

    let file = read(GEOJSON);
    assert_eq!(places(&file), [("Café & bar", 36.23, 137.96), ("36.24000, 137.97000", 36.24, 137.97)]);
    let point = &file.points[0];
    assert_eq!((&*point.id, &*point.en_name, &*point.screenshot_url), ("7", "Bar", ""));
    assert_eq!((point.opening_hours.as_deref(), file.unplaced), (Some("24/7"), 3));
}

#[test]
fn unreadable_files_are_refused_with_the_reason_and_the_next_step() {
    let many = |count: usize| {
        let point = r#"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}"#;
        format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, vec![point; count].join(","))
    };
    for (text, why) in [
        (String::new(), "neither XML nor JSON"),
        ("PK\u{3}\u{4}".to_owned(), "neither XML nor JSON"),
        ("<html><body/></html>".to_owned(), "neither KML nor GPX"),
        ("{\"type\": \"Topology\"}".to_owned(), "no GeoJSON"),
        (GEOJSON[..200].to_owned(), "malformed in line"),
        (KML[..KML.find("<Point>").unwrap()].to_owned(), "ends within the element `Placemark`"),
        (GPX.replace("</rte>", "</rtept>"), "malformed at byte"),
        ("<kml><Document/></kml>".to_owned(), "has no points"),
        (many(MOST_POINTS + 1), "5001 points"),
    ] {
        let error = read_points(&text).unwrap_err();
        assert_eq!(error.code, Code::BadInput);
        assert!(error.message.contains(why), "{why}: {}", error.message);
        assert!(error.message.contains("give a file of KML, GPX or GeoJSON"), "{}", error.message);
    }
    assert_eq!(read(&many(MOST_POINTS)).points.len(), MOST_POINTS);
}

#[test]
fn deeply_nested_and_truncated_files_do_not_crash_the_reader() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(200_000), close.repeat(200_000));
    for text in [
        format!("<kml>{}</kml>", deep("<Folder>", "</Folder>")),
        format!("{{\"type\":\"Feature\",\"geometry\":{}}}", deep("[", "]")),
        format!("<!DOCTYPE kml [<!ENTITY a \"{}\">]><kml>&a;&a;</kml>", "a".repeat(1000)),
    ] {
        assert_eq!(read_points(&text).unwrap_err().code, Code::BadInput);
    }
    for whole in [KML, GPX, GEOJSON] {
        for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            if let Ok(file) = read_points(&whole[..end]) {
                assert!(file.points.len() <= 2, "{}", &whole[..end]);
            }
        }
    }
}
