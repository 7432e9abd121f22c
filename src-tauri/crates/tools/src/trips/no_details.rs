//! The source `no-details`: returns no details of points and contacts no service.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Access, ToolContext, ToolExample, ToolOutput, Typed, TypedTool};
use kernel::{Error, Phrase, form, phrase};
use serde_json::json;

use super::{PLACE_DETAILS, PlaceDetails, PlaceDetailsRequest};
use crate::offered_tool::{KeyNeed, OfferedTool};

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "no-details",
    tool: NoDetails::NAME,
    title: "No details",
    purpose: form!("Points stay as they are. Needs no network."),
    key: KeyNeed::None,
    key_page: "",
    services: &[],
    collection: Some(form!("nothing")),
    chooses_itself: false,
    make: |_| Arc::new(Typed(NoDetails)),
};

/// Returns no details.
pub(crate) struct NoDetails;

#[async_trait]
impl TypedTool for NoDetails {
    type Input = PlaceDetailsRequest;
    type Output = PlaceDetails;
    const NAME: &'static str = "no_details";
    const DESCRIPTION: &'static str = "Asks nobody for the details of points.";
    const SLOTS: &'static [&'static str] = &[PLACE_DETAILS];

    fn access(&self, _: &PlaceDetailsRequest) -> Access {
        Access::looks()
    }

    fn title(&self, _: &PlaceDetailsRequest) -> Phrase {
        phrase!("asked nobody for the details of points")
    }

    fn examples(&self) -> Vec<ToolExample> {
        let input = json!({"points": [], "around": {"latitude": 36.2306, "longitude": 137.9645}});
        vec![ToolExample { title: "no points", input, output_contains: "\"details\":[]" }]
    }

    async fn call(&self, _: PlaceDetailsRequest, _: &ToolContext) -> Result<ToolOutput<PlaceDetails>, Error> {
        Ok(ToolOutput::new(PlaceDetails::default(), phrase!("nobody was asked")))
    }
}
