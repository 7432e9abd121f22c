//! The service `motis`: public transport, through Transitous, which is run by volunteers, or a self-hosted MOTIS.

use std::time::Duration;

use async_trait::async_trait;
use itinerary::{Attribution, OfferedLeg, TravelMode};
use jiff::{SignedDuration, Timestamp};
use kernel::{Code, Coordinates, Error, form, phrase};
use net::Request;
use serde_json::Value;

use super::service_tool::{ServiceTool, TripService, open_data};
use super::ways::{checked, failed_from, none, offered, routes, straight};
use super::{Routes, RoutingRequest};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{harmless, list, number, text, title};
use crate::web::rate_limit::RateLimit;
use crate::web::service_client::{Caller, Service};

const SERVICE: ServiceDescription = ServiceDescription {
    name: "motis",
    title: "Transitous (MOTIS)",
    base_url: "https://api.transitous.org",
    settings: &[],
};

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "motis",
    tool: "motis_routes",
    title: SERVICE.title,
    purpose: form!(
        "Trains and buses, by Transitous or a MOTIS of your own, for use that earns nothing. Needs no key."
    ),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, Motis),
};

/// One request per route, at this rate.
const RATE_LIMIT: RateLimit =
    RateLimit { name: SERVICE.name, apart: Duration::from_secs(1), patience: Duration::from_secs(30) };
/// Each route is a request; trips have fewer points.
const MOST_POINTS: usize = 60;
/// The most lines described for one route.
const MOST_LINES: usize = 12;

struct Motis;

#[async_trait]
impl TripService for Motis {
    type Question = RoutingRequest;
    const ABOUT: OfferedTool = SOURCE;

    async fn answer(&self, question: &RoutingRequest, caller: &Caller<'_>) -> Result<Routes, Error> {
        let service = SERVICE.title;
        if question.mode != TravelMode::Transit {
            return Ok(none(phrase!("{service} gives trains and buses only", service)));
        }
        if !question.in_order {
            return Ok(none(phrase!(
                "{service} is asked for the ways in the order of a trip only, one after the other",
                service
            )));
        }
        checked(service, question, MOST_POINTS)?;
        let mut leaves = departure(question.departure.as_deref())?;
        let asked = open_data(caller, &SERVICE).await?;
        if let Some(note) = asked.no_contact() {
            return Ok(none(note));
        }
        let (mut legs, mut silenced) = (Vec::new(), None);
        for (from, pair) in question.points.windows(2).enumerate() {
            match itinerary(&asked, pair[0], pair[1], leaves).await {
                Ok(Some((arrives, itinerary))) => {
                    legs.extend(leg(question, from, arrives.duration_since(leaves), &itinerary));
                    // The length of the stay is unknown here: the next route departs no earlier than this one arrives.
                    leaves = arrives;
                }
                Ok(None) => {}
                Err(error) if !legs.is_empty() => {
                    silenced = Some(failed_from(service, from, &error));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let attribution = Attribution {
            name: "Transitous".to_owned(),
            url: "https://transitous.org/sources/".to_owned(),
            licence: String::new(),
        };
        let mut routes = routes(service, question, legs, attribution);
        routes.notes.extend(silenced);
        Ok(routes)
    }
}

/// The departure from the first point; now when none is given.
pub(super) fn departure(written: Option<&str>) -> Result<Timestamp, Error> {
    let Some(departure) = written else { return Ok(engine::now()) };
    departure.parse().map_err(|_| {
        Error::new(
            Code::BadInput,
            phrase!(
                "`{departure}` is no moment with an offset; write it as 2026-11-29T10:00:00+09:00",
                departure
            ),
        )
    })
}

/// The journey with the earliest arrival, and that arrival; `None` if there is none.
async fn itinerary(
    service: &Service,
    from: Coordinates,
    to: Coordinates,
    leaves: Timestamp,
) -> Result<Option<(Timestamp, Value)>, Error> {
    let place = |at: Coordinates| format!("{:.6},{:.6}", at.latitude, at.longitude);
    let (from, to) = (place(from), place(to));
    let time = leaves.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let parameters = [
        ("fromPlace", from.as_str()),
        ("toPlace", &to),
        ("time", &time),
        ("arriveBy", "false"),
        ("numItineraries", "3"),
        ("directModes", "WALK"),
    ];
    let url = service.url("/api/v6/plan", &parameters);
    let answer = {
        let _turn = service.turn(&url, &RATE_LIMIT).await?;
        service.ask_json(Request::get(url), &["itineraries", "direct", "requestParameters"]).await?
    };
    let journeys = list(&answer, "itineraries").iter();
    let journeys = journeys.filter_map(|journey| Some((arrival(journey, leaves)?, journey.clone())));
    Ok(journeys.min_by_key(|(arrives, _)| *arrives))
}

/// The arrival of a journey; `None` when it is missing or before the departure.
fn arrival(journey: &Value, leaves: Timestamp) -> Option<Timestamp> {
    let stated = text(journey, "endTime").parse().ok();
    let reckoned = || leaves.checked_add(SignedDuration::from_secs(number(journey, "duration")? as i64)).ok();
    stated.or_else(reckoned).filter(|arrives| *arrives >= leaves)
}

/// A leg by public transport; its duration includes the wait.
fn leg(
    question: &RoutingRequest,
    from: usize,
    takes: SignedDuration,
    itinerary: &Value,
) -> Option<OfferedLeg> {
    let parts = list(itinerary, "legs");
    // Rides have no length in the answer.
    let metres: Option<f64> = parts.iter().map(length).sum();
    let instructions = instructions(parts);
    offered(question, (from, from + 1), metres, Some(takes.as_secs_f64()), instructions)
}

fn length(part: &Value) -> Option<f64> {
    let stated = number(part, "distance").filter(|metres| *metres > 0.0);
    let is_walk = text(part, "mode") == "WALK";
    stated.or_else(|| if is_walk { Some(0.0) } else { straight(place(part, "from")?, place(part, "to")?) })
}

fn place(part: &Value, end: &str) -> Option<Coordinates> {
    let end = part.get(end)?;
    Some(Coordinates { latitude: number(end, "lat")?, longitude: number(end, "lon")? })
}

/// “Line 3 from A to B, then walk 4 min, then …”; `None` when no ride is described.
fn instructions(parts: &[Value]) -> Option<String> {
    let read = |value: &Value, field: &str| title(&harmless(&text(value, field)));
    let mut steps: Vec<String> = Vec::new();
    let mut rides = 0;
    for part in parts.iter().take(MOST_LINES) {
        let minutes = (number(part, "duration").unwrap_or(0.0) / 60.0).round();
        if read(part, "mode") == "WALK" {
            if minutes >= 1.0 {
                steps.push(format!("walk {minutes} min"));
            }
            continue;
        }
        let names = ["displayName", "routeShortName", "routeLongName", "tripShortName", "agencyName"];
        let line = names.iter().map(|field| read(part, field)).find(|name| !name.is_empty());
        let line = line.unwrap_or_else(|| read(part, "mode").to_lowercase().replace('_', " "));
        let stop = |end: &str| part.get(end).map(|end| read(end, "name")).unwrap_or_default();
        // A bare number gets the word "line" in front.
        let is_bare = line.chars().all(|c| c.is_ascii_digit());
        let line = if is_bare { format!("Line {line}") } else { line };
        steps.push(format!("{line} from {} to {}", stop("from"), stop("to")));
        rides += 1;
    }
    (rides > 0).then(|| steps.join(", then "))
}
