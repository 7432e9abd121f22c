//! A data folder that cannot be used: said by name, with a way on, and everything in it stays as it was.
//!
//! What needs another file system (one that is full, one that cannot be written) is mounted where only the program
//! sees it; where that is not allowed the row is skipped, and says so.

use std::path::Path;
use std::process::Command;

use rusqlite::Connection;
use testkit::NewsModel;

use super::galley::{Galley, Told, copy_folder, eventually, news_server, program};

const DATABASE: &str = "galley.sqlite3";

/// A place with a run in it.
fn used() -> Galley {
    let galley = Galley::new();
    galley.news("zxqvyt wxyzzq", &[]).ok();
    galley
}

/// Every command refuses with this code and says these words.
fn is_refused(galley: &Galley, code: &str, words: &[&str]) {
    let told = galley.news("rag", &["--json"]).exits(1);
    told.says(words);
    assert_eq!(told.result()["error"]["code"], code);
    let told = galley.run(["runs", "--json"]).exits(1);
    told.says(words);
    assert_eq!(told.lines()[0]["error"]["code"], code);
    let doctor = galley.run(["doctor"]).exits(1).out;
    assert!(doctor.contains("✗ Data folder") && words.iter().all(|word| doctor.contains(word)), "{doctor}");
}

#[test]
fn a_damaged_or_newer_database_and_unreadable_settings_are_named_and_left_as_they_are() {
    let galley = used();
    let good = std::fs::read(galley.data().join(DATABASE)).unwrap();
    let mut holed = good.clone();
    holed[4096..400_000].fill(0xA5);
    let newer = {
        let copy = Galley::new();
        copy_folder(&galley.data(), &copy.data());
        let file = copy.data().join(DATABASE);
        Connection::open(&file).unwrap().pragma_update(None, "user_version", 900).unwrap();
        std::fs::read(file).unwrap()
    };
    for (bytes, code, words) in [
        (
            b"no database, nor was it ever".repeat(99),
            "database_corrupt",
            &["is damaged", "no backup", "move the damaged file"][..],
        ),
        (holed, "database_corrupt", &["is damaged", "move the damaged file"]),
        (newer, "database_newer", &["newer Galley", "900", "Update Galley", "--data-dir"]),
    ] {
        std::fs::write(galley.data().join(DATABASE), &bytes).unwrap();
        is_refused(&galley, code, words);
        assert!(std::fs::read(galley.data().join(DATABASE)).unwrap() == bytes, "{code}: it was changed");
    }
    std::fs::write(galley.data().join(DATABASE), &good).unwrap();
    for (text, words) in [
        (&b"theme = ["[..], &["settings.toml", "not valid TOML", "mend or remove the file"][..]),
        (b"theme = \"\xff\"", &["settings.toml", "cannot be read", "mend or remove the file"]),
    ] {
        let file = galley.data().join("settings.toml");
        std::fs::write(&file, text).unwrap();
        galley.run(["runs"]).exits(2).says(words);
        galley.run(["config", "set", "theme", "dark"]).exits(2).says(words);
        assert_eq!(std::fs::read(&file).unwrap(), text);
        std::fs::remove_file(&file).unwrap();
    }
    let file = galley.file("a-file", "x");
    for folder in [file.clone(), format!("{file}/below")] {
        galley.run(["--data-dir", &folder, "runs"]).exits(1).says(&[&folder, "--data-dir"]);
    }
    assert_eq!(galley.statuses(), ["finished"]);
}

