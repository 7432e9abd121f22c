//! A visit in the demonstration area: without key and network from the request to the exports, what it asks, and what the
//! person changes of it.

use serde_json::{Value, json};

use super::galley::{Galley, Told};
use super::host::Host;

fn visit(galley: &Galley, inputs: &[&str]) -> Told {
    let words = ["run", "pilgrimage", "--source", "demonstration", "--profile", "built-in", "--json"];
    let has_day = inputs.iter().any(|input| input.starts_with("date="));
    let day: &[&str] = if has_day { &[] } else { &["date=2026-12-05"] };
    let inputs = day.iter().chain(inputs).flat_map(|input| ["--input", *input]);
    galley.run(words.into_iter().chain(inputs))
}

fn value(galley: &Galley, key: &str) -> Value {
    serde_json::from_str(&galley.run(["show", "last", "--key", key]).ok().out).unwrap()
}

fn export(galley: &Galley, format: &str) -> String {
    galley.run(["export", "last", "--format", format]).ok().out
}

fn arrivals(itinerary: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let visits = itinerary["itinerary"]["visits"].as_array().unwrap();
    visits.iter().map(|visit| (text(&visit["id"]), text(&visit["arrival"]))).collect()
}

#[test]
fn a_visit_without_key_and_network_fills_the_keys_of_the_seed_and_says_that_its_data_are_invented() {
    let galley = Galley::new();
    let state = visit(&galley, &["start_time=10:00", "search_radius_km=3"]).ok().result()["state"].clone();

    assert!(!state["session_id"].as_str().unwrap().is_empty());
    assert_eq!(state["bangumi_id"], 1);
    assert_eq!(state["bangumi_title"], "硝子坂の貸本屋");
    assert_eq!(state["station"]["name"], "松本駅");
    assert_eq!(state["station"]["coordinates"], state["user_coordinates"]);
    assert_eq!(state["search_radius_km"], 3.0);
    let points = state["points"].as_array().unwrap();
    assert!(points.len() >= 20, "{}", points.len());
    for (field, is_right) in [
        ("id", Value::is_string as fn(&Value) -> bool),
        ("name", Value::is_string),
        ("cn_name", Value::is_string),
        ("coordinates", Value::is_object),
        ("bangumi_id", Value::is_string),
        ("bangumi_title", Value::is_string),
        ("episode", Value::is_u64),
        ("time_seconds", Value::is_u64),
        ("screenshot_url", Value::is_string),
    ] {
        assert!(points.iter().all(|point| is_right(&point[field])), "{field}");
    }
    assert!(state["points_meta"]["total"].as_u64().unwrap() > points.len() as u64);
    for field in ["temperature_high", "temperature_low", "precipitation_chance", "wind_speed_kmh"] {
        assert!(state["weather"][field].is_i64(), "{field}");
    }

    let (route, plan) = (&state["route"], &state["final_plan"]);
    assert_eq!(plan["route"], *route);
    assert_eq!(plan["weather"], state["weather"]);
    assert_eq!(plan["summary"]["starting_station"], "Matsumoto Station");
    assert_eq!(plan["summary"]["points_count"], points.len());
    assert_eq!(plan["highlights"].as_array().unwrap().len(), points.len());
    let segments = route["segments"].as_array().unwrap();
    let orders: Vec<u64> = segments.iter().map(|segment| segment["order"].as_u64().unwrap()).collect();
    assert_eq!(orders, (1..=points.len() as u64).collect::<Vec<_>>());
    let so_far: Vec<f64> =
        segments.iter().map(|segment| segment["cumulative_distance_km"].as_f64().unwrap()).collect();
    assert!(so_far.is_sorted() && segments[0]["transport"]["mode"] == "walking");
    let session = &state["pilgrimage_session"];
    assert_eq!(session["session_id"], state["session_id"]);
    assert_eq!((&session["route"], &session["points"]), (route, &state["points"]));

    assert_eq!(state["itinerary"]["trip"]["departure"], "2026-12-05T10:00:00");
    let answer = state["visit_answer"].as_str().unwrap();
    for words in ["Saturday, 5 December 2026", "invented", "The Lending Library on Glass Hill"] {
        assert!(answer.contains(words), "{words}: {answer}");
    }
}

