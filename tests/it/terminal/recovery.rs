//! A database that is damaged or missing: named by every command that reads it, a reason for no other run to fail, and
//! set aside by one command.

use std::path::Path;

use desk::{ApiError, Desk, Options};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::galley::{Galley, Told, program};

const DATABASE: &str = "galley.sqlite3";
const BACKUP: &str = "galley-backup-1-2026-06-01.sqlite3";

fn database(galley: &Galley) -> Connection {
    Connection::open(galley.data().join(DATABASE)).unwrap()
}

/// A place with a run in its history, and a backup of it.
fn backed_up() -> Galley {
    let galley = Galley::new();
    galley.news("zxqvyt wxyzzq", &[]).ok();
    std::fs::copy(galley.data().join(DATABASE), galley.data().join(BACKUP)).unwrap();
    galley
}

fn names(galley: &Galley) -> Vec<String> {
    let entries = std::fs::read_dir(galley.data()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_command_that_the_sentence_about_damage_names_sets_aside_what_is_damaged_and_goes_on() {
    let galley = backed_up();
    let (broken, log) = ("no database any more ".repeat(999), "and this its log");
    std::fs::write(galley.data().join(DATABASE), &broken).unwrap();
    std::fs::write(galley.data().join(format!("{DATABASE}-wal")), log).unwrap();
    galley.run(["runs"]).exits(1).says(&["is damaged", "`galley recover`", BACKUP]);
    let doctor = galley.run(["doctor"]).exits(1).out;
    assert!(doctor.contains("`galley recover`"), "{doctor}");
    let before = names(&galley);
    galley.run(["recover"]).exits(2);
    galley.run(["recover", "--from", "galley-backup-9.sqlite3", "--yes"]).exits(2).says(&["no backup"]);
    assert_eq!(names(&galley), before, "nothing is done unasked");

    let told = galley.run(["recover", "--yes"]).ok();
    assert!(told.out.contains(BACKUP) && told.out.contains("1 runs"), "{}", told.out);
    assert_eq!(galley.statuses(), ["finished"]);
    let kept = names(&galley).into_iter().find(|name| name.starts_with("galley-damaged-")).unwrap();
    let kept = kept.trim_end_matches("-wal");
    assert!(told.out.contains(kept), "{}", told.out);
    assert_eq!(std::fs::read_to_string(galley.data().join(kept)).unwrap(), broken);
    assert_eq!(std::fs::read_to_string(galley.data().join(format!("{kept}-wal"))).unwrap(), log);
    galley.news("rag", &[]).ok();
    galley.run(["replay", "--all"]).ok();
    assert!(galley.run(["recover"]).ok().out.contains("nothing was changed"));
    assert_eq!(galley.statuses().len(), 2);
}

#[test]
fn a_database_that_is_missing_or_empty_beside_a_backup_is_no_empty_history() {
    for is_empty in [false, true] {
        let galley = backed_up();
        let file = galley.data().join(DATABASE);
        for ending in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(galley.data().join(format!("{DATABASE}{ending}")));
        }
        if is_empty {
            std::fs::write(&file, "").unwrap()
        } else {
            std::fs::remove_file(&file).unwrap()
        }
        for words in [&["show", "last"][..], &["runs"], &["run", "ai-news", "--input", "user_topic=x"]] {
            galley.run(words).exits(1).says(&[DATABASE, "`galley recover`", BACKUP]);
        }
        let refused = galley.run(["runs", "--json"]).exits(1).lines();
        assert_eq!(refused[0]["error"]["code"], "database_missing");
        match is_empty {
            true => {
                galley.run(["recover", "--from", "empty", "--yes"]).ok();
                assert!(galley.statuses().is_empty());
            }
            false => {
                galley.run(["recover", "--yes"]).ok();
                assert_eq!(galley.statuses(), ["finished"]);
            }
        }
    }
}

/// All that can be shown of a run.
const VIEWS: [&[&str]; 8] = [
    &["--state"],
    &["--state", "--json"],
    &["--json"],
    &["--key", "draft_post", "--history"],
    &["--key", "draft_post"],
    &["--draft"],
    &["--journal"],
    &["--events", "--json"],
];

#[test]
fn an_event_that_says_something_else_is_named_wherever_its_run_is_read_and_nothing_is_built_on_it() {
    let galley = Galley::new();
    let run = galley.news("retrieval-augmented generation", &["--json"]).ok().result();
    let run = run["run"].as_str().unwrap();
    let connection = database(&galley);
    let of_draft =
        "id = (SELECT id FROM events WHERE changes_state AND instr(fact, 'draft_post') > 0 LIMIT 1)";
    for (column, other) in [
        ("path", "replace(path, '_', '-')"),
        ("n", "n + 1"),
        ("author", "author || 'x'"),
        ("changes_state", "0"),
        ("fact", "replace(fact, 'draft_post', 'draft_p0st')"),
    ] {
        let sql = format!("SELECT id, {column} FROM events WHERE {of_draft}");
        let (id, was): (i64, rusqlite::types::Value) =
            connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        connection.execute(&format!("UPDATE events SET {column} = {other} WHERE id = ?1"), [id]).unwrap();
        for view in VIEWS {
            galley.run(["show", run].iter().chain(view)).exits(1).says(&[
                "is damaged",
                run,
                "`galley recover`",
            ]);
        }
        for words in [&["export", run, "--format", "md"][..], &["resume", run], &["fork", run, "--at", "3"]] {
            galley.run(words).exits(1).says(&["is damaged", run]);
        }
        let doctor = galley.run(["doctor"]).exits(1).out;
        assert!(doctor.contains("✗ Database") && doctor.contains(run), "{column}: {doctor}");
        let refused = edit(&galley, run).unwrap_err();
        assert!(
            refused.message.contains("is damaged") && refused.message.contains(run),
            "{column}: {refused}"
        );
        connection.execute(&format!("UPDATE events SET {column} = ?2 WHERE id = ?1"), (id, was)).unwrap();
        galley.run(["show", run]).ok();
    }
    edit(&galley, run).unwrap();
}

#[test]
fn a_missing_event_is_named_by_every_view_of_its_run_and_the_others_are_shown_on_request() {
    let galley = Galley::new();
    let run = galley.news("tokenizers of speech", &["--json"]).ok().result();
    let run = run["run"].as_str().unwrap();
    let events = galley.events(run);
    let last = events.len() as i64;
    let connection = database(&galley);
    for seq in [1, last / 2, last] {
        connection.execute_batch("CREATE TABLE taken AS SELECT * FROM events WHERE FALSE").unwrap();
        let moved = "INSERT INTO taken SELECT * FROM events WHERE id & 0xffffffff = ?1";
        assert_eq!(connection.execute(moved, [seq]).unwrap(), 1);
        connection.execute("DELETE FROM events WHERE id & 0xffffffff = ?1", [seq]).unwrap();
        for view in VIEWS.iter().chain([&["--citations"][..], &["--journal", "--json"], &["--events"]].iter())
        {
            let told = galley.run(["show", run].iter().chain(*view)).exits(1);
            told.says(&[
                "is damaged",
                &format!("event {seq} of the run {run} is missing"),
                "`galley recover`",
            ]);
            let lines = usize::from(view.contains(&"--json"));
            assert_eq!(told.out.lines().count(), lines, "{view:?}: nothing but the error: {}", told.out);
        }
        for view in ["--journal", "--events"] {
            let partial = galley.run(["show", run, view, "--json", "--partial"]).exits(1);
            partial.says(&["left out", &format!("the events {seq} ")]);
            assert_eq!(partial.lines().len() as i64, last - 1, "{view}");
        }
        connection.execute_batch("INSERT INTO events SELECT * FROM taken; DROP TABLE taken").unwrap();
        assert_eq!(galley.events(run), events);
    }
}

#[test]
fn runs_whose_shared_definition_is_damaged_are_recovered_for_reading_and_export_alone() {
    let galley = Galley::new();
    let runs: Vec<String> = (0..2)
        .map(|_| {
            let result = galley.news("speech recognition", &["--json"]).ok().result();
            result["run"].as_str().unwrap().to_owned()
        })
        .collect();
    galley.news("zxqvyt wxyzzq", &[]).ok();
    let events = galley.events(&runs[0]);
    let state = galley.run(["show", &runs[0], "--state"]).ok().out;
    let post = galley.run(["export", &runs[0], "--format", "md"]).ok().out;
    let one_letter =
        "UPDATE contents SET json = replace(json, '\"instruction\":\"You', '\"instruction\":\"Yuo')
        WHERE hash IN (SELECT definition FROM runs WHERE title = 'speech recognition')";
    assert_eq!(database(&galley).execute(one_letter, []).unwrap(), 1, "both began with the same one");
    assert!(galley.run(["doctor"]).exits(1).out.contains("✗ Database"));

    // A copy would bring it back.
    for entry in std::fs::read_dir(galley.data()).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().starts_with("galley-backup-") {
            std::fs::remove_file(entry.path()).unwrap();
        }
    }
    let told = galley.run(["recover", "--yes"]).ok().out;
    assert!(told.contains("3 runs, 2 of them without what they were started with"), "{told}");
    assert!(galley.run(["doctor"]).out.contains("✓ Database"));
    assert_eq!(galley.statuses(), ["finished", "finished", "finished"]);
    for run in &runs {
        assert_eq!(galley.events(run).len(), events.len());
        assert_eq!(galley.run(["show", run, "--state"]).ok().out, state);
        assert_eq!(galley.run(["export", run, "--format", "md"]).ok().out, post);
        galley.run(["export", run, "--format", "json", "--out", "run.json", "--yes"]).ok();
        galley.run(["show", run, "--journal"]).ok();
        for words in [
            &["resume", run][..],
            &["replay", run],
            &["replay", run, "--present"],
            &["fork", run, "--at", "3"],
            &["again", run],
        ] {
            galley.run(words).exits(2).says(&["was damaged and is lost", "read and exported"]);
        }
    }
    galley.run(["replay", "last"]).ok();
    // Wherever it is taken in, the mark goes with it.
    let other = Galley::new();
    std::fs::copy(galley.here().join("run.json"), other.here().join("run.json")).unwrap();
    other.run(["import", "run.json"]).ok();
    other.run(["replay", "last"]).exits(2).says(&["was damaged and is lost"]);
}

