//! Files of trips, read back.

use std::collections::BTreeMap;

use itinerary::{
    Attribution, Choice, DayWeather, Operation, Stop, StopDetails, Trip, TripPlan, change, plan,
};
use jiff::civil::date;
use kernel::{Code, Coordinates, Role};
use quick_xml::Reader;
use quick_xml::events::Event as Part;
use serde_json::{Value, json};

use crate::tests::Sample;
use crate::{Export, FORMATS, Holds, Omissions, format, offered};

mod booklet;
mod hostile;
mod shapes;
mod times;

/// A point this many metres north and east of Uji station.
fn stop(id: &str, name: &str, (north, east): (f64, f64), hours: Option<&str>) -> Stop {
    let coordinates =
        Coordinates { latitude: 34.8906 + north / 111_195.0, longitude: 135.8007 + east / 91_200.0 };
    Stop {
        id: id.to_owned(),
        name: name.to_owned(),
        coordinates: Some(coordinates),
        opening_hours: hours.map(str::to_owned),
        stay_minutes: Some(40),
    }
}

fn details(local_name: &str, title: &str, color: &str) -> StopDetails {
    StopDetails {
        local_name: local_name.to_owned(),
        title: title.to_owned(),
        color: color.to_owned(),
        ..StopDetails::default()
    }
}

/// A trip with these points, planned by the program, on Sunday, 29 November 2026, 10:00.
fn trip_of(language: &str, start: Stop, stops: Vec<Stop>) -> TripPlan {
    let trip = Trip {
        start,
        stops,
        departure: date(2026, 11, 29).at(10, 0, 0, 0),
        returns_to_start: true,
        utc_offset_minutes: Some(540),
        country: Some("JP".to_owned()),
    };
    let itinerary = plan(&trip, &trip.legs(&[]), &Choice::default()).unwrap();
    TripPlan {
        title: "A day in Uji".to_owned(),
        language: language.to_owned(),
        time_zone: Some("Asia/Tokyo".to_owned()),
        trip,
        offers: Vec::new(),
        rides: Vec::new(),
        details: BTreeMap::new(),
        weather: None,
        remarks: Vec::new(),
        lasting_remarks: Vec::new(),
        attributions: Vec::new(),
        itinerary,
    }
}

/// A day in Uji in Japanese: an open point, one that closes early, a closed one, a dropped one and one without a
/// position.
fn uji(language: &str) -> TripPlan {
    let mut nowhere = stop("lost", "幻の喫茶店", (0.0, 0.0), None);
    nowhere.coordinates = None;
    let stops = vec![
        stop("bridge", "宇治橋", (250.0, 500.0), None),
        stop("shrine", "宇治上神社", (-150.0, 1000.0), Some("09:00-16:30")),
        stop("hall", "平等院鳳凰堂", (-330.0, 620.0), Some("08:30-17:30")),
        stop(
            "tower",
            "大吉山展望台（とても長い名前のためにここに書かれた展望台の別名）",
            (-60.0, 1200.0),
            None,
        ),
        stop("museum", "源氏物語ミュージアム", (60.0, 1010.0), Some("Mo-Sa 09:00-17:00")),
        stop("shop", "中村藤吉本店", (-60.0, 60.0), Some("10:00-10:10")),
        stop("gone", "行かない店", (900.0, 900.0), None),
        nowhere,
    ];
    let mut plan = trip_of(language, stop("station", "宇治駅", (0.0, 0.0), None), stops);
    plan.title = "響け！ユーフォニアム 宇治の一日".to_owned();
    let drop = Operation::Drop { id: "gone".to_owned() };
    let choice = change(&plan.itinerary, &drop).unwrap();
    plan.replan(&choice).unwrap();
    for (id, local, title, color) in [
        ("bridge", "Uji Bridge", "響け！ユーフォニアム", "#ffd54f"),
        ("shrine", "Ujigami Shrine", "響け！ユーフォニアム", "#ffd54f"),
        ("hall", "Byōdō-in Phoenix Hall", "源氏物語", "#6a1b9a"),
        ("tower", "", "響け！ユーフォニアム", "#ffd54f"),
        ("museum", "", "源氏物語", "#6a1b9a"),
        ("shop", "", "", "red; background: url(//spy.example)"),
    ] {
        let mut details = details(local, title, color);
        if id == "hall" {
            details.scene = "第3話 12:40".to_owned();
            details.address = "京都府宇治市宇治蓮華116".to_owned();
            details.admission = "700円".to_owned();
            details.description = "十円硬貨に描かれている阿弥陀堂。池に映る姿で知られる。".to_owned();
            details.origin = "OpenStreetMap".to_owned();
            details.origin_url = "https://www.openstreetmap.org/way/1".to_owned();
        }
        plan.details.insert(id.to_owned(), details);
    }
    plan.weather = Some(DayWeather {
        date: "2026-11-29".to_owned(),
        location: "宇治".to_owned(),
        condition: "晴れ".to_owned(),
        temperature_high: 14,
        temperature_low: 5,
        precipitation_chance: Some(10),
        wind_speed_kmh: Some(8),
        recommendation: "歩きやすい一日。".to_owned(),
    });
    plan.remarks = vec!["ミュージアムは日曜日に閉まっています。".to_owned()];
    plan.attributions = vec![Attribution {
        name: "© OpenStreetMap contributors".to_owned(),
        url: "https://www.openstreetmap.org/copyright".to_owned(),
        licence: "ODbL 1.0".to_owned(),
    }];
    plan
}

