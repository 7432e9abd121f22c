use kernel::Code;

use super::*;

const KEY: &str = "AIza-not-a-real-key-of-anybody";

fn input(mode: &str, is_in_order: bool, count: usize) -> Value {
    let at = |index: usize| json!({"latitude": 36.0 + 0.01 * index as f64, "longitude": 137.96});
    let points: Vec<Value> = (0..count).map(at).collect();
    json!({"points": points, "mode": mode, "in_order": is_in_order, "departure": "2026-12-05T10:00:00+09:00"})
}

async fn ways(service: &Service, key: &'static str, input: Value) -> Result<Value, Error> {
    ask(ROUTING, "google-routes", &service.server, key, input).await
}

/// A server that checks the key, the field mask and the body as the real one does.
fn google(answer: Value) -> Service {
    Service::start(move |asked| {
        let wrong = |code: u32, status: &str, message: &str| {
            let line = if code == 403 { "403 Forbidden" } else { "400 Bad Request" };
            Reply::json(&json!({"error": {"code": code, "message": message, "status": status}})).status(line)
        };
        let (body, mask) = (asked.json(), asked.header("x-goog-fieldmask"));
        let is_point =
            |at: &Value| at["location"]["latLng"]["latitude"].as_f64().is_some_and(|value| value < 90.0);
        let are_ends = |list: &Value| {
            list.as_array()
                .is_some_and(|list| !list.is_empty() && list.iter().all(|end| is_point(&end["waypoint"])))
        };
        let is_transit = body["travelMode"] == "TRANSIT";
        match asked.path() {
            _ if asked.header("x-goog-api-key") != KEY => {
                wrong(403, "PERMISSION_DENIED", "The request is missing a valid API key.")
            }
            _ if mask.is_empty() || mask.contains(' ') => {
                wrong(400, "INVALID_ARGUMENT", "FieldMask is a required parameter.")
            }
            _ if body.get("routingPreference").is_some() => {
                wrong(400, "INVALID_ARGUMENT", "Routing preference cannot be set.")
            }
            _ if is_transit != body.get("departureTime").is_some() => {
                wrong(400, "INVALID_ARGUMENT", "departureTime")
            }
            "/distanceMatrix/v2:computeRouteMatrix"
                if !are_ends(&body["origins"]) || !are_ends(&body["destinations"]) =>
            {
                wrong(400, "INVALID_ARGUMENT", "Origin and destination must be set.")
            }
            "/distanceMatrix/v2:computeRouteMatrix" if !mask.contains("status") => Reply::json(&json!([{}])),
            "/directions/v2:computeRoutes"
                if !is_point(&body["origin"]) || !is_point(&body["destination"]) =>
            {
                wrong(400, "INVALID_ARGUMENT", "Origin and destination must be set.")
            }
            "/directions/v2:computeRoutes" if is_transit && body.get("intermediates").is_some() => {
                wrong(400, "INVALID_ARGUMENT", "Intermediate waypoints are not supported for TRANSIT.")
            }
            "/distanceMatrix/v2:computeRouteMatrix" | "/directions/v2:computeRoutes" => Reply::json(&answer),
            _ => Reply::of("text/html", "not found").status("404 Not Found"),
        }
    })
}

fn legs(answer: &Value) -> Vec<[u64; 4]> {
    let leg = |offer: &Value| {
        let leg = &offer["leg"];
        [&offer["from"], &offer["to"], &leg["distance_m"], &leg["duration_s"]]
            .map(|number| number.as_u64().unwrap())
    };
    answer["legs"].as_array().unwrap().iter().map(leg).collect()
}

#[tokio::test]
async fn a_matrix_may_be_unordered_and_mark_missing_routes() {
    let element = |from: u32, to: u32, metres: u32, duration: &str| {
        json!({"originIndex": from, "destinationIndex": to, "status": {}, "condition": "ROUTE_EXISTS",
               "distanceMeters": metres, "duration": duration})
    };
    let answer = json!([
        element(1, 0, 1250, "905.6s"),
        {"originIndex": 0, "destinationIndex": 2, "status": {"code": 5, "message": "not found"}, "duration": "0s"},
        {"originIndex": 2, "destinationIndex": 0, "status": {}, "condition": "ROUTE_NOT_FOUND"},
        // Zeros are omitted from the answer.
        {"destinationIndex": 1, "condition": "ROUTE_EXISTS", "distanceMeters": 1200, "duration": "900s"},
        {"originIndex": 2, "destinationIndex": 1, "duration": "0s"},
        element(1, 1, 0, "0s"),
        element(7, 1, 5, "5s"),
        element(1, 2, 5, "soon"),
    ]);
    for mode in ["walking", "driving", "transit"] {
        let found = ways(&google(answer.clone()), KEY, input(mode, false, 3)).await.unwrap();
        assert_eq!(legs(&found), [[0, 1, 1200, 900], [1, 0, 1250, 906], [2, 1, 0, 0]]);
        assert_eq!(found["legs"][0]["leg"]["mode"], mode);
        assert!(notes(&found)[0].contains("no way between some"));
        assert_eq!(found["attributions"][0]["name"], "Google Maps");
    }
}

