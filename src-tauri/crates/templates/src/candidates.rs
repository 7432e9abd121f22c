//! Judges how well each value of a summary answers a placeholder: by its kind, by the words around both.

use crate::asks::Asked;
use crate::evidence::Evidence;
use crate::fractions::Fraction;
use crate::lines::{Gap, Line};
use crate::phrases::{fixed_before, fixed_behind, follows_label, left_run, phrases, right_run};
use crate::summary::Summary;
use crate::tokens::{Token, TokenKind, tokens};
use crate::values::{Value, ValueKind};

/// A value that may stand at a gap.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) value: Value,
    pub(crate) sentence: usize,
    /// 0 for nothing in common; about 1 when all around it is the same.
    pub(crate) score: f64,
    /// Printed as a share of a whole.
    pub(crate) fraction: Option<Fraction>,
    /// Stands behind a label that is called as the placeholder.
    pub(crate) is_labelled: bool,
}

/// Candidates of one gap that are weighed against those of the other gaps.
const MOST: usize = 12;
/// Values of one sentence that are judged.
const MOST_VALUES: usize = 60;

/// The best candidates for a gap, best first.
pub(crate) fn candidates(
    text: &str,
    line: &Line,
    gap: &Gap,
    summary: &Summary<'_>,
    evidence: &[Evidence],
) -> Vec<Candidate> {
    let is_field = is_field(line, gap, text);
    let mut found: Vec<Candidate> = Vec::new();
    let best = evidence.first().map_or(0.0, |best| best.share);
    for place in evidence {
        let values = summary.values.get(place.sentence).map_or(&[][..], Vec::as_slice);
        let own = phrases(line, gap, summary, place.sentence, is_field);
        for value in values.iter().take(MOST_VALUES).chain(&own) {
            let fit = gap.request.fit(value.kind);
            // A cell of a table has no words of its own that could show which phrase is meant.
            if fit <= 0.0 || value.kind == ValueKind::Phrase && line.units.is_empty() {
                continue;
            }
            let is_share = gap.request.asked == Asked::Share
                && matches!(value.kind, ValueKind::Number | ValueKind::Money);
            let fraction = if is_share { summary.fraction(place.sentence, value) } else { None };
            if is_share && fraction.is_none() {
                continue;
            }
            let fit = match &fraction {
                Some(fraction) if fraction.is_explicit => 1.0,
                Some(_) => 0.92,
                None => fit,
            };
            let fit = if is_cut(line, gap, values, value) { 0.6 * fit } else { fit };
            let closeness = closeness(line, gap, summary, place.sentence, value);
            let standing = 0.2 * (place.share - best) + 0.15 * place.share;
            let is_turned = value.kind == ValueKind::Number
                && summary.is_whole(place.sentence, value)
                && (fraction.is_some() || !asks_for_whole(line, gap, text));
            let fit = if is_turned { 0.75 * fit } else { fit };
            let is_denied = !line.is_denied
                && summary
                    .denials
                    .get(place.sentence)
                    .into_iter()
                    .flatten()
                    .any(|denial| summary.clauses[*denial] == summary.clauses[value.first]);
            let fit = if is_denied { 0.6 * fit } else { fit };
            let score = closeness * fit * name_fit(line, gap, summary, value) + standing;
            found.push(Candidate {
                value: value.clone(),
                sentence: place.sentence,
                score,
                fraction,
                is_labelled: false,
            });
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.value.first.cmp(&b.value.first)));
    found.dedup_by(|a, b| {
        a.value.first == b.value.first && a.value.last == b.value.last && a.fraction == b.fraction
    });
    found.truncate(MOST);
    found
}

/// Whether a value is one end of a range and the template has no place for the other.
fn is_cut(line: &Line, gap: &Gap, values: &[Value], value: &Value) -> bool {
    let is_within = |range: &&Value| {
        range.kind == ValueKind::Range
            && value.kind != ValueKind::Range
            && range.first <= value.first
            && value.last <= range.last
    };
    let has_end = |other: &Gap| other.place != gap.place && other.at.abs_diff(gap.at) < 4;
    values.iter().any(|range| is_within(&range)) && !line.gaps.iter().any(has_end)
}

/// Whether the template has the gap where a whole stands: "of the [n]".
pub(crate) fn asks_for_whole(line: &Line, gap: &Gap, text: &str) -> bool {
    let before = fixed_before(line, gap).last().map_or("", |token| token.text(text));
    let behind = text.get(gap.place.end..).unwrap_or_default();
    let head: String = behind.chars().take(6).collect();
    before.eq_ignore_ascii_case("of") || head.contains("のうち") || head.contains('中')
}

