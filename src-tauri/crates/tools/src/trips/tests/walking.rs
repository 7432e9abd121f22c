//! Tests of OSRM and Valhalla.

use kernel::Code;

use super::*;

/// Three points; the last is on an island.
fn input(is_in_order: bool, mode: &str) -> Value {
    let at = |latitude: f64, longitude: f64| json!({"latitude": latitude, "longitude": longitude});
    let points = [at(36.23, 137.96), at(36.24, 137.97), at(36.25, 137.98)];
    json!({"points": points, "mode": mode, "in_order": is_in_order})
}

async fn ways(id: &str, service: &Service, input: Value) -> Result<Value, Error> {
    ask(ROUTING, id, &service.server, "", input).await
}

/// From, to, metres and seconds of each leg.
fn legs(answer: &Value) -> Vec<[u64; 4]> {
    let leg = |offer: &Value| {
        let leg = &offer["leg"];
        assert_eq!((&leg["mode"], &leg["is_estimate"]), (&json!("walking"), &json!(false)));
        [&offer["from"], &offer["to"], &leg["distance_m"], &leg["duration_s"]]
            .map(|number| number.as_u64().unwrap())
    };
    answer["legs"].as_array().unwrap().iter().map(leg).collect()
}

/// A server that expects the longitude first.
fn osrm(answer: Value) -> Service {
    Service::start(move |asked| {
        let wrong = |code: &str, message: &str| {
            Reply::json(&json!({"code": code, "message": message})).status("400 Bad Request")
        };
        let parts: Vec<&str> = asked.path().trim_start_matches('/').split('/').collect();
        let [service, "v1", "foot", points] = parts[..] else {
            return wrong("InvalidUrl", "URL string malformed");
        };
        if points != "137.960000,36.230000;137.970000,36.240000;137.980000,36.250000" {
            return wrong("InvalidQuery", "Query string malformed close to position 0");
        }
        match service {
            "table" if asked.parameter("annotations") == "duration,distance" => Reply::json(&answer),
            "route" if asked.parameter("overview") == "false" => Reply::json(&answer),
            "table" | "route" => wrong("InvalidOptions", "options"),
            _ => wrong("InvalidService", "service"),
        }
    })
}

#[tokio::test]
async fn osrm_gives_a_table_with_null_for_missing_routes_and_routes_in_order() {
    let table = json!({"code": "Ok", "durations": [[0, 900.4, null], [905.6, 0, null], [null, null, 0]],
        "distances": [[0, 1200.2, null], [1210.0, 0, null], [null, null, 0]], "sources": [], "destinations": []});
    let found = ways("osrm", &osrm(table), input(false, "walking")).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 1200, 900], [1, 0, 1210, 906]]);
    assert!(notes(&found)[0].contains("no way between some"));
    assert_eq!(found["attributions"][0]["licence"], "ODbL");
    let without_lengths = json!({"code": "Ok", "durations": [[0, "900", 1], [1, 0, 1], [1, 1, 0]]});
    let found = ways("osrm", &osrm(without_lengths), input(false, "walking")).await.unwrap();
    assert_eq!((legs(&found)[0], legs(&found).len()), ([0, 1, 1858, 900], 6), "1.3 times the straight line");
    assert_eq!(found["notes"], json!([]));
    let route = json!({"code": "Ok", "routes": [{"legs": [{"distance": 1200.2, "duration": 900.4, "steps": []},
        {"distance": 1300, "duration": 1000}], "distance": 2500.2, "duration": 1900.4}], "waypoints": []});
    let found = ways("osrm", &osrm(route), input(true, "walking")).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 1200, 900], [1, 2, 1300, 1000]]);
}

