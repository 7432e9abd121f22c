//! Recorded answers of real servers, or examples of their documentation: `tests/fixtures/contracts/SOURCES.md` names
//! the origin of each.

use super::*;

fn recorded(text: &str) -> Service {
    Service::answering(serde_json::from_str(text).unwrap())
}

fn input(mode: &str, is_in_order: bool, points: &[(f64, f64)]) -> Value {
    let at = |(latitude, longitude): &(f64, f64)| json!({"latitude": latitude, "longitude": longitude});
    let points: Vec<Value> = points.iter().map(at).collect();
    json!({"points": points, "mode": mode, "in_order": is_in_order, "departure": "2024-11-06T16:30:00Z"})
}

/// The points of the examples in the OSRM documentation.
const BERLIN: [(f64, f64); 3] = [(52.517_033, 13.3888), (52.529_432, 13.397_631), (52.523_239, 13.428_554)];

#[tokio::test]
async fn a_table_and_a_route_of_osrm_are_read() {
    let table = recorded(include_str!("../../../../../../tests/fixtures/contracts/osrm/doc-table.json"));
    let found = ask(ROUTING, "osrm", &table.server, "", input("walking", false, &BERLIN)).await.unwrap();
    assert_eq!(found["legs"].as_array().unwrap().len(), 6);
    let first = &found["legs"][0]["leg"];
    assert_eq!((&first["distance_m"], &first["duration_s"]), (&json!(1887), &json!(193)));
    let route = recorded(include_str!(
        "../../../../../../tests/fixtures/contracts/osrm/route-berlin-real-2legs.json"
    ));
    let found = ask(ROUTING, "osrm", &route.server, "", input("walking", true, &BERLIN)).await.unwrap();
    let second = &found["legs"][1]["leg"];
    assert_eq!((&second["distance_m"], &second["duration_s"]), (&json!(2846), &json!(371)));
    assert_eq!(found["notes"], json!([]));
}

#[tokio::test]
async fn a_journey_of_motis_is_read_and_a_walk_alone_is_no_train_route() {
    let paris = [(49.0041, 2.5711), (48.8439, 2.377_08)];
    let journey =
        recorded(include_str!("../../../../../../tests/fixtures/contracts/motis/journey-transit.json"));
    let found = ask(ROUTING, "motis", &journey.server, "", input("transit", true, &paris)).await.unwrap();
    let leg = &found["legs"][0]["leg"];
    assert_eq!(leg["duration_s"], 3540);
    assert_eq!(
        leg["instructions"],
        "walk 3 min, then B from Aéroport CDG - Terminal 2 (Tgv) to Châtelet Les Halles, then walk 1 min, \
         then A from Châtelet Les Halles to Gare de Lyon, then walk 5 min"
    );
    let metres = leg["distance_m"].as_u64().unwrap();
    assert!((30_000..36_000).contains(&metres), "{metres}");
    let walk =
        recorded(include_str!("../../../../../../tests/fixtures/contracts/motis/journey-direct-walk.json"));
    let found = ask(ROUTING, "motis", &walk.server, "", input("transit", true, &paris)).await.unwrap();
    assert!(found["legs"].as_array().unwrap().is_empty() && notes(&found)[0].contains("no way between some"));
}

#[tokio::test]
async fn the_address_of_nominatim_is_read_and_without_hours_there_are_none() {
    let place = recorded(include_str!("../../../../../../tests/fixtures/contracts/nominatim/reverse-2.json"));
    let at = json!({"latitude": 48.8604, "longitude": 2.3503});
    let input = json!({"points": [{"id": "a", "name": "Starbucks", "coordinates": at}], "around": at});
    let found = ask(PLACE_DETAILS, "nominatim", &place.server, "", input).await.unwrap();
    let details = &found["details"][0];
    assert!(details["address"].as_str().unwrap().starts_with("Starbucks, Rue Quincampoix, "), "{details}");
    assert_eq!((&details["id"], &details["opening_hours"]), (&json!("a"), &Value::Null));
}
