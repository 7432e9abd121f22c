//! Pipelines of the person as texts: opened, checked, copied, saved and deleted over the border.

use std::path::PathBuf;

use desk::{ApiError, Desk, ErrorCode, Options};
use serde_json::{Value, json};
use tempfile::TempDir;

const PRESS_NOTE: &str = include_str!("../../docs/pipelines/press-note.toml");

struct Place {
    desk: Desk,
    folder: TempDir,
}

impl Place {
    async fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
        Place { desk: Desk::open(options).await.unwrap(), folder }
    }

    async fn with_press_note() -> Place {
        let place = Place::new().await;
        place.put("press-note", PRESS_NOTE);
        place
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder.path().join(format!("pipelines/{id}.toml"))
    }

    fn put(&self, id: &str, text: &str) {
        std::fs::create_dir_all(self.folder.path().join("pipelines")).unwrap();
        std::fs::write(self.file(id), text).unwrap();
    }

    fn text(&self, id: &str) -> String {
        std::fs::read_to_string(self.file(id)).unwrap()
    }

    /// Everything in the folder of pipelines, in order.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path().join("pipelines")).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    async fn try_to(&self, command: &str, payload: Value) -> Result<Value, ApiError> {
        self.desk.rpc(command, payload).await
    }

    async fn ask(&self, command: &str, payload: Value) -> Value {
        self.try_to(command, payload).await.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    async fn save(&self, id: &str, text: &str, revision: &Value) -> Value {
        self.ask("save_pipeline", json!({"id": id, "text": text, "revision": revision})).await
    }

    async fn check(&self, text: &str) -> Value {
        self.ask("check_pipeline", json!({"text": text, "id": "press-note"})).await
    }
}

