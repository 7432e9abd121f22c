//! `PeerAgent`: the router as a pipeline of one agent, so that its model call is recorded like any other.

use std::collections::BTreeMap;

use kernel::{InputKind, Phrase, Value};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::target::RoutingTarget;
use super::{MOST_CANDIDATES, Routing, RoutingCandidate, SURE, route};
use interpreter::{Accept, FunctionContext, Registry, WithoutModel};

/// The definition of the router, which is itself no target of routing.
pub(crate) const DEFINITION: &str = include_str!("peer-agent.toml");

/// The id of the router.
pub const ROUTER: &str = "peer-agent";
/// The input that takes the request.
pub const REQUEST: &str = "request";
/// The input that takes the pipelines, each a [`RoutingTarget`] as one line of JSON.
pub const TARGETS: &str = "targets";
/// The key that takes the answer.
pub const ROUTING: &str = "routing";

/// The answer of the router's model.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct RoutingAnswer {
    /// A pipeline id; empty if none is meant.
    pipeline: String,
    confidence: f64,
    reason: String,
    inputs: Vec<AnsweredInput>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct AnsweredInput {
    key: String,
    value: String,
}

pub(crate) fn register(registry: &mut Registry) {
    registry.accept.insert("known_target", known_target as Accept);
    registry.without_model.insert("route_by_words", route_by_words as WithoutModel);
}

fn targets(context: &FunctionContext<'_>) -> Vec<RoutingTarget> {
    let lines: Vec<String> = context.read(TARGETS).unwrap_or_default();
    lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Rejects an answer with a pipeline outside the list or an invalid confidence.
fn known_target(context: &FunctionContext<'_>, answer: Json) -> Result<Json, Vec<String>> {
    let read = RoutingAnswer::deserialize(&answer).unwrap_or_default();
    let targets = targets(context);
    let mut wrong = Vec::new();
    if !read.pipeline.is_empty() && !targets.iter().any(|target| target.id == read.pipeline) {
        let known: Vec<&str> = targets.iter().map(|target| target.id.as_str()).collect();
        wrong.push(format!(
            "There is no pipeline `{}`; pipeline is one of {}, or empty",
            read.pipeline,
            known.join(", ")
        ));
    }
    if !(0.0..=1.0).contains(&read.confidence) {
        wrong.push(format!("confidence is a number from 0 to 1, not {}", read.confidence));
    }
    if wrong.is_empty() { Ok(answer) } else { Err(wrong) }
}

fn route_by_words(context: &FunctionContext<'_>) -> Result<Json, Phrase> {
    let routing = route(context.text(REQUEST), &targets(context));
    let of_choice = routing.candidates.first().filter(|_| routing.pipeline.is_some());
    let inputs = of_choice.into_iter().flat_map(|candidate| &candidate.inputs);
    let inputs = inputs.map(|(key, value)| AnsweredInput {
        key: key.clone(),
        value: value.as_str().unwrap_or_default().to_owned(),
    });
    Ok(json!(RoutingAnswer {
        inputs: inputs.collect(),
        confidence: routing.confidence,
        reason: routing.reason.english(),
        pipeline: routing.pipeline.unwrap_or_default(),
    }))
}

/// Combines a model's answer with the routing by words: the model's choice comes first, and its inputs are added to
/// those found by words, if the pipeline has such inputs.
pub fn routing_of_answer(answer: &Json, by_words: Routing, targets: &[RoutingTarget]) -> Routing {
    let answer = RoutingAnswer::deserialize(answer).unwrap_or_default();
    let reason = match answer.reason.trim() {
        "" => by_words.reason,
        said => Phrase::verbatim(said),
    };
    let mut candidates = by_words.candidates;
    let Some(target) = targets.iter().find(|target| target.id == answer.pipeline) else {
        // A choice that the model is unsure of is offered but not taken.
        let confidence = candidates.first().map_or(0.0, |best| best.confidence.min(1.0 - answer.confidence));
        return Routing { pipeline: None, confidence, reason, candidates };
    };
    let known = candidates.iter().position(|candidate| candidate.pipeline == target.id);
    let mut inputs = match known {
        Some(place) => candidates.remove(place).inputs,
        None => BTreeMap::new(),
    };
    for AnsweredInput { key, value } in answer.inputs {
        let value = value.trim();
        let is_fit = target.inputs.iter().any(|input| {
            input.key == key
                && !value.is_empty()
                && value.len() <= input.max_bytes as usize
                && (input.kind != InputKind::Choice || input.choices.iter().any(|choice| choice == value))
        });
        if is_fit {
            inputs.insert(key, Value::text(value.to_owned()));
        }
    }
    let confidence = answer.confidence.clamp(0.0, 1.0);
    candidates.insert(0, RoutingCandidate { pipeline: target.id.clone(), confidence, inputs });
    candidates.truncate(MOST_CANDIDATES);
    let pipeline = (confidence >= SURE).then(|| target.id.clone());
    Routing { pipeline, confidence, reason, candidates }
}
