//! Other ways to say a thing: short forms, the usual ones of the field and those that the documents define, and words
//! that name nearly the same.

use super::Document;
use crate::known_words::SHORT_FORMS;
use crate::related_words::RELATED;
use crate::stop_words::STOP_WORDS;
use crate::tokens::{ByKey, Keys, Token, TokenKind, each_token, mix, singular, stem_key};
use std::sync::OnceLock;

/// Another way to say what a stem begins.
pub(super) struct Form {
    /// The stems that have to follow.
    pub(super) rest: Vec<u64>,
    /// The stems that say it otherwise.
    pub(super) other: Vec<u64>,
    /// Means the very same, and not only nearly.
    pub(super) is_same: bool,
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
                            is_same: true,
                        });
                        own.entry(short).or_default().push(Form {
                            rest: Vec::new(),
                            other: words.to_vec(),
                            is_same: true,
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
    let stem = |word: &str| stem_key(singular(word.as_bytes()));
    let stems: Vec<u64> = words.iter().map(|word| stem(word)).collect();
    for group in RELATED {
        let stands = |name: &&&str| {
            let name: Vec<u64> = name.split(' ').map(stem).collect();
            stems.windows(name.len()).any(|window| window == name)
        };
        if group.iter().any(|name| stands(&name)) {
            wider.extend(group.iter().filter(|name| !stands(name)).flat_map(|name| [" ", name]));
        }
    }
    wider
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
        let stems = |words: &mut dyn Iterator<Item = &str>| -> Vec<u64> {
            words.map(|word| stem_key(singular(word.as_bytes()))).collect()
        };
        let mut forms: ByKey<Vec<Form>> = ByKey::default();
        let mut add = |one: &[u64], other: &[u64], is_same: bool| {
            if let [first, rest @ ..] = one
                && one != other
            {
                forms.entry(*first).or_default().push(Form {
                    rest: rest.to_vec(),
                    other: other.to_vec(),
                    is_same,
                });
            }
        };
        for (short, long) in SHORT_FORMS {
            let (short, long) = (stems(&mut std::iter::once(short)), stems(&mut long.iter().copied()));
            add(&long, &short, true);
            add(&short, &long, true);
        }
        for group in RELATED {
            let group: Vec<Vec<u64>> = group.iter().map(|name| stems(&mut name.split(' '))).collect();
            for one in &group {
                group.iter().for_each(|other| add(one, other, false));
            }
        }
        forms
    })
}
