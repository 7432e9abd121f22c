//! The structure that the standards of the formats require.

use super::*;

#[test]
fn gpx_has_its_elements_in_the_order_of_its_schema() {
    let plan = uji("ja");
    let xml = text(&plan, "gpx");
    let all = elements(&xml);
    assert_eq!(all[0].1["xmlns"], "http://www.topografix.com/GPX/1/1");
    assert_eq!(all[0].1["version"], "1.1");
    let names: Vec<&str> = all.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names[..8], ["gpx", "metadata", "name", "desc", "copyright", "link", "text", "time"]);
    let first = names.iter().position(|name| *name == "wpt").unwrap();
    assert_eq!(names[first..first + 4], ["wpt", "time", "name", "desc"]);
    let count = |wanted: &str| names.iter().filter(|name| **name == wanted).count();
    assert_eq!((count("wpt"), count("rte"), count("rtept")), (7, 1, 8), "the way leads back");
    let last = names.iter().rposition(|name| *name == "wpt").unwrap();
    assert!(last < names.iter().position(|name| *name == "rte").unwrap());
    let points: Vec<&str> = all
        .iter()
        .skip_while(|(name, ..)| name != "rte")
        .filter(|(name, ..)| name == "rtept")
        .map(|(_, attributes, _)| attributes["lat"].as_str())
        .collect();
    let expected: Vec<String> =
        plan.itinerary.visits.iter().map(|visit| visit.coordinates.latitude.to_string()).collect();
    assert_eq!(points[1..7], expected);
}

#[test]
fn geojson_has_all_known_properties_and_splits_its_line_at_the_date_line() {
    let json: Value = serde_json::from_str(&text(&uji("ja"), "geojson")).unwrap();
    let features = json["features"].as_array().unwrap();
    let kind = |wanted: &str| -> Vec<&Value> {
        features.iter().filter(|feature| feature["properties"]["kind"] == wanted).collect()
    };
    assert_eq!((kind("start").len(), kind("visit").len(), kind("route").len()), (1, 6, 1));
    let left_out = kind("left_out");
    let reason_and_position =
        |feature: &Value| (feature["properties"]["reason"].clone(), feature["geometry"].is_null());
    assert_eq!(
        left_out.iter().map(|feature| reason_and_position(feature)).collect::<Vec<_>>(),
        [(json!("除外済み"), false), (json!("位置不明"), true)]
    );
    let hall = kind("visit").into_iter().find(|feature| feature["properties"]["id"] == "hall").unwrap();
    assert_eq!(hall["properties"]["color"], "#6a1b9a");
    assert_eq!(hall["properties"]["stay_minutes"], 40.0);
    assert!(hall["geometry"]["coordinates"][0].as_f64().unwrap() > 135.0, "longitude first");
    assert_eq!(kind("route")[0]["geometry"]["type"], "LineString");
    let shop = kind("visit").into_iter().find(|feature| feature["properties"]["id"] == "shop").unwrap();
    assert_eq!(shop["properties"]["color"], "#1a4f9c", "what is no colour is none");

    let json: Value = serde_json::from_str(&text(&across_the_date_line(), "geojson")).unwrap();
    let way = &json["features"].as_array().unwrap().last().unwrap()["geometry"];
    assert_eq!(way["type"], "MultiLineString");
    let lines = way["coordinates"].as_array().unwrap();
    assert_eq!(lines.len(), 3, "there and back: {lines:?}");
    for line in lines {
        let along: Vec<f64> =
            line.as_array().unwrap().iter().map(|point| point[0].as_f64().unwrap()).collect();
        assert!(along.len() > 1 && along.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 1.0), "{along:?}");
    }
    assert_eq!(lines[0].as_array().unwrap().last().unwrap()[0], 180.0);
    assert_eq!(lines[1][0][0], -180.0);
}

#[test]
fn kml_has_a_placemark_for_every_point_in_the_colour_of_its_work() {
    let xml = text(&uji("ja"), "kml");
    let all = elements(&xml);
    assert_eq!(all[0].1["xmlns"], "http://www.opengis.net/kml/2.2");
    assert_eq!(all.iter().filter(|(name, ..)| name == "Placemark").count(), 8);
    let styles: Vec<&str> = all
        .iter()
        .filter(|(name, ..)| name == "Style")
        .map(|(_, attributes, _)| &*attributes["id"])
        .collect();
    assert_eq!(styles.len(), 3, "{styles:?}");
    for (_, _, style) in all.iter().filter(|(name, ..)| name == "styleUrl") {
        assert!(styles.contains(&style.trim_start_matches('#')), "{style}");
    }
    assert!(xml.contains("<color>ff9a1b6a</color>"), "{xml}");
    let lines = elements(&text(&across_the_date_line(), "kml"));
    assert_eq!(lines.iter().filter(|(name, ..)| name == "LineString").count(), 3);
}

#[test]
fn each_link_begins_at_the_end_of_the_last_one_and_has_at_most_nine_points_between() {
    let plan = many(60);
    let links = text(&plan, "links");
    let lines: Vec<&str> =
        links.lines().filter(|line| line.contains("https://www.google.com/maps/dir/")).collect();
    assert_eq!(lines.len(), 7, "61 legs with the way back, 10 a link: {links}");
    let mut end: Option<String> = None;
    let mut legs = 0;
    for (index, line) in lines.iter().enumerate() {
        assert!(line.starts_with(&format!("{}. ", index + 1)), "{line}");
        let address = line.split("](").nth(1).unwrap().split(')').next().unwrap();
        let query: BTreeMap<&str, &str> =
            address.split_once('?').unwrap().1.split('&').filter_map(|pair| pair.split_once('=')).collect();
        assert_eq!((query["api"], query["travelmode"]), ("1", "walking"));
        assert!(end.as_deref().is_none_or(|end| end == query["origin"]));
        let between = query.get("waypoints").map_or(0, |points| points.split("%7C").count());
        assert!(between <= 9, "{between}");
        legs += between + 1;
        end = Some(query["destination"].to_owned());
    }
    assert_eq!(legs, 61);
    let start = plan.itinerary.start_coordinates;
    assert_eq!(end, Some(format!("{:.6}%2C{:.6}", start.latitude, start.longitude)), "it returns");
}

#[test]
fn trips_of_one_and_of_sixty_points_fit_into_their_frame() {
    for plan in [many(1), many(60), many(200), across_the_date_line(), many(0)] {
        let run = sample(&plan);
        let run = run.run();
        let sheet = crate::trip::sheet(&run, &plan);
        let map = crate::trip::map::drawing(&sheet, crate::trip::map::FRAME);
        assert_eq!(map.marks.len(), plan.itinerary.visits.len() + 1);
        for mark in &map.marks {
            for (x, y) in [mark.at, mark.disc] {
                assert!((0.0..=map.width).contains(&x) && (0.0..=map.height).contains(&y), "{x} {y}");
            }
        }
        assert!(map.scale_m > 0 && map.scale_length <= map.width / 4.0 + 1.0, "{}", map.scale_length);
        let page = text(&plan, "map");
        assert!(!page.contains("NaN") && !page.contains("inf"));
    }
    let west = across_the_date_line();
    let run = sample(&west);
    let run = run.run();
    let sheet = crate::trip::sheet(&run, &west);
    let map = crate::trip::map::drawing(&sheet, crate::trip::map::FRAME);
    // 179.98° and -179.96° are 6.4 km apart, not a turn around the earth.
    assert!(map.scale_m <= 2000, "{}", map.scale_m);
    assert!(map.marks.iter().skip(1).all(|mark| mark.at.0 > map.marks[0].at.0), "east is right");
}