/// How much of what stands around the gap stands around the value.
fn closeness(line: &Line, gap: &Gap, summary: &Summary<'_>, sentence: usize, value: &Value) -> f64 {
    let near = |distance: f64| 1.0 / (1.0 + distance / 5.0);
    let (mut said, mut total) = (0.0, 0.0);
    for unit in &line.units {
        let gap_distance = if unit.token < gap.at { gap.at - unit.token - 1 } else { unit.token - gap.at };
        let width = if line.tokens[unit.token].is_wide() { 0.5 } else { 1.0 };
        let mut weight = unit.weight / (1.0 + gap_distance as f64 * width / 5.0);
        if summary.places(unit.key).is_empty() {
            // What the summary never says does not tell its values apart.
            weight *= 0.4;
        }
        total += weight;
        let side = Some(unit.token < gap.at);
        if let Some(distance) = summary.distance_on(unit.key, sentence, value.first, value.last, side) {
            said += weight * near(distance);
        }
    }
    let context = if total > 0.0 { said / total } else { 0.0 };
    let (mut named, mut names, mut is_named) = (0.0, 0.0, false);
    for unit in &gap.request.units {
        if summary.places(unit.key).is_empty() {
            names += 0.15 * unit.weight;
            continue;
        }
        is_named = true;
        names += unit.weight;
        if let Some(distance) = summary.distance(unit.key, sentence, value.first, value.last) {
            named += unit.weight * near(distance);
        } else {
            named += 0.1 * unit.weight;
        }
    }
    let saturated = |run: f64| 1.0 - (-run).exp();
    let mut left = saturated(left_run(line, gap, summary, sentence, value.first));
    let start = summary.sentences.get(sentence).map_or(0, |range| range.start);
    if value.kind == ValueKind::Phrase && follows_label(&gap.request, summary, start, value.first) {
        left = 1.2;
    }
    let right_core = right_run(line, gap, summary, sentence, value.core);
    let right = saturated(right_core.max(right_run(line, gap, summary, sentence, value.last)));
    let follows = gap.percent_behind && value.kind == ValueKind::Percent;
    let right = if follows { 1.2 } else { right };
    let sides = if value.kind == ValueKind::Phrase { 0.6 * (left + right) } else { 0.5 * (left + right) };
    let sum = if is_named {
        0.42 * context + 0.28 * (named / names) + 0.5 * sides
    } else {
        0.65 * context + 0.55 * sides
    };
    let is_clash = has_unit_clash(line, gap, summary, value);
    (if is_clash { 0.55 * sum } else { sum }).min(1.2)
}

/// Whether the template counts other things than the summary: "[n] minutes" and "94 bottles".
fn has_unit_clash(line: &Line, gap: &Gap, summary: &Summary<'_>, value: &Value) -> bool {
    if !Summary::is_figure(value) {
        return false;
    }
    let is_thing = |token: &&Token| matches!(token.kind, TokenKind::Word | TokenKind::Ideograph);
    let ours = fixed_behind(line, gap).first().filter(is_thing);
    let theirs = summary.tokens.get(value.core).filter(is_thing);
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => {
            let is_wide = ours.is_wide() && theirs.is_wide();
            // "860户居民" and "34 new volunteers": a word between does no harm.
            let is_near = summary.tokens[value.core..].iter().take(3).any(|token| token.key == ours.key);
            if is_wide { ours.key != theirs.key } else { ours.is_wide() == theirs.is_wide() && !is_near }
        }
        _ => false,
    }
}

static GROUP_WORDS: &[&str] = &[
    "group",
    "foundation",
    "trust",
    "library",
    "college",
    "clinic",
    "hospital",
    "university",
    "foods",
    "ltd",
    "inc",
    "company",
    "gmbh",
    "institute",
    "council",
    "school",
    "agency",
    "bank",
    "team",
    "office",
    "society",
    "union",
    "museum",
    "centre",
    "center",
    "association",
    "department",
    "ministry",
    "laboratory",
    "labs",
    "partners",
    "systems",
    "services",
    "industries",
    "club",
    "press",
    "authority",
    "board",
    "committee",
    "fund",
    "works",
    "ag",
    "sa",
    "bv",
    "plc",
    "llc",
    "corp",
    "kg",
];

/// Whether a name stands as that of a place: "at Northfield", or in Chinese and Japanese by its ending.
pub(crate) fn is_placed(summary: &Summary<'_>, value: &Value) -> bool {
    let before = value.first.checked_sub(1).map_or("", |before| summary.tokens[before].text(summary.text));
    matches!(before, "in" | "at" | "near" | "In" | "At") || summary.tokens[value.first].is_wide()
}

