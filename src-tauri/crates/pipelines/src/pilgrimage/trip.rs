//! The planned trip, from the results of the earlier agents, and its form in the seed's state.

use std::collections::BTreeMap;

use itinerary::{
    Choice, DEFAULT_STAY_MINUTES, Itinerary, Leg, MOST_POINTS, OfferedLeg, Stop, StopDetails, TravelMode,
    Trip, TripPlan, Visit, distance_m, map_links, plan,
};
use jiff::civil::DateTime;
use kernel::{Coordinates, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::words::Language;

/// The id of the start, which no point has.
pub(super) const START: &str = "@start";
/// Minutes that a visit takes to a point without doors.
const OUTDOORS_MINUTES: u16 = 10;

/// When a visit begins, in the form of its key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Departure {
    /// The local time.
    pub(super) local: DateTime,
    /// The day, `YYYY-MM-DD`.
    pub(super) date: String,
    /// The IANA name of the time zone.
    pub(super) time_zone: Option<String>,
    /// Minutes ahead of UTC.
    pub(super) utc_offset_minutes: Option<i16>,
}

/// The parts of a trip.
pub(super) struct TripParts {
    pub(super) station: Value,
    pub(super) coordinates: Coordinates,
    pub(super) points: Vec<Value>,
    pub(super) departure: Departure,
    pub(super) returns_to_start: bool,
    pub(super) language: Language,
}

impl TripParts {
    /// The trip, and the details of its points.
    pub(super) fn trip(&self) -> (Trip, BTreeMap<String, StopDetails>) {
        let mut details = BTreeMap::new();
        let mut stops = Vec::new();
        for (point, number) in self.nearest().into_iter().zip(1..) {
            let id = text(point, "id").to_owned();
            let name = named(point, number, self.language);
            details.insert(id.clone(), details_of(point, &name, self.language));
            stops.push(Stop {
                id,
                name,
                coordinates: at(point),
                opening_hours: point["opening_hours"].as_str().map(str::to_owned),
                stay_minutes: Some(stay_minutes(point)),
            });
        }
        let start = Stop {
            id: START.to_owned(),
            name: station_name(&self.station, self.language),
            coordinates: Some(self.coordinates),
            opening_hours: None,
            stay_minutes: None,
        };
        let trip = Trip {
            start,
            stops,
            departure: self.departure.local,
            returns_to_start: self.returns_to_start,
            utc_offset_minutes: self.departure.utc_offset_minutes,
            country: self.station["country"].as_str().map(str::to_owned),
        };
        (trip, details)
    }

    /// The points to plan: if there are too many, the nearest.
    pub(super) fn nearest(&self) -> Vec<&Value> {
        let mut points: Vec<&Value> = self.points.iter().collect();
        if points.len() > MOST_POINTS {
            let metres = |point: &&Value| at(point).and_then(|at| distance_m(self.coordinates, at));
            points.sort_by_key(|point| metres(point).unwrap_or(u32::MAX));
            points.truncate(MOST_POINTS);
        }
        points
    }

