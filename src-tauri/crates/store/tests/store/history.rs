//! Finding runs in the history and reading their data.

use engine::{Durability, Log};
use kernel::{Code, Error, Fact, Phrase, SessionId, Value, key_history};
use serde_json::json;
use store::{SessionMessage, Store};

use crate::samples::{ended, event, set, shared, start, started};

#[tokio::test]
async fn runs_are_found_by_the_words_of_their_titles_and_drafts_in_any_script() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for (run, text) in [
        ("run-1", "Retrieval-augmented generation gets a Café of its own \" OR title:x"),
        ("run-2", "今日は聖地巡礼の計画を立てました。東京から始めます"),
        ("run-3", "Something else entirely, nothing to see here"),
    ] {
        let mut start = start(run);
        let note = "Nothing was found in the recency of {days} days";
        start.definition.notes.insert("nothing_found".into(), note.into());
        let draft = json!({"post_markdown": text, "word_count": 9});
        store.create(&start, vec![started(&start), set(2, "draft_post", draft)]).await.unwrap();
    }
    let found = async |search: &str| -> Vec<String> {
        let cards = store.search_runs(search, None, 10).await.unwrap().runs;
        cards.into_iter().map(|card| format!("{}: {}", card.run, card.snippet.unwrap())).collect()
    };
    assert_eq!(
        found("generation CAFE").await,
        ["run-1: Retrieval-augmented [[generation]] gets a [[Café]] of its own \" OR title:x"]
    );
    assert_eq!(found("聖地").await, ["run-2: 今日は[[聖地]]巡礼の計画を立てました。東京から始めます"]);
    for search in ["聖", "京", "地巡", "聖地巡礼", "計画 東京"] {
        assert_eq!(found(search).await.len(), 1, "{search}");
    }
    assert_eq!(found("title").await.len(), 3);
    assert_eq!(found("run-3").await.len(), 1, "titles count");
    for search in ["地聖", "generation 聖地", "\" OR title:*", "nowhere", "!!"] {
        assert!(found(search).await.len() <= 1, "{search}");
    }
    assert!(found("nowhere").await.is_empty() && found("!!").await.is_empty());
    assert_eq!(store.list_runs(None, 2).await.unwrap().len(), 2);

    let run = start("run-3").run;
    let edit = set(3, "draft_post", json!("now about volcanoes of Iceland"));
    store.append(&run, shared(vec![edit]), Durability::Committed).await.unwrap();
    assert_eq!(found("volcano").await.len(), 1, "a later draft is found");
    assert!(found("entirely").await.is_empty(), "and the one before is not");

    let note = kernel::Note::decision("nothing_found", json!({ "days": 30 }));
    store.append(&run, shared(vec![event(4, Fact::Noted { note })]), Durability::Committed).await.unwrap();
    assert!(found("recency").await[0].contains("[[recency]] of 30 days"), "notes of the journal are found");

    let error = Error::new(Code::QuotaExhausted, Phrase::verbatim("the credit of Alexandria is used up"));
    let fell_back = Fact::FellBack { from: "work".into(), to: "home".into(), error };
    store.append(&run, shared(vec![event(5, fell_back)]), Durability::Committed).await.unwrap();
    assert_eq!(found("alexandria").await.len(), 1, "why another profile stands in is found");
}

#[tokio::test]
async fn matches_come_in_pages_with_counts_of_matches_and_unindexed_runs() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for n in 0..140 {
        let start = start(&format!("run-{n:03}"));
        let draft = json!({"post_markdown": if n % 2 == 0 { "a text about glaciers" } else { "a text about deserts" }});
        store.create(&start, vec![started(&start), set(2, "draft_post", draft), ended(3)]).await.unwrap();
    }
    let first = store.search_runs("glacier", None, 50).await.unwrap();
    let ids = |found: &store::FoundRuns| -> Vec<String> {
        found.runs.iter().map(|card| card.run.0.clone()).collect()
    };
    // The newest 64 are indexed before the search, the others in the background.
    assert_eq!((first.found, first.not_indexed), (32, 76));
    assert_eq!((ids(&first)[0].as_str(), ids(&first).len()), ("run-138", 32));
    store.index_runs().await.unwrap();
    let first = store.search_runs("glacier", None, 50).await.unwrap();
    assert_eq!((first.found, first.not_indexed, first.runs.len()), (70, 0, 50));
    let last = first.runs.last().unwrap().run.clone();
    let second = store.search_runs("glacier", Some(&last), 50).await.unwrap();
    assert_eq!((second.found, second.runs.len()), (70, 20));
    let mut all = [ids(&first), ids(&second)].concat();
    assert!(all.is_sorted_by(|a, b| a > b) && all.iter().all(|id| id.as_bytes()[6] % 2 == 0));
    all.dedup();
    assert_eq!(all.len(), 70);
    assert!(second.runs[0].snippet.as_ref().unwrap().contains("[[glacier"));
}

