//! Finds contradictions between two sentences that share most words: only one of them is negated, or they use opposites
//! such as "rose" and "fell".

use crate::markup::{Mark, scan};
use crate::opposites::{OPPOSITES_WITHOUT_SPACES, OppositeSide, opposite_sides, says_undenied};
use crate::tokens::{TokenKind, each_token, normal};

/// How a sentence contradicts a passage.
#[derive(Debug, PartialEq)]
pub(crate) enum Contradiction {
    /// The passage has opposites of these words of the sentence.
    Opposite(Vec<String>),
    /// Only one of the two has a negation: this word.
    Negated(String),
}

/// Words that negate a sentence, unless "only" follows.
const NEGATIONS: [&str; 16] = [
    "not", "no", "never", "none", "neither", "nor", "without", "cannot", "nobody", "nothing", "nicht",
    "kein", "keine", "keinen", "nie", "ohne",
];
const NEGATIONS_OF_IDEOGRAPHS: [&str; 18] = [
    "没有",
    "沒有",
    "未能",
    "尚未",
    "并未",
    "並未",
    "并不",
    "並不",
    "不会",
    "不會",
    "不能",
    "不是",
    "无法",
    "無法",
    "ません",
    "なかった",
    "ていない",
    "はない",
];

/// The contradiction between a sentence and a passage that share most words.
pub(crate) fn contradiction(sentence: &str, passage: &str) -> Option<Contradiction> {
    let (sentence, passage) = (Words::of(sentence), Words::of(passage));
    let opposed = sentence.opposed_by(&passage);
    if !opposed.is_empty() {
        // An opposite and a negation cancel out: "did not rise" and "fell" agree.
        let is_opposed = sentence.negation().is_some() == passage.negation().is_some();
        return is_opposed.then_some(Contradiction::Opposite(opposed));
    }
    match (sentence.negation(), passage.negation()) {
        (Some(word), None) | (None, Some(word)) => Some(Contradiction::Negated(word)),
        _ => None,
    }
}

/// The lower-case words of a sentence, and its lower-case text for scripts without spaces.
struct Words {
    text: String,
    words: Vec<String>,
}

impl Words {
    fn of(markdown: &str) -> Words {
        let text = normal(markdown).to_lowercase();
        let mut words = Vec::new();
        scan(&text, |mark, start, end| {
            if matches!(mark, Mark::Text | Mark::Code) {
                each_token(&text, start, end, true, |token| {
                    if token.kind == TokenKind::Word {
                        words.push(text[token.start as usize..token.end as usize].to_owned());
                    }
                });
            }
        });
        Words { words, text }
    }

    /// The words of this sentence that the other one only has opposites of.
    fn opposed_by(&self, other: &Words) -> Vec<String> {
        let stands_in = |words: &Words, wanted: &OppositeSide| {
            words.words.iter().any(|word| opposite_sides(word).contains(wanted))
        };
        let is_opposed = |word: &&String| {
            opposite_sides(word).iter().any(|(pair, side)| {
                stands_in(other, &(*pair, !side))
                    && !stands_in(other, &(*pair, *side))
                    && !stands_in(self, &(*pair, !side))
            })
        };
        let mut opposed: Vec<String> = self.words.iter().filter(is_opposed).cloned().collect();
        let says = |words: &Words, list: &[&str]| list.iter().any(|word| says_undenied(&words.text, word));
        for (one, two) in OPPOSITES_WITHOUT_SPACES {
            for (own, opposite) in [(one, two), (two, one)] {
                if says(other, opposite) && !says(other, own) && !says(self, opposite) {
                    opposed.extend(
                        own.iter()
                            .filter(|word| says_undenied(&self.text, word))
                            .map(|word| (*word).to_owned()),
                    );
                }
            }
        }
        opposed
    }

    fn negation(&self) -> Option<String> {
        let next_is_only = |place: usize| self.words.get(place + 1).is_some_and(|next| next == "only");
        let spaced = self.words.iter().enumerate().find(|(place, word)| {
            (NEGATIONS.contains(&word.as_str()) && !next_is_only(*place))
                || word.ends_with("n't")
                || word.ends_with("n’t")
        });
        let unspaced = || NEGATIONS_OF_IDEOGRAPHS.into_iter().find(|word| self.text.contains(word));
        spaced.map(|(_, word)| word.clone()).or_else(|| unspaced().map(str::to_owned))
    }
}
