//! A disk that takes nothing for a while: the run says that it waits, keeps what was paid for, and goes on by itself; when
//! the program must end, what it had in hand is in a file beside the database and is taken up from there.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::Value;
use testkit::{Hand, ModelServer, NewsModel, Reply};

use super::galley::{Galley, Running, eventually, server};

/// The files of what is not stored.
pub(crate) fn unstored(galley: &Galley) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(galley.data()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().contains("galley-unstored-")).collect()
}

/// A run whose every answer comes when the test says.
struct Held {
    galley: Galley,
    server: ModelServer,
    asked: Receiver<(Hand, String)>,
    running: Running,
}

impl Held {
    fn begin(settings: &[(&str, &str)]) -> Held {
        let (holds, asked) = channel();
        let server = server(move |request| match NewsModel::default().answer(request) {
            Reply::Text(text) => {
                let (hand, reply) = Reply::by_hand();
                // After the test nobody listens any more.
                let _ = holds.send((hand, text));
                reply
            }
            reply => reply,
        });
        let galley = Galley::asking(&server);
        for (key, value) in settings {
            galley.run(["config", "set", key, value]).ok();
        }
        let running = galley.begin_news("rag");
        Held { galley, server, asked, running }
    }

    fn next(&self) -> (Hand, String) {
        self.asked.recv_timeout(Duration::from_secs(30)).unwrap()
    }

    /// Answers whatever is asked from now on.
    fn answer_the_rest(self) -> (Galley, ModelServer, Running) {
        let Held { galley, server, asked, running } = self;
        std::thread::spawn(move || {
            for (hand, text) in asked {
                hand.say(&text);
            }
        });
        (galley, server, running)
    }

    /// Another program holds the database from now on.
    fn lock(&self) -> Connection {
        let other = Connection::open(self.galley.data().join("galley.sqlite3")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        other
    }

    /// Locks the database while an answer is in flight, lets it come, and waits until the run says that it waits.
    fn refused(&self) -> Connection {
        let (hand, text) = self.next();
        let other = self.lock();
        hand.say(&text);
        drop(hand);
        eventually("the file of what is not stored", || unstored(&self.galley).pop());
        other
    }
}

fn calls(result: &Value) -> u64 {
    result["usage"]["calls"].as_u64().unwrap()
}

#[test]
fn a_run_waits_for_a_locked_database_and_goes_on_with_the_answer_it_had() {
    let held = Held::begin(&[("disk_wait_s", "60")]);
    let other = held.refused();
    let file = unstored(&held.galley).pop().unwrap();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(held.galley.statuses(), ["waiting_for_disk"]);
    assert!(held.galley.run(["runs"]).ok().out.contains("waiting for the disk"));
    held.running.until_said("The run waits for the disk");
    other.execute_batch("ROLLBACK").unwrap();
    let (galley, server, running) = held.answer_the_rest();
    let told = running.ended().ok();
    assert_eq!((server.count(), calls(&told.result())), (3, 3), "nothing was asked twice");
    for words in ["The run waits for the disk", "is locked by another program", "the run goes on"] {
        assert!(told.err.contains(words), "`{words}` is not said: {}", told.err);
    }
    assert_eq!(unstored(&galley), Vec::<PathBuf>::new(), "what is stored needs no file");
    galley.run(["replay", "last"]).ok();
}

#[test]
fn what_a_run_has_in_hand_when_its_program_must_end_is_taken_up_from_a_file() {
    for how in ["INT", "KILL", ""] {
        let held = Held::begin(&[("disk_wait_s", if how.is_empty() { "1" } else { "60" })]);
        let other = held.refused();
        if !how.is_empty() {
            held.running.signal(how);
        }
        let (galley, server, running) = held.answer_the_rest();
        let told = running.ended();
        if how != "KILL" {
            let file = unstored(&galley).pop().unwrap();
            for words in ["kept in", file.to_str().unwrap(), "taken up when the run goes on"] {
                assert!(told.err.contains(words), "{how}: `{words}` is not said: {}", told.err);
            }
        }
        assert_eq!(galley.statuses(), ["interrupted"], "{how}");
        other.execute_batch("ROLLBACK").unwrap();
        let result = galley.run(["resume", "last", "--json"]).ok().result();
        assert_eq!(result["outcome"], "finished", "{how}");
        assert_eq!((server.count(), calls(&result)), (3, 3), "{how}: nothing was asked twice");
        assert_eq!(unstored(&galley), Vec::<PathBuf>::new());
        galley.run(["replay", "last"]).ok();
    }
}

#[test]
fn a_stopped_program_uses_up_no_time_of_its_run() {
    let held = Held::begin(&[]);
    let (hand, text) = held.next();
    held.running.signal("STOP");
    std::thread::sleep(Duration::from_secs(7));
    held.running.signal("CONT");
    hand.say(&text);
    drop(hand);
    let (galley, _server, running) = held.answer_the_rest();
    let result = running.ended().ok().result();
    assert_eq!(result["outcome"], "finished");
    let database = rusqlite::Connection::open(galley.data().join("galley.sqlite3")).unwrap();
    let times = "SELECT max(ran_ms), max(at_ms) - min(at_ms) FROM events";
    let (active_ms, wall_ms): (i64, i64) =
        database.query_row(times, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert!(
        wall_ms >= 7_000 && active_ms > 0 && active_ms + 4_500 < wall_ms,
        "{active_ms} ms of {wall_ms} ms"
    );
}