#[tokio::test]
async fn a_run_is_resolved_by_an_id_prefix_or_last() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.resolve_run("last").await.unwrap_err().code, Code::NotFound);
    for run in ["0190-aaaa", "0190-abbb", "0190-abbb-c"] {
        let start = start(run);
        store.create(&start, vec![started(&start)]).await.unwrap();
    }
    assert_eq!(store.resolve_run("last").await.unwrap().0, "0190-abbb-c");
    assert_eq!(store.resolve_run(" LATEST ").await.unwrap().0, "0190-abbb-c");
    assert_eq!(store.resolve_run("0190-AA").await.unwrap().0, "0190-aaaa");
    assert_eq!(store.resolve_run("0190-abbb").await.unwrap().0, "0190-abbb", "a whole id is that run");
    let several = store.resolve_run("0190-a").await.unwrap_err();
    assert!(several.code == Code::BadInput && several.to_string().contains("0190-aaaa"), "{several}");
    assert_eq!(store.resolve_run("019").await.unwrap_err().code, Code::BadInput);
    assert_eq!(store.resolve_run("%_*'--").await.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn the_history_of_a_key_needs_only_the_events_that_touch_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    let odd = "a \"key\"";
    let mut events =
        vec![started(&start), set(2, odd, json!("x".repeat(9_000))), set(3, "other", json!(odd))];
    events.push(ended(4));
    store.create(&start, events.clone()).await.unwrap();
    let found = store.key_events(&start.run, odd).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(key_history(&found, odd), key_history(&events, odd));
    assert!(!found[0].delta().unwrap().set[odd].is_stored());
}

#[tokio::test]
async fn a_session_has_its_runs_and_messages_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let session = SessionId("session".to_owned());
    assert_eq!(store.session(&session).await.unwrap(), None);
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    let said = |at_ms, author: &str| SessionMessage {
        at_ms,
        run: (at_ms > 1).then(|| start.run.clone()),
        author: author.to_owned(),
        text: "hello".to_owned(),
    };
    store.append_message(&session, said(1, "user")).await.unwrap();
    store.append_message(&session, said(2, "ai-news")).await.unwrap();
    store.append_message(&SessionId("another".to_owned()), said(3, "user")).await.unwrap();
    assert_eq!(store.messages(&session).await.unwrap(), [said(1, "user"), said(2, "ai-news")]);
    let card = store.session(&session).await.unwrap().unwrap();
    assert_eq!((card.created_at_ms, card.runs), (start.at_ms, vec![start.run]));
}

#[tokio::test]
async fn marks_of_a_run_are_stored_and_the_trash_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (kept, thrown) = (start("run-kept"), start("run-thrown"));
    for start in [&kept, &thrown] {
        store.create(start, vec![started(start), ended(2)]).await.unwrap();
    }
    let listed = async || {
        let cards = store.list_runs(None, 10).await.unwrap();
        cards.into_iter().map(|card| card.run.0).collect::<Vec<_>>()
    };
    let busy = store.trash_run(&thrown.run, true).await.unwrap_err();
    assert_eq!(busy.code, Code::Busy, "it is still held by who made it");
    store.release(&thrown.run).await.unwrap();

    store.mark_run(&kept.run, Some("温泉 plans".into()), Some(true), None).await.unwrap();
    let card = store.run_card(&kept.run).await.unwrap();
    assert_eq!((card.title.as_str(), card.is_pinned), ("温泉 plans", true));
    assert_eq!(store.search_runs("温泉", None, 10).await.unwrap().runs.len(), 1);
    store.mark_run(&kept.run, Some(String::new()), None, None).await.unwrap();
    let card = store.run_card(&kept.run).await.unwrap();
    assert_eq!((card.title.as_str(), card.is_pinned), ("A title of run-kept", true));
    assert!(store.search_runs("温泉", None, 10).await.unwrap().runs.is_empty());

    store.trash_run(&thrown.run, true).await.unwrap();
    assert_eq!(listed().await, ["run-kept"]);
    assert_eq!(store.resolve_run("last").await.unwrap(), kept.run);
    assert_eq!(store.search_runs("title", None, 10).await.unwrap().runs.len(), 1);
    let trash = store.list_trash(10).await.unwrap();
    assert!(trash.len() == 1 && trash[0].run == thrown.run && trash[0].trashed_at_ms.is_some());
    store.trash_run(&thrown.run, false).await.unwrap();
    assert_eq!(listed().await, ["run-thrown", "run-kept"]);
    assert_eq!(store.load(&thrown.run).await.unwrap().events.len(), 2);
}

