//! Bad input is a sentence and a code: what is wrong, why, and what to do. Nothing is begun, nothing is written.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use testkit::closed_port_url;

use super::galley::Galley;

/// A run on the sample library with these words more.
fn run<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["run", "ai-news", "--source", "library"].iter().chain(more).copied().collect()
}

#[test]
fn what_cannot_be_used_is_refused_by_name_and_nothing_is_written() {
    let galley = Galley::new();
    let large = format!("user_topic=@{}", galley.file("large.txt", "a".repeat(1_000_000)));
    let huge = format!("user_topic=@{}", galley.file("huge.txt", "a".repeat(17 << 20)));
    let no_text = format!("user_topic=@{}", galley.file("latin.txt", b"caf\xe9"));
    let folder = format!("user_topic=@{}", galley.here().display());
    let empty = format!("ai_news_writer=@{}", galley.file("empty.txt", " \n\n"));
    let at_pipe = format!("@{}", galley.file("a-pipe", ""));
    // Whoever opens one to read it waits for somebody who writes.
    std::fs::remove_file(&at_pipe[1..]).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&at_pipe[1..]).status().unwrap().success());
    let (pipe, of_pipe) = (format!("user_topic={at_pipe}"), format!("ai_news_writer={at_pipe}"));
    let topic = "user_topic=rag";
    let rag = |more: &[&'static str]| {
        run(&["--input", "user_topic=rag"].iter().chain(more).copied().collect::<Vec<_>>())
    };
    let bad_input: Vec<(Vec<&str>, &[&str])> = vec![
        (vec!["run", "nope", "--input", topic], &["pipeline `nope`", "ai-news"]),
        (run(&[]), &["needs the input `user_topic`", "--input user_topic=\""]),
        (run(&["--input", "user_topic="]), &["`user_topic` is empty", "say for example"]),
        (run(&["--input", "user_topic= \t\n "]), &["`user_topic` is empty", "say for example"]),
        (run(&["--input", "topic=rag"]), &["no input `topic`", "user_topic"]),
        (run(&["--input", "rag"]), &["`--input rag`", "KEY=VALUE"]),
        (run(&["--input", topic, "--input", topic]), &["user_topic", "twice", "give it once"]),
        (run(&["--input", &large]), &["`user_topic` has 1000000 bytes", "at most 2000", "shorten"]),
        (run(&["--input", &huge]), &["`user_topic` has", "at most 2000", "shorten"]),
        (run(&["--input", &no_text]), &["latin.txt", "not UTF-8", "save it as UTF-8", "@@"]),
        (run(&["--input", &folder]), &["here", "directory", "name another"]),
        // A file that opens and yet cannot be read, by nobody.
        (run(&["--input", "user_topic=@/proc/self/mem"]), &["/proc/self/mem", "could not be read", "@@"]),
        (run(&["--input", "user_topic=@no/such.txt"]), &["`no/such.txt`", "No such file", "name another"]),
        (rag(&["--profile", "nope"]), &["profile `nope`", "built-in"]),
        (vec!["run", "ai-news", "--input", topic, "--source", "nope"], &["search source `nope`", "library"]),
        (rag(&["--as-of", "2026-02-30"]), &["`2026-02-30` is not a day", "YYYY-MM-DD"]),
        (rag(&["--as-of", "1.7.2026"]), &["is not a day", "YYYY-MM-DD"]),
        (rag(&["--as-of", "20260701"]), &["is not a day", "YYYY-MM-DD"]),
        (rag(&["--as-of", "2026-07-01T00:00"]), &["is not a day", "YYYY-MM-DD"]),
        (rag(&["--as-of", ""]), &["is not a day", "YYYY-MM-DD"]),
        (rag(&["--limit", "max_calls=3"]), &["limit `max_calls`", "max_llm_calls"]),
        (rag(&["--limit", "max_llm_calls=many"]), &["`max_llm_calls` cannot be `many`", "give a number"]),
        (rag(&["--limit", "max_llm_calls=-1"]), &["`max_llm_calls` cannot be -1", "from 0 on"]),
        (rag(&["--limit", "max_llm_calls=1.5"]), &["`max_llm_calls` cannot be 1.5", "whole number"]),
        (rag(&["--limit", "max_output_tokens=0"]), &["`max_output_tokens` cannot be 0", "from 1 on"]),
        (rag(&["--limit", "max_execution_time_s=NaN"]), &["`max_execution_time_s` cannot be NaN", "number"]),
        (rag(&["--limit", "max_cost=1e999"]), &["`max_cost` cannot be inf", "number"]),
        (rag(&["--allow", "shell"]), &["tool `shell`", "library_search"]),
        (rag(&["--model", "poet=m"]), &["agent `poet`", "ai_news_writer"]),
        (rag(&["--instruction", "poet=Write a haiku."]), &["agent `poet`", "ai_news_writer"]),
        (run(&["--input", topic, "--instruction", &empty]), &["instruction of `ai_news_writer` is empty"]),
        (
            run(&["--input", topic, "--instruction", "ai_news_writer=@/dev/null"]),
            &["/dev/null", "no regular file"],
        ),
        (rag(&["--session", "nope"]), &["no session `nope`", "earlier run"]),
        (run(&["--input", &pipe]), &["a-pipe", "no regular file", "@@"]),
        (run(&["--input", topic, "--instruction", &of_pipe]), &["a-pipe", "no regular file"]),
        (vec!["fork", "last", "--at", "1", "--set", &pipe], &["a-pipe", "no regular file"]),
        (vec!["config", "set", "theme", &at_pipe], &["a-pipe", "no regular file"]),
        (vec!["import", &at_pipe[1..]], &["a-pipe", "holds no run"]),
        (vec!["library", "import", &at_pipe[1..]], &["a-pipe"]),
        (vec!["run", "ai-news", "--nope"], &["'--nope'", "galley run", "--help"]),
        (vec!["nope"], &["'nope'", "galley", "--help"]),
        (vec!["fork", "last"], &["--at", "galley fork", "--help"]),
        (vec!["export", "last"], &["--format", "galley export", "--help"]),
        (vec!["completions", "nosh"], &["'nosh'", "bash"]),
        (vec!["config", "get", "colour"], &["setting `colour`", "theme"]),
        (vec!["config", "set", "colour", "red"], &["setting `colour`", "theme"]),
        (vec!["config", "set", "default_profile", "nope"], &["profile `nope`", "built-in"]),
        (vec!["config", "set", "default_source", "nope"], &["search source `nope`", "library"]),
        (vec!["profile", "test", "nope"], &["profile `nope`", "built-in"]),
        (vec!["models", "nope"], &["profile `nope`", "built-in"]),
        (vec!["models", "built-in"], &["`built-in`", "galley profile list"]),
        (vec!["profile", "remove", "nope"], &["profile `nope`", "built-in"]),
        (vec!["profile", "remove", "built-in"], &["built-in", "cannot be removed", "galley profile list"]),
        (
            vec!["profile", "add", "p", "--provider", "nope", "--no-key"],
            &["Provider `nope`", "openai-compatible"],
        ),
        (
            vec!["profile", "add", "p", "--provider", "openai-compatible", "--no-key"],
            &["`p` has no base URL", "http://"],
        ),
        (
            vec![
                "profile",
                "add",
                "p",
                "--provider",
                "openai-compatible",
                "--no-key",
                "--base-url",
                "https://api.example.org/v1",
            ],
            &["`p` is outside this machine", "GALLEY_LIVE=1", "loopback"],
        ),
        (
            vec![
                "profile",
                "add",
                "p",
                "--provider",
                "openai-compatible",
                "--no-key",
                "--base-url",
                "http://127.0.0.1:1/v1\r\nX-Other: 1",
            ],
            &["base URL of profile `p` is not an address", "http://127.0.0.1"],
        ),
        (
            vec!["config", "set", "services.searxng.base_url", "http://127.0.0.1:1\r\n"],
            &["no address of the web"],
        ),
        (
            vec![
                "profile",
                "add",
                "p q",
                "--provider",
                "openai-compatible",
                "--no-key",
                "--base-url",
                "http://127.0.0.1:1",
            ],
            &["`p q`", "letters, digits"],
        ),
        (
            vec![
                "profile",
                "add",
                "p",
                "--provider",
                "openai-compatible",
                "--base-url",
                "http://127.0.0.1:1",
            ],
            &["does not say where its key comes from", "--key-env"],
        ),
        (vec!["show", "0000"], &["no run 0000", "List the runs"]),
        (vec!["show", "x"], &["`x` is too short", "four characters"]),
        (vec!["show", "last"], &["no run", "Start one"]),
        (vec!["replay", "0000"], &["no run 0000", "List the runs"]),
        (vec!["resume", "0000"], &["no run 0000", "List the runs"]),
        (vec!["answer", "0000", "yes"], &["no run 0000", "List the runs"]),
        (vec!["fork", "0000", "--at", "1"], &["no run 0000", "List the runs"]),
        (vec!["export", "0000", "--format", "md"], &["no run 0000", "List the runs"]),
    ];
    for (words, said) in bad_input {
        let takes_json = ["run", "runs", "show", "replay", "resume", "answer", "fork"].contains(&words[0]);
        let json = takes_json.then_some("--json");
        let told = galley.run(words.iter().copied().chain(json)).exits(2);
        told.says(said);
        let sentence = told.err.trim_end();
        if ["run", "resume", "answer", "fork"].contains(&words[0]) {
            let result = told.result();
            assert_eq!(
                (&result["outcome"], result["error"]["message"].as_str()),
                (&"failed".into(), Some(sentence))
            );
        } else if takes_json {
            assert_eq!(told.lines()[0]["error"]["message"].as_str(), Some(sentence));
        } else {
            assert_eq!(told.out, "", "{words:?}");
        }
    }
    for words in [&["run", "ai-news", "--input"][..], &["run", "ai-news", "--json", "--input"], &[]] {
        let words = words.iter().map(OsString::from).chain([OsString::from_vec(b"user_topic=\xff".to_vec())]);
        galley.run(words).exits(2).says(&["galley", "--help"]);
    }
    assert_eq!(galley.run(["runs", "--json"]).ok().out, "", "no run was begun");
    let left: Vec<_> = std::fs::read_dir(galley.here()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    let mut kept: Vec<_> =
        std::fs::read_dir(galley.data()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    kept.sort();
    assert_eq!(kept, ["feeds.opml", "galley.lock", "galley.sqlite3"], "no setting was written");
}

#[test]
fn what_a_run_that_is_there_does_not_have_is_refused_by_name_and_leaves_it_as_it_is() {
    let galley = Galley::new();
    galley.news("zxqvyt wxyzzq", &[]).ok();
    let before = galley.run(["show", "last", "--events", "--json"]).ok().out;
    for (words, said) in [
        (&["show", "last", "--at", "900"][..], &["no event 900", "its last is 16"][..]),
        (&["show", "last", "--events", "--at", "900"], &["no event 900", "its last is 16"]),
        (&["show", "last", "--key", "nope"], &["key `nope`", "draft_post"]),
        (&["show", "last", "--key", "nope", "--history"], &["key `nope`", "draft_post"]),
        (&["show", "last", "--draft"], &["no draft", "--journal"]),
        (&["export", "last", "--format", "rtf"], &["export format `rtf`", "md, html, pdf, docx"]),
        (&["export", "last", "--format", "csv", "--without", "nope"], &["kind `nope`", "answered"]),
        (&["export", "last", "--format", "md", "--without", "note"], &["Markdown", "csv"]),
        (&["answer", "last", "yes"], &["waits for no answer", "galley show"]),
        (&["fork", "last", "--at", "0"], &["Event 0 does not exist", "from 1 to 16"]),
        (&["fork", "last", "--at", "900"], &["Event 900 does not exist", "from 1 to 16"]),
        (&["fork", "last", "--at", "5", "--set", "nope=1"], &["key `nope`", "draft_post"]),
        (
            &["fork", "last", "--at", "5", "--set", "draft_post=plain"],
            &["`draft_post` is not JSON", "in quotes"],
        ),
        (&["fork", "last", "--at", "5", "--set", "draft_post=7"], &["`draft_post` must keep its shape"]),
        (
            &["fork", "last", "--at", "5", "--set", "search_results=\"x\""],
            &["`search_results` must keep its shape"],
        ),
        (&["fork", "last", "--at", "5", "--set", "user_topic=5"], &["`user_topic` must keep its shape"]),
        (
            &["fork", "last", "--at", "5", "--set", "draft_checks=[]"],
            &["`draft_checks` is counted by the program"],
        ),
        (&["resume", "last"], &["finished", "Fork it"]),
        (&["fork", "last", "--at", "5", "--profile", "nope"], &["profile `nope`", "built-in"]),
        (
            &["resume", "last", "--limit", "max_llm_calls=x"],
            &["`max_llm_calls` cannot be `x`", "give a number"],
        ),
    ] {
        galley.run(words).exits(2).says(said);
    }
    assert_eq!(galley.statuses(), ["finished"]);
    assert_eq!(galley.run(["show", "last", "--events", "--json"]).ok().out, before);
}

#[test]
fn a_closed_port_is_told_with_the_address_after_the_retries_were_noted() {
    let galley = Galley::new();
    let url = closed_port_url();
    galley.add_profile(&url);
    galley.run(["profile", "test", "test"]).exits(1).says(&[&url, "refused", "check that the server runs"]);
    let told = galley.news("rag", &["--profile", "test", "--json"]).exits(1);
    told.says(&[&url, "refused", "check that the server runs", "profile `test`"]);
    assert_eq!(told.result()["error"]["code"], "network");
    let retries = told.lines().iter().filter(|line| line["fact"]["kind"] == "request_failed").count();
    assert_eq!(retries, 4);
}
