//! Which pipeline a request in free text is for: by the words of the pipelines themselves, or by a model that reads them.
//!
//! Pure: the same request and the same pipelines give the same answer. Everything comes from what the pipelines say of
//! themselves (title, purpose, examples, inputs, translations), so a pipeline that is added later, or by a person, takes
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

/// From this confidence on a request is taken to be for a pipeline; below it the person is asked.
pub const SURE: f64 = 0.6;
/// So many pipelines are offered to choose from.
const MOST_CANDIDATES: usize = 3;
/// A pipeline that is as unlikely as this is not offered while another one is likelier.
const UNLIKELY: f64 = 0.02;
/// Stretches of the request that a reason names.
const MOST_NAMED: usize = 4;
/// Characters that are read of the beginning and of the end of a request: between them a document may stand.
const READ: usize = 1500;

/// A pipeline that a request may be for.
#[derive(Debug, Clone, PartialEq)]
pub struct RoutingCandidate {
    /// Its id.
    pub pipeline: String,
    /// Probability from 0 to 1.
    pub confidence: f64,
    /// Its inputs as far as the request fills them, by key.
    pub inputs: BTreeMap<String, Value>,
}

/// What becomes of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Routing {
    /// The pipeline, where its confidence is at least [`SURE`].
    pub pipeline: Option<String>,
    /// Confidence in the likeliest pipeline, from 0 to 1.
    pub confidence: f64,
    /// Why.
    pub reason: Phrase,
    /// The likeliest pipelines, the likeliest first, at most three; at least one where there is a pipeline at all.
    pub candidates: Vec<RoutingCandidate>,
}

/// The confidence in a pipeline for a request that names a page, which none of them reads: the person is asked.
const UNREAD_PAGE: f64 = 0.5;

/// Routes a request by the words of the pipelines.
pub fn route(request: &str, targets: &[RoutingTarget]) -> Routing {
    let (read, names_page) = without_addresses(&read_part(request));
    let texts: Vec<_> = targets.iter().map(RoutingTarget::texts).collect();
    let mut found: Vec<(Evidence, &RoutingTarget)> =
        evidence(&read, &texts).into_iter().zip(targets).collect();
    // What is planned without a model is a task, whatever its words are.
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

/// A request without addresses of pages, and whether it had one.
fn without_addresses(request: &str) -> (String, bool) {
    // An address ends before a blank or a character of East Asia.
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

/// The stretches of the request that speak for a pipeline, in the order of the request, in quotation marks.
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
    // The strongest terms decide which stretches are named.
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
