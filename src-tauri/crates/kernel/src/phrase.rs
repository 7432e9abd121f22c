//! What is told to people: an id and what fills it, worded once per language.
//!
//! A sentence of the program has its English form as its id, so that it is read where it is made. Not here: the texts of
//! ids that are tags of a list (`words`), and other languages, which are catalogues of the page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

use crate::{ENGLISH, Error, Json};

/// What is told to people: the id of a text and what fills it. Each language has a catalogue of texts by id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Phrase {
    /// The id: the English form with its places as `{name}`, or a tag of a list with texts of its own.
    pub id: String,
    /// What fills the places of the text, by name: a text, a number, a phrase, or a list of these.
    #[serde(default)]
    pub parameters: BTreeMap<String, Json>,
}

/// Makes a [`Phrase`] of an English form. Each place of the form is named after it, with a value where no variable of this
/// name is meant: `phrase!("There is no key `{key}`; there is {known}", key, known = names.join(", "))`. Other places or
/// other names do not compile.
#[macro_export]
macro_rules! phrase {
    ($form:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const _: () = $crate::assert_places($form, &[$(stringify!($name)),*]);
        $crate::Phrase {
            id: ::std::borrow::ToOwned::to_owned($form),
            parameters: ::std::convert::From::from([
                $((::std::borrow::ToOwned::to_owned(stringify!($name)), $crate::phrase!(@ $name $($value)?))),*
            ]),
        }
    }};
    (@ $name:ident) => { $crate::PhraseParameter::to_parameter(&$name) };
    (@ $name:ident $value:expr) => { $crate::PhraseParameter::to_parameter(&$value) };
}

/// A form without places: words of the program that stand in a table or a constant. Made by [`form!`](crate::form).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form(#[doc(hidden)] pub &'static str);

/// Makes a [`Form`] of words in English.
#[macro_export]
macro_rules! form {
    ($words:literal) => {
        $crate::Form($words)
    };
}

impl From<Form> for Phrase {
    fn from(form: Form) -> Phrase {
        Phrase { id: form.0.to_owned(), ..Phrase::default() }
    }
}

impl Phrase {
    /// A phrase of a tag; `parameters` is a JSON object.
    pub fn new(id: &str, parameters: Value) -> Phrase {
        let Value::Object(parameters) = parameters else {
            return Phrase { id: id.to_owned(), ..Phrase::default() };
        };
        let parameters = parameters.into_iter().map(|(name, value)| (name, Json(value))).collect();
        Phrase { id: id.to_owned(), parameters }
    }

    /// The phrase of a tagged value: its tag is the id, its fields are the parameters.
    pub fn of_tagged(prefix: &str, tag: &str, value: &impl Serialize) -> Phrase {
        let mut fields = serde_json::to_value(value).unwrap_or_default();
        let id = fields.as_object_mut().and_then(|fields| fields.remove(tag)).unwrap_or_default();
        Phrase::new(&format!("{prefix}.{}", id.as_str().unwrap_or_default()), fields)
    }

    /// Words that are nobody's to translate: of a person, a pipeline, a provider, a library.
    pub fn verbatim(words: impl Into<String>) -> Phrase {
        let words: String = words.into();
        crate::phrase!("{words}", words)
    }

    /// Sentences one after the other.
    pub fn sentences(sentences: impl IntoIterator<Item = Phrase>) -> Phrase {
        let joined = |first, next| crate::phrase!("{first} {next}", first, next);
        sentences.into_iter().reduce(joined).unwrap_or_default()
    }

    /// Several findings in one sentence.
    pub fn clauses(clauses: impl IntoIterator<Item = Phrase>) -> Phrase {
        let joined = |first, next| crate::phrase!("{first}; {next}", first, next);
        clauses.into_iter().reduce(joined).unwrap_or_default()
    }

    /// The first of the [sentences](Phrase::sentences) in it, where it has several.
    pub fn first_sentence(&self) -> Option<Phrase> {
        let first = self.parameters.get("first").filter(|_| self.id == "{first} {next}")?;
        phrase_of(&first.0)
    }

    /// The phrase in English.
    pub fn english(&self) -> String {
        let known = ENGLISH.iter().find(|(id, _)| *id == self.id);
        self.filled(known.map_or(self.id.as_str(), |(_, text)| text))
    }

    /// A text with its places filled; a place without a parameter stays.
    pub(crate) fn filled(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, from)) = rest.split_once('{') {
            filled.push_str(before);
            let place =
                from.split_once('}').and_then(|(name, after)| Some((self.parameters.get(name)?, after)));
            match place {
                Some((value, after)) => {
                    filled.push_str(&plain(&value.0));
                    rest = after;
                }
                None => {
                    filled.push('{');
                    rest = from;
                }
            }
        }
        filled + rest
    }

    /// The phrase with each text among its parameters changed, those of phrases within it too.
    #[must_use]
    pub fn map_texts(mut self, change: &impl Fn(&str) -> String) -> Phrase {
        self.parameters.values_mut().for_each(|value| change_texts(&mut value.0, change));
        self
    }
}

impl std::fmt::Display for Phrase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.english())
    }
}

/// A parameter that is a phrase itself.
fn phrase_of(value: &Value) -> Option<Phrase> {
    value.get("id").and_then(|_| Phrase::deserialize(value).ok())
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => phrase_of(other).map_or_else(|| other.to_string(), |phrase| phrase.english()),
    }
}

