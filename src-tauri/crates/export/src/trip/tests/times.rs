//! All files show the same names and times.

use std::collections::BTreeMap;

use regex::Regex;

use super::*;
use crate::tests::paper::poppler;

/// The arrivals in each format, parsed as local times.
fn arrivals(plan: &TripPlan) -> BTreeMap<&'static str, Vec<String>> {
    let local = |moment: &str| {
        let moment: jiff::Timestamp = moment.parse().unwrap();
        jiff::tz::Offset::from_seconds(9 * 3600).unwrap().to_datetime(moment).strftime("%H:%M").to_string()
    };
    let mut found = BTreeMap::new();
    let xml = elements(&text(plan, "gpx"));
    let times: Vec<&str> =
        xml.iter().filter(|(name, ..)| name == "time").map(|(.., text)| text.as_str()).collect();
    let visits = plan.itinerary.visits.len();
    // The first times are of the file and of the start, then of each visit; the route repeats them.
    found.insert("gpx", times[2..2 + visits].iter().map(|time| local(time)).collect());
    found.insert("gpx route", times[3 + visits..3 + 2 * visits].iter().map(|time| local(time)).collect());
    let json: Value = serde_json::from_str(&text(plan, "geojson")).unwrap();
    let features = json["features"].as_array().unwrap();
    let visited = features.iter().filter(|feature| feature["properties"]["kind"] == "visit");
    let arrival = |feature: &Value| {
        let time = feature["properties"]["arrival"].as_str().unwrap();
        assert!(time.ends_with("+09:00"), "{time}");
        local(time)
    };
    found.insert("geojson", visited.map(arrival).collect());
    let calendar = text(plan, "ics");
    let starts = calendar.lines().filter_map(|line| line.strip_prefix("DTSTART:"));
    let start = |text: &str| {
        let moment = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", text).unwrap();
        local(&format!("{moment}Z"))
    };
    found.insert("ics", starts.map(start).collect());
    let page = text(plan, "map");
    let times = |part: &str| {
        let from = part.find("<time>").unwrap() + 6;
        part[from..from + 5].to_owned()
    };
    let listed = page.split("<li id=\"visit-").skip(2);
    found.insert("map list", listed.map(times).collect());
    let drawn = page.split("<a id=\"point-").skip(2);
    let shown = |part: &str| part.split("</title>").next().unwrap().rsplit(' ').next().unwrap().to_owned();
    found.insert("map", drawn.map(shown).collect());
    let booklet = poppler("pdftotext", &exported(plan, "booklet").bytes, &["-"]);
    // Opening hours have a hyphen; only visits have an en dash.
    let visits = Regex::new("([0-9]{2}:[0-9]{2})–[0-9]{2}:[0-9]{2}").unwrap();
    found.insert("booklet", visits.captures_iter(&booklet).map(|times| times[1].to_owned()).collect());
    let rows = Regex::new("(?m)^([0-9]{2}:[0-9]{2})\\s*\n\\s*[0-9]{2}:[0-9]{2}\\s*$").unwrap();
    found.insert("booklet table", rows.captures_iter(&booklet).map(|times| times[1].to_owned()).collect());
    found
}

#[test]
fn every_file_shows_the_same_arrivals() {
    for plan in [uji("ja"), many(12)] {
        let expected: Vec<String> =
            plan.itinerary.visits.iter().map(|visit| visit.arrival.strftime("%H:%M").to_string()).collect();
        for (file, found) in arrivals(&plan) {
            assert_eq!(found, expected, "{file}");
        }
    }
}

#[test]
fn without_an_offset_times_are_floating() {
    let mut plan = uji("ja");
    plan.itinerary.utc_offset_minutes = None;
    plan.trip.utc_offset_minutes = None;
    let arrival = plan.itinerary.visits[0].arrival;
    let calendar = text(&plan, "ics");
    assert!(calendar.contains(&format!("DTSTART:{}\r\n", arrival.strftime("%Y%m%dT%H%M%S"))), "{calendar}");
    let gpx = elements(&text(&plan, "gpx"));
    assert_eq!(gpx.iter().filter(|(name, ..)| name == "time").count(), 1, "only that of the file");
    let json = text(&plan, "geojson");
    assert!(json.contains(&format!("\"arrival\": \"{}\"", arrival.strftime("%Y-%m-%dT%H:%M:%S"))), "{json}");
}

