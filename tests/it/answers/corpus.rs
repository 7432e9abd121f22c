//! Every answer of the corpus, read directly.

use std::collections::BTreeMap;

use answers::{Answer, Reader, ToolArguments};
use serde_json::Value;

use super::cases::{Case, cases, demand_none, difference, schemas};

/// A reader for each schema, which is asked for by its id.
pub(super) fn readers() -> BTreeMap<String, Reader> {
    schemas().into_iter().map(|(id, schema)| (id.clone(), Reader::new(&id, schema).unwrap())).collect()
}

/// What the reader makes of an answer whose parts are these.
pub(super) fn read(
    reader: &Reader,
    titles: &[String],
    text: &str,
    thinking: &str,
    calls: &[(String, Value)],
    was_cut: bool,
) -> Result<Value, String> {
    let tool_calls: Vec<ToolArguments<'_>> =
        calls.iter().map(|(name, arguments)| ToolArguments { name, arguments }).collect();
    let answer = Answer { text, thinking, tool_calls: &tool_calls, titles, was_cut, ..Answer::default() };
    match reader.read(&answer) {
        Ok(reading) => Ok(reading.value),
        Err(unusable) => Err(format!("{:?}", unusable.faults)),
    }
}

fn read_case(readers: &BTreeMap<String, Reader>, case: &Case) -> Result<Value, String> {
    read(&readers[&case.schema], &case.titles, &case.raw, &case.thinking, &case.calls, case.was_cut)
}

#[test]
fn every_answer_of_the_corpus_is_read_as_a_careful_reader_takes_it() {
    let (readers, cases) = (readers(), cases());
    let differences: Vec<String> =
        cases.iter().filter_map(|case| difference(case, &read_case(&readers, case))).collect();
    demand_none(&differences, cases.len());
    assert!(cases.len() >= 270, "only {} cases are left", cases.len());
}

#[test]
fn what_the_corpus_expects_is_itself_a_tidy_answer() {
    let (readers, cases) = (readers(), cases());
    let tidy = cases.iter().filter(|case| case.expected.is_some()).map(|case| Case {
        raw: case.expected.as_ref().unwrap().to_string(),
        thinking: String::new(),
        calls: Vec::new(),
        was_cut: false,
        ..case.clone()
    });
    let differences: Vec<String> =
        tidy.filter_map(|case| difference(&case, &read_case(&readers, &case))).collect();
    demand_none(&differences, cases.len());
}

#[test]
fn of_an_answer_that_stays_cut_off_the_whole_items_are_taken() {
    let (readers, mut cases) = (readers(), cases());
    cases.retain(|case| case.in_part.is_some());
    let whole = |case: &Case| {
        let answer =
            Answer { text: &case.raw, titles: &case.titles, was_cut: case.was_cut, ..Answer::default() };
        let reading = readers[&case.schema].read_partial(&answer);
        reading.map(|reading| reading.value).map_err(|unusable| format!("{:?}", unusable.faults))
    };
    let differences: Vec<String> = cases
        .iter()
        .filter_map(|case| difference(&Case { expected: case.in_part.clone(), ..case.clone() }, &whole(case)))
        .collect();
    demand_none(&differences, cases.len());
    assert!(cases.len() >= 5, "only {} cases are left", cases.len());
}

#[test]
fn of_an_answer_that_stays_none_the_titles_that_it_names_are_taken_and_of_no_other() {
    let (readers, mut cases) = (readers(), cases());
    cases.retain(|case| case.expected.is_none());
    let named = |case: &Case| {
        let answer = Answer { text: &case.raw, titles: &case.titles, ..Answer::default() };
        let reading = readers[&case.schema].read_mentioned(&answer);
        reading.map(|reading| reading.value).map_err(|unusable| format!("{:?}", unusable.faults))
    };
    let differences: Vec<String> = cases
        .iter()
        .filter(|case| case.in_part.is_none())
        .filter_map(|case| difference(&Case { expected: case.named.clone(), ..case.clone() }, &named(case)))
        .collect();
    demand_none(&differences, cases.len());
}
