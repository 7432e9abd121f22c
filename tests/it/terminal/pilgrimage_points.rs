//! Points that no service gives: those of a file, also of one that a visit was exported to, and those of an earlier run.

use serde_json::Value;
use testkit::TripServices;

use super::galley::{Galley, Told};

fn demonstration(galley: &Galley, inputs: &[&str]) -> Told {
    let words = ["run", "pilgrimage", "--source", "demonstration", "--profile", "built-in", "--json"];
    let inputs = ["date=2026-12-05"].iter().chain(inputs).flat_map(|input| ["--input", *input]);
    galley.run(words.into_iter().chain(inputs))
}

/// Where points are, in a steady order.
fn positions<'a>(points: impl IntoIterator<Item = &'a Value>) -> Vec<(String, String)> {
    let position = |point: &Value| {
        let at = &point["coordinates"];
        (at["latitude"].to_string(), at["longitude"].to_string())
    };
    let mut all: Vec<_> = points.into_iter().map(position).collect();
    all.sort();
    all
}

#[test]
fn the_visits_of_an_export_are_the_points_of_the_next_run_whatever_its_format() {
    let galley = Galley::new();
    let query = "user_query=From Matsumoto station to “The Lending Library on Glass Hill”, episodes 1 to 3";
    let first = demonstration(&galley, &[query]).ok().result()["state"].clone();
    let visits = first["itinerary"]["itinerary"]["visits"].as_array().unwrap();
    let of_first: Vec<&str> = visits.iter().map(|visit| visit["id"].as_str().unwrap()).collect();
    let files = ["kml", "gpx", "geojson"].map(|format| {
        let written = galley.run(["export", "last", "--format", format]).ok().out;
        (format, galley.file(&format!("visit.{format}"), written.as_bytes()))
    });
    for (format, file) in files {
        let points = format!("points=@{file}");
        let query = "user_query=From Matsumoto station to “The Lending Library on Glass Hill”";
        let state = demonstration(&galley, &[query, &points]).ok().result()["state"].clone();
        let points = state["points"].as_array().unwrap();
        assert_eq!(positions(points), positions(visits), "{format}");
        if format != "gpx" {
            let mut ids: Vec<&str> = points.iter().map(|point| point["id"].as_str().unwrap()).collect();
            let mut wanted = of_first.clone();
            ids.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(ids, wanted, "{format}");
            let known = |point: &Value| {
                first["points"].as_array().unwrap().iter().any(|one| one["name"] == point["name"])
            };
            assert!(points.iter().all(known), "{format}: the names of the place");
        }
        assert!(state["visit_answer"].as_str().unwrap().contains("those of the file"), "{format}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_refused_and_points_beyond_the_radius_stay_away() {
    let galley = Galley::new();
    let damaged = galley.file("damaged.kml", "<kml><Document><Placemark><name>A</name>".as_bytes());
    let refused = demonstration(&galley, &[&format!("points=@{damaged}")]).exits(2);
    let told = format!("{}{}", refused.out, refused.err);
    assert!(
        told.contains("ends within the element `Placemark`") && told.contains("KML, GPX or GeoJSON"),
        "{told}"
    );
    let file = "<gpx><wpt lat='36.231' lon='137.965'><name>Near</name></wpt><wpt lat='36.5' lon='137.965'><name>Far</name></wpt></gpx>";
    let file = galley.file("two.gpx", file.as_bytes());
    let state = demonstration(&galley, &[&format!("points=@{file}")]).ok().result()["state"].clone();
    let names: Vec<&Value> = state["points"].as_array().unwrap().iter().map(|point| &point["name"]).collect();
    assert_eq!(names, ["Near"]);
    assert_eq!(state["points_meta"]["total"], 2);
}

#[test]
fn the_points_of_an_earlier_run_are_planned_again_while_every_search_is_down() {
    let services = TripServices::new(&[], false);
    let galley = Galley::new();
    let set = |services: &TripServices| {
        for (key, value) in services.settings() {
            galley.run(["config", "set", &key, &value]).ok();
        }
    };
    set(&services);
    let visit = |inputs: &[&str]| {
        let words = ["run", "pilgrimage", "--profile", "built-in", "--json"];
        galley.run(words.into_iter().chain(inputs.iter().flat_map(|input| ["--input", *input])))
    };
    let query = "user_query=I am at Shinjuku and want to visit Your Hill locations.";
    let first = visit(&[query]).ok().result();
    drop(services);
    let services = TripServices::new(&["bangumi", "heartrails", "anitabi", "open-meteo-geocoding"], false);
    set(&services);
    let from_run = format!("from_run={}", first["run"].as_str().unwrap());
    let state = visit(&[&from_run, "search_radius_km=1", "start_time=13:00"]).ok().result()["state"].clone();
    let names: Vec<&Value> = state["points"].as_array().unwrap().iter().map(|point| &point["name"]).collect();
    assert_eq!(names, ["歩道橋", "喫茶"], "those within the smaller radius");
    assert_eq!(
        (&state["bangumi_title"], &state["station"]),
        (&first["state"]["bangumi_title"], &first["state"]["station"])
    );
    assert!(state["itinerary"]["trip"]["departure"].as_str().unwrap().ends_with("T13:00:00"));
    let answer = state["visit_answer"].as_str().unwrap();
    assert!(answer.contains("Anitabi") && answer.contains("earlier run"), "{answer}");
    let asked = services.asked();
    assert!(
        asked.iter().all(|path| !path.starts_with("bangumi") && !path.starts_with("anitabi")),
        "{asked:?}"
    );
    assert!(
        asked.iter().all(|path| !path.starts_with("heartrails") && !path.contains("geocoding")),
        "{asked:?}"
    );
}
