use super::*;

async fn stations(id: &str, service: &Service, name: &str) -> Result<Value, Error> {
    ask(STATION_SEARCH, id, &service.server, "", json!({"station_name": name, "radius_km": 2.0})).await
}

/// Stands in for both services: HeartRails knows some stations by their Japanese names, Open-Meteo some places.
fn both() -> Service {
    Service::start(|asked| match (asked.method.as_str(), asked.path()) {
        ("GET", "/api/json") => heartrails(asked),
        ("GET", "/search") => geocoding(asked),
        _ => refused("path"),
    })
}

fn heartrails(asked: &ReceivedRequest) -> Reply {
    if asked.parameter("method") != "getStations" {
        return refused("method");
    }
    let row = |prefecture: &str, line: &str, x: Value, y: Value| {
        json!({"name": asked.parameter("name"), "prefecture": prefecture, "line": line, "x": x, "y": y,
               "postal": "1600022", "prev": null, "next": "次"})
    };
    Reply::json(&match asked.parameter("name").as_str() {
        // Includes a station with another name.
        "宇治" => {
            let mut other = row("三重県", "山田線", json!(136.71), json!(34.49));
            other["name"] = json!("宇治山田");
            json!({"response": {"station": [other]}})
        }
        "秋葉原" | "渋谷" => {
            json!({"response": {"station": [row("東京都", "JR山手線", json!(139.7), json!(35.7))]}})
        }
        "硝子" => json!({"response": {"station": [
            row("長野県", "A線", json!(137.96), json!(36.23)),
            row("長野県", "B線", json!("137.962"), json!("36.232")),
            row("長野県", "G線", json!(137.963), json!(36.233)),
            row("長野県", "C線", json!(138.20), json!(36.65)),
            row("東京都", "D線", json!(139.70), json!(35.69)),
            // Swapped coordinates, which are invalid.
            row("東京都", "E線", json!(35.69), json!(139.70)),
            row("東京都", "F線", Value::Null, json!("?")),
        ]}}),
        _ => json!({"response": {"error": "Station not found."}}),
    })
}

fn geocoding(asked: &ReceivedRequest) -> Reply {
    let (name, language) = (asked.parameter("name"), asked.parameter("language"));
    if !(1..=100).contains(&asked.parameter("count").parse().unwrap_or(0)) {
        return Reply::json(&json!({"error": true, "reason": "Parameter count must be between 1 and 100."}))
            .status("400 Bad Request");
    }
    Reply::json(&match (name.as_str(), language.as_str()) {
        ("Glass", "en") => json!({"generationtime_ms": 0.5, "results": [
            {"id": 1, "name": "Glass Town", "latitude": 36.2, "longitude": 137.9, "feature_code": "PPL",
             "country_code": "JP", "admin1": "Nagano", "admin2": "Glass-shi", "timezone": "Asia/Tokyo"},
            {"id": 2, "name": "Glass Station", "latitude": "36.3", "longitude": 137.8, "feature_code": "RSTN",
             "country_code": "JP", "timezone": "Asia/Tokyo"},
            // Zeros are omitted from the answer.
            {"id": 3, "name": "Null Town", "longitude": 9.0, "feature_code": "PPL", "timezone": "Africa/Libreville"},
            {"id": 4, "name": "Nowhere"}
        ]}),
        ("东京", "ja") => json!({"results": [{"name": "東京都", "latitude": 35.69, "longitude": 139.69,
            "feature_code": "PPLC", "country_code": "JP", "timezone": "Asia/Tokyo"}]}),
        _ => json!({"generationtime_ms": 0.1}),
    })
}

#[tokio::test]
async fn the_lines_of_a_station_are_merged_and_distant_namesakes_are_not() {
    for name in ["硝子", " 硝子駅 ", "硝子站", "硝子 Station"] {
        let service = both();
        let found = stations("heartrails", &service, name).await.unwrap();
        let found_at: Vec<(&str, f64, f64)> = found["stations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| {
                let at = &one["coordinates"];
                assert_eq!((&one["name"], &one["country"]), (&json!("硝子駅"), &json!("JP")));
                assert_eq!(one["time_zone"], "Asia/Tokyo");
                let place = one["prefecture"].as_str().unwrap();
                (place, at["latitude"].as_f64().unwrap(), at["longitude"].as_f64().unwrap())
            })
            .collect();
        assert_eq!(found_at.len(), 3, "{found_at:?}");
        let (place, latitude, longitude) = found_at[0];
        assert_eq!(place, "長野県");
        assert_eq!((latitude, longitude), (36.232, 137.962), "the line in the middle");
        assert_eq!((found_at[1], found_at[2]), (("長野県", 36.65, 138.2), ("東京都", 35.69, 139.7)));
        assert_eq!(service.paths(), ["/api/json"]);
        assert_eq!(found["attributions"][0]["name"], "HeartRails Express");
        assert_eq!(found["notes"], json!([]));
    }
}

