//! What services answer when they answer oddly: nothing found in each one's own way, fields of other types, refusals.

use kernel::Code;
use serde_json::{Value, json};
use testkit::{Canned, SearchServices};

use super::{Searcher, services};

fn json_of(body: Value) -> Canned {
    Canned::json(200, &body)
}

#[test]
fn nothing_found_is_an_empty_answer_in_each_services_own_way() {
    let table = [
        ("brave", json_of(json!({"type": "news", "query": {"original": "x"}}))),
        ("brave", json_of(json!({"type": "news", "results": []}))),
        ("tavily", json_of(json!({"results": [], "answer": null, "response_time": "0.5"}))),
        ("searxng", json_of(json!({"query": "x", "results": [], "unresponsive_engines": []}))),
        (
            "google-cse",
            json_of(json!({"kind": "customsearch#search", "searchInformation": {"totalResults": "0"}})),
        ),
        ("gemini", Canned::recorded("gemini-grounding/simple-text.json")),
        (
            "gemini",
            json_of(
                json!({"candidates": [{"content": {"role": "model"}, "finishReason": "STOP", "groundingMetadata": {}}]}),
            ),
        ),
    ];
    for (source, answer) in table {
        let services = services();
        services.set(source, answer);
        let found =
            Searcher::of(&services).search(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert!(found.hits.is_empty(), "{source}: {found:?}");
    }
    let nothing = SearchServices::knowing(Vec::new());
    nothing.set("arxiv", Canned::recorded("arxiv/empty.xml"));
    let found = Searcher::of(&nothing).search("open-news").unwrap();
    assert!(found.hits.is_empty() && found.notes.is_empty(), "{found:?}");
}

#[test]
fn fields_of_other_types_cost_their_hit_at_most() {
    let good = json!({"title": "Retrieval-augmented generation works", "url": "{{BASE}}/page/0"});
    let with = |more: Value| {
        let mut hit = good.clone();
        hit.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        hit
    };
    let odd = json!([
        7, null, "text", [], {},
        {"title": 5, "url": 6},
        {"title": "No address", "url": null},
        {"title": "No web", "url": "javascript:alert(1)", "published_date": "2026-06-03"},
        {"title": "", "url": "https://a.example.org/", "published_date": "2026-06-03"},
        with(json!({"published_date": {"day": 1}, "content": ["x"], "score": "high"})),
    ]);
    let services = services();
    services.set("tavily", json_of(json!({"results": odd})));
    let found = Searcher::of(&services).search("tavily").unwrap();
    assert_eq!(found.hits.len(), 1, "{found:?}");
    for wrong in [json!({"results": {"0": 1}}), json!({"results": "none"}), json!([]), json!(null), json!({})]
    {
        services.set("tavily", json_of(wrong.clone()));
        assert!(Searcher::of(&services).search("tavily").unwrap().hits.is_empty(), "{wrong}");
    }
    // One instance is known to send raw control characters inside its strings.
    let raw = "{\"results\":[{\"title\":\"Retrieval-augmented\tgeneration\u{1}\",\"url\":\"{{BASE}}/page/1\",\"content\":\"a\u{b}b\",\"publishedDate\":null}],\"unresponsive_engines\":[[\"a\",\"CAPTCHA\"],[1],\"x\"]}";
    services.set("searxng", Canned::of(200, "application/json", raw));
    let found = Searcher::of(&services).search("searxng").unwrap();
    assert_eq!(found.hits[0].title, "Retrieval-augmented generation");
    assert!(found.notes.iter().any(|note| note.english().contains("a: CAPTCHA")), "{:?}", found.notes);
}

#[test]
fn each_refusal_has_its_code_its_words_and_the_wait_it_asks_for() {
    let google = |code: u16, status: &str, details: Value| json!({"error": {"code": code, "message": "Quota exceeded for quota metric 'Queries'.", "status": status, "details": details}});
    let day = json!([{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]}]);
    let keyless = json!({"error": {"code": "keyless_limit", "message": "Too many keyless requests", "window": "minute", "retry_after_seconds": 41, "next_actions": []}});
    let detail = json!({"detail": {"error": "Unauthorized: missing or invalid API key."}});
    let brave = json!({"type": "ErrorResponse", "error": {"status": 429, "code": "RATE_LIMITED", "detail": "Request rate limit exceeded for plan."}});
    let html = || "<html><body><h1>Forbidden</h1></body></html>";
    let table: Vec<(&str, Canned, Code, Option<u64>, &str)> = vec![
        ("tavily", Canned::json(401, &detail), Code::KeyRefused, None, "invalid API key"),
        ("tavily", Canned::json(429, &keyless), Code::RateLimited, Some(41_000), "keyless"),
        (
            "tavily",
            Canned::json(432, &json!({"detail": {"error": "plan"}})),
            Code::QuotaExhausted,
            None,
            "plan",
        ),
        ("tavily", Canned::json(433, &json!({"detail": "pay"})), Code::QuotaExhausted, None, "pay"),
        (
            "tavily",
            Canned::json(400, &json!({"detail": {"error": "bad"}})),
            Code::RequestRefused,
            None,
            "bad",
        ),
        (
            "brave",
            Canned::json(429, &brave).with("retry-after", "1"),
            Code::RateLimited,
            Some(1_000),
            "rate limit",
        ),
        ("brave", Canned::json(403, &brave), Code::KeyRefused, None, "rate limit"),
        ("brave", Canned::of(504, "text/html", html()), Code::Timeout, None, "Forbidden"),
        ("searxng", Canned::of(403, "text/html", html()), Code::RequestRefused, None, "Forbidden"),
        (
            "searxng",
            Canned::of(429, "text/html", "<p>Too Many Requests"),
            Code::RateLimited,
            None,
            "Too Many",
        ),
        (
            "google-cse",
            Canned::json(429, &google(429, "RESOURCE_EXHAUSTED", json!([]))),
            Code::RateLimited,
            None,
            "Quota",
        ),
        (
            "google-cse",
            Canned::json(403, &google(403, "PERMISSION_DENIED", json!([]))),
            Code::KeyRefused,
            None,
            "Quota",
        ),
        (
            "gemini",
            Canned::recorded("gemini-grounding/error-400-invalid-key.json"),
            Code::KeyRefused,
            None,
            "API key",
        ),
        (
            "gemini",
            Canned::recorded("gemini-grounding/error-404-model-stream.json"),
            Code::RequestRefused,
            None,
            "not found",
        ),
        (
            "gemini",
            Canned::json(429, &json!([google(429, "RESOURCE_EXHAUSTED", day)])),
            Code::QuotaExhausted,
            None,
            "Quota",
        ),
        (
            "gemini",
            Canned::json(503, &google(503, "UNAVAILABLE", json!([{"retryDelay": "0.539477544s"}]))),
            Code::Overloaded,
            Some(540),
            "Quota",
        ),
        (
            "gemini",
            Canned::recorded("gemini-grounding/modelarmor-prompt-block.2.json"),
            Code::ContentRefused,
            None,
            "",
        ),
    ];
    for (source, answer, code, wait, words) in table {
        let services = services();
        let told = format!("{source} {} {}", answer.status, String::from_utf8_lossy(&answer.body));
        services.set(source, answer);
        let error = Searcher::of(&services).search(source).unwrap_err();
        assert_eq!((error.code, error.retry_after_ms), (code, wait), "{told}: {error:?}");
        let own_words = error.provider_words.clone().unwrap_or_default();
        assert!(own_words.contains(words), "{told}: {own_words}");
        assert!(error.message.contains("; ") || error.message.contains(": "), "{}", error.message);
    }
}

