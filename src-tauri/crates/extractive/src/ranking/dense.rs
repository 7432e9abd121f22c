//! Topics in Chinese and Japanese. Words are not parted there: a topic is cut by longest match with the words that are
//! known, and each of them is found by itself or by one that means nearly the same.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::aboutness::{place_where, stands_in};
use super::indexed::{IndexedDocument, Word};
use super::query::without_wrapping;
use prose::tokens::{TokenKind, each_pair, each_token, normal};
use prose::{is_hiragana, is_ideographic};

/// A word of a topic, with each way to say it.
pub(super) struct DenseWord {
    ways: Vec<DenseWay>,
}

/// A way to say a word: what stands side by side in it, a part for each kind of writing, and how nearly it means the word.
struct DenseWay {
    parts: Vec<Vec<u64>>,
    nearness: f64,
}

/// How nearly something is meant by another word of its group.
const OF_GROUP: f64 = 0.9;

/// The words that are known, by their first character, the longest first, each with its groups.
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

/// The words of a topic, each with the others of its groups; none of a topic in other writing.
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
        // Hiragana is grammar.
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

/// Takes what no word was known for as a word of its own, unless it is a single character.
fn keep(words: &mut Vec<(String, Vec<&'static str>)>, unknown: &mut String) {
    let word = std::mem::take(unknown);
    if word.chars().count() > 1 {
        words.push((word, Vec::new()));
    }
}

/// The words of a topic; none of a topic in other writing.
pub(super) fn words_of(topic: &str) -> Vec<DenseWord> {
    let word = |(word, others): (String, Vec<&str>)| {
        let way = |word: &str, nearness: f64| DenseWay { parts: parts_of(word), nearness };
        let others = others.into_iter().map(|other| way(other, OF_GROUP));
        let ways = std::iter::once(way(&word, 1.0)).chain(others).filter(|way| !way.parts.is_empty());
        DenseWord { ways: ways.collect() }
    };
    cut(topic).into_iter().map(word).filter(|word| !word.ways.is_empty()).collect()
}

/// What stands side by side where a word is named: pairs of characters, and the stems of what is in Latin letters.
fn parts_of(word: &str) -> Vec<Vec<u64>> {
    let mut stems = Vec::new();
    each_token(word, 0, word.len(), false, |token| {
        if token.kind != TokenKind::Ideographic {
            stems.push(token.stem);
        }
    });
    // A lonely character between others is found nowhere by itself.
    let runs = word.split(|character| !is_ideographic(character)).filter(|run| run.chars().count() > 1);
    let pairs = runs.map(|run| {
        let mut keys = Vec::new();
        each_pair(run, |key| keys.push(key));
        keys
    });
    pairs.chain([stems]).filter(|keys| !keys.is_empty()).collect()
}

impl DenseWay {
    fn stands_in(&self, words: &[Word]) -> bool {
        self.parts.iter().all(|keys| stands_in(words, keys))
    }
}

/// How much a document has to do with a topic of these words, from 0 to 1; 0 where one of them is missing.
pub(super) fn strength(document: &IndexedDocument, words: &[DenseWord]) -> f64 {
    let is_research = document.is_research();
    let mut sum = 0.0;
    for word in words {
        let of_way =
            |way: &DenseWay| way.nearness * place_where(document, |part| way.stands_in(part), is_research);
        let nearness = word.ways.iter().map(of_way).fold(0.0, f64::max);
        if nearness <= 0.0 {
            return 0.0;
        }
        sum += nearness;
    }
    sum / words.len().max(1) as f64
}

/// Whether a document tells of any of these words.
pub(super) fn tells_any(document: &IndexedDocument, words: &[DenseWord]) -> bool {
    let ways = || words.iter().flat_map(|word| &word.ways);
    document.parts().any(|part| ways().any(|way| way.stands_in(part)))
}

/// A topic with the other words of its groups behind it.
pub(super) fn wider(topic: &str) -> String {
    cut(topic).into_iter().flat_map(|(_, others)| others).flat_map(|other| [" ", other]).collect()
}

#[cfg(test)]
mod tests {
    use super::{cut, wider};
    use crate::ranking::{Document, rank};

    #[test]
    fn a_word_in_two_kinds_of_writing_is_found_by_both() {
        let documents = [
            Document { title: "市役所が生成AIを導入", body: "生成AIで議事録を作る。" },
            Document { title: "市役所が新しい庁舎", body: "庁舎は五階建て。" },
        ];
        let found: Vec<usize> =
            rank("自治体 生成AI", &documents).into_iter().map(|(index, _)| index).collect();
        assert_eq!(found, [0]);
    }

    #[test]
    fn a_topic_is_cut_into_known_words_and_what_stands_between_them() {
        let words = |topic: &str| cut(topic).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        assert_eq!(words("高齢者介護"), ["高齢者", "介護"]);
        assert_eq!(words("土砂災害 AI"), ["土砂災害"]);
        assert_eq!(words("ワカメ養殖の話題"), ["ワカメ", "養殖"]);
        assert!(words("text to speech").is_empty());
        assert!(wider("保育園").contains("保育所"));
    }
}
