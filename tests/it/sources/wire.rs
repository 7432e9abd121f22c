//! Each source asks as its service wants to be asked, and understands what it answers.

use serde_json::{Value, json};
use testkit::{Canned, SearchServices};

use super::{Searcher, TOPIC, recording, services};

/// The text of an article, told from the start of it.
fn is_whole(text: &str) -> bool {
    text.chars().count() > 280
}

#[test]
fn every_source_finds_the_articles_with_title_day_address_and_a_text_to_write_from() {
    let services = services();
    let searcher = Searcher::of(&services);
    let articles = testkit::sample_articles("rag", 5);
    for source in ["brave", "gemini", "google-cse", "searxng", "tavily", "open-news", "auto"] {
        let found = searcher.search(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert!(found.hits.len() >= 4, "{source}: {found:?}");
        for hit in &found.hits {
            let known = articles.iter().find(|article| article.title == hit.title);
            let known = known.unwrap_or_else(|| panic!("{source}: {hit:?}"));
            assert_eq!(hit.published, known.day, "{source}");
            assert!(is_whole(&hit.text), "{source}: {}", hit.text);
            assert!(
                hit.url.starts_with(&services.base("page")) || hit.url.starts_with("https://arxiv.org/abs/")
            );
            assert!(!hit.source.is_empty());
        }
        let urls: std::collections::BTreeSet<&str> = found.hits.iter().map(|hit| hit.url.as_str()).collect();
        assert_eq!(urls.len(), found.hits.len(), "{source}: one article, once");
    }
    let told = services.asked("gemini")[0].body["contents"][0]["parts"][0]["text"].to_string();
    assert!(told.contains(TOPIC) && told.contains("2026-06-01 to 2026-07-01"), "{told}");
    let filters = services.asked("hacker-news")[0].parameter("numericFilters").unwrap().to_owned();
    assert_eq!(filters, "created_at_i>=1780272000,created_at_i<1782950400");
}

#[test]
fn grounding_follows_its_links_and_keeps_what_google_wants_shown() {
    let services = services();
    let found = Searcher::of(&services).search("gemini").unwrap();
    let [attribution] = found.attributions.as_slice() else { panic!("{found:?}") };
    assert!(attribution.html.contains("<div class=\"container\">"));
    assert_eq!(attribution.queries, ["a query"]);
    assert_eq!(attribution.usage["totalTokenCount"], 249);
    for link in &attribution.links {
        assert!(link.link.contains("/grounding-api-redirect/") && link.url.contains("/page/"), "{link:?}");
    }
    assert!(found.hits.iter().all(|hit| !hit.url.contains("redirect") && hit.source == "404media.co"));
    let page = &services.asked("page")[0];
    assert_eq!(page.header("x-goog-api-key"), "", "the key stays with its service");
}

#[test]
fn a_page_that_cannot_be_read_leaves_what_the_service_said_of_it_and_undated_ones_are_left_out() {
    let services = services();
    services.set("page/0", Canned::of(403, "text/html", "<h1>No robots</h1>"));
    services.set("page/1", Canned::of(200, "application/zip", "PK"));
    services
        .set("page/2", Canned::of(302, "text/html", "").with("location", "http://169.254.169.254/latest/"));
    let searcher = Searcher::of(&services);
    let dated = searcher.search("tavily").unwrap();
    assert_eq!(dated.hits.len(), 5);
    assert_eq!(dated.hits.iter().filter(|hit| !is_whole(&hit.text)).count(), 3);
    assert!(
        dated.notes.iter().any(|note| note.english().starts_with("3 pages could not be read")),
        "{:?}",
        dated.notes
    );
    let undated = searcher.search("google-cse").unwrap();
    assert_eq!(undated.hits.len(), 2, "{undated:?}");
    assert!(
        undated.notes.iter().any(|note| note.english().contains("3 results were left out")),
        "{:?}",
        undated.notes
    );
}

#[test]
fn dates_decide_what_is_recent_and_the_day_of_a_page_counts_more_than_the_day_it_was_mentioned() {
    let services = services();
    let old = "<html><head><title>Retrieval-augmented generation, as it began</title><meta property='article:published_time' content='2020-05-22'></head><body><p>Retrieval-augmented generation was new then.</p></body></html>";
    services.set("page/99", Canned::of(200, "text/html", old));
    services.set("hacker-news", Canned::json(200, &json!({"hits": [
        {"objectID": "1", "title": "Retrieval-augmented generation (2020)", "url": "{{BASE}}/page/99", "created_at_i": 1_781_000_000},
        {"objectID": "2", "title": "Ask HN: retrieval-augmented generation at work?", "story_text": "We do &quot;retrieval-augmented generation&quot;.<p>And you?", "created_at": "2026-06-09T10:13:20Z"},
        {"objectID": "3", "title": "Retrieval-augmented generation, older", "url": "{{BASE}}/page/0", "created_at_i": 1_700_000_000},
    ]})));
    services.set("arxiv", Canned::recorded("arxiv/empty.xml"));
    let searcher = Searcher::of(&services);
    searcher.feeds(&[]);
    let found = searcher.search("open-news").unwrap();
    let [hit] = found.hits.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        (hit.url.as_str(), hit.source.as_str(), hit.published.as_str()),
        ("https://news.ycombinator.com/item?id=2", "Hacker News", "2026-06-09")
    );
    assert_eq!(hit.text, "We do \"retrieval-augmented generation\".\n\nAnd you?");
}

