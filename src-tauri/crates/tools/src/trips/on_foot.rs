//! Ways on foot by a server of one's own: what OSRM and Valhalla have in common.

use async_trait::async_trait;
use itinerary::OfferedLeg;
use kernel::{Coordinates, Error};
use net::Answer;
use serde_json::Value;

use super::service_tool::{TripService, open_data};
use super::ways::{Measures, checked, in_order, open_street_map, other_than_on_foot, routes};
use super::{Routes, RoutingRequest};
use crate::offered_tool::{OfferedTool, ServiceDescription};
use crate::web::service_client::{Caller, Service};

/// The wire of a server that knows ways on foot.
#[async_trait]
pub(super) trait WalkingServer: Send + Sync + 'static {
    const ABOUT: OfferedTool;
    const SERVICE: ServiceDescription;
    /// As many points it takes at once unless its settings say otherwise.
    const MOST_POINTS: usize;
    /// The ways between all points.
    async fn between_all(service: &Service, question: &RoutingRequest) -> Result<Vec<OfferedLeg>, Error>;
    /// The ways from each point to the next; nothing where there is no way through all of them.
    async fn in_order(service: &Service, points: Vec<Coordinates>) -> Result<Option<Vec<Measures>>, Error>;
    /// Whether a refusal says that there is no way, or none from one of the points.
    fn says_no_way(refusal: &Value) -> bool;
}

/// Such a server as a service of trips.
pub(super) struct OnFoot<S>(pub(super) S);

#[async_trait]
impl<S: WalkingServer> TripService for OnFoot<S> {
    type Question = RoutingRequest;
    const ABOUT: OfferedTool = S::ABOUT;

    async fn answer(&self, question: &RoutingRequest, caller: &Caller<'_>) -> Result<Routes, Error> {
        let title = S::SERVICE.title;
        checked(title, question, S::MOST_POINTS)?;
        if let Some(none) = other_than_on_foot(title, question) {
            return Ok(none);
        }
        let service = open_data(caller, &S::SERVICE).await?;
        let legs = match question.points.len() {
            0 | 1 => Vec::new(),
            _ if question.in_order => in_order(question, |points| S::in_order(&service, points)).await?,
            _ => S::between_all(&service, question).await?,
        };
        Ok(routes(title, question, legs, open_street_map()))
    }
}

/// What the server found, which is known by any of its `own` fields; nothing where it says that there is no way.
pub(super) fn found<S: WalkingServer>(
    service: &Service,
    answer: &Answer,
    own: &[&str],
) -> Result<Option<Value>, Error> {
    let told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if !answer.is_success() && S::says_no_way(&told) {
        return Ok(None);
    }
    service.json(answer, own).map(Some)
}
