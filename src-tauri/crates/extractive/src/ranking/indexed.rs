//! The words of a document with what decides whether they are its subject: their sentence, and the compound or name
//! that they are a part of.

use std::sync::OnceLock;

use crate::tables::{CREATING, FINDING, STUDYING};
use prose::is_ideographic;
use prose::is_stop;
use prose::tokens::{ByKey, Keys, Token, TokenKind, each_pair, each_token, singular, stem_key, word_key};

/// A word of a document, or a pair of ideographs.
#[derive(Clone, Copy)]
pub(super) struct Word {
    /// Its stem.
    pub(super) key: u64,
    /// Of a word behind a hyphen: the stem of both parts written as one word; else 0.
    pub(super) fused: u64,
    /// Its sentence, from 0.
    pub(super) sentence: u32,
    /// Stands against the word before it, or is parted from it by a hyphen only.
    pub(super) is_joined: bool,
    /// Has a capital behind its first letter, as names of methods and products have.
    pub(super) is_name: bool,
    /// Carries meaning: no grammar, no figure, no single letter.
    pub(super) is_content: bool,
    /// Has the ending of a participle: "labeled".
    pub(super) is_participle: bool,
    pub(super) roles: Roles,
}

/// What a word is known to stand for, by its own.
#[derive(Clone, Copy, Default)]
pub(super) struct Roles {
    /// Names the field of artificial intelligence.
    is_of_field: bool,
    /// Is mostly used in it.
    is_near_field: bool,
    /// Says that something is made or published.
    is_creating: bool,
    /// Says what a work does: makes, studies or finds something.
    is_deed: bool,
    /// Says what is looked into, not only what something is tried on.
    is_inquiry: bool,
    /// Stands for the writers of a work, or for the work.
    is_own: bool,
    /// Ties what stands before it in a compound to what is spoken of: "quantization-aware".
    pub(super) is_relating: bool,
}

/// A document as it is ranked.
pub(super) struct IndexedDocument {
    pub(super) title: Vec<Word>,
    pub(super) body: Vec<Word>,
}

/// Words that most articles of the field have, and few of others several times.
static NEAR_FIELD: [&str; 21] = [
    "algorithm",
    "annotated",
    "automated",
    "automatic",
    "autonomous",
    "bot",
    "computer",
    "software",
    "benchmark",
    "classifier",
    "dataset",
    "encoder",
    "learned",
    "learning",
    "model",
    "multimodal",
    "network",
    "pretrained",
    "segmentation",
    "trained",
    "training",
];

/// Words that stand for the field wherever they are used.
static FIELD_WORDS: [&str; 20] = [
    "agentic",
    "ai",
    "chatbot",
    "chatgpt",
    "deepfake",
    "genai",
    "generated",
    "generative",
    "gpt",
    "ki",
    "llm",
    "lm",
    "mllm",
    "neural",
    "openai",
    "robot",
    "robotic",
    "transformer",
    "vla",
    "vlm",
];

/// Pairs of words that name it.
static FIELD_PAIRS: [(&str, &str); 9] = [
    ("frontier", "model"),
    ("music", "generator"),
    ("artificial", "intelligence"),
    ("deep", "learning"),
    ("diffusion", "model"),
    ("foundation", "model"),
    ("language", "model"),
    ("machine", "learning"),
    ("reinforcement", "learning"),
];

/// Parts of a compound behind which the part before keeps its meaning: "AI-generated".
static RELATING: [&str; 28] = [
    "aided",
    "assisted",
    "augmented",
    "aware",
    "based",
    "capable",
    "centric",
    "conditioned",
    "created",
    "driven",
    "enabled",
    "enhanced",
    "focused",
    "generated",
    "grounded",
    "guided",
    "induced",
    "infused",
    "integrated",
    "like",
    "made",
    "oriented",
    "powered",
    "related",
    "specific",
    "style",
    "supported",
    "written",
];

