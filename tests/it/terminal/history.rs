//! A run looked at afterwards: its keys, its moments, what is exported of it once a person has changed it.

use desk::{Desk, Options};
use serde_json::{Value, json};

use super::galley::Galley;

/// Edits a field of a key as the window does.
fn edit(galley: &Galley, run: &str, key: &str, field: &str, value: &str) {
    send(galley, json!({"run": run, "key": key, "field": field, "value": value}));
}

fn send(galley: &Galley, request: Value) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = Options { data_dir: Some(galley.data()), ..Options::default() };
        let desk = Desk::open(options).await.unwrap();
        desk.rpc("edit_state", request).await.unwrap();
        desk.close().await;
    });
}

#[test]
fn what_a_person_changes_after_the_end_is_what_is_shown_and_exported() {
    let galley = Galley::new();
    let result = galley.news("retrieval-augmented generation", &["--json"]).ok().result();
    let run = result["run"].as_str().unwrap();
    let last = galley.events(run).len();
    let export = |format: &str| galley.run(["export", "last", "--format", format]).ok().out;
    let post = result["output"].as_str().unwrap();
    let before = export("md");
    assert!(before.starts_with(post) && before.contains("\n## Sources\n\n[1] "), "{before}");

    let own = "Retrieval is measured in *Chinese* and English [1].";
    edit(&galley, "last", "draft_post", "post_markdown", own);
    let after = export("md");
    let title = result["state"]["search_results"]["articles"][0]["title"].as_str().unwrap();
    assert!(after.contains(own) && !after.contains(post), "{after}");
    assert!(
        after.contains(&format!("[1] {title}")) && !after.contains("\n[2] "),
        "only what is cited: {after}"
    );
    let whole: Value = serde_json::from_str(&export("json")).unwrap();
    assert_eq!((&whole["format"], &whole["state"]["final_post"]), (&json!("galley-run"), &json!(own)));
    assert_eq!(whole["events"].as_array().unwrap().len(), last + 1);
    assert_eq!(galley.run(["show", "last", "--draft"]).ok().out, format!("{own}\n"));

    // The edit is one event, with its checks and what is derived from the text.
    let history = galley.run(["show", "last", "--key", "draft_post", "--history", "--json"]).ok().lines();
    let authors: Vec<&Value> = history.iter().map(|change| &change["author"]).collect();
    assert_eq!(authors, ["ai_news_writer", "user"]);
    assert_eq!(history[0]["read_by"], json!(["ai_news_reviewer", "AiNewsPipelineManager"]));
    assert_eq!(
        (&history[1]["value"]["word_count"], &history[1]["value"]["sources_used"]),
        (&json!(7), &json!([0]))
    );
    let people = galley.run(["show", "last", "--key", "draft_post", "--history"]).ok().out;
    assert!(
        people.contains("by ai_news_writer, round 1, read by ai_news_reviewer")
            && people.contains("by user, read by nobody")
    );
    let at = last.to_string();
    assert_eq!(galley.run(["show", "last", "--draft", "--at", &at]).ok().out, format!("{post}\n"));
    galley.run(["replay", "last"]).ok();

    let state = galley.run(["show", "last", "--state"]).ok().out;
    assert!(state.starts_with(
        "--- BEGIN PIPELINE STATE ---\n\n1. user_topic:\n   retrieval-augmented generation\n\n2. "
    ));
    assert!(state.contains(&format!("\n7. final_post:\n   {own}\n\n8. final_remark:\n   (empty)\n\n9. ")));
    assert!(state.ends_with("\n\n--- END PIPELINE STATE ---\n"));
    let early = galley.run(["show", "last", "--at", "2"]).ok().out;
    assert!(early.contains("\n2. search_hits:\n   (empty)\n\n3. "), "{early}");
}

#[test]
fn a_template_is_filled_from_files_and_its_state_is_the_same_text_for_every_program_at_every_moment() {
    let galley = Galley::new();
    let template =
        galley.file("report.md", "# Visit of {site}\n\nThe visit took place on {date}.\r\n{n}. site:\n");
    let summary = galley.file("notes.html", "<p>The visit took place on 3 March 2026.</p>");
    let (template, summary) =
        (format!("initial_template=@{template}"), format!("reviewed_summary=@{summary}"));
    let words = ["run", "template", "--input", &template, "--input", &summary, "--profile", "built-in"];
    let result = galley.run(words.iter().chain(&["--json"])).ok().result();
    let run = result["run"].as_str().unwrap();
    assert!(result["output"].as_str().unwrap().contains("The visit took place on 3 March 2026."), "{result}");
    assert_eq!(result["output"], result["state"]["enriched_template"]);
    let moments: Vec<u64> =
        galley.events(run).iter().map(|event| event["seq"].as_u64().unwrap()).step_by(6).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let texts = runtime.block_on(async {
        let options = Options { data_dir: Some(galley.data()), ..Options::default() };
        let desk = Desk::open(options).await.unwrap();
        let mut texts = Vec::new();
        for seq in &moments {
            let page = desk.rpc("state_at", json!({"run": run, "seq": seq})).await.unwrap();
            texts.push(page["text"].as_str().unwrap().to_owned());
        }
        desk.close().await;
        texts
    });
    assert!(texts.len() > 4);
    for (seq, text) in moments.iter().zip(&texts) {
        assert_eq!(&galley.run(["show", run, "--state", "--at", &seq.to_string()]).ok().out, text, "{seq}");
    }
}

