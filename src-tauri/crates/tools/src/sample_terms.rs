//! Finds the sample library's own terms for a topic that its words do not match: by a list of Chinese and Japanese
//! names, which must cover the whole topic, else by meaning, when a term is as near as a translation. A term that is
//! merely near is another subject: 量子计算 is not quantization, and 連合学習 is not reinforcement learning.
//!
//! A test generates both files of terms from the library, and rewrites them when they differ.

use std::sync::LazyLock;

use embedding::{Embedding, Encoder};

/// One term per line, in alphabetical order.
const TERMS: &str = include_str!("../../../../data/library/arxiv-2026-06.terms.txt");
/// The embedding of each term in the same order, one byte per number.
const EMBEDDINGS: &[u8] = include_bytes!("../../../../data/library/arxiv-2026-06.terms.bin");
/// The length of an embedding in bytes.
const EMBEDDING_BYTES: usize = 512;
/// The least similarity of a term and a topic that it translates.
const LEAST_SIMILARITY: f64 = 0.83;
/// English names, each with its Chinese and Japanese ones.
const NAMES: &str = include_str!("../../../../data/library/names.tsv");
/// Words that join names.
const JOINING_WORDS: [&str; 18] = [
    "における",
    "のための",
    "による",
    "での",
    "の",
    "と",
    "や",
    "を",
    "に",
    "、",
    "中的",
    "的",
    "与",
    "和",
    "及",
    "在",
    "中",
    " ",
];
/// The most terms for one search.
const MOST_TERMS: usize = 3;

/// The library's terms for a topic, the likeliest first.
pub(crate) fn terms_for(topic: &str, encoder: &Encoder) -> Vec<String> {
    match translated(topic) {
        Some(english) => vec![english],
        None => near(topic, encoder).into_iter().map(str::to_owned).collect(),
    }
}

/// The English topic, when all its parts are known Chinese or Japanese names.
fn translated(topic: &str) -> Option<String> {
    static KNOWN: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
        let lines = NAMES.lines().filter(|line| !line.starts_with('#'));
        let mut known: Vec<(&str, &str)> = lines
            .filter_map(|line| line.split_once('\t'))
            .flat_map(|(english, names)| names.split(['\t', '|']).map(move |name| (name, english)))
            .collect();
        known.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        known
    });
    if topic.is_ascii() {
        return None;
    }
    let (mut rest, mut found) = (topic, Vec::new());
    while !rest.is_empty() {
        if let Some((name, english)) = KNOWN.iter().find(|(name, _)| rest.starts_with(name)) {
            found.push(*english);
            rest = &rest[name.len()..];
        } else {
            rest = JOINING_WORDS.iter().find_map(|word| rest.strip_prefix(word))?;
        }
    }
    (!found.is_empty()).then(|| found.join(" "))
}