/// Verbs of looking into something.
static INQUIRY: [&str; 10] = [
    "analyse",
    "analyze",
    "audit",
    "characterize",
    "examine",
    "explore",
    "formalize",
    "investigate",
    "revisit",
    "study",
];
/// Words between the verb that something is done and what it is done with.
const FAR_FROM_VERB: usize = 10;
/// Words by which writers of a paper speak of it.
static OWN_WORDS: [&str; 4] = ["paper", "study", "we", "work"];

/// Words of which a paper has two different ones.
static RESEARCH_WORDS: [&str; 9] = [
    "propose",
    "experiment",
    "baseline",
    "framework",
    "method",
    "approach",
    "formulation",
    "dataset",
    "workflow",
];

fn is_among_stems(key: u64, table: &'static OnceLock<Keys>, words: &[&str]) -> bool {
    let stems = || words.iter().map(|word| stem_key(singular(word.as_bytes()))).collect();
    table.get_or_init(stems).contains(&key)
}

/// What the words of the tables stand for, by their keys.
fn roles() -> &'static ByKey<Roles> {
    static ROLES: OnceLock<ByKey<Roles>> = OnceLock::new();
    ROLES.get_or_init(|| {
        let mut roles: ByKey<Roles> = ByKey::default();
        let mut give = |words: &[&str], role: fn(&mut Roles)| {
            words.iter().for_each(|word| role(roles.entry(word_key(word)).or_default()));
        };
        give(&FIELD_WORDS, |roles| roles.is_of_field = true);
        give(&NEAR_FIELD, |roles| roles.is_near_field = true);
        give(&CREATING, |roles| (roles.is_creating, roles.is_deed) = (true, true));
        give(&STUDYING, |roles| roles.is_deed = true);
        give(&FINDING, |roles| roles.is_deed = true);
        give(&INQUIRY, |roles| roles.is_inquiry = true);
        give(&OWN_WORDS, |roles| roles.is_own = true);
        give(&RELATING, |roles| roles.is_relating = true);
        roles
    })
}

impl IndexedDocument {
    /// Both texts have to be in the normal form of tokens.
    pub(super) fn new(title: &str, body: &str) -> Self {
        Self { title: words_of(title, false), body: words_of(body, true) }
    }

    /// Words of title and body.
    pub(super) fn len(&self) -> usize {
        self.title.len() + self.body.len()
    }

    /// The title, then the sentences of the body.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[Word]> {
        std::iter::once(self.title.as_slice()).chain(self.sentences())
    }

    /// The sentences of the body.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &[Word]> {
        self.body.chunk_by(|one, other| one.sentence == other.sentence)
    }

    /// Whether its writers say what they did themselves, as in a paper: "we propose".
    pub(super) fn tells_own_work(&self) -> bool {
        self.body
            .windows(3)
            .any(|words| words[0].roles.is_own && (words[1].roles.is_deed || words[2].roles.is_deed))
    }

    /// Whether it is a paper, also where no sentence says "we".
    pub(super) fn is_research(&self) -> bool {
        static RESEARCH: OnceLock<Keys> = OnceLock::new();
        let is_research = |word: &&Word| is_among_stems(word.key, &RESEARCH, &RESEARCH_WORDS);
        let mut seen = Keys::default();
        self.tells_own_work()
            || self.body.iter().filter(is_research).any(|word| seen.insert(word.key) && seen.len() > 1)
    }

    /// Whether the field stands in its title or opening, or in several of its sentences.
    pub(super) fn is_of_field(&self, opening: u32) -> bool {
        let is_near =
            |words: &[Word]| names_field(words) || words.iter().any(|word| word.roles.is_near_field);
        let mut sentences = self.sentences().filter(|sentence| is_near(sentence));
        is_near(&self.title)
            || sentences.next().is_some_and(|first| first[0].sentence < opening || sentences.next().is_some())
    }
}

