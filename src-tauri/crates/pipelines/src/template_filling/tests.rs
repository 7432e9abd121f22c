//! How the functions of template filling change a state, tested without a run.

use std::sync::Arc;

use kernel::{Delta, State, Value};
use serde_json::{Value as Json, json};

use interpreter::FunctionContext;
use interpreter::Pipeline;

const TEMPLATE: &str = "# Report\n\nThe review took place on {date}. [number] of the {total} samples passed. The site was closed. It was led by {leader}.\n";
const SUMMARY: &str =
    "On 3 March 2026 the review looked at 40 samples, of which 37 passed. Mara Linde led it.";

fn pipeline() -> Arc<Pipeline> {
    crate::all().into_iter().find(|pipeline| pipeline.id() == "template").unwrap()
}

fn state<const N: usize>(more: [(&str, &str); N]) -> State {
    let inputs = [(super::TEMPLATE, TEMPLATE), (super::SUMMARY, SUMMARY)];
    inputs.into_iter().chain(more).map(|(key, text)| (key.to_owned(), Value::text(text))).collect()
}

fn accept(state: &State, agent: &str, function: &str, answer: Json) -> Result<Json, Vec<String>> {
    let registry = crate::registry();
    let pipeline = pipeline();
    let definition = pipeline.definition();
    registry.accept[function](
        &FunctionContext { definition, registry: &registry, agent, state, failure: None },
        answer,
    )
}

#[test]
fn an_answer_that_breaks_its_promise_is_rejected_with_the_words_that_break_it() {
    let pruned = TEMPLATE.replace(" The site was closed.", "");
    let filled = pruned.replace("{date}", "3 March 2026").replace("[number]", "37").replace("{total}", "40");
    let of_pruned = |text: &str| accept(&state([]), "pruner", "pruned_only", json!({ super::PRUNED: text }));
    let of_filled = |text: &str| {
        accept(&state([(super::PRUNED, &pruned)]), "filler", "filled_only", json!({ super::FILLED: text }))
    };
    let of_enriched = |text: &str| {
        accept(&state([(super::FILLED, &filled)]), "enricher", "added_only", json!({ super::ENRICHED: text }))
    };
    of_pruned(&pruned).unwrap();
    of_filled(&filled).unwrap();
    of_enriched(&format!("{filled}\nThe review looked at 40 samples.\n")).unwrap();
    for (broken, words) in [
        (of_pruned(&pruned.replace("took place", "was held")), "“The review was held on {date}.”"),
        (of_pruned(" \n"), "is empty"),
        (of_filled(&filled.replace("samples passed", "samples failed")), "missing or changed"),
        (of_filled(&filled.replace("37", "39")), "the figure “39”"),
        (of_filled(&filled.replace("{leader}", "Ada Brook")), "the name “Ada Brook”"),
        (of_filled(&filled.replace("{leader}", "")), "“{leader}” is gone without a value"),
        (of_enriched(&filled.replace("It was led by {leader}.", "")), "“It was led by {leader}.”"),
        (of_enriched(&format!("{filled}\nAbout 900 people live there.\n")), "the figure “900”"),
    ] {
        let problems = broken.unwrap_err();
        assert!(problems.iter().any(|problem| problem.contains(words)), "{words}: {problems:?}");
    }
}

#[test]
fn a_broken_promise_prevents_acceptance_and_an_open_placeholder_does_not() {
    let checks = |name: &str| json!([{ "name": name, "passed": false, "detail": "2 of them" }]);
    for (name, is_ready) in [("figures", false), ("placeholders", true)] {
        let mut state = state([]);
        state.apply(&Delta::of("template_checks", checks(name)));
        let said = json!({ "notes": "", "issues": ["2 of them", " "], "ready": true });
        let review = accept(&state, "evaluator", "ready_if_promises_hold", said).unwrap();
        assert_eq!(
            (&review["ready"], &review["issues"]),
            (&json!(is_ready), &json!(["2 of them"])),
            "{name}"
        );
    }
}

#[test]
fn an_edit_of_any_text_checks_the_texts_derived_from_it_again() {
    let pruned = TEMPLATE.replace(" The site was closed.", "");
    let mut state = state([(super::PRUNED, &pruned), (super::FILLED, &pruned), (super::ENRICHED, &pruned)]);
    let edit =
        |state: &State, key: &str, text: &str| pipeline().edited(state, key, Value::text(text)).unwrap();
    let failed = |delta: &Delta| -> Vec<String> {
        let checks = delta.set["template_checks"].json_or_null().as_array().unwrap().clone();
        let failed = checks.iter().filter(|check| check["passed"] == json!(false));
        failed.map(|check| check["name"].as_str().unwrap().to_owned()).collect()
    };
    let delta = edit(&state, super::ENRICHED, &pruned.replace("{leader}", "Ada Brook"));
    assert_eq!(failed(&delta), ["additions", "figures", "placeholders"]);
    state.apply(&delta);
    let delta = edit(&state, super::PRUNED, &format!("{pruned} Rain fell."));
    assert_eq!(failed(&delta), ["additions", "figures", "placeholders", "pruning", "filling"]);
    state.apply(&delta);
    let delta = edit(&state, super::SUMMARY, &format!("{SUMMARY} Ada Brook came, too."));
    assert_eq!(failed(&delta), ["additions", "placeholders", "pruning", "filling"]);
}

#[test]
fn a_template_that_the_summary_does_not_support_stays_whole_without_a_model() {
    let registry = crate::registry();
    let pipeline = pipeline();
    let definition = pipeline.definition();
    let template = "A fine of {fine} was imposed.";
    let state = state([(super::TEMPLATE, template), (super::SUMMARY, "Nothing of it.")]);
    let context =
        FunctionContext { definition, registry: &registry, agent: "pruner", state: &state, failure: None };
    let answer = registry.without_model["prune_template"](&context).unwrap();
    assert_eq!(answer[super::PRUNED], template);
    assert!(
        answer["pruned_template_reasoning"].as_str().unwrap().starts_with("Nothing was removed"),
        "{answer}"
    );
}
