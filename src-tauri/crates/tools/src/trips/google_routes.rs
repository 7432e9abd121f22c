//! The service `google-routes`: Google's routes on foot, by public transport or by car, with costs.

use std::collections::BTreeMap;

use async_trait::async_trait;
use itinerary::{Attribution, OfferedLeg, TravelMode};
use jiff::{SignedDuration, Timestamp};
use kernel::{Coordinates, Error, Phrase, form};
use net::Request;
use serde_json::{Value, json};

use super::motis::departure;
use super::service_tool::{ServiceTool, TripService};
use super::ways::{Measures, checked, failed_from, in_order, offered, routes};
use super::{Routes, RoutingRequest};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{harmless, list, number, text, title};
use crate::web::refusal::Wish;
use crate::web::service_client::{Caller, Service};

const SERVICE: ServiceDescription = ServiceDescription {
    name: "google-routes",
    title: "Google Routes",
    base_url: "https://routes.googleapis.com",
    settings: &[],
};
const KEY_PAGE: &str = "https://console.cloud.google.com/google/maps-apis/credentials";

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "google-routes",
    tool: "google_routes",
    title: SERVICE.title,
    purpose: form!(
        "Ways on foot, by train, bus or car, by Google. Needs a key; each way may cost something."
    ),
    key: KeyNeed::Required,
    key_page: KEY_PAGE,
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, GoogleRoutes),
};

/// A matrix has at most 625 routes, or 100 of public transport.
const MOST_IN_MATRIX: usize = 25;
const MOST_IN_TRANSIT_MATRIX: usize = 10;
/// The first point, the last, and 25 between them.
const MOST_IN_ORDER: usize = 27;
/// The field mask. Without the status a missing route looks like an existing one.
const MATRIX_FIELDS: &str = "originIndex,destinationIndex,status,condition,distanceMeters,duration";
const ROUTE_FIELDS: &str = "routes.legs.distanceMeters,routes.legs.duration,routes.legs.steps.travelMode,routes.legs.steps.staticDuration,routes.legs.steps.transitDetails";

struct GoogleRoutes;

#[async_trait]
impl TripService for GoogleRoutes {
    type Question = RoutingRequest;
    const ABOUT: OfferedTool = SOURCE;

    async fn answer(&self, question: &RoutingRequest, caller: &Caller<'_>) -> Result<Routes, Error> {
        let is_transit = question.mode == TravelMode::Transit;
        let most = match (question.in_order, is_transit) {
            (true, _) => MOST_IN_ORDER,
            (false, true) => MOST_IN_TRANSIT_MATRIX,
            (false, false) => MOST_IN_MATRIX,
        };
        checked(SERVICE.title, question, most)?;
        let leaves = departure(question.departure.as_deref())?;
        let service = caller.service(&SERVICE, Wish::data(SOURCE.key)).await?;
        let (legs, silenced) = match question.points.len() {
            0 | 1 => (Vec::new(), None),
            _ if !question.in_order => (matrix(&service, question, leaves).await?, None),
            _ if is_transit => one_by_one(&service, question, leaves).await?,
            _ => {
                let ask = |points| routes_in_order(&service, question, points);
                (in_order(question, ask).await?, None)
            }
        };
        let attribution = Attribution {
            name: "Google Maps".to_owned(),
            url: "https://www.google.com/maps".to_owned(),
            licence: "Google Maps Platform Terms of Service".to_owned(),
        };
        let mut routes = routes(SERVICE.title, question, legs, attribution);
        routes.notes.extend(silenced);
        Ok(routes)
    }
}

async fn post(service: &Service, path: &str, fields: &'static str, body: &Value) -> Result<Value, Error> {
    let request = Request::post(service.url(path, &[]), body).header("x-goog-fieldmask", fields);
    let request = request.secret("x-goog-api-key", "", service.key(SERVICE.name, KEY_PAGE)?)?;
    service.ask_json(request, &["routes", "[]", "fallbackInfo", "geocodingResults"]).await
}

fn waypoint(at: Coordinates) -> Value {
    json!({"location": {"latLng": {"latitude": at.latitude, "longitude": at.longitude}}})
}

/// The common part of all requests. Only public transport depends on the departure.
fn body(question: &RoutingRequest, leaves: Option<Timestamp>) -> serde_json::Map<String, Value> {
    let mode = match question.mode {
        TravelMode::Walking => "WALK",
        TravelMode::Transit => "TRANSIT",
        TravelMode::Driving => "DRIVE",
    };
    let mut body = serde_json::Map::from_iter([("travelMode".to_owned(), json!(mode))]);
    if let Some(leaves) = leaves.filter(|_| question.mode == TravelMode::Transit) {
        body.insert("departureTime".to_owned(), json!(leaves.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()));
    }
    body
}

/// The routes between all points: an unordered list with a status each.
async fn matrix(
    service: &Service,
    question: &RoutingRequest,
    leaves: Timestamp,
) -> Result<Vec<OfferedLeg>, Error> {
    let ends: Vec<Value> = question.points.iter().map(|at| json!({"waypoint": waypoint(*at)})).collect();
    let mut body = body(question, Some(leaves));
    body.insert("origins".to_owned(), json!(ends));
    body.insert("destinations".to_owned(), json!(ends));
    let answer =
        post(service, "/distanceMatrix/v2:computeRouteMatrix", MATRIX_FIELDS, &Value::Object(body)).await?;
    let mut legs = BTreeMap::new();
    for element in answer.as_array().into_iter().flatten() {
        let is_failed =
            element.get("status").and_then(|status| number(status, "code")).is_some_and(|code| code != 0.0);
        let condition = text(element, "condition");
        // Zeros are omitted from the answer.
        let index = |field: &str| number(element, field).unwrap_or(0.0) as usize;
        let (from, to) = (index("originIndex"), index("destinationIndex"));
        if is_failed || !matches!(condition.as_ref(), "" | "ROUTE_EXISTS") || from == to {
            continue;
        }
        if from.max(to) < question.points.len() {
            let leg = offered(question, (from, to), length(element), seconds(element), None);
            legs.extend(leg.map(|leg| ((from, to), leg)));
        }
    }
    Ok(legs.into_values().collect())
}

