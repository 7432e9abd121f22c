//! The source `estimate`: walking routes estimated from straight lines. It needs no service.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Access, ToolContext, ToolExample, ToolOutput, Typed, TypedTool};
use itinerary::{Leg, OfferedLeg, TravelMode, walking_leg};
use kernel::{Code, Coordinates, Error, Phrase, form, phrase};
use serde_json::json;

use super::{ESTIMATED_ROUTES, ROUTING, Routes, RoutingRequest};
use crate::offered_tool::{KeyNeed, OfferedTool};

/// The most points of a request: the number of routes is their square.
const MOST_POINTS: usize = 401;

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "estimate",
    tool: ESTIMATED_ROUTES,
    title: "Estimate",
    purpose: form!("Ways on foot, estimated from straight lines. Needs no network."),
    key: KeyNeed::None,
    key_page: "",
    services: &[],
    collection: Some(form!("straight lines")),
    chooses_itself: false,
    make: |_| Arc::new(Typed(EstimatedRoutes)),
};

/// Estimates walking routes.
pub(crate) struct EstimatedRoutes;

#[async_trait]
impl TypedTool for EstimatedRoutes {
    type Input = RoutingRequest;
    type Output = Routes;
    const NAME: &'static str = ESTIMATED_ROUTES;
    const DESCRIPTION: &'static str = "Estimates ways on foot from straight lines: 1.3 times as long, at 4.8 km/h. Knows no trains and no buses.";
    const SLOTS: &'static [&'static str] = &[ROUTING];

    fn access(&self, _: &RoutingRequest) -> Access {
        Access::looks()
    }

    fn title(&self, input: &RoutingRequest) -> Phrase {
        phrase!("estimated the ways between {n} points", n = input.points.len())
    }

    fn examples(&self) -> Vec<ToolExample> {
        let points = json!([{"latitude": 36.2306, "longitude": 137.9645}, {"latitude": 36.2387, "longitude": 137.9689}]);
        vec![ToolExample {
            title: "a way on foot",
            input: json!({"points": points, "mode": "walking"}),
            output_contains: "\"is_estimate\":true",
        }]
    }

    async fn call(&self, input: RoutingRequest, _: &ToolContext) -> Result<ToolOutput<Routes>, Error> {
        let legs =
            ways(&input, |from, to| walking_leg(from, to).filter(|_| input.mode == TravelMode::Walking))?;
        let summary = phrase!("{n} ways", n = legs.len());
        Ok(ToolOutput::new(Routes { legs, ..Routes::default() }, summary))
    }
}

/// The requested routes, each computed by `way`.
///
/// # Errors
/// `bad_input` when there are too many points.
pub(super) fn ways(
    request: &RoutingRequest,
    way: impl Fn(Coordinates, Coordinates) -> Option<Leg>,
) -> Result<Vec<OfferedLeg>, Error> {
    let points = &request.points;
    if points.len() > MOST_POINTS {
        return Err(Error::new(
            Code::BadInput,
            phrase!(
                "Ways between {count} points are too many; give at most {most}",
                count = points.len(),
                most = MOST_POINTS
            ),
        ));
    }
    let pairs = (0..points.len()).flat_map(|from| (0..points.len()).map(move |to| (from, to)));
    let wanted = pairs.filter(|(from, to)| if request.in_order { from + 1 == *to } else { from != to });
    let legs = wanted.filter_map(|(from, to)| {
        let leg = way(points[from], points[to])?;
        Some(OfferedLeg { from: u32::try_from(from).ok()?, to: u32::try_from(to).ok()?, leg })
    });
    Ok(legs.collect())
}