#[test]
fn one_part_that_is_down_is_named_and_the_others_answer() {
    let parts = [
        ("hacker-news", "Hacker News gave nothing"),
        ("arxiv", "arXiv gave nothing"),
        ("feed", "The feeds gave nothing"),
    ];
    for (down, words) in parts {
        let services = services();
        services.set(down, Canned::of(503, "text/html", "<h1>Busy</h1>"));
        services.set("hacker-news-front-page", Canned::of(500, "text/plain", ""));
        let found = Searcher::of(&services).search("open-news").unwrap();
        assert!(found.hits.len() >= 4, "{down}: {found:?}");
        assert!(
            found.notes.iter().any(|note| note.english().starts_with(words)),
            "{down}: {:?}",
            found.notes
        );
    }
}

#[test]
fn the_front_page_stands_in_for_the_search_of_hacker_news_and_is_named() {
    let services = services();
    services.set("hacker-news", Canned::of(503, "text/plain", "busy"));
    services.set("arxiv", Canned::recorded("arxiv/empty.xml"));
    services.set("hacker-news-front-page/v0/item/1.json", Canned::recorded("hn-firebase/doc-comment-1.json"));
    let searcher = Searcher::of(&services);
    searcher.feeds(&[]);
    let found = searcher.search("open-news").unwrap();
    assert!(found.hits.len() >= 2 && found.notes[0].english().contains("only its front page"), "{found:?}");
}

#[test]
fn when_no_part_answers_open_news_fails_with_every_reason_and_auto_turns_to_the_library_and_says_so() {
    let nobody = SearchServices::knowing(Vec::new());
    for place in ["hacker-news", "hacker-news-front-page", "arxiv", "feed"] {
        nobody.set(place, Canned::of(502, "text/html", "<h1>Bad Gateway</h1>"));
    }
    let searcher = Searcher::of(&nobody);
    let error = searcher.search("open-news").unwrap_err();
    for part in ["Hacker News", "arXiv", "The feeds", "502"] {
        assert!(error.message.contains(part), "{part}: {}", error.message);
    }
    let found = searcher.search("auto").unwrap();
    assert_eq!((found.searched.as_str(), found.hits.len()), ("library", 1));
    assert!(found.notes[0].english().contains("could not be searched, so the library was"));
}

#[test]
fn wikipedia_is_asked_only_when_it_is_switched_on() {
    let services = services();
    let mut searcher = Searcher::of(&services);
    searcher.search("open-news").unwrap();
    assert!(services.asked("wikipedia").is_empty());
    searcher.set_up.enabled.push("wikipedia");
    services.set("hacker-news", Canned::json(200, &json!({"hits": []})));
    services.set("arxiv", Canned::recorded("arxiv/empty.xml"));
    searcher.feeds(&[]);
    let found = searcher.search("open-news").unwrap();
    assert!(!services.asked("wikipedia").is_empty());
    assert!(found.hits.iter().any(|hit| hit.url.contains("/wikipedia/wiki/")), "{found:?}");
    assert!(found.attributions.iter().any(|attribution| attribution.text.contains("CC BY-SA")));
}

#[test]
fn without_a_key_tavily_is_asked_in_its_keyless_mode_and_brave_says_where_to_get_one() {
    let services = services();
    let mut searcher = Searcher::of(&services);
    searcher.set_up.keys.clear();
    assert_eq!(searcher.search("tavily").unwrap().hits.len(), 5);
    assert_eq!(services.asked("tavily")[0].header("x-tavily-access-mode"), "keyless");
    for (source, page) in [
        ("brave", "search.brave.com"),
        ("google-cse", "developers.google.com"),
        ("gemini", "aistudio.google.com"),
    ] {
        let error = searcher.search(source).unwrap_err();
        assert_eq!(error.code, kernel::Code::KeyUnavailable);
        assert!(
            error.message.contains(page) && error.message.contains(&format!("services.{source}.key_env")),
            "{error}"
        );
        assert!(services.asked(source).is_empty());
    }
}

