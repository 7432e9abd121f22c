//! The checks of a long text, tested without a run.

use std::sync::Arc;

use kernel::{State, Value};
use serde_json::json;

use interpreter::Pipeline;

fn pipeline() -> Arc<Pipeline> {
    crate::all().into_iter().find(|pipeline| pipeline.id() == "content").unwrap()
}

/// The names of the checks that a draft with this text fails, with one known source.
fn failed(text: &str) -> Vec<String> {
    let source = json!({
        "title": "Falcon", "url": "https://example.org/falcon", "source": "arXiv", "published": "2026-06-20",
        "summary": "", "text": "Falcon halves the cost of search to 12 cents a query. It was tried on one, two, three, four, five, six, seven, eight, nine and ten machines in a row."
    });
    let state: State =
        [("search_results".to_owned(), Value::new(json!({ "results": [source] })))].into_iter().collect();
    let draft = Value::new(json!({ "markdown": text }));
    let delta = pipeline().edited(&state, "draft_content", draft).unwrap();
    let checks = delta.set["content_checks"].json_or_null().as_array().cloned().unwrap();
    let failed = checks.iter().filter(|check| check["passed"] == json!(false));
    failed.map(|check| check["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_check_of_a_long_text_finds_its_own_problem_and_no_other() {
    let list = "## References\n\n[1] Falcon. arXiv. 2026-06-20. https://example.org/falcon";
    let filling =
        "The cost of search is what Falcon changes, and a query is where the cost is counted. ".repeat(16);
    let good = format!(
        "# Falcon\n\nFalcon halves the cost of search [1].\n\n## Cost\n\n{filling}\n\n## Query\n\nA query costs 12 cents [1].\n\n{list}"
    );
    assert_eq!(failed(&good), [""; 0]);
    for (part, instead, check) in [
        ("## Query\n\n", "", "headings"),
        (filling.as_str(), "Cost.", "least_words"),
        ("cents [1]", "cents [2]", "citations"),
        ("https://example.org/falcon", "https://example.org/other", "references"),
        ("12 cents [1]", "15 cents [1]", "grounding"),
        (
            "A query costs",
            "It was tried on one, two, three, four, five, six, seven, eight, nine and ten machines. A query costs",
            "copying",
        ),
    ] {
        assert!(good.contains(part));
        let failed = failed(&good.replace(part, instead));
        assert!(failed.contains(&check.to_owned()), "{check}: {failed:?}");
        assert!(failed.len() <= 2, "{check}: {failed:?}");
    }
}
