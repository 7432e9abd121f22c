//! What the tools of trips take and give, whichever service is behind them.

use std::collections::HashSet;

use itinerary::{Attribution, OfferedLeg, TravelMode};
use kernel::{Coordinates, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What titles are searched for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TitleRequest {
    /// The title, or a part of it; empty where nobody named one.
    pub keyword: String,
}

/// Titles that were found, the likeliest first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Titles {
    /// The titles.
    pub candidates: Vec<TitleCandidate>,
    /// Whose data these are.
    pub attributions: Vec<Attribution>,
    /// What the person should know of them.
    #[schemars(with = "Vec<Value>")]
    pub notes: Vec<Phrase>,
}

/// One title.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TitleCandidate {
    /// Its number at the service, above 0.
    pub id: i64,
    /// Its name as it was published.
    pub name: String,
    /// Its Chinese name; empty where there is none.
    pub name_cn: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its first day, `YYYY-MM-DD`; empty where it is not known.
    pub date: String,
    /// What it is about, in short.
    pub summary: String,
    /// The address of a picture; empty where there is none.
    pub image: String,
    /// The address of its page for people.
    pub url: String,
}

/// What stations are searched for.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StationRequest {
    /// The station or the place; empty where nobody named one.
    pub station_name: String,
    /// How far around it points will be looked for, in kilometres.
    pub radius_km: f64,
}

/// Stations that were found, the likeliest first; of one name in several places one each.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Stations {
    /// The stations.
    pub stations: Vec<Station>,
    /// Whose data these are.
    pub attributions: Vec<Attribution>,
    /// What the person should know of them.
    #[schemars(with = "Vec<Value>")]
    pub notes: Vec<Phrase>,
}

/// A station, or another place from which a trip begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Station {
    /// Its name.
    pub name: String,
    /// Its English name, where the service tells one.
    #[serde(default)]
    pub name_en: Option<String>,
    /// Its Chinese name, where the service tells one.
    #[serde(default)]
    pub name_cn: Option<String>,
    /// Where it is.
    pub coordinates: Coordinates,
    /// Its town.
    #[serde(default)]
    pub city: Option<String>,
    /// Its prefecture or region.
    #[serde(default)]
    pub prefecture: Option<String>,
    /// Its time zone as IANA names it.
    #[serde(default)]
    pub time_zone: Option<String>,
    /// Its country by its code of two letters.
    #[serde(default)]
    pub country: Option<String>,
}

/// Which points are searched for.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointRequest {
    /// The number of the title at the service.
    pub title_id: i64,
    /// Around where.
    pub coordinates: Coordinates,
    /// How far around it, in kilometres.
    pub radius_km: f64,
}

/// Points of a title.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Points {
    /// Those within the radius.
    pub points: Vec<Point>,
    /// How many the service says that the title has everywhere.
    pub total: u32,
    /// How many of these the service gave.
    pub given: u32,
    /// How many of these had no position that can be used.
    pub unplaced: u32,
    /// The colour of the title, as `#rrggbb`; empty where there is none.
    pub color: String,
    /// Whose data these are.
    pub attributions: Vec<Attribution>,
    /// What the person should know of them.
    #[schemars(with = "Vec<Value>")]
    pub notes: Vec<Phrase>,
}

/// One point of a title.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// Its id, unique in the title.
    pub id: String,
    /// Its name in the language of the place.
    pub name: String,
    /// Its Chinese name; empty where there is none.
    #[serde(default)]
    pub cn_name: String,
    /// Its English name; empty where there is none.
    #[serde(default)]
    pub en_name: String,
    /// Where it is.
    pub coordinates: Coordinates,
    /// The episode in which it is seen, as the service writes it (`3`, `OP`); empty where that is not known.
    #[serde(default)]
    pub episode: String,
    /// When in the episode, in seconds.
    #[serde(default)]
    pub time_seconds: u32,
    /// The address of a picture; empty where there is none.
    #[serde(default)]
    pub screenshot_url: String,
    /// Its address.
    #[serde(default)]
    pub address: Option<String>,
    /// Its opening hours as OpenStreetMap writes them.
    #[serde(default)]
    pub opening_hours: Option<String>,
    /// What it costs.
    #[serde(default)]
    pub admission_fee: Option<String>,
    /// What kind of place it is, in English and small letters: `cafe`, `shrine`; empty where that is not known.
    #[serde(default)]
    pub kind: String,
    /// Who told of it.
    #[serde(default)]
    pub origin: String,
    /// The address of the origin.
    #[serde(default)]
    pub origin_url: String,
}