#[test]
fn reading_a_calendar_again_updates_its_events_and_lines_are_short_and_complete() {
    let plan = uji("ja");
    let calendar = text(&plan, "ics");
    assert_eq!(calendar.matches('\n').count(), calendar.matches("\r\n").count());
    for line in calendar.split("\r\n") {
        assert!(line.len() <= 75, "{} octets: {line}", line.len());
    }
    let unfolded = calendar.replace("\r\n ", "");
    assert!(
        unfolded.contains("大吉山展望台（とても長い名前のためにここに書かれた展望台の別名）"),
        "{unfolded}"
    );
    assert!(unfolded.contains("DTSTAMP:20250615T150640Z\r\n"), "{unfolded}");
    assert!(unfolded.contains("GEO:34.8"), "{unfolded}");
    let uids = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("UID:")).map(str::to_owned).collect()
    };
    let mut later = uji("zh");
    later.itinerary.visits.reverse();
    let (mut one, mut other) = (uids(&calendar), uids(&text(&later, "ics")));
    assert_eq!(one.len(), plan.itinerary.visits.len());
    one.sort();
    other.sort();
    assert_eq!(one, other);
    one.dedup();
    assert_eq!(one.len(), other.len(), "each event has its own");
}

#[test]
fn times_of_the_next_day_have_its_date() {
    let plan = many(40);
    let page = text(&plan, "map");
    assert!(page.contains("<time>11-30 "), "{page}");
}

#[test]
fn a_calendar_and_a_list_of_links_have_the_remarks_and_attributions() {
    let plan = uji("ja");
    let calendar = text(&plan, "ics").replace("\r\n ", "");
    let expected = [
        "ミュージアムは日曜日に閉まっています。",
        "© OpenStreetMap contributors",
        "https://www.openstreetmap.org/copyright",
    ];
    let descriptions: Vec<&str> = calendar.lines().filter(|line| line.starts_with("DESCRIPTION:")).collect();
    assert_eq!(descriptions.len(), plan.itinerary.visits.len() + 1, "of the calendar and of each event");
    for words in expected {
        assert!(descriptions.iter().all(|line| line.contains(words)), "{words}: {calendar}");
        assert!(text(&plan, "links").contains(words), "{words}");
    }
}

#[test]
fn around_the_new_year_every_file_shows_the_hours_and_asks_to_check_them() {
    let hours = Some("09:00-17:00");
    let mut plan =
        trip_of("en", stop("s", "Uji", (0.0, 0.0), None), vec![stop("a", "Hall", (300.0, 0.0), hours)]);
    plan.trip.departure = date(2026, 12, 31).at(10, 0, 0, 0);
    plan.replan(&Choice::default()).unwrap();
    let expected = "open until 17:00\u{A0}· check: hours differ around New Year";
    for id in ["map", "gpx", "kml", "ics"] {
        let file = text(&plan, id).replace("\r\n ", "");
        assert!(file.contains(expected), "{id}: {file}");
    }
    let booklet = poppler("pdftotext", &exported(&plan, "booklet").bytes, &["-"]);
    assert!(booklet.contains("open until 17:00") && booklet.contains("check: hours differ"), "{booklet}");
    assert!(text(&plan, "geojson").contains("\"check\": \"new_year\""));
}

#[test]
fn unknown_weather_is_left_out() {
    let mut plan = uji("en");
    assert!(text(&plan, "map").contains("Rain 10 %"), "{}", text(&plan, "map"));
    let weather = plan.weather.as_mut().unwrap();
    (weather.precipitation_chance, weather.wind_speed_kmh) = (None, Some(0));
    let page = text(&plan, "map");
    assert!(!page.contains("Rain") && page.contains("Wind 0 km/h"), "{page}");
}
