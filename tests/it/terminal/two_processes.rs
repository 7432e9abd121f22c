//! Two processes on one data folder: a run that lives elsewhere is seen growing and is not stolen.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use desk::{Desk, Options};
use futures::StreamExt;
use serde_json::{Value, json};
use testkit::{NewsModel, Reply};

use super::galley::{Galley, eventually, server};

#[test]
fn a_run_of_another_process_is_seen_growing_and_is_held_by_it() {
    // The draft and its review come when the test says.
    let (holds, held) = mpsc::channel();
    let asked = AtomicUsize::new(0);
    let server = server(move |request| match NewsModel::default().answer(request) {
        Reply::Text(text) if asked.fetch_add(1, Ordering::SeqCst) > 0 => {
            let (hand, reply) = Reply::by_hand();
            holds.send((hand, text)).unwrap();
            reply
        }
        reply => reply,
    });
    let let_come = || {
        let (hand, text) = held.recv_timeout(Duration::from_secs(30)).unwrap();
        hand.say(&text);
    };
    let galley = Galley::asking(&server);
    // Another process has the folder open all the while, as a window does, and watches.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let options = Options { data_dir: Some(galley.data()), ..Options::default() };
    let window = runtime.block_on(Desk::open(options)).unwrap();
    let running = galley.begin_news("rag");
    let run = running.id();
    let (desk, watched) = (window.clone(), run.clone());
    let watching = runtime.spawn(async move {
        let mut items = Box::pin(desk.runs().watch(Some(watched), 1));
        let (mut seen, mut live_at) = (Vec::new(), None);
        while let Some(item) = items.next().await {
            if item["type"] == "live" {
                live_at = item["seq"].as_u64();
            }
            if item["type"] == "event" {
                seen.push(item["entry"]["event"]["seq"].as_u64().unwrap());
                if item["entry"]["event"]["fact"]["kind"] == "run_ended" {
                    break;
                }
            }
        }
        (seen, live_at)
    });

    // The writer has begun: what is said from here on is for the agents after it.
    eventually("the writer's request", || (server.count() >= 2).then_some(()));
    let count = || galley.events(&run).len();
    assert_eq!(galley.statuses(), ["running"]);
    let told = galley.run(["resume", &run, "--json"]).exits(1);
    assert_eq!(told.result()["error"]["code"], "busy");
    told.says(&[&run, "held by another Galley", &running.child.id().to_string(), "there"]);
    let edit = json!({"run": run, "key": "final_remark", "value": "mine"});
    let refused = runtime.block_on(window.rpc("edit_state", edit)).unwrap_err();
    assert_eq!(json!(refused.code), "busy", "{}", refused.message);
    // What is for the run itself is handed to the process that holds it.
    galley.run(["answer", &run, "add"]).exits(2).says(&["waits for no answer"]);
    galley.run(["say", &run, "Mention Ada Lovelace."]).ok();
    // It grows while it is looked at, and another run lives beside it.
    let early = count();
    let_come();
    eventually("more events", || (count() > early).then_some(()));
    assert_eq!(galley.statuses(), ["running"]);
    galley.news("zxqvyt wxyzzq", &[]).ok();
    let_come();

    let told = running.ended().ok();
    let (seen, live_at) = runtime
        .block_on(async { tokio::time::timeout(Duration::from_secs(10), watching).await.unwrap().unwrap() });
    let printed = told.lines().len() as u64 - 1;
    assert_eq!(seen, (1..=printed).collect::<Vec<_>>(), "every event once, in order");
    assert!(live_at.unwrap() < printed, "the watch was live before the end");
    assert_eq!(galley.statuses(), ["finished", "finished"]);
    let events: Vec<Value> = told.lines()[..printed as usize].to_vec();
    assert_eq!(galley.events(&run), events, "what was printed is what is stored");
    assert_eq!(server.count(), 3, "nothing was asked twice");
    let read: Vec<bool> =
        server.requests().iter().map(|asked| asked.text_of("user").contains("Ada Lovelace")).collect();
    assert_eq!(read, [false, false, true], "agents that started after it was said read it");
    galley.run(["replay", "--all"]).ok();
    runtime.block_on(window.close());
}

#[test]
fn a_run_of_another_process_is_stopped_from_here() {
    // No answer ever comes, and no stream ends.
    let hands = Mutex::new(Vec::new());
    let server = server(move |_| {
        let (hand, reply) = Reply::by_hand();
        hands.lock().unwrap().push(hand);
        reply
    });
    let galley = Galley::asking(&server);
    let running = galley.begin_news("rag");
    let run = running.id();
    eventually("the first request", || (server.count() >= 1).then_some(()));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let options = Options { data_dir: Some(galley.data()), ..Options::default() };
    let window = runtime.block_on(Desk::open(options)).unwrap();
    runtime.block_on(window.rpc("stop_run", json!({"run": run}))).unwrap();
    assert_eq!(running.ended().result()["outcome"], "cancelled");
    let told = galley.run(["say", &run, "Too late."]).exits(2);
    told.says(&["start the next run with it"]);
    runtime.block_on(window.close());
}

#[test]
fn a_run_whose_process_was_killed_is_resumed_by_another_without_asking_again() {
    // The first draft never comes, however long the machine takes to end the process.
    let (asked, hands) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let server = server(move |request| {
        if asked.fetch_add(1, Ordering::Relaxed) != 1 {
            return NewsModel::default().answer(request);
        }
        let (hand, reply) = Reply::by_hand();
        hands.lock().unwrap().push(hand);
        reply
    });
    let galley = Galley::asking(&server);
    let mut running = galley.begin_news("rag");
    let run = running.id();
    let is_of_writer =
        |event: &Value| event["author"] == "ai_news_writer" && event["fact"]["kind"] == "effect_asked";
    eventually("the second request", || {
        (server.count() >= 2 && galley.events(&run).iter().any(is_of_writer)).then_some(())
    });
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    assert_eq!(galley.statuses(), ["interrupted"]);
    let told = galley.run(["resume", &run, "--json"]).ok();
    assert_eq!(told.result()["outcome"], "finished");
    assert_eq!(server.count(), 4, "the search is not asked again; the draft that was in flight is");
    assert_eq!(told.result()["usage"]["calls"], 4, "what was in flight may have been paid for");
    galley.run(["replay", &run]).ok();
}
