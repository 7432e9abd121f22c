//! Walking routes from a self-hosted server: the common part of OSRM and Valhalla.

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

/// The protocol of a routing server.
#[async_trait]
pub(super) trait WalkingServer: Send + Sync + 'static {
    const ABOUT: OfferedTool;
    const SERVICE: ServiceDescription;
    /// The default limit of points per request.
    const MOST_POINTS: usize;
    /// The routes between all points.
    async fn between_all(service: &Service, question: &RoutingRequest) -> Result<Vec<OfferedLeg>, Error>;
    /// The routes from each point to the next; `None` when no route passes through all of them.
    async fn in_order(service: &Service, points: Vec<Coordinates>) -> Result<Option<Vec<Measures>>, Error>;
    /// Whether an error says that there is no route, or none from one of the points.
    fn says_no_way(refusal: &Value) -> bool;
}

/// Adapts such a server to a trip service.
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

/// The server's answer, recognized by any of its `own` fields; `None` when it says that there is no route.
pub(super) fn found<S: WalkingServer>(
    service: &Service,
    answer: &Answer,
    own: &[&str],
) -> Result<Option<Value>, Error> {
    let json: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if !answer.is_success() && S::says_no_way(&json) {
        return Ok(None);
    }
    service.json(answer, own).map(Some)
}