/// A server that checks the request body.
fn valhalla(answer: Value) -> Service {
    Service::start(move |asked| {
        let wrong = |code: u32, error: &str| {
            Reply::json(
                &json!({"error_code": code, "error": error, "status_code": 400, "status": "Bad Request"}),
            )
            .status("400 Bad Request")
        };
        let body = asked.json();
        let points = json!([{"lat": 36.23, "lon": 137.96}, {"lat": 36.24, "lon": 137.97}, {"lat": 36.25, "lon": 137.98}]);
        match (asked.method.as_str(), asked.path()) {
            ("POST", _) if body["costing"] != "pedestrian" => wrong(125, "No costing method found"),
            ("POST", _) if body["units"] != "kilometers" => wrong(100, "units"),
            ("POST", "/sources_to_targets") if body["sources"] != points || body["targets"] != points => {
                wrong(121, "Insufficiently specified required parameter 'sources' or 'targets'")
            }
            ("POST", "/route") if body["locations"] != points || body["directions_type"] != "none" => {
                wrong(110, "Insufficiently specified required parameter 'locations'")
            }
            ("POST", "/sources_to_targets" | "/route") => Reply::json(&answer),
            _ => wrong(106, "Try any of: '/route' '/sources_to_targets'"),
        }
    })
}

#[tokio::test]
async fn valhalla_gives_kilometres_in_a_matrix_and_in_order() {
    let cell = |from: u32, to: u32, km: Value, s: Value| json!({"from_index": from, "to_index": to, "distance": km, "time": s});
    let (none, zero) = (Value::Null, json!(0));
    let matrix = json!({"units": "kilometers", "sources_to_targets": [
        [cell(0, 0, zero.clone(), zero.clone()), cell(0, 1, json!(1.2), json!(900)), cell(0, 2, none.clone(), none.clone())],
        [cell(1, 0, json!(1.21), json!(906)), cell(1, 1, zero.clone(), zero.clone()), cell(1, 2, none.clone(), none)],
        "no row"]});
    let found = ways("valhalla", &valhalla(matrix), input(false, "walking")).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 1200, 900], [1, 0, 1210, 906]]);
    let without_indexes =
        json!({"sources_to_targets": [[{"distance": 0, "time": 0}, {"distance": 1, "time": 60}]]});
    let found = ways("valhalla", &valhalla(without_indexes), input(false, "walking")).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 1000, 60]]);
    let trip = |units: &str| {
        json!({"trip": {"status": 0, "units": units, "legs": [
        {"summary": {"length": 1.2, "time": 900.4}, "shape": ""}, {"summary": {"length": 1, "time": 1000}}]}})
    };
    let found = ways("valhalla", &valhalla(trip("kilometers")), input(true, "walking")).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 1200, 900], [1, 2, 1000, 1000]]);
    let found = ways("valhalla", &valhalla(trip("miles")), input(true, "walking")).await.unwrap();
    assert_eq!(legs(&found)[1][2], 1609);
}

#[tokio::test]
async fn a_missing_route_gives_no_legs_and_other_refusals_are_errors() {
    let osrm_says = |code: &str| json!({"code": code, "message": "told by the service"});
    let valhalla_says =
        |code: u32| json!({"error_code": code, "error": "told by the service", "status_code": 400});
    for (id, body) in [
        ("osrm", osrm_says("NoRoute")),
        ("osrm", osrm_says("NoSegment")),
        ("osrm", osrm_says("NoTable")),
        ("valhalla", valhalla_says(171)),
        ("valhalla", valhalla_says(442)),
    ] {
        for is_in_order in [true, false] {
            let service = Service::refusing("400 Bad Request", body.clone());
            let found = ways(id, &service, input(is_in_order, "walking")).await.unwrap();
            assert!(legs(&found).is_empty() && notes(&found)[0].contains("no way"), "{id}");
        }
    }
    for (id, body) in [("osrm", osrm_says("TooBig")), ("valhalla", valhalla_says(125))] {
        let error =
            ways(id, &Service::refusing("400 Bad Request", body), input(true, "walking")).await.unwrap_err();
        assert_eq!(
            (error.code, error.provider_words.as_deref()),
            (Code::RequestRefused, Some("told by the service"))
        );
    }
    let error = ways("osrm", &Service::behind_a_page("429 Too Many Requests"), input(true, "walking"))
        .await
        .unwrap_err();
    assert_eq!(error.code, Code::RateLimited);
}

