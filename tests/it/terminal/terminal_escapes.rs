//! What steers a terminal never reaches one, whoever wrote it.

use std::process::Command;

use testkit::Reply;

use super::galley::{Galley, program, server};

/// Clears the screen, changes its title, goes back, beeps, begins a command of eight bits, turns letters around.
const HOSTILE: &str =
    "be\u{1b}[2Jgin\u{1b}]0;x\u{7}\r\u{8}\u{9b}31m\u{7f}\u{90}\u{202e}txet\u{2066}\u{200f}end";

fn refuse_steering(text: &str, of: &str) {
    // A terminal ends lines with both.
    let found = text.replace("\r\n", "\n").chars().find(|c| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    });
    assert!(found.is_none(), "{of}: {found:?} in {text:?}");
}

/// Runs a command in a terminal of its own and gives what was written there.
fn in_terminal(galley: &Galley, words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let line = format!("'{}' {}", program().display(), quoted.join(" "));
    let mut command: Command = galley.command("script".as_ref());
    let told = command.args(["-q", "-e", "-E", "never", "-c", &line, "/dev/null"]).output().unwrap();
    String::from_utf8(told.stdout).unwrap()
}

#[test]
fn an_error_notes_settings_and_faulty_arguments_are_written_without_what_steers() {
    let server = server(|_| Reply::Text(HOSTILE.to_owned()));
    let galley = Galley::asking(&server);
    let toml = std::fs::read_to_string(galley.data().join("settings.toml")).unwrap();
    let hostile = serde_json::to_string(HOSTILE).unwrap().replace('\u{7f}', "\\u007f");
    let more = format!(
        "\n[profiles.\"evil\\u001b[2J\\u202e\"]\nprovider = {hostile}\nbase_url = {hostile}\n[pipelines.ai-news.agents.ai_news_writer]\ninstruction = {hostile}\n"
    );
    std::fs::write(galley.data().join("settings.toml"), toml + &more).unwrap();
    let page = galley.file("evil\u{1b}[2J\u{202e}.md", "");
    for words in [
        &[
            "run",
            "ai-news",
            "--profile",
            "test",
            "--input",
            "user_topic=rag",
            "--source",
            "library",
            "--as-of",
            "2026-07-01",
        ][..],
        &["profile", "list"],
        &["profile", "test", HOSTILE],
        &["doctor"],
        &["library", "import", &page],
        &["show", HOSTILE],
        &["run", "ai-news", HOSTILE],
        &[HOSTILE],
        &["runs", &format!("--{HOSTILE}")],
        &["config", "get", HOSTILE],
        &["runs", "--json"],
        &["show", "last", "--events", "--json"],
    ] {
        let told = galley.run(words);
        refuse_steering(&told.out, &format!("standard output of {words:?}"));
        refuse_steering(&told.err, &format!("standard error of {words:?}"));
    }
    for words in [
        &["config", "get", "pipelines.ai-news.agents.ai_news_writer.instruction"][..],
        &["export", "last", "--format", "md"],
        &["export", "last", "--format", "json"],
        &["show", "last", "--key", "user_topic"],
        &["show", "last", "--journal"],
        &["show", "last", "--state"],
        &["profile", "list"],
        &["show", HOSTILE],
    ] {
        let told = in_terminal(&galley, words);
        assert!(!told.trim().is_empty(), "{words:?}");
        refuse_steering(&told, &format!("the terminal of {words:?}"));
    }
    // A file gets a text as it is.
    let told = galley.run(["config", "get", "pipelines.ai-news.agents.ai_news_writer.instruction"]).ok();
    assert_eq!(told.out.trim_end_matches('\n'), HOSTILE);
}