/// The routes from each point to the next, in one request.
async fn routes_in_order(
    service: &Service,
    question: &RoutingRequest,
    points: Vec<Coordinates>,
) -> Result<Option<Vec<Measures>>, Error> {
    let [first, between @ .., last] = points.as_slice() else { return Ok(None) };
    let between: Vec<Value> = between.iter().map(|at| waypoint(*at)).collect();
    let mut body = body(question, None);
    body.insert("origin".to_owned(), waypoint(*first));
    body.insert("destination".to_owned(), waypoint(*last));
    if !between.is_empty() {
        body.insert("intermediates".to_owned(), json!(between));
    }
    let answer = post(service, "/directions/v2:computeRoutes", ROUTE_FIELDS, &Value::Object(body)).await?;
    let legs = legs_of(&answer);
    let measures =
        || legs.iter().map(|leg| Measures { metres: length(leg), seconds: seconds(leg) }).collect();
    Ok((!legs.is_empty()).then(measures))
}

/// Public transport allows no intermediate points, so each route is a separate request. Routes that were already paid
/// for are kept with a note when a later request is refused.
async fn one_by_one(
    service: &Service,
    question: &RoutingRequest,
    mut leaves: Timestamp,
) -> Result<(Vec<OfferedLeg>, Option<Phrase>), Error> {
    let mut legs = Vec::new();
    for (from, pair) in question.points.windows(2).enumerate() {
        let mut body = body(question, Some(leaves));
        body.insert("origin".to_owned(), waypoint(pair[0]));
        body.insert("destination".to_owned(), waypoint(pair[1]));
        let answer = post(service, "/directions/v2:computeRoutes", ROUTE_FIELDS, &Value::Object(body)).await;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) if !legs.is_empty() => {
                return Ok((legs, Some(failed_from(SERVICE.title, from, &error))));
            }
            Err(error) => return Err(error),
        };
        let Some(leg) = legs_of(&answer).first() else { continue };
        let takes = arrival(leg).map(|arrives| arrives.duration_since(leaves).as_secs_f64());
        let takes = takes.filter(|seconds| *seconds >= 0.0).or_else(|| seconds(leg));
        let offer = offered(question, (from, from + 1), length(leg), takes, instructions(leg));
        // The length of the stay is unknown here: the next route departs no earlier than this one arrives.
        let until = offer.as_ref().map_or(0, |offer| i64::from(offer.leg.duration_s));
        leaves = leaves.checked_add(SignedDuration::from_secs(until)).unwrap_or(Timestamp::MAX);
        legs.extend(offer);
    }
    Ok((legs, None))
}

fn legs_of(answer: &Value) -> &[Value] {
    list(answer, "routes").first().map(|route| list(route, "legs")).unwrap_or_default()
}

/// The distance in metres; zero is omitted from the answer.
fn length(of: &Value) -> Option<f64> {
    Some(number(of, "distanceMeters").unwrap_or(0.0))
}

fn seconds(of: &Value) -> Option<f64> {
    protobuf_seconds(of, "duration")
}

/// A duration as protobuf writes it: `600s`.
fn protobuf_seconds(of: &Value, field: &str) -> Option<f64> {
    text(of, field).trim_end_matches('s').parse().ok()
}

/// The arrival by public transport: at the last stop plus the walk after it. Google's duration starts when the
/// traveller must leave, and so excludes the wait. `None` when no ride has a time.
fn arrival(leg: &Value) -> Option<Timestamp> {
    let steps = list(leg, "steps");
    let at_stop = |step: &Value| {
        text(step.get("transitDetails")?.get("stopDetails")?, "arrivalTime").parse::<Timestamp>().ok()
    };
    let (last, at_stop) =
        steps.iter().enumerate().rev().find_map(|(index, step)| Some((index, at_stop(step)?)))?;
    let on_foot: f64 =
        steps[last + 1..].iter().filter_map(|step| protobuf_seconds(step, "staticDuration")).sum();
    at_stop.checked_add(SignedDuration::try_from_secs_f64(on_foot).ok()?).ok()
}

/// “Line 3 from A to B, then …”; `None` when no ride is described.
fn instructions(leg: &Value) -> Option<String> {
    let name_of = |value: &Value, field: &str| title(&harmless(&text(value, field)));
    let ride = |step: &Value| {
        let details = step.get("transitDetails")?;
        let line = details.get("transitLine").cloned().unwrap_or_default();
        let names = [name_of(&line, "nameShort"), name_of(&line, "name"), name_of(details, "headsign")];
        let line = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let is_bare = line.chars().all(|c| c.is_ascii_digit());
        let line = if is_bare { format!("Line {line}").trim_end().to_owned() } else { line };
        let stop = |end: &str| details.get("stopDetails")?.get(end).map(|stop| name_of(stop, "name"));
        let (from, to) = (stop("departureStop")?, stop("arrivalStop")?);
        Some(format!("{line} from {from} to {to}"))
    };
    let rides: Vec<String> = list(leg, "steps").iter().filter_map(ride).collect();
    (!rides.is_empty()).then(|| rides.join(", then "))
}
