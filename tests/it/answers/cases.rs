//! The cases of the corpus, and what is said about those that read wrongly.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

const FIELDS: [&str; 11] = [
    "name",
    "schema",
    "raw",
    "thinking",
    "tool_calls",
    "titles",
    "was_cut",
    "expected",
    "nothing",
    "in_part",
    "named",
];

/// One answer, and what a careful reader takes from it.
#[derive(Clone)]
pub(super) struct Case {
    /// Its family and its name.
    pub(super) name: String,
    pub(super) schema: String,
    pub(super) raw: String,
    pub(super) thinking: String,
    /// Name and arguments.
    pub(super) calls: Vec<(String, Value)>,
    /// Of what the model was shown to choose from.
    pub(super) titles: Vec<String>,
    pub(super) was_cut: bool,
    /// Nothing where it is no answer.
    pub(super) expected: Option<Value>,
    /// What is taken of it when it stays cut off.
    pub(super) in_part: Option<Value>,
    /// What is taken of it, because it names that, when it stays no answer.
    pub(super) named: Option<Value>,
}

impl Case {
    /// A text and nothing beside it.
    pub(super) fn of_text(raw: &str) -> Case {
        Case {
            name: raw.to_owned(),
            schema: String::new(),
            raw: raw.to_owned(),
            thinking: String::new(),
            calls: Vec::new(),
            titles: Vec::new(),
            was_cut: false,
            expected: None,
            in_part: None,
            named: None,
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/answers")
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The schemas by their ids.
pub(super) fn schemas() -> BTreeMap<String, Value> {
    let Value::Object(schemas) = json(&folder().join("schemas.json")) else { panic!("schemas by their ids") };
    schemas.into_iter().collect()
}

/// Every case of every family.
pub(super) fn cases() -> Vec<Case> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        path.extension().is_some_and(|kind| kind == "json") && !path.ends_with("schemas.json")
    });
    files.sort();
    let of_family = |path: &PathBuf| {
        let family = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Value::Array(cases) = json(path) else { panic!("{family} is no list") };
        cases.into_iter().map(move |written| case(&family, &written)).collect::<Vec<Case>>()
    };
    let cases: Vec<Case> = files.iter().flat_map(of_family).collect();
    let mut names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    let twice: Vec<&[&str]> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "two cases of one name: {twice:?}");
    cases
}

fn case(family: &str, written: &Value) -> Case {
    let text = |field: &str| written[field].as_str().unwrap_or_default().to_owned();
    let name = format!("{family}: {}", text("name"));
    for field in written.as_object().unwrap().keys() {
        assert!(FIELDS.contains(&field.as_str()), "{name}: `{field}` means nothing");
    }
    assert!(written["raw"].is_string() && written["schema"].is_string(), "{name}: raw and schema are texts");
    let expected = written.get("expected").cloned();
    assert_eq!(expected.is_none(), written["nothing"] == true, "{name}: either expected or nothing");
    let calls = written["tool_calls"].as_array().into_iter().flatten();
    Case {
        schema: text("schema"),
        raw: text("raw"),
        thinking: text("thinking"),
        calls: calls
            .map(|call| (call["name"].as_str().unwrap().to_owned(), call["arguments"].clone()))
            .collect(),
        titles: written["titles"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|title| title.as_str().unwrap().to_owned())
            .collect(),
        was_cut: written["was_cut"] == true,
        expected,
        in_part: written.get("in_part").cloned(),
        named: written.get("named").cloned(),
        name,
    }
}

/// Equal, where 8 and 8.0 are one number.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other,
    }
}

/// What was read against what a careful reader takes; a row of the table where they differ.
pub(super) fn difference(case: &Case, read: &Result<Value, String>) -> Option<String> {
    let wanted = case.expected.as_ref().map_or_else(|| "nothing".to_owned(), Value::to_string);
    match (read, &case.expected) {
        (Ok(value), Some(expected)) if is_same(value, expected) => None,
        (Err(_), None) => None,
        (Ok(value), _) => Some(format!("{}\n    read   {value}\n    wanted {wanted}", case.name)),
        (Err(error), _) => Some(format!("{}\n    read   nothing: {error}\n    wanted {wanted}", case.name)),
    }
}

/// Fails with all rows, and with how many there are in each family.
pub(super) fn demand_none(differences: &[String], of: usize) {
    let mut by_family: BTreeMap<&str, usize> = BTreeMap::new();
    for row in differences {
        *by_family.entry(row.split(':').next().unwrap_or_default()).or_default() += 1;
    }
    assert!(
        differences.is_empty(),
        "{} of {of} are read wrongly: {by_family:?}\n{}",
        differences.len(),
        differences.join("\n")
    );
}
