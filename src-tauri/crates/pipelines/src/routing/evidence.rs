//! How strongly a request speaks for each of several things that are described by texts.
//!
//! A term that many texts of one description have and those of the others have not speaks for that description; how
//! strongly is the logarithm of how much more often it stands there than in a request of any kind. A description that
//! nothing speaks for loses to `NOTHING`, the evidence that a request must bring to be for anything at all; a request
//! that sounds like those of `elsewhere.txt`, which are for other programs, must bring more.

use std::collections::{BTreeMap, BTreeSet};

use super::terms::{Script, Term, TermKind, terms};

/// A text of a description.
pub(super) struct RoutingText<'a> {
    pub(super) text: &'a str,
    /// Whether it says what is asked for as a request does; else it is a label of a form, which counts half.
    pub(super) is_whole: bool,
}

/// What one request says of one description.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evidence {
    /// Probability from 0 to 1 that the request is for it.
    pub(super) confidence: f64,
    /// Byte ranges of the request that speak for it, strongest first.
    pub(super) matched: Vec<(usize, usize)>,
}

/// How often a term stands in requests that are for nothing that is described.
const ANYWHERE: f64 = 0.03;
/// Texts that a description is taken to have beside its own, so that one text alone proves little.
const UNSEEN_TEXTS: f64 = 4.0;
/// What a request for nothing that is described brings by chance.
const NOTHING: f64 = 2.6;
/// Terms of a text that names a kind of what is asked for and nothing else: "an essay", "教程".
const TERMS_OF_KIND: usize = 3;
/// How strongly a request that has all of them speaks for it.
const OF_KIND: f64 = 2.9;
/// Requests for what other programs do, one a line. A description that has their words itself is not held back by them.
const ELSEWHERE: &str = include_str!("elsewhere.txt");
/// A term that says less than this is not told as a reason.
const TOLD: f64 = 0.5;

struct Counted {
    /// In how many texts each term stands.
    terms: BTreeMap<TermKind, f64>,
    /// How many whole texts there are in the language of the request.
    texts: f64,
}

impl Counted {
    fn of(texts: &[RoutingText<'_>], script: Script) -> Counted {
        let mut counted = Counted { terms: BTreeMap::new(), texts: 0.0 };
        for RoutingText { text, is_whole } in texts {
            // The name of a kind alone is no request: what it says is told by `kind_named`.
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

/// What the request says of each description, in their order.
pub(super) fn evidence(request: &str, descriptions: &[Vec<RoutingText<'_>>]) -> Vec<Evidence> {
    let script = Script::of(request);
    let counted: Vec<Counted> = descriptions.iter().map(|texts| Counted::of(texts, script)).collect();
    let mut of_request: Vec<Term> = terms(request);
    let mut seen = BTreeSet::new();
    of_request.retain(|term| seen.insert(term.kind.clone()));
    let mut found: Vec<(f64, Vec<(f64, &Term)>)> = counted
        .iter()
        .enumerate()
        .map(|(place, own)| {
            let mut told = Vec::new();
            for term in &of_request {
                let frequency = own.frequency(&term.kind);
                if frequency == 0.0 {
                    continue;
                }
                let others = counted.iter().enumerate().filter(|(other, _)| *other != place);
                let elsewhere = others.map(|(_, other)| other.frequency(&term.kind)).fold(0.0, f64::max);
                let weight = term.kind.share() * (1.0 + frequency / (ANYWHERE + elsewhere)).ln();
                told.push((weight, term));
            }
            told.extend(kind_named(&of_request, &descriptions[place]).map(|term| (OF_KIND, term)));
            (told.iter().map(|(weight, _)| weight).sum(), told)
        })
        .collect();
    let nothing = NOTHING + of_elsewhere(&of_request, &counted, script);
    // A long request may bring more than the exponential can tell: what counts is the distance to the most.
    let most = found.iter().map(|(sum, _)| *sum).fold(nothing, f64::max);
    let share = |sum: f64| (sum - most).exp();
    let whole: f64 = share(nothing) + found.iter().map(|(sum, _)| share(*sum)).sum::<f64>();
    found
        .iter_mut()
        .map(|(sum, told)| {
            told.retain(|(weight, _)| *weight >= TOLD);
            told.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            Evidence {
                confidence: share(*sum) / whole,
                matched: told.iter().map(|(_, term)| (term.start, term.end)).collect(),
            }
        })
        .collect()
}

/// The terms of a text that is the name of a kind.
fn kind_of(text: &str) -> Option<BTreeSet<TermKind>> {
    let named: BTreeSet<TermKind> =
        terms(text).into_iter().map(|term| term.kind).filter(TermKind::is_name).collect();
    (1..=TERMS_OF_KIND).contains(&named.len()).then_some(named)
}

/// The term by which a request names a kind that one of the texts is the name of.
fn kind_named<'t>(of_request: &'t [Term], texts: &[RoutingText<'_>]) -> Option<&'t Term> {
    let in_request = |kind: &TermKind| of_request.iter().find(|term| term.kind == *kind);
    let whole = texts.iter().filter(|text| text.is_whole);
    whole.filter_map(|text| kind_of(text.text)).find_map(|kind| {
        let found: Option<Vec<&Term>> = kind.iter().map(in_request).collect();
        found.and_then(|terms| terms.first().copied())
    })
}

/// How strongly a request speaks for what other programs do, by terms that the descriptions have more seldom.
fn of_elsewhere(of_request: &[Term], descriptions: &[Counted], script: Script) -> f64 {
    let texts: Vec<RoutingText<'_>> =
        ELSEWHERE.lines().map(|text| RoutingText { text, is_whole: true }).collect();
    let elsewhere = Counted::of(&texts, script);
    let weight = |term: &Term| {
        let frequency = elsewhere.frequency(&term.kind);
        let described = descriptions.iter().map(|own| own.frequency(&term.kind)).fold(0.0, f64::max);
        term.kind.share() * (1.0 + frequency / (ANYWHERE + described)).ln()
    };
    of_request.iter().map(weight).sum()
}
