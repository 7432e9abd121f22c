//! The word lists of `data/`: one entry per line; lines that begin with `#` are comments.

use std::sync::LazyLock;

use prose::tokens::{Keys, word_key};

/// A list of words.
pub(crate) type Table = LazyLock<Vec<&'static str>>;

macro_rules! read {
    ($file:literal) => {
        lines(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $file, ".txt")))
    };
}

macro_rules! table {
    ($name:ident, $file:literal) => {
        pub(crate) static $name: Table = LazyLock::new(|| read!($file).collect());
    };
}

table!(LEANING, "leaning");
table!(POINTING, "pointing");
table!(CONTRAST, "contrast");
table!(OWN_WORK, "own-work");

table!(AFFAIRS, "ranking/affairs");
table!(BETWEEN, "ranking/between");
table!(CREATING, "ranking/creating");
table!(FIELD, "ranking/field");
table!(FIELD_PAIRS, "ranking/field-pairs");
table!(FIELD_VAGUE, "ranking/field-vague");
table!(FINDING, "ranking/finding");
table!(KINDS, "ranking/kinds-of-works");
table!(MEDIA, "ranking/media");
table!(NEEDED_IN_PAIRS, "ranking/needed-in-pairs");
table!(STUDYING, "ranking/studying");
table!(TIES, "ranking/ties");
table!(WRAPPING, "ranking/wrapping-characters");
table!(WRAPPING_WORDS, "ranking/wrapping");

/// Keys of filler words that name a thing together with the next word: "state space".
pub(crate) static FIRST_OF_TWO: LazyLock<Keys> =
    LazyLock::new(|| read!("ranking/first-of-two").map(word_key).collect());
/// Keys of words that fit almost any topic.
pub(crate) static VAGUE: LazyLock<Keys> = LazyLock::new(|| read!("ranking/vague").map(word_key).collect());

fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}
