//! Matches a sentence of a template against one of the summary: the same words in the same order, with values at the
//! placeholders.

use crate::summary::TAILS;
use crate::tokens::{OPTIONAL_CHARACTERS, Token, TokenKind, is_article};
use std::ops::Range;

/// Most tokens of a value.
const LONGEST_VALUE: usize = 24;

/// The byte ranges of `text` at the gaps, if all other tokens from the byte `from` on are those of `fixed`, in order,
/// and only one match is possible. `fixed` has one run of tokens more than there are gaps.
pub(crate) fn capture_values(
    fixed: &[Vec<Token>],
    text: &str,
    from: usize,
    said: &[Token],
) -> Option<Vec<Range<usize>>> {
    let keys = |tokens: &[Token]| -> Vec<u64> {
        tokens.iter().filter(|token| token.kind != TokenKind::Break).map(|token| token.key).collect()
    };
    let mut fixed: Vec<Vec<u64>> = fixed.iter().map(|run| keys(run)).collect();
    let words: Vec<usize> = (0..said.len()).filter(|at| said[*at].kind != TokenKind::Break).collect();
    let mut all = keys(said);
    strip_tail(fixed.last_mut()?);
    strip_tail(&mut all);
    let first = leftmost(&fixed, &all)?;
    // Matching backwards must give the same result.
    let reversed: Vec<Vec<u64>> = fixed.iter().rev().map(|run| run.iter().rev().copied().collect()).collect();
    let behind: Vec<u64> = all.iter().rev().copied().collect();
    let last = leftmost(&reversed, &behind)?.into_iter().rev();
    if !last.eq(first.iter().map(|gap| all.len() - gap.end..all.len() - gap.start)) {
        return None;
    }
    first.into_iter().map(|gap| bytes(text, from, said, words.get(gap)?)).collect()
}

fn strip_tail(keys: &mut Vec<u64>) {
    let tails = TAILS.iter().map(|tail| tail.chars().map(|c| u64::from(u32::from(c))).collect::<Vec<_>>());
    if let Some(tail) = tails.into_iter().find(|tail| keys.ends_with(tail)) {
        keys.truncate(keys.len() - tail.len());
    }
}

fn leftmost(fixed: &[Vec<u64>], all: &[u64]) -> Option<Vec<Range<usize>>> {
    let (first, rest) = fixed.split_first()?;
    let mut at = first.len();
    let mut found = Vec::with_capacity(rest.len());
    if !all.starts_with(first) {
        return None;
    }
    for (index, run) in rest.iter().enumerate() {
        let from = at + 1;
        let place = if index + 1 == rest.len() {
            all.len().checked_sub(run.len()).filter(|place| *place >= from && all.ends_with(run))?
        } else if run.is_empty() {
            return None;
        } else {
            from + all.get(from..)?.windows(run.len()).position(|window| window == run.as_slice())?
        };
        if place - at > LONGEST_VALUE {
            return None;
        }
        found.push(at..place);
        at = place + run.len();
    }
    Some(found)
}

/// The bytes of tokens with the marks and articles around them; `None` if a clause ends within them.
fn bytes(text: &str, from: usize, said: &[Token], value: &[usize]) -> Option<Range<usize>> {
    let (first, last) = (*value.first()?, *value.last()?);
    if said[first..=last].iter().any(|token| token.kind == TokenKind::Break) {
        return None;
    }
    let start = first.checked_sub(1).map_or(from, |before| said[before].end);
    let end = said.get(last + 1).map_or(said[last].end, |next| next.start);
    let written = text.get(start..end)?;
    let mut trimmed = written.trim();
    if said.get(last + 1).is_none() {
        // A closing mark belongs to the value, the final stop of the sentence does not.
        let tail = text.get(end..)?;
        let mark = tail.find(['`', '”', '」', '"']).filter(|at| *at == 0);
        trimmed =
            text.get(start..end + mark.map_or(0, |_| tail.chars().next().map_or(0, char::len_utf8)))?.trim();
    }
    let is_outside = |c: char| c.is_whitespace() || OPTIONAL_CHARACTERS.contains(c);
    trimmed = trimmed.trim_start_matches(is_outside);
    let start = start + (text.get(start..)?.len() - text.get(start..)?.trim_start_matches(is_outside).len());
    let count = |mark: [char; 2]| trimmed.matches(mark).count();
    (count(['(', '（']) == count([')', '）']) && !trimmed.is_empty()).then(|| start..start + trimmed.len())
}

/// Whether a text ends in an article.
pub(crate) fn ends_in_article(text: &str) -> bool {
    text.ends_with(' ') && text.split_whitespace().next_back().is_some_and(is_article)
}
