//! Fills the inputs of a pipeline from a request: its subject or its whole text, and its choices.
//!
//! Documents, numbers, dates and lists are left to the person: a guess would look like something that the person
//! entered.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{InputKind, Value};

use super::frames::subject_of;
use super::target::{RoutingTarget, TargetInput};
use super::terms::{TermKind, terms};

/// The inputs that a request fills, by key.
pub(super) fn prefilled(request: &str, target: &RoutingTarget) -> BTreeMap<String, Value> {
    let mut inputs = BTreeMap::new();
    let text_for = |input: &TargetInput| match input.kind {
        InputKind::Line => Some(subject_of(request)),
        InputKind::LongText => Some(request.trim().to_owned()),
        _ => None,
    };
    let with_text = |input| Some((input, text_for(input)?));
    let required = target.inputs.iter().filter(|input| input.is_required).find_map(with_text);
    // A pipeline without required inputs may still take the whole request.
    let text = required.or_else(|| {
        target.inputs.iter().filter(|input| input.kind == InputKind::LongText).find_map(with_text)
    });
    if let Some((input, text)) =
        text.filter(|(input, text)| !text.is_empty() && text.len() <= input.max_bytes as usize)
    {
        inputs.insert(input.key.clone(), Value::text(text));
    }
    for input in target.inputs.iter().filter(|input| input.kind == InputKind::Choice) {
        if let Some(choice) = chosen(request, target, input) {
            inputs.insert(input.key.clone(), Value::text(choice));
        }
    }
    inputs
}

/// The choice that the request matches best, if it has a term that no other choice has, or all terms of it.
fn chosen<'a>(request: &str, target: &RoutingTarget, input: &'a TargetInput) -> Option<&'a str> {
    let said: BTreeSet<TermKind> = distinct(request);
    // Each choice in each language, by the index of the choice.
    let forms: Vec<(usize, BTreeSet<TermKind>)> = input
        .choices
        .iter()
        .enumerate()
        .flat_map(|(place, choice)| target.in_all_languages(choice).map(move |text| (place, distinct(text))))
        .collect();
    let is_of_other = |place: usize, term: &TermKind| {
        forms.iter().any(|(other, terms)| *other != place && terms.contains(term))
    };
    let mut fitting: Vec<(f64, usize)> = Vec::new();
    for (place, terms) in &forms {
        let matched: Vec<&TermKind> = terms.iter().filter(|term| said.contains(term)).collect();
        let is_whole = !terms.is_empty() && matched.len() == terms.len();
        let has_own = matched.iter().any(|term| term.share() >= 0.5 && !is_of_other(*place, term));
        if has_own || is_whole {
            // A choice that is named in full counts more than a term that only one choice has.
            let own = if has_own { 1.0 } else { 0.0 } + if is_whole { 2.0 } else { 0.0 };
            fitting.push((own + matched.len() as f64 / terms.len() as f64, *place));
        }
    }
    let (most, place) = fitting.iter().copied().max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let is_alone = fitting.iter().all(|(score, other)| *score < most || *other == place);
    input.choices.get(place).filter(|_| is_alone).map(String::as_str)
}

fn distinct(text: &str) -> BTreeSet<TermKind> {
    terms(text).into_iter().map(|term| term.kind).collect()
}
