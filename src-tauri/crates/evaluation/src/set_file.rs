//! Files of data sets: JSON Lines and CSV.
//!
//! A line of JSON is one case: `{"inputs": {…}, "name": "…", "expect": [{…}], "reference": "…"}`. A first line
//! `{"set": {"pipeline": "…", "expect": [{…}]}}` is about the whole set. In CSV a row is a case and a column an input;
//! `name`, `reference` and columns that begin with `expect.` have their own meaning.

use std::collections::BTreeMap;

use kernel::{Json, KeyPath, Phrase, phrase};
use serde_json::{Map, Value, json};

use crate::{Case, Criterion, DataSet, Expectation, HIGHEST_SCORE};

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetFormat {
    /// JSON Lines.
    JsonLines,
    /// CSV with a head.
    Csv,
}

/// What a file says of a set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetFile {
    /// The pipeline, where it is named.
    pub pipeline: Option<String>,
    /// What is expected of every case.
    pub expect: Vec<Expectation>,
    /// The cases.
    pub cases: Vec<Case>,
}

/// Reads the text of a file.
///
/// # Errors
/// The first line that cannot be read, counted from 1, and why; or that there is no case.
pub fn read_set(format: SetFormat, text: &str) -> Result<SetFile, Phrase> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = match format {
        SetFormat::JsonLines => json_lines(text)?,
        SetFormat::Csv => csv(text)?,
    };
    if file.cases.is_empty() {
        return Err(phrase!("The file has no case; a case is a line with `inputs`"));
    }
    Ok(file)
}

/// The set as JSON Lines, which [`read_set`] reads as the same set.
pub fn write_set(set: &DataSet) -> String {
    let mut head = json!({ "pipeline": set.pipeline });
    if !set.expect.is_empty() {
        head["expect"] = json!(set.expect);
    }
    let cases = set.cases.iter().map(|case| json!(case));
    let lines = std::iter::once(json!({ "set": head })).chain(cases);
    lines.map(|line| format!("{line}\n")).collect()
}

/// Reads an expectation, which has exactly one criterion.
///
/// # Errors
/// Why it cannot be read.
pub fn read_expectation(json: &Value) -> Result<Expectation, Phrase> {
    let Value::Object(fields) = json else {
        return Err(phrase!("an expectation is an object such as {example}", example = EXAMPLE));
    };
    let criteria: Vec<&String> =
        fields.keys().filter(|name| Criterion::NAMES.contains(&name.as_str())).collect();
    let [criterion] = criteria[..] else {
        return Err(phrase!("an expectation has exactly one of {known}", known = Criterion::NAMES));
    };
    known_fields(fields, &[criterion.as_str(), "name", "key", "at_least"])?;
    let has = |name: &str| fields.contains_key(name);
    match criterion.as_str() {
        "equals" if !has("key") => {
            return Err(phrase!("`equals` needs the `key` whose value is compared"));
        }
        "check" if has("key") => return Err(phrase!("`check` takes no `key`")),
        "rubric" => {}
        _ if has("at_least") => return Err(phrase!("`at_least` belongs to a `rubric`")),
        _ => {}
    }
    let read: Expectation = serde_json::from_value(json.clone())
        .map_err(|error| phrase!("an expectation is wrong: {error}", error))?;
    let is_empty = match &read.criterion {
        Criterion::Check(text)
        | Criterion::Contains(text)
        | Criterion::Lacks(text)
        | Criterion::Rubric(text) => text.trim().is_empty(),
        Criterion::Equals(_) => false,
    };
    if is_empty {
        return Err(phrase!("`{criterion}` is empty", criterion));
    }
    if read.at_least.is_some_and(|least| !(0.0..=HIGHEST_SCORE).contains(&least)) {
        return Err(phrase!("`at_least` is a number from 0 to {most}", most = HIGHEST_SCORE));
    }
    Ok(read)
}

/// An expectation for messages.
const EXAMPLE: &str = r#"{"contains": "Paris"}"#;

