//! Finds every outermost object and list in a text, in order.

use std::collections::VecDeque;

use crate::lenient::{self, MAX_DEPTH};
use crate::node::Node;
use crate::scanner::Failure;
use crate::work::Work;
use crate::{Fault, Rung};

/// Most candidates that are kept, from the end: no reply has more drafts than this.
const MOST: usize = 64;

/// An object or list with its position.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) node: Node,
}

impl Candidate {
    /// Whether it fills its lines, except for marks of fences.
    pub(crate) fn is_alone(&self, text: &str) -> bool {
        let before = text[..self.start].rsplit('\n').next().unwrap_or_default();
        let after = text[self.end..].split('\n').next().unwrap_or_default();
        let is_mark = |text: &str| text.trim_matches(|c: char| c == '`' || c.is_whitespace()).is_empty();
        is_mark(before) && is_mark(after)
    }

    /// Whether the text ended inside it.
    pub(crate) fn is_cut(&self) -> bool {
        !matches!(self.node, Node::Object { is_closed: true, .. } | Node::List { is_closed: true, .. })
    }
}

/// The candidates in a part of a text.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) candidates: VecDeque<Candidate>,
    pub(crate) is_too_deep: bool,
}

/// Finds the candidates in `text` from `from` on.
///
/// As for [`Work::spend`].
/// As [`Work::spend`].
pub(crate) fn find(text: &str, from: usize, work: &mut Work<'_>) -> Result<Found, Fault> {
    let mut found = Found::default();
    let mut at = from;
    while let Some(offset) = text[at..].find(['{', '[', '｛', '［']) {
        work.spend(offset + 1)?;
        let start = at + offset;
        match lenient::read(text, start, work) {
            Ok((node, end)) => {
                found.candidates.push_back(Candidate { start, end, node });
                if found.candidates.len() > MOST {
                    found.candidates.pop_front();
                }
                at = end;
            }
            Err(Failure::NotJson) => at = start + text[start..].chars().next().map_or(1, char::len_utf8),
            Err(Failure::TooDeep(place)) => {
                found.is_too_deep = true;
                at = place;
                let run = text[at..].len() - text[at..].trim_start_matches(['[', '{']).len();
                work.spend(run)?;
                at += run;
            }
            Err(Failure::Ended(fault)) => return Err(fault),
        }
    }
    Ok(found)
}

/// The end of the strictly valid JSON at `start`, if there is any.
pub(crate) fn strict_end(text: &str, start: usize) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<serde::de::IgnoredAny>();
    values.next()?.ok()?;
    Some(start + values.byte_offset())
}

/// The error for a text that is nested too deep.
pub(crate) const TOO_DEEP: Fault = Fault::TooDeep { most: MAX_DEPTH };

/// The text around a candidate, and whether it is read leniently.
pub(crate) fn around(text: &str, candidate: &Candidate, has_earlier: bool) -> Vec<Rung> {
    let before = text[..candidate.start].trim_end();
    let after = text[candidate.end..].trim_start();
    let fence = before.rfind("```").filter(|at| {
        !before[at + 3..].contains(char::is_whitespace) && (after.starts_with("```") || after.is_empty())
    });
    let mut rungs = Vec::new();
    if fence.is_some() {
        rungs.push(Rung::Fence);
    }
    let before = fence.map_or(before, |at| before[..at].trim());
    let after = after.strip_prefix("```").filter(|_| fence.is_some()).unwrap_or(after);
    if has_earlier {
        rungs.push(Rung::Drafts);
    } else if !before.is_empty() || !after.trim().is_empty() {
        rungs.push(Rung::Talk);
    }
    let own = &text[candidate.start..candidate.end];
    if serde_json::from_str::<serde::de::IgnoredAny>(own).is_err() {
        rungs.push(Rung::Lenient);
    }
    rungs
}

/// Whether an incomplete object repeats a complete one: one that came twice already, or one of which most came again.
pub(crate) fn repeats(cut: &str, earlier: &[&str]) -> bool {
    let cut = cut.trim_end();
    let mut same = earlier.iter().filter(|whole| whole.starts_with(cut));
    match (same.next(), same.next()) {
        (Some(whole), Some(again)) if whole == again => true,
        (Some(whole), _) => cut.len() * 2 > whole.len(),
        (None, _) => false,
    }
}
