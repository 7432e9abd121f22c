//! The table `forms.toml`, read once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

/// A pattern of the table.
pub(super) struct Form(pub(super) Regex);

impl<'de> Deserialize<'de> for Form {
    fn deserialize<D: Deserializer<'de>>(written: D) -> Result<Form, D::Error> {
        Regex::new(&String::deserialize(written)?).map(Form).map_err(D::Error::custom)
    }
}

/// The whole table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) title: Vec<Form>,
    pub(super) not_a_title: Form,
    pub(super) place: Vec<Form>,
    pub(super) not_a_place: Form,
    pub(super) rest: Rest,
    pub(super) numbers: Numbers,
    pub(super) day: Days,
    pub(super) time: Times,
    pub(super) radius: Radius,
    pub(super) most_points: Patterns,
    pub(super) episodes: Episodes,
    /// By kind of place.
    pub(super) kinds: BTreeMap<String, Form>,
    pub(super) marks: Marks,
}

/// How to find names that no form matches.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rest {
    pub(super) split: Form,
    pub(super) split_east_asian: Form,
    pub(super) edges: Form,
    pub(super) not_a_name: Form,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Numbers {
    /// The word for each number, from zero.
    pub(super) words: Vec<String>,
    /// The words for things that are counted.
    pub(super) counter: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Days {
    pub(super) forms: Vec<Form>,
    pub(super) unclear: Form,
    /// By name of the day.
    pub(super) words: BTreeMap<String, Form>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Patterns {
    pub(super) forms: Vec<Form>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Times {
    pub(super) forms: Vec<Form>,
    pub(super) afternoon: Form,
    pub(super) end_before: Form,
    pub(super) end_after: Form,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Radius {
    pub(super) forms: Vec<Form>,
    /// Each with its length in metres.
    pub(super) units: Vec<(Form, f64)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Episodes {
    pub(super) forms: Vec<Form>,
    pub(super) range: Form,
}

/// The words beside a wish that restrict or negate it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Marks {
    pub(super) and: Form,
    pub(super) only_before: Form,
    pub(super) only_behind: Form,
    pub(super) not_before: Form,
    pub(super) not_behind: Form,
}

/// Chinese numerals before a counter.
pub(super) static COUNTED: LazyLock<Regex> =
    LazyLock::new(|| compiled(&format!("([〇零一二两三四五六七八九十百]+)({})", TABLE.numbers.counter)));

/// Words for numbers.
pub(super) static NUMBER_WORDS: LazyLock<Regex> =
    LazyLock::new(|| compiled(&format!(r"(?i)\b({})\b", TABLE.numbers.words.join("|"))));

fn compiled(pattern: &str) -> Regex {
    // The tests read numbers, so an invalid pattern never gets here.
    Regex::new(pattern).unwrap_or_else(|why| unreachable!("the numbers of requests cannot be read: {why}"))
}

pub(super) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    // A test reads the table, so an unreadable one never gets here.
    toml_edit::de::from_str(include_str!("forms.toml"))
        .unwrap_or_else(|why| unreachable!("the forms of requests cannot be read: {why}"))
});