fn json_lines(text: &str) -> Result<SetFile, Phrase> {
    let mut file = SetFile::default();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        take_line(&mut file, line)
            .map_err(|why| phrase!("Line {line} cannot be read: {why}", line = index + 1, why))?;
    }
    Ok(file)
}

fn take_line(file: &mut SetFile, line: &str) -> Result<(), Phrase> {
    let json: Value =
        serde_json::from_str(line).map_err(|error| phrase!("it is not JSON: {error}", error))?;
    let Value::Object(fields) = json else { return Err(phrase!("it is not a JSON object")) };
    match fields.get("set") {
        Some(head) if file.cases.is_empty() => {
            known_fields(&fields, &["set"])?;
            (file.pipeline, file.expect) = read_head(head)?;
        }
        _ => file.cases.push(read_case(&fields)?),
    }
    Ok(())
}

fn read_head(head: &Value) -> Result<(Option<String>, Vec<Expectation>), Phrase> {
    let Value::Object(fields) = head else { return Err(phrase!("`set` is a JSON object")) };
    known_fields(fields, &["pipeline", "expect"])?;
    Ok((text_field(fields, "pipeline")?, expectations(fields)?))
}

fn read_case(fields: &Map<String, Value>) -> Result<Case, Phrase> {
    known_fields(fields, &["inputs", "name", "expect", "reference", "run"])?;
    let Some(Value::Object(inputs)) = fields.get("inputs") else {
        return Err(phrase!("a case needs `inputs`, a JSON object with the inputs by key"));
    };
    Ok(Case {
        name: text_field(fields, "name")?.unwrap_or_default(),
        inputs: inputs.iter().map(|(key, value)| (key.clone(), Json(value.clone()))).collect(),
        expect: expectations(fields)?,
        reference: text_field(fields, "reference")?,
        run: text_field(fields, "run")?,
    })
}

fn expectations(fields: &Map<String, Value>) -> Result<Vec<Expectation>, Phrase> {
    match fields.get("expect") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(all)) => all.iter().map(read_expectation).collect(),
        Some(_) => Err(phrase!("`expect` is a list of expectations")),
    }
}

fn text_field(fields: &Map<String, Value>, name: &str) -> Result<Option<String>, Phrase> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Some(_) => Err(phrase!("`{name}` is a text", name)),
    }
}

fn known_fields(fields: &Map<String, Value>, known: &[&str]) -> Result<(), Phrase> {
    match fields.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            Err(phrase!("there is no field `{name}`; there is {known}", name, known = known.to_vec()))
        }
    }
}

fn csv(text: &str) -> Result<SetFile, Phrase> {
    let unread = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        phrase!("Line {line} cannot be read: {why}", line, why = error.to_string())
    };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::Headers).from_reader(text.as_bytes());
    let head = reader.headers().map_err(unread)?.clone();
    let mut file = SetFile::default();
    for row in reader.records() {
        let row = row.map_err(unread)?;
        let line = row.position().map_or(0, csv::Position::line);
        let mut case = Case { inputs: BTreeMap::new(), ..Case::default() };
        for (column, cell) in head.iter().zip(&row).filter(|(_, cell)| !cell.trim().is_empty()) {
            take_cell(&mut case, column, cell)
                .map_err(|why| phrase!("Line {line} cannot be read: {why}", line, why))?;
        }
        file.cases.push(case);
    }
    Ok(file)
}

/// Takes the cell of a column into a case.
fn take_cell(case: &mut Case, column: &str, cell: &str) -> Result<(), Phrase> {
    match column.strip_prefix("expect.") {
        Some(criterion) => case.expect.push(expected_cell(criterion, cell)?),
        None if column == "name" => case.name = cell.trim().to_owned(),
        None if column == "reference" => case.reference = Some(cell.to_owned()),
        None => {
            let key = column.strip_prefix("inputs.").unwrap_or(column);
            case.inputs.insert(key.to_owned(), Json(json!(cell)));
        }
    }
    Ok(())
}