/// What a person changes in the draft of a run at the window.
fn edit(galley: &Galley, run: &str) -> Result<Value, ApiError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = Options { data_dir: Some(galley.data()), ..Options::default() };
        let desk = Desk::open(options).await.unwrap();
        let request =
            json!({"run": run, "key": "draft_post", "field": "post_markdown", "value": "Mine [1]."});
        let edited = desk.rpc("edit_state", request).await;
        desk.close().await;
        edited
    })
}

#[test]
fn an_old_run_with_an_unreadable_event_keeps_no_other_from_running_and_is_named_wherever_it_is_read() {
    let galley = Galley::new();
    let old = galley.news("retrieval-augmented generation", &["--json"]).ok().result();
    let old = old["run"].as_str().unwrap();
    let last = galley.events(old).len();
    let connection = database(&galley);
    let messages = |run: &str| -> i64 {
        let sql = "SELECT count(*) FROM messages WHERE run = ?1";
        connection.query_row(sql, [run], |row| row.get(0)).unwrap()
    };
    assert_eq!(messages(old), 2, "what was asked, and what was answered");
    let is_draft = "SELECT id FROM events WHERE changes_state AND instr(fact, 'draft_post') > 0 LIMIT 1";
    let id: i64 = connection.query_row(is_draft, [], |row| row.get(0)).unwrap();
    connection.execute("UPDATE events SET fact = '{\"kind\":\"sta' WHERE id = ?1", [id]).unwrap();
    connection.execute_batch("DELETE FROM spending_known; DELETE FROM snapshots;").unwrap();

    let new = galley.news("speech recognition", &["--json"]).ok().result();
    assert_eq!(new["outcome"], "finished");
    galley.news("rag", &[]).ok();
    assert_eq!(galley.statuses(), ["finished", "finished", "finished"]);

    let damaged = (id & 0xffff_ffff).to_string();
    for view in VIEWS {
        let told = galley.run(["show", old].iter().chain(view)).exits(1);
        assert!(
            told.err.contains("is damaged") && told.err.contains("`galley recover`"),
            "{view:?}: {}",
            told.err
        );
        let partial = galley.run(["show", old, "--partial"].iter().chain(view)).exits(1);
        assert!(
            partial.err.contains("left out") && partial.err.contains(&damaged),
            "{view:?}: {}",
            partial.err
        );
        // The draft is what is missing.
        assert!(!partial.out.is_empty() || view == ["--draft"], "{view:?}");
    }
    let part = galley.run(["show", old, "--events", "--json", "--partial"]).exits(1).lines().len();
    assert_eq!(part, last - 1);
    for words in [&["export", old, "--format", "md"][..], &["resume", old], &["fork", old, "--at", "3"]] {
        galley.run(words).exits(1).says(&["is damaged"]);
    }
    let doctor = galley.run(["doctor"]).exits(1).out;
    assert!(doctor.contains("✗ Database") && doctor.contains(old), "{doctor}");
    let told = galley.run(["recover", "--yes"]).ok().out;
    assert!(told.contains("3 runs, 1 of them only up to"), "{told}");
    let doctor = galley.run(["doctor"]).out;
    assert!(doctor.contains("✓ Database"), "{doctor}");
    assert_eq!(galley.statuses(), ["finished", "finished", "interrupted"]);
}

