use kernel::Code;

use super::*;

async fn points(service: &Service, radius_km: f64) -> Result<Value, Error> {
    let station = json!({"latitude": 36.23, "longitude": 137.96});
    let input = json!({"title_id": 900_001, "coordinates": station, "radius_km": radius_km});
    ask(POINT_SEARCH, "anitabi", &service.server, "", input).await
}

/// A server with a title of `points_length` points that returns the given ones.
fn anitabi(points_length: u32, color: Value, given: Value) -> Service {
    Service::start(move |asked| match (asked.method.as_str(), asked.target.as_str()) {
        ("GET", "/bangumi/900001/lite") => {
            Reply::json(&json!({"id": 900_001, "cn": "", "title": "硝子の坂", "city": "",
            "color": color, "geo": [36.2, 137.9], "litePoints": [], "pointsLength": points_length}))
        }
        ("GET", "/bangumi/900001/points/detail") => Reply::json(&given),
        _ => Reply::json(&json!({"error": "not found"})).status("404 Not Found"),
    })
}

#[tokio::test]
async fn points_are_read_with_fields_of_other_types() {
    let at = |latitude: Value, longitude: Value| json!([latitude, longitude]);
    let near = at(json!(36.231), json!(137.961));
    let given = json!([
        {"id": "a", "cn": "钟", "name": "時計", "image": "https://image.anitabi.cn/points/1/a.jpg?plan=h160", "ep": 1,
         "s": 42, "geo": near, "origin": "A visitor", "originURL": "https://visitor.example/page"},
        {"id": "b", "name": 283, "image": "/images/points/1/b.jpg", "ep": "CD", "s": "7.6", "geo": at(json!("36.232"), json!("137.962"))},
        {"id": 7, "cn": "桥", "image": "https://image.anitabi.cn/user/0/b.webp&plan=h160", "ep": 1.5, "geo": near,
         "originURL": "javascript:alert(1)"},
        {"id": "a", "name": "the same id", "image": null, "ep": null, "s": -4, "geo": near},
        {"id": "900001-3", "name": "the id that the one before would get", "geo": near},
        {"name": "far", "geo": [35.0, 135.0]},
        {"id": "x1", "name": "none", "geo": null},
        {"id": "x2", "name": "null", "geo": [null, 137.9]},
        {"id": "x3", "name": "zeros", "geo": [0, 0]},
        {"id": "x4", "name": "swapped", "geo": [137.9, 36.2]},
        "no point",
    ]);
    let found = points(&anitabi(577, json!("#02A7bd"), given), 2.0).await.unwrap();
    let list = found["points"].as_array().unwrap();
    let of = |field: &str| list.iter().map(|point| point[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("id"), ["a", "b", "7", "900001-4", "900001-3"]);
    assert_eq!(of("name"), ["時計", "283", "桥", "the same id", "the id that the one before would get"]);
    assert_eq!(of("episode"), ["1", "CD", "1.5", "", ""]);
    assert_eq!(of("time_seconds"), [42, 8, 0, 0, 0]);
    assert_eq!(
        of("screenshot_url"),
        [
            "https://image.anitabi.cn/points/1/a.jpg?plan=h160",
            "https://image.anitabi.cn/points/1/b.jpg",
            "https://image.anitabi.cn/user/0/b.webp?plan=h160",
            "",
            ""
        ]
    );
    assert_eq!(of("origin_url"), ["https://visitor.example/page", "", "", "", ""]);
    assert_eq!(of("origin"), ["A visitor", "", "", "", ""]);
    let counts = ["total", "given", "unplaced"].map(|field| found[field].as_u64().unwrap());
    assert_eq!(counts, [577, 11, 5]);
    assert_eq!(found["color"], "#02a7bd");
    assert!(notes(&found)[0].contains("11 of the 577 points"), "{:?}", notes(&found));
    let attribution = &found["attributions"][0];
    assert_eq!(attribution["url"], "https://anitabi.cn/map?bangumiId=900001");
    assert_eq!(attribution["licence"], "CC BY-NC-SA 4.0");
}

#[tokio::test]
async fn the_radius_decides_and_a_title_without_points_has_none() {
    let given = json!([{"id": "a", "geo": [36.239, 137.96]}, {"id": "b", "geo": [36.33, 137.96]}]);
    let all = [(0.5, 0), (2.0, 1), (20.0, 2)].map(|(radius, count)| {
        let service = anitabi(2, json!("blue"), given.clone());
        async move { (count, points(&service, radius).await.unwrap()) }
    });
    // Each request waits for its rate limit; in parallel they wait once.
    for (count, found) in futures::future::join_all(all).await {
        assert_eq!(found["points"].as_array().unwrap().len(), count);
        assert_eq!((&found["notes"], &found["color"]), (&json!([]), &json!("")));
    }
    let none = points(&anitabi(0, Value::Null, json!([])), 2.0).await.unwrap();
    assert_eq!((&none["points"], &none["total"]), (&json!([]), &json!(0)));
}

#[tokio::test]
async fn an_unknown_title_has_no_points_and_an_unreachable_service_names_alternatives() {
    let unknown = Service::refusing("404 Not Found", json!({"error": "not found"}));
    let found = points(&unknown, 2.0).await.unwrap();
    assert_eq!(found["points"], json!([]));
    assert!(notes(&found)[0].contains("no points of the title 900001"));
    let closed = Service::behind_a_page("503 Service Unavailable");
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = Service { server: Server { base: format!("http://{gone}"), ..closed.server }, ..closed };
    for (service, code, why) in [
        (Service::behind_a_page("403 Forbidden"), Code::RequestRefused, "(HTTP 403)"),
        (Service::behind_a_page("503 Service Unavailable"), Code::Overloaded, "(HTTP 503)"),
        (Service::behind_a_page("200 OK"), Code::Overloaded, "cannot be read"),
        (gone, Code::Network, "check the network"),
    ] {
        let error = points(&service, 2.0).await.unwrap_err();
        assert_eq!(error.code, code, "{error:?}");
        assert!(error.message.contains(why), "{}", error.message);
        assert!(error.message.starts_with("Anitabi cannot be reached"), "{}", error.message);
        assert!(error.message.contains("import points") && error.message.contains("earlier run"));
    }
}
