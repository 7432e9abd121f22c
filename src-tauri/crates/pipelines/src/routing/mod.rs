//! Decides which pipeline a request in free text is for: by the words of the pipelines themselves, or by a model that
//! reads them.
//!
//! The decision is pure: the same request and pipelines give the same answer. It uses only the pipelines' descriptions
//! of themselves (title, purpose, examples, inputs, translations), so a new pipeline, or one of the person's own, takes
//! part without a change here.

mod evidence;
mod frames;
mod peer_agent;
mod prefill;
mod target;
mod terms;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kernel::{Phrase, Value, phrase};
use regex::Regex;

use evidence::{Evidence, evidence};
pub(crate) use frames::{subject_of, title_of};
pub(crate) use peer_agent::{DEFINITION, register};
pub use peer_agent::{REQUEST, ROUTER, ROUTING, TARGETS, routing_of_answer};
use prefill::prefilled;
pub use target::RoutingTarget;

use crate::task;

/// Least confidence at which a request is routed; below it the person is asked.
pub const SURE: f64 = 0.6;
/// Most pipelines that are offered.
const MOST_CANDIDATES: usize = 3;
/// A pipeline with at most this confidence is not offered while another one is likelier.
const UNLIKELY: f64 = 0.02;
/// Most passages of the request that a reason names.
const MOST_NAMED: usize = 4;
/// Characters that are read from the beginning and from the end of a request: a document may stand between them.
const READ: usize = 1500;

/// A pipeline that a request may be for.
#[derive(Debug, Clone, PartialEq)]
pub struct RoutingCandidate {
    /// Its id.
    pub pipeline: String,
    /// Probability from 0 to 1.
    pub confidence: f64,
    /// The inputs that the request fills, by key.
    pub inputs: BTreeMap<String, Value>,
}

/// The routing of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Routing {
    /// The pipeline, where its confidence is at least [`SURE`].
    pub pipeline: Option<String>,
    /// Confidence in the likeliest pipeline, from 0 to 1.
    pub confidence: f64,
    /// The reason for the choice.
    pub reason: Phrase,
    /// The likeliest pipelines, the likeliest first, at most three; at least one where there is a pipeline at all.
    pub candidates: Vec<RoutingCandidate>,
}

/// The confidence in a pipeline for a request that names a web page, which no pipeline reads: the person is asked.
const UNREAD_PAGE: f64 = 0.5;

/// Routes a request by the words of the pipelines.
pub fn route(request: &str, targets: &[RoutingTarget]) -> Routing {
    let (read, names_page) = without_addresses(&read_part(request));
    let texts: Vec<_> = targets.iter().map(RoutingTarget::texts).collect();
    let mut found: Vec<(Evidence, &RoutingTarget)> =
        evidence(&read, &texts).into_iter().zip(targets).collect();
    // A request that can be planned without a model is a task, whatever its words are.
    let is_planned = task::is_planned(request);
    for (evidence, _) in found.iter_mut().filter(|(_, target)| is_planned && target.id == task::ID) {
        evidence.confidence = 1.0;
    }
    found.sort_by(|(one, _), (other, _)| other.confidence.total_cmp(&one.confidence));
    if names_page && !is_planned {
        found.iter_mut().for_each(|(evidence, _)| evidence.confidence = evidence.confidence.min(UNREAD_PAGE));
    }
    let Some((best, _)) = found.first() else {
        let reason = phrase!("There is no pipeline that could do it");
        return Routing { pipeline: None, confidence: 0.0, reason, candidates: Vec::new() };
    };
    let confidence = best.confidence;
    let is_named =
        found.get(1).is_some_and(|(second, _)| second.confidence > UNLIKELY && !second.matched.is_empty());
    let reason = if is_planned {
        phrase!("The request is planned as a task without a model")
    } else if names_page {
        phrase!(
            "Only a task reads web pages, and this request needs a model to be planned: choose a profile with a model, or import the page into the library"
        )
    } else if best.matched.is_empty() {
        phrase!("Nothing clearly matches")
    } else if confidence >= SURE {
        phrase!("Matched words: {words}", words = named(&read, &best.matched))
    } else if is_named {
        phrase!("More than one pipeline could be meant")
    } else {
        phrase!("Only {words} tells which pipeline is meant", words = named(&read, &best.matched))
    };
    let candidates = found.iter().enumerate().filter(|(place, (evidence, _))| {
        *place == 0 || (*place < MOST_CANDIDATES && (evidence.confidence > UNLIKELY || confidence < SURE))
    });
    let candidate = |(_, (evidence, target)): (usize, &(Evidence, &RoutingTarget))| RoutingCandidate {
        pipeline: target.id.clone(),
        confidence: evidence.confidence,
        inputs: prefilled(request, target),
    };
    let candidates: Vec<RoutingCandidate> = candidates.map(candidate).collect();
    let pipeline = candidates.first().filter(|_| confidence >= SURE).map(|best| best.pipeline.clone());
    Routing { pipeline, confidence, reason, candidates }
}

/// A request without the addresses of pages, and whether it had one.
fn without_addresses(request: &str) -> (String, bool) {
    // An address ends before a space or an East Asian character.
    static ADDRESS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?i)(?:https?://|www\.)[^\s\u{2e80}-\u{ffef}]+").ok());
    match &*ADDRESS {
        Some(address) if address.is_match(request) => (address.replace_all(request, " ").into_owned(), true),
        _ => (request.to_owned(), false),
    }
}

/// The beginning and the end of a request.
fn read_part(request: &str) -> String {
    let count = request.chars().count();
    if count <= 2 * READ {
        return request.to_owned();
    }
    let (start, end) = (request.chars().take(READ), request.chars().skip(count - READ));
    start.chain(['\n']).chain(end).collect()
}

/// The passages of the request that speak for a pipeline, in their order, in quotation marks.
fn named(request: &str, matched: &[(usize, usize)]) -> Vec<String> {
    let mut places: Vec<(usize, usize)> = matched.to_vec();
    places.sort_unstable();
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    for (start, end) in places {
        match stretches.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => stretches.push((start, end)),
        }
    }
    // The strongest terms decide which passages are named.
    let strongest = matched
        .iter()
        .filter_map(|(start, _)| stretches.iter().position(|(from, until)| (from..until).contains(&start)));
    let mut chosen: Vec<usize> = Vec::new();
    for place in strongest {
        if chosen.len() < MOST_NAMED && !chosen.contains(&place) {
            chosen.push(place);
        }
    }
    chosen.sort_unstable();
    let stretch = |place: &usize| request.get(stretches[*place].0..stretches[*place].1).unwrap_or_default();
    chosen.iter().map(|place| format!("“{}”", stretch(place).trim())).collect()
}

#[cfg(test)]
mod tests;
