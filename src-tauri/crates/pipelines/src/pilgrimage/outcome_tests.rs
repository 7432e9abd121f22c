use interpreter::Pipeline;
use itinerary::{DayWeather, OfferedLeg, Ride};
use jiff::civil::{DateTime, date};
use kernel::{Coordinates, State};

use super::super::trip::{Departure, TripParts};
use super::*;

/// The points `a`, `b`, … each this many metres north of the one before, `a` this far north of the start.
fn points(count: u8, apart_m: f64, more: Value) -> Vec<Value> {
    let point = |number: u8| {
        let id = char::from(b'a' + number).to_string();
        let latitude = 35.0 + f64::from(number + 1) * apart_m / 111_195.0;
        let mut point = json!({
            "id": id, "name": id.to_uppercase(), "episode": 1, "time_seconds": 0,
            "coordinates": { "latitude": latitude, "longitude": 135.0 },
        });
        point.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        point
    };
    (0..count).map(point).collect()
}

fn planned(points: &[Value], departure: DateTime, returns_to_start: bool) -> TripPlan {
    let parts = TripParts {
        station: json!({ "name": "Uji", "country": "JP" }),
        coordinates: Coordinates { latitude: 35.0, longitude: 135.0 },
        points: points.to_vec(),
        departure: Departure {
            local: departure,
            date: departure.date().to_string(),
            time_zone: Some("Asia/Tokyo".to_owned()),
            utc_offset_minutes: Some(540),
        },
        returns_to_start,
        language: Language::English,
    };
    let mut planned = parts.planned(Vec::<OfferedLeg>::new()).unwrap();
    planned.title = "A walk".to_owned();
    remarks::renew(&mut planned, Language::English);
    planned
}

fn morning(points: &[Value]) -> TripPlan {
    planned(points, date(2026, 12, 5).at(9, 0, 0, 0), false)
}

/// The state with a plan, its session and its answer.
fn state(planned: &TripPlan, points: &[Value], said: &str) -> State {
    let outcome = Outcome {
        planned,
        title: "題".to_owned(),
        station: &json!({ "name": "Uji" }),
        points,
        created_at: "2026-12-01T00:00:00Z".to_owned(),
        updated_at: "2026-12-01T00:00:00Z".to_owned(),
        session: json!({ "session_id": "s", "created_at": "2026-12-01T00:00:00Z" }),
    };
    let mut state = State::default();
    state.apply(&delta_of(&outcome).with("points", json!(points)).with("visit_answer", json!(said)));
    state
}

/// The state after the person's change, at noon of 2 December.
fn after(state: &State, operation: &Operation) -> State {
    let pipeline = Pipeline::from_text(super::super::DEFINITION.to_owned(), crate::registry()).unwrap();
    let now = "2026-12-02T12:00:00Z".parse().unwrap();
    let delta = pipeline.changed_visit(state, "itinerary", operation, now).unwrap();
    let mut state = state.clone();
    state.apply(&delta);
    state
}

fn plan_in(state: &State) -> TripPlan {
    serde_json::from_value(state.get("itinerary").unwrap().json_or_null().clone()).unwrap()
}

fn said(state: &State) -> &str {
    state.get("visit_answer").unwrap().as_str().unwrap()
}

fn order(ids: &str) -> Operation {
    Operation::Reorder { ids: ids.chars().map(String::from).collect() }
}

