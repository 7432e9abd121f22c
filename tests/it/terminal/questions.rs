//! A run on a real terminal: its questions answered there, or, when the program dies or the terminal is closed over
//! them, from elsewhere; what is shown while it waits.
//!
//! Not here: the outcome `waiting` (exit 5): no agent of AI News asks anything, and a limit that nobody answers
//! finishes with the best so far.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use testkit::{ModelServer, NewsModel, closed_port_url};

use super::galley::{Galley, eventually, news_server, program};

/// `galley` on a terminal of its own, which util-linux's `script` holds.
struct Terminal {
    child: Child,
    shown: PathBuf,
    /// Where the program's own number stands.
    number: PathBuf,
}

impl Terminal {
    fn of(galley: &Galley, words: &str) -> Terminal {
        let shown = PathBuf::from(galley.file("shown", ""));
        let number = PathBuf::from(galley.file("number", ""));
        let mut command: Command = galley.command("script".as_ref());
        let line = format!("echo $$ > {}; exec {} {words}", number.display(), program().display());
        command.args(["-qefc", &line, "/dev/null"]);
        command.env("TERM", "xterm").stdin(Stdio::piped()).stdout(File::create(&shown).unwrap());
        Terminal { child: command.spawn().unwrap(), shown, number }
    }

    fn shows(&self, words: &str) {
        eventually(words, || {
            String::from_utf8_lossy(&std::fs::read(&self.shown).unwrap()).contains(words).then_some(())
        });
    }

    fn types(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Kills the program, not the terminal.
    fn dies(mut self) {
        let number = std::fs::read_to_string(&self.number).unwrap();
        assert!(Command::new("kill").args(["-KILL", number.trim()]).status().unwrap().success());
        self.child.wait().unwrap();
    }

    fn exits(&mut self, code: i32) {
        assert_eq!(self.child.wait().unwrap().code(), Some(code));
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

#[test]
fn a_terminal_shows_that_a_server_is_asked_again_and_ctrl_c_stops_the_waiting() {
    let galley = Galley::new();
    let url = closed_port_url();
    galley.add_profile(&url);
    let words = "run ai-news --input user_topic=rag --source library --as-of 2026-07-01 --profile test";
    let mut terminal = Terminal::of(&galley, words);
    terminal.shows("asks again in");
    terminal.shows(&url);
    terminal.types("\u{3}");
    terminal.exits(130);
    terminal.shows("goes on");
    assert_eq!(galley.statuses(), ["cancelled"]);
}

/// A run that may ask its model twice, and so stands before its review with a question.
fn asked(galley: &Galley, more: &str) -> Terminal {
    let words = "run ai-news --input user_topic=rag --source library --as-of 2026-07-01 --profile test";
    let terminal = Terminal::of(galley, &format!("{words} --limit max_llm_calls=2 {more}"));
    terminal.shows("With 2 model calls the run cannot come to its end");
    terminal
}

fn place() -> (ModelServer, Galley) {
    let server = news_server(NewsModel::default());
    let galley = Galley::asking(&server);
    (server, galley)
}

#[test]
fn a_question_is_asked_on_the_terminal_until_its_answer_is_one() {
    let (server, galley) = place();
    let mut terminal = asked(&galley, "");
    terminal.shows("finish with the best so far, or stop?");
    terminal.types("perhaps");
    terminal.shows("choose one of add, finish, stop");
    terminal.types("ADD");
    terminal.exits(0);
    terminal.shows("✓ Reviewer");
    terminal.shows("· 3 calls ·");
    assert_eq!(server.count(), 3);
    galley.run(["replay", "last"]).ok();
    // The default is taken on request, and journalled as such.
    let mut terminal = asked(&galley, "--yes");
    terminal.exits(3);
    terminal.shows("Note: not reviewed");
    let journal = galley.run(["show", "last", "--journal"]).ok().out;
    assert!(journal.contains("Add to it, finish with the best so far, or stop?"), "{journal}");
}

#[test]
fn a_question_over_which_the_program_died_is_answered_from_elsewhere() {
    let (server, galley) = place();
    let terminal = asked(&galley, "");
    terminal.shows("finish with the best so far, or stop?");
    terminal.dies();
    assert_eq!(galley.statuses()[0], "interrupted");
    galley
        .run(["answer", "last", "perhaps"])
        .exits(2)
        .says(&["`perhaps` does not answer", "choose one of add, finish, stop"]);
    assert_eq!(galley.statuses(), ["interrupted"], "an answer that is none changes nothing");
    let result = galley.run(["answer", "last", "add", "--json"]).ok().result();
    assert_eq!(
        (&result["outcome"], &result["usage"]["calls"], server.count()),
        (&"finished".into(), &3.into(), 3)
    );
    let history = galley.events("last");
    assert!(
        history.iter().any(|event| event["author"] == "user" && event["fact"]["kind"] == "effect_answered")
    );
    galley.run(["replay", "last"]).ok();

    // A terminal that is closed decides nothing either, whether its signal or the end of its input comes first.
    let terminal = asked(&galley, "");
    terminal.shows("finish with the best so far, or stop?");
    drop(terminal);
    let ended = eventually("the end of the process", || {
        Some(galley.statuses().swap_remove(0)).filter(|now| now != "running")
    });
    assert!(["interrupted", "cancelled"].contains(&ended.as_str()), "{ended}");
    let result = galley.run(["answer", "last", "finish", "--json"]).exits(3).result();
    assert_eq!((&result["notice"], server.count()), (&"not reviewed".into(), 5));

    // Asked again where nobody is, it ends with the best so far.
    let terminal = asked(&galley, "");
    terminal.shows("finish with the best so far, or stop?");
    terminal.dies();
    assert_eq!(galley.statuses()[0], "interrupted");
    let result = galley.run(["resume", "last", "--json"]).exits(3).result();
    assert_eq!(
        (&result["outcome"], &result["notice"], server.count()),
        (&"limited".into(), &"not reviewed".into(), 7)
    );
}
