//! Runs executed again from the terminal: without a network, from nothing but their effects, over a long history.

use std::collections::HashSet;

use engine::Log;
use kernel::{Fact, RunId, Start};
use rusqlite::Connection;
use serde_json::Value;
use store::Store;
use testkit::NewsModel;

use super::galley::{Galley, copy_folder, news_server};

fn database(galley: &Galley) -> Connection {
    Connection::open(galley.data().join("galley.sqlite3")).unwrap()
}

#[test]
fn a_finished_run_comes_out_again_from_its_effects_alone_when_its_model_is_gone() {
    let server = news_server(NewsModel { reject_first: true, ..NewsModel::default() });
    let galley = Galley::asking(&server);
    galley.news("retrieval-augmented generation", &["--profile", "test"]).ok();
    assert_eq!(server.count(), 5, "search, draft, review, rewrite, review");
    drop(server);
    let stored = galley.run(["show", "last", "--events", "--json"]).ok().out;

    let copy = Galley::new();
    copy_folder(&galley.data(), &copy.data());
    let is_no_effect = "json_extract(fact, '$.kind') NOT IN ('effect_asked', 'effect_answered')";
    let deleted = database(&copy).execute(&format!("DELETE FROM events WHERE {is_no_effect}"), []).unwrap();
    assert!(deleted > 20, "the copy is stripped");
    let effects = stored.lines().count() - deleted;

    for place in [&galley, &copy] {
        let told = place.run(["replay", "last", "--json"]).ok();
        let (report, events) = told.out.trim_end().rsplit_once('\n').unwrap();
        assert_eq!(report, stored.trim_end(), "the events that come out are those that were stored");
        let report: Value = serde_json::from_str(events).unwrap();
        assert_eq!((&report["type"], &report["difference"]), (&"replay".into(), &Value::Null));
        assert_eq!(
            (&report["events"], &report["effects"]),
            (&stored.lines().count().into(), &(effects / 2).into())
        );
        assert!(place.run(["replay", "last"]).ok().out.contains(": the same, "));
    }
}

#[test]
fn a_changed_instruction_exits_4_and_shows_both_sides() {
    let server = news_server(NewsModel::default());
    let galley = Galley::asking(&server);
    galley.news("retrieval-augmented generation", &["--profile", "test"]).ok();
    galley.news("zxqvyt wxyzzq", &[]).ok();
    let asked = server.count();
    let file = galley.file("haiku.txt", "Write a haiku.");
    galley
        .run(["config", "set", "pipelines.ai-news.agents.ai_news_writer.instruction", &format!("@{file}")])
        .ok();
    let runs = galley.run(["runs", "--json"]).ok().lines();
    let run = runs[1]["run"].as_str().unwrap();

    let told = galley.run(["replay", run, "--present"]).exits(4);
    for words in ["ai_news_writer#1", "- recorded", "You write a short post", "+ replayed", "Write a haiku."]
    {
        assert!(told.out.contains(words), "{words}: {}", told.out);
    }
    let last = galley.run(["replay", run, "--present", "--json"]).exits(4).lines().pop().unwrap();
    let (recorded, replayed) = (&last["difference"]["recorded"], &last["difference"]["replayed"]);
    assert!(
        recorded.to_string().contains("You write a short post")
            && replayed.to_string().contains("Write a haiku.")
    );

    let all = galley.run(["replay", "--all", "--present", "--json"]).exits(4).lines();
    let differing: Vec<&Value> = all.iter().filter(|line| !line["difference"].is_null()).collect();
    assert_eq!((all.len(), differing.len(), differing[0]["run"].as_str()), (2, 1, Some(run)));
    assert!(
        galley
            .run(["replay", "--all", "--present"])
            .exits(4)
            .out
            .ends_with("1 the same, 1 different, 0 not replayed\n")
    );
    // What the runs were started with is the same as ever.
    galley.run(["replay", "--all"]).ok();
    galley.run(["config", "set", "pipelines.ai-news.agents.ai_news_writer.instruction", ""]).ok();
    galley.run(["replay", "--all", "--present"]).ok();
    assert_eq!(server.count(), asked, "a replay asks nobody");
}

/// Stores so many copies of the only run beside it.
fn copy_runs(galley: &Galley, count: usize) {
    let run = galley.events("last")[0]["fact"]["run"].as_str().unwrap().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(&galley.data()).unwrap();
        let original = store.load(&RunId(run.clone())).await.unwrap();
        for number in 1..=count {
            let id = &original.start.run.0;
            let run = RunId(format!("{}{number:08x}", &id[..28]));
            let mut events = original.events.clone();
            for event in &mut events {
                if let Fact::RunStarted { run: of, .. } = &mut event.fact {
                    of.clone_from(&run);
                }
            }
            store.create(&Start { run, ..original.start.clone() }, events).await.unwrap();
        }
        store.close().await;
    });
}

#[test]
fn a_replay_of_all_and_the_list_of_runs_leave_no_run_of_a_long_history_out() {
    let galley = Galley::new();
    galley.news("zxqvyt wxyzzq", &[]).ok();
    let made = 1_040;
    copy_runs(&galley, made);
    for words in
        [&["runs", "--json"][..], &["runs", "--search", "wxyzzq", "--json"], &["replay", "--all", "--json"]]
    {
        let lines = galley.run(words).ok().lines();
        let runs: HashSet<&str> = lines.iter().map(|line| line["run"].as_str().unwrap()).collect();
        assert_eq!((runs.len(), lines.len()), (made + 1, made + 1), "{words:?}");
    }
}