#[tokio::test]
async fn erasing_a_run_deletes_only_its_unshared_values_which_can_be_stored_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let elsewhere = Store::open(folder.path()).unwrap();
    let own = Value::text("own ".repeat(5_000));
    let shared = Value::text("shared ".repeat(5_000));
    let (gone, stays) = (start("run-gone"), start("run-stays"));
    let large = |seq, value: &Value| set(seq, "large", value.json_or_null().clone());
    store.create(&gone, vec![started(&gone), large(2, &own), large(3, &shared), ended(4)]).await.unwrap();
    store.create(&stays, vec![started(&stays), large(2, &shared)]).await.unwrap();
    let later = start("run-later");
    elsewhere.create(&later, vec![started(&later), large(2, &own), ended(3)]).await.unwrap();
    let message = SessionMessage {
        at_ms: 1,
        run: Some(gone.run.clone()),
        author: "user".into(),
        text: "secret".into(),
    };
    store.append_message(&gone.session, message).await.unwrap();
    let is_kept = async |value: &Value| store.value(&value.hash()).await.is_ok();

    assert_eq!(store.erase_run(&gone.run).await.unwrap_err().code, Code::BadInput, "it is not in the trash");
    for (at, run) in [(&elsewhere, &later.run), (&store, &gone.run)] {
        at.release(run).await.unwrap();
        at.trash_run(run, true).await.unwrap();
        at.erase_run(run).await.unwrap();
        assert_eq!(at.load(run).await.unwrap_err().code, Code::NotFound);
    }
    assert!(!is_kept(&own).await && is_kept(&shared).await);
    assert!(store.messages(&gone.session).await.unwrap().is_empty());
    assert_eq!(store.search_runs("title", None, 10).await.unwrap().runs.len(), 1);
    assert_eq!(store.load(&stays.run).await.unwrap().events[1].delta().unwrap().set["large"], shared);

    // Both stored it before, and neither knows by itself that it was deleted.
    for (at, name) in [(&elsewhere, "run-again"), (&store, "run-once-more")] {
        let again = start(name);
        at.create(&again, vec![started(&again), large(2, &own), ended(3)]).await.unwrap();
        assert_eq!(at.load(&again.run).await.unwrap().events[1].delta().unwrap().set["large"], own);
        assert!(is_kept(&own).await, "{name}");
        at.release(&again.run).await.unwrap();
        at.trash_run(&again.run, true).await.unwrap();
        assert_eq!(at.erase_trashed(1_000_000).await.unwrap(), 0, "it has not been there for long");
        assert_eq!(at.erase_trashed(-1).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn a_run_is_raised_until_the_user_changes_something_or_it_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-raised");
    let is_raised = async || store.run_card(&start.run).await.unwrap().is_raised;
    store.create(&start, vec![started(&start), set(2, "draft_post", json!("a draft"))]).await.unwrap();
    assert!(!is_raised().await);
    let by_agent =
        |event: kernel::Event, surface| kernel::Event { author: "writer".to_owned(), surface, ..event };
    let append =
        async |events| store.append(&start.run, shared(events), Durability::Committed).await.unwrap();
    append(vec![
        by_agent(set(3, "final_post", json!("nothing")), true),
        by_agent(set(4, "notes", json!("")), false),
    ])
    .await;
    assert!(is_raised().await);
    append(vec![ended(5)]).await;
    assert!(is_raised().await, "the end of a run decides nothing");
    store.hold(&start.run).await.unwrap();
    append(vec![set(6, "final_post", json!("my words"))]).await;
    assert!(!is_raised().await);
    append(vec![by_agent(set(7, "final_post", json!("nothing")), true)]).await;
    let note = kernel::Note::Kept { key: "draft_post".into() };
    append(vec![event(8, Fact::Noted { note })]).await;
    assert!(is_raised().await);
}