#[test]
fn a_change_renews_the_remarks_of_the_plan_and_keeps_those_of_its_data() {
    let points = points(3, 16_000.0, json!({}));
    let mut long = morning(&points);
    long.lasting_remarks = vec!["All of it is invented.".to_owned()];
    remarks::renew(&mut long, Language::English);
    assert!(long.remarks.iter().any(|remark| remark.contains("more than one day")), "{:?}", long.remarks);
    let before = state(&long, &points, &answer(&long, Language::English));
    let short = after(
        &after(&before, &Operation::Drop { id: "c".to_owned() }),
        &Operation::Drop { id: "b".to_owned() },
    );
    let remarks = plan_in(&short).remarks;
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert!(remarks[0].contains("invented") && remarks[1].contains("estimates"), "{remarks:?}");
    assert!(
        !said(&short).contains("more than one day") && said(&short).contains("invented"),
        "{}",
        said(&short)
    );
    let session = short.get("pilgrimage_session").unwrap().json_or_null();
    assert_eq!(
        (&session["updated_at"], &session["created_at"]),
        (&json!("2026-12-02T12:00:00Z"), &json!("2026-12-01T00:00:00Z"))
    );
    assert_eq!(
        (&session["session_id"], &session["route"]),
        (&json!("s"), short.get("route").unwrap().json_or_null())
    );
}

#[test]
fn an_answer_that_somebody_else_wrote_is_replaced_with_a_notice() {
    let points = points(2, 300.0, json!({}));
    let plan = morning(&points);
    let own = answer(&plan, Language::English);
    let notice = "The visit was changed. This answer is made anew";
    for (written, has_notice) in [(own.as_str(), false), ("A model's words: be at A at 09:05.", true)] {
        let changed = after(&state(&plan, &points, written), &order("ba"));
        assert_eq!(said(&changed).starts_with(notice), has_notice, "{}", said(&changed));
        assert!(said(&changed).contains(&answer(&plan_in(&changed), Language::English)));
        let again = after(&changed, &order("ab"));
        assert_eq!(said(&again).matches(notice).count(), usize::from(has_notice), "{}", said(&again));
    }
}

#[test]
fn a_change_of_the_order_reports_rides_that_are_unknown_or_of_another_time() {
    let points = points(3, 4000.0, json!({}));
    let mut plan = morning(&points);
    let ride = |from, to, departure: DateTime| Ride {
        from,
        to,
        departure: Some(departure),
        leg: Some(Leg {
            mode: TravelMode::Transit,
            distance_m: 4000,
            duration_s: 600,
            is_estimate: false,
            instructions: Some("Line 3 from [Uji] to Kohata".to_owned()),
        }),
    };
    let nine = date(2026, 12, 5).at(9, 0, 0, 0);
    plan.rides = vec![ride(0, 1, nine), ride(1, 2, date(2026, 12, 5).at(9, 20, 0, 0))];
    plan.replan(&itinerary::Choice::default()).unwrap();
    remarks::renew(&mut plan, Language::English);
    let remarks_of = |planned: &TripPlan| planned.remarks.join(" ");
    assert!(
        remarks_of(&plan).contains("1 way longer than 1.5 km is planned on foot"),
        "{}",
        remarks_of(&plan)
    );
    assert!(!remarks_of(&plan).contains("other times"), "{}", remarks_of(&plan));
    let own = answer(&plan, Language::English);
    assert!(own.contains("by train or bus 4000 m, 10 min (Line 3 from \\[Uji\\] to Kohata)"), "{own}");
    let before = state(&plan, &points, &own);

    let changed = plan_in(&after(&before, &order("bac")));
    assert!(remarks_of(&changed).contains("3 ways longer than 1.5 km"), "{}", remarks_of(&changed));
    // Neither the ride from A to B nor one from the start to A is part of the plan.
    assert!(changed.ways().iter().all(|way| way.leg.mode == TravelMode::Walking));
    let back = plan_in(&after(&after(&before, &order("bac")), &order("abc")));
    assert_eq!((back.ways()[0].leg.mode, remarks_of(&back)), (TravelMode::Transit, remarks_of(&plan)));

    let later = plan_in(&after(&before, &Operation::Drop { id: "c".to_owned() }));
    assert!(!remarks_of(&later).contains("other times"), "{}", remarks_of(&later));
    let mut moved = plan.clone();
    moved.trip.departure = date(2026, 12, 5).at(10, 0, 0, 0);
    moved.replan(&itinerary::Choice::default()).unwrap();
    remarks::renew(&mut moved, Language::English);
    assert!(remarks_of(&moved).contains("asked for at other times"), "{}", remarks_of(&moved));
    plan.rides[0].leg.as_mut().unwrap().is_estimate = true;
    plan.replan(&itinerary::Choice::default()).unwrap();
    remarks::renew(&mut plan, Language::English);
    assert!(
        !remarks_of(&plan).contains("other times"),
        "an estimate is not of another time: {}",
        remarks_of(&plan)
    );
}

