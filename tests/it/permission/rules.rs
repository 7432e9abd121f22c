//! The rules of the settings: written by two processes, kept whatever fails beside them, and stronger than any answer.

use std::collections::BTreeSet;

use desk::api::AnswerRun;
use serde_json::json;

use super::office::{Office, call, done, note};
use crate::terminal::galley::Galley;
use crate::terminal::host::Host;

#[test]
fn rules_that_two_processes_write_at_once_are_both_kept() {
    let galley = Galley::new();
    let hosts = [Host::open(&galley), Host::open(&galley)];
    std::thread::scope(|scope| {
        for (number, host) in hosts.into_iter().enumerate() {
            scope.spawn(move || {
                for rule in 0..25 {
                    let rule = format!("read_webpage@host{rule}.of{number}.example");
                    host.ask("add_rule", json!({"rule": rule, "is_allowed": rule.contains("of1")})).unwrap();
                }
            });
        }
    });
    let rules = Host::open(&galley).ask("list_rules", json!({})).unwrap();
    let kept: BTreeSet<(String, bool)> = rules["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| (rule["rule"].as_str().unwrap().to_owned(), rule["is_allowed"].as_bool().unwrap()))
        .collect();
    let written = (0..2).flat_map(|number| {
        (0..25).map(move |rule| (format!("read_webpage@host{rule}.of{number}.example"), number == 1))
    });
    assert_eq!(kept, written.collect());
}

#[tokio::test]
async fn an_answer_that_allows_lifts_nothing_that_a_rule_forbids() {
    for never in ["post_note", "post_note@example.org"] {
        for answer in ["once", "run", "always"] {
            let office = Office::of(vec![
                call("post_note", note("example.org")),
                call("post_note", note("example.org")),
                done(),
            ])
            .await;
            let handle = office.start(&[]).await;
            let question = office.questions(&handle.run().0, 1).await.remove(0);
            // Forbidden while the question is open, at another window say.
            let rule = json!({"rule": never, "is_allowed": false});
            office.desk.rpc("add_rule", rule).await.unwrap();
            office.answer(&handle.run().0, &question, json!(answer)).await.unwrap();
            let told = office.ended(&handle).await;
            let forbids = format!("the settings forbid `{never}`");
            assert!(
                told.len() == 2 && told.iter().all(|told| told.contains(&forbids)),
                "{answer}: {told:#?}"
            );
            assert!(office.calls().is_empty(), "{answer}");
            let rules = office.desk.rpc("list_rules", json!({})).await.unwrap();
            let is_kept = |rule: &serde_json::Value| rule["rule"] == never && rule["is_allowed"] == false;
            assert!(rules["rules"].as_array().unwrap().iter().any(is_kept), "{answer}: {rules:#}");
        }
    }
}

/// Makes the event that asks a question unreadable.
fn damage(office: &Office, seq: &serde_json::Value) {
    let database = rusqlite::Connection::open(office.folder.path().join("galley.sqlite3")).unwrap();
    let changed = database
        .execute("UPDATE events SET checksum = checksum + 1 WHERE id & 4294967295 = ?1", [seq.as_i64()]);
    assert_eq!(changed.unwrap(), 1);
}

#[tokio::test]
async fn what_is_always_allowed_is_kept_where_the_run_cannot_be_read_any_more() {
    let office = Office::of(vec![call("post_note", note("example.org")), done()]).await;
    let handle = office.start(&[]).await;
    let run = handle.run().0.clone();
    let question = office.questions(&run, 1).await.remove(0);
    damage(&office, &question["id"]);
    let answered = office.answer(&run, &question, json!("always")).await;
    assert!(answered.is_err(), "{answered:?}");
    let rules = office.desk.rpc("list_rules", json!({})).await.unwrap();
    assert_eq!(rules["rules"][0]["rule"], "post_note@example.org");
    handle.ended().await;
    assert_eq!(office.calls(), ["post_note example.org hello"]);
}

#[tokio::test]
async fn an_answer_to_a_run_that_cannot_be_read_is_refused_before_it_goes_on() {
    let office = Office::of(vec![call("post_note", note("example.org"))]).await;
    let handle = office.start(&[]).await;
    let run = handle.run().0.clone();
    let question = office.questions(&run, 1).await.remove(0);
    handle.cancel();
    handle.ended().await;
    damage(&office, &question["id"]);
    let id = question["id"].as_u64().and_then(|id| u32::try_from(id).ok());
    let again =
        office.desk.runs().answer(AnswerRun { run, question: id, value: json!("always").into() }).await;
    assert!(again.is_err() && office.calls().is_empty());
}
