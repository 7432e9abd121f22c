//! Where two sentences that share their words say the opposite: one has a "not" that the other has not, or what rises
//! in the one falls in the other.

use crate::markup::{Mark, scan};
use crate::tokens::{TokenKind, each_token, normal};

/// How a sentence stands against the passage that comes nearest to it.
#[derive(Debug, PartialEq)]
pub(crate) enum Contradiction {
    /// The passage has the opposite of these words.
    Opposite(Vec<String>),
    /// Only one of the two has a word of negation; this one.
    Negated(String),
}

/// Pairs of words of which the one says the opposite of the other, in all forms that stems do not bring together.
#[rustfmt::skip]
static OPPOSITES: [(&[&str], &[&str]); 24] = [
    (&["rise", "rises", "rose", "risen", "rising", "increase", "increased", "grow", "grows", "grew", "grown", "climbed", "gained", "soared", "jumped"],
     &["fall", "falls", "fell", "fallen", "falling", "decrease", "decreased", "decline", "declined", "shrink", "shrank", "shrunk", "dropped", "lost", "plunged", "sank"]),
    (&["higher", "more", "above"], &["lower", "fewer", "less", "below"]),
    (&["highest", "most", "largest", "best"], &["lowest", "least", "smallest", "worst"]),
    (&["better", "improved", "improves", "improve"], &["worse", "worsened", "worsens", "worsen"]),
    (&["faster", "quicker"], &["slower"]),
    (&["before"], &["after"]),
    (&["won", "wins", "win"], &["lost", "loses", "lose"]),
    (&["accepted", "approved", "accept", "approve", "accepts", "approves"], &["rejected", "refused", "reject", "rejects", "refuse", "refuses"]),
    (&["allowed", "allow", "allows", "permits", "permitted"], &["banned", "ban", "bans", "forbids", "forbidden", "prohibits", "prohibited"]),
    (&["opened", "opens", "reopened"], &["closed", "closes", "shut"]),
    (&["succeeded", "succeeds"], &["failed", "fails"]),
    (&["expanded", "expands"], &["contracted", "contracts"]),
    (&["supports", "supported"], &["opposes", "opposed"]),
    (&["confirmed", "confirms"], &["denied", "denies"]),
    (&["hired", "hires"], &["dismissed", "fired"]),
    (&["增加", "增长", "上升", "上涨", "提高"], &["减少", "下降", "下跌", "降低"]),
    (&["增加", "上昇", "増え", "上が", "伸び"], &["減少", "低下", "下落", "減り", "下が"]),
    (&["扩大"], &["缩小"]), (&["拡大"], &["縮小"]),
    (&["批准", "通过"], &["否决", "拒绝"]), (&["承認"], &["却下", "拒否"]),
    (&["允许"], &["禁止"]), (&["许可", "許可"], &["禁止"]),
    (&["高于", "超过", "多于", "上回"], &["低于", "少于", "下回"]),
];

/// Words that turn a sentence round; "not only" does not.
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

/// Whether the sentence contradicts the passage that it shares its words with.
pub(crate) fn contradiction(sentence: &str, passage: &str) -> Option<Contradiction> {
    let (said, stands) = (Words::of(sentence), Words::of(passage));
    for (one, other) in &OPPOSITES {
        for (mine, theirs) in [(one, other), (other, one)] {
            let words: Vec<String> = said.those_of(mine);
            let is_opposed = !words.is_empty()
                && said.those_of(theirs).is_empty()
                && !stands.those_of(theirs).is_empty()
                && stands.those_of(mine).is_empty();
            // What is turned round twice stays as it is: "did not rise" and "fell" say the same.
            if is_opposed && said.negation().is_some() == stands.negation().is_some() {
                return Some(Contradiction::Opposite(words));
            }
            if is_opposed {
                return None;
            }
        }
    }
    match (said.negation(), stands.negation()) {
        (Some(word), None) | (None, Some(word)) => Some(Contradiction::Negated(word)),
        _ => None,
    }
}

/// The words of a sentence in lower case, and the sentence itself for what is written without spaces.
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

    /// Those of the list that stand in the sentence.
    fn those_of(&self, list: &[&str]) -> Vec<String> {
        let stands = |word: &&&str| match word.is_ascii() {
            true => self.words.iter().any(|own| own == *word),
            false => self.text.contains(**word),
        };
        list.iter().filter(stands).map(|word| (*word).to_owned()).collect()
    }

    fn negation(&self) -> Option<String> {
        let next_is_only = |place: usize| self.words.get(place + 1).is_some_and(|next| next == "only");
        let spaced = self.words.iter().enumerate().find(|(place, word)| {
            (NEGATIONS.contains(&word.as_str()) && !next_is_only(*place))
                || word.ends_with("n't")
                || word.ends_with("n’t")
        });
        let dense = || NEGATIONS_OF_IDEOGRAPHS.into_iter().find(|word| self.text.contains(word));
        spaced.map(|(_, word)| word.clone()).or_else(|| dense().map(str::to_owned))
    }
}
