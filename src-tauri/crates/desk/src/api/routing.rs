//! A request in free text, and the pipelines that it may match.

use std::collections::BTreeMap;

use kernel::{Json, Phrase};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A request in free text.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RouteRequest {
    /// What is needed, in the person's words.
    pub text: String,
    /// The profile whose model chooses; the setting `default_profile` when not given. `built-in` goes by the words of
    /// the pipelines.
    pub profile: Option<String>,
}

/// A pipeline that a request may be for.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RoutingCandidate {
    /// Its id.
    pub pipeline: String,
    /// Probability from 0 to 1.
    pub confidence: f64,
    /// Its inputs as far as the request fills them, by key.
    pub inputs: BTreeMap<String, Json>,
}

/// What becomes of a request.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RoutedRequest {
    /// The pipeline; nothing where the confidence is below 0.6 and the person is to choose.
    pub pipeline: Option<String>,
    /// Confidence in the likeliest pipeline, from 0 to 1.
    pub confidence: f64,
    /// Why.
    pub reason: Phrase,
    /// The likeliest pipelines, at most three, the likeliest first.
    pub candidates: Vec<RoutingCandidate>,
    /// The run in which a model chose; nothing where no model was asked.
    pub run: Option<String>,
    /// What kept the model from choosing, where the words of the pipelines decided in its place.
    pub remark: Option<Phrase>,
}

impl RoutedRequest {
    /// The inputs of the best matching pipeline.
    pub fn inputs(&self) -> BTreeMap<String, Json> {
        self.candidates.first().map(|best| best.inputs.clone()).unwrap_or_default()
    }
}
