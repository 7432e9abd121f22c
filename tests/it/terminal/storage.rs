//! A data folder that cannot be used: said by name, with a way on, and everything in it stays as it was.
//!
//! What needs another file system (one that is full, one that cannot be written) is mounted where only the program
//! sees it; where that is not allowed the test fails, for then nothing is known.

use std::path::Path;
use std::process::Command;

use rusqlite::Connection;
use testkit::NewsModel;

use super::galley::{Galley, Told, copy_folder, news_server, program};

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
            &["is damaged", "galley-backup-weekly-", "`galley recover`"][..],
        ),
        (holed, "database_corrupt", &["is damaged", "`galley recover`"]),
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

#[test]
fn a_lock_that_is_let_go_of_within_ten_seconds_keeps_no_run_from_beginning() {
    let galley = used();
    // One that lets others read, and one that does not even let them look.
    for lock in ["BEGIN IMMEDIATE", "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"] {
        let other = Connection::open(galley.data().join(DATABASE)).unwrap();
        other.execute_batch(lock).unwrap();
        let holding = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_secs(8));
            drop(other);
        });
        galley.news("rag", &[]).ok();
        holding.join().unwrap();
    }
    assert_eq!(galley.statuses().len(), 3);
}

/// The words with which this program may mount file systems for itself alone.
pub(crate) fn mounting() -> &'static [&'static str] {
    let ways: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
    let way = ways.into_iter().find(|way| {
        let tried =
            Command::new("unshare").args(*way).args(["mount", "-t", "tmpfs", "none", "/mnt"]).output();
        tried.is_ok_and(|tried| tried.status.success())
    });
    way.unwrap_or_else(|| {
        panic!("nothing can be mounted here: run the tests as root, or allow user namespaces")
    })
}

/// Runs a script in which `$G` is the program and `$D` the data folder.
fn mounted(galley: &Galley, script: &str) -> Told {
    let mut command = galley.command(Path::new("unshare"));
    let script = format!("set -eu; G={}; D={}; {script}", program().display(), galley.data().display());
    Told::of(command.args(mounting()).args(["sh", "-c", &script]))
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
        mounted(&galley, &script).exits(1).says(&[galley.data().to_str().unwrap(), said, "--data-dir"]);
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
    let told = mounted(&galley, &script(&format!("exec $G {words}"))).exits(1);
    told.says(&["full", "what was stored before is safe", "Free some space"]);
    assert_eq!(told.result()["error"]["code"], "disk_full");
    let told = mounted(&galley, &script("$G runs 2>/dev/null || rm $D/fill; exec $G runs --json")).ok();
    assert_eq!(told.lines().len(), 1, "the run from before is there");
    let told = mounted(&galley, "mount -t tmpfs -o size=1m none $D; exec $G runs");
    told.exits(1).says(&["full", "Free some space"]);
}

/// Without any mounting: the shell's limit on the size of a file ends a program, unless it minds.
#[test]
fn a_file_that_may_not_grow_is_told_like_a_full_disk_before_anything_is_asked() {
    let server = news_server(NewsModel::default());
    let galley = Galley::asking(&server);
    galley.news("zxqvyt wxyzzq", &[]).ok();
    // The shell counts in blocks of 512 bytes.
    for blocks in [64, 512, 1024] {
        let words = "run ai-news --input user_topic=rag --source library --as-of 2026-07-01 --profile test";
        let script = format!("ulimit -f {blocks}; exec {} {words}", program().display());
        let told = Told::of(galley.command(Path::new("sh")).args(["-c", &script])).exits(1);
        told.says(&["full", "what was stored before is safe", "Free some space"]);
    }
    assert_eq!(server.count(), 0);
    assert_eq!(galley.statuses(), ["finished"]);
    galley.news("rag", &["--profile", "test"]).ok();
    galley.run(["replay", "--all"]).ok();
}
