//! A run handed to somebody else as a report, and taken in again.

use serde_json::{Value, json};

use super::galley::{Galley, KEY_VARIABLE};

const TOPIC: &str = "retrieval-augmented generation";

/// The state at an event as the page of a report finds it: every change up to there, one after the other.
fn state_in(report: &str, seq: u64) -> Value {
    let (_, run) = report.split_once("id=\"galley-run\">").unwrap();
    let run: Value = serde_json::from_str(run.split_once("</script>").unwrap().0).unwrap();
    let mut state = serde_json::Map::new();
    for event in run["events"].as_array().unwrap() {
        if event["seq"].as_u64().unwrap() > seq {
            break;
        }
        for removed in event["fact"]["delta"]["removed"].as_array().into_iter().flatten() {
            state.remove(removed.as_str().unwrap());
        }
        for (key, value) in event["fact"]["delta"]["set"].as_object().into_iter().flatten() {
            state.insert(key.clone(), value.clone());
        }
    }
    Value::Object(state)
}

#[test]
fn a_report_is_taken_in_elsewhere_with_equal_events_and_replays_and_forks() {
    let (here, there) = (Galley::new(), Galley::new());
    let run = here.news(TOPIC, &["--json"]).ok().result()["run"].as_str().unwrap().to_owned();
    let report = here.here().join("run.report.html").display().to_string();
    let told = here.run(["export", &run, "--format", "report", "--out", &report]).ok();
    assert!(told.err.contains("prompts") && told.err.contains("addresses"), "{}", told.err);
    for seq in [3, 9, 15] {
        let shown = here.run(["show", &run, "--state", "--at", &seq.to_string(), "--json"]).ok().out;
        let page = std::fs::read_to_string(&report).unwrap();
        assert_eq!(
            state_in(&page, seq),
            serde_json::from_str::<Value>(&shown).unwrap()["state"],
            "event {seq}"
        );
    }

    assert_eq!(there.run(["import", &report]).ok().out.trim(), run);
    assert_eq!(there.events(&run), here.events(&run));
    there.run(["replay", &run]).ok();
    let fork = there.run(["fork", &run, "--at", "10", "--json"]).ok().result();
    assert_eq!(fork["outcome"], "finished");
    there.run(["resume", &run]).exits(2).says(&["Fork it"]);
    // A second time nothing is stored, and JSON says the same as the report.
    let again = there.run(["import", &report]).ok();
    assert!(again.err.contains("was here already"), "{}", again.err);
    let whole = here.here().join("run.json").display().to_string();
    here.run(["export", &run, "--format", "json", "--out", &whole]).ok();
    assert!(there.run(["import", &whole]).ok().err.contains("was here already"));
}

#[test]
fn what_is_left_out_of_a_report_is_nowhere_in_it_and_the_run_says_so() {
    let (here, there) = (Galley::new(), Galley::new());
    let run = here.news(TOPIC, &["--json"]).ok().result()["run"].as_str().unwrap().to_owned();
    let report = here.here().join("run.report.html").display().to_string();
    let export = ["export", &run, "--format", "report", "--out", &report];
    here.run(export.into_iter().chain(["--without", "pages", "--without", "addresses"])).ok();
    let page = std::fs::read_to_string(&report).unwrap();
    assert!(page.contains("Left out of this report: pages and results of tools, addresses"));
    assert!(!page.contains("https://"), "an address is left");
    let post = here.run(["show", &run, "--draft"]).ok().out;
    let events = here.events(&run);
    let hits = events.iter().find_map(|event| event["fact"]["answer"]["result"]["output"]["hits"].as_array());
    // What the post quotes of a page is the post's.
    let passages: Vec<String> = hits
        .expect("what the library found")
        .iter()
        .map(|hit| hit["text"].as_str().unwrap().chars().skip(10).take(60).collect())
        .filter(|passage: &String| !post.contains(passage.as_str()))
        .collect();
    assert!(passages.len() > 2, "{passages:?}");
    for passage in passages {
        assert!(!page.contains(&passage), "a page is left: {passage}");
    }

    let told = there.run(["import", &report]).ok();
    assert!(told.err.contains("pages, addresses"), "{}", told.err);
    there.run(["replay", &run]).exits(2).says(&["pages, addresses were left out"]);
    there.run(["fork", &run, "--at", "10"]).exits(2).says(&["pages, addresses were left out"]);
    // It is no fault of the history either.
    assert!(there.run(["replay", "--all"]).ok().err.contains("is not replayed"));
    here.run(["export", &run, "--format", "report", "--without", "colours"])
        .exits(2)
        .says(&["kind `colours`", "prompts, pages, file-names"]);
}

