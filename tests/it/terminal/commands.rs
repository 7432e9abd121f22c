//! What programs read of each command, and the exit codes they depend on.

use serde_json::{Value, json};
use testkit::{NewsModel, Reply};

use super::galley::{Galley, news_server, server};

/// Whether an object has these fields; others may come with the years.
fn has(object: &Value, fields: &str) -> bool {
    fields.split(' ').all(|field| object.get(field).is_some())
}

#[test]
fn what_programs_read_keeps_its_fields() {
    let galley = Galley::new();
    galley.news("retrieval-augmented generation", &[]).ok();
    let event = "at_ms author fact n path seq surface type";
    let result = "error notice outcome output run state type usage";
    for (words, first, last) in [
        (&["pipelines"][..], "id inputs keys limits outline presets purpose slots title", ""),
        (&["runs"], "last_at_ms last_seq origin pipeline run session snippet started_at_ms status title", ""),
        (&["show", "last"], "seq state", ""),
        (&["show", "last", "--state", "--at", "2"], "seq state", ""),
        (&["show", "last", "--events"], event, event),
        (&["show", "last", "--journal"], "at_ms author path sentence seq surface type", ""),
        (&["show", "last", "--draft"], "key seq text value", ""),
        (&["show", "last", "--key", "final_post"], "key seq value", ""),
        (
            &["show", "last", "--key", "draft_post", "--history"],
            "at_ms author path read_by round seq value",
            "",
        ),
        (&["replay", "last"], event, "difference effects events run type"),
        (&["replay", "--all"], "difference effects events run type", ""),
        (&["fork", "last", "--at", "12"], event, result),
        (&["doctor"], "lines", ""),
    ] {
        let lines = galley.run(words.iter().chain(&["--json"])).ok().lines();
        assert!(has(&lines[0], first), "{words:?}: {}", lines[0]);
        let (last, fields) = (lines.last().unwrap(), if last.is_empty() { first } else { last });
        assert!(has(last, fields), "{words:?}: {last}");
    }
    let pipeline = &galley.run(["pipelines", "--json"]).ok().lines()[0];
    assert_eq!(pipeline["inputs"][0]["kind"], "text");
    assert_eq!(pipeline["outline"]["children"].as_array().unwrap().len(), 2, "its stages");
    assert_eq!(pipeline["outline"]["children"][0]["contract"]["reads"], json!(["user_topic"]));
    let people = galley.run(["pipelines"]).ok().out;
    assert!(people.contains("preset strict") && people.contains("--limit max_llm_calls=4"), "{people}");
}