#[test]
fn a_key_that_a_service_repeats_is_in_no_word_of_the_error() {
    let services = services();
    let echo = json!({"detail": {"error": "The key tvly-fake-0000 is unknown"}});
    services.set("tavily", Canned::json(401, &echo));
    let error = Searcher::of(&services).search("tavily").unwrap_err();
    assert!(!format!("{error:?}").contains("fake-0000"), "{error:?}");
    let closed = testkit::closed_port_url();
    let mut searcher = Searcher::of(&services);
    searcher.set_up.base_url = closed.trim_end_matches("/v1").to_owned();
    let error = searcher.search("google-cse").unwrap_err();
    assert_eq!(error.code, Code::Network);
    assert!(!format!("{error:?}").contains("AIza"), "{error:?}");
}

#[test]
fn engines_that_are_all_silent_are_an_outage_and_errors_under_a_status_of_success_are_errors() {
    let services = services();
    services.set(
        "searxng",
        json_of(json!({"results": [], "unresponsive_engines": [["google", "Suspended: too many requests"]]})),
    );
    let error = Searcher::of(&services).search("searxng").unwrap_err();
    assert!(error.code == Code::Overloaded && error.message.contains("google: Suspended"), "{error}");
    services.set("searxng", Canned::of(200, "text/html", "<html>A page</html>"));
    assert_eq!(Searcher::of(&services).search("searxng").unwrap_err().code, Code::Overloaded);

    services.set("arxiv", Canned::recorded("arxiv/error-400-bad-id.xml"));
    let mut searcher = Searcher::of(&services);
    searcher.set_up.enabled.push("wikipedia");
    services.set("wikipedia", json_of(json!({"error": {"code": "maxlag", "info": "Waiting for a host"}})));
    let found = searcher.search("open-news").unwrap();
    for words in ["arXiv gave nothing: arXiv refused", "Wikipedia gave nothing"] {
        assert!(
            found.notes.iter().any(|note| note.english().starts_with(words)),
            "{words}: {:?}",
            found.notes
        );
    }
}

