//! What an agent's model may call, who is asked before, and what the model is told: with a model of each dialect, at a window.

mod folders;
pub(crate) mod office;
mod rules;
mod strangers;

use desk::api::{AnswerRun, ForkRun, ResumeRun};
use desk::{Outcome, QuestionPolicy};
use models::Delivery;
use serde_json::json;
use testkit::{Reply, ToolCall};

use office::{DIALECTS, Office, call, done, note};

#[tokio::test]
async fn each_dialect_is_told_of_every_kind_of_failure() {
    for dialect in 0..DIALECTS.len() {
        for delivery in [Delivery::Streamed, Delivery::Whole] {
            let office = Office::speaking(
                dialect,
                delivery,
                QuestionPolicy::Window,
                vec![
                    call("burn_it", json!({})),
                    call("look_up", json!({"name": "Ada", "lines": "many"})),
                    call("post_note", note("example.org")),
                    call("print_label", json!({"text": "slow", "takes_ms": 5000})),
                    call(
                        "post_note",
                        json!({"host": "example.org", "text": "far", "sent_on_to": "other.org"}),
                    ),
                    call("look_up", json!({"name": "Ada"})),
                    done(),
                ],
            )
            .await;
            let handle = office.start(&["print_label", "post_note@example.org"]).await;
            let told = office.ended(&handle).await;
            assert_eq!(told.len(), 6, "{told:#?}");
            for (told, has) in told.iter().zip([
                "not_offered",
                "/lines",
                "posted at example.org",
                "outcome_unknown",
                "refused",
                "Ada lives at 3 Quay Road",
            ]) {
                assert!(told.contains(has), "{dialect} {has}: {told}");
            }
            assert!(told[0].contains("look_up") && told[1].contains("bad_input"), "{told:#?}");
            assert!(told[4].contains("other.org"), "{told:#?}");
            assert_eq!(office.calls(), ["post_note example.org hello", "print_label slow", "look_up Ada"]);
        }
    }
}

#[tokio::test]
async fn allowed_once_means_once_and_in_this_run_asks_no_second_time() {
    let twice =
        || vec![call("post_note", note("example.org")), call("post_note", note("example.org")), done()];
    let office = Office::of(twice()).await;
    let handle = office.start(&[]).await;
    let run = handle.run().0.clone();
    for _ in 0..2 {
        let question = office.questions(&run, 1).await.remove(0);
        assert_eq!(question["question"]["details"]["rule"], "post_note@example.org");
        assert_eq!(question["question"]["details"]["call"]["input"], note("example.org"));
        office.answer(&run, &question, json!("once")).await.unwrap();
        // The same question is not open any more.
        let again = office.answer(&run, &question, json!("once")).await;
        assert!(again.is_err_and(|error| error.message.contains("was answered already")));
    }
    office.ended(&handle).await;

    let office = Office::of(twice()).await;
    let handle = office.start(&[]).await;
    office.answered(&handle, json!("run")).await;
    assert_eq!(office.calls().len(), 2);
    let sentences = office.sentences(&handle.run().0).await.join("\n");
    assert_eq!(sentences.matches("wants to act").count(), 1, "{sentences}");
}