#[test]
fn a_locked_database_is_named_is_read_all_the_same_and_goes_on_afterwards() {
    let galley = used();
    let other = Connection::open(galley.data().join(DATABASE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let told = galley.news("rag", &["--json"]).exits(1);
    told.says(&[DATABASE, "is locked by another program", "Close that program"]);
    assert_eq!(told.result()["error"]["code"], "database_locked");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(galley.statuses(), ["finished"]);
    galley.news("rag", &[]).ok();
}

/// Whether this program may mount file systems for itself alone, and with which words.
fn mounting() -> Option<&'static [&'static str]> {
    let ways: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
    ways.into_iter().find(|way| {
        let tried =
            Command::new("unshare").args(*way).args(["mount", "-t", "tmpfs", "none", "/mnt"]).output();
        tried.is_ok_and(|tried| tried.status.success())
    })
}

/// Runs a script in which `$G` is the program and `$D` the data folder; nothing where no mounting is allowed.
#[expect(clippy::print_stderr, reason = "whoever runs the tests is told what was not tested")]
fn mounted(galley: &Galley, script: &str) -> Option<Told> {
    let Some(way) = mounting() else {
        eprintln!("skipped: nothing can be mounted here, not even for one program");
        return None;
    };
    let mut command = galley.command(Path::new("unshare"));
    let script = format!("set -eu; G={}; D={}; {script}", program().display(), galley.data().display());
    Some(Told::of(command.args(way).args(["sh", "-c", &script])))
}

#[test]
fn a_folder_that_cannot_be_written_is_named_and_nothing_of_it_is_lost() {
    let galley = used();
    let run = "run ai-news --input user_topic=rag";
    for (words, said) in [
        (run.to_owned(), "cannot be"),
        (format!("--data-dir $D/below {run}"), "cannot be made"),
        ("runs".to_owned(), "cannot be"),
    ] {
        let script = format!("mount --bind $D $D; mount -o remount,bind,ro $D; exec $G {words}");
        let Some(told) = mounted(&galley, &script) else { return };
        told.exits(1).says(&[galley.data().to_str().unwrap(), said, "--data-dir"]);
    }
    assert_eq!(galley.statuses(), ["finished"]);
}

#[test]
fn a_disk_that_is_full_from_the_beginning_is_named_and_keeps_what_it_has() {
    let galley = used();
    let fill = "mount -t tmpfs -o size=16m none $D; cp $OLD/* $D; dd if=/dev/zero of=$D/fill bs=4k 2>/dev/null || true;";
    let old = galley.file("old/keep", "");
    let old = Path::new(&old).parent().unwrap();
    copy_folder(&galley.data(), old);
    let script = |then: &str| format!("OLD={}; {fill} {then}", old.display());
    let words = "run ai-news --input user_topic=rag --json";
    let Some(told) = mounted(&galley, &script(&format!("exec $G {words}"))) else { return };
    let told = told.exits(1);
    told.says(&["full", "what was stored before is safe", "Free some space"]);
    assert_eq!(told.result()["error"]["code"], "disk_full");
    let told =
        mounted(&galley, &script("$G runs 2>/dev/null || rm $D/fill; exec $G runs --json")).unwrap().ok();
    assert_eq!(told.lines().len(), 1, "the run from before is there");
    let told = mounted(&galley, "mount -t tmpfs -o size=1m none $D; exec $G runs").unwrap();
    told.exits(1).says(&["full", "Free some space"]);
}

/// Without any mounting: the shell's limit on the size of a file ends a program, unless it minds.
#[test]
fn a_file_that_may_not_grow_is_told_like_a_full_disk_and_the_run_goes_on_when_it_may() {
    let server = news_server(NewsModel::default());
    let galley = Galley::asking(&server);
    galley.news("zxqvyt wxyzzq", &[]).ok();
    let size = std::fs::metadata(galley.data().join(DATABASE)).unwrap().len();
    let limit = |bytes: u64, words: &str| {
        // The shell counts in blocks of 512 bytes.
        let script = format!("ulimit -f {}; exec {} {words}", bytes / 512, program().display());
        Told::of(galley.command(Path::new("sh")).args(["-c", &script]))
    };
    let words =
        "run ai-news --input 'user_topic=rag' --source library --as-of 2026-07-01 --profile test --json";
    // The write-ahead log has room for the beginning of a run, not for all of it.
    let told = limit(64 * 1024, words).exits(1);
    told.says(&["full", "what was stored before is safe", "Free some space"]);
    assert!(size > 64 * 1024);
    let asked = server.count();
    let statuses = eventually("a history", || Some(galley.statuses()));
    if statuses.len() == 2 {
        assert_eq!(statuses, ["interrupted", "finished"]);
        assert_eq!(galley.run(["resume", "last", "--json"]).ok().result()["outcome"], "finished");
        assert!(server.count() <= asked + 3);
    }
    galley.run(["replay", "--all"]).ok();
}
