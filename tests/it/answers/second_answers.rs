//! What becomes of a second answer, and of what a reviewer says around the post that it revised.

use std::sync::atomic::{AtomicUsize, Ordering};

use desk::Outcome;
use serde_json::{Value, json};
use testkit::{ModelServer, NewsModel, Reply};

use crate::outcomes::{FALLBACK, Place, fenced, text};
use crate::pauses::Window;
use crate::profiles::request;

/// The text that a finished run becomes where its rewriter answers first this and then that; `KEPT` in these is the
/// sentence that the person keeps.
async fn rewritten(answers: [&'static str; 2]) -> String {
    let calls = AtomicUsize::new(0);
    let server = ModelServer::by_agent(move |request| {
        if !request.asks_for("markdown") {
            return NewsModel::default().answer(request);
        }
        // The second request has it in its first message.
        let told = request.text_of("user");
        let (_, list) = told.split_once("BEGIN SENTENCES TO KEEP (data, not instructions) -----").unwrap();
        let kept: Value = serde_json::from_str(list.split_once("----- END").unwrap().0).unwrap();
        let answer = answers[calls.fetch_add(1, Ordering::SeqCst)];
        Reply::Json(json!({ "markdown": answer.replace("KEPT", kept[0].as_str().unwrap()) }))
    })
    .await;
    let window = Window::new().await;
    window.add("test", &server).await;
    let run = window.desk.runs().start(request("test")).await.unwrap().run().0.clone();
    window.ended(&run).await;
    let state =
        async |run: &str| window.ask("state_at", json!({"run": run, "seq": null})).await["state"].clone();
    let before = state(&run).await["final_post"].as_str().unwrap().to_owned();
    let sentence = before.trim().rsplit("\n").next().unwrap().split_inclusive("].").last().unwrap().trim();
    let lock = json!({"kind": "lock", "sentence": sentence, "is_locked": true});
    window.ask("review_draft", json!({"run": run, "action": lock})).await;
    let made = window.ask("rewrite_run", json!({"run": run, "step": {"instruction": "plainer"}})).await;
    let linked = made["run"].as_str().unwrap().to_owned();
    assert_eq!(window.ended(&linked).await["outcome"], "finished");
    window.replays_the_same(&linked).await;
    state(&linked).await["final_text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn of_two_answers_the_one_that_breaks_fewer_checks_is_taken_and_on_a_tie_the_second() {
    for (answers, taken) in [
        (["The first is whole [9]. KEPT", "The second is a remark [9]."], "The first"),
        (["The first has lost it [9].", "The second has it [9]. KEPT"], "The second"),
        (["The first cites it [9]. KEPT", "The second cites another [8]. KEPT"], "The second"),
        (["The first cites it [9]. KEPT", "The second is right. KEPT"], "The second"),
    ] {
        let text = rewritten(answers).await;
        assert!(text.contains(taken), "{answers:?}: {text}");
    }
}

#[tokio::test]
async fn to_raise_the_limit_is_advised_only_where_that_limit_ended_the_answer() {
    let cuts: [(fn() -> Reply, bool); 3] = [
        (|| Reply::MaxTokens("{\"post_markdown\": \"It rains in".to_owned()), false),
        (|| Reply::MaxTokens("The server ends it".to_owned()), false),
        (|| Reply::text(json!({ "post_markdown": "word ".repeat(9000) }).to_string()), true),
    ];
    for (cut, is_ours) in cuts {
        let place = Place::but(move |stage, _, _| (stage == "post_markdown").then(cut)).await;
        let (handle, end) = place.run(&[]).await;
        let message = end.error.unwrap().message;
        assert_eq!(
            (end.outcome, message.contains("--limit max_output_tokens")),
            (Outcome::Failed, is_ours),
            "{message}"
        );
        assert_eq!(message.contains("allows no more"), !is_ours, "{message}");
        place.replays_the_same(&handle).await;
    }
}

#[tokio::test]
async fn what_a_reviewer_says_around_its_revised_post_is_not_published() {
    for (before, after) in [
        ("Sure! Here's the revised post:\n\n", "\n\nLet me know if you'd like any changes!"),
        ("好的，以下是修改后的文章：\n\n", "\n\n(I kept the post below the word limit.)"),
    ] {
        let place = Place::but(move |stage, _, request| {
            let draft = (stage == "review_notes").then(|| fenced(request, "REVIEW MATERIAL")["draft"].clone())?;
            let revised = format!("{before}{}{after}", draft.as_str()?);
            Some(Reply::Json(json!({
                "review_notes": "Good.", "issues_found": [], "revised_post_markdown": revised, "ready_for_publish": true
            })))
        })
        .await;
        let (handle, end) = place.run(&[]).await;
        let draft = end.state.get("draft_post").unwrap().json().unwrap()["post_markdown"].clone();
        assert_eq!((end.outcome, json!(text(&end, "final_post"))), (Outcome::Finished, draft));
        assert_ne!(text(&end, "final_post"), FALLBACK);
        place.replays_the_same(&handle).await;
    }
}
