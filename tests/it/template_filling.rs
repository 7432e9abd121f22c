//! Template filling whole: on the gold templates without a model, and against a loopback model in every way its loop can go.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use desk::api::StartRun;
use desk::{ErrorCode, Fact, LimitName, OnFailure, Outcome, RunEnd, RunHandle};
use serde_json::{Value, json};
use testkit::{ChatRequest, ModelServer, Reply};

use crate::outcomes::{Place, text};

const TEMPLATE: &str = "# Report on {site}\n\nThe review took place on {date}. [number] of the {total} samples passed. The site was closed. It was led by {leader}.\n";
const SUMMARY: &str = "On 3 March 2026 the review looked at 40 samples of North Field, of which 37 passed. Rain fell on 2 days.";
const PRUNED: &str = "# Report on {site}\n\nThe review took place on {date}. [number] of the {total} samples passed. It was led by {leader}.\n";
const FILLED: &str = "# Report on North Field\n\nThe review took place on 3 March 2026. 37 of the 40 samples passed. It was led by {leader}.\n";
const ADDED: &str = "Rain fell on 2 days.";

const WRITERS: [&str; 3] = ["pruned_template", "filled_template", "enriched_template"];
const STAGES: [&str; 4] = ["pruned_template", "filled_template", "enriched_template", "ready"];

/// A model that does the work of each stage well and accepts the first round, but for what `odd` answers: given the
/// stage and which call of it this is, from 1.
async fn place(odd: impl Fn(&str, usize, &ChatRequest) -> Option<Reply> + Send + Sync + 'static) -> Place {
    let counts: Arc<[AtomicUsize; 4]> = Arc::default();
    let server = ModelServer::by_agent(move |request| {
        let stage = STAGES.iter().position(|field| request.asks_for(field)).unwrap();
        let call = counts[stage].fetch_add(1, Ordering::SeqCst) + 1;
        odd(STAGES[stage], call, request).unwrap_or_else(|| match stage {
            0 => of_stage("pruned_template", PRUNED),
            1 => of_stage("filled_template", FILLED),
            2 => of_stage("enriched_template", &format!("{FILLED}\n{ADDED}\n")),
            _ => Reply::tool_call("exit_loop", json!({})),
        })
    });
    Place::of(server.await, "openai-compatible", "").await
}

fn of_stage(key: &str, text: &str) -> Reply {
    Reply::Json(json!({ key: text, format!("{key}_reasoning"): "As the summary says." }))
}

fn verdict(notes: &str, ready: bool) -> Reply {
    Reply::Json(json!({ "notes": notes, "issues": [], "ready": ready }))
}

fn request(profile: &str, template: &str, summary: &str) -> StartRun {
    let inputs = [("template", template), ("reviewed_summary", summary)];
    StartRun {
        pipeline: "template".into(),
        inputs: inputs.map(|(key, text)| (key.to_owned(), json!(text).into())).into(),
        profile: Some(profile.into()),
        ..StartRun::default()
    }
}

async fn run(place: &Place, request: StartRun) -> (RunHandle, RunEnd) {
    let handle = place.desk.runs().start(request).await.unwrap();
    let end = handle.ended().await;
    (handle, end)
}

async fn filled(place: &Place) -> (RunHandle, RunEnd) {
    run(place, request("test", TEMPLATE, SUMMARY)).await
}

/// Why each round ended, and the best so far.
async fn rounds(place: &Place, handle: &RunHandle) -> Vec<(String, Option<u32>)> {
    let events = place.events(handle).await;
    let ended = events.iter().filter_map(|event| match &event.fact {
        Fact::RoundEnded { exit, best, .. } => Some((json!(exit)["why"].as_str().unwrap().to_owned(), *best)),
        _ => None,
    });
    ended.collect()
}

/// The notes of the pipeline's own flow.
async fn decisions(place: &Place, handle: &RunHandle) -> Vec<String> {
    let events = place.events(handle).await;
    let notes = events.iter().filter_map(|event| match &event.fact {
        Fact::Noted { note } => Some(json!(note)),
        _ => None,
    });
    notes
        .filter(|note| note["kind"] == "decision")
        .map(|note| note["id"].as_str().unwrap().to_owned())
        .collect()
}

