//! Finds the words that a figure in a text belongs to: those of its clause, and the word directly after it.

use crate::number_words::spelt_figures;
use crate::prune::subject;
use crate::summary::clauses;
use crate::tokens::{Token, TokenKind, content, tokens};
use std::collections::HashSet;

/// A clause of a sentence with several figures, or a whole sentence.
pub(crate) struct Part {
    tokens: Vec<Token>,
    pub(crate) words: HashSet<u64>,
    figures: HashSet<u64>,
}

/// A sentence of a source that may be on the subject of another one, and the size of their overlap; 0 if unknown.
pub(crate) struct NearSource<'a> {
    pub(crate) parts: &'a [Part],
    pub(crate) rank: usize,
    pub(crate) is_template: bool,
}

pub(crate) fn figures(text: &str) -> HashSet<u64> {
    let written = tokens(text, 0..text.len());
    let digits = written.iter().filter(|token| token.kind == TokenKind::Figure).map(|token| token.key);
    digits.chain(spelt_figures(text).into_iter().map(|(_, value)| value.to_bits())).collect()
}

pub(crate) fn parts(text: &str) -> Vec<Part> {
    let all = tokens(text, 0..text.len());
    let is_figure = |token: &Token| token.kind == TokenKind::Figure;
    let has_several = all.iter().filter(|token| is_figure(token)).nth(1).is_some();
    let ranges = if has_several { clauses(&all) } else { std::iter::once(0..all.len()).collect() };
    let subject = subject(text, &all);
    let mut found: Vec<Part> = Vec::new();
    for own in ranges.into_iter().filter_map(|range| all.get(range)) {
        let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
        // A clause that begins with a figure shares the subject: "The hotel had 5 rooms and 12 beds."
        let more = subject.iter().filter(|_| !found.is_empty() && is_figure(first));
        let words = content(own).iter().chain(more).copied().collect();
        found.push(Part { tokens: own.to_vec(), words, figures: figures(&text[first.start..last.end]) });
    }
    found
}

impl Part {
    /// Figures with the words directly after them.
    fn counted(&self) -> impl Iterator<Item = (u64, u64)> {
        let is_it = |pair: &&[Token]| pair[0].kind == TokenKind::Figure && pair[1].kind == TokenKind::Word;
        self.tokens.windows(2).filter(is_it).map(|pair| (pair[0].key, pair[1].key))
    }
}

/// The figures of a sentence that its sources state about something else: wherever the figure occurs, another clause
/// with another figure shares the same words and more, or has the word after the figure.
pub(crate) fn misplaced<'s>(sentence: &'s str, near: &[NearSource<'_>]) -> Vec<&'s str> {
    if near.iter().all(|source| source.rank == 0) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for part in parts(sentence) {
        let is_figure = |token: &&Token| token.kind == TokenKind::Figure;
        let is_wrong = |figure: &&Token| is_misplaced(figure.key, &part, near);
        found.extend(
            part.tokens.iter().filter(is_figure).filter(is_wrong).map(|figure| figure.text(sentence)),
        );
    }
    found
}

fn is_misplaced(figure: u64, part: &Part, near: &[NearSource<'_>]) -> bool {
    let words: Vec<u64> = part.words.iter().take(64).copied().collect();
    let (mut holders, mut others) = (Vec::new(), HashSet::new());
    for source in near {
        for theirs in source.parts {
            let shared = words.iter().enumerate().filter(|(_, word)| theirs.words.contains(word));
            let shared = shared.fold(0_u64, |all, (bit, _)| all | 1 << bit);
            if theirs.figures.contains(&figure) {
                holders.push((source, theirs, shared));
            } else if !source.is_template && source.rank > 0 && !theirs.figures.is_subset(&part.figures) {
                others.insert((source.rank, shared));
            }
        }
    }
    let counts = part.counted().find(|(own, _)| *own == figure).map(|(_, word)| word);
    let is_right = |(source, theirs, shared): &(&NearSource<'_>, &Part, u64)| {
        // "5 women and 12 men" does not contain 12 women.
        let is_other = counts.is_some_and(|word| {
            !theirs.words.contains(&word)
                && theirs.counted().any(|(own, _)| own == figure)
                && source.parts.iter().flat_map(Part::counted).any(|(_, other)| other == word)
        });
        let is_nearer =
            |(rank, more): &(usize, u64)| *rank >= source.rank && more & shared == *shared && more != shared;
        source.is_template || !is_other && !others.iter().any(is_nearer)
    };
    !holders.is_empty() && !holders.iter().any(is_right)
}
