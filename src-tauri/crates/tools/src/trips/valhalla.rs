//! The service `valhalla`: walking routes from a self-hosted server.

use async_trait::async_trait;
use itinerary::OfferedLeg;
use kernel::{Coordinates, Error, form};
use net::Request;
use serde_json::{Value, json};

use super::RoutingRequest;
use super::on_foot::{OnFoot, WalkingServer, found};
use super::service_tool::ServiceTool;
use super::ways::{Measures, offered};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{list, number, text};
use crate::web::service_client::Service;

const SERVICE: ServiceDescription =
    ServiceDescription { name: "valhalla", title: "Valhalla", base_url: "", settings: &[] };

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "valhalla",
    tool: "valhalla_routes",
    title: SERVICE.title,
    purpose: form!("Ways on foot, by a Valhalla of your own. Needs its base URL."),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, OnFoot(Valhalla)),
};

/// Its error codes for: no route, no road near a point.
const NO_ROUTE: [f64; 2] = [442.0, 171.0];
const METRES_PER_MILE: f64 = 1_609.344;

struct Valhalla;

#[async_trait]
impl WalkingServer for Valhalla {
    const ABOUT: OfferedTool = SOURCE;
    const SERVICE: ServiceDescription = SERVICE;
    const MOST_POINTS: usize = 50;

    async fn between_all(service: &Service, question: &RoutingRequest) -> Result<Vec<OfferedLeg>, Error> {
        let points = locations(&question.points);
        let body =
            json!({"sources": points, "targets": points, "costing": "pedestrian", "units": "kilometers"});
        let answer = service.send(Request::post(service.url("/sources_to_targets", &[]), &body)).await?;
        let Some(json) = found::<Valhalla>(service, &answer, &["sources_to_targets"])? else {
            return Ok(Vec::new());
        };
        let unit = metres_per_unit(&json);
        let mut legs = Vec::new();
        for (row, cells) in list(&json, "sources_to_targets").iter().enumerate() {
            for (column, cell) in cells.as_array().into_iter().flatten().enumerate() {
                let index =
                    |field: &str, place: usize| number(cell, field).map_or(place, |index| index as usize);
                let (from, to) = (index("from_index", row), index("to_index", column));
                let is_wanted = from != to && from.max(to) < question.points.len();
                // For a missing route both are null.
                let metres = number(cell, "distance").map(|length| length * unit);
                let leg = offered(question, (from, to), metres, number(cell, "time"), None);
                legs.extend(leg.filter(|_| is_wanted));
            }
        }
        Ok(legs)
    }

    async fn in_order(service: &Service, points: Vec<Coordinates>) -> Result<Option<Vec<Measures>>, Error> {
        let body = json!({"locations": locations(&points), "costing": "pedestrian", "units": "kilometers",
            "directions_type": "none"});
        let answer = service.send(Request::post(service.url("/route", &[]), &body)).await?;
        let Some(json) = found::<Valhalla>(service, &answer, &["trip"])? else { return Ok(None) };
        let trip = json.get("trip").cloned().unwrap_or_default();
        let unit = metres_per_unit(&trip);
        let measures = |leg: &Value| {
            let summary = leg.get("summary").cloned().unwrap_or_default();
            let metres = number(&summary, "length").map(|length| length * unit);
            Measures { metres, seconds: number(&summary, "time") }
        };
        Ok(Some(list(&trip, "legs").iter().map(measures).collect()))
    }

    fn says_no_way(refusal: &Value) -> bool {
        number(refusal, "error_code").is_some_and(|code| NO_ROUTE.contains(&code))
    }
}

fn locations(points: &[Coordinates]) -> Vec<Value> {
    points.iter().map(|point| json!({"lat": point.latitude, "lon": point.longitude})).collect()
}

/// Converts lengths to metres; the requested unit applies when the answer names none.
fn metres_per_unit(json: &Value) -> f64 {
    if text(json, "units") == "miles" { METRES_PER_MILE } else { 1_000.0 }
}