#[test]
fn a_file_that_is_no_run_as_it_was_exported_is_refused_in_a_sentence_and_nothing_of_it_is_stored() {
    let (here, there) = (Galley::new(), Galley::new());
    let run = here.news("<script>alert(1)</script> agents", &["--json"]).ok().result()["run"]
        .as_str()
        .unwrap()
        .to_owned();
    let report = here.here().join("run.report.html").display().to_string();
    here.run(["export", &run, "--format", "report", "--out", &report]).ok();
    let page = std::fs::read_to_string(&report).unwrap();
    assert!(!page.contains("<script>alert"), "a title runs");
    let (before, behind) = page.split_once("id=\"galley-run\">").unwrap();
    let (inside, _) = behind.split_once("</script>").unwrap();
    let with = |inside: &str| format!("{before}id=\"galley-run\">{inside}</script>");
    let whole: Value = serde_json::from_str(inside).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut whole = whole.clone();
        change(&mut whole);
        // What somebody writes anew has a fitting hash too.
        let text = |part: &str| serde_json::to_string_pretty(&whole[part]).unwrap();
        let hash = kernel::Hash::of(format!("{}\n{}", text("start"), text("events")).as_bytes()).0;
        format!(
            "{{\"format\": \"galley-run\", \"version\": {}, \"left_out\": [], \"hash\": \"{hash}\", \"start\": {}, \"events\": {}}}",
            whole["version"],
            text("start"),
            text("events")
        )
    };
    let stored = json!({"$stored": "0".repeat(64), "bytes": 9000});
    let crowd = format!("[{}1]", "[],".repeat(2_100_000));
    let cases: [(&str, String, &str); 18] = [
        ("empty", String::new(), "holds no run"),
        ("a page", "<html><p>Hello</p></html>".to_owned(), "holds no run"),
        ("cut", page[..page.floor_char_boundary(page.len() / 2)].to_owned(), "cut off or changed"),
        ("a word changed", with(&inside.replacen("agents", "agentz", 1)), "cut off or changed"),
        (
            "deep",
            with(&format!("{{\"format\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000))),
            "holds no run",
        ),
        (
            "a crowd",
            with(&format!("{{\"format\": \"galley-run\", \"version\": 1, \"events\": {crowd}}}")),
            "more than a run",
        ),
        ("zeros", "\0".repeat(5_000_000), "holds no run"),
        ("newer", changed(&|whole| whole["version"] = json!(9)), "newer Galley"),
        ("a gap", changed(&|whole| whole["events"][3]["seq"] = json!(99)), "Event 4"),
        ("another run", changed(&|whole| whole["start"]["run"] = json!("another-run")), "no whole run"),
        ("a path", changed(&|whole| whole["start"]["run"] = json!("../../../x")), "`../../../x` is no id"),
        (
            "an option",
            changed(&|whole| whole["start"]["run"] = json!("--recursive")),
            "`--recursive` is no id",
        ),
        ("a word for a run", changed(&|whole| whole["start"]["run"] = json!("last")), "`last` is no id"),
        ("a number", changed(&|whole| whole["start"]["run"] = json!("0")), "`0` is no id"),
        ("an empty id", changed(&|whole| whole["start"]["run"] = json!("")), "is no id"),
        ("a session", changed(&|whole| whole["start"]["session"] = json!("-rf -rf -rf")), "is no id"),
        (
            "a borrowed value",
            changed(&|whole| whole["events"][1]["fact"]["delta"]["set"]["user_topic"] = stored.clone()),
            "Event 2",
        ),
        ("no events", changed(&|whole| whole["events"] = json!([])), "no whole run"),
    ];
    for (name, file, said) in cases {
        let path = there.file(&format!("{name}.html"), file);
        there.run(["import", &path]).exits(2).says(&[said]);
    }
    assert_eq!(there.run(["runs", "--json"]).ok().lines(), Vec::<Value>::new());
}

#[test]
fn a_known_key_that_was_typed_into_a_run_is_in_no_export_of_it_and_the_report_says_so() {
    const KEY: &str = "sk-test-5Zq8Wc1Rn7Yv3Lx";
    let (mut here, there) = (Galley::new(), Galley::new());
    here.environment.push((KEY_VARIABLE, KEY.to_owned()));
    here.add_profile("http://127.0.0.1:9");
    let run =
        here.news(&format!("{TOPIC} {KEY}"), &["--json"]).ok().result()["run"].as_str().unwrap().to_owned();
    assert!(here.run(["show", &run, "--state"]).ok().out.contains(KEY));
    for format in ["report", "json", "md", "html", "csv", "adk", "seed"] {
        let file = here.here().join(format).display().to_string();
        let told = here.run(["export", &run, "--format", format, "--out", &file]).ok();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains(KEY) && !text.contains("5Zq8Wc1Rn7Yv"), "{format} holds the key");
        if format == "report" {
            assert!(text.contains("Left out of this report: keys"));
            assert!(told.err.contains("Keys were replaced"), "{}", told.err);
            assert!(there.run(["import", &file]).ok().err.contains("keys"));
        }
    }
    there.run(["replay", &run]).exits(2).says(&["keys were left out"]);
}