/// Many points around Uji.
fn many(count: u32) -> TripPlan {
    let point = |number: u32| {
        let (turn, far) = (f64::from(number) * 2.4, 60.0 + f64::from(number) * 30.0);
        stop(&format!("p{number}"), &format!("Point {number}"), (turn.sin() * far, turn.cos() * far), None)
    };
    trip_of("en", stop("station", "Uji Station", (0.0, 0.0), None), (1..=count).map(point).collect())
}

/// A trip in Fiji across the date line.
fn across_the_date_line() -> TripPlan {
    let at = |id: &str, latitude: f64, longitude: f64| Stop {
        coordinates: Some(Coordinates { latitude, longitude }),
        ..stop(id, id, (0.0, 0.0), None)
    };
    trip_of(
        "en",
        at("west", -16.80, 179.98),
        vec![at("east", -16.82, -179.96), at("middle", -16.81, 179.995)],
    )
}

fn sample(plan: &TripPlan) -> Sample {
    let mut value = serde_json::to_value(plan).unwrap();
    value["places"] = json!([]);
    value["route"] = json!([]);
    Sample::of(" ").with("trip", Role::Places { changed_by: None }, &value)
}

fn exported(plan: &TripPlan, id: &str) -> Export {
    sample(plan).export(id)
}

fn text(plan: &TripPlan, id: &str) -> String {
    exported(plan, id).text
}

/// An XML element: its name, its attributes, its own text.
type Element = (String, BTreeMap<String, String>, String);

/// XML elements with their text, in order.
fn elements(xml: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let (mut found, mut open): (Vec<Element>, Vec<usize>) = Default::default();
    loop {
        match reader.read_event().unwrap() {
            Part::Start(start) => {
                let attributes = start.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let value = quick_xml::escape::unescape(&attribute.value);
                    (attribute.key.as_ref().to_owned(), value.unwrap().into_owned())
                });
                let name = start.name().as_ref().to_owned();
                open.push(found.len());
                found.push((name, attributes.collect(), String::new()));
            }
            Part::End(_) => drop(open.pop().unwrap()),
            Part::Text(text) => found[*open.last().unwrap_or(&0)..].iter_mut().take(1).for_each(|element| {
                element.2.push_str(&text);
            }),
            Part::GeneralRef(name) => {
                let name = format!("&{};", &*name);
                let sign = quick_xml::escape::unescape(&name).unwrap();
                found[*open.last().unwrap()].2.push_str(&sign);
            }
            Part::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn a_run_with_a_trip_offers_its_files_and_one_without_explains_what_to_do() {
    let trips: Vec<&str> =
        FORMATS.iter().filter(|format| format.holds == Holds::Trip).map(|format| format.id).collect();
    assert_eq!(trips, ["map", "booklet", "ics", "links", "gpx", "geojson", "kml"]);
    let with = sample(&uji("ja"));
    let ids: Vec<&str> = offered(&with.run()).iter().map(|format| format.id).collect();
    assert!(trips.iter().all(|id| ids.contains(id)), "{ids:?}");
    let places = json!({ "places": [], "route": [] });
    let without = Sample::of("text").with("places", Role::Places { changed_by: None }, &places);
    assert!(offered(&without.run()).iter().all(|format| format.holds != Holds::Trip));
    for id in trips {
        let refused = crate::export(&without.run(), format(id).unwrap(), &Omissions::default()).unwrap_err();
        assert_eq!(refused.code, Code::BadInput);
        assert!(refused.message.contains("until its visits are planned"), "{}", refused.message);
    }
}

#[test]
fn the_first_places_that_are_a_trip_are_used_and_invalid_coordinates_are_rejected() {
    let plan = uji("ja");
    let value = serde_json::to_value(&plan).unwrap();
    let mut off = value.clone();
    off["itinerary"]["visits"][0]["coordinates"]["latitude"] = json!(1e300);
    let role = || Role::Places { changed_by: None };
    let run = Sample::of(" ").with("found", role(), &json!({ "places": [] })).with("off", role(), &off);
    assert!(super::plan(&run.run(), &kernel::fold_state(run.run().events)).is_none());
    let run = run.with("trip", role(), &value);
    assert_eq!(super::plan(&run.run(), &kernel::fold_state(run.run().events)), Some(plan));
}
