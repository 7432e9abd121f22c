use kernel::Delta;
use serde_json::json;

use super::*;
use interpreter::{FunctionContext, Pipeline};

const BEFORE: &str = "# Tides\n\nThe moon draws the sea [1]. The sun helps it [2].\n\n## References\n\n[1] Moon. Almanac\n\n[2] Sun. Almanac";

fn pipeline() -> std::sync::Arc<Pipeline> {
    crate::one_step()
}

fn sources() -> Vec<SourceItem> {
    let source = |title: &str| SourceItem {
        title: title.to_owned(),
        source: "Almanac".to_owned(),
        text: format!("{title} and tide."),
        ..SourceItem::default()
    };
    vec![source("Moon"), source("Sun")]
}

/// The text that an answer of the model becomes, and its failed checks.
fn answered(before: &str, sources: &[SourceItem], answer: &str) -> (String, Vec<String>) {
    let pipeline = pipeline();
    let definition = pipeline.definition();
    let present = PresentText { text: before.to_owned(), ..PresentText::default() };
    let mut state = State::default();
    state.apply(&Delta::of(TEXT, json!(before)));
    for (key, value) in beginning(definition, &present, sources) {
        state.apply(&Delta::of(key, value));
    }
    let registry = crate::registry();
    let context =
        FunctionContext { definition, registry: &registry, agent: "rewriter", state: &state, failure: None };
    let accepted = registry.accept["rewritten_text"](&context, json!({ "markdown": answer })).unwrap();
    let text = accepted["markdown"].as_str().unwrap().to_owned();
    let mut answered = state.clone();
    answered.apply(&Delta::of("draft", accepted));
    let context = FunctionContext { state: &answered, ..context };
    let failed = draft::checked(&context).into_iter().filter(|check| !check.passed);
    (text, failed.map(|check| check.detail).collect())
}

#[test]
fn the_references_follow_the_citations_and_a_list_of_the_persons_own_stays_as_it_was() {
    let (text, failed) =
        answered(BEFORE, &sources(), "# Tides\n\nThe sun helps [2].\n\n## References\n\n[2] Mine");
    assert_eq!(text, "# Tides\n\nThe sun helps [2].\n\n## References\n\n[2] Sun. Almanac");
    assert_eq!(failed, Vec::<String>::new());
    let (text, _) = answered(BEFORE, &[], "The sun helps [2].");
    assert!(text.ends_with("\n\n## References\n\n[1] Moon. Almanac\n\n[2] Sun. Almanac"), "{text}");
    let (text, _) =
        answered("No list [1].", &sources(), "Still none [^1].\n\nSources:\n[1] https://a.example");
    assert_eq!(text, "Still none [1].");
}

#[test]
fn a_new_number_and_the_loss_of_all_citations_fail_checks() {
    let (_, failed) = answered(BEFORE, &sources(), "The sea is drawn [1][3].");
    assert_eq!(failed, ["the text before does not cite [3]"]);
    let (_, failed) = answered(BEFORE, &sources(), "The sea is drawn.");
    assert_eq!(failed, ["the text before cited 2 sources, this one cites none"]);
    let (_, failed) = answered("Nothing is cited here.", &sources(), "Nothing is.");
    assert_eq!(failed, Vec::<String>::new());
}

#[test]
fn a_run_begins_with_the_text_as_its_draft_and_with_the_sources() {
    let pipeline = pipeline();
    let present = PresentText { text: BEFORE.to_owned(), ..PresentText::default() };
    let began = beginning(pipeline.definition(), &present, &sources());
    assert_eq!(began.keys().collect::<Vec<_>>(), ["draft", "draft_checks", "sources"]);
    assert_eq!(
        (&began["draft"]["markdown"], &began["draft"]["sources_used"]),
        (&json!(BEFORE), &json!([0, 1]))
    );
    assert!(began["draft_checks"].as_array().unwrap().iter().all(|check| check["passed"] == true));
}
