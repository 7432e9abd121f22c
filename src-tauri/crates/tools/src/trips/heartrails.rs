//! The service `heartrails`: Japanese stations by their Japanese names. Other names are searched among the places of
//! Open-Meteo.

use std::time::Duration;

use async_trait::async_trait;
use itinerary::{Attribution, distance_m, is_on_earth};
use kernel::{Coordinates, Error, form, phrase};
use net::Request;
use serde_json::Value;

use super::open_meteo_geocoding::{self as geocoding, is_east_asian, places, without_station};
use super::service_tool::{ServiceTool, TripService, open_data};
use super::{Station, StationRequest, Stations};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{harmless, list, number, text, title};
use crate::web::rate_limit::RateLimit;
use crate::web::service_client::Caller;

const SERVICE: ServiceDescription = ServiceDescription {
    name: "heartrails",
    title: "HeartRails Express",
    base_url: "https://express.heartrails.com",
    settings: &[],
};

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "heartrails",
    tool: "search_anitabi_bangumi_near_station",
    title: SERVICE.title,
    purpose: form!(
        "The stations of Japan, by HeartRails Express, and other places by Open-Meteo. Needs no key."
    ),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE, geocoding::SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, HeartRails),
};

const RATE_LIMIT: RateLimit =
    RateLimit { name: SERVICE.name, apart: Duration::from_millis(500), patience: Duration::from_secs(20) };
/// Rows with one name and prefecture within this distance are lines of the same station.
const SAME_STATION_M: u32 = 2_000;

struct HeartRails;

#[async_trait]
impl TripService for HeartRails {
    type Question = StationRequest;
    const ABOUT: OfferedTool = SOURCE;

    async fn answer(&self, question: &StationRequest, caller: &Caller<'_>) -> Result<Stations, Error> {
        let name = without_station(&question.station_name);
        if name.is_empty() {
            return Ok(Stations::default());
        }
        let knows_its_letters = is_east_asian(name);
        if knows_its_letters {
            // The service also returns stations with other names, which count only if none has the requested name.
            let mut other_names = Vec::new();
            let found =
                |stations| Stations { stations, attributions: vec![attribution()], notes: Vec::new() };
            for written in japanese_forms(name) {
                let mut stations = japanese(caller, &written).await?;
                let mut is_known = false;
                for station in &mut stations {
                    let is_meant = without_station(&station.name) == written;
                    is_known |= is_meant;
                    station.name_cn = (is_meant && written != name).then(|| name.to_owned());
                }
                if is_known {
                    return Ok(found(stations));
                }
                if other_names.is_empty() {
                    other_names = stations;
                }
            }
            if !other_names.is_empty() {
                return Ok(found(other_names));
            }
        }
        let (title, other) = (SERVICE.title, geocoding::SERVICE.title);
        let note = if knows_its_letters {
            phrase!("{title} knows no station “{name}”, so {other} was asked", title, name, other)
        } else {
            phrase!(
                "{title} knows Japanese names only, so {other} was asked for “{name}”",
                title,
                other,
                name
            )
        };
        let stations = places(caller, &question.station_name).await?;
        Ok(Stations { stations, attributions: vec![geocoding::attribution()], notes: vec![note] })
    }
}

/// A name as written, and in Japanese characters if it is written in Chinese ones.
fn japanese_forms(name: &str) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    for other in [hanconv::t2jp(hanconv::s2t(name)), hanconv::t2jp(name)] {
        if !names.contains(&other) {
            names.push(other);
        }
    }
    names
}

fn attribution() -> Attribution {
    Attribution {
        name: SERVICE.title.to_owned(),
        url: "https://express.heartrails.com/".to_owned(),
        licence: String::new(),
    }
}

/// The stations with this name; empty when the service reports that there are none, which it calls an error.
async fn japanese(caller: &Caller<'_>, name: &str) -> Result<Vec<Station>, Error> {
    let service = open_data(caller, &SERVICE).await?;
    let url = service.url("/api/json", &[("method", "getStations"), ("name", name)]);
    let answer = {
        let _turn = service.turn(&url, &RATE_LIMIT).await?;
        service.ask_json(Request::get(url), &["response"]).await?
    };
    let rows = answer.get("response").map(|response| list(response, "station")).unwrap_or_default();
    Ok(stations(rows))
}

/// The rows of one station, with their positions.
struct Group {
    name: String,
    prefecture: String,
    first: Coordinates,
    rows: Vec<Coordinates>,
}

impl Group {
    /// The row that is nearest to all others: when lines of one name stop far apart, the midpoint is not at a station.
    fn middle(&self) -> Coordinates {
        let far = |at: &Coordinates| -> u32 {
            self.rows.iter().filter_map(|other| distance_m(*at, *other)).fold(0, u32::saturating_add)
        };
        self.rows.iter().copied().min_by_key(far).unwrap_or(self.first)
    }
}

/// Groups the rows into stations: there is one row per line, and different stations may share a name.
fn stations(rows: &[Value]) -> Vec<Station> {
    let mut groups: Vec<Group> = Vec::new();
    for row in rows {
        let read = |field: &str| title(&harmless(&text(row, field)));
        let (name, prefecture) = (read("name"), read("prefecture"));
        // `x` is the longitude.
        let (Some(longitude), Some(latitude)) = (number(row, "x"), number(row, "y")) else { continue };
        let at = Coordinates { latitude, longitude };
        if name.is_empty() || !is_on_earth(at) {
            continue;
        }
        let is_same = |group: &&mut Group| {
            let is_near = distance_m(group.first, at).is_some_and(|metres| metres < SAME_STATION_M);
            group.name == name && group.prefecture == prefecture && is_near
        };
        if let Some(group) = groups.iter_mut().find(is_same) {
            group.rows.push(at);
        } else {
            groups.push(Group { name, prefecture, first: at, rows: vec![at] });
        }
    }
    groups.into_iter().map(station).collect()
}

fn station(group: Group) -> Station {
    let coordinates = group.middle();
    let name = if group.name.ends_with('駅') { group.name } else { format!("{}駅", group.name) };
    Station {
        name,
        name_en: None,
        name_cn: None,
        coordinates,
        city: None,
        prefecture: Some(group.prefecture).filter(|prefecture| !prefecture.is_empty()),
        time_zone: Some("Asia/Tokyo".to_owned()),
        country: Some("JP".to_owned()),
    }
}