/// The expectation of a cell in a column `expect.CRITERION`, or `expect.equals.KEY`, whose cells are JSON or a text.
fn expected_cell(criterion: &str, cell: &str) -> Result<Expectation, Phrase> {
    if let Some(key) = criterion.strip_prefix("equals.") {
        let key: KeyPath =
            key.parse().map_err(|error: kernel::ConditionError| Phrase::verbatim(error.to_string()))?;
        let expected = serde_json::from_str(cell).unwrap_or_else(|_| json!(cell));
        let criterion = Criterion::Equals(Json(expected));
        return Ok(Expectation { key: Some(key), ..Expectation::of_text(criterion) });
    }
    read_expectation(&json!({ criterion: cell }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = r#"{"set":{"pipeline":"quiz","expect":[{"rubric":"is polite","at_least":7}]}}
{"inputs":{"question":"Capital of France?"},"expect":[{"contains":"Paris"},{"equals":1,"key":"answer.count"}]}

{"name":"second","inputs":{"question":"Of Italy?"},"reference":"Rome"}
"#;

    #[test]
    fn a_set_that_is_written_is_read_as_the_same_set() {
        let file = read_set(SetFormat::JsonLines, LINES).unwrap();
        assert_eq!((file.pipeline.as_deref(), file.cases.len()), (Some("quiz"), 2));
        let SetFile { pipeline, expect, cases } = file.clone();
        let set = DataSet { name: "s".into(), pipeline: pipeline.unwrap(), expect, cases };
        assert_eq!(read_set(SetFormat::JsonLines, &write_set(&set)).unwrap(), file);
        let complete = set.complete_cases();
        assert_eq!((complete[0].name.as_str(), complete[1].name.as_str()), ("1", "second"));
        assert_eq!(complete[0].expect.len(), 3);
    }

    #[test]
    fn a_column_is_an_input_or_an_expectation() {
        let text = "name,question,expect.contains,expect.equals.answer.count\na,\"Capital, of France?\",Paris,1\n\
                    b,Of Italy?,,many\n";
        let cases = read_set(SetFormat::Csv, text).unwrap().cases;
        assert_eq!(cases[0].inputs["question"], Json(json!("Capital, of France?")));
        assert_eq!(json!(cases[0].expect), json!([{"contains":"Paris"},{"key":"answer.count","equals":1}]));
        assert_eq!(json!(cases[1].expect), json!([{"key":"answer.count","equals":"many"}]));
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named_with_the_reason() {
        for (line, why) in [
            ("[1]", "Line 2 cannot be read: it is not a JSON object"),
            (
                r#"{"input":{}}"#,
                "Line 2 cannot be read: there is no field `input`; there is inputs, name, expect, reference, run",
            ),
            (
                r#"{"inputs":{},"expect":[{"contains":"a","lacks":"b"}]}"#,
                "Line 2 cannot be read: an expectation has exactly one of check, contains, lacks, equals, rubric",
            ),
            (
                r#"{"inputs":{},"expect":[{"equals":1}]}"#,
                "Line 2 cannot be read: `equals` needs the `key` whose value is compared",
            ),
            (
                r#"{"inputs":{},"expect":[{"rubric":"x","at_least":11}]}"#,
                "Line 2 cannot be read: `at_least` is a number from 0 to 10",
            ),
            (r#"{"inputs":{},"expect":[{"contains":" "}]}"#, "Line 2 cannot be read: `contains` is empty"),
        ] {
            let text = format!("{{\"inputs\":{{}}}}\n{line}\n");
            assert_eq!(read_set(SetFormat::JsonLines, &text).unwrap_err().english(), why);
        }
        assert!(
            read_set(SetFormat::Csv, "a,b\n1\n").unwrap_err().english().starts_with("Line 2 cannot be read")
        );
        assert!(read_set(SetFormat::JsonLines, "").unwrap_err().english().contains("no case"));
    }
}
