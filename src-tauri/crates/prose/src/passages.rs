//! Finds the passages of a source that are nearest to a sentence.

use std::collections::HashMap;
use std::ops::Range;

use crate::sentences::sentences;
use crate::support::each_content_stem;

/// An inverted index of the sentences of a source by their stems.
pub(crate) struct Passages {
    ranges: Vec<Range<usize>>,
    /// The sentences that contain a stem, ascending, each once.
    places: HashMap<u64, Vec<u32>>,
}

/// Least shared weight of a near passage. If the sentence's words are so common in the source that their weights sum to
/// less than 1, it is this share of the sum.
const LEAST_SHARED: f64 = 0.5;
/// A sentence often combines two places of its source.
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

    /// The sentences that share most with a claim, nearest first. A shared stem weighs one divided by the number of
    /// sentences that contain it.
    pub(crate) fn nearest(&self, claim: &str) -> Vec<NearPassage> {
        // For each sentence, the weight and the number of the shared stems.
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
        // A second passage needs two shared stems: a single figure may match by chance.
        let near = best.iter().enumerate().filter(|(rank, (_, (_, count)))| *rank == 0 || *count > 1);
        near.take(MOST_NEAR).filter_map(|(_, (place, _))| self.near(*place as usize)).collect()
    }

    fn near(&self, place: usize) -> Option<NearPassage> {
        let sentence = self.ranges.get(place)?.clone();
        let before = place.checked_sub(1).and_then(|place| self.ranges.get(place)).unwrap_or(&sentence);
        let after = self.ranges.get(place + 1).unwrap_or(&sentence);
        Some(NearPassage { context: before.start..after.end, sentence })
    }
}

/// A sentence of a source, as byte ranges of the source.
pub(crate) struct NearPassage {
    pub(crate) sentence: Range<usize>,
    /// The sentence with the one before it and the one after it.
    pub(crate) context: Range<usize>,
}
