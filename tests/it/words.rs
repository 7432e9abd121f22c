//! What is told by id has words wherever an id may come from.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{ENGLISH, Phrase};
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A phrase, or several one after the other, in English.
pub(crate) fn english(value: &Value) -> String {
    match value {
        Value::Array(all) => all.iter().map(english).collect::<Vec<_>>().join("\n"),
        one => Phrase::deserialize(one).unwrap().english(),
    }
}

/// The places of a text.
fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
}

/// The tags that a closed list knows, as it names them itself where one is wrong.
fn tags<T: DeserializeOwned>(tag: &str) -> BTreeSet<String> {
    let error = serde_json::from_value::<T>(json!({ tag: "?" })).err().unwrap().to_string();
    let known = error.split_once("expected one of ").unwrap().1;
    known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A closed list has a text for each of its tags, and a text has the places of its fields, but for those of `untold`.
fn assert_worded<T: DeserializeOwned>(prefix: &str, tag: &str, beyond: &[&str], untold: &Value) {
    let of_list = ENGLISH.iter().filter_map(|(id, text)| Some((id.strip_prefix(prefix)?, *text)));
    let texts: BTreeMap<&str, &str> = of_list.filter(|(id, _)| !beyond.contains(id)).collect();
    assert_eq!(texts.keys().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>(), tags::<T>(tag));
    for (id, text) in texts {
        let is_read = |value: &Value| {
            let mut fields = untold.clone();
            fields[tag] = json!(id);
            places(text).into_iter().for_each(|place| fields[place] = value.clone());
            serde_json::from_value::<T>(fields).is_ok()
        };
        let values = [json!("x"), json!(2), json!(["x"])];
        assert!(values.iter().any(is_read), "`{prefix}{id}` has other fields than `{text}`");
    }
}

#[test]
fn whatever_is_done_to_an_answer_or_wrong_with_it_has_a_text() {
    assert_worded::<answers::Rung>("rung.", "rung", &[], &json!({}));
    assert_worded::<answers::Fault>("flaw.", "fault", &["whole_shape"], &json!({ "known": [] }));
}

#[test]
fn the_notes_of_the_programs_pipelines_are_told_in_every_language() {
    for pipeline in pipelines::all() {
        for language in ["zh", "ja"] {
            let words = &pipeline.definition().translations[language];
            for (id, text) in &pipeline.notes() {
                let theirs = words.get(text.as_str()).unwrap_or_else(|| panic!("{language}: `{id}`"));
                assert_eq!(places(theirs), places(text), "{language}: `{id}`");
            }
        }
    }
}
