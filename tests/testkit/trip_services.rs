//! The services of trips on the loopback address, with one title of our own around one station: enough for a whole visit.
//! Who asks without a User-Agent that names the program is refused, as Bangumi refuses it.
//!
//! What each service checks besides, and how its data drift, is tested where its tool is.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::loopback::{FreePlace, Loopback};

/// How long one of the two services that wait for each other waits.
const TOGETHER: Duration = Duration::from_secs(20);

/// The services; they end when this is dropped.
pub struct TripServices {
    base_url: String,
    _server: Loopback,
    shared: Arc<Shared>,
}

struct Shared {
    down: BTreeSet<String>,
    /// Weather and ways are answered when both were asked for.
    both: Option<Barrier>,
    asked: Mutex<Vec<String>>,
}

impl TripServices {
    /// Services of which these are down. Where `waits_for_both`, weather and ways answer only when both were asked.
    pub fn new(down: &[&str], waits_for_both: bool) -> TripServices {
        let shared = Arc::new(Shared {
            down: down.iter().map(|name| (*name).to_owned()).collect(),
            both: waits_for_both.then(|| Barrier::new(2)),
            asked: Mutex::default(),
        });
        let place = FreePlace::find();
        let base_url = place.base_url.clone();
        let router = Router::new().fallback(handle).with_state(Arc::clone(&shared));
        TripServices { base_url, _server: place.serve("trip-services", router), shared }
    }

    /// The settings that lead every service here.
    pub fn settings(&self) -> Vec<(String, String)> {
        let names = [
            "bangumi",
            "heartrails",
            "anitabi",
            "nominatim",
            "open-meteo",
            "open-meteo-geocoding",
            "osrm",
            "motis",
        ];
        let setting = |name: &str| (format!("services.{name}.base_url"), format!("{}/{name}", self.base_url));
        names.into_iter().map(setting).collect()
    }

    /// What was asked, in order: the service with its path.
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn handle(State(shared): State<Arc<Shared>>, headers: HeaderMap, uri: Uri) -> (StatusCode, String) {
    let path = uri.path().trim_start_matches('/').to_owned();
    let service = path.split('/').next().unwrap_or_default().to_owned();
    shared.asked.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
    let agent = headers.get("user-agent").and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    if !agent.starts_with("Galley/") {
        return (
            StatusCode::FORBIDDEN,
            json!({"title": "Forbidden", "description": "Please set a 'User-Agent'"}).to_string(),
        );
    }
    if shared.down.contains(&service) {
        return (StatusCode::SERVICE_UNAVAILABLE, "down for maintenance".to_owned());
    }
    if let Some(both) = shared.both.as_ref().filter(|_| service == "open-meteo" || service == "osrm")
        && tokio::time::timeout(TOGETHER, both.wait()).await.is_err()
    {
        return (StatusCode::GATEWAY_TIMEOUT, "the other service was never asked".to_owned());
    }
    match answer(&service, &path, uri.query().unwrap_or_default()) {
        Some(answer) => (StatusCode::OK, answer.to_string()),
        None => (StatusCode::NOT_FOUND, json!({"error": "not found"}).to_string()),
    }
}

fn answer(service: &str, path: &str, query: &str) -> Option<Value> {
    Some(match service {
        "bangumi" => json!({"total": 2, "limit": 20, "offset": 0, "data": [
            {"id": 160_209, "type": 2, "name": "君の坂。", "name_cn": "你的坡。", "date": "2016-08-26", "images": null,
             "summary": "", "infobox": [{"key": "别名", "value": [{"v": "Your Hill."}]}]},
            {"id": 2, "type": 2, "name": "坂の上", "name_cn": "", "infobox": []},
        ]}),
        // It tells names in the language that it is asked in.
        "open-meteo-geocoding" => json!({"results": [{
            "id": 1, "name": if query.contains("language=en") { "Shinjuku Station" } else { "新宿駅" }, "latitude": 35.690_9, "longitude": 139.700_3, "feature_code": "RSTN",
            "country_code": "JP", "admin1": "東京都", "timezone": "Asia/Tokyo"
        }], "generationtime_ms": 0.1}),
        // 府中 is a station in Tokyo and one in Hiroshima.
        "heartrails" if query.contains("%E5%BA%9C%E4%B8%AD") => json!({"response": {"station": [
            {"name": "府中", "prefecture": "東京都", "line": "京王線", "x": 139.480_2, "y": 35.672_3},
            {"name": "府中", "prefecture": "広島県", "line": "JR福塩線", "x": 133.236_5, "y": 34.568_4}
        ]}}),
        "heartrails" => json!({"response": {"station": [
            {"name": "新宿", "prefecture": "東京都", "line": "JR山手線", "x": 139.700_464, "y": 35.689_729}
        ]}}),
        "anitabi" if path.ends_with("/lite") => json!({
            "id": 160_209, "cn": "你的坡。", "title": "君の坂。", "city": "東京", "color": "#02A7bd",
            "geo": [35.69, 139.70], "zoom": 12, "modified": 1, "litePoints": [], "pointsLength": 9, "imagesLength": 0
        }),
        "anitabi" => json!([
            {"id": "a", "name": "歩道橋", "cn": "天桥", "ep": 1, "s": 65, "geo": [35.6931, 139.6995]},
            {"id": "b", "name": "階段", "ep": "2", "s": 130, "geo": [35.6852, 139.7226], "origin": "somebody",
             "originURL": "https://example.org/b"},
            {"id": "c", "name": "喫茶", "ep": "OP", "s": 12, "geo": [35.6895, 139.7101]},
            {"id": "far", "name": "湖", "ep": 3, "s": 5, "geo": [36.0, 138.1]},
            {"id": "nowhere", "name": "月", "ep": 3, "s": 5, "geo": [null, null]},
        ]),
        // Without its format it answers with a page.
        "nominatim" if path.ends_with("/reverse") && query.contains("format=jsonv2") => json!({
            "place_id": 1, "lat": "35.6895", "lon": "139.7101", "name": "喫茶", "display_name": "喫茶, 新宿区, 東京都, 日本",
            "namedetails": {"name": "喫茶"}, "extratags": {"opening_hours": "Mo-Su 10:00-20:00"}
        }),
        "open-meteo" => {
            let day = query.split('&').find_map(|pair| pair.strip_prefix("start_date="))?;
            json!({"latitude": 35.7, "longitude": 139.69, "timezone": "Asia/Tokyo", "utc_offset_seconds": 32400,
                "daily": {"time": [day], "weather_code": [61], "temperature_2m_max": [12.4], "temperature_2m_min": [3.2],
                    "precipitation_probability_max": [80], "wind_speed_10m_max": [14.0]}})
        }
        "osrm" => {
            let count = path.rsplit('/').next()?.split(';').count();
            // Twice as far as the numbers of the points are apart, in minutes and in 100 metres.
            let apart = |unit: usize| -> Vec<Vec<usize>> {
                (0..count).map(|from| (0..count).map(|to| from.abs_diff(to) * 2 * unit).collect()).collect()
            };
            json!({"code": "Ok", "durations": apart(60), "distances": apart(100), "sources": [], "destinations": []})
        }
        "motis" => json!({"itineraries": [], "direct": []}),
        _ => return None,
    })
}
