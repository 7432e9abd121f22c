//! Other ways to say a thing: short forms, the usual ones of the field and those that the documents define, and words
//! that name nearly the same.

use super::{Document, dense};
use crate::related_words::relations;
use prose::SHORT_FORMS;
use prose::STOP_WORDS;
use prose::tokens::{ByKey, Keys, Token, TokenKind, each_token, mix, singular, stem_key};
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::sync::OnceLock;

/// Another way to say what a stem begins.
pub(super) struct Form {
    /// The stems that have to follow.
    pub(super) rest: Vec<u64>,
    /// The stems that say it otherwise.
    pub(super) other: Vec<u64>,
    /// How nearly that means the same, at most 1.
    pub(super) nearness: f64,
}

/// All short forms that a ranking knows.
pub(super) struct ShortForms {
    own: ByKey<Vec<Form>>,
}

impl ShortForms {
    /// With those that the documents define themselves: "vision-language-action (VLA)".
    pub(super) fn of(documents: &[Document<'_>]) -> Self {
        let mut own: ByKey<Vec<Form>> = ByKey::default();
        let mut known = Keys::default();
        for document in documents {
            for text in [document.title, document.body] {
                each_definition(text, |words, short| {
                    let seen = words.iter().fold(short, |state, word| mix(state, *word));
                    if let [first, rest @ ..] = words
                        && known.insert(seen)
                    {
                        own.entry(*first).or_default().push(Form {
                            rest: rest.to_vec(),
                            other: vec![short],
                            nearness: 1.0,
                        });
                        own.entry(short).or_default().push(Form {
                            rest: Vec::new(),
                            other: words.to_vec(),
                            nearness: 1.0,
                        });
                    }
                });
            }
        }
        Self { own }
    }

    /// The forms that begin with a stem.
    pub(super) fn of_word(&self, key: u64) -> impl Iterator<Item = &Form> {
        usual().get(&key).into_iter().flatten().chain(self.own.get(&key).into_iter().flatten())
    }

    /// Those of them that mean the very same.
    pub(super) fn same_of_word(&self, key: u64) -> impl Iterator<Item = &Form> {
        static SAME: OnceLock<ByKey<Vec<&Form>>> = OnceLock::new();
        let usual = SAME.get_or_init(|| {
            let same = |(key, forms): (&u64, &'static Vec<Form>)| {
                let same: Vec<&Form> = forms.iter().filter(|form| form.nearness >= 1.0).collect();
                (!same.is_empty()).then_some((*key, same))
            };
            usual().iter().filter_map(same).collect()
        });
        // What documents define is always that.
        usual.get(&key).into_iter().flatten().copied().chain(self.own.get(&key).into_iter().flatten())
    }

    /// Whether a stem is one of a grammar word.
    pub(super) fn is_grammar(&self, key: u64) -> bool {
        static STEMS: OnceLock<Keys> = OnceLock::new();
        STEMS
            .get_or_init(|| STOP_WORDS.iter().map(|word| stem_key(singular(word.as_bytes()))).collect())
            .contains(&key)
    }
}

/// A query with other ways to say it behind it: the words of its short forms, the short forms of its words, its compounds
/// in one word or in two, and related words. For an index that finds only what is written.
pub fn wider_query(query: &str) -> String {
    let query = &query[..query.floor_char_boundary(4096)];
    let lower = query.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut wider = query.to_owned();
    // "fine-tuning" is written "finetuning", too.
    for compound in lower.split(|c: char| !c.is_alphanumeric() && c != '-') {
        let parts: Vec<&str> = compound.split('-').collect();
        if parts.len() == 2 && parts.iter().all(|part| part.len() > 1) {
            wider.extend([" ", parts[0], parts[1]]);
        }
    }
    for word in &words {
        let first = FIRST_PARTS.iter().find_map(|part| Some((part, word.strip_prefix(part)?)));
        if let Some((part, rest)) = first.filter(|(_, rest)| rest.len() >= SHORTEST_REST) {
            wider.extend([" ", part, " ", rest]);
        }
    }
    for (short, long) in SHORT_FORMS {
        let is_long = |window: &[&str]| {
            window.iter().zip(long).all(|(word, long)| word.strip_suffix('s').unwrap_or(word) == *long)
        };
        if words.iter().any(|word| word.strip_suffix('s').unwrap_or(word) == short) {
            wider.extend(long.iter().flat_map(|word| [" ", word]));
        } else if words.windows(long.len()).any(is_long) {
            wider.extend([" ", short]);
        }
    }
    let stems: Vec<u64> = words.iter().map(|word| stem_of(word)).collect();
    // Each word once: much is related to a long query.
    let mut known: BTreeSet<&str> = words.iter().copied().collect();
    for (asked, related) in stems_of_relations() {
        if asked.iter().any(|name| stems.windows(name.len()).any(|window| window == name)) {
            for word in related.iter().flat_map(|name| name.split(' ')).filter(|word| known.insert(word)) {
                wider.extend([" ", word]);
            }
        }
    }
    wider.push_str(&dense::wider(query));
    wider
}

/// Reads the tables of related words, which takes some milliseconds the first time that anything is ranked. Who will rank
/// later has this done meanwhile.
pub fn read_related_words() {
    usual();
}

/// Whether a word begins something to which other words are related: it is known, however few articles have it.
pub fn is_known_word(word: &str) -> bool {
    usual().contains_key(&stem_of(word))
}

fn stem_of(word: &str) -> u64 {
    stem_key(singular(word.as_bytes()))
}

/// The stems of an expression, as a text has them: a figure is no word.
fn stems_of(name: &str) -> Vec<u64> {
    let mut stems = Vec::new();
    each_token(name, 0, name.len(), false, |token| stems.push(token.stem));
    stems
}

/// Expressions, each as its stems.
type Stems = Vec<Vec<u64>>;

/// Of each relation the stems of what is asked for, and what may stand for it.
fn stems_of_relations() -> &'static [(Stems, &'static [String])] {
    static RELATIONS: OnceLock<Vec<(Stems, &'static [String])>> = OnceLock::new();
    RELATIONS.get_or_init(|| {
        let stems = |name: &String| stems_of(name);
        relations()
            .iter()
            .map(|one| (one.asked.iter().map(stems).collect(), one.related.as_slice()))
            .collect()
    })
}

/// Parts in front of words that are also written with a hyphen.
const FIRST_PARTS: [&str; 12] =
    ["auto", "co", "cross", "fine", "inter", "meta", "multi", "post", "pre", "self", "semi", "text"];
/// Letters of what stands behind them.
const SHORTEST_REST: usize = 5;

/// Letters that a short form has at least; of fewer too many words begin like that.
const SHORTEST: usize = 3;
/// Letters that it has at most.
const LONGEST: usize = 6;

/// Visits each "long form (SHORT)" whose initials are the letters of the short form.
fn each_definition(text: &str, mut visit: impl FnMut(&[u64], u64)) {
    if text.len() > 60_000 {
        return;
    }
    for (open, _) in text.match_indices('(') {
        let inside = &text[open + 1..];
        let Some(close) = inside.as_bytes().iter().take(LONGEST + 2).position(|byte| *byte == b')') else {
            continue;
        };
        let Some(short) = inside.get(..close) else { continue };
        let short = short.strip_suffix('s').unwrap_or(short);
        let is_short_form = (SHORTEST..=LONGEST).contains(&short.len())
            && short.bytes().all(|byte| byte.is_ascii_uppercase());
        if !is_short_form {
            continue;
        }
        let start = text.floor_char_boundary(open.saturating_sub(120));
        let mut words: Vec<Token> = Vec::new();
        each_token(text, start, open, false, |token| words.push(token));
        let wanted = short.to_ascii_lowercase();
        let from = words.len().saturating_sub(wanted.len());
        let long = &words[from..];
        let fits = long.len() == wanted.len()
            && long.iter().zip(wanted.bytes()).all(|(word, letter)| word.initial == letter)
            && long.iter().all(|word| word.kind == TokenKind::Word);
        if fits {
            let stems: Vec<u64> = long.iter().map(|word| word.stem).collect();
            visit(&stems, stem_key(singular(wanted.as_bytes())));
        }
    }
}

fn usual() -> &'static ByKey<Vec<Form>> {
    static FORMS: OnceLock<ByKey<Vec<Form>>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let mut forms: ByKey<Vec<Form>> = ByKey::default();
        // Where each stands among those of its first word.
        let mut places: ByKey<usize> = ByKey::default();
        let mut add = |one: &[u64], other: &[u64], nearness: f64| {
            // A question for autonomous ships is not answered by any ship.
            let is_wider = nearness < 1.0 && other.iter().all(|word| one.contains(word));
            let is_itself = one == other;
            if let [first, rest @ ..] = one
                && !is_wider
                && !is_itself
            {
                let known = forms.entry(*first).or_default();
                let both = one.iter().chain(&[0]).chain(other).fold(0, |state, word| mix(state, *word));
                match places.entry(both) {
                    Entry::Occupied(place) => {
                        let form = &mut known[*place.get()];
                        form.nearness = form.nearness.max(nearness);
                    }
                    Entry::Vacant(place) => {
                        place.insert(known.len());
                        known.push(Form { rest: rest.to_vec(), other: other.to_vec(), nearness });
                    }
                }
            }
        };
        for (short, long) in SHORT_FORMS {
            let (short, long) = ([stem_of(short)], long.iter().map(|word| stem_of(word)).collect::<Vec<_>>());
            add(&long, &short, 1.0);
            add(&short, &long, 1.0);
        }
        for (relation, (asked, _)) in relations().iter().zip(stems_of_relations()) {
            let related: Vec<Vec<u64>> = relation.related.iter().map(|name| stems_of(name)).collect();
            for one in asked {
                related.iter().for_each(|other| add(one, other, relation.nearness));
            }
        }
        forms
    })
}