#[test]
fn the_answer_dates_times_after_midnight_as_the_files_do() {
    let points = points(1, 2000.0, json!({}));
    let plan = planned(&points, date(2026, 12, 5).at(23, 30, 0, 0), true);
    let said = answer(&plan, Language::English);
    assert!(said.contains("**12-06 00:02** A"), "{said}");
    assert!(said.contains("23:30 to 12-06 ") && said.contains("Back at Uji at 12-06 "), "{said}");
    let last = answer(&planned(&points, date(9999, 12, 31).at(9, 0, 0, 0), true), Language::Japanese);
    assert!(last.contains("9999年12月31日"), "{last}");
}

#[test]
fn around_the_new_year_the_answer_shows_the_hours_and_asks_to_check_them() {
    let plan = |hours: &str| {
        planned(
            &points(1, 300.0, json!({ "opening_hours": hours })),
            date(2026, 12, 31).at(9, 0, 0, 0),
            false,
        )
    };
    let said = |hours: &str| answer(&plan(hours), Language::English);
    let opens = said("10:00-17:00");
    assert!(opens.contains("opens at 10:00, 55 min wait; check the opening hours (10:00-17:00)"), "{opens}");
    assert!(said("off").contains("closed on arrival**; check the opening hours (off)"), "{}", said("off"));
    assert!(!said("24/7").contains("check"), "{}", said("24/7"));
}

#[test]
fn unknown_weather_is_left_out_of_the_answer() {
    let mut plan = morning(&points(1, 300.0, json!({})));
    let weather = DayWeather {
        date: "2026-12-05".to_owned(),
        location: "Uji".to_owned(),
        condition: "clear".to_owned(),
        temperature_high: 10,
        temperature_low: 0,
        precipitation_chance: None,
        wind_speed_kmh: None,
        recommendation: "Go.".to_owned(),
    };
    for (chance, wind, expected) in [
        (None, None, "Weather: clear, 0 to 10 °C. Go."),
        (Some(0), None, "Weather: clear, 0 to 10 °C, rain or snow 0 %. Go."),
        (None, Some(7), "Weather: clear, 0 to 10 °C, wind 7 km/h. Go."),
    ] {
        plan.weather =
            Some(DayWeather { precipitation_chance: chance, wind_speed_kmh: wind, ..weather.clone() });
        assert!(answer(&plan, Language::English).contains(expected), "{expected}");
    }
}

#[test]
fn the_answer_counts_one_point_as_one_names_its_source_and_escapes_names() {
    let more = json!({ "name": "1. www.a.example & ~~b~~ http://c.example", "origin": "- somebody", "origin_url": "https://o.example/1" });
    let plan = morning(&points(1, 300.0, more));
    let said = answer(&plan, Language::English);
    assert!(said.contains(": 1 point, "), "{said}");
    assert!(said.contains("1\\. www\\.a.example \\& \\~\\~b\\~\\~ http\\://c.example"), "{said}");
    assert!(said.contains("- 1: \\- somebody · <https://o.example/1>"), "{said}");
}

#[test]
fn the_route_of_many_points_is_several_addresses_of_which_the_seed_has_the_first() {
    let points = points(25, 300.0, json!({}));
    let plan = morning(&points);
    let route = route(&plan, &json!({}), &points, "");
    let addresses = route["google_maps_urls"].as_array().unwrap();
    assert_eq!((addresses.len(), &route["google_maps_url"]), (3, &addresses[0]), "25 legs, 10 an address");
    let between = |address: &Value| address.as_str().unwrap().matches("%7C").count() + 1;
    assert_eq!(between(&addresses[0]), 9);
}