#[tokio::test]
async fn routes_in_order_need_one_request_on_foot_and_one_per_leg_by_train() {
    let leg = |metres: u32, duration: &str| json!({"distanceMeters": metres, "duration": duration});
    let answer = json!({"routes": [{"legs": [leg(1200, "900s"), leg(1300, "1000s")]}]});
    let service = google(answer);
    let found = ways(&service, KEY, input("walking", true, 3)).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 1200, 900], [1, 2, 1300, 1000]]);
    assert_eq!(service.came.lock().unwrap()[0].json()["intermediates"].as_array().unwrap().len(), 1);

    let stop = |name: &str| json!({"name": name, "location": {}});
    let ride = |line: Value, from: &str, to: &str| {
        json!({"travelMode": "TRANSIT", "transitDetails": {"stopDetails": {"departureStop": stop(from),
            "arrivalStop": stop(to)}, "transitLine": line, "stopCount": 3}})
    };
    let answer = json!({"routes": [{"legs": [{"distanceMeters": 8000, "duration": "1800s", "steps": [
        {"travelMode": "WALK"}, ride(json!({"nameShort": "3"}), "A", "B"), ride(json!({"name": "Glass Line"}), "B", "C"),
        {"travelMode": "WALK", "staticDuration": "120s"}]}]}]});
    let mut timed = answer.clone();
    timed["routes"][0]["legs"][0]["steps"][2]["transitDetails"]["stopDetails"]["arrivalTime"] =
        json!("2026-12-05T01:38:00Z");
    let found = ways(&google(timed), KEY, input("transit", true, 2)).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 8000, 2400]], "the wait counts: from ten o'clock to twenty to eleven");
    let service = google(answer);
    let found = ways(&service, KEY, input("transit", true, 3)).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 8000, 1800], [1, 2, 8000, 1800]]);
    assert_eq!(found["legs"][0]["leg"]["instructions"], "Line 3 from A to B, then Glass Line from B to C");
    let times: Vec<Value> =
        service.came.lock().unwrap().iter().map(|asked| asked.json()["departureTime"].clone()).collect();
    assert_eq!(times, ["2026-12-05T01:00:00Z", "2026-12-05T01:30:00Z"]);
    // Found routes are kept when a later request is refused.
    let came = std::sync::atomic::AtomicUsize::new(0);
    let service = Service::start(move |_| match came.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
        0 => Reply::json(&json!({"routes": [{"legs": [{"distanceMeters": 8000, "duration": "1800s"}]}]})),
        _ => refused("told by the service"),
    });
    let found = ways(&service, KEY, input("transit", true, 3)).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 8000, 1800]]);
    assert!(notes(&found)[1].contains("from point 1 on") && notes(&found)[1].contains("told by the service"));
    // Without a route the answer is an empty object, and each half is requested separately.
    let service = Service::start(move |asked| match asked.json().get("intermediates") {
        Some(_) => Reply::json(&json!({})),
        None => Reply::json(&json!({"routes": [{"legs": [leg(1200, "900s")]}]})),
    });
    let found = ways(&service, KEY, input("walking", true, 3)).await.unwrap();
    assert_eq!(legs(&found), [[0, 1, 1200, 900], [1, 2, 1200, 900]]);
    let found = ways(&google(json!({})), KEY, input("transit", true, 3)).await.unwrap();
    assert!(legs(&found).is_empty() && notes(&found)[0].contains("no way between some"));
}

#[tokio::test]
async fn a_missing_key_and_too_many_points_are_refused_before_any_request() {
    let service = google(json!([]));
    let error = ways(&service, "", input("walking", false, 2)).await.unwrap_err();
    assert_eq!(error.code, Code::KeyUnavailable);
    for (mode, is_in_order, count) in [("walking", false, 26), ("transit", false, 11), ("walking", true, 28)]
    {
        let error = ways(&service, KEY, input(mode, is_in_order, count)).await.unwrap_err();
        assert!(error.code == Code::BadInput && error.message.contains("choose fewer"), "{mode} {count}");
    }
    assert!(service.paths().is_empty());
    let error = ways(&service, "another-key", input("walking", false, 2)).await.unwrap_err();
    assert_eq!(error.code, Code::KeyRefused);
    assert!(error.message.starts_with("Google Routes refused the request"), "{}", error.message);
    assert!(error.provider_words.unwrap().contains("missing a valid API key"));
}