#[test]
fn an_address_that_one_part_of_an_export_defines_makes_no_picture_of_another_part() {
    let galley = Galley::new();
    let result = galley.news("retrieval-augmented generation", &["--json"]).ok().result();
    let run = result["run"].as_str().unwrap();
    let defined = "Retrieval [1].\n\n[a]: https://spy.example/p.png\n[j]: javascript:alert(1)";
    edit(&galley, run, "draft_post", "post_markdown", defined);
    let mut articles = result["state"]["search_results"].clone();
    articles["articles"][0]["title"] = json!("News ![a] and [j]");
    send(&galley, json!({"run": run, "key": "search_results", "value": articles}));
    let exported = galley.run(["export", run, "--format", "md"]).ok().out;
    assert!(
        exported.contains("[1] News a (`https://spy.example/p.png`) and j (`javascript:alert(1)`)"),
        "{exported}"
    );
}

#[test]
fn an_export_is_written_where_it_is_told_and_replaces_nothing_unasked() {
    let galley = Galley::new();
    galley.news("retrieval-augmented generation", &[]).ok();
    let export = |more: &[&str]| galley.run(["export", "last", "--format", "md"].iter().chain(more));
    let content = export(&[]).ok().out;
    export(&["--out", "."]).ok();
    let file = galley.here().join("retrieval-augmented-generation.md");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
    std::fs::write(&file, "mine").unwrap();
    export(&["--out", "."]).exits(2).says(&["is there already", "--yes"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    export(&["--out", ".", "--yes"]).ok();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
    export(&["--out", "no/such/folder/post.md"]).exits(2).says(&["no/such/folder/post.md", "name another"]);
}

#[test]
fn a_run_leaves_as_a_word_file_that_is_read_back_as_a_journal_without_kinds_and_as_partial_states() {
    let galley = Galley::new();
    let result = galley.news("retrieval-augmented generation", &["--json"]).ok().result();
    galley.run(["export", "last", "--format", "docx", "--out", "post.docx"]).ok();
    let file = galley.here().join("post.docx");
    galley.run(["library", "import", file.to_str().unwrap()]).ok();
    let listed = galley.run(["library", "list"]).ok().out;
    let row = listed.lines().find(|line| line.contains("post.docx"));
    assert!(row.is_some_and(|row| !row.contains("1970")), "{listed}");
    let page = galley.run(["export", "last", "--format", "html"]).ok().out;
    assert!(
        page.starts_with("<!doctype html>") && page.contains("</h2>") && !page.contains("<script"),
        "{page}"
    );

    let csv = ["export", "last", "--format", "csv"];
    let (all, some) =
        (galley.run(csv).ok().out, galley.run(csv.iter().chain(&["--without", "asked"])).ok().out);
    assert!(all.contains(",asked,") && !some.contains(",asked,") && some.contains(",answered,"), "{some}");
    let seed = galley.run(["export", "last", "--format", "seed"]).ok().out;
    let mut state = json!({});
    for event in serde_json::from_str::<Vec<Value>>(&seed).unwrap() {
        for (key, value) in event["content"].as_object().unwrap() {
            state[key] = value.clone();
        }
    }
    assert_eq!(state, result["state"]);
}

#[test]
fn the_history_is_searched_in_titles_and_drafts() {
    let galley = Galley::new();
    galley.news("retrieval-augmented generation", &[]).ok();
    galley.news("zxqvyt wxyzzq", &[]).ok();
    for (words, titles) in [
        ("wxyz", vec!["zxqvyt wxyzzq"]),
        ("HistoRAG", vec!["retrieval-augmented generation"]),
        ("historag zxqvyt", vec![]),
        ("\"(*) zqzq", vec![]),
    ] {
        let found = galley.run(["runs", "--search", words, "--json"]).ok().lines();
        let found: Vec<&str> = found.iter().map(|card| card["title"].as_str().unwrap()).collect();
        assert_eq!(found, titles, "{words}");
    }
}