#[test]
fn nothing_that_cannot_be_shown_ends_a_run() {
    let galley = Galley::new();
    let script = format!(
        "exec {} run ai-news --input user_topic=rag --source library --as-of 2026-07-01 --json > /dev/full",
        program().display()
    );
    let told = Told::of(galley.command(Path::new("sh")).args(["-c", &script])).exits(1);
    assert!(told.err.contains("Standard output cannot be written"), "{}", told.err);
    assert_eq!(galley.statuses(), ["finished"]);
}

#[test]
fn an_export_that_fails_leaves_the_older_one_and_nothing_beside_it() {
    let galley = Galley::new();
    galley.news("retrieval-augmented generation", &[]).ok();
    let content = galley.run(["export", "last", "--format", "json"]).ok().out;
    assert!(content.len() > 60_000, "{}", content.len());
    let export = |more: &str| {
        // The shell counts in blocks of 512 bytes.
        let script =
            format!("ulimit -f 80; exec {} export last --format json --out {more}", program().display());
        Told::of(galley.command(Path::new("sh")).args(["-c", &script]))
    };
    let here = galley.here();
    let left =
        || -> Vec<_> { std::fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().file_name()).collect() };
    export("post.json").exits(1).says(&["post.json", "cannot be written"]);
    assert!(left().is_empty(), "{:?}", left());
    std::fs::write(here.join("post.json"), "the older one").unwrap();
    export("post.json --yes").exits(1).says(&["post.json", "cannot be written"]);
    assert_eq!(std::fs::read_to_string(here.join("post.json")).unwrap(), "the older one");
    assert_eq!(left(), ["post.json"]);

    let elsewhere = galley.file("elsewhere/post.json", "older");
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        symlink(&elsewhere, here.join("link.json")).unwrap();
        std::fs::set_permissions(&elsewhere, PermissionsExt::from_mode(0o640)).unwrap();
        galley.run(["export", "last", "--format", "json", "--out", "link.json", "--yes"]).ok();
        assert!(here.join("link.json").is_symlink());
        assert_eq!(std::fs::metadata(&elsewhere).unwrap().permissions().mode() & 0o777, 0o640);
    }
    let written: Value = serde_json::from_slice(&std::fs::read(&elsewhere).unwrap()).unwrap();
    assert!(written["events"].is_array());
}
