//! Prints a value as it fits into the template: without a unit or an article that the template has itself.

use crate::asks::Asked;
use crate::candidates::{Candidate, is_field};
use crate::fractions::percent;
use crate::lines::{Gap, Line};
use crate::spelt::is_counter;
use crate::summary::Summary;
use crate::tokens::{Token, TokenKind, tokens};
use crate::values::{Value, ValueKind};

/// The text that stands at the gap.
pub(crate) fn printed(
    text: &str,
    line: &Line,
    gap: &Gap,
    summary: &Summary<'_>,
    candidate: &Candidate,
) -> String {
    let following = text.get(gap.place.end..line.range.end).unwrap_or_default();
    if let Some(fraction) = &candidate.fraction {
        let share = percent(fraction.part, fraction.whole);
        if following.trim_start().starts_with(['%', '％']) {
            // The figures that it is of stand before it, for behind it stands the sign.
            return format!("{}/{} = {share}", fraction.part_text, fraction.whole_text);
        }
        let is_wide = line.tokens.iter().any(Token::is_wide);
        let space = if summary.has_spaced_percent { " " } else { "" };
        let (part, whole) = (&fraction.part_text, &fraction.whole_text);
        return if is_wide {
            format!("{share}{space}%（{part}/{whole}）")
        } else {
            format!("{share}{space}% ({part} of {whole})")
        };
    }
    let value = &candidate.value;
    let mut written = summary.text[summary.span(value.first, value.last)].to_owned();
    match value.kind {
        ValueKind::Phrase | ValueKind::Name => {
            if !is_field(line, gap, text)
                && let Some(article) = article_before(summary, value)
                && !has_article(text.get(line.range.start..gap.place.start).unwrap_or_default())
            {
                written.insert_str(0, article);
            }
        }
        ValueKind::Date => {
            if let Some(year) = year_behind(summary, candidate) {
                written.push(' ');
                written.push_str(year);
            }
        }
        _ if Summary::is_figure(value) => written = without_unit(written, gap, following, summary, value),
        _ => {}
    }
    capitalised(written, text, line, gap)
}

fn without_unit(written: String, gap: &Gap, following: &str, summary: &Summary<'_>, value: &Value) -> String {
    let behind = following.trim_start_matches([' ', '-']);
    let cut = written
        .char_indices()
        .skip(1)
        .map(|(at, _)| at)
        .filter(|at| {
            written[..*at].ends_with(|c: char| c.is_numeric() || c == ' ' || c == '-' || !c.is_ascii())
        })
        .find(|at| {
            let unit = written[*at..].trim_start_matches([' ', '-']);
            !unit.is_empty() && behind.starts_with(unit)
        });
    if let Some(cut) = cut {
        return written[..cut].trim_end_matches([' ', '-']).to_owned();
    }
    if value.kind == ValueKind::Number && !keeps_unit(gap, behind, summary, value) {
        return summary.text[summary.span(value.first, value.core)].to_owned();
    }
    written
}

/// Whether the unit of a figure is printed: the template has none behind the gap and does not name it.
fn keeps_unit(gap: &Gap, behind: &str, summary: &Summary<'_>, value: &Value) -> bool {
    if value.last == value.core {
        return false;
    }
    let next = tokens(behind, 0, behind.len().min(behind.ceil_char_boundary(40))).first().copied();
    let is_unit = &summary.tokens[value.core];
    if is_unit.is_wide() {
        // A counter of the template stands in its place.
        let has_counter = next.is_some_and(|next| {
            next.start == 0 && next.kind == TokenKind::Ideograph && is_counter(next.text(behind))
        });
        return !has_counter && behind.chars().next().is_none_or(|c| c != '%' && c != '％');
    }
    let is_counted = gap.request.asked != Asked::Text && gap.request.asked != Asked::Count
        || gap.request.name.split(' ').any(|word| matches!(word, "number" | "n" | "count" | "total"));
    let has_noun = next.is_some_and(|next| next.start == 0 && next.kind == TokenKind::Word);
    !is_counted && !has_noun
}

fn article_before(summary: &Summary<'_>, value: &Value) -> Option<&'static str> {
    let start = summary.tokens.get(value.first)?.start;
    let before = summary.text.get(..start)?;
    let all: &[&str] = if value.kind == ValueKind::Name { &["the "] } else { &["the ", "an ", "a "] };
    let tail: String = before.chars().rev().take(5).collect::<Vec<_>>().into_iter().rev().collect();
    let lowered = tail.to_lowercase();
    all.iter().copied().find(|article| {
        lowered.strip_suffix(article).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })
}

fn has_article(before: &str) -> bool {
    let word = before.trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    matches!(word.as_str(), "a" | "an" | "the" | "this" | "our" | "their" | "its")
}

/// The year of a date that the summary leaves to the date behind it: "from 1 July to 26 August 2026".
fn year_behind<'a>(summary: &Summary<'a>, candidate: &Candidate) -> Option<&'a str> {
    let value = &candidate.value;
    let written = &summary.text[summary.span(value.first, value.last)];
    if written.bytes().filter(u8::is_ascii_digit).count() > 3 || !written.is_ascii() {
        return None;
    }
    let next = summary.values.get(candidate.sentence)?.iter().find(|other| {
        other.kind == ValueKind::Date && other.first >= value.last && other.first <= value.last + 2
    })?;
    let year = summary.tokens.get(next.last.checked_sub(1)?)?.text(summary.text);
    (year.len() == 4).then_some(year)
}

fn capitalised(written: String, text: &str, line: &Line, gap: &Gap) -> String {
    let opens = text.get(line.range.start..gap.place.start).is_some_and(|before| before.trim().is_empty());
    let first = written.chars().next().filter(|first| opens && first.is_lowercase());
    match first {
        Some(first) => first.to_uppercase().chain(written.chars().skip(1)).collect(),
        None => written,
    }
}
