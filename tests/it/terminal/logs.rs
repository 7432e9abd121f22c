//! What the program logs of its work: nothing unless asked, and never a key or a whole text.

use super::galley::{Galley, KEY_VARIABLE, news_server};

const KEY: &str = "sk-only-for-this-log-0123456789";

#[test]
fn a_log_tells_stages_answers_and_decisions_where_it_is_asked_to_and_holds_no_key() {
    let server = news_server(testkit::NewsModel::default());
    server.be_lenient();
    let mut galley = Galley::new();
    galley.environment.push((KEY_VARIABLE, KEY.to_owned()));
    galley.add_profile(&server.base_url);
    let file = galley.data().join("galley.log");
    let quiet = galley.news("retrieval-augmented generation", &["--profile", "test"]).ok();
    assert!(!quiet.err.contains("stage started") && !file.exists(), "{}", quiet.err);

    galley.run(["config", "set", "log.level", "debug"]).ok();
    galley.environment.push(("RUST_LOG", "engine=info".to_owned()));
    let told = galley.news("retrieval-augmented generation", &["--profile", "test"]).ok();
    let logged = std::fs::read_to_string(&file).unwrap();
    for log in [&told.err, &logged] {
        for part in [
            "stage{agent=\"ai_news_writer\"",
            "stage started",
            "took_ms=",
            "effect answered",
            "input_tokens",
            "decision",
            "found",
        ] {
            assert!(log.contains(part), "no `{part}` in {log}");
        }
        assert!(!log.contains(KEY), "{log}");
    }
    let payloads = logged.lines().filter(|line| line.contains("effect asked")).count();
    assert!(payloads > 2 && !told.err.contains("effect asked"), "payloads are for `debug`");
    assert!(logged.lines().all(|line| line.len() < 1500), "no line holds a whole prompt");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_level_that_there_is_not_is_refused_with_what_there_is() {
    let galley = Galley::new();
    let told = galley.run(["config", "set", "log.level", "loud"]).exits(2);
    assert!(told.err.contains("`loud`") && told.err.contains("debug"), "{}", told.err);
}
