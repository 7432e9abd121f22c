//! Related words: expressions of news and papers that name the same thing, nearly the same, or a kind or part of it.
//! They are used for choosing articles, never for writing texts.
//!
//! The data files have one relation per line, in lower case and without hyphens; a word stands for all words with its
//! stem. `spellings.txt` has spellings of one word. `same.txt` has groups of synonyms. A line of `kinds.txt` is
//! `wider | narrower`: a query for the wider expressions also finds the narrower ones, but not the reverse.
//! `ambiguous.txt` has words that a query is expanded from but never to, because another word with the same stem means
//! something else ("a detective", "to detect").

use std::collections::HashMap;
use std::sync::OnceLock;

/// Expressions of a query, and the expressions that may replace them.
pub(crate) struct Relation {
    /// Expressions of a query.
    pub(crate) asked: Vec<String>,
    /// Expressions that may replace any of them.
    pub(crate) related: Vec<String>,
    /// How close the meanings are, at most 1 for the same meaning.
    pub(crate) nearness: f64,
}

/// The nearness of synonyms.
const SAME_NEARNESS: f64 = 0.9;
/// The nearness of a kind or part of a thing.
const KIND_NEARNESS: f64 = 0.78;

/// All relations.
pub(crate) fn relations() -> &'static [Relation] {
    static RELATIONS: OnceLock<Vec<Relation>> = OnceLock::new();
    RELATIONS.get_or_init(|| {
        let spellings: Vec<Vec<&str>> = include_str!("../data/related/spellings.txt")
            .lines()
            .map(|line| line.split(", ").collect())
            .collect();
        let mut others: HashMap<&str, Vec<&str>> = HashMap::new();
        for line in &spellings {
            for word in line {
                others.entry(word).or_default().extend(line.iter().filter(|other| *other != word));
            }
        }
        let spelled = |terms: &str| -> Vec<String> {
            terms.split(", ").flat_map(|term| spelled_otherwise(term.trim(), &others)).collect()
        };
        let lines = |text: &'static str| text.lines().filter(|line| !line.trim().is_empty());
        let ambiguous: Vec<&str> = lines(include_str!("../data/related/ambiguous.txt")).collect();
        let relation = |asked: Vec<String>, related: Vec<String>, nearness: f64| {
            let related = related.into_iter().filter(|term| !ambiguous.contains(&term.as_str())).collect();
            Relation { asked, related, nearness }
        };
        let of_spelling = spellings.iter().map(|line| {
            let terms: Vec<String> = line.iter().map(|term| (*term).to_owned()).collect();
            relation(terms.clone(), terms, 1.0)
        });
        let of_same = lines(include_str!("../data/related/same.txt")).map(|line| {
            let terms = spelled(line);
            relation(terms.clone(), terms, SAME_NEARNESS)
        });
        let of_kind = lines(include_str!("../data/related/kinds.txt"))
            .filter_map(|line| line.split_once('|'))
            .map(|(asked, related)| relation(spelled(asked), spelled(related), KIND_NEARNESS));
        of_spelling.chain(of_same).chain(of_kind).collect()
    })
}

/// An expression in all its spellings that differ in one word; `spellings` has the other spellings of each word.
fn spelled_otherwise(term: &str, spellings: &HashMap<&str, Vec<&str>>) -> Vec<String> {
    let mut all = vec![term.to_owned()];
    for (at, word) in term.split(' ').enumerate() {
        for other in spellings.get(word).into_iter().flatten() {
            let words =
                term.split(' ').enumerate().map(|(place, word)| if place == at { *other } else { word });
            all.push(words.collect::<Vec<_>>().join(" "));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::relations;

    #[test]
    fn every_relation_has_lower_case_terms_without_marks() {
        for relation in relations() {
            assert!(!relation.asked.is_empty());
            for term in relation.asked.iter().chain(&relation.related) {
                let is_plain = |c: char| c.is_alphanumeric() && !c.is_uppercase() || " .'’".contains(c);
                assert!(!term.is_empty() && term.chars().all(is_plain), "{term:?} is no term");
            }
        }
    }

    #[test]
    fn an_expression_is_found_in_both_spellings_of_its_words() {
        let has =
            |term: &str| relations().iter().any(|one| one.related.iter().any(|related| related == term));
        assert!(has("brain tumour") && has("brain tumor"));
    }
}