fn check(end: &RunEnd, name: &str) -> Value {
    let checks = end.state.get("template_checks").unwrap().json().unwrap().clone();
    checks.as_array().unwrap().iter().find(|check| check["name"] == name).unwrap().clone()
}

#[tokio::test]
async fn a_round_that_is_accepted_at_once_ends_the_loop_and_the_root_goes_on_to_save_it() {
    let place = place(|_, _, _| None).await;
    let (handle, end) = filled(&place).await;
    assert_eq!((end.outcome, &end.error, end.usage.calls), (Outcome::Finished, &None, 4));
    let document = format!("{FILLED}\n{ADDED}\n");
    assert_eq!(text(&end, "enriched_template").trim(), document.trim());
    assert_eq!(text(&end, "final_filled_template"), text(&end, "enriched_template"));
    assert_eq!(rounds(&place, &handle).await, [("exit_tool".to_owned(), Some(1))]);
    assert_eq!(
        decisions(&place, &handle).await,
        [
            "save_initial_inputs",
            "save_final_filled_template",
            "removed_sentences",
            "open_placeholders",
            "display_all_states"
        ]
    );
    let open = check(&end, "placeholders");
    assert_eq!((&open["passed"], &open["places"]), (&json!(false), &json!(1)));
    assert!(open["detail"].as_str().unwrap().contains("{leader}"), "{open}");
    let feedback = end.state.get("refinement_feedback").unwrap().json().unwrap();
    assert_eq!((&feedback["ready"], &feedback["issues"]), (&json!(true), &json!([open["detail"]])));
    assert!(
        text(&end, "final_remark").starts_with("Placeholders are open"),
        "{}",
        text(&end, "final_remark")
    );
    place.replays_the_same(&handle).await;
}

#[tokio::test]
async fn the_feedback_of_a_round_reaches_the_agents_of_the_next_and_a_good_answer_ends_the_third() {
    let place = place(|stage, call, _| {
        (stage == "ready").then(|| verdict(&format!("Say more, part {call}."), call == 3))
    })
    .await;
    let (handle, end) = filled(&place).await;
    assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 12));
    let why: Vec<String> = rounds(&place, &handle).await.into_iter().map(|(why, _)| why).collect();
    assert_eq!(why, ["went_on", "went_on", "exit_field"]);
    let requests = place.server.requests();
    for (index, request) in requests.iter().enumerate().filter(|(index, _)| index % 4 != 3) {
        let told: Vec<bool> =
            (1..=3).map(|part| request.whole_text().contains(&format!("Say more, part {part}."))).collect();
        let round = index / 4;
        assert_eq!(told, [round == 1, round == 2, false], "call {index}");
    }
    place.replays_the_same(&handle).await;
}

#[tokio::test]
async fn a_loop_that_is_never_content_runs_five_rounds_also_when_nothing_changes_and_gives_the_last() {
    let place = place(|stage, call, _| match stage {
        "enriched_template" if call == 5 => Some(of_stage(stage, FILLED)),
        "ready" => Some(verdict("Still not good.", false)),
        _ => None,
    })
    .await;
    let (handle, end) = filled(&place).await;
    assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 20));
    let why: Vec<String> = rounds(&place, &handle).await.into_iter().map(|(why, _)| why).collect();
    assert_eq!(why, ["went_on", "went_on", "went_on", "went_on", "rounds_used_up"]);
    assert_eq!(text(&end, "final_filled_template").trim(), FILLED.trim(), "the last round is the document");
    assert!(text(&end, "final_remark").contains("was not accepted"), "{}", text(&end, "final_remark"));
    place.replays_the_same(&handle).await;
}

/// For each agent an answer that breaks its promise, and what it is told of it.
fn broken(stage: &str) -> (String, &'static str) {
    match stage {
        "pruned_template" => (PRUNED.replace("took place", "was held"), "is no sentence of the template"),
        "filled_template" => (FILLED.replace("{leader}", "Ada Brook"), "the name “Ada Brook”"),
        _ => (format!("{FILLED}\nIt cost 9,000 euros.\n"), "the figure “9,000"),
    }
}

