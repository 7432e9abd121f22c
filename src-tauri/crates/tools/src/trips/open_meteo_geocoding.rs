//! The service `open-meteo-geocoding`: places worldwide by name, with their time zones.

use std::time::Duration;

use async_trait::async_trait;
use itinerary::{Attribution, is_on_earth};
use kernel::{Coordinates, Error, form};
use net::Request;
use serde_json::Value;

use super::open_meteo::with_its_limits;
use super::service_tool::{ServiceTool, TripService, open_data};
use super::{Station, StationRequest, Stations};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{harmless, list, number, text, title};
use crate::web::rate_limit::RateLimit;
use crate::web::service_client::Caller;

pub(super) const SERVICE: ServiceDescription = ServiceDescription {
    name: "open-meteo-geocoding",
    title: "Open-Meteo Geocoding",
    base_url: "https://geocoding-api.open-meteo.com/v1",
    settings: &[],
};

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "open-meteo-geocoding",
    tool: "open_meteo_geocoding",
    title: SERVICE.title,
    purpose: form!("Towns and some stations of the whole earth, by Open-Meteo. Needs no key."),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, OpenMeteoGeocoding),
};

/// Well below the free limit of ten requests per second.
const RATE_LIMIT: RateLimit =
    RateLimit { name: SERVICE.name, apart: Duration::from_millis(200), patience: Duration::from_secs(20) };

struct OpenMeteoGeocoding;

#[async_trait]
impl TripService for OpenMeteoGeocoding {
    type Question = StationRequest;
    const ABOUT: OfferedTool = SOURCE;

    async fn answer(&self, question: &StationRequest, caller: &Caller<'_>) -> Result<Stations, Error> {
        let stations = places(caller, &question.station_name).await?;
        Ok(Stations { stations, attributions: vec![attribution()], notes: Vec::new() })
    }
}

/// The attribution of the places.
pub(super) fn attribution() -> Attribution {
    Attribution {
        name: "Open-Meteo Geocoding (GeoNames)".to_owned(),
        url: "https://open-meteo.com/en/docs/geocoding-api".to_owned(),
        licence: "CC BY-NC 4.0".to_owned(),
    }
}

/// Removes the word for "station" from the end of a name, because the services' names lack it.
pub fn without_station(name: &str) -> &str {
    let name = name.trim();
    let words = ["火车站", "車站", "车站", "駅", "驛", "站"];
    let bare = words.iter().find_map(|word| name.strip_suffix(word));
    let bare = bare.or_else(|| {
        let (rest, last) = name.rsplit_once([' ', '-'])?;
        ["station", "eki", "sta."].iter().any(|word| last.eq_ignore_ascii_case(word)).then_some(rest)
    });
    // The word alone may be the name of a place.
    bare.map(str::trim).filter(|bare| !bare.is_empty()).unwrap_or(name)
}

/// Whether a name contains Chinese or Japanese characters.
pub(super) fn is_east_asian(name: &str) -> bool {
    let is_sign = |c: char| matches!(c, '\u{3005}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}');
    name.chars().any(is_sign)
}

/// The places with this name, stations first. A name with the word "station" is first searched as a station.
///
/// # Errors
/// When the service cannot be reached.
pub(super) async fn places(caller: &Caller<'_>, name: &str) -> Result<Vec<Station>, Error> {
    let (whole, bare) = (name.trim(), without_station(name));
    let mut names = vec![whole];
    if bare != whole {
        names.push(bare);
    }
    for name in names {
        // The service finds nothing for a single letter.
        if name.chars().count() < 2 {
            continue;
        }
        let found = named(caller, name).await?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

async fn named(caller: &Caller<'_>, name: &str) -> Result<Vec<Station>, Error> {
    let service = open_data(caller, &SERVICE).await?;
    let language = if is_east_asian(name) { "ja" } else { "en" };
    let url = service.url("/search", &[("name", name), ("count", "10"), ("language", language)]);
    let answer = {
        let _turn = service.turn(&url, &RATE_LIMIT).await?;
        service.ask_json(Request::get(url), &["results", "generationtime_ms"]).await
    };
    let answer = answer.map_err(|error| with_its_limits(&service, error))?;
    let mut places: Vec<(bool, Station)> = list(&answer, "results").iter().filter_map(place).collect();
    places.sort_by_key(|(is_station, _)| !is_station);
    Ok(places.into_iter().map(|(_, station)| station).collect())
}

/// A place, and whether it is a station.
fn place(result: &Value) -> Option<(bool, Station)> {
    // Zeros are omitted from the answer: a place on the equator has no latitude.
    let (latitude, longitude) = (number(result, "latitude"), number(result, "longitude"));
    if latitude.is_none() && longitude.is_none() {
        return None;
    }
    let coordinates = Coordinates { latitude: latitude.unwrap_or(0.0), longitude: longitude.unwrap_or(0.0) };
    let named = |field: &str| Some(title(&harmless(&text(result, field)))).filter(|name| !name.is_empty());
    let station = Station {
        name: named("name")?,
        name_en: None,
        name_cn: None,
        coordinates,
        city: named("admin2"),
        prefecture: named("admin1"),
        time_zone: named("timezone"),
        country: named("country_code"),
    };
    let is_station = text(result, "feature_code").starts_with("RST");
    is_on_earth(coordinates).then_some((is_station, station))
}