/// How far the words of a name suit a person, an organisation or a place.
fn name_fit(line: &Line, gap: &Gap, summary: &Summary<'_>, value: &Value) -> f64 {
    if value.kind == ValueKind::Phrase {
        return phrase_fit(line, gap, summary, value);
    }
    if value.kind != ValueKind::Name {
        return 1.0;
    }
    let word = |token: &Token| token.text(summary.text).to_lowercase();
    let is_group = summary.tokens[value.first..value.last]
        .iter()
        .any(|token| GROUP_WORDS.contains(&word(token).as_str()));
    let is_placed = is_placed(summary, value);
    if is_subject_of_class(gap, summary, value) {
        return 1.7;
    }
    match gap.request.asked {
        Asked::Person if is_group || is_placed || value.last - value.first < 2 => 0.3,
        Asked::Person => 1.15,
        Asked::Organisation if is_group || summary.tokens[value.first].is_wide() => 1.15,
        Asked::Organisation => 0.7,
        Asked::Place if is_placed => 1.3,
        Asked::Place => 0.8,
        _ => 1.0,
    }
}

/// "Page Turners is a reading programme": a name that the summary says to be of the class that is asked for.
pub(crate) fn is_subject_of_class(gap: &Gap, summary: &Summary<'_>, value: &Value) -> bool {
    let Some(class) = gap.request.class.as_deref().filter(|class| class.is_ascii()) else { return false };
    let key = crate::thesaurus::word_key(class);
    let mut behind = summary.tokens.iter().skip(value.last);
    let is_verb = behind.next().is_some_and(|verb| matches!(verb.text(summary.text), "is" | "was"));
    is_verb
        && behind
            .take(9)
            .take_while(|token| token.kind != TokenKind::Break && token.text(summary.text) != "of")
            .any(|token| token.key == key)
}

fn phrase_fit(line: &Line, gap: &Gap, summary: &Summary<'_>, value: &Value) -> f64 {
    let name = &gap.request.name;
    let named = tokens(name, 0, name.len());
    let label = fixed_before(line, gap).iter().rev().take(6);
    let name_keys: Vec<u64> = named.iter().chain(label).map(|token| token.key).collect();
    let words = &summary.tokens[value.first..value.last];
    let is_wide = words.iter().any(Token::is_wide);
    let is_capital = |token: &Token| token.text(summary.text).starts_with(char::is_uppercase);
    let written = summary.text[summary.span(value.first, value.last)].to_lowercase();
    // What only repeats the name or the label says nothing.
    let repeats = |token: &&Token| name_keys.contains(&token.key);
    if words.iter().filter(|token| token.is_content()).all(|token| repeats(&token)) {
        return 0.0;
    }
    let has_verb =
        words.iter().skip(1).any(|token| matches!(token.text(summary.text), "is" | "was" | "were" | "are"));
    let starts_inside = words.first().is_some_and(|first| {
        first.is_mark()
            || first.kind == TokenKind::Stop
                && matches!(
                    first.text(summary.text).to_lowercase().as_str(),
                    "of" | "and"
                        | "or"
                        | "to"
                        | "in"
                        | "by"
                        | "for"
                        | "at"
                        | "on"
                        | "with"
                        | "from"
                        | "which"
                        | "is"
                        | "was"
                )
    });
    let is_participle = words.len() == 1 && !is_wide && written.ends_with("ed");
    if is_participle
        || starts_inside
        || (has_verb && words.first().is_some_and(|first| first.kind != TokenKind::Stop))
    {
        return 0.2;
    }
    let has_class = gap.request.asked != Asked::Person
        && gap.request.class.as_deref().is_some_and(|class| written.contains(class));
    if has_class {
        let start = summary.tokens.get(value.first).map_or(0, |token| token.start);
        let is_kind = ["a ", "an "].iter().any(|article| summary.text[..start].ends_with(article));
        return if is_kind { 0.8 } else { 1.25 };
    }
    match gap.request.asked {
        Asked::Person | Asked::Organisation if !is_wide && !words.iter().any(is_capital) => 0.3,
        Asked::Person if is_wide && words.len() > 10 => 0.5,
        _ => 1.0,
    }
}

/// Whether the gap stands behind a label: "Lead auditor: {name}".
pub(crate) fn is_field(line: &Line, gap: &Gap, text: &str) -> bool {
    line.gaps.len() < 3
        && fixed_before(line, gap).last().is_some_and(|token| matches!(token.text(text), ":" | "："))
}
