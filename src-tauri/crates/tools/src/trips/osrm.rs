//! The service `osrm`: ways on foot, by a server of one's own. The public ones forbid tables, and know cars only.

use std::fmt::Write as _;

use async_trait::async_trait;
use itinerary::OfferedLeg;
use kernel::{Error, form};
use net::{Answer, Request};
use serde_json::Value;

use super::service_tool::{ServiceTool, TripService, open_data};
use super::ways::{checked, offered, open_street_map, other_than_on_foot, routes};
use super::{Routes, RoutingRequest};
use crate::sources::{KeyNeed, SearchSource, ServiceDescription};
use crate::web::json_fields::{list, number, number_in, text};
use crate::web::service_client::{Caller, Service};

const SERVICE: ServiceDescription =
    ServiceDescription { name: "osrm", title: "OSRM", base_url: "", settings: &[] };

pub(super) const SOURCE: SearchSource = SearchSource {
    id: "osrm",
    tool: "osrm_routes",
    title: SERVICE.title,
    purpose: form!("Ways on foot, by an OSRM of your own. Needs its base URL."),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, Osrm),
};

/// As many points it takes in a table unless its settings say otherwise.
const MOST_POINTS: usize = 100;
/// What it says where there is no way, under a status of refusal.
const NO_WAY: [&str; 3] = ["NoRoute", "NoTable", "NoTrips"];

struct Osrm;

#[async_trait]
impl TripService for Osrm {
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
            _ => table(&service, question).await?,
        };
        Ok(routes(SERVICE.title, question, legs, open_street_map()))
    }
}

/// The points as it writes them: the longitude first.
fn path(question: &RoutingRequest) -> String {
    let mut path = String::new();
    for (index, point) in question.points.iter().enumerate() {
        let between = if index == 0 { "" } else { ";" };
        // Writing to a text never fails.
        let _written = write!(path, "{between}{:.6},{:.6}", point.longitude, point.latitude);
    }
    path
}

async fn table(service: &Service, question: &RoutingRequest) -> Result<Vec<OfferedLeg>, Error> {
    let path = format!("/table/v1/foot/{}", path(question));
    let url = service.url(&path, &[("annotations", "duration,distance")]);
    let answer = service.send(Request::get(url)).await?;
    let Some(json) = found(service, &answer, &["durations"])? else { return Ok(Vec::new()) };
    let count = question.points.len();
    let at = |field: &str, from: usize, to: usize| {
        // Where there is no way it is null.
        list(&json, field).get(from)?.get(to).and_then(number_in)
    };
    let pairs = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
    let legs = pairs.filter(|(from, to)| from != to).filter_map(|(from, to)| {
        offered(question, (from, to), at("distances", from, to), at("durations", from, to), None)
    });
    Ok(legs.collect())
}

async fn in_order(service: &Service, question: &RoutingRequest) -> Result<Vec<OfferedLeg>, Error> {
    let path = format!("/route/v1/foot/{}", path(question));
    let url = service.url(&path, &[("overview", "false"), ("steps", "false")]);
    let answer = service.send(Request::get(url)).await?;
    let Some(json) = found(service, &answer, &["routes"])? else { return Ok(Vec::new()) };
    let legs = list(&json, "routes").first().map(|route| list(route, "legs")).unwrap_or_default();
    let legs = legs.iter().take(question.points.len() - 1).enumerate();
    Ok(legs
        .filter_map(|(from, leg)| {
            offered(question, (from, from + 1), number(leg, "distance"), number(leg, "duration"), None)
        })
        .collect())
}

/// What it found; nothing where it says that there is no way.
fn found(service: &Service, answer: &Answer, own: &[&str]) -> Result<Option<Value>, Error> {
    let told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if NO_WAY.contains(&text(&told, "code").as_ref()) {
        return Ok(None);
    }
    service.json(answer, own).map(Some)
}