#[tokio::test]
async fn what_is_always_allowed_at_a_host_asks_at_another_and_never_after_it_is_revoked() {
    let office = Office::of(vec![
        call("post_note", note("example.org")),
        done(),
        call("post_note", note("example.org")),
        call("post_note", note("other.org")),
        done(),
        call("post_note", note("example.org")),
        done(),
    ])
    .await;
    let first = office.start(&[]).await;
    office.answered(&first, json!("always")).await;
    let rules = office.desk.rpc("list_rules", json!({})).await.unwrap();
    assert_eq!(rules["rules"][0]["rule"], "post_note@example.org");
    assert_eq!(rules["rules"][0]["is_allowed"], true);
    assert!(rules["rules"][0]["last_used_ms"].is_null());

    let second = office.start(&[]).await;
    let told = office.answered(&second, json!("refuse")).await;
    assert!(told[0].contains("posted at example.org") && told[1].contains("refused"), "{told:#?}");
    let rules = office.desk.rpc("list_rules", json!({})).await.unwrap();
    assert!(rules["rules"][0]["last_used_ms"].is_i64());
    let decided = office.events(&second.run().0).await;
    let decided = serde_json::to_string(&decided).unwrap();
    assert!(decided.contains(r#""by":"always","rule":"post_note@example.org""#), "{decided}");

    office.desk.rpc("remove_rule", json!({"rule": "post_note@example.org"})).await.unwrap();
    let third = office.start(&[]).await;
    office.answered(&third, json!("once")).await;
    assert_eq!(office.calls().len(), 3);
}

#[tokio::test]
async fn what_the_settings_forbid_is_not_asked_and_a_rule_that_cannot_be_read_forbids() {
    let office = Office::of(vec![call("post_note", note("example.org")), done()]).await;
    office.desk.rpc("add_rule", json!({"rule": "post_note", "is_allowed": false})).await.unwrap();
    let handle = office.start(&["post_note"]).await;
    let told = office.ended(&handle).await;
    assert!(told[0].contains("the settings forbid `post_note`"), "{told:#?}");
    assert!(office.calls().is_empty());

    let office = Office::of(vec![call("look_up", json!({"name": "Ada"})), done()]).await;
    std::fs::write(office.folder.path().join("permissions.toml"), "[[never]]\nrule = \"post note\"\n")
        .unwrap();
    let handle = office.start(&[]).await;
    let told = office.ended(&handle).await;
    assert!(told[0].contains("post note") && office.calls().is_empty(), "{told:#?}");
}

#[tokio::test]
async fn a_reason_reaches_the_model_and_a_changed_input_is_what_runs() {
    let office = Office::of(vec![
        call("print_label", json!({"text": "Fragile"})),
        call("print_label", json!({"text": "Top"})),
        done(),
    ])
    .await;
    let handle = office.start(&[]).await;
    let run = handle.run().0.clone();
    let question = office.questions(&run, 1).await.remove(0);
    office.answer(&run, &question, json!({"refuse_because": "Nothing in it breaks."})).await.unwrap();
    let question = office.questions(&run, 1).await.remove(0);
    assert!(office.told()[0].contains("Nothing in it breaks."));
    let unfit = office.answer(&run, &question, json!({"change": {"text": 7}})).await.unwrap_err();
    assert!(unfit.message.contains("/text"), "{}", unfit.message);
    office.answer(&run, &question, json!({"change": {"text": "This side up"}})).await.unwrap();
    let told = office.ended(&handle).await;
    assert_eq!(office.calls(), ["print_label This side up"]);
    assert!(
        told[1].contains("The person changed the input") && told[1].contains("This side up"),
        "{told:#?}"
    );
}

#[tokio::test]
async fn two_questions_of_one_turn_are_answered_in_either_order() {
    for order in [[0, 1], [1, 0]] {
        let both = Reply::ToolCalls(vec![
            ToolCall { id: None, name: "post_note".into(), arguments: note("example.org") },
            ToolCall { id: None, name: "print_label".into(), arguments: json!({"text": "Fragile"}) },
            ToolCall { id: None, name: "look_up".into(), arguments: json!({"name": "Ada"}) },
        ]);
        let office = Office::of(vec![both, done()]).await;
        let handle = office.start(&[]).await;
        let run = handle.run().0.clone();
        let open = office.questions(&run, 2).await;
        let unnamed = office.desk.rpc("answer_run", json!({"run": run, "value": "once"})).await.unwrap_err();
        assert!(unnamed.message.contains("several questions"), "{}", unnamed.message);
        office.answer(&run, &open[order[0]], json!("once")).await.unwrap();
        let left = office.questions(&run, 1).await;
        assert_eq!(left[0]["id"], open[order[1]]["id"]);
        office.answer(&run, &left[0], json!("refuse")).await.unwrap();
        let told = office.ended(&handle).await;
        assert!(told[2].contains("3 Quay Road"), "{told:#?}");
        let of_tool =
            |index: usize| open[index]["question"]["details"]["call"]["tool"].as_str().unwrap().to_owned();
        let allowed = of_tool(order[0]);
        let acted: Vec<String> =
            office.calls().into_iter().filter(|call| !call.starts_with("look_up")).collect();
        assert!(acted.len() == 1 && acted[0].starts_with(&allowed), "{allowed}: {acted:?}");
    }
}

#[tokio::test]
async fn where_nobody_is_there_a_call_is_refused_and_the_run_goes_on() {
    for policy in [QuestionPolicy::Nobody, QuestionPolicy::Defaults] {
        let script = vec![call("post_note", note("example.org")), done()];
        let office = Office::speaking(0, Delivery::Streamed, policy, script).await;
        let handle = office.start(&["print_label", "post_note@other.org"]).await;
        let told = office.ended(&handle).await;
        assert!(told[0].contains("--allow post_note"), "{told:#?}");
        let events = serde_json::to_string(&office.events(&handle.run().0).await).unwrap();
        assert!(events.contains(r#""by":"nobody""#) && office.calls().is_empty(), "{events}");
    }
}

#[tokio::test]
async fn a_fork_keeps_what_was_allowed_before_it_and_asks_before_it_does_again_what_can_be_done_once() {
    let office = Office::of(vec![
        call("print_label", json!({"text": "Fragile"})),
        done(),
        call("print_label", json!({"text": "Fragile"})),
        done(),
    ])
    .await;
    let handle = office.start(&[]).await;
    office.answered(&handle, json!("run")).await;
    let run = handle.run().0.clone();
    let fork =
        office.desk.runs().fork(ForkRun { run: run.clone(), at: 2, ..ForkRun::default() }).await.unwrap();
    let fork_run = fork.run().0.clone();
    // The grant stands behind the cut: it is asked for again, and then whether to repeat what the parent did.
    for (kind, value) in [("permission", "once"), ("repeat", "reuse")] {
        let question = office.questions(&fork_run, 1).await.remove(0);
        assert_eq!(question["question"]["kind"]["kind"], kind);
        office.answer(&fork_run, &question, json!(value)).await.unwrap();
    }
    office.ended(&fork).await;
    assert_eq!(office.calls(), ["print_label Fragile"]);
}

#[tokio::test]
async fn an_answer_given_later_lets_a_run_go_on_that_was_left_with_its_question() {
    let office = Office::of(vec![call("post_note", note("example.org")), done()]).await;
    let handle = office.start(&[]).await;
    let run = handle.run().0.clone();
    let question = office.questions(&run, 1).await.remove(0);
    handle.cancel();
    assert_eq!(handle.ended().await.outcome, Outcome::Cancelled);
    let id = question["id"].as_u64().and_then(|id| u32::try_from(id).ok());
    let again = office
        .desk
        .runs()
        .answer(AnswerRun { run, question: id, value: json!("always").into() })
        .await
        .unwrap();
    office.ended(&again).await;
    assert_eq!(office.calls(), ["post_note example.org hello"]);
    let rules = office.desk.rpc("list_rules", json!({})).await.unwrap();
    assert_eq!(rules["rules"][0]["rule"], "post_note@example.org");
}

#[tokio::test]
async fn a_forbidden_host_is_forbidden_however_it_is_written_and_also_in_a_changed_input() {
    let office = Office::of(vec![
        call("post_note", note("Evil.Example.")),
        call("post_note", note("example.org")),
        done(),
    ])
    .await;
    office
        .desk
        .rpc("add_rule", json!({"rule": "post_note@evil.example", "is_allowed": false}))
        .await
        .unwrap();
    let handle = office.start(&[]).await;
    let told = office.answered(&handle, json!({"change": note("EVIL.example")})).await;
    assert!(
        told.iter().all(|told| told.contains("the settings forbid `post_note@evil.example`")),
        "{told:#?}"
    );
    assert!(office.calls().is_empty());
}

#[tokio::test]
async fn what_was_refused_stays_refused_when_the_run_goes_on_after_a_failure() {
    let office = Office::of(vec![
        call("print_label", json!({"text": "Fragile"})),
        Reply::error(400, "invalid_request_error", None, "The request is refused."),
        done(),
    ])
    .await;
    let handle = office.start(&[]).await;
    let run = handle.run().0.clone();
    let question = office.questions(&run, 1).await.remove(0);
    office.answer(&run, &question, json!({"refuse_because": "There is no paper."})).await.unwrap();
    let question = office.questions(&run, 1).await.remove(0);
    assert_eq!(question["question"]["kind"]["kind"], "profile", "{question:#}");
    office.answer(&run, &question, json!("stop")).await.unwrap();
    assert_eq!(handle.ended().await.outcome, Outcome::Failed);
    let again = office.desk.runs().resume(ResumeRun { run, ..ResumeRun::default() }).await.unwrap();
    let told = office.ended(&again).await;
    assert!(told[0].contains("There is no paper.") && office.calls().is_empty(), "{told:#?}");
}
