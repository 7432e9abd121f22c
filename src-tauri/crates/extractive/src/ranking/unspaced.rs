//! Topics in Chinese and Japanese, which put no spaces between words. A topic is segmented by longest match with a
//! dictionary, and a document matches each word or a synonym of it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::aboutness::{place_where, stands_in};
use super::indexed_document::{IndexedDocument, Word};
use super::query::without_wrapping;
use prose::tokens::{TokenKind, each_pair, each_token, normal};
use prose::{is_hiragana, is_ideographic};

/// A word of a topic with its variants.
pub(super) struct UnspacedWord {
    variants: Vec<UnspacedVariant>,
}

/// A variant of a word: for each script in it, the keys that must occur next to each other; and how close its meaning
/// is to the word, at most 1.
struct UnspacedVariant {
    parts: Vec<Vec<u64>>,
    nearness: f64,
}

/// The nearness of the words of one group.
const SAME_GROUP_NEARNESS: f64 = 0.9;

/// The known words by their first character, longest first, each with the indices of its groups of synonyms.
struct Dictionary {
    words: BTreeMap<char, Vec<(&'static str, Vec<usize>)>>,
    groups: Vec<Vec<&'static str>>,
}

fn dictionary() -> &'static Dictionary {
    static DICTIONARY: OnceLock<Dictionary> = OnceLock::new();
    DICTIONARY.get_or_init(|| {
        let lines = include_str!("../../data/related/dense.txt").lines();
        let groups: Vec<Vec<&str>> = lines.map(|line| line.split(", ").collect()).collect();
        let mut words: BTreeMap<char, Vec<(&str, Vec<usize>)>> = BTreeMap::new();
        for (place, group) in groups.iter().enumerate() {
            for word in group {
                let Some(first) = word.chars().next() else { continue };
                let known = words.entry(first).or_default();
                match known.iter_mut().find(|(other, _)| other == word) {
                    Some((_, groups)) => groups.push(place),
                    None => known.push((word, vec![place])),
                }
            }
        }
        words.values_mut().for_each(|known| known.sort_by_key(|(word, _)| std::cmp::Reverse(word.len())));
        Dictionary { words, groups }
    })
}

/// The words of a topic, each with its synonyms; empty for a topic without ideographs.
fn cut(topic: &str) -> Vec<(String, Vec<&'static str>)> {
    let topic = normal(topic);
    let topic = without_wrapping(&topic);
    let mut words: Vec<(String, Vec<&str>)> = Vec::new();
    if !topic.chars().any(is_ideographic) {
        return words;
    }
    let mut unknown = String::new();
    let mut rest = &topic[..topic.floor_char_boundary(600)];
    while let Some(first) = rest.chars().next() {
        let known = dictionary().words.get(&first).into_iter().flatten();
        let mut known = known.filter(|(word, _)| rest.starts_with(word));
        if let Some((word, groups)) = known.next() {
            keep(&mut words, &mut unknown);
            let others = groups.iter().flat_map(|group| &dictionary().groups[*group]);
            words.push(((*word).to_owned(), others.copied().filter(|other| other != word).collect()));
            rest = &rest[word.len()..];
            continue;
        }
        // Hiragana mostly has grammar, so it separates words.
        if is_ideographic(first) && !is_hiragana(first) {
            unknown.push(first);
        } else {
            keep(&mut words, &mut unknown);
        }
        rest = &rest[first.len_utf8()..];
    }
    keep(&mut words, &mut unknown);
    words
}

/// Adds a run of characters that the dictionary does not have as one word, unless it is a single character.
fn keep(words: &mut Vec<(String, Vec<&'static str>)>, unknown: &mut String) {
    let word = std::mem::take(unknown);
    if word.chars().count() > 1 {
        words.push((word, Vec::new()));
    }
}

/// The words of a topic with their variants; empty for a topic without ideographs.
pub(super) fn words_of(topic: &str) -> Vec<UnspacedWord> {
    let word = |(word, others): (String, Vec<&str>)| {
        let variant = |word: &str, nearness: f64| UnspacedVariant { parts: parts_of(word), nearness };
        let others = others.into_iter().map(|other| variant(other, SAME_GROUP_NEARNESS));
        let variants =
            std::iter::once(variant(&word, 1.0)).chain(others).filter(|variant| !variant.parts.is_empty());
        UnspacedWord { variants: variants.collect() }
    };
    cut(topic).into_iter().map(word).filter(|word| !word.variants.is_empty()).collect()
}

/// The parts of a word in each script: pairs of characters for ideographs, and stems for Latin letters.
fn parts_of(word: &str) -> Vec<Vec<u64>> {
    let mut stems = Vec::new();
    each_token(word, 0, word.len(), false, |token| {
        if token.kind != TokenKind::Ideographic {
            stems.push(token.stem);
        }
    });
    // Documents have no key for a single ideograph next to others, so single ones are skipped.
    let runs = word.split(|character| !is_ideographic(character)).filter(|run| run.chars().count() > 1);
    let pairs = runs.map(|run| {
        let mut keys = Vec::new();
        each_pair(run, |key| keys.push(key));
        keys
    });
    pairs.chain([stems]).filter(|keys| !keys.is_empty()).collect()
}

impl UnspacedVariant {
    fn stands_in(&self, words: &[Word]) -> bool {
        self.parts.iter().all(|keys| stands_in(words, keys))
    }
}

/// How much a document is about these words, from 0 to 1; 0 if one of them is missing.
pub(super) fn strength(document: &IndexedDocument, words: &[UnspacedWord]) -> f64 {
    let is_research = document.is_research();
    let mut sum = 0.0;
    for word in words {
        let of_variant = |variant: &UnspacedVariant| {
            variant.nearness * place_where(document, |part| variant.stands_in(part), is_research)
        };
        let nearness = word.variants.iter().map(of_variant).fold(0.0, f64::max);
        if nearness <= 0.0 {
            return 0.0;
        }
        sum += nearness;
    }
    sum / words.len().max(1) as f64
}

/// Whether a document contains any of these words.
pub(super) fn mentions_any(document: &IndexedDocument, words: &[UnspacedWord]) -> bool {
    let variants = || words.iter().flat_map(|word| &word.variants);
    document.parts().any(|part| variants().any(|variant| variant.stands_in(part)))
}

/// The synonyms of the words of a topic, each after a space, to append to a query.
pub(super) fn wider(topic: &str) -> String {
    cut(topic).into_iter().flat_map(|(_, others)| others).flat_map(|other| [" ", other]).collect()
}

#[cfg(test)]
mod tests {
    use super::{cut, wider};
    use crate::ranking::{Document, rank};

    #[test]
    fn a_word_in_two_scripts_is_matched_by_both_parts() {
        let documents = [
            Document { title: "市役所が生成AIを導入", body: "生成AIで議事録を作る。" },
            Document { title: "市役所が新しい庁舎", body: "庁舎は五階建て。" },
        ];
        let found: Vec<usize> =
            rank("自治体 生成AI", &documents).into_iter().map(|(index, _)| index).collect();
        assert_eq!(found, [0]);
    }

    #[test]
    fn a_topic_is_segmented_into_known_words_and_the_text_between_them() {
        let words = |topic: &str| cut(topic).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        assert_eq!(words("高齢者介護"), ["高齢者", "介護"]);
        assert_eq!(words("土砂災害 AI"), ["土砂災害"]);
        assert_eq!(words("ワカメ養殖の話題"), ["ワカメ", "養殖"]);
        assert!(words("text to speech").is_empty());
        assert!(wider("保育園").contains("保育所"));
    }
}
