//! How strongly a request speaks for each of several descriptions.
//!
//! A term that is frequent in the texts of one description and rare in those of the others speaks for that description.
//! Its weight is the logarithm of how much more frequent it is there than in any request. A description competes with
//! `NOTHING`, the evidence that a request needs to be for anything at all. A request that resembles those of
//! `elsewhere.txt`, which are for other programs, needs more.

use std::collections::{BTreeMap, BTreeSet};

use super::terms::{Script, Term, TermKind, terms};

/// A text of a description.
pub(super) struct RoutingText<'a> {
    pub(super) text: &'a str,
    /// Whether it is worded as a request; otherwise it is a label of a form, which counts half.
    pub(super) is_whole: bool,
}

/// The evidence in one request for one description.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evidence {
    /// The probability, from 0 to 1, that the request is for it.
    pub(super) confidence: f64,
    /// Byte ranges of the request that speak for it, strongest first.
    pub(super) matched: Vec<(usize, usize)>,
}

/// Frequency of a term in requests that match no description.
const ANYWHERE: f64 = 0.03;
/// Texts that are added to the count of each description, so that a single text proves little.
const UNSEEN_TEXTS: f64 = 4.0;
/// Evidence that a request for nothing described brings by chance.
const NOTHING: f64 = 2.6;
/// Most terms of a text that names only the kind of a result: "an essay", "教程".
const TERMS_OF_KIND: usize = 3;
/// Evidence of a request that has all the terms of such a text.
const KIND_EVIDENCE: f64 = 2.9;
/// Requests for other programs, one per line. They do not count against a description that uses their words itself.
const ELSEWHERE: &str = include_str!("elsewhere.txt");
/// Least weight of a term that is given as a reason.
const LEAST_REASON: f64 = 0.5;

struct TermCounts {
    /// How many texts contain each term.
    terms: BTreeMap<TermKind, f64>,
    /// How many whole texts there are in the language of the request.
    texts: f64,
}

impl TermCounts {
    fn of(texts: &[RoutingText<'_>], script: Script) -> TermCounts {
        let mut counted = TermCounts { terms: BTreeMap::new(), texts: 0.0 };
        for RoutingText { text, is_whole } in texts {
            // The name of a kind alone is no request; `kind_named` counts it.
            if *is_whole && kind_of(text).is_some() {
                continue;
            }
            let weight = if *is_whole { 1.0 } else { 0.5 };
            if *is_whole && Script::of(text) == script {
                counted.texts += 1.0;
            }
            let distinct: BTreeSet<TermKind> = terms(text).into_iter().map(|term| term.kind).collect();
            for kind in distinct {
                *counted.terms.entry(kind).or_default() += weight;
            }
        }
        counted
    }

    fn frequency(&self, kind: &TermKind) -> f64 {
        self.terms.get(kind).map_or(0.0, |texts| (texts / (self.texts + UNSEEN_TEXTS)).min(1.0))
    }
}

/// The evidence in the request for each description, in their order.
pub(super) fn evidence(request: &str, descriptions: &[Vec<RoutingText<'_>>]) -> Vec<Evidence> {
    let script = Script::of(request);
    let counted: Vec<TermCounts> = descriptions.iter().map(|texts| TermCounts::of(texts, script)).collect();
    let mut of_request: Vec<Term> = terms(request);
    let mut seen = BTreeSet::new();
    of_request.retain(|term| seen.insert(term.kind.clone()));
    let mut found: Vec<(f64, Vec<(f64, &Term)>)> = counted
        .iter()
        .enumerate()
        .map(|(place, own)| {
            let mut reasons = Vec::new();
            for term in &of_request {
                let frequency = own.frequency(&term.kind);
                if frequency == 0.0 {
                    continue;
                }
                let others = counted.iter().enumerate().filter(|(other, _)| *other != place);
                let elsewhere = others.map(|(_, other)| other.frequency(&term.kind)).fold(0.0, f64::max);
                let weight = term.kind.share() * (1.0 + frequency / (ANYWHERE + elsewhere)).ln();
                reasons.push((weight, term));
            }
            reasons.extend(kind_named(&of_request, &descriptions[place]).map(|term| (KIND_EVIDENCE, term)));
            (reasons.iter().map(|(weight, _)| weight).sum(), reasons)
        })
        .collect();
    let nothing = NOTHING + of_elsewhere(&of_request, &counted, script);
    // A large sum would overflow the exponential, so each is taken relative to the largest.
    let most = found.iter().map(|(sum, _)| *sum).fold(nothing, f64::max);
    let share = |sum: f64| (sum - most).exp();
    let whole: f64 = share(nothing) + found.iter().map(|(sum, _)| share(*sum)).sum::<f64>();
    found
        .iter_mut()
        .map(|(sum, reasons)| {
            reasons.retain(|(weight, _)| *weight >= LEAST_REASON);
            reasons.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            Evidence {
                confidence: share(*sum) / whole,
                matched: reasons.iter().map(|(_, term)| (term.start, term.end)).collect(),
            }
        })
        .collect()
}

/// The terms of a text that only names a kind.
fn kind_of(text: &str) -> Option<BTreeSet<TermKind>> {
    let named: BTreeSet<TermKind> =
        terms(text).into_iter().map(|term| term.kind).filter(TermKind::is_name).collect();
    (1..=TERMS_OF_KIND).contains(&named.len()).then_some(named)
}

/// The term of a request that names the same kind as one of the texts.
fn kind_named<'t>(of_request: &'t [Term], texts: &[RoutingText<'_>]) -> Option<&'t Term> {
    let in_request = |kind: &TermKind| of_request.iter().find(|term| term.kind == *kind);
    let whole = texts.iter().filter(|text| text.is_whole);
    whole.filter_map(|text| kind_of(text.text)).find_map(|kind| {
        let found: Option<Vec<&Term>> = kind.iter().map(in_request).collect();
        found.and_then(|terms| terms.first().copied())
    })
}

/// How strongly a request resembles those for other programs, by terms that are rarer in the descriptions.
fn of_elsewhere(of_request: &[Term], descriptions: &[TermCounts], script: Script) -> f64 {
    let texts: Vec<RoutingText<'_>> =
        ELSEWHERE.lines().map(|text| RoutingText { text, is_whole: true }).collect();
    let elsewhere = TermCounts::of(&texts, script);
    let weight = |term: &Term| {
        let frequency = elsewhere.frequency(&term.kind);
        let described = descriptions.iter().map(|own| own.frequency(&term.kind)).fold(0.0, f64::max);
        term.kind.share() * (1.0 + frequency / (ANYWHERE + described)).ln()
    };
    of_request.iter().map(weight).sum()
}
