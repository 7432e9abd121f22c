//! Finds the pipeline for a request in free text and fills its form. Only the router's own run is started, where a
//! model chooses, so that the history and the ledger include its call.

use std::collections::BTreeMap;
use std::time::Duration;

use kernel::{BUILT_IN, Code, Json, OnFailure, Outcome, Phrase, phrase};
use pipelines::routing::{
    REQUEST, ROUTER, ROUTING, Routing, RoutingTarget, TARGETS, route, routing_of_answer,
};
use serde_json::json;

use crate::ApiError;
use crate::api::{RouteRequest, RoutedRequest, RoutingCandidate, StartRun};
use crate::runs::RunService;

/// How long the request waits for the model; the run has a limit of its own.
const LONGEST_WAIT: Duration = Duration::from_secs(90);

impl RunService {
    /// Routes a request: by a model where the profile has one, else by the words of the pipelines.
    ///
    /// # Errors
    /// `bad_input` for an empty request; the errors of starting a run where a model chooses.
    pub(crate) async fn route_request(&self, request: RouteRequest) -> Result<RoutedRequest, ApiError> {
        if request.text.trim().is_empty() {
            let message = phrase!("The request is empty; say in your own words what you need");
            return Err(ApiError::new(Code::BadInput, message));
        }
        let (pipelines, _) = self.pipelines.all();
        let targets: Vec<RoutingTarget> =
            pipelines.iter().map(|pipeline| RoutingTarget::of(pipeline.as_ref())).collect();
        let by_words = route(&request.text, &targets);
        let start = StartRun { pipeline: ROUTER.to_owned(), profile: request.profile, ..StartRun::default() };
        let profile = self.chosen_profile(&start)?;
        if profile == BUILT_IN || targets.is_empty() {
            return Ok(routed(by_words, None, None));
        }
        self.route_by_model(StartRun { profile: Some(profile), ..start }, request.text, by_words, &targets)
            .await
    }

    async fn route_by_model(
        &self,
        start: StartRun,
        text: String,
        by_words: Routing,
        targets: &[RoutingTarget],
    ) -> Result<RoutedRequest, ApiError> {
        let lines: Vec<String> = targets.iter().map(|target| json!(target).to_string()).collect();
        let inputs = BTreeMap::from([
            (REQUEST.to_owned(), Json(json!(text))),
            (TARGETS.to_owned(), Json(json!(lines))),
        ]);
        let handle = self.start(StartRun { inputs, fallback: Some(OnFailure::BuiltIn), ..start }).await?;
        let run = Some(handle.run().0.clone());
        let Ok(end) = tokio::time::timeout(LONGEST_WAIT, handle.ended()).await else {
            handle.cancel();
            let remark = phrase!("The model did not answer in time, so the words of the pipelines decided");
            return Ok(routed(by_words, run, Some(remark)));
        };
        let answer = end.state.get(ROUTING).and_then(kernel::Value::json);
        let is_of_model = end.outcome == Outcome::Finished && handle.fold().agents_without_model().is_empty();
        Ok(match answer.filter(|_| is_of_model) {
            Some(answer) => routed(routing_of_answer(answer, by_words, targets), run, None),
            None => {
                let remark = match end.error {
                    Some(error) => phrase!(
                        "The model did not choose, so the words of the pipelines decided: {error}",
                        error
                    ),
                    None => phrase!("The model did not choose, so the words of the pipelines decided"),
                };
                routed(by_words, run, Some(remark))
            }
        })
    }
}

fn routed(routing: Routing, run: Option<String>, remark: Option<Phrase>) -> RoutedRequest {
    let Routing { pipeline, confidence, reason, candidates } = routing;
    let candidates = candidates.into_iter().map(|candidate| RoutingCandidate {
        pipeline: candidate.pipeline,
        confidence: candidate.confidence,
        inputs: candidate
            .inputs
            .into_iter()
            .map(|(key, value)| (key, Json(value.json_or_null().clone())))
            .collect(),
    });
    RoutedRequest { pipeline, confidence, reason, candidates: candidates.collect(), run, remark }
}