#[test]
fn wishes_and_the_language_of_the_request_are_met() {
    let galley = Galley::new();
    let state = visit(&galley, &["user_query=松本駅から「硝子坂の貸本屋」の聖地を巡りたい。喫茶だけ"])
        .ok()
        .result()["state"]
        .clone();
    let names: Vec<&str> = state["final_plan"]["highlights"]
        .as_array()
        .unwrap()
        .iter()
        .map(|highlight| highlight["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["喫茶ひるの月", "茶房いとぐち"]);
    assert_eq!(state["locale"], "ja-JP");
    assert!(state["visit_answer"].as_str().unwrap().contains("2026年12月5日（土）"));
}

#[test]
fn another_title_than_the_invented_one_is_asked_about_and_the_visit_goes_on_with_the_answer() {
    let galley = Galley::new();
    let asked =
        visit(&galley, &["user_query=I am at Shinjuku and want to visit Your Name locations."]).exits(5);
    assert!(asked.out.contains("Which title do you mean"), "{}", asked.out);
    let asked = galley.run(["answer", "last", "The Lending Library on Glass Hill"]).exits(5);
    assert!(format!("{}{}", asked.out, asked.err).contains("No station was found"), "{}", asked.out);
    galley.run(["answer", "last", "Matsumoto"]).ok();
    assert_eq!(value(&galley, "final_plan")["summary"]["starting_station"], "Matsumoto Station");
}

#[test]
fn answers_that_name_no_station_end_in_words_and_not_in_an_error() {
    let galley = Galley::new();
    let request = "user_query=I am at Shinjuku and want to visit “The Lending Library on Glass Hill”.";
    visit(&galley, &[request]).exits(5);
    for _ in 0..4 {
        galley.run(["answer", "last", "Shinjuku"]).exits(5);
    }
    galley.run(["answer", "last", "Shinjuku"]).ok();
    let told = galley.run(["show", "last", "--key", "visit_answer"]).ok().out;
    assert!(told.contains("Title or station stayed unknown") && told.contains("Shinjuku"), "{told}");
}

#[test]
fn rides_are_asked_for_at_the_times_at_which_one_leaves_also_for_the_way_back() {
    let galley = Galley::new();
    let state = visit(&galley, &["date=2026-12-31", "search_radius_km=20", "return_to_start=true"])
        .ok()
        .result()["state"]
        .clone();
    let plan = &state["itinerary"];
    let visits = plan["itinerary"]["visits"].as_array().unwrap();
    let stops = plan["trip"]["stops"].as_array().unwrap();
    // When one leaves the start and each point, by their numbers.
    let number = |id: &Value| stops.iter().position(|stop| stop["id"] == *id).unwrap() + 1;
    let mut leaves = std::collections::BTreeMap::from([(0, &plan["trip"]["departure"])]);
    leaves.extend(visits.iter().map(|visit| (number(&visit["id"]), &visit["departure"])));
    let rides = plan["rides"].as_array().unwrap();
    assert!(rides.len() > 2, "{rides:?}");
    for ride in rides {
        assert_eq!(ride["departure"], *leaves[&(ride["from"].as_u64().unwrap() as usize)], "{ride}");
    }
    assert_eq!(
        (&rides[rides.len() - 1]["to"], &plan["itinerary"]["return_leg"]["leg"]["mode"]),
        (&json!(0), &json!("transit"))
    );
    assert_eq!(plan["itinerary"]["order"], "good");
    let answer = state["visit_answer"].as_str().unwrap();
    assert!(answer.contains("(Bus 7)"), "{answer}");
}

#[test]
fn unusual_days_wishes_and_languages_are_told_and_the_files_are_made() {
    for (inputs, told) in [
        (
            ["date=2020-01-01", "user_query=Matsumoto, “The Lending Library on Glass Hill”"],
            vec!["The day of this visit is over."],
        ),
        (
            ["date=9999-12-31", "user_query=我在松本站，想去《玻璃坡的租书屋》"],
            vec!["9999年12月31日", "虚构"],
        ),
        (
            ["start_time=23:30", "user_query=松本駅から「硝子坂の貸本屋」の聖地を巡りたい"],
            vec!["**12-06 00:", "架空"],
        ),
        (
            [
                "date=2026-12-31",
                "user_query=From Matsumoto station to “The Lending Library on Glass Hill”, only the bridges, episode 99",
            ],
            vec!["None of the", "without these wishes", "check the opening hours"],
        ),
    ] {
        let galley = Galley::new();
        let state = visit(&galley, &inputs).ok().result()["state"].clone();
        let answer = state["visit_answer"].as_str().unwrap();
        for words in told {
            assert!(answer.contains(words), "{words}: {answer}");
        }
        for format in ["map", "ics", "links", "gpx", "geojson", "kml"] {
            assert!(!export(&galley, format).is_empty(), "{format}");
        }
    }
}

#[test]
fn what_the_person_changes_of_a_visit_changes_its_times_its_plan_and_its_exports() {
    let galley = Galley::new();
    let result = visit(
        &galley,
        &["user_query=From Matsumoto station to “The Lending Library on Glass Hill”, episodes 1 to 3"],
    )
    .ok()
    .result();
    let first = arrivals(&value(&galley, "itinerary"));
    let run = result["run"].as_str().unwrap();

    let host = Host::open(&galley);
    let change = |operation: Value| {
        host.ask("change_visit", json!({"run": run, "key": "itinerary", "operation": operation}))
    };
    let refused = change(json!({"operation": "drop", "id": "nowhere"})).unwrap_err();
    assert_eq!(refused["code"], "not_found");
    change(json!({"operation": "drop", "id": first[0].0})).unwrap();
    let mut ids: Vec<&str> = first[1..].iter().map(|(id, _)| id.as_str()).collect();
    ids.reverse();
    change(json!({"operation": "reorder", "ids": ids})).unwrap();
    drop(host);

    let itinerary = value(&galley, "itinerary");
    let now = arrivals(&itinerary);
    assert_eq!(now.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ids);
    let plan = value(&galley, "final_plan");
    let segments = plan["route"]["segments"].as_array().unwrap();
    let of_plan: Vec<&str> =
        segments.iter().map(|segment| segment["point"]["id"].as_str().unwrap()).collect();
    assert_eq!(of_plan, ids);
    assert_eq!(plan["summary"]["points_count"], ids.len());

    // List, calendar and track tell the same times; Japan is nine hours ahead of UTC.
    let answer = galley.run(["show", "last", "--key", "visit_answer"]).ok().out;
    let (calendar, track) = (export(&galley, "ics"), export(&galley, "gpx"));
    for (id, arrival) in &now {
        assert!(answer.contains(&arrival[11..16]), "{id} {arrival}: {answer}");
        let local: jiff::civil::DateTime = arrival.parse().unwrap();
        let utc = local.to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(9))).unwrap().timestamp();
        assert!(calendar.contains(&utc.strftime("%Y%m%dT%H%M%SZ").to_string()), "{id} {utc}: {calendar}");
        assert!(track.contains(&utc.to_string()), "{id} {utc}: {track}");
    }
}
