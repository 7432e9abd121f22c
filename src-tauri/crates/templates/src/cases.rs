//! Small reports, additions and answers of models, with their expected results.

use crate::{Breach, check_enriched, check_filled, check_grounded, check_pruned, enrich, fill, prune};
use serde_json::Value;
use std::path::Path;

pub(crate) fn text<'v>(case: &'v Value, key: &str) -> &'v str {
    case.get(key).and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn list<'v>(case: &'v Value, key: &str) -> Vec<&'v Value> {
    case.get(key).and_then(Value::as_array).map(|all| all.iter().collect()).unwrap_or_default()
}

/// The difference between the report from a template and a summary and the expected ones.
fn compare_report(case: &Value) -> Option<String> {
    let (template, summary) = (text(case, "template"), text(case, "summary"));
    let pruned = prune(template, summary);
    let filled = fill(&pruned.text, summary);
    let broken = [
        check_pruned(template, &pruned.text),
        check_filled(&pruned.text, &filled.text),
        check_grounded(&filled.text, template, summary),
    ]
    .concat();
    let is_wanted = list(case, "documents").into_iter().any(|document| document == filled.text.as_str());
    (!is_wanted || !broken.is_empty()).then(|| format!("{:?} {broken:?}", filled.text))
}

fn compare_addition(case: &Value) -> Option<String> {
    let enriched = enrich(text(case, "filled"), text(case, "summary"));
    let broken = [
        check_enriched(text(case, "filled"), &enriched.text),
        check_grounded(&enriched.text, text(case, "filled"), text(case, "summary")),
    ]
    .concat();
    let is_wanted = enriched.text == text(case, "text");
    (!is_wanted || !broken.is_empty()).then(|| format!("{:?} {broken:?}", enriched.text))
}

fn compare_answer(case: &Value) -> Option<String> {
    let (before, answer) = (text(case, "before"), text(case, "answer"));
    let (template, summary) = (text(case, "template"), text(case, "summary"));
    let broken: Vec<Breach> = match text(case, "check") {
        "pruned" => check_pruned(before, answer),
        "filled" => check_filled(before, answer),
        "enriched" => check_enriched(before, answer),
        _ => check_grounded(answer, template, summary),
    };
    let is_kept = case.get("is_kept").and_then(Value::as_bool).unwrap_or_default();
    (broken.is_empty() != is_kept).then(|| format!("{broken:?}"))
}

/// Compares a case with its expected result, and returns the difference.
type Comparison = fn(&Value) -> Option<String>;

/// The number of cases of a file with the expected result; the others are printed.
fn grade(file: &str) -> (usize, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    let cases: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON");
    let (mut right, mut whole) = (0, 0);
    let groups: [(&str, Comparison); 3] =
        [("reports", compare_report), ("additions", compare_addition), ("answers", compare_answer)];
    for (group, compare) in groups {
        for case in list(&cases, group) {
            whole += 1;
            match compare(case) {
                Some(difference) => println!("{group}: {}: {difference}", text(case, "name")),
                None => right += 1,
            }
        }
    }
    println!("{file}: {right} of {whole}");
    (right, whole)
}

#[test]
fn small_reports_additions_and_answers_have_the_expected_results() {
    for file in ["cases.json", "unseen.json"] {
        let (right, whole) = grade(file);
        assert_eq!(right, whole, "{file}");
    }
}
