//! Profiles, settings, the doctor, completions.

use testkit::{ModelServer, NewsModel};

use super::galley::{Galley, KEY_VARIABLE, news_server};

#[test]
fn profiles_are_kept_tried_listed_and_removed_and_hold_no_key() {
    let server: ModelServer = news_server(NewsModel::default());
    server.require_key("sk-0123456789abcdef");
    let mut galley = Galley::new();
    galley.environment.push((KEY_VARIABLE, "sk-0123456789abcdef".to_owned()));
    galley.add_profile(&server.base_url);
    galley.run(["profile", "test", "test"]).ok();
    let listed = galley.run(["profile", "list"]).ok().out;
    let row = listed.lines().nth(2).unwrap();
    for cell in ["test ", "openai-compatible", &server.base_url, "$GALLEY_TEST_KEY", "default=news-1"] {
        assert!(row.contains(cell), "{cell}: {row}");
    }
    let whole = galley.run(["doctor"]).ok().out;
    assert!(
        whole.contains("✓ Providers: built-in, anthropic, gemini, ollama, openai, openai-compatible")
            && !whole.contains('✗'),
        "{whole}"
    );

    let models = galley.run(["models", "test"]).ok().out;
    assert!(models.contains("NAME") && models.contains("news-1"), "{models}");

    // A default profile, one of the built-in provider under a name of its own, one without its key.
    galley.run(["config", "set", "default_profile", "test"]).ok();
    assert_eq!(galley.news("rag", &["--json"]).ok().result()["usage"]["calls"], 3);
    galley
        .run(["profile", "remove", "test"])
        .exits(2)
        .says(&["`test` is still named by `default_profile`", "name another"]);
    galley.run(["profile", "add", "plain", "--provider", "built-in"]).ok();
    galley.run(["config", "set", "default_profile", "plain"]).ok();
    assert_eq!(galley.news("rag", &["--json"]).ok().result()["usage"]["calls"], 0);
    galley.run(["replay", "last"]).ok();
    // One of a service, which is searched and asked for no text.
    galley.run(["profile", "add", "hits", "--provider", "tavily", "--no-key"]).ok();
    for setting in
        ["default_profile", "pipelines.ai-news.profile", "pipelines.ai-news.agents.ai_news_writer.profile"]
    {
        galley.run(["config", "set", setting, "hits"]).exits(2).says(&["`hits` is of `tavily`", "no models"]);
        galley.run(["config", "set", setting, "nobody"]).exits(2).says(&["profile `nobody`", "plain"]);
    }
    galley.news("rag", &["--profile", "hits"]).exits(2).says(&["`hits` is of `tavily`", "no models"]);
    galley.environment.pop();
    let ill = galley.run(["doctor"]).exits(1).out;
    assert!(
        ill.contains("✗ Profile test")
            && ill.contains(KEY_VARIABLE)
            && ill.contains("galley profile add test"),
        "{ill}"
    );
    galley.run(["profile", "test", "test"]).exits(1).says(&["`test`", KEY_VARIABLE, "set it and try again"]);
    std::fs::write(galley.data().join("prices.toml"), "[[price]]\nprovider = 1\n").unwrap();
    let ill = galley.run(["doctor"]).exits(1).out;
    assert!(ill.contains("✗ Prices") && ill.contains("prices.toml") && ill.contains("line 2"), "{ill}");
    std::fs::remove_file(galley.data().join("prices.toml")).unwrap();
    galley.run(["profile", "remove", "test"]).ok();
    assert!(!galley.run(["profile", "list"]).ok().out.contains("openai-compatible"));
    // A service that is searched is asked at an address of the web too, and nothing secret stands in it.
    for (address, words) in [
        ("ftp://x", "no address of the web"),
        ("https://x/?key=abc", "keep it out of the address"),
        ("https://x/?k=abc", "keep it out of the address"),
        ("https://x/?abc", "keep it out of the address"),
        ("https://abc@x/", "keep it out of the address"),
        ("https://x/#abc", "keep it out of the address"),
    ] {
        let found = ["profile", "add", "found", "--provider", "searxng", "--no-key", "--base-url", address];
        galley.run(found).exits(2).says(&[words]);
    }
    let settings = std::fs::read_to_string(galley.data().join("settings.toml")).unwrap();
    assert!(!settings.contains("found"), "{settings}");
}