#[test]
fn every_outcome_has_its_exit_code_its_result_and_its_way_on() {
    let slow = std::time::Duration::from_secs(20);
    let model = move |request: &testkit::ChatRequest| {
        let topic = request.whole_text();
        match () {
            () if topic.contains("Topic: language models") => Reply::invalid_key("sk-0123456789abcdef"),
            () if topic.contains("Topic: retrieval") => Reply::silence().after(slow),
            () => NewsModel::default().answer(request),
        }
    };
    let server = server(model);
    server.be_lenient();
    let galley = Galley::asking(&server);
    let news = |topic: &str, more: &[&str]| {
        let options = ["--profile", "test", "--json"];
        galley.news(topic, &options.iter().chain(more).copied().collect::<Vec<_>>())
    };

    let told = news("rag", &[]).ok();
    let result = told.result();
    assert_eq!(
        (&result["outcome"], &result["error"], told.err.as_str()),
        (&json!("finished"), &Value::Null, "")
    );
    assert_eq!(result["usage"]["calls"], 3);
    assert!(result["usage"]["input_tokens"].as_u64().unwrap() > 0);

    let told = news("language models", &[]).exits(1);
    let result = told.result();
    assert_eq!((&result["outcome"], &result["error"]["code"]), (&json!("failed"), &json!("key_refused")));
    assert_eq!(result["output"], "");
    told.says(&["wants a key", "`test`", "add the profile again", "Incorrect API key"]);

    // One call of three: nothing is written yet. What is missing is said before, what came of it after.
    let told = news("rag", &["--limit", "max_llm_calls=1"]).exits(3);
    let result = told.result();
    assert_eq!((&result["outcome"], &result["error"]["code"]), (&json!("limited"), &json!("limit_reached")));
    let notes: Vec<&str> = told.err.lines().collect();
    assert!(notes[0].starts_with("Note: With 1 model calls") && notes.len() == 2, "{}", told.err);
    let told = news("rag", &["--limit", "max_llm_calls=2", "--quiet"]).exits(3);
    assert!(
        told.result()["notice"] == "not reviewed" && !told.result()["output"].as_str().unwrap().is_empty()
    );
    let told = galley.run(["resume", "last", "--limit", "max_llm_calls=5", "--json"]).ok();
    assert_eq!((&told.result()["usage"]["calls"], &told.result()["notice"]), (&json!(3), &Value::Null));

    for signal in ["INT", "TERM"] {
        let running = galley.begin_news("retrieval");
        let run = running.id();
        super::galley::eventually("the request", || {
            galley.events(&run).iter().any(|event| event["fact"]["effect"]["effect"] == "model").then_some(())
        });
        running.signal(signal);
        let told = running.ended().exits(130);
        assert_eq!(told.result()["outcome"], "cancelled");
        told.says(&["was stopped", &format!("galley resume {run}")]);
        assert_eq!(galley.statuses()[0], "cancelled");
    }

    let bad = galley.run(["run", "ai-news", "--json"]).exits(2).result();
    assert_eq!(
        (&bad["outcome"], &bad["run"], &bad["error"]["code"]),
        (&json!("failed"), &Value::Null, &json!("bad_input"))
    );
    assert_eq!(galley.statuses(), ["cancelled", "cancelled", "finished", "limited", "failed", "finished"]);
}

#[test]
fn a_fork_is_a_run_of_its_own_and_its_parent_stays_as_it_was() {
    let server = news_server(NewsModel::default());
    let galley = Galley::asking(&server);
    let parent = galley.news("rag", &["--profile", "test", "--json"]).ok().result();
    let run = parent["run"].as_str().unwrap();
    let before = galley.run(["show", run, "--events", "--json"]).ok().out;
    let events = galley.events(run);
    let at = events.iter().find(|event| event["author"] == "ai_news_writer").unwrap()["seq"].to_string();
    let file = galley.file("plain.txt", "Write it very plainly.");
    let instruction = format!("ai_news_writer=@{file}");
    let child = galley.run(["fork", run, "--at", &at, "--instruction", &instruction, "--json"]).ok();
    assert_eq!(server.count(), 5, "the search is reused, draft and review are asked anew");
    assert_eq!(server.requests()[3].instruction(), "Write it very plainly.");
    assert_eq!(child.result()["state"]["search_results"], parent["state"]["search_results"]);
    let draft = json!({"post_markdown": "RAG [1].", "sources_used": [0], "word_count": 1});
    let at = events.iter().find(|event| event["author"] == "ai_news_reviewer").unwrap()["seq"].to_string();
    let set = format!("draft_post={draft}");
    let child = galley.run(["fork", run, "--at", &at, "--set", &set, "--profile", "built-in", "--json"]).ok();
    assert_eq!((server.count(), &child.result()["state"]["draft_post"]), (5, &draft));

    let runs = galley.run(["runs", "--json"]).ok().lines();
    assert_eq!(runs.len(), 3);
    assert_eq!((&runs[0]["origin"]["run"], &runs[0]["origin"]["seq"].to_string()), (&json!(run), &at));
    assert_eq!(galley.run(["show", run, "--events", "--json"]).ok().out, before);
    galley.run(["replay", "--all"]).ok();
}