fn change_texts(value: &mut Value, change: &impl Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| change_texts(item, change)),
        other => {
            if let Some(phrase) = phrase_of(other) {
                *other = phrase.map_texts(change).to_parameter().0;
            }
        }
    }
}

/// What may fill a place of a phrase.
pub trait PhraseParameter {
    /// As it stands among the parameters.
    fn to_parameter(&self) -> Json;
}

impl<T: PhraseParameter + ?Sized> PhraseParameter for &T {
    fn to_parameter(&self) -> Json {
        (**self).to_parameter()
    }
}

impl<T: PhraseParameter> PhraseParameter for [T] {
    fn to_parameter(&self) -> Json {
        Json(self.iter().map(|item| item.to_parameter().0).collect())
    }
}

impl<T: PhraseParameter, const N: usize> PhraseParameter for [T; N] {
    fn to_parameter(&self) -> Json {
        self.as_slice().to_parameter()
    }
}

impl<T: PhraseParameter> PhraseParameter for Vec<T> {
    fn to_parameter(&self) -> Json {
        self.as_slice().to_parameter()
    }
}

impl PhraseParameter for Phrase {
    fn to_parameter(&self) -> Json {
        Json(json!(self))
    }
}

impl PhraseParameter for Form {
    fn to_parameter(&self) -> Json {
        Phrase::from(*self).to_parameter()
    }
}

impl PhraseParameter for Error {
    fn to_parameter(&self) -> Json {
        self.phrase.to_parameter()
    }
}

/// Written as it is displayed: whole without a fraction.
impl PhraseParameter for f64 {
    fn to_parameter(&self) -> Json {
        let written = self.to_string();
        Json(serde_json::from_str(&written).unwrap_or(Value::String(written)))
    }
}

macro_rules! as_json {
    ($($of:ty),*) => {$(
        impl PhraseParameter for $of {
            fn to_parameter(&self) -> Json {
                Json(json!(self))
            }
        }
    )*};
}

macro_rules! as_displayed {
    ($($of:ty),*) => {$(
        impl PhraseParameter for $of {
            fn to_parameter(&self) -> Json {
                Json(Value::String(self.to_string()))
            }
        }
    )*};
}

as_json!(str, String, u8, u16, u32, u64, usize, i32, i64);
as_displayed!(
    std::io::Error,
    serde_json::Error,
    std::path::Display<'_>,
    std::net::IpAddr,
    std::sync::Arc<str>,
    crate::RunId,
    crate::Condition
);

/// Whether a place is written at this byte of a form, and where its name ends.
const fn place_at(form: &[u8], at: usize) -> Option<usize> {
    if form[at] != b'{' {
        return None;
    }
    let mut end = at + 1;
    while end < form.len()
        && (form[end].is_ascii_lowercase() || form[end].is_ascii_digit() || form[end] == b'_')
    {
        end += 1;
    }
    if end > at + 1 && end < form.len() && form[end] == b'}' { Some(end) } else { None }
}

const fn is_named(form: &[u8], from: usize, end: usize, name: &[u8]) -> bool {
    if end - from != name.len() {
        return false;
    }
    let mut at = 0;
    while at < name.len() {
        if form[from + at] != name[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Stops the compiler where a form has other places than these.
///
/// # Panics
/// A place without a name, or a name without a place.
#[doc(hidden)]
pub const fn assert_places(form: &str, names: &[&str]) {
    let form = form.as_bytes();
    let mut met = [false; 16];
    let mut at = 0;
    while at < form.len() {
        if let Some(end) = place_at(form, at) {
            let mut is_known = false;
            let mut index = 0;
            while index < names.len() {
                if is_named(form, at + 1, end, names[index].as_bytes()) {
                    met[index] = true;
                    is_known = true;
                }
                index += 1;
            }
            assert!(is_known, "a place of the form is not filled");
        }
        at += 1;
    }
    let mut index = 0;
    while index < names.len() {
        assert!(met[index], "a parameter has no place in the form");
        index += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_told_in_english_with_the_phrases_and_lists_that_fill_it() {
        let why = crate::phrase!("`{key}` is not there", key = "{other}");
        let known = vec!["a", "b"];
        let phrase =
            crate::phrase!("Run {n} failed: {why}; there is {known}, {odd thing} {", n = 3, why, known);
        assert_eq!(phrase.english(), "Run 3 failed: `{other}` is not there; there is a, b, {odd thing} {");
        let written = serde_json::to_string(&phrase).unwrap();
        assert_eq!(serde_json::from_str::<Phrase>(&written).unwrap(), phrase);
        assert_eq!(Phrase::verbatim("{words} as they are").english(), "{words} as they are");
        assert_eq!(Phrase::sentences([why, crate::phrase!("Go.")]).english(), "`{other}` is not there Go.");
    }

    #[test]
    fn every_text_that_fills_a_phrase_can_be_changed_however_deep_it_stands() {
        let inner = crate::phrase!("said {words} {n}", words = vec!["secret", "open"], n = 2);
        let phrase = crate::phrase!("secret: {inner}", inner).map_texts(&|text| text.replace("secret", "•"));
        assert_eq!(phrase.english(), "secret: said •, open 2");
    }
}
