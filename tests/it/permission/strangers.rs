//! Runs that somebody else made: what was allowed on their machine is asked again here.

use desk::Event;
use desk::api::ForkRun;
use kernel::{Effect, Fact, QuestionKind};
use serde_json::json;
use testkit::Reply;

use super::office::{Office, call, done, note};

/// A run of another office in which `post_note` was allowed so, taken into an office whose model follows this script.
async fn imported(allow: &[&str], answer: Option<&str>, script: Vec<Reply>) -> (Office, String) {
    let there = Office::of(vec![
        call("post_note", note("example.org")),
        call("post_note", note("example.org")),
        done(),
    ])
    .await;
    let handle = there.start(allow).await;
    let run = handle.run().0.clone();
    match answer {
        Some(answer) => there.answered(&handle, json!(answer)).await,
        None => there.ended(&handle).await,
    };
    assert_eq!(there.calls().len(), 2);
    let exported = there.desk.rpc("export_run", json!({"run": run, "format": "json"})).await.unwrap();
    let here = Office::of(script).await;
    let file = here.folder.path().join("of-a-stranger.json");
    std::fs::write(&file, exported["content"].as_str().unwrap()).unwrap();
    here.desk.rpc("import_run", json!({ "path": file })).await.unwrap();
    (here, run)
}

/// The fork asks about this many calls, and does none of them before it is answered.
async fn asks(office: &Office, run: &str, at: u32, calls: usize) {
    let fork =
        office.desk.runs().fork(ForkRun { run: run.to_owned(), at, ..ForkRun::default() }).await.unwrap();
    for asked in 0..calls {
        let question = office.questions(&fork.run().0, 1).await.remove(0);
        assert_eq!(question["question"]["kind"]["kind"], "permission", "{at}");
        assert_eq!(office.calls().len(), asked, "{at}");
        office.answer(&fork.run().0, &question, json!("once")).await.unwrap();
    }
    office.ended(&fork).await;
    assert_eq!(office.calls().len(), calls, "{at}");
}

fn calls_of_tools(events: &[Event]) -> Vec<&Event> {
    let is_call =
        |event: &&Event| matches!(&event.fact, Fact::EffectAsked { effect: Effect::Tool { .. }, .. });
    events.iter().filter(is_call).collect()
}

#[tokio::test]
async fn what_a_stranger_allowed_when_the_run_began_is_asked_again_in_a_fork() {
    let script = vec![call("post_note", note("example.org")), done()];
    let (office, run) = imported(&["post_note"], None, script).await;
    asks(&office, &run, 2, 1).await;
}

#[tokio::test]
async fn what_a_stranger_allowed_in_the_run_is_asked_again_behind_the_calls_that_were_done() {
    let (office, run) =
        imported(&[], Some("run"), vec![call("post_note", note("example.org")), done()]).await;
    // Cut before the second call: the model is asked here what it calls.
    let events = office.events(&run).await;
    let model = events
        .iter()
        .filter(|event| matches!(&event.fact, Fact::EffectAsked { effect: Effect::Model { .. }, .. }));
    let second = model.map(|event| event.seq).nth(1).unwrap();
    asks(&office, &run, second - 1, 1).await;
}

#[tokio::test]
async fn what_a_stranger_allowed_and_was_not_done_there_is_asked_again() {
    let (office, run) = imported(&[], Some("run"), vec![done()]).await;
    let events = office.events(&run).await;
    let calls = calls_of_tools(&events);
    let is_question = |event: &&Event| {
        matches!(&event.fact, Fact::EffectAsked { effect: Effect::Question { question }, .. }
            if matches!(question.kind, QuestionKind::Permission { .. }))
    };
    let question = events.iter().find(is_question).unwrap();
    // At the question, at its answer, at the call that it allowed: the second call is the model's again.
    for at in [question.seq, calls[0].seq - 1, calls[0].seq] {
        let script = vec![call("post_note", note("example.org")), done()];
        let (office, run) = imported(&[], Some("run"), script).await;
        asks(&office, &run, at, 2).await;
    }
    // At the second call, which the grant allowed: the first one was done there, and stays so.
    asks(&office, &run, calls[1].seq, 1).await;
}