#[tokio::test]
async fn a_copy_is_a_file_of_its_own_and_takes_the_name_of_no_other() {
    let place = Place::with_press_note().await;
    place.put("press-note-2", "somebody's own");
    let copy = async || place.ask("create_pipeline", json!({"of": "press-note"})).await["id"].clone();
    assert_eq!((copy().await, copy().await), (json!("press-note-3"), json!("press-note-4")));
    assert_eq!(place.text("press-note-2"), "somebody's own");
    assert_eq!(place.text("press-note"), PRESS_NOTE);
    let expected = PRESS_NOTE
        .replace("id = \"press-note\"", "id = \"press-note-3\"")
        .replace("title = \"Press note\"", "title = \"Press note 3\"");
    assert_eq!(place.text("press-note-3"), expected);
    let cards = place.ask("list_pipelines", json!({})).await;
    let card =
        cards["pipelines"].as_array().unwrap().iter().find(|card| card["id"] == "press-note-3").unwrap();
    assert_eq!((&card["is_own_file"], &card["is_text"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn a_new_pipeline_can_run_as_it_stands() {
    let place = Place::new().await;
    let made = place.ask("create_pipeline", json!({})).await;
    let second = place.ask("create_pipeline", json!({"of": null})).await;
    assert_eq!((&made["id"], &second["id"]), (&json!("my-pipeline"), &json!("my-pipeline-2")));
    let cards = place.ask("list_pipelines", json!({})).await;
    assert_eq!(cards["faulty"], json!([]));
    let inputs = json!({"text": "The tide rises twice a day. The moon draws the sea. Boats wait for it."});
    let run =
        place.ask("start_run", json!({"pipeline": "my-pipeline", "inputs": inputs, "profile": "built-in"}));
    let run = run.await["run"].clone();
    place.desk.runs().until_quiet().await;
    assert_eq!(place.ask("open_run", json!({"run": run})).await["outcome"], "finished");
}

#[tokio::test]
async fn a_text_is_saved_over_what_was_opened_and_over_nothing_else() {
    let place = Place::with_press_note().await;
    let opened = place.ask("open_pipeline", json!({"id": "press-note"})).await;
    assert_eq!(opened["text"], PRESS_NOTE);
    let mine = format!("{PRESS_NOTE}# mine\n");
    let saved = place.save("press-note", &mine, &opened["revision"]).await;
    assert_eq!((&saved["kind"], place.text("press-note")), (&json!("saved"), mine));

    let theirs = format!("{PRESS_NOTE}# theirs\n");
    place.put("press-note", &theirs);
    let stale = place.save("press-note", "mine again", &saved["revision"]).await;
    assert_eq!((&stale["kind"], place.text("press-note")), (&json!("changed"), theirs));
    let unseen = place.save("press-note", "mine again", &Value::Null).await;
    assert_eq!(unseen["kind"], "changed", "a file that is there is not written over as a new one");

    let again = place.ask("open_pipeline", json!({"id": "press-note"})).await;
    std::fs::remove_file(place.file("press-note")).unwrap();
    assert_eq!(place.save("press-note", "mine again", &again["revision"]).await["kind"], "changed");
    assert_eq!(place.save("press-note", "mine again", &Value::Null).await["kind"], "saved");
    assert_eq!(
        (place.text("press-note").as_str(), place.names()),
        ("mine again", vec!["press-note.toml".to_owned()])
    );
}

#[tokio::test]
async fn a_text_with_another_id_moves_its_file_unless_the_name_is_taken() {
    let place = Place::with_press_note().await;
    place.put("minutes", "id = \"minutes\"\n");
    let revision = place.ask("open_pipeline", json!({"id": "press-note"})).await["revision"].clone();
    for taken in ["minutes", "ai-news"] {
        let text = PRESS_NOTE.replace("id = \"press-note\"", &format!("id = \"{taken}\""));
        let checked = place.check(&text).await;
        assert_eq!((&checked["saved_as"], &checked["card"]), (&json!("press-note"), &Value::Null));
        let fault = &checked["faults"][0];
        assert_eq!(fault["line"], 2);
        assert!(crate::words::english(&fault["reason"]).contains(taken), "{fault}");
    }
    let moved = PRESS_NOTE.replace("id = \"press-note\"", "id = \"evening\"");
    assert_eq!(place.check(&moved).await["saved_as"], "evening");
    let saved = place.save("press-note", &moved, &revision).await;
    assert_eq!((&saved["kind"], &saved["id"]), (&json!("saved"), &json!("evening")));
    assert_eq!(place.names(), ["evening.toml", "minutes.toml"]);
    let taken = place.save("evening", &PRESS_NOTE.replace("press-note", "ai-news"), &saved["revision"]).await;
    assert_eq!(
        (&taken["id"], place.names()),
        (&json!("evening"), vec!["evening.toml".to_owned(), "minutes.toml".to_owned()])
    );
}

#[tokio::test]
async fn a_check_gives_the_picture_or_every_fault_with_its_line() {
    let place = Place::with_press_note().await;
    let whole = place.check(PRESS_NOTE).await;
    assert_eq!(whole["faults"], json!([]));
    assert_eq!(whole["card"]["title"], "Press note");
    assert_eq!(whole["card"]["outline"]["children"][0]["name"], "searcher");
    let broken = place.check(&PRESS_NOTE.replace("writes = \"hits\"", "writes = \"hit\"")).await;
    assert_eq!(broken["card"], Value::Null);
    let line = PRESS_NOTE.lines().position(|line| line == "writes = \"hits\"").unwrap() + 1;
    assert!(broken["faults"].as_array().unwrap().iter().any(|fault| fault["line"] == line), "{broken}");
    let unread = place.check("id = \"a\"\ntitle = \n").await;
    assert_eq!(unread["faults"][0]["line"], 2);
}

#[tokio::test]
async fn nothing_outside_the_folder_is_opened_saved_or_deleted() {
    let place = Place::with_press_note().await;
    let outside = place.folder.path().join("outside.toml");
    std::fs::write(&outside, PRESS_NOTE).unwrap();
    let absolute = outside.with_extension("").display().to_string();
    for id in ["../outside", "..", ".", "", "a/b", "a\\b", "press-note.toml", "Press-Note", absolute.as_str()]
    {
        let of_id = json!({"id": id});
        for command in ["open_pipeline", "delete_pipeline"] {
            assert_eq!(
                place.try_to(command, of_id.clone()).await.unwrap_err().code,
                ErrorCode::NotFound,
                "{command} {id}"
            );
        }
        assert_eq!(
            place.try_to("create_pipeline", json!({"of": id})).await.unwrap_err().code,
            ErrorCode::NotFound,
            "{id}"
        );
        let request = json!({"id": id, "text": "x", "revision": null});
        assert_eq!(
            place.try_to("save_pipeline", request).await.unwrap_err().code,
            ErrorCode::NotFound,
            "{id}"
        );
    }
    // An id in the text is a name, or none.
    let revision = place.ask("open_pipeline", json!({"id": "press-note"})).await["revision"].clone();
    let away = PRESS_NOTE.replace("id = \"press-note\"", "id = \"../outside\"");
    assert_eq!(place.save("press-note", &away, &revision).await["id"], "press-note");
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), PRESS_NOTE);
    assert_eq!(place.names(), ["press-note.toml"]);
}

#[tokio::test]
async fn a_text_of_a_megabyte_is_refused_in_words_and_leaves_the_file_as_it_is() {
    let place = Place::with_press_note().await;
    let revision = place.ask("open_pipeline", json!({"id": "press-note"})).await["revision"].clone();
    let long = format!("{PRESS_NOTE}# {}\n", "a".repeat(1 << 20));
    let faults = place.check(&long).await["faults"].clone();
    assert!(crate::words::english(&faults[0]["reason"]).contains("at most 262144"), "{faults}");
    let request = json!({"id": "press-note", "text": long, "revision": revision});
    let refused = place.try_to("save_pipeline", request).await.unwrap_err();
    assert!(refused.code == ErrorCode::BadInput && refused.message.contains("at most 262144"), "{refused}");
    assert_eq!(place.text("press-note"), PRESS_NOTE);
    place.put("long", &long);
    let refused = place.try_to("open_pipeline", json!({"id": "long"})).await.unwrap_err();
    assert!(refused.code == ErrorCode::BadInput && refused.message.contains("262144"), "{refused}");
}

#[tokio::test]
async fn runs_of_a_deleted_pipeline_open_as_before() {
    let place = Place::with_press_note().await;
    let request = json!({"pipeline": "press-note", "inputs": {"topic": "retrieval-augmented generation"},
        "profile": "built-in", "source": "library", "as_of": "2026-07-01"});
    let run = place.ask("start_run", request.clone()).await["run"].clone();
    place.desk.runs().until_quiet().await;
    place.ask("delete_pipeline", json!({"id": "press-note"})).await;
    assert!(place.names().is_empty());
    let page = place.ask("open_run", json!({"run": run})).await;
    assert_eq!((&page["outcome"], &page["keys"][1]["title"]), (&json!("finished"), &json!("What was found")));
    assert_eq!(place.ask("replay_run", json!({"run": run})).await["difference"], Value::Null);
    assert_eq!(place.try_to("start_run", request).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test]
async fn the_doctor_names_every_file_that_cannot_run_and_keeps_it_from_strangers() {
    let place = Place::with_press_note().await;
    let lines = async || {
        let report = place.ask("doctor", json!({})).await;
        let lines: Vec<Value> = report["lines"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|line| ["pipelines", "pipeline"].iter().any(|topic| line["topic"] == *topic))
            .cloned()
            .collect();
        (lines, report["redacted"].as_str().unwrap().to_owned())
    };
    let (well, _) = lines().await;
    assert_eq!(well[0]["finding"], json!({"kind": "pipeline_files", "count": 1}));
    place.put("secret-plan", &PRESS_NOTE.replace("writes = \"hits\"", "writes = \"hit\""));
    place.put("ai-news", &PRESS_NOTE.replace("id = \"press-note\"", "id = \"ai-news\""));
    let (unwell, redacted) = lines().await;
    let subjects: Vec<&Value> = unwell.iter().map(|line| &line["subject"]).collect();
    assert_eq!(subjects, [&json!(""), &json!("ai-news"), &json!("secret-plan")]);
    assert!(unwell[1]["found"].as_str().unwrap().contains("the program itself has a pipeline"), "{unwell:?}");
    let found = unwell[2]["found"].as_str().unwrap();
    assert!(found.contains("line ") && found.contains("`hit`"), "{found}");
    assert!(!redacted.contains("secret-plan") && !redacted.contains("`hit`"), "{redacted}");
}
