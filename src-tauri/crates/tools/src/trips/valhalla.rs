//! The service `valhalla`: ways on foot, by a server of one's own.

use async_trait::async_trait;
use itinerary::OfferedLeg;
use kernel::{Error, form};
use net::{Answer, Request};
use serde_json::{Value, json};

use super::service_tool::{ServiceTool, TripService, open_data};
use super::ways::{checked, offered, open_street_map, other_than_on_foot, routes};
use super::{Routes, RoutingRequest};
use crate::sources::{KeyNeed, SearchSource, ServiceDescription};
use crate::web::json_fields::{list, number, text};
use crate::web::service_client::{Caller, Service};

const SERVICE: ServiceDescription =
    ServiceDescription { name: "valhalla", title: "Valhalla", base_url: "", settings: &[] };

pub(super) const SOURCE: SearchSource = SearchSource {
    id: "valhalla",
    tool: "valhalla_routes",
    title: SERVICE.title,
    purpose: form!("Ways on foot, by a Valhalla of your own. Needs its base URL."),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, Valhalla),
};

/// As many points it takes on foot unless its settings say otherwise.
const MOST_POINTS: usize = 50;
/// Its number for: no way was found.
const NO_WAY: f64 = 442.0;
const METRES_PER_MILE: f64 = 1_609.344;

struct Valhalla;

#[async_trait]
impl TripService for Valhalla {
    type Question = RoutingRequest;
    const ABOUT: SearchSource = SOURCE;

    async fn answer(&self, question: &RoutingRequest, caller: &Caller<'_>) -> Result<Routes, Error> {
        checked(SERVICE.title, question, MOST_POINTS)?;
        if let Some(none) = other_than_on_foot(SERVICE.title, question) {
            return Ok(none);
        }
        let service = open_data(caller, &SERVICE).await?;
        let legs = match question.points.len() {
            0 | 1 => Vec::new(),
            _ if question.in_order => in_order(&service, question).await?,
            _ => matrix(&service, question).await?,
        };
        Ok(routes(SERVICE.title, question, legs, open_street_map()))
    }
}

fn locations(question: &RoutingRequest) -> Vec<Value> {
    question.points.iter().map(|point| json!({"lat": point.latitude, "lon": point.longitude})).collect()
}

async fn matrix(service: &Service, question: &RoutingRequest) -> Result<Vec<OfferedLeg>, Error> {
    let points = locations(question);
    let body = json!({"sources": points, "targets": points, "costing": "pedestrian", "units": "kilometers"});
    let request = Request::post(service.url("/sources_to_targets", &[]), &body);
    let Some(json) = found(service, &service.send(request).await?, &["sources_to_targets"])? else {
        return Ok(Vec::new());
    };
    let unit = metres_per_unit(&json);
    let mut legs = Vec::new();
    for (row, cells) in list(&json, "sources_to_targets").iter().enumerate() {
        for (column, cell) in cells.as_array().into_iter().flatten().enumerate() {
            let index = |field: &str, place: usize| number(cell, field).map_or(place, |index| index as usize);
            let (from, to) = (index("from_index", row), index("to_index", column));
            let is_wanted = from != to && from.max(to) < question.points.len();
            // Where there is no way both are null.
            let metres = number(cell, "distance").map(|length| length * unit);
            let leg = offered(question, (from, to), metres, number(cell, "time"), None);
            legs.extend(leg.filter(|_| is_wanted));
        }
    }
    Ok(legs)
}

async fn in_order(service: &Service, question: &RoutingRequest) -> Result<Vec<OfferedLeg>, Error> {
    let body = json!({"locations": locations(question), "costing": "pedestrian", "units": "kilometers",
        "directions_type": "none"});
    let request = Request::post(service.url("/route", &[]), &body);
    let Some(json) = found(service, &service.send(request).await?, &["trip"])? else { return Ok(Vec::new()) };
    let trip = json.get("trip").cloned().unwrap_or_default();
    let unit = metres_per_unit(&trip);
    let legs = list(&trip, "legs").iter().take(question.points.len() - 1).enumerate();
    Ok(legs
        .filter_map(|(from, leg)| {
            let summary = leg.get("summary")?;
            let metres = number(summary, "length").map(|length| length * unit);
            offered(question, (from, from + 1), metres, number(summary, "time"), None)
        })
        .collect())
}

/// Lengths are in the unit that was asked for, where it says no other.
fn metres_per_unit(json: &Value) -> f64 {
    if text(json, "units") == "miles" { METRES_PER_MILE } else { 1_000.0 }
}

/// What it found; nothing where it says that there is no way.
fn found(service: &Service, answer: &Answer, own: &[&str]) -> Result<Option<Value>, Error> {
    let told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if number(&told, "error_code") == Some(NO_WAY) {
        return Ok(None);
    }
    service.json(answer, own).map(Some)
}
