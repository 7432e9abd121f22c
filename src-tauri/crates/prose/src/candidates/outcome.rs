//! What a sentence says of a work: what is new in it, or what came of it.

use super::leaning::{begins_here, behind_own_work};
use crate::cues::{CREATING, FINDING, PUBLISHING, RESULTS, SAYING, STUDYING};
use crate::measures::has_measure;
use crate::repeatable::has_cue;

/// Whether a result only says that something is good: nobody learns from it what came of the work.
pub(super) fn is_empty_praise(lower: &str) -> bool {
    has_cue(
        lower,
        &[
            ("effectiv", &["the effectiveness", "high effectiveness"]),
            ("superior", &["the superiority", "the superior performance"]),
            ("validate", &["validate the ", "validate our "]),
            ("efficacy", &["the efficacy"]),
            ("potentia", &["the potential", "strong potential"]),
        ],
    )
}

/// Whether a sentence tells what others did: "Lee et al. found", "the state-of-the-art X achieves".
pub(super) fn is_of_others(lower: &str) -> bool {
    let start = &lower[..lower.floor_char_boundary(90)];
    // What a study "had shown" was known before; patients who "had reported no pain" are an outcome.
    const KNOWN_BY: [&str; 6] = ["experiment", "studies", "study", "research", "others", "trials"];
    let had = [" had shown", " had found", " had reported"];
    let before = had.iter().filter(|_| lower.contains(" had ")).find_map(|had| lower.split_once(had));
    let was_known = before.is_some_and(|(before, _)| {
        let near = &before[before.floor_char_boundary(before.len().saturating_sub(40))..];
        KNOWN_BY.iter().any(|others| near.contains(others))
    });
    was_known
        || start.contains(" et al")
        || [
            "the state-of-the-art ",
            "state-of-the-art ",
            "recent ",
            "previous ",
            "prior ",
            "existing ",
            "earlier ",
        ]
        .iter()
        .any(|others| start.starts_with(others))
}

/// Whether a sentence announces a baseline.
pub(super) fn is_baseline(lower: &str) -> bool {
    let start = &lower[..lower.floor_char_boundary(120)];
    start.contains("baseline")
        && ["propose a ", "introduce a ", "present a ", "consider a ", "describe a "]
            .iter()
            .filter_map(|verb| start.split_once(verb))
            .any(|(_, made)| made.split_whitespace().take(4).any(|word| word.starts_with("baseline")))
}

/// Whether a sentence says how much data there is, or only that things were compared: its figures are no outcome.
pub(super) fn describes_data(lower: &str) -> bool {
    let start = &lower[..lower.floor_char_boundary(70)];
    let done = [" were compared ", " was compared ", " were tested ", " were evaluated ", " were asked "];
    // A figure behind it, other than a year, would be what came of it.
    let only_years = |behind: &str| {
        let mut figures = behind.split(|c: char| !c.is_ascii_digit()).filter(|figure| !figure.is_empty());
        figures.all(|figure| figure.len() == 4) && !behind.contains([';', ':'])
    };
    let is_done_alone = |before: &str, behind: &str| only_years(behind) && result_cues(before) == 0;
    if done
        .iter()
        .find_map(|deed| lower.split_once(deed))
        .is_some_and(|(before, behind)| is_done_alone(before, behind))
    {
        return true;
    }
    [" contains ", " comprises ", " consists of ", " includes ", " spans ", " is built from "]
        .iter()
        .any(|verb| start.contains(verb))
}

/// For each first byte the words of outcome that begin with it, which stand together.
static RESULTS_BY_FIRST: [(usize, usize); 256] = {
    let mut places = [(0, 0); 256];
    let mut place = 0;
    while place < RESULTS.len() {
        let first = RESULTS[place].as_bytes()[0] as usize;
        let begins = if places[first].1 == 0 { place } else { places[first].0 };
        places[first] = (begins, place + 1);
        place += 1;
    }
    places
};

/// Words of a sentence that speak of an outcome.
pub(super) fn result_cues(lower: &str) -> usize {
    let words = lower.as_bytes().split(|byte| *byte == b' ').filter(|word| word.len() > 3);
    let tells = |word: &&[u8]| {
        // Most words begin like none of them.
        let (from, to) = RESULTS_BY_FIRST[usize::from(word[0])];
        RESULTS[from..to].iter().any(|cue| word.starts_with(cue.as_bytes()))
    };
    words.filter(tells).count()
}