/// The terms with the meaning of a topic, the nearest first.
fn near(topic: &str, encoder: &Encoder) -> Vec<&'static str> {
    let asked = encoder.encode(topic);
    let known = TERMS.lines().zip(EMBEDDINGS.chunks_exact(EMBEDDING_BYTES));
    let near = known.filter_map(|(term, bytes)| {
        let nearness = Embedding::from_bytes(bytes)?.nearness(&asked);
        (nearness >= LEAST_SIMILARITY).then_some((nearness, term))
    });
    let mut near: Vec<(f64, &str)> = near.collect();
    near.sort_by(|(one, term), (other, other_term)| other.total_cmp(one).then(term.cmp(other_term)));
    near.into_iter().map(|(_, term)| term).take(MOST_TERMS).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use super::*;
    use crate::sample_documents;

    /// The most words of a term, and the least number of articles and titles that contain it.
    const MOST_WORDS: usize = 4;
    const LEAST_ARTICLES: usize = 3;
    /// One in this many embeddings is recomputed by the test.
    const RECOMPUTED_SHARE: usize = 40;

    /// Sequences of words of a text that neither begin nor end with a function word.
    fn runs(text: &str) -> BTreeSet<String> {
        let mut runs = BTreeSet::new();
        let is_of_word =
            |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | ' ');
        for part in text.to_lowercase().split(|character: char| !is_of_word(character)) {
            let words: Vec<&str> = part.split(' ').map(|word| word.trim_matches('-')).collect();
            for count in 1..=MOST_WORDS {
                let fits = |run: &&[&str]| {
                    let ends = [run[0], run[count - 1]];
                    run.iter().all(|word| word.len() > 1)
                        && !ends.iter().any(|word| prose::is_stop_word(word))
                };
                runs.extend(words.windows(count).filter(fits).map(|run| run.join(" ")));
            }
        }
        runs
    }

    /// Sequences of words that occur in titles and in several articles; singular and plural count as one.
    fn terms() -> Vec<String> {
        let (mut in_titles, mut in_articles) = (BTreeMap::new(), BTreeMap::new());
        for document in sample_documents() {
            let title = runs(&document.title);
            for run in title.union(&runs(&document.text)) {
                *in_articles.entry(run.clone()).or_insert(0_usize) += 1;
            }
            for run in title {
                *in_titles.entry(run).or_insert(0_usize) += 1;
            }
        }
        let is_term = |(run, titles): &(&String, &usize)| {
            let is_shared = in_articles[*run] >= LEAST_ARTICLES;
            let is_word = !run.contains([' ', '-']);
            if is_word { **titles > 1 && run.len() > 3 && is_shared } else { **titles > 1 || is_shared }
        };
        let terms: BTreeSet<&String> = in_titles.iter().filter(is_term).map(|(run, _)| run).collect();
        let is_plural =
            |term: &str| term.strip_suffix('s').is_some_and(|one| terms.contains(&one.to_owned()));
        terms.iter().filter(|term| !is_plural(term)).map(|term| (*term).clone()).collect()
    }

    #[test]
    fn the_term_files_match_the_library() {
        let encoder = embedding::shared().unwrap();
        let terms = terms();
        let is_same = |(term, bytes): (&String, &[u8])| {
            Embedding::from_bytes(bytes).is_some_and(|kept| kept.nearness(&encoder.encode(term)) > 0.99)
        };
        let is_whole = EMBEDDINGS.len() == terms.len() * EMBEDDING_BYTES && TERMS.lines().eq(terms.iter());
        let known = terms.iter().zip(EMBEDDINGS.chunks_exact(EMBEDDING_BYTES));
        if !is_whole || !known.step_by(RECOMPUTED_SHARE).all(is_same) {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../data/library");
            let embeddings: Vec<u8> = terms.iter().flat_map(|term| encoder.encode(term).to_bytes()).collect();
            std::fs::write(folder.join("arxiv-2026-06.terms.txt"), terms.join("\n") + "\n").unwrap();
            std::fs::write(folder.join("arxiv-2026-06.terms.bin"), embeddings).unwrap();
            panic!("the terms of the library had changed; they are written anew");
        }
    }

    #[test]
    fn a_translated_topic_gives_the_terms_of_the_library_and_no_merely_near_ones() {
        let encoder = embedding::shared().unwrap();
        for (topic, term) in [
            ("语音识别", Some("speech recognition")),
            ("強化学習", Some("reinforcement learning")),
            ("マルチエージェントシステム", Some("multi-agent system")),
            ("大语言模型的幻觉", Some("large language model hallucination")),
            ("連合学習", Some("federated learning")),
            ("große Sprachmodelle", Some("large language model")),
            ("量子计算", None),
            ("量子機械学習", None),
            ("Quantencomputer", None),
            ("cooking recipes", None),
            ("quantum machine learning", None),
            ("neural networks in astronomy", None),
            ("番茄种植", None),
            ("江戸時代の和算書を点字にする取り組み", None),
        ] {
            assert_eq!(terms_for(topic, &encoder).first().map(String::as_str), term, "{topic}");
        }
    }
}
