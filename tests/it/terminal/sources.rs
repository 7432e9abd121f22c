//! AI News with the built-in profile, from the command to the post, over each source; and again without any network.

use testkit::{Canned, Dialect, Model, ModelServer, NewsModel, SearchServices, ServerOptions};

use super::galley::{Galley, Told};
use crate::sources::{TOPIC, opml, services};

/// A place whose services are these.
fn galley(services: &SearchServices) -> Galley {
    let mut galley = Galley::new();
    let names = [
        "tavily",
        "brave",
        "searxng",
        "google-cse",
        "gemini",
        "hacker-news",
        "hacker-news-front-page",
        "arxiv",
        "wikipedia",
    ];
    let mut settings = vec![("net.allow".to_owned(), services.base_url.clone())];
    for name in names {
        settings.push((format!("services.{name}.base_url"), services.base(name)));
    }
    for (name, key) in [
        ("tavily", "tvly-fake-0000"),
        ("brave", "BSA-fake-0000"),
        ("google-cse", "AIza-fake-0000"),
        ("gemini", "AIza-fake-0001"),
    ] {
        let variable: &'static str = match name {
            "tavily" => "TEST_TAVILY_KEY",
            "brave" => "TEST_BRAVE_KEY",
            "google-cse" => "TEST_CSE_KEY",
            _ => "TEST_GEMINI_KEY",
        };
        galley.environment.push((variable, key.to_owned()));
        settings.push((format!("services.{name}.key_env"), variable.to_owned()));
    }
    settings.push(("services.google-cse.engine".to_owned(), "engine-1".to_owned()));
    for (key, value) in settings {
        galley.run(["config", "set", &key, &value]).ok();
    }
    std::fs::write(galley.data().join("feeds.opml"), opml(&[&services.base("feed")])).unwrap();
    galley
}

fn run(galley: &Galley, source: &str) -> Told {
    run_with(galley, source, "built-in")
}

fn run_with(galley: &Galley, source: &str, profile: &str) -> Told {
    let topic = format!("user_topic={TOPIC}");
    galley.run([
        "run",
        "ai-news",
        "--input",
        &topic,
        "--profile",
        profile,
        "--json",
        "--as-of",
        "2026-07-01",
        "--source",
        source,
    ])
}

#[test]
fn ai_news_runs_to_its_post_over_every_source_and_its_replay_needs_no_network() {
    let services = services();
    let galley = galley(&services);
    let mut runs = Vec::new();
    for source in ["open-news", "tavily", "gemini", "brave", "searxng", "google-cse"] {
        let told = run(&galley, source).ok();
        let result = told.result();
        assert_eq!(result["outcome"], "finished", "{source}: {result}");
        let post = result["output"].as_str().unwrap().to_owned();
        let journal = galley.run(["show", "last", "--journal"]).ok().out;
        assert!(
            (1..=5).filter(|number| post.contains(&format!("[{number}]"))).count() >= 2,
            "{source}: {post}\n{journal}\n{}",
            result["state"]
        );
        let articles = result["state"]["search_results"]["articles"].as_array().unwrap().clone();
        assert!(articles.len() >= 4, "{source}");
        for article in &articles {
            let day = article["published"].as_str().unwrap();
            assert!(("2026-06-01"..="2026-07-01").contains(&day), "{article}");
        }
        let shown = result["state"]["search_results"]["attributions"].to_string();
        assert_eq!(shown.contains("<div class"), source == "gemini", "{source}: {shown}");
        runs.push(result["run"].as_str().unwrap().to_owned());
    }
    // From here on nobody answers.
    drop(services);
    for id in &runs {
        // A replay that would ask anybody, or end otherwise, does not exit with success.
        galley.run(["replay", id]).ok();
    }
}

#[test]
fn one_part_down_does_not_fail_the_search_and_the_journal_names_it() {
    let services = services();
    services.set("hacker-news", Canned::of(500, "text/plain", "oops"));
    services.set("hacker-news-front-page", Canned::of(500, "text/plain", "oops"));
    let galley = galley(&services);
    let told = run(&galley, "open-news").ok();
    assert!(told.result()["output"].as_str().unwrap().contains("[1]"));
    let journal = galley.run(["show", "last", "--journal"]).ok().out;
    assert!(journal.contains("Hacker News gave nothing"), "{journal}");
}