/// How plainly a sentence with so many of them tells what came of it.
pub(super) fn result(lower: &str, cues: usize) -> f64 {
    let opening = [
        "however",
        "existing",
        "prior ",
        "while ",
        "although ",
        "despite",
        "recent ",
        "traditional",
        "current ",
    ];
    let background = if opening.iter().any(|start| lower.starts_with(start)) { -1.5 } else { 0.0 };
    let finds =
        ["we find that ", "we found that ", "we show that ", "results show that ", "we observe that "];
    // A finding with its figure is weighed by the figure.
    let found = match finds.iter().any(|start| lower.contains(start)) {
        true if has_measure(lower) => 0.6,
        true => 1.6,
        false => 0.0,
    };
    (cues as f64 * 0.9).min(2.7) + found + background
}

/// How plainly "Our loop combines …" announces what is new.
const OF_OUR_THING: f64 = 1.4;
/// What belongs to writers and is not their work.
const OTHER_THINGS: [&str; 14] = [
    "analysis",
    "annotators",
    "approach",
    "code",
    "customers",
    "data",
    "experts",
    "findings",
    "participants",
    "patients",
    "results",
    "subjects",
    "users",
    "volunteers",
];

/// Whether "we" begins a sentence or the clause behind what leads to it: not "the judges we asked", nor "as we know".
fn announces(lead: &str, rest: &str) -> bool {
    const THINKING: [&str; 8] =
        ["estimate", "suspect", "think", "believe", "know", "argue,", "guess", "understand"];
    let is_aside = lead.ends_with(", ") && THINKING.iter().any(|verb| rest.starts_with(verb));
    let first = lead.split(' ').next().unwrap_or_default();
    let opens = ["in", "to", "here", "using", "for", "with", "from", "on", "by", "then", "thus"];
    let is_led = lead.ends_with(' ') && lead.len() < 45 && opens.contains(&first);
    !is_aside && (lead.is_empty() || lead.ends_with(", ") || lead.ends_with("; ") || is_led)
}

/// How plainly a sentence announces what is new in which nobody says "we".
fn contribution_without_we(lower: &str) -> f64 {
    const MADE: [&str; 5] = ["is proposed", "are proposed", "is introduced", "is presented", "is developed"];
    const IN_TRIAL: [&str; 4] =
        ["randomised to ", "randomized to ", "randomly assigned", "randomly allocated"];
    let is_our_thing = || {
        let thing = lower.strip_prefix("our ");
        thing.is_some_and(|thing| !OTHER_THINGS.iter().any(|other| thing.starts_with(other)))
    };
    if MADE.iter().any(|cue| lower.contains(cue)) {
        2.8
    } else if IN_TRIAL.iter().any(|cue| lower.contains(cue)) || begins_here(lower) {
        2.2
    } else if is_our_thing() {
        OF_OUR_THING
    } else {
        0.0
    }
}

/// How plainly a sentence announces what is new.
pub(super) fn contribution(lower: &str) -> f64 {
    let near = &lower[..lower.floor_char_boundary(340)];
    let after_we = near
        .match_indices("we ")
        .map(|(at, we)| near.split_at(at + we.len()))
        .find_map(|(lead, rest)| announces(lead.strip_suffix("we ").unwrap_or(lead), rest).then_some(rest));
    let own_work = behind_own_work(near);
    let Some(verb) = after_we.or(own_work) else { return contribution_without_we(lower) };
    let mut verbs = verb.split_whitespace().take(3).map(|word| word.trim_end_matches([',', 's']));
    let strength = verbs.find_map(|word| {
        if CREATING.contains(&word) {
            Some(4.0)
        } else if STUDYING.contains(&word) {
            Some(2.6)
        } else {
            // What was found is told as plainly as what was made.
            let strength = if verb.contains(" that ") { 2.6 } else { 1.4 };
            FINDING.contains(&word).then_some(strength)
        }
    });
    let creates_then =
        has_cue(verb, &[("and ", &["and propose ", "and introduce ", "and present ", "and develop "])]);
    let first = verb.split(' ').next().unwrap_or_default().trim_end_matches([',', 's']);
    if PUBLISHING.contains(&first) {
        return 0.4;
    }
    let strength: f64 = strength.unwrap_or(if SAYING.contains(&first) { 0.4 } else { 1.6 });
    (if creates_then { strength.max(4.0) } else { strength }) + if own_work.is_some() { 0.3 } else { 0.0 }
}
