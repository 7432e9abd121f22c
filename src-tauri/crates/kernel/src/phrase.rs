//! Phrases for people: an id with parameters, and a text in each language.
//!
//! A phrase of the program has its English form as its id, so that the code shows it. Not here: the texts of ids that
//! are tags of a list (`english`), and the catalogues of other languages, which are in the page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

use crate::{ENGLISH, Json};

/// A text for people: the id of a text and what fills it. Each language has a catalogue of texts by id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Phrase {
    /// The id: the English form with its places as `{name}`, or a tag of a list with texts of its own.
    pub id: String,
    /// What fills the places of the text, by name: a text, a number, a phrase, or a list of these.
    #[serde(default)]
    pub parameters: BTreeMap<String, Json>,
}

/// Makes a [`Phrase`] from an English form. Each placeholder takes the variable of the same name, or a value that is
/// given for it: `phrase!("There is no key `{key}`; there is {known}", key, known = names.join(", "))`. Missing or
/// extra names do not compile.
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

/// A form without placeholders, for tables and constants. Made by [`form!`](crate::form).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form(#[doc(hidden)] pub &'static str);

/// Makes a [`Form`] from English text.
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
    /// A phrase with a tag as its id; `parameters` is a JSON object.
    pub fn new(id: &str, parameters: Value) -> Phrase {
        let Value::Object(parameters) = parameters else {
            return Phrase { id: id.to_owned(), ..Phrase::default() };
        };
        let parameters = parameters.into_iter().map(|(name, value)| (name, Json(value))).collect();
        Phrase { id: id.to_owned(), parameters }
    }

    /// The phrase of a tagged value: the tag is the id, the fields are the parameters.
    pub fn of_tagged(prefix: &str, tag: &str, value: &impl Serialize) -> Phrase {
        let mut fields = serde_json::to_value(value).unwrap_or_default();
        let id = fields.as_object_mut().and_then(|fields| fields.remove(tag)).unwrap_or_default();
        Phrase::new(&format!("{prefix}.{}", id.as_str().unwrap_or_default()), fields)
    }

    /// Text that is not translated: of a person, a pipeline, a provider, a library.
    pub fn verbatim(words: impl Into<String>) -> Phrase {
        let words: String = words.into();
        crate::phrase!("{words}", words)
    }

    /// Joins sentences.
    pub fn sentences(sentences: impl IntoIterator<Item = Phrase>) -> Phrase {
        let joined = |first, next| crate::phrase!("{first} {next}", first, next);
        sentences.into_iter().reduce(joined).unwrap_or_default()
    }

    /// Joins several errors into one sentence.
    pub fn clauses(clauses: impl IntoIterator<Item = Phrase>) -> Phrase {
        let joined = |first, next| crate::phrase!("{first}; {next}", first, next);
        clauses.into_iter().reduce(joined).unwrap_or_default()
    }

    /// The first of the joined [sentences](Phrase::sentences), where there are several.
    pub fn first_sentence(&self) -> Option<Phrase> {
        let first = self.parameters.get("first").filter(|_| self.id == "{first} {next}")?;
        phrase_of(&first.0)
    }

    /// The phrase in English.
    pub fn english(&self) -> String {
        let known = ENGLISH.iter().find(|(id, _)| *id == self.id);
        self.filled(known.map_or(self.id.as_str(), |(_, text)| text))
    }

    /// A text with its placeholders replaced; a placeholder without a parameter stays.
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

    /// The phrase with `change` applied to each text parameter, also in nested phrases.
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

/// A value that can replace a placeholder.
pub trait PhraseParameter {
    /// The JSON of the parameter.
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

/// Written as it is displayed: an integer without a fraction.
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
    std::sync::Arc<str>
);

/// The end of the placeholder's name if one starts at this byte of a form.
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

/// Fails to compile where a form has other placeholders than these.
///
/// # Panics
/// A placeholder without a name, or a name without a placeholder.
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
    fn a_phrase_is_worded_in_english_with_nested_phrases_and_lists() {
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
    fn every_text_parameter_can_be_changed_at_any_depth() {
        let inner = crate::phrase!("said {words} {n}", words = vec!["secret", "open"], n = 2);
        let phrase = crate::phrase!("secret: {inner}", inner).map_texts(&|text| text.replace("secret", "•"));
        assert_eq!(phrase.english(), "secret: said •, open 2");
    }
}
