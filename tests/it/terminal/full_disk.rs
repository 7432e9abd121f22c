//! A disk that becomes really full while an answer is in flight: a small file system, not a limit of the shell. What was
//! paid for is in the room that the run reserved, and is not asked for again.

use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use testkit::{Hand, NewsModel, Reply};

use super::galley::{Galley, copy_folder, eventually, program, server};
use super::storage::mounting;

/// Runs AI News on a file system of 16 MB that is filled when the test asks for it, ends or kills it there, makes room and
/// resumes it. `$H` is the folder in which test and script tell each other how far they are.
const SCRIPT: &str = "
    mount -t tmpfs -o size=16m none $D; cp $OLD/* $D
    $G run ai-news --profile test --input user_topic=rag --source library --as-of 2026-07-01 --json >$H/out 2>$H/err &
    until [ -e $H/fill ]; do sleep 0.05; done
    dd if=/dev/zero of=$D/fill bs=4k 2>/dev/null || true
    touch $H/filled
    if [ $HOW = KILL ]; then
        until ls $D/galley-unstored-* 2>/dev/null; do sleep 0.05; done
        kill -9 $!
    fi
    wait $! || echo $? >$H/code
    cp $D/galley-unstored-* $H/unstored
    rm $D/fill
    $G resume last --json >$H/resumed
    $G replay last
    ls $D >$H/left";

struct Filled {
    galley: Galley,
    script: Child,
}

impl Filled {
    fn begin(galley: Galley, how: &str) -> Filled {
        let old = galley.file("old/keep", "");
        let old = Path::new(&old).parent().unwrap();
        copy_folder(&galley.data(), old);
        let mut command = galley.command(Path::new("unshare"));
        command.args(mounting()).args(["sh", "-euc", SCRIPT]);
        let folders = [("G", &*program()), ("D", &galley.data()), ("OLD", old), ("H", &galley.here())];
        command.envs(folders).env("HOW", how);
        Filled { script: command.spawn().unwrap(), galley }
    }

    fn told(&self, name: &str) -> String {
        std::fs::read_to_string(self.galley.here().join(name)).unwrap_or_default()
    }

    /// Fills the file system and waits until it is full.
    fn fill(&self) {
        std::fs::write(self.galley.here().join("fill"), "").unwrap();
        eventually("a full file system", || self.galley.here().join("filled").exists().then_some(()));
    }
}

impl Drop for Filled {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ended = self.script.kill();
        let _reaped = self.script.wait();
    }
}

/// A server whose every answer comes when the test says.
fn by_hand() -> (testkit::ModelServer, Receiver<(Hand, String)>) {
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
    (server, asked)
}

#[test]
fn an_answer_that_comes_when_the_disk_is_really_full_is_kept_and_not_asked_for_again() {
    // Which of the three answers comes then, and how the program ends.
    for (number, how) in [(1, "END"), (2, "END"), (3, "END"), (2, "KILL")] {
        let (server, asked) = by_hand();
        let galley = Galley::asking(&server);
        let wait_s = if how == "KILL" { "60" } else { "1" };
        galley.run(["config", "set", "disk_wait_s", wait_s]).ok();
        let mut filled = Filled::begin(galley, how);
        for this in 1..=3 {
            let (hand, text) = asked.recv_timeout(Duration::from_secs(60)).unwrap();
            if this == number {
                filled.fill();
            }
            hand.say(&text);
        }
        let ended = filled.script.wait().unwrap();
        let told = |name: &str| filled.told(name);
        assert!(ended.success(), "{number} {how}: {} {}", told("err"), told("resumed"));
        assert_eq!(told("code").trim(), if how == "KILL" { "137" } else { "1" });
        if how == "END" {
            let err = told("err");
            for words in ["is full", "kept in", "galley-unstored-", "taken up when the run goes on"] {
                assert!(err.contains(words), "{number}: `{words}` is not said: {err}");
            }
        }
        assert!(
            told("unstored").contains("effect_answered"),
            "{number} {how}: the answer was not stored otherwise"
        );
        let resumed = told("resumed");
        let result: serde_json::Value = serde_json::from_str(resumed.lines().last().unwrap()).unwrap();
        assert_eq!((&result["outcome"], &result["usage"]["calls"]), (&"finished".into(), &3.into()));
        assert_eq!(server.count(), 3, "{number} {how}: nothing was asked for twice");
        let left = told("left");
        assert!(!left.contains("unstored") && !left.contains("reserved"), "{left}");
    }
}

#[test]
fn a_run_for_whose_answers_there_is_no_room_does_not_begin() {
    let (server, _asked) = by_hand();
    let galley = Galley::asking(&server);
    let script = "
        mount -t tmpfs -o size=16m none $D; cp $OLD/* $D; $G runs 2>/dev/null; dd if=/dev/zero of=$D/fill bs=4k 2>/dev/null || true
        truncate -s -200K $D/fill
        exec $G run ai-news --profile test --input user_topic=rag --source library --as-of 2026-07-01";
    let old = galley.file("old/keep", "");
    let old = Path::new(&old).parent().unwrap();
    copy_folder(&galley.data(), old);
    let mut command: Command = galley.command(Path::new("unshare"));
    command.args(mounting()).args(["sh", "-euc", script]);
    command.envs([("G", &*program()), ("D", &galley.data()), ("OLD", old)]);
    super::galley::Told::of(&mut command).exits(1).says(&["is full", "Free some space"]);
    assert_eq!(server.count(), 0);
}
