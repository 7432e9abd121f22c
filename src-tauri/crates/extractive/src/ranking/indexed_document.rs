//! A document as a list of words, each with its sentence, its compound and its role.

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
    /// For a word after a hyphen, the stem of both parts written as one word; else 0.
    pub(super) fused: u64,
    /// The 0-based index of its sentence.
    pub(super) sentence: u32,
    /// Follows the previous word directly, or after a hyphen.
    pub(super) is_joined: bool,
    /// Has a capital after its first letter, as names of methods and products have.
    pub(super) is_name: bool,
    /// Is a content word: not a grammar word, a figure or a single letter.
    pub(super) is_content: bool,
    /// Has the ending of a participle: "labeled".
    pub(super) is_participle: bool,
    pub(super) roles: Roles,
}

/// The roles of a word in the word lists.
#[derive(Clone, Copy, Default)]
pub(super) struct Roles {
    /// Names the field of artificial intelligence.
    is_of_field: bool,
    /// Is used mostly in the field.
    is_near_field: bool,
    /// Is a verb of making or publishing.
    is_creating: bool,
    /// Is a verb for what authors do: make, study or find something.
    is_work_verb: bool,
    /// Is a verb that takes the subject of a study as its object: "examine".
    is_inquiry: bool,
    /// Refers to the authors of a work or to the work: "we", "paper".
    is_author: bool,
    /// Keeps the meaning of the part before it in a compound: "quantization-aware".
    pub(super) is_relating: bool,
}

/// A document, prepared for ranking.
pub(super) struct IndexedDocument {
    pub(super) title: Vec<Word>,
    pub(super) body: Vec<Word>,
}

/// Words that most articles of the field contain, and that other articles rarely repeat.
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

/// Words that always indicate the field.
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

/// Pairs of neighbouring words that always indicate the field.
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

/// Last parts of compounds in which the part before keeps its meaning: "AI-generated".
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

/// Verbs that take the subject of a study as their object.
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
/// Most words between a verb and its object.
const FAR_FROM_VERB: usize = 10;
/// Words with which authors refer to themselves or to their paper.
static OWN_WORDS: [&str; 4] = ["paper", "study", "we", "work"];

/// Words of research: a document with two different ones is a paper.
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

/// The roles of all words of the lists, by their keys.
fn roles() -> &'static ByKey<Roles> {
    static ROLES: OnceLock<ByKey<Roles>> = OnceLock::new();
    ROLES.get_or_init(|| {
        let mut roles: ByKey<Roles> = ByKey::default();
        let mut give = |words: &[&str], role: fn(&mut Roles)| {
            words.iter().for_each(|word| role(roles.entry(word_key(word)).or_default()));
        };
        give(&FIELD_WORDS, |roles| roles.is_of_field = true);
        give(&NEAR_FIELD, |roles| roles.is_near_field = true);
        give(&CREATING, |roles| (roles.is_creating, roles.is_work_verb) = (true, true));
        give(&STUDYING, |roles| roles.is_work_verb = true);
        give(&FINDING, |roles| roles.is_work_verb = true);
        give(&INQUIRY, |roles| roles.is_inquiry = true);
        give(&OWN_WORDS, |roles| roles.is_author = true);
        give(&RELATING, |roles| roles.is_relating = true);
        roles
    })
}

impl IndexedDocument {
    /// Both texts must be in the form that [`prose::tokens::normal`] returns.
    pub(super) fn new(title: &str, body: &str) -> Self {
        Self { title: words_of(title, false), body: words_of(body, true) }
    }

    /// Number of words of title and body.
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

    /// Whether its authors report their own work, as in a paper: "we propose".
    pub(super) fn reports_own_work(&self) -> bool {
        self.body.windows(3).any(|words| {
            words[0].roles.is_author && (words[1].roles.is_work_verb || words[2].roles.is_work_verb)
        })
    }

    /// Whether it is a paper, also without a sentence with "we".
    pub(super) fn is_research(&self) -> bool {
        static RESEARCH: OnceLock<Keys> = OnceLock::new();
        let is_research = |word: &&Word| is_among_stems(word.key, &RESEARCH, &RESEARCH_WORDS);
        let mut seen = Keys::default();
        self.reports_own_work()
            || self.body.iter().filter(is_research).any(|word| seen.insert(word.key) && seen.len() > 1)
    }

    /// Whether its title, one of its first `opening` sentences, or several of its sentences name the field.
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

/// Whether a sentence has a verb of making or publishing before an index.
pub(super) fn is_made_before(sentence: &[Word], at: usize) -> bool {
    sentence[..at].iter().any(|word| word.roles.is_creating)
}

/// Whether a verb of making, or of the authors' own study, is close before an index of a sentence.
pub(super) fn is_introduced_before(sentence: &[Word], at: usize) -> bool {
    let near = at.saturating_sub(FAR_FROM_VERB)..at;
    near.into_iter().any(|verb| {
        let is_author = || sentence[verb.saturating_sub(2)..verb].iter().any(|word| word.roles.is_author);
        sentence[verb].roles.is_creating || sentence[verb].roles.is_inquiry && is_author()
    })
}

/// The words of a text; without `has_sentences` all of them are in sentence 0.
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
        // A sentence of at most one word is a label ("Motivation."), and the next sentence continues it.
        let has_words = words.iter().rev().take(2).filter(|word| word.sentence == sentence).count() > 1;
        sentence += u32::from(has_words);
    }
    words
}

/// The end of the sentence that begins at `start`. A fast approximation for long texts; a full stop after an
/// abbreviation does not end a sentence.
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
