//! Work that fans out: one instance for each item of a list, at a window.

use std::collections::BTreeSet;

use desk::api::{ForkRun, ResumeRun};
use desk::{Event, Outcome, QuestionPolicy, RunHandle};
use kernel::{Effect, Fact};
use models::Delivery;
use serde_json::{Value, json};

use crate::permission::office::Office;

/// So many letters are posted.
const LETTERS: usize = 50;
/// The letter to a host for which nobody has given permission.
const STRANGE: usize = 17;
/// The letter that cannot be posted.
const BROKEN: usize = 23;

/// Posts each letter, four at once.
fn mail(failures: &str) -> String {
    let letter = |number: usize| {
        let host = if number == STRANGE { "other.org" } else { "example.org" };
        let sent_on = if number == BROKEN { "nowhere.org" } else { "" };
        format!(r#"{{ host = "{host}", text = "letter {number}", sent_on = "{sent_on}" }}"#)
    };
    let letters: Vec<String> = (1..=LETTERS).map(letter).collect();
    format!(
        r#"
id = "office"
title = "Mail"

[input.letter]
title = "Letter"
kind = "long_text"

[key.letters]
title = "Letters"
[key.posted]
title = "Posted"
[key.failures]
title = "Failures"

[agent.postman]
title = "Post one letter"
on_demand = true
input = {{ type = "object", properties = {{ host = {{ type = "string" }} }}, required = ["host", "text"] }}
call = {{ tool = "post_note", input = {{ host = "{{{{ item.host }}}}", text = "{{{{ item.text }}}}", sent_on_to = "{{{{ item.sent_on or item.host }}}}", takes_ms = 5 }} }}

[flow]
steps = [
  {{ set = {{ letters = [{}] }} }},
  {{ for_each = "letters", run = "postman", at_most = 4, collect = "posted"{failures} }},
]
"#,
        letters.join(", ")
    )
}

async fn office(failures: &str) -> Office {
    Office::working(&mail(failures), 0, Delivery::Whole, QuestionPolicy::Window, Vec::new()).await
}

async fn state(office: &Office, run: &str) -> Value {
    office.desk.rpc("state_at", json!({"run": run, "seq": null})).await.unwrap()["state"].clone()
}

/// Waits until so many letters are posted or have failed.
async fn settled(office: &Office, run: &str, count: usize) {
    for _ in 0..2000 {
        let ended = office.events(run).await.into_iter().filter(is_end_of_instance).count();
        if ended >= count {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("never: {:#?}", office.sentences(run).await);
}

fn is_end_of_instance(event: &Event) -> bool {
    matches!(event.fact, Fact::AgentEnded { .. }) && event.author == "postman"
}

/// How many calls were under way at once.
fn most_at_once(events: &[Event]) -> usize {
    let mut under_way = BTreeSet::new();
    let mut most = 0;
    for event in events {
        match &event.fact {
            Fact::EffectAsked { effect: Effect::Tool { .. }, .. } => _ = under_way.insert(event.path.clone()),
            Fact::EffectAnswered { .. } => _ = under_way.remove(&event.path),
            _ => {}
        }
        most = most.max(under_way.len());
    }
    most
}

fn assert_posted(state: &Value) {
    let posted = state["posted"].as_array().unwrap();
    assert_eq!(posted.len(), LETTERS);
    for (number, told) in (1..).zip(posted) {
        match number {
            BROKEN => assert!(told.is_null(), "{told}"),
            number => {
                assert!(told["told"].as_str().unwrap().ends_with(&format!("letter {number}")), "{told}")
            }
        }
    }
    assert!(state.get("item").is_none() && state.get("result").is_none(), "{state}");
}

async fn answered(office: &Office, handle: &RunHandle) {
    let run = handle.run().0.clone();
    let question = office.questions(&run, 1).await.remove(0);
    office.answer(&run, &question, json!("once")).await.unwrap();
}

#[tokio::test]
async fn fifty_items_run_four_at_once_and_one_that_waits_or_fails_holds_up_no_other() {
    let office = office(", failures = \"failures\"").await;
    let handle = office.start(&["post_note@example.org"]).await;
    let run = handle.run().0.clone();
    // All others come to their end while one waits for the person.
    settled(&office, &run, LETTERS - 1).await;
    assert_eq!(office.calls().len(), LETTERS - 2);
    answered(&office, &handle).await;
    office.ended(&handle).await;
    let end = state(&office, &run).await;
    assert_posted(&end);
    assert_eq!(end["failures"][0]["number"], BROKEN, "{end:#}");
    assert!(end["failures"][0]["error"].as_str().unwrap().contains("nowhere.org"), "{end:#}");
    let events = office.events(&run).await;
    assert!((2..=4).contains(&most_at_once(&events)), "{}", most_at_once(&events));
    // The time in which one waited for its slot is none in which it worked.
    let of_last =
        events.iter().find(|event| event.path.as_str().ends_with("postman#50") && is_end_of_instance(event));
    let asked_last = events.iter().find(|event| {
        event.path.as_str().ends_with("postman#50") && matches!(event.fact, Fact::EffectAsked { .. })
    });
    let (of_last, asked_last) = (of_last.unwrap(), asked_last.unwrap());
    let Fact::AgentEnded { took_ms, .. } = of_last.fact else { unreachable!() };
    assert!(took_ms <= of_last.ran_ms - asked_last.ran_ms, "{took_ms} ms");
    let sentences = office.sentences(&run).await.join("\n");
    assert!(sentences.contains("postman started for item 17"), "{sentences}");

    // A fork within the item that asked: the others are not posted again, it is asked about anew.
    let asked = events
        .iter()
        .find(|event| matches!(event.fact, Fact::EffectAsked { effect: Effect::Question { .. }, .. }));
    let at = events.iter().filter(|event| event.seq < asked.unwrap().seq).count();
    let at = u32::try_from(at).unwrap();
    let calls = office.calls().len();
    let kept = events.iter().take(at as usize).filter(|event| is_end_of_instance(event)).count();
    let fork = office.desk.runs().fork(ForkRun { run, at, ..ForkRun::default() }).await.unwrap();
    answered(&office, &fork).await;
    office.ended(&fork).await;
    assert_posted(&state(&office, &fork.run().0).await);
    let again = office.calls().len() - calls;
    assert!(again <= LETTERS - 1 - kept, "{again} were posted again, {kept} were kept");
}

#[tokio::test]
async fn a_run_that_was_left_goes_on_with_what_is_not_done_yet() {
    let office = office(", failures = \"failures\"").await;
    let handle = office.start(&["post_note@example.org"]).await;
    let run = handle.run().0.clone();
    settled(&office, &run, LETTERS - 1).await;
    handle.cancel();
    assert_eq!(handle.ended().await.outcome, Outcome::Cancelled);
    let posted = office.calls().len();
    let again =
        office.desk.runs().resume(ResumeRun { run: run.clone(), ..ResumeRun::default() }).await.unwrap();
    answered(&office, &again).await;
    office.ended(&again).await;
    assert_posted(&state(&office, &run).await);
    assert_eq!(office.calls().len(), posted + 1, "only the letter that waited is posted");
}

#[tokio::test]
async fn without_a_place_for_failures_the_step_fails_after_all_have_come_to_their_end() {
    let office = office("").await;
    let handle = office.start(&["post_note@example.org", "post_note@other.org"]).await;
    let run = handle.run().0.clone();
    let end = handle.ended().await;
    assert_eq!(end.outcome, Outcome::Failed);
    let message = end.error.unwrap().message;
    assert!(message.contains("postman#23") && message.contains("nowhere.org"), "{message}");
    assert_eq!(office.calls().len(), LETTERS - 1);
    assert_posted(&state(&office, &run).await);
}
