//! The service `osrm`: walking routes from a self-hosted server. The public servers forbid tables, and know only cars.

use std::fmt::Write as _;

use async_trait::async_trait;
use itinerary::OfferedLeg;
use kernel::{Coordinates, Error, form};
use net::Request;
use serde_json::Value;

use super::RoutingRequest;
use super::on_foot::{OnFoot, WalkingServer, found};
use super::service_tool::ServiceTool;
use super::ways::{Measures, offered};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{list, number, number_in, text};
use crate::web::service_client::Service;

const SERVICE: ServiceDescription =
    ServiceDescription { name: "osrm", title: "OSRM", base_url: "", settings: &[] };

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "osrm",
    tool: "osrm_routes",
    title: SERVICE.title,
    purpose: form!("Ways on foot, by an OSRM of your own. Needs its base URL."),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, OnFoot(Osrm)),
};

/// Its codes for: no route, or no road near a point.
const NO_ROUTE: [&str; 4] = ["NoRoute", "NoSegment", "NoTable", "NoTrips"];

struct Osrm;

#[async_trait]
impl WalkingServer for Osrm {
    const ABOUT: OfferedTool = SOURCE;
    const SERVICE: ServiceDescription = SERVICE;
    const MOST_POINTS: usize = 100;

    async fn between_all(service: &Service, question: &RoutingRequest) -> Result<Vec<OfferedLeg>, Error> {
        let path = format!("/table/v1/foot/{}", path(&question.points));
        let url = service.url(&path, &[("annotations", "duration,distance")]);
        let answer = service.send(Request::get(url)).await?;
        let Some(json) = found::<Osrm>(service, &answer, &["durations"])? else { return Ok(Vec::new()) };
        let count = question.points.len();
        let at = |field: &str, from: usize, to: usize| {
            // A missing route is null.
            list(&json, field).get(from)?.get(to).and_then(number_in)
        };
        let pairs = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
        let legs = pairs.filter(|(from, to)| from != to).filter_map(|(from, to)| {
            offered(question, (from, to), at("distances", from, to), at("durations", from, to), None)
        });
        Ok(legs.collect())
    }

    async fn in_order(service: &Service, points: Vec<Coordinates>) -> Result<Option<Vec<Measures>>, Error> {
        let path = format!("/route/v1/foot/{}", path(&points));
        let url = service.url(&path, &[("overview", "false"), ("steps", "false")]);
        let answer = service.send(Request::get(url)).await?;
        let Some(json) = found::<Osrm>(service, &answer, &["routes"])? else { return Ok(None) };
        let legs = list(&json, "routes").first().map(|route| list(route, "legs")).unwrap_or_default();
        let measures = |leg| Measures { metres: number(leg, "distance"), seconds: number(leg, "duration") };
        Ok(Some(legs.iter().map(measures).collect()))
    }

    fn says_no_way(refusal: &Value) -> bool {
        NO_ROUTE.contains(&text(refusal, "code").as_ref())
    }
}

/// The points in the format of its URLs: longitude first.
fn path(points: &[Coordinates]) -> String {
    let mut path = String::new();
    for (index, point) in points.iter().enumerate() {
        let between = if index == 0 { "" } else { ";" };
        // Writing to a `String` never fails.
        let _written = write!(path, "{between}{:.6},{:.6}", point.longitude, point.latitude);
    }
    path
}