    /// The planned trip, still without weather, remarks and origins.
    ///
    /// # Errors
    /// Those of [`plan`].
    pub(super) fn planned(&self, offers: Vec<OfferedLeg>) -> Result<TripPlan, Error> {
        let (trip, details) = self.trip();
        let itinerary = plan(&trip, &trip.legs(&offers), &Choice::default())?;
        Ok(TripPlan {
            // The caller sets the title.
            title: String::new(),
            language: self.language.code().to_owned(),
            time_zone: self.departure.time_zone.clone(),
            trip,
            offers,
            rides: Vec::new(),
            details,
            weather: None,
            remarks: Vec::new(),
            lasting_remarks: Vec::new(),
            attributions: Vec::new(),
            itinerary,
        })
    }
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn at(point: &Value) -> Option<Coordinates> {
    Coordinates::deserialize(&point["coordinates"]).ok()
}

/// The name of a station in a language, if it is known.
pub(super) fn station_name(station: &Value, language: Language) -> String {
    let own = match language {
        Language::English => text(station, "name_en"),
        Language::Chinese => text(station, "name_cn"),
        Language::Japanese => "",
    };
    if own.is_empty() { text(station, "name") } else { own }.to_owned()
}

/// The minutes of a visit to a point: longer for places with doors, which people enter.
fn stay_minutes(point: &Value) -> u16 {
    let has_doors =
        point["opening_hours"].as_str().is_some_and(|hours| hours != "24/7" && !hours.contains("sunrise"));
    if has_doors { DEFAULT_STAY_MINUTES } else { OUTDOORS_MINUTES }
}

fn name_in(point: &Value, language: Language) -> String {
    let own = match language {
        Language::English => text(point, "en_name"),
        Language::Chinese => text(point, "cn_name"),
        Language::Japanese => "",
    };
    if own.is_empty() { text(point, "name") } else { own }.to_owned()
}

/// The name of a point, else its scene, else its number: a list needs a name for each point.
fn named(point: &Value, number: usize, language: Language) -> String {
    let names = [name_in(point, language), scene(point, language)].into_iter();
    let mut names = names.filter(|name| !name.trim().is_empty());
    names.next().unwrap_or_else(|| language.say("point", &[("n", number.to_string())]))
}

fn details_of(point: &Value, name: &str, language: Language) -> StopDetails {
    let local = text(point, "name");
    let own = |field: &str| text(point, field).to_owned();
    StopDetails {
        local_name: if local == name { String::new() } else { local.to_owned() },
        title: own("bangumi_title"),
        color: own("color"),
        scene: scene(point, language),
        address: own("address"),
        admission: own("admission_fee"),
        description: String::new(),
        picture: own("screenshot_url"),
        origin: own("origin"),
        origin_url: own("origin_url"),
    }
}

/// The scene of the title that shows a point, in words; empty if it is unknown.
fn scene(point: &Value, language: Language) -> String {
    let seconds = point["time_seconds"].as_u64().unwrap_or(0);
    let episode = text(point, "episode_label");
    if episode.is_empty() && seconds == 0 {
        return String::new();
    }
    let time = format!("{}:{:02}", seconds / 60, seconds % 60);
    let said = language.say("scene", &[("episode", episode.to_owned()), ("time", time)]);
    said.trim().trim_matches(['(', ')', '（', '）']).to_owned()
}

/// The seed's `Route`.
pub(super) fn route(trip_plan: &TripPlan, station: &Value, points: &[Value], created_at: &str) -> Value {
    let Itinerary { visits, totals, .. } = &trip_plan.itinerary;
    let segment = |visit: &Visit| {
        json!({
            "order": visit.position,
            "point": point_of(points, &visit.id),
            "transport": transport(&visit.leg),
            "cumulative_distance_km": km(visit.cumulative_distance_m),
            "cumulative_duration_minutes": minutes(visit.cumulative_duration_s),
        })
    };
    // One address takes only few points. The seed gets the first address; all together show the whole route.
    let addresses: Vec<String> =
        map_links(&trip_plan.itinerary).into_iter().map(|link| link.address).collect();
    json!({
        "origin": station,
        "segments": visits.iter().map(segment).collect::<Vec<_>>(),
        "total_distance_km": km(totals.distance_m),
        "total_duration_minutes": minutes(totals.duration_s),
        "google_maps_url": addresses.first(),
        "google_maps_urls": addresses,
        "created_at": created_at,
    })
}

/// The point with this id.
fn point_of(points: &[Value], id: &str) -> Value {
    points.iter().find(|point| text(point, "id") == id).cloned().unwrap_or_default()
}

fn transport(leg: &Leg) -> Value {
    let mode = match leg.mode {
        TravelMode::Walking => "walking",
        TravelMode::Transit => "transit",
        TravelMode::Driving => "driving",
    };
    json!({
        "mode": mode,
        "distance_meters": leg.distance_m,
        "duration_minutes": minutes(leg.duration_s),
        "instructions": leg.instructions,
        "transit_details": null,
        "is_estimate": leg.is_estimate,
    })
}

/// Kilometres with two decimal places.
pub(super) fn km(metres: u32) -> f64 {
    f64::from(metres.saturating_add(5) / 10) / 100.0
}

/// Whole minutes.
pub(super) fn minutes(seconds: u32) -> u32 {
    seconds.saturating_add(30) / 60
}

/// The seed's `final_plan`.
pub(super) fn final_plan(trip_plan: &TripPlan, title: &str, route: &Value, points: &[Value]) -> Value {
    let Itinerary { visits, totals, start_name, .. } = &trip_plan.itinerary;
    let highlight = |visit: &Visit| {
        let point = point_of(points, &visit.id);
        json!({
            "name": visit.name,
            "episode": point["episode"],
            "time_seconds": point["time_seconds"],
            "address": point["address"],
            "notes": visit.opening_hours,
        })
    };
    json!({
        "summary": {
            "bangumi_title": title,
            "starting_station": start_name,
            "points_count": visits.len(),
            "total_distance_km": km(totals.distance_m),
            "total_duration_minutes": minutes(totals.duration_s),
        },
        "weather": trip_plan.weather,
        "route": route,
        "highlights": visits.iter().map(highlight).collect::<Vec<_>>(),
    })
}

/// The value of a key with the role of places.
pub(super) fn value_of(trip_plan: &TripPlan) -> Value {
    let mut value = json!(trip_plan);
    let places = json!(trip_plan.places());
    if let (Some(fields), Some(places)) = (value.as_object_mut(), places.as_object()) {
        fields.extend(places.clone());
    }
    value
}