#[test]
fn an_error_or_something_foreign_under_a_status_of_success_is_an_error_with_its_words() {
    let error = json!({"error": {"code": 401, "message": "This key is no good"}});
    let foreign = json!({"welcome": "to the gateway", "version": 3});
    let detail = json!({"detail": "Too many requests, slow down"});
    for source in ["tavily", "brave", "searxng", "google-cse", "gemini"] {
        for (said, code, words) in [
            (&error, Code::KeyRefused, "This key is no good"),
            (&foreign, Code::RequestRefused, "gateway"),
            (&detail, Code::RateLimited, "slow down"),
        ] {
            let services = services();
            services.set(source, json_of(said.clone()));
            let error = Searcher::of(&services).search(source).unwrap_err();
            // SearXNG wants no key: who refuses one there refuses programs.
            let is_open = source == "searxng" && code == Code::KeyRefused;
            assert_eq!(error.code, if is_open { Code::RequestRefused } else { code }, "{source}: {error:?}");
            assert!(error.provider_words.clone().unwrap_or_default().contains(words), "{source}: {error:?}");
        }
    }
    // Of the parts of the open news each says its own.
    let services = services();
    for place in ["hacker-news", "hacker-news-front-page", "arxiv", "wikipedia"] {
        services.set(place, json_of(json!({"error": "Closed for cleaning"})));
    }
    let mut searcher = Searcher::of(&services);
    searcher.set_up.enabled.push("wikipedia");
    let found = searcher.search("open-news").unwrap();
    for part in ["Hacker News gave nothing", "Wikipedia gave nothing"] {
        let told = |note: &kernel::Phrase| {
            note.english().starts_with(part) && note.english().contains("Closed for cleaning")
        };
        assert!(found.notes.iter().any(told), "{part}: {:?}", found.notes);
    }
}

