use kernel::Code;

use super::*;

async fn details(service: &Service, points: Vec<Value>) -> Result<Value, Error> {
    let around = json!({"latitude": 36.23, "longitude": 137.96});
    let input = json!({"points": points, "around": around, "language": "ja"});
    ask(PLACE_DETAILS, "nominatim", &service.server, "", input).await
}

/// A point `north` hundredths of a degree north of the start.
fn point(id: &str, name: &str, north: f64) -> Value {
    json!({"id": id, "name": name, "coordinates": {"latitude": 36.23 + north / 100.0, "longitude": 137.96}, "episode": 1})
}

/// A server that requires its JSON format and reads latitude and longitude as separate parameters. At 36.25 it knows no
/// place, at 36.99 it is overloaded.
fn nominatim() -> Service {
    Service::start(|asked| {
        let latitude = asked.parameter("lat");
        match () {
            () if asked.method != "GET" || asked.path() != "/reverse" => refused("path"),
            // Without the format the real service returns an HTML page.
            () if asked.parameter("format") != "jsonv2" => {
                Reply::of("text/html", "<html><title>Nominatim</title></html>")
            }
            () if asked.parameter("lon") != "137.960000" => refused("Parameter 'lon' must be a number."),
            () if asked.parameter("extratags") != "1" || asked.parameter("accept-language") != "ja" => {
                refused("parameters")
            }
            () if latitude == "36.250000" => Reply::json(&json!({"error": "Unable to geocode"})),
            () if latitude == "36.990000" => {
                Reply::of("text/html", "<html><title>Bandwidth limit exceeded</title></html>")
                    .status("429 Too Many Requests")
            }
            () => Reply::json(&json!({"place_id": 1, "licence": "ODbL", "lat": latitude, "lon": "137.96",
                "category": "amenity", "type": "cafe", "name": "喫茶硝子", "display_name": format!("喫茶硝子, {latitude}, 松本市, 日本"),
                "namedetails": {"name": "喫茶硝子", "name:en": "Café Glass"},
                "extratags": {"opening_hours": "Mo-Su 09:00-18:00"}, "boundingbox": ["36.2", "36.3", "137.9", "138.0"]})),
        }
    })
}

#[tokio::test]
async fn points_without_details_are_looked_up_nearest_first_and_hours_need_the_same_name() {
    let service = nominatim();
    let whole = json!({"id": "whole", "name": "x", "coordinates": {"latitude": 36.23, "longitude": 137.96},
        "address": "here", "opening_hours": "24/7"});
    let points = vec![
        point("unknown", "池", 2.0),
        point("other", "隣の店", 1.0),
        whole,
        point("own", "cafe glass", 0.5),
        point("own-ja", "「喫茶硝子」", 0.1),
    ];
    let found = details(&service, points).await.unwrap();
    let known: Vec<(&str, bool)> = found["details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["id"].as_str().unwrap(), one["opening_hours"] == "Mo-Su 09:00-18:00"))
        .collect();
    assert_eq!(
        known,
        [("own-ja", true), ("own", false), ("other", false)],
        "é is not e; what is not known is left out"
    );
    assert_eq!(found["details"][0]["address"], "喫茶硝子, 36.231000, 松本市, 日本");
    assert_eq!((&found["attributions"][0]["licence"], &found["notes"]), (&json!("ODbL"), &json!([])));
    assert_eq!(service.paths().len(), 4, "the whole one is not asked about");
}

#[tokio::test]
async fn found_details_survive_a_later_failure_and_a_first_refusal_is_an_error() {
    let found = details(&nominatim(), vec![point("near", "喫茶硝子", 1.0), point("tired", "山", 76.0)])
        .await
        .unwrap();
    assert_eq!(found["details"].as_array().unwrap().len(), 1);
    assert!(notes(&found)[0].contains("from the point “山” on"), "{:?}", notes(&found));
    let error = details(&nominatim(), vec![point("tired", "山", 76.0)]).await.unwrap_err();
    assert_eq!(error.code, Code::RateLimited);
    assert_eq!(
        details(&nominatim(), Vec::new()).await.unwrap()["attributions"],
        json!([]),
        "nobody was asked"
    );
    // The public service, without a contact address.
    let usual = Service {
        server: Server { base: String::new(), ..Server::start(|_| Reply::default()) },
        came: Arc::default(),
    };
    let unasked = details(&usual, vec![point("near", "喫茶硝子", 1.0)]).await.unwrap();
    assert!(notes(&unasked)[0].contains("net.contact") && unasked["details"] == json!([]), "{unasked}");
}