#[test]
fn with_auto_and_nothing_within_reach_the_library_is_searched_and_the_journal_says_so() {
    let galley = Galley::new();
    let told = run(&galley, "auto").ok();
    let result = told.result();
    assert!(result["output"].as_str().unwrap().contains("[1]"), "{result}");
    let urls: Vec<&str> = result["state"]["search_results"]["articles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|article| article["url"].as_str().unwrap())
        .collect();
    assert!(urls.iter().all(|url| url.starts_with("https://arxiv.org/abs/26")), "{urls:?}");
    let journal = galley.run(["show", "last", "--journal"]).ok().out;
    assert!(journal.contains("so the library was"), "{journal}");
    let told =
        galley.run(["run", "ai-news", "--input", "user_topic=porcelain", "--source", "auto", "--json"]).ok();
    let remark = told.result()["state"]["final_remark"].as_str().unwrap().to_owned();
    assert!(remark.starts_with("The web could not be searched, so the library was. "), "{remark}");
}

#[test]
fn no_key_of_a_service_is_anywhere_in_the_data_folder() {
    let services = services();
    let galley = galley(&services);
    for source in ["tavily", "gemini", "google-cse"] {
        run(&galley, source).ok();
    }
    let mut folders = vec![galley.data()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
                continue;
            }
            let bytes = std::fs::read(entry.path()).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains("fake-000"), "{}", entry.path().display());
        }
    }
}

#[test]
fn a_source_that_is_not_set_up_fails_with_the_next_step_and_the_post_says_nothing_was_found() {
    let galley = Galley::new();
    let told = run(&galley, "searxng");
    let result = told.result();
    assert_eq!(result["output"], "No recent AI news found on this topic.");
    let journal = galley.run(["show", "last", "--journal"]).ok().out;
    assert!(journal.contains("services.searxng.base_url"), "{journal}");
}

#[test]
fn the_models_of_every_provider_write_the_news_of_the_open_web_and_of_grounding() {
    let services = services();
    let mut galley = galley(&services);
    galley.environment.push(("TEST_MODEL_KEY", "sk-fake-0002".to_owned()));
    let providers = [
        (Dialect::Gemini, "gemini"),
        (Dialect::OpenAi, "openai"),
        (Dialect::Anthropic, "anthropic"),
        (Dialect::Ollama, "ollama"),
    ];
    for (dialect, provider) in providers {
        let options = ServerOptions { dialect, key: Some("sk-fake-0002".into()), ..ServerOptions::default() };
        let server = ModelServer::start(options, Model::News(NewsModel::default())).unwrap();
        let add = ["profile", "add", provider, "--provider", provider, "--base-url", &server.base_url];
        galley.run(add.into_iter().chain(["--model", "test-model", "--key-env", "TEST_MODEL_KEY"])).ok();
        for source in ["open-news", "gemini"] {
            let result = run_with(&galley, source, provider).ok().result();
            assert_eq!(result["outcome"], "finished", "{provider} over {source}: {result}");
            let calls = if source == "gemini" { 4 } else { 3 };
            assert_eq!(result["usage"]["calls"], calls, "{provider} over {source}");
            let post = result["output"].as_str().unwrap();
            assert!(post.contains("[1]"), "{provider} over {source}: {post}");
        }
        assert!(server.requests().iter().all(|request| request.is_stream()), "{provider}: streamed");
        galley.run(["replay", "last"]).ok();
    }
}

#[test]
fn a_service_is_asked_where_its_profile_says_and_a_key_that_it_echoes_is_covered() {
    const KEY: &str = "tvly-echoed-4711-0815";
    let services = services();
    let day = "2026-06-20";
    let hits: Vec<_> = (1..=3)
        .map(|number| {
            serde_json::json!({
                "title": format!("Retrieval-augmented generation {number} for {KEY}"),
                "url": format!("https://news.example/{number}"),
                "content": format!("Retrieval-augmented generation number {number}, as {KEY} asked. It finds passages."),
                "published_date": day, "score": 0.9
            })
        })
        .collect();
    services.set("tavily", Canned::json(200, &serde_json::json!({"results": hits})));
    let mut galley = Galley::new();
    galley.environment.push(("TEST_TAVILY_KEY", KEY.to_owned()));
    let base = services.base("tavily");
    galley
        .run([
            "profile",
            "add",
            "tv",
            "--provider",
            "tavily",
            "--base-url",
            &base,
            "--key-env",
            "TEST_TAVILY_KEY",
        ])
        .ok();
    let told = run(&galley, "tavily").ok();
    assert!(told.result()["state"].to_string().contains("[key]"), "{}", told.result());
    assert!(!told.out.contains(KEY));
    for format in ["json", "md"] {
        let exported = galley.run(["export", "last", "--format", format]).ok().out;
        assert!(!exported.contains(KEY), "{exported}");
    }
    let stored = std::fs::read(galley.data().join("galley.sqlite3")).unwrap();
    let log = std::fs::read(galley.data().join("galley.sqlite3-wal")).unwrap_or_default();
    for bytes in [stored, log] {
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()));
    }
}