/// Gives points without an id or with a duplicate id a unique one.
pub(super) fn with_own_ids(points: &mut [Point], prefix: &str) {
    let mut taken: HashSet<String> = points.iter().map(|point| point.id.clone()).collect();
    let mut met = HashSet::from([String::new()]);
    for (index, point) in points.iter_mut().enumerate() {
        if met.insert(point.id.clone()) {
            continue;
        }
        let mut ids = (index..).map(|number| format!("{prefix}-{number}"));
        point.id = ids.find(|id| taken.insert(id.clone())).unwrap_or_default();
    }
}

/// Of which points details are asked for.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceDetailsRequest {
    /// The points.
    pub points: Vec<PlaceInQuestion>,
    /// Around where; those nearest to it are asked about first.
    pub around: Coordinates,
    /// The language of addresses, such as `ja` or `en-US`; that of the place where nothing is said.
    #[serde(default)]
    pub language: String,
}

/// A point of which details are asked for; what else is known of it may stand beside.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct PlaceInQuestion {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where it is.
    pub coordinates: Coordinates,
    /// Its address, where that is known.
    #[serde(default)]
    pub address: Option<String>,
    /// Its opening hours, where these are known.
    #[serde(default)]
    pub opening_hours: Option<String>,
}

/// Details of points.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PlaceDetails {
    /// Those that were found.
    pub details: Vec<PointDetails>,
    /// Whose data these are.
    pub attributions: Vec<Attribution>,
    /// What the person should know of them.
    #[schemars(with = "Vec<Value>")]
    pub notes: Vec<Phrase>,
}

/// Details of one point.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PointDetails {
    /// The id of the point.
    pub id: String,
    /// Its address.
    pub address: Option<String>,
    /// Its opening hours as OpenStreetMap writes them.
    pub opening_hours: Option<String>,
}

/// Of which place and day the weather is asked for.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeatherRequest {
    /// Where.
    pub coordinates: Coordinates,
    /// The day, `YYYY-MM-DD`, of the place.
    pub date: String,
}

/// The weather of a day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WeatherForecast {
    /// The day, `YYYY-MM-DD`.
    pub date: String,
    /// The name of the place, where the service tells one.
    #[serde(default)]
    pub location: String,
    /// What it is like; nothing where the service tells that not, as the temperatures.
    #[serde(default)]
    pub condition: Option<WeatherCondition>,
    /// Its highest temperature, °C.
    #[serde(default)]
    pub temperature_high_c: Option<f64>,
    /// Its lowest temperature, °C.
    #[serde(default)]
    pub temperature_low_c: Option<f64>,
    /// The chance of rain or snow, 0 to 100; nothing where the service tells none.
    #[serde(default)]
    pub precipitation_chance: Option<f64>,
    /// The strongest wind, km/h; nothing where the service tells none.
    #[serde(default)]
    pub wind_speed_kmh: Option<f64>,
    /// What the service answered.
    #[serde(default)]
    pub raw: Value,
    /// Whose data these are.
    #[serde(default)]
    pub attributions: Vec<Attribution>,
    /// What the person should know of it.
    #[serde(default)]
    #[schemars(with = "Vec<Value>")]
    pub notes: Vec<Phrase>,
}

/// What the weather is like; the codes of the WMO that services use are put together to these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WeatherCondition {
    /// No clouds, or few.
    Clear,
    /// Sun and clouds.
    PartlyCloudy,
    /// Clouds.
    Cloudy,
    /// Fog.
    Fog,
    /// Little rain.
    Drizzle,
    /// Rain.
    Rain,
    /// Rain or drizzle that freezes on the ground.
    FreezingRain,
    /// Snow or sleet.
    Snow,
    /// Thunder.
    Thunderstorm,
}

/// Between which points ways are asked for.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoutingRequest {
    /// The points; the first is the start.
    pub points: Vec<Coordinates>,
    /// How one travels.
    pub mode: TravelMode,
    /// Only the ways from each point to the next, instead of those between all points.
    #[serde(default)]
    pub in_order: bool,
    /// When one leaves the first point: RFC 3339 with an offset. Matters for trains and buses.
    #[serde(default)]
    pub departure: Option<String>,
}

/// Ways between points.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Routes {
    /// The ways that were found, by the indexes of the points in the request.
    pub legs: Vec<OfferedLeg>,
    /// Whose data these are.
    pub attributions: Vec<Attribution>,
    /// What the person should know of them.
    #[schemars(with = "Vec<Value>")]
    pub notes: Vec<Phrase>,
}