#[tokio::test]
async fn latin_and_unknown_names_are_searched_at_open_meteo_with_a_note() {
    let service = both();
    let found = stations("heartrails", &service, "Glass Station").await.unwrap();
    assert_eq!(service.paths(), ["/search", "/search"], "as a station first, then without that word");
    assert!(notes(&found)[0].contains("Japanese names only"), "{:?}", notes(&found));
    let names: Vec<&str> =
        found["stations"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Glass Station", "Glass Town", "Null Town"], "stations first");
    let town = &found["stations"][1];
    assert_eq!((&town["prefecture"], &town["city"]), (&json!("Nagano"), &json!("Glass-shi")));
    assert_eq!((&town["time_zone"], &town["country"]), (&json!("Asia/Tokyo"), &json!("JP")));
    assert_eq!(found["stations"][2]["coordinates"]["latitude"], 0.0);
    assert_eq!(found["attributions"][0]["licence"], "CC BY-NC 4.0");

    let service = both();
    let found = stations("heartrails", &service, "东京").await.unwrap();
    assert_eq!(found["stations"][0]["name"], "東京都");
    assert!(notes(&found)[0].contains("knows no station “东京”"), "{:?}", notes(&found));
    assert_eq!(
        service.paths(),
        ["/api/json", "/api/json", "/search"],
        "as it is written, and as Japan writes it"
    );
}

#[tokio::test]
async fn a_station_with_another_name_keeps_its_own_name() {
    let found = stations("heartrails", &both(), "宇治駅").await.unwrap();
    let station = &found["stations"][0];
    assert_eq!((&station["name"], &station["name_cn"]), (&json!("宇治山田駅"), &Value::Null));
}

#[tokio::test]
async fn chinese_characters_find_a_station_written_in_japanese_ones() {
    for (said, name) in [("秋叶原站", "秋葉原"), ("涩谷", "渋谷"), ("澀谷", "渋谷")] {
        let service = both();
        let found = stations("heartrails", &service, said).await.unwrap();
        let station = &found["stations"][0];
        assert_eq!(station["name"], format!("{name}駅"), "{said}");
        assert_eq!(station["name_cn"], said.trim_end_matches('站'));
        assert_eq!(service.paths(), ["/api/json", "/api/json"], "{said}");
    }
}

#[tokio::test]
async fn no_result_is_no_error_and_an_empty_name_sends_no_request() {
    for (id, name, paths) in [
        ("heartrails", "", &[][..]),
        ("heartrails", "津津津", &["/api/json", "/search"]),
        ("heartrails", "津", &["/api/json"]),
        ("open-meteo-geocoding", "  ", &[]),
        ("open-meteo-geocoding", "x", &[]),
        ("open-meteo-geocoding", "nowhere", &["/search"]),
    ] {
        let service = both();
        let found = stations(id, &service, name).await.unwrap();
        assert_eq!(found["stations"], json!([]), "{id} {name}");
        assert_eq!(service.paths(), paths, "{id} {name}");
    }
    let odd = Service::answering(json!({"response": {"station": null}}));
    assert!(stations("heartrails", &odd, "硝子").await.is_err(), "that is no answer of Open-Meteo");
}

#[tokio::test]
async fn open_meteo_alone_finds_places_and_reports_its_limits() {
    let found = stations("open-meteo-geocoding", &both(), "Glass").await.unwrap();
    assert_eq!(found["stations"].as_array().unwrap().len(), 3);
    assert_eq!(found["notes"], json!([]));
    let full =
        json!({"error": true, "reason": "Daily API request limit exceeded. Please try again tomorrow."});
    let service = Service::refusing("429 Too Many Requests", full);
    let error = stations("open-meteo-geocoding", &service, "Glass").await.unwrap_err();
    assert_eq!(error.code, kernel::Code::QuotaExhausted);
    assert!(error.message.contains("tomorrow"), "{}", error.message);
}