/// Six points in order, with no route between the fourth and the fifth.
#[tokio::test]
async fn one_missing_route_in_order_keeps_the_others() {
    let latitudes: Vec<f64> = (0..6).map(|index| 36.0 + 0.01 * f64::from(index)).collect();
    let is_cut = |points: &[f64]| points.contains(&36.03) && points.contains(&36.04);
    let osrm = Service::start(move |asked| {
        let points = asked.path().rsplit('/').next().unwrap_or_default().to_owned();
        let points: Vec<f64> =
            points.split(';').filter_map(|point| point.split(',').nth(1)?.parse().ok()).collect();
        if is_cut(&points) {
            return Reply::json(&json!({"code": "NoRoute"})).status("400 Bad Request");
        }
        let legs = vec![json!({"distance": 1200, "duration": 900}); points.len() - 1];
        Reply::json(&json!({"code": "Ok", "routes": [{"legs": legs}]}))
    });
    let valhalla = Service::start(move |asked| {
        let body = asked.json();
        let points = body["locations"].as_array().cloned().unwrap_or_default();
        let points: Vec<f64> = points.iter().filter_map(|point| point["lat"].as_f64()).collect();
        if is_cut(&points) {
            return Reply::json(&json!({"error_code": 442, "error": "No path could be found"}))
                .status("400 Bad Request");
        }
        let legs = vec![json!({"summary": {"length": 1.2, "time": 900}}); points.len() - 1];
        Reply::json(&json!({"trip": {"units": "kilometers", "legs": legs}}))
    });
    for (id, service) in [("osrm", osrm), ("valhalla", valhalla)] {
        let points: Vec<Value> =
            latitudes.iter().map(|latitude| json!({"latitude": latitude, "longitude": 137.96})).collect();
        let found =
            ways(id, &service, json!({"points": points, "mode": "walking", "in_order": true})).await.unwrap();
        let kept: Vec<u64> = legs(&found).iter().map(|[from, ..]| *from).collect();
        assert_eq!(kept, [0, 1, 2, 4], "{id}");
        assert!(notes(&found)[0].contains("no way between some"), "{id}");
        assert!(service.paths().len() <= 7, "{id}: {:?}", service.paths());
    }
}

#[tokio::test]
async fn other_modes_too_few_points_and_a_missing_address_send_no_request() {
    for id in ["osrm", "valhalla"] {
        let service = Service::answering(json!({}));
        let found = ways(id, &service, input(true, "transit")).await.unwrap();
        assert!(legs(&found).is_empty() && notes(&found)[0].contains("on foot only"));
        let alone = json!({"points": [{"latitude": 1.0, "longitude": 2.0}], "mode": "walking"});
        assert_eq!(ways(id, &service, alone).await.unwrap()["notes"], json!([]));
        let points = vec![json!({"latitude": 1.0, "longitude": 2.0}); 101];
        let error = ways(id, &service, json!({"points": points, "mode": "walking"})).await.unwrap_err();
        assert!(error.code == Code::BadInput && error.message.contains("choose fewer"));
        let odd = json!({"points": [{"latitude": 91.0, "longitude": 2.0}], "mode": "walking"});
        assert!(ways(id, &service, odd).await.unwrap_err().message.contains("not on the earth"));
        assert!(service.paths().is_empty());
        let nowhere = Server { base: String::new(), ..Server::start(|_| Reply::default()) };
        let error = ask(ROUTING, id, &nowhere, "", input(true, "walking")).await.unwrap_err();
        assert!(
            error.code == Code::BadInput && error.message.contains("no base URL yet"),
            "{}",
            error.message
        );
    }
}
