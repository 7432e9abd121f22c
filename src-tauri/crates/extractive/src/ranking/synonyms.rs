//! Synonyms: usual short forms, short forms that the documents define, and related words.

use super::{Document, unspaced};
use crate::related_words::relations;
use prose::SHORT_FORMS;
use prose::STOP_WORDS;
use prose::tokens::{ByKey, Keys, Token, TokenKind, each_token, mix, singular, stem_key};
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::sync::OnceLock;

/// A synonym of an expression; the table key is the first stem of the expression.
pub(super) struct Synonym {
    /// The other stems of the expression, which must follow the first.
    pub(super) rest: Vec<u64>,
    /// The stems of the synonym.
    pub(super) other: Vec<u64>,
    /// How close the meanings are, at most 1 for the same meaning.
    pub(super) nearness: f64,
}

/// The synonyms of a ranking: the common ones and those from its documents.
pub(super) struct Synonyms {
    own: ByKey<Vec<Synonym>>,
}

impl Synonyms {
    /// Adds the short forms that the documents define: "vision-language-action (VLA)".
    pub(super) fn of(documents: &[Document<'_>]) -> Self {
        let mut own: ByKey<Vec<Synonym>> = ByKey::default();
        let mut known = Keys::default();
        for document in documents {
            for text in [document.title, document.body] {
                each_definition(text, |words, short| {
                    let seen = words.iter().fold(short, |state, word| mix(state, *word));
                    if let [first, rest @ ..] = words
                        && known.insert(seen)
                    {
                        own.entry(*first).or_default().push(Synonym {
                            rest: rest.to_vec(),
                            other: vec![short],
                            nearness: 1.0,
                        });
                        own.entry(short).or_default().push(Synonym {
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

    /// The synonyms of expressions that begin with a stem.
    pub(super) fn starting_with(&self, key: u64) -> impl Iterator<Item = &Synonym> {
        common_synonyms().get(&key).into_iter().flatten().chain(self.own.get(&key).into_iter().flatten())
    }

    /// The synonyms with the same meaning.
    pub(super) fn exact_starting_with(&self, key: u64) -> impl Iterator<Item = &Synonym> {
        static SAME: OnceLock<ByKey<Vec<&Synonym>>> = OnceLock::new();
        let exact = SAME.get_or_init(|| {
            let same = |(key, synonyms): (&u64, &'static Vec<Synonym>)| {
                let same: Vec<&Synonym> = synonyms.iter().filter(|synonym| synonym.nearness >= 1.0).collect();
                (!same.is_empty()).then_some((*key, same))
            };
            common_synonyms().iter().filter_map(same).collect()
        });
        // A short form that a document defines always has the same meaning.
        exact.get(&key).into_iter().flatten().copied().chain(self.own.get(&key).into_iter().flatten())
    }

    /// Whether a stem belongs to a grammar word.
    pub(super) fn is_grammar(&self, key: u64) -> bool {
        static STEMS: OnceLock<Keys> = OnceLock::new();
        STEMS
            .get_or_init(|| STOP_WORDS.iter().map(|word| stem_key(singular(word.as_bytes()))).collect())
            .contains(&key)
    }
}

/// Expands a query for a full-text index: appends the words of its short forms, the short forms of its words, its
/// compounds written as one word or as two, and related words.
pub fn wider_query(query: &str) -> String {
    let query = &query[..query.floor_char_boundary(4096)];
    let lower = query.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut wider = query.to_owned();
    // "fine-tuning" is also written "finetuning".
    for compound in lower.split(|c: char| !c.is_alphanumeric() && c != '-') {
        let parts: Vec<&str> = compound.split('-').collect();
        if parts.len() == 2 && parts.iter().all(|part| part.len() > 1) {
            wider.extend([" ", parts[0], parts[1]]);
        }
    }
    for word in &words {
        let first = PREFIXES.iter().find_map(|part| Some((part, word.strip_prefix(part)?)));
        if let Some((part, rest)) = first.filter(|(_, rest)| rest.len() >= LEAST_REST_LETTERS) {
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
    // Each word is added once, because a long query has many related words.
    let mut known: BTreeSet<&str> = words.iter().copied().collect();
    for (asked, related) in stems_of_relations() {
        if asked.iter().any(|name| stems.windows(name.len()).any(|window| window == name)) {
            for word in related.iter().flat_map(|name| name.split(' ')).filter(|word| known.insert(word)) {
                wider.extend([" ", word]);
            }
        }
    }
    wider.push_str(&unspaced::wider(query));
    wider
}

/// Loads the tables of related words ahead of the first ranking, where it would take some milliseconds.
pub fn read_related_words() {
    common_synonyms();
}

/// Whether the tables have synonyms for a word, or for an expression that begins with it.
pub fn is_known_word(word: &str) -> bool {
    common_synonyms().contains_key(&stem_of(word))
}

fn stem_of(word: &str) -> u64 {
    stem_key(singular(word.as_bytes()))
}

/// The stems of an expression, split into tokens like a text.
fn stems_of(name: &str) -> Vec<u64> {
    let mut stems = Vec::new();
    each_token(name, 0, name.len(), false, |token| stems.push(token.stem));
    stems
}

/// A list of expressions, each as its stems.
type Stems = Vec<Vec<u64>>;

/// For each relation, the stems of its query expressions, and its related expressions.
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

/// Prefixes that are written with or without a hyphen.
const PREFIXES: [&str; 12] =
    ["auto", "co", "cross", "fine", "inter", "meta", "multi", "post", "pre", "self", "semi", "text"];
/// Least number of letters after such a prefix.
const LEAST_REST_LETTERS: usize = 5;

/// Least number of letters of a short form that a document defines; shorter ones match too many words by chance.
const SHORTEST: usize = 3;
/// Most letters of such a short form.
const LONGEST: usize = 6;

/// Visits the definitions such as "vision-language-action (VLA)": the stems of the words, and that of the short form.
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

fn common_synonyms() -> &'static ByKey<Vec<Synonym>> {
    static FORMS: OnceLock<ByKey<Vec<Synonym>>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let mut synonyms: ByKey<Vec<Synonym>> = ByKey::default();
        // The position of each synonym in the list of its first stem.
        let mut places: ByKey<usize> = ByKey::default();
        let mut add = |one: &[u64], other: &[u64], nearness: f64| {
            // A related expression must add a word: "ship" does not answer a query for "autonomous ship".
            let is_wider = nearness < 1.0 && other.iter().all(|word| one.contains(word));
            let is_itself = one == other;
            if let [first, rest @ ..] = one
                && !is_wider
                && !is_itself
            {
                let known = synonyms.entry(*first).or_default();
                let both = one.iter().chain(&[0]).chain(other).fold(0, |state, word| mix(state, *word));
                match places.entry(both) {
                    Entry::Occupied(place) => {
                        let synonym = &mut known[*place.get()];
                        synonym.nearness = synonym.nearness.max(nearness);
                    }
                    Entry::Vacant(place) => {
                        place.insert(known.len());
                        known.push(Synonym { rest: rest.to_vec(), other: other.to_vec(), nearness });
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
        synonyms
    })
}
