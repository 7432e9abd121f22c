//! A visit over the real services, each played on the loopback address: the keys of the seed, what goes on beside each
//! other, what happens when a service is down, and that a replay asks nobody.

use serde_json::Value;
use testkit::TripServices;

use super::galley::{Galley, Told};

const REQUEST: &str = "user_query=I am at Shinjuku and want to visit Your Hill locations.";

fn galley(services: &TripServices) -> Galley {
    let galley = Galley::new();
    for (key, value) in services.settings() {
        galley.run(["config", "set", &key, &value]).ok();
    }
    galley
}

fn visit(galley: &Galley) -> Told {
    visit_with(galley, "routing=osrm")
}

/// A visit with this tool in its slot.
fn visit_with(galley: &Galley, tool: &str) -> Told {
    galley.run(["run", "pilgrimage", "--profile", "built-in", "--json", "--tool", tool, "--input", REQUEST])
}

#[test]
fn a_request_fills_the_keys_of_the_seed_and_weather_and_ways_are_asked_for_beside_each_other() {
    let services = TripServices::new(&[], true);
    let galley = galley(&services);
    let state = visit(&galley).ok().result()["state"].clone();

    assert_eq!((&state["bangumi_name"], &state["location"]), (&"Your Hill".into(), &"Shinjuku".into()));
    assert_eq!((&state["bangumi_id"], &state["bangumi_title"]), (&160_209.into(), &"君の坂。".into()));
    assert_eq!((&state["bangumi_title_cn"], &state["bangumi_confidence"]), (&"你的坡。".into(), &1.0.into()));
    assert_eq!(state["bangumi_candidates"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&state["station"]["name"], &state["station"]["prefecture"]),
        (&"Shinjuku Station".into(), &"東京都".into())
    );
    let points = state["points"].as_array().unwrap();
    let ids: Vec<&str> = points.iter().map(|point| point["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    assert_eq!(points.iter().map(|point| point["episode"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 0]);
    assert_eq!((&state["points_meta"]["total"], &state["points_meta"]["unplaced"]), (&9.into(), &1.into()));
    assert_eq!(
        (&state["weather"]["condition"], &state["weather"]["temperature_high"]),
        (&"rain".into(), &12.into())
    );
    let plan = &state["final_plan"];
    assert_eq!(
        (&plan["summary"]["bangumi_title"], &plan["summary"]["points_count"]),
        (&"君の坂。".into(), &3.into())
    );
    // Ways on foot are those of the service, none is an estimate: 2 minutes from a point to its neighbour.
    let segments = plan["route"]["segments"].as_array().unwrap();
    let minutes: Vec<&Value> =
        segments.iter().map(|segment| &segment["transport"]["duration_minutes"]).collect();
    assert_eq!(minutes, [2, 2, 2]);
    assert!(segments.iter().all(|segment| segment["transport"]["is_estimate"] == false));
    let answer = state["visit_answer"].as_str().unwrap();
    for credit in ["Anitabi", "CC BY-NC-SA", "Open-Meteo", "3 of 9 points"] {
        assert!(answer.contains(credit), "{credit}: {answer}");
    }

    let asked = services.asked().len();
    let replayed = galley.run(["replay", "last"]).ok();
    assert!(!replayed.out.is_empty());
    assert_eq!(services.asked().len(), asked, "a replay asks nobody");
}

#[test]
fn addresses_and_hours_are_added_where_the_person_chose_a_service_of_them_and_its_failure_costs_nothing_else()
{
    let services = TripServices::new(&[], false);
    let galley = galley(&services);
    let state = visit_with(&galley, "point_details=nominatim").ok().result()["state"].clone();
    let points = state["points_enriched"].as_array().unwrap();
    assert!(points.iter().all(|point| point["address"] == "喫茶, 新宿区, 東京都, 日本"), "{points:?}");
    let hours: Vec<&Value> =
        points.iter().filter(|point| point["name"] == "喫茶").map(|point| &point["opening_hours"]).collect();
    assert_eq!(hours, ["Mo-Su 10:00-20:00"]);
    assert_eq!(
        points.iter().filter(|point| point["opening_hours"].is_null()).count(),
        2,
        "no hours of the shop next door"
    );
    let visits = state["itinerary"]["itinerary"]["visits"].as_array().unwrap();
    assert!(visits.iter().any(|visit| visit["opening_hours"] == "Mo-Su 10:00-20:00"), "{visits:?}");
    assert!(state["visit_answer"].as_str().unwrap().contains("OpenStreetMap"));
    drop(services);

    let services = TripServices::new(&["nominatim"], false);
    let galley = self::galley(&services);
    let state = visit_with(&galley, "point_details=nominatim").ok().result()["state"].clone();
    assert!(state["points_enriched"].is_null());
    assert_eq!(state["final_plan"]["summary"]["points_count"], 3);
    // Nobody asks it who did not choose it.
    let asked = || services.asked().iter().filter(|path| path.starts_with("nominatim")).count();
    let tried = asked();
    visit(&galley).ok();
    assert!(tried > 0 && asked() == tried, "{tried}");
}

#[test]
fn without_weather_and_ways_the_visit_is_planned_by_estimates_and_says_so() {
    let services = TripServices::new(&["open-meteo", "osrm", "motis"], false);
    let state = visit(&galley(&services)).ok().result()["state"].clone();
    assert_eq!(state["final_plan"]["summary"]["points_count"], 3);
    assert!(state["weather"].is_null(), "{}", state["weather"]);
    let answer = state["visit_answer"].as_str().unwrap();
    assert!(answer.contains("weather of this day is not known") && answer.contains("estimates"), "{answer}");
}

#[test]
fn where_a_search_fails_the_person_is_asked_and_may_try_again() {
    for (down, question, service) in [
        ("bangumi", "The search failed", "Bangumi"),
        ("open-meteo-geocoding", "The search failed", "Open-Meteo"),
        ("anitabi", "The points could not be fetched", "Anitabi"),
    ] {
        let services = TripServices::new(&[down], false);
        let galley = galley(&services);
        let asked = visit(&galley).exits(5);
        assert!(asked.out.contains(question) && asked.out.contains(service), "{}", asked.out);
        drop(services);
        let services = TripServices::new(&[], false);
        for (key, value) in services.settings() {
            galley.run(["config", "set", &key, &value]).ok();
        }
        galley.run(["answer", "last", "Try again"]).ok();
        let plan = galley.run(["show", "last", "--key", "final_plan"]).ok().out;
        let plan: Value = serde_json::from_str(&plan).unwrap();
        assert_eq!(plan["summary"]["points_count"], 3, "{down}");
    }
}

#[test]
fn of_stations_of_one_name_in_two_prefectures_the_person_chooses() {
    let services = TripServices::new(&[], false);
    let galley = galley(&services);
    let request = "user_query=府中駅から「君の坂。」の聖地巡礼";
    let asked = galley.run(["run", "pilgrimage", "--profile", "built-in", "--json", "--input", request]);
    let asked = asked.exits(5);
    assert!(asked.out.contains("東京都") && asked.out.contains("広島県"), "{}", asked.out);
    galley.run(["answer", "last", "2"]).ok();
    let station = galley.run(["show", "last", "--key", "station"]).ok().out;
    let station: Value = serde_json::from_str(&station).unwrap();
    assert_eq!(station["prefecture"], "広島県");

    // Another answer later is one action: only what follows from it is asked for again.
    let asked_before = services.asked().len();
    let events = galley.run(["show", "last", "--events", "--json"]).ok().lines();
    let answered =
        events.iter().find(|event| event["fact"]["kind"] == "effect_answered" && event["author"] == "user");
    let at = answered.unwrap()["seq"].to_string();
    let refused = galley.run(["fork", "last", "--at", &at, "--result", "7"]).exits(2);
    assert!(refused.err.contains("does not answer “Which station do you mean?"), "{}", refused.err);
    galley.run(["fork", "last", "--at", &at, "--result", "\"1\""]).ok();
    let station = galley.run(["show", "last", "--key", "station"]).ok().out;
    let station: Value = serde_json::from_str(&station).unwrap();
    assert_eq!(station["prefecture"], "東京都");
    let asked: Vec<String> = services.asked().split_off(asked_before);
    assert!(asked.iter().any(|path| path.starts_with("anitabi/")), "{asked:?}");
    assert!(asked.iter().all(|path| !path.starts_with("bangumi/")), "{asked:?}");
    galley.run(["replay", "last"]).ok();
}
