//! The passages of a source that come nearest to a sentence.

use std::collections::HashMap;
use std::ops::Range;

use crate::sentences::sentences;
use crate::support::each_content_stem;

/// The sentences of a source by the stems that stand in them.
pub(crate) struct Passages {
    ranges: Vec<Range<usize>>,
    /// The sentences in which a stem stands, ascending, each once.
    places: HashMap<u64, Vec<u32>>,
}

/// Weight that a passage must share with a sentence to be near it: so much, or of what the source has at all of a sentence
/// of words that stand everywhere in it so great a part.
const LEAST_SHARED: f64 = 0.5;
/// A sentence often draws two places of its source together.
const MOST_NEAR: usize = 2;

impl Passages {
    pub(crate) fn of(source: &str) -> Passages {
        let mut passages = Passages { ranges: Vec::new(), places: HashMap::new() };
        for (place, sentence) in (0_u32..).zip(sentences(source)) {
            passages.ranges.push(sentence.start..sentence.end);
            each_content_stem(sentence.text, |stem| {
                let places = passages.places.entry(stem).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            });
        }
        passages
    }

    /// The sentences that share most with what is claimed, nearest first, as bytes of the source; a stem counts the less
    /// the more sentences have it.
    pub(crate) fn nearest(&self, claim: &str) -> Vec<Near> {
        // Of each sentence what it shares, weighed and counted.
        let mut scores: HashMap<u32, (f64, u32)> = HashMap::new();
        let mut all = 0.0_f64;
        each_content_stem(claim, |stem| {
            let places = self.places.get(&stem).map(Vec::as_slice).unwrap_or_default();
            all += places.first().map_or(0.0, |_| 1.0 / places.len() as f64);
            for place in places {
                let (weight, count) = scores.entry(*place).or_default();
                *weight += 1.0 / places.len() as f64;
                *count += 1;
            }
        });
        let mut best: Vec<(u32, (f64, u32))> =
            scores.into_iter().filter(|(_, (weight, _))| *weight >= LEAST_SHARED * all.min(1.0)).collect();
        best.sort_by(|(one, (first, _)), (other, (second, _))| second.total_cmp(first).then(one.cmp(other)));
        // A figure alone leads to a second place by chance.
        let near = best.iter().enumerate().filter(|(rank, (_, (_, count)))| *rank == 0 || *count > 1);
        near.take(MOST_NEAR).filter_map(|(_, (place, _))| self.near(*place as usize)).collect()
    }

    fn near(&self, place: usize) -> Option<Near> {
        let sentence = self.ranges.get(place)?.clone();
        let before = place.checked_sub(1).and_then(|place| self.ranges.get(place)).unwrap_or(&sentence);
        let after = self.ranges.get(place + 1).unwrap_or(&sentence);
        Some(Near { context: before.start..after.end, sentence })
    }
}

/// A sentence of a source.
pub(crate) struct Near {
    pub(crate) sentence: Range<usize>,
    /// The same with the sentence before it and the one behind it.
    pub(crate) context: Range<usize>,
}