/// Whether a part of a document names the field.
pub(super) fn names_field(words: &[Word]) -> bool {
    static PAIRS: OnceLock<Vec<(u64, u64)>> = OnceLock::new();
    let key = |word: &str| stem_key(singular(word.as_bytes()));
    let pairs = PAIRS.get_or_init(|| FIELD_PAIRS.iter().map(|(one, two)| (key(one), key(two))).collect());
    words.iter().any(|word| word.roles.is_of_field)
        || words.windows(2).any(|pair| pairs.contains(&(pair[0].key, pair[1].key)))
}

/// Whether something is said to be made or published in a sentence before a place.
pub(super) fn is_made_before(sentence: &[Word], at: usize) -> bool {
    sentence[..at].iter().any(|word| word.roles.is_creating)
}

/// Whether it is said close before a place that something is made, or that the writers look into it.
pub(super) fn is_deed_before(sentence: &[Word], at: usize) -> bool {
    let near = at.saturating_sub(FAR_FROM_VERB)..at;
    near.into_iter().any(|verb| {
        let is_own = || sentence[verb.saturating_sub(2)..verb].iter().any(|word| word.roles.is_own);
        sentence[verb].roles.is_creating || sentence[verb].roles.is_inquiry && is_own()
    })
}

/// The words of a text; without sentences all are in the first.
fn words_of(text: &str, has_sentences: bool) -> Vec<Word> {
    let roles = roles();
    let mut words = Vec::with_capacity(text.len() / 6 + 2);
    let (mut start, mut sentence) = (0, 0);
    while start < text.len() {
        let end = if has_sentences { sentence_end(text, start) } else { text.len() };
        let mut before: Option<Token> = None;
        each_token(text, start, end, false, |token| {
            if token.kind != TokenKind::Ideographic {
                let written = |token: &Token| &text[token.start as usize..token.end as usize];
                let fused = |before: Token| {
                    let both = format!("{}{}", written(&before), written(&token)).to_lowercase();
                    stem_key(singular(both.as_bytes()))
                };
                words.push(Word {
                    key: token.stem,
                    fused: before.filter(|_| token.is_joined).map_or(0, fused),
                    sentence,
                    is_joined: token.is_joined,
                    is_name: token.has_inner_capital,
                    is_content: token.kind == TokenKind::Word
                        && token.end - token.start > 1
                        && !is_stop(token.key),
                    is_participle: written(&token).ends_with("ed"),
                    roles: roles.get(&token.key).copied().unwrap_or_default(),
                });
                before = Some(token);
            }
        });
        each_pair(&text[start..end], |key| {
            words.push(Word {
                key,
                fused: 0,
                sentence,
                is_joined: false,
                is_name: false,
                is_content: true,
                is_participle: false,
                roles: Roles::default(),
            });
        });
        start = end;
        // A line of one word or none is no sentence, but a label: "Motivation."
        let has_words = words.iter().rev().take(2).filter(|word| word.sentence == sentence).count() > 1;
        sentence += u32::from(has_words);
    }
    words
}

/// Where the sentence ends that begins at a place: a rough measure for long texts, which takes no stop behind a short form
/// for an end.
fn sentence_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(found) = text[at..].find(['.', '!', '?', '。', '！', '？', '\n']) {
        let stop = at + found;
        let Some(mark) = text[stop..].chars().next() else { break };
        at = stop + mark.len_utf8();
        if !mark.is_ascii() {
            return at;
        }
        let begins = text[at..].trim_start_matches([' ', '"', '\'', '”', '’', '(', ')']).chars().next();
        let is_begin = begins.is_none_or(|next| !next.is_lowercase() || is_ideographic(next))
            && bytes.get(at) != Some(&b'.');
        let is_apart = bytes.get(at).is_none_or(|next| !next.is_ascii_alphanumeric());
        let near = &text[text.ceil_char_boundary(stop.saturating_sub(4)).max(start)..stop];
        let word = near.rsplit([' ', '(']).next().unwrap_or_default();
        let is_short =
            mark == '.' && (word.len() < 2 || matches!(word, "al" | "vs" | "cf" | "e.g" | "i.e" | "Dr"));
        if mark == '\n' || is_apart && is_begin && !is_short {
            return at;
        }
    }
    text.len()
}
