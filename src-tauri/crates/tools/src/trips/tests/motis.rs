use kernel::Code;

use super::*;

fn input(mode: &str, is_in_order: bool, departure: Value) -> Value {
    let at = |latitude: f64, longitude: f64| json!({"latitude": latitude, "longitude": longitude});
    let points = [at(36.23, 137.96), at(36.33, 137.97), at(36.43, 137.98)];
    json!({"points": points, "mode": mode, "in_order": is_in_order, "departure": departure})
}

async fn ways(service: &Service, input: Value) -> Result<Value, Error> {
    ask(ROUTING, "motis", &service.server, "", input).await
}

fn ride(line: Value, from: &str, to: &str) -> Value {
    json!({"mode": "REGIONAL_RAIL", "routeShortName": line, "duration": 600,
        "from": {"name": from, "lat": 36.23, "lon": 137.96}, "to": {"name": to, "lat": 36.33, "lon": 137.97}})
}

fn walk(seconds: u32, metres: u32) -> Value {
    json!({"mode": "WALK", "duration": seconds, "distance": metres, "from": {"name": "START", "lat": 0, "lon": 0},
        "to": {"name": "END", "lat": 0, "lon": 0}})
}

/// A server that expects the latitude first and answers only the first place with these journeys.
fn motis(itineraries: Value, after: Reply) -> Service {
    Service::start(move |asked| {
        let time = asked.parameter("time");
        match asked.parameter("fromPlace").as_str() {
            _ if asked.method != "GET" || asked.path() != "/api/v6/plan" => refused("unknown path"),
            _ if time.parse::<jiff::Timestamp>().is_err() => refused("time: not a time"),
            "36.230000,137.960000" if asked.parameter("toPlace") == "36.330000,137.970000" => {
                assert_eq!(time, "2026-12-05T01:00:00Z");
                Reply::json(&json!({"requestParameters": {}, "debugOutput": {}, "from": {}, "to": {},
                    "direct": [], "itineraries": itineraries}))
            }
            "36.330000,137.970000" => {
                assert_eq!(time, "2026-12-05T01:40:00Z", "it leaves when the first arrives");
                after.clone()
            }
            _ => refused("fromPlace: not a place"),
        }
    })
}

#[tokio::test]
async fn the_earliest_journey_is_described_and_a_missing_route_gives_a_note() {
    let itineraries = json!([
        {"duration": 3000, "startTime": "2026-12-05T01:05:00Z", "endTime": "2026-12-05T01:55:00Z", "legs": [walk(3000, 1)]},
        {"duration": 1800, "startTime": "2026-12-05T01:10:00Z", "endTime": "2026-12-05T01:40:00Z", "legs": [
            walk(20, 10), ride(json!(3), "A", "B"), walk(240, 300), ride(json!("Glass Line "), "B", "C")]},
        {"duration": 1, "startTime": "2026-12-05T00:00:00Z", "endTime": "2026-12-05T00:00:01Z"},
    ]);
    let nothing = Reply::json(&json!({"requestParameters": {}, "direct": [], "itineraries": []}));
    let found =
        ways(&motis(itineraries, nothing), input("transit", true, json!("2026-12-05T10:00:00+09:00"))).await;
    let found = found.unwrap();
    assert_eq!(found["legs"].as_array().unwrap().len(), 1);
    let leg = &found["legs"][0]["leg"];
    assert_eq!(leg["instructions"], "Line 3 from A to B, then walk 4 min, then Glass Line from B to C");
    assert_eq!(
        (&leg["mode"], &leg["duration_s"], &leg["is_estimate"]),
        (&json!("transit"), &json!(2400), &json!(false)),
        "the wait counts: from ten o'clock to twenty to eleven"
    );
    let metres = leg["distance_m"].as_u64().unwrap();
    assert!((29_000..29_600).contains(&metres), "310 m on foot and twice 1.3 times 11.2 km: {metres}");
    assert!(notes(&found)[0].contains("no way between some"));
    assert_eq!(found["attributions"][0]["url"], "https://transitous.org/sources/");
}

#[tokio::test]
async fn found_routes_survive_a_later_refusal_and_a_first_refusal_is_an_error() {
    let journey = json!([{"duration": "1800", "endTime": "2026-12-05T01:40:00Z", "legs": [ride(json!("X"), "A", "B")]}]);
    let full = Reply::json(&json!({"error": "too many requests"})).status("429 Too Many Requests");
    let departure = json!("2026-12-05T01:00:00Z");
    let found = ways(&motis(journey, full), input("transit", true, departure.clone())).await.unwrap();
    assert_eq!(found["legs"].as_array().unwrap().len(), 1);
    assert!(notes(&found)[1].contains("from point 1 on") && notes(&found)[1].contains("too many requests"));
    let service = Service::refusing("400 Bad Request", json!({"error": "unknown parameter"}));
    let error = ways(&service, input("transit", true, departure)).await.unwrap_err();
    assert_eq!(
        (error.code, error.provider_words.as_deref()),
        (Code::RequestRefused, Some("unknown parameter"))
    );
}

#[tokio::test]
async fn walking_all_pairs_and_invalid_departures_send_no_request() {
    let service = Service::answering(json!({}));
    let departure = json!("2026-12-05T01:00:00Z");
    let on_foot = ways(&service, input("walking", true, departure.clone())).await.unwrap();
    assert!(notes(&on_foot)[0].contains("trains and buses only"));
    let all = ways(&service, input("transit", false, departure)).await.unwrap();
    assert!(notes(&all)[0].contains("in the order of a trip only"));
    let error = ways(&service, input("transit", true, json!("2026-12-05 10:00"))).await.unwrap_err();
    assert!(error.code == Code::BadInput && error.message.contains("+09:00"), "{error:?}");
    assert!(service.paths().is_empty());
    // Transitous itself, without a contact address.
    let usual = Server { base: String::new(), ..Server::start(|_| Reply::default()) };
    let input = input("transit", true, json!("2026-12-05T01:00:00Z"));
    let unasked = ask(ROUTING, "motis", &usual, "", input).await.unwrap();
    assert!(notes(&unasked)[0].contains("net.contact") && unasked["legs"] == json!([]), "{unasked}");
}