#[test]
fn settings_are_read_and_set_and_set_back() {
    let galley = Galley::new();
    let get = |key: &str| galley.run(["config", "get", key]).ok().out;
    for (key, default, other) in [
        ("default_source", "auto", "library"),
        ("pipelines.ai-news.agents.ai_news_writer.instruction", "", "Write\nplainly."),
        ("net.allow", "", "http://127.0.0.1:8888"),
        ("net.browser", "true", "false"),
        ("services.searxng.base_url", "", "http://127.0.0.1:8888/search"),
    ] {
        assert_eq!(get(key).trim_end(), default);
        galley.run(["config", "set", key, other]).ok();
        assert_eq!(get(key).trim_end(), other);
        galley.run(["config", "set", key, ""]).ok();
        assert_eq!(get(key).trim_end(), default);
    }
    // A secret in an address would stand in a file.
    for (key, address) in [
        ("services.tavily.base_url", "http://me:pasted-by-mistake@127.0.0.1:1"),
        ("services.tavily.base_url", "http://127.0.0.1:1/?api_key=pasted-by-mistake"),
        ("services.tavily.base_url", "http://127.0.0.1:1/?access=pasted-by-mistake"),
        ("updates.address", "http://127.0.0.1:1/?q=pasted-by-mistake"),
        ("net.allow", "http://127.0.0.1:2, http://me:pasted-by-mistake@127.0.0.1:1"),
    ] {
        let told = galley.run(["config", "set", key, address]);
        assert_eq!(told.code, Some(2), "{told:?}");
        assert!(told.err.contains("carries a name") && !told.err.contains("pasted-by-mistake"), "{told:?}");
        assert_eq!(get(key).trim_end(), "");
    }
}

#[test]
fn a_key_typed_where_a_variable_is_named_is_refused_and_neither_repeated_nor_kept() {
    let mut galley = Galley::new();
    galley.environment.push((KEY_VARIABLE, "sk-0123456789abcdef".to_owned()));
    let keys = [
        "AIzaSyA0123456789abcdefghijklmnopqrstuv",
        "BSA0123456789abcdefghij",
        "sk-proj-0123456789abcdef",
        "0123456789abcdef0123456789abcdef",
        "AKIA0123456789EXAMPLE",
        "GALLEY_TEST_NOT_SET",
    ];
    for key in keys {
        let profile = ["profile", "add", "mine", "--provider", "gemini", "--key-env", key];
        for told in [galley.run(profile), galley.run(["config", "set", "services.brave.key_env", key])] {
            let told = told.exits(2);
            told.says(&["give the variable's name, never the key"]);
            assert!(!told.err.contains(key) && !told.out.contains(key), "{told:?}");
        }
        let settings = std::fs::read_to_string(galley.data().join("settings.toml")).unwrap_or_default();
        assert!(!settings.contains(key), "{settings}");
    }
    // A name that is set is taken, and stays while the variable is gone.
    let here = ["--base-url", "http://127.0.0.1:1"];
    let profile =
        ["profile", "add", "mine", "--provider", "gemini", "--key-env", KEY_VARIABLE, here[0], here[1]];
    galley.run(profile).ok();
    galley.run(["config", "set", "services.brave.key_env", KEY_VARIABLE]).ok();
    galley.environment.pop();
    galley.run(profile.iter().chain(&["--limit", "max_llm_calls=3"])).ok();
    galley.run(["config", "set", "services.brave.key_env", KEY_VARIABLE]).ok();
}

#[test]
fn completions_and_help_need_no_data_folder_and_name_every_command() {
    let galley = Galley::new();
    let commands = [
        "pipelines",
        "run",
        "runs",
        "show",
        "replay",
        "resume",
        "answer",
        "fork",
        "again",
        "rewrite",
        "instructions",
        "export",
        "library",
        "profile",
        "config",
        "doctor",
        "completions",
    ];
    for words in
        [&["completions", "bash"][..], &["completions", "zsh"], &["completions", "fish"], &["--help"]]
    {
        let told = galley.run(words).ok();
        assert!(commands.iter().all(|command| told.out.contains(command)), "{words:?}");
    }
    assert!(galley.run(["--version"]).ok().out.starts_with("galley "));
    assert!(!galley.data().exists());
}