#[tokio::test]
async fn a_broken_promise_is_sent_back_once_and_mended() {
    for odd in WRITERS {
        let place = place(move |stage, call, _| {
            (stage == odd && call == 1).then(|| of_stage(stage, &broken(stage).0))
        })
        .await;
        let (handle, end) = filled(&place).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 5), "{odd}");
        let events = json!(place.events(&handle).await).to_string();
        assert!(events.contains("asked_again") && events.contains(broken(odd).1), "{odd}");
        assert!(
            place.server.requests().iter().any(|request| request.last_user_text().contains(broken(odd).1))
        );
        let document = format!("{FILLED}\n{ADDED}\n");
        assert_eq!(text(&end, "final_filled_template").trim(), document.trim(), "{odd}");
        place.replays_the_same(&handle).await;
    }
}

#[tokio::test]
async fn a_promise_that_is_broken_twice_is_kept_without_the_model_and_the_document_says_so() {
    for (odd, name) in WRITERS.into_iter().zip(["pruning", "filling", "additions"]) {
        let place = place(move |stage, call, _| {
            (stage == odd && call < 3).then(|| of_stage(stage, &broken(stage).0))
        })
        .await;
        let (handle, end) = filled(&place).await;
        let asked = place.server.requests().iter().filter(|request| request.asks_for(odd)).count();
        assert_eq!((end.outcome, asked), (Outcome::Finished, 2), "{odd}");
        let document = text(&end, "final_filled_template");
        let samples = match odd {
            "filled_template" => "[number] of the {total} samples passed",
            _ => "37 of the 40 samples passed",
        };
        assert!(document.contains(samples), "{odd}: {document}");
        for invented in ["was held", "Ada Brook", "9,000"] {
            assert!(!document.contains(invented), "{odd}: {document}");
        }
        let told = check(&end, name);
        assert!(told["passed"] == true && told["detail"].as_str().unwrap().contains(broken(odd).1), "{told}");
        assert!(text(&end, "final_remark").contains("without a model"), "{}", text(&end, "final_remark"));
        assert!(decisions(&place, &handle).await.iter().any(|note| note.ends_with("_replaced")), "{odd}");
        place.replays_the_same(&handle).await;
    }
}

#[tokio::test]
async fn a_limit_gives_the_last_complete_round_or_what_the_first_one_came_to() {
    for (calls, text_of_end, remark) in [
        (6.0, format!("{FILLED}\n{ADDED}\n"), "last complete round"),
        (7.0, format!("{FILLED}\n{ADDED}\n"), "last complete round"),
        (3.0, format!("{FILLED}\n{ADDED}\n"), "was not evaluated"),
        (2.0, String::new(), ""),
    ] {
        let place = place(|stage, call, _| match stage {
            "enriched_template" if call == 2 => Some(of_stage(stage, FILLED)),
            "ready" => Some(verdict("Again.", false)),
            _ => None,
        })
        .await;
        let limits = [(LimitName::MaxLlmCalls, Some(calls))].into();
        let request = StartRun { limits, ..request("test", TEMPLATE, SUMMARY) };
        let (handle, end) = run(&place, request).await;
        assert_eq!((end.outcome, f64::from(end.usage.calls)), (Outcome::Limited, calls));
        assert_eq!(text(&end, "final_filled_template").trim(), text_of_end.trim(), "{calls}");
        assert!(text(&end, "final_remark").contains(remark), "{calls}: {}", text(&end, "final_remark"));
        place.replays_the_same(&handle).await;
    }
}

#[tokio::test]
async fn a_missing_input_is_asked_for_by_name_and_the_template_may_be_called_as_in_the_seed() {
    let place = place(|_, _, _| None).await;
    for missing in ["template", "reviewed_summary"] {
        let mut request = request("test", TEMPLATE, SUMMARY);
        request.inputs.remove(missing);
        let refused = place.desk.runs().start(request).await.err().unwrap();
        assert!(refused.code == ErrorCode::BadInput && refused.message.contains(missing), "{refused}");
    }
    let mut twice = request("built-in", TEMPLATE, SUMMARY);
    twice.inputs.insert("initial_template".into(), json!(TEMPLATE).into());
    assert!(
        place.desk.runs().start(twice.clone()).await.err().unwrap().message.contains("`initial_template`")
    );
    twice.inputs.remove("template");
    let (_, end) = run(&place, twice).await;
    assert_eq!((end.outcome, text(&end, "template")), (Outcome::Finished, TEMPLATE.trim().to_owned()));
}

