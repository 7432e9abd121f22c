//! A run that is steered while it goes on: gates around its agents, and words to it.

use desk::api::{AnswerRun, ResumeRun, StartRun};
use desk::{Gate, Outcome, QuestionPolicy, RunHandle};
use models::Delivery;
use serde_json::{Value, json};
use testkit::Reply;

use crate::permission::office::{Office, call};

/// Three clerks, one after the other. The second and the third read what the one before wrote.
const CLERKS: &str = r#"
id = "office"
title = "Clerks"

[input.letter]
title = "Letter"
kind = "long_text"

[key.one]
title = "One"
[key.two]
title = "Two"
[key.report]
title = "Report"
role = "final"

[agent.first]
reads = ["letter"]
writes = "one"
instruction = "You are the first."
prompt = "{{ letter }}"
tools = ["print_label"]

[agent.second]
reads = ["one"]
writes = "two"
instruction = "You are the second."
prompt = "{{ one }}"

[agent.third]
reads = ["two"]
writes = "report"
instruction = "You are the third."
prompt = "{{ two }}"

[flow]
steps = ["first", "second", "third"]
"#;

async fn office(policy: QuestionPolicy, replies: Vec<Reply>) -> Office {
    Office::working(CLERKS, 0, Delivery::Streamed, policy, replies).await
}

async fn start(office: &Office, gates: &[(&str, Gate)]) -> RunHandle {
    let request = StartRun {
        pipeline: "office".into(),
        inputs: [("letter".to_owned(), json!("Please see to it.").into())].into(),
        profile: Some("office".into()),
        gates: gates.iter().map(|(agent, gate)| ((*agent).to_owned(), *gate)).collect(),
        ..StartRun::default()
    };
    office.desk.runs().start(request).await.unwrap()
}

async fn state(office: &Office, run: &str) -> Value {
    office.desk.rpc("state_at", json!({"run": run, "seq": null})).await.unwrap()["state"].clone()
}

#[tokio::test]
async fn at_a_gate_changes_are_asked_for_and_a_result_is_edited() {
    let replies = ["One.", "Two.", "Two, shorter.", "Three."].map(Reply::text).into();
    let office = office(QuestionPolicy::Window, replies).await;
    let handle = start(&office, &[("second", Gate { before: false, after: true })]).await;
    let run = handle.run().0.clone();
    let question = office.questions(&run, 1).await.remove(0);
    assert_eq!(question["question"]["kind"], json!({"kind": "gate", "agent": "second", "side": "after"}));
    assert_eq!(question["question"]["details"], json!({"keys": ["two"], "takes_changes": true}));
    office.answer(&run, &question, json!({"ask_for_changes": "Make it shorter."})).await.unwrap();
    let again = office.questions(&run, 1).await.remove(0);
    let requests = office.requests();
    let asked = requests.last().unwrap().messages()[1]["content"].to_string();
    assert!(asked.contains("Make it shorter.") && asked.contains("Two."), "{asked}");
    assert_eq!(state(&office, &run).await["two"], "Two, shorter.");

    // Whatever is no value of the key is refused, and the question stays open.
    let wrong = json!({"go_on_with": {"set": {"letter": "Another."}, "removed": []}});
    assert!(office.answer(&run, &again, wrong).await.is_err());
    let edited = json!({"go_on_with": {"set": {"two": "Two, by hand."}, "removed": []}});
    office.answer(&run, &again, edited).await.unwrap();
    office.ended(&handle).await;
    let asked = office.requests().last().unwrap().messages()[1]["content"].to_string();
    assert!(asked.contains("Two, by hand."), "{asked}");
    let history = office.desk.rpc("key_history", json!({"run": run, "key": "two"})).await.unwrap();
    let history = history.to_string();
    for version in ["\"Two.\"", "Two, shorter.", "Two, by hand."] {
        assert!(history.contains(version), "{version}: {history}");
    }
}

#[tokio::test]
async fn where_nobody_is_there_the_run_waits_at_its_gate_and_the_answer_lets_it_go_on() {
    let office = office(QuestionPolicy::Nobody, ["One.", "Two.", "Three."].map(Reply::text).into()).await;
    let handle = start(&office, &[("second", Gate { before: true, after: false })]).await;
    let run = handle.run().0.clone();
    assert_eq!(handle.ended().await.outcome, Outcome::Waiting);
    assert_eq!(office.requests().len(), 1);
    // Resumed without an answer, it asks again; who still sees the question from before answers that one.
    let number = |question: &Value| question["id"].as_u64().and_then(|id| u32::try_from(id).ok());
    let before = number(&office.questions(&run, 1).await.remove(0));
    let resumed =
        office.desk.runs().resume(ResumeRun { run: run.clone(), ..ResumeRun::default() }).await.unwrap();
    assert_eq!(resumed.ended().await.outcome, Outcome::Waiting);
    assert_ne!(number(&office.questions(&run, 1).await.remove(0)), before);
    let answer = AnswerRun { run: run.clone(), question: before, value: json!("go_on").into() };
    let again = office.desk.runs().answer(answer).await.unwrap();
    office.ended(&again).await;
    assert_eq!(state(&office, &run).await["report"], "Three.");
}

#[tokio::test]
async fn a_word_said_during_the_first_agent_is_read_by_the_second_and_the_third() {
    let replies = vec![
        call("print_label", json!({"text": "Fragile"})),
        Reply::text("One."),
        Reply::text("Two."),
        Reply::text("Three."),
    ];
    let office = office(QuestionPolicy::Window, replies).await;
    let handle = start(&office, &[]).await;
    let run = handle.run().0.clone();
    // The first agent is at work as long as its question is open.
    let permission = office.questions(&run, 1).await.remove(0);
    office.desk.rpc("say_to_run", json!({"run": run, "text": "Mention Ada."})).await.unwrap();
    // A gate for an agent that has not started holds, too; one around nobody is refused.
    let gate = json!({"run": run, "gates": {"third": {"before": true, "after": false}}});
    office.desk.rpc("set_gates", gate).await.unwrap();
    let nobody = json!({"run": run, "gates": {"fourth": {"before": true, "after": false}}});
    assert!(office.desk.rpc("set_gates", nobody).await.is_err_and(|error| error.message.contains("third")));
    office.answer(&run, &permission, json!("once")).await.unwrap();
    let question = loop {
        let question = office.questions(&run, 1).await.remove(0);
        if question["id"] != permission["id"] {
            break question;
        }
    };
    assert_eq!(question["question"]["kind"], json!({"kind": "gate", "agent": "third", "side": "before"}));
    office.answer(&run, &question, json!("go_on")).await.unwrap();
    office.ended(&handle).await;
    let heard: Vec<bool> = office
        .requests()
        .iter()
        .map(|request| {
            request.messages().iter().any(|message| message["content"].to_string().contains("Mention Ada."))
        })
        .collect();
    assert_eq!(heard, [false, false, true, true]);
    // Nobody reads any more: it is said so.
    let late = office.desk.rpc("say_to_run", json!({"run": run, "text": "Too late."})).await.unwrap_err();
    assert!(late.message.contains("start the next run"), "{}", late.message);
}