#[test]
fn a_front_page_of_which_no_story_can_be_read_is_no_front_page_without_stories() {
    let nothing = "Hacker News gave nothing: ";
    for (front_page, told) in [
        (json!([1, 2, 3]), nothing),
        (json!(["a", "b"]), nothing),
        (json!({"welcome": "to the gateway"}), nothing),
        (json!([]), "The search of Hacker News gave nothing"),
    ] {
        let services = services();
        services.set("hacker-news", json_of(json!({"error": "Closed for cleaning"})));
        services.set("hacker-news-front-page", json_of(front_page.clone()));
        let notes = Searcher::of(&services).search("open-news").unwrap().notes;
        assert!(notes.iter().any(|note| note.english().starts_with(told)), "{front_page}: {notes:?}");
    }
}

#[test]
fn arxivs_own_words_and_a_wait_until_a_date_are_kept() {
    let services = services();
    services.set("arxiv", Canned { status: 400, ..Canned::recorded("arxiv/error-400-bad-id.xml") });
    let found = Searcher::of(&services).search("open-news").unwrap();
    let told = |note: &kernel::Phrase| {
        note.english().starts_with("arXiv gave nothing") && note.english().contains("incorrect id format")
    };
    assert!(found.notes.iter().any(told), "{:?}", found.notes);

    let soon = engine::now() + jiff::SignedDuration::from_secs(90);
    let date = soon.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    services.set("brave", Canned::of(429, "text/plain", "later").with("retry-after", &date));
    let wait = Searcher::of(&services).search("brave").unwrap_err().retry_after_ms.unwrap();
    assert!((60_000..=90_000).contains(&wait), "{wait}");
}

#[test]
fn a_token_that_brave_finds_invalid_is_a_key_that_is_refused() {
    let services = services();
    for error in [
        json!({"status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "The provided subscription token is invalid."}),
        json!({"status": 422, "code": "VALIDATION", "detail": "Unable to validate request parameter(s)", "meta": {"errors": [{"loc": ["header", "x-subscription-token"], "msg": "Field required"}]}}),
    ] {
        services.set("brave", Canned::json(422, &json!({"type": "ErrorResponse", "error": error})));
        assert_eq!(Searcher::of(&services).search("brave").unwrap_err().code, Code::KeyRefused, "{error}");
    }
    let other = json!({"status": 422, "code": "VALIDATION", "detail": "Unable to validate request parameter(s)", "meta": {"errors": [{"loc": ["query", "count"], "msg": "too many"}]}});
    services.set("brave", Canned::json(422, &json!({"type": "ErrorResponse", "error": other})));
    assert_eq!(Searcher::of(&services).search("brave").unwrap_err().code, Code::RequestRefused);
}

#[test]
fn the_encoding_that_a_server_names_counts_for_a_feed_and_a_mark_before_json_for_nothing() {
    let title = "検索拡張生成 retrieval-augmented generation";
    let feed = format!(
        "<rss version=\"2.0\"><channel><title>F</title><item><title>{title}</title><link>https://a.example.org/1</link><description>{title}</description><pubDate>Wed, 03 Jun 2026 00:00:00 +0000</pubDate></item></channel></rss>"
    );
    let services = services();
    for place in ["hacker-news", "arxiv"] {
        services.set(place, Canned::of(503, "text/plain", ""));
    }
    services.set("hacker-news-front-page", Canned::of(503, "text/plain", ""));
    let bytes = encoding_rs::EUC_JP.encode(&feed).0.into_owned();
    services.set("feed", Canned::of(200, "application/rss+xml; charset=EUC-JP", bytes));
    let found = Searcher::of(&services).search("open-news").unwrap();
    assert!(found.hits.iter().any(|hit| hit.title == title), "{found:?}");

    let answer = "\u{feff}{\"results\":[{\"title\":\"Retrieval-augmented generation \\ud83d\",\"url\":\"{{BASE}}/page/1\",\"published_date\":\"2026-06-03\"}]}";
    services.set("tavily", Canned::of(200, "application/json", answer));
    assert_eq!(Searcher::of(&services).search("tavily").unwrap().hits.len(), 1);
}