#[tokio::test]
async fn an_answer_that_stays_unusable_is_done_without_a_model_where_that_was_decided_beforehand() {
    let place =
        place(|stage, _, _| (stage == "pruned_template").then(|| Reply::text("I would rather not."))).await;
    let request = StartRun { fallback: Some(OnFailure::BuiltIn), ..request("test", TEMPLATE, SUMMARY) };
    let (handle, end) = run(&place, request).await;
    assert_eq!(end.outcome, Outcome::Finished);
    assert!(text(&end, "final_filled_template").contains("37 of the 40 samples passed"));
    assert!(place.count(&handle, "without_model").await > 0);
    assert!(
        !decisions(&place, &handle).await.contains(&"pruner_replaced".to_owned()),
        "its function answered"
    );
}

#[tokio::test]
async fn the_gold_templates_are_filled_without_a_model_and_nothing_in_them_is_invented() {
    let place = place(|_, _, _| None).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/templates");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.path().extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        count += 1;
        let gold: Value = serde_json::from_str(&std::fs::read_to_string(entry.path()).unwrap()).unwrap();
        let (template, summary) = (gold["template"].as_str().unwrap(), gold["summary"].as_str().unwrap());
        let (handle, end) = run(&place, request("built-in", template, summary)).await;
        assert_eq!((end.outcome, &end.error), (Outcome::Finished, &None), "{}", gold["name"]);
        assert_eq!(rounds(&place, &handle).await[0].0, "exit_field", "{}", gold["name"]);
        for name in ["pruning", "filling", "additions", "figures"] {
            assert_eq!(check(&end, name)["passed"], true, "{}: {}", gold["name"], check(&end, name));
        }
        // Every sentence that is gone is named with its reason; what is right is graded beside the code.
        let (pruned, reasoning) = (text(&end, "pruned_template"), text(&end, "pruned_template_reasoning"));
        for sentence in gold["sentences"].as_array().unwrap() {
            let words = sentence["text"].as_str().unwrap();
            assert!(pruned.contains(words) || reasoning.contains(words), "{}: {words}", gold["name"]);
        }
        let open = decisions(&place, &handle).await.contains(&"open_placeholders".to_owned());
        assert_eq!(open, check(&end, "placeholders")["passed"] == false, "{}", gold["name"]);
        place.replays_the_same(&handle).await;
    }
    assert_eq!((count, place.server.count()), (6, 0));
}

#[tokio::test]
async fn without_a_model_labels_are_copied_and_every_open_placeholder_is_counted() {
    let place = place(|_, _, _| None).await;
    let template =
        "Order: {order number}\n\n予約日：［予約日］\n\nHearing loss affects {percentage} of individuals.\n";
    let summary = "Order number: 4711\n\nFeeding difficulties affected 62% (29/47). Hearing was normal.\n";
    let (handle, end) = run(&place, request("built-in", template, summary)).await;
    let document = text(&end, "final_filled_template");
    assert!(document.starts_with(&template.replace("{order number}", "4711")[..60]), "{document}");
    let open = check(&end, "placeholders");
    assert_eq!((&open["passed"], &open["places"]), (&json!(false), &json!(2)), "{open}");
    assert!(open["detail"].as_str().unwrap().starts_with("open placeholders: 2"), "{open}");
    assert!(decisions(&place, &handle).await.contains(&"open_placeholders".to_owned()));
}

#[tokio::test]
async fn a_model_that_gives_a_figure_to_another_statement_is_told_of_the_sentence() {
    let wrong = FILLED.replace("{leader}", "North Field").replace("37 of the 40", "2 of the 40");
    let place = place(move |stage, call, _| {
        (stage == "filled_template" && call == 1).then(|| of_stage(stage, &wrong))
    })
    .await;
    let (handle, end) = filled(&place).await;
    assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 5));
    let events = json!(place.events(&handle).await).to_string();
    assert!(events.contains("the figure “2” of “2 of the 40 samples passed.”"), "{events}");
    assert!(text(&end, "final_filled_template").contains("37 of the 40 samples passed"));
}