#[test]
fn recorded_answers_are_understood() {
    let services = services();
    let searcher = Searcher::of(&services);
    let table = [
        ("brave", "brave", "brave/news-hello-world.json", "2024-12-01", "2025-01-01", 5),
        ("tavily", "tavily", "tavily/basic.json", "2026-06-01", "2026-07-01", 0),
        ("tavily", "tavily", "tavily/include-domains.json", "2026-06-01", "2026-07-01", 0),
        (
            "gemini",
            "gemini",
            "gemini-grounding/google-search-grounding.2.json",
            "2026-06-01",
            "2026-07-01",
            0,
        ),
    ];
    for (source, place, name, from, until, least) in table {
        services.set(place, Canned::recorded(name));
        let found = searcher.search_for(source, "hello world", from, until).unwrap();
        assert!(found.hits.len() >= least, "{name}: {found:?}");
        for hit in &found.hits {
            assert!(!hit.title.contains(['<', '&']) && !hit.text.contains("<strong>"), "{hit:?}");
            assert!((from..=until).contains(&hit.published.as_str()), "{hit:?}");
        }
        let is_told =
            found.hits.len() >= 5 || found.notes.iter().any(|note| note.english().contains("left out"));
        assert!(is_told, "{name}: {:?}", found.notes);
    }
}

#[test]
fn recorded_feeds_of_every_make_are_read_and_broken_ones_are_named() {
    let services = services();
    services.set("hacker-news", Canned::json(200, &json!({"hits": []})));
    services.set("arxiv", Canned::of(200, "application/atom+xml", recording("arxiv/search-10.json")));
    let arxiv: Value = serde_json::from_slice(&recording("arxiv/search-10.json")).unwrap();
    let body = arxiv["response"]["body_text"].as_str().or(arxiv["response"]["body"].as_str()).unwrap();
    services.set("arxiv", Canned::of(200, "application/atom+xml", body));
    let names = [
        "feed_anthropic_news.xml",
        "feed_google_ai.xml",
        "feed_mistral.xml",
        "feed_the_batch.xml",
        "feedparser-rss10.rdf",
        "illformed-aaa_illformed.xml",
    ];
    let mut addresses = Vec::new();
    for name in names {
        services.set(
            &format!("feed/{name}"),
            Canned::of(200, "application/xml", recording(&format!("rss/{name}"))),
        );
        addresses.push(format!("{}/feed/{name}", services.base_url));
    }
    let searcher = Searcher::of(&services);
    searcher.feeds(&addresses.iter().map(String::as_str).collect::<Vec<_>>());
    let found = searcher.search_for("open-news", "Claude", "2020-01-01", "2026-12-31").unwrap();
    assert!(found.hits.iter().any(|hit| hit.source == "feed_anthropic_news.xml"), "{found:?}");
    assert!(
        found.notes.iter().any(|note| note.english().starts_with("The feed illformed-aaa")),
        "{:?}",
        found.notes
    );
    let found = searcher.search_for("open-news", "testing", "2000-01-01", "2026-12-31").unwrap();
    let paper = found.hits.iter().find(|hit| hit.source == "arXiv").unwrap();
    assert!(paper.url.starts_with("https://arxiv.org/abs/") && !paper.title.contains('\n'), "{paper:?}");
    assert!(found.attributions[0].text.contains("arXiv"));
}

/// Each folder of recordings, the place that plays it, and the source that asks there.
const RECORDED: [(&str, &str, &str); 8] = [
    ("arxiv", "arxiv", "open-news"),
    ("brave", "brave", "brave"),
    ("gemini-grounding", "gemini", "gemini"),
    ("hn-algolia", "hacker-news", "open-news"),
    ("hn-firebase", "hacker-news-front-page/v0/item/0.json", "open-news"),
    ("rss", "feed", "open-news"),
    ("tavily", "tavily", "tavily"),
    ("wikipedia", "wikipedia", "open-news"),
];

#[test]
fn every_recording_is_understood_or_refused_in_words_also_one_that_is_put_into_its_folder_tomorrow() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/contracts");
    let mut played = 0;
    for (folder, place, source) in RECORDED {
        for file in std::fs::read_dir(root.join(folder)).unwrap().map(|file| file.unwrap().file_name()) {
            let name = file.to_str().unwrap().to_owned();
            if name == "SOURCES.md" {
                continue;
            }
            let services = services();
            services.set(place, Canned::recorded(&format!("{folder}/{name}")));
            if folder == "hn-firebase" {
                services.set("hacker-news", Canned::of(503, "text/plain", ""));
            }
            let mut searcher = Searcher::of(&services);
            searcher.set_up.enabled.push("wikipedia");
            match searcher.search_for(source, "testing", "2000-01-01", "2026-12-31") {
                Ok(found) => assert!(
                    found.hits.iter().all(|hit| !hit.title.is_empty() && hit.url.starts_with("http")),
                    "{folder}/{name}: {found:?}"
                ),
                Err(error) => assert!(
                    error.code != kernel::Code::Internal && error.message.contains(' '),
                    "{folder}/{name}: {error:?}"
                ),
            }
            played += 1;
        }
    }
    assert!(played >= 25, "{played}");
}
