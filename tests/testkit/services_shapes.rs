//! Articles in the shape in which each search service tells of them, written from their contracts, and the pages they
//! stand on. A service tells as little as the real one: Hacker News no text, grounding no day and no title.

use std::path::Path;

use serde_json::{Value, json};

use crate::services::{Canned, ServiceRequest};

/// Something to be found.
#[derive(Debug, Clone)]
pub struct Article {
    pub title: String,
    /// `YYYY-MM-DD`
    pub day: String,
    pub text: String,
}

/// Articles of the sample library whose titles have this word; all are of June 2026.
#[expect(clippy::expect_used, reason = "without its articles a test cannot begin")]
pub fn sample_articles(word: &str, most: usize) -> Vec<Article> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/library/arxiv-2026-06.jsonl");
    let text = std::fs::read_to_string(file).expect("the sample library");
    let records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let articles = records.map(|record| {
        let field = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        Article { title: field("title"), day: field("published"), text: field("summary") }
    });
    let articles = articles.filter(|article| article.title.to_lowercase().contains(word));
    articles
        .map(|article| Article { day: article.day.chars().take(10).collect(), ..article })
        .take(most)
        .collect()
}

/// What the service of this request answers when it knows these articles.
pub(crate) fn answer_of(request: &ServiceRequest, articles: &[Article], base: &str) -> Canned {
    let numbered = || articles.iter().enumerate();
    let page = |index: usize| format!("{base}/page/{index}");
    let start = |article: &Article| article.text.chars().take(90).collect::<String>();
    match request.service.as_str() {
        "tavily" => Canned::json(
            200,
            &json!({
                "query": request.body["query"], "answer": null, "follow_up_questions": null, "images": [],
                "results": numbered().map(|(index, article)| json!({
                    "title": article.title, "url": page(index), "content": format!("{} [...]", start(article)), "score": 0.9,
                    "raw_content": null, "published_date": rfc_2822(&article.day)
                })).collect::<Vec<_>>(), "response_time": 0.9, "request_id": "r-1"
            }),
        ),
        "brave" => Canned::json(
            200,
            &json!({
                "type": "news", "query": {"original": request.parameter("q")},
                "results": numbered().map(|(index, article)| json!({
                    "type": "news_result", "title": article.title, "url": page(index), "age": "2 weeks ago",
                    "description": format!("<strong>{}</strong> &amp; more", start(article)),
                    "page_age": format!("{}T17:09:03", article.day)
                })).collect::<Vec<_>>()
            }),
        ),
        "searxng" => Canned::json(
            200,
            &json!({
                "query": request.parameter("q"), "answers": [], "suggestions": [],
                "unresponsive_engines": [["startpage", "CAPTCHA"]],
                "results": numbered().map(|(index, article)| json!({
                    "title": article.title, "url": page(index), "content": start(article), "engine": "e",
                    "engines": ["e"], "score": 1.0, "category": "news", "publishedDate": format!("{}T00:00:00", article.day)
                })).collect::<Vec<_>>()
            }),
        ),
        "google-cse" => Canned::json(
            200,
            &json!({
                "kind": "customsearch#search", "searchInformation": {"totalResults": articles.len().to_string()},
                "items": numbered().map(|(index, article)| json!({
                    "kind": "customsearch#result", "title": article.title, "link": page(index), "snippet": start(article)
                })).collect::<Vec<_>>()
            }),
        ),
        "gemini" => Canned::json(200, &grounded(articles, base)),
        "hacker-news" => Canned::json(
            200,
            &json!({
                "nbHits": articles.len(), "page": 0, "hitsPerPage": 50,
                "hits": numbered().map(|(index, article)| json!({
                    "objectID": index.to_string(), "title": article.title, "url": page(index), "author": "a", "points": 50,
                    "created_at": format!("{}T09:00:00Z", article.day), "_tags": ["story"]
                })).collect::<Vec<_>>()
            }),
        ),
        "hacker-news-front-page" => front_page(request, articles, base),
        "arxiv" => Canned::of(200, "application/atom+xml", atom(articles)),
        "wikipedia" => Canned::json(
            200,
            &json!({"batchcomplete": true, "query": {"search": numbered().map(|(index, article)| json!({
            "ns": 0, "title": article.title, "pageid": index, "snippet": format!("<span>{}</span>", article.text),
            "timestamp": format!("{}T10:00:00Z", article.day)
        })).collect::<Vec<_>>()}}),
        ),
        "feed" => Canned::of(200, "application/rss+xml", rss(articles, base)),
        "grounding-api-redirect" => {
            Canned::of(302, "text/html", "").with("location", &format!("{base}/page{}", request.path))
        }
        "page" => {
            let index = request.path.trim_start_matches('/').parse::<usize>().ok();
            index.and_then(|index| articles.get(index)).map_or_else(
                || Canned::of(404, "text/html", "<h1>Not found</h1>"),
                |article| Canned::of(200, "text/html; charset=utf-8", html(article)),
            )
        }
        _ => Canned::of(404, "text/plain", "nothing is here"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn html(article: &Article) -> String {
    let (title, text) = (escaped(&article.title), escaped(&article.text));
    format!(
        "<!DOCTYPE html><html><head><title>{title}</title><meta property=\"og:site_name\" content=\"404media.co\"><meta property=\"article:published_time\" content=\"{}T08:00:00Z\"></head>\
        <body><nav><a href=/>Home</a><a href=/news>News</a></nav><main><article><h1>{title}</h1><p>{text}</p></article></main>\
        <footer>All rights reserved</footer></body></html>",
        article.day
    )
}

fn rss(articles: &[Article], base: &str) -> String {
    let items: String = articles
        .iter()
        .enumerate()
        .map(|(index, article)| {
            format!(
                "<item><title>{}</title><link>{base}/page/{index}?utm_source=rss</link><pubDate>{}</pubDate><description>{}</description></item>",
                escaped(&article.title),
                rfc_2822(&article.day),
                escaped(&article.text.chars().take(90).collect::<String>())
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>A feed</title>{items}</channel></rss>"
    )
}

fn atom(articles: &[Article]) -> String {
    let entries: String = articles
        .iter()
        .enumerate()
        .map(|(index, article)| {
            let id = format!("http://arxiv.org/abs/2606.{index:05}v1");
            format!(
                "<entry><id>{id}</id><title>{}</title><published>{day}T00:00:00Z</published><updated>{day}T00:00:00Z</updated>\
                <summary>{}</summary><author><name>A. Author</name></author><link href='{id}' rel='alternate'/></entry>",
                escaped(&article.title),
                escaped(&article.text),
                day = article.day
            )
        })
        .collect();
    format!(
        "<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom'><id>x</id><title>arXiv Query</title>\
        <updated>2026-07-01T00:00:00Z</updated>{entries}</feed>"
    )
}

/// Two parts, so that offsets have a part to name.
fn grounded(articles: &[Article], base: &str) -> Value {
    let (mut said, mut supports) = (String::new(), Vec::new());
    for (index, article) in articles.iter().enumerate() {
        let from = said.len();
        said.push_str(&format!("{} — reported.", article.title));
        supports.push(json!({
            "segment": {"partIndex": 1, "startIndex": from, "endIndex": said.len(), "text": &said[from..]},
            "groundingChunkIndices": [index + 1]
        }));
        said.push('\n');
    }
    let mut chunks =
        vec![json!({"web": {"uri": "https://www.google.com/search?q=a b c", "title": "Results"}})];
    chunks.extend((0..articles.len()).map(|index| {
        json!({"web": {"uri": format!("{base}/grounding-api-redirect/{index}"), "title": "news.example.org"}})
    }));
    json!({
        "candidates": [{
            "content": {"role": "model", "parts": [{"text": "Thinking.", "thought": true}, {"text": said}]},
            "finishReason": "STOP",
            "groundingMetadata": {
                "webSearchQueries": ["a query"], "groundingChunks": chunks, "groundingSupports": supports,
                "searchEntryPoint": {"renderedContent": "<style>.container{}</style><div class=\"container\">a query</div>"}
            }
        }],
        "usageMetadata": {"promptTokenCount": 40, "candidatesTokenCount": 90, "toolUsePromptTokenCount": 119, "totalTokenCount": 249},
        "modelVersion": "gemini-3.8-flash", "responseId": "r"
    })
}

fn front_page(request: &ServiceRequest, articles: &[Article], base: &str) -> Canned {
    if request.path == "/v0/topstories.json" {
        return Canned::json(200, &json!((0..articles.len() + 1).collect::<Vec<_>>()));
    }
    let id = request.path.trim_start_matches("/v0/item/").trim_end_matches(".json").parse::<usize>().ok();
    // The last one was deleted.
    let story = id.and_then(|id| Some((id, articles.get(id)?))).map_or(Value::Null, |(id, article)| {
        let time = seconds(&article.day);
        json!({"id": id, "type": "story", "title": article.title, "url": format!("{base}/page/{id}"), "time": time, "by": "a", "score": 9})
    });
    Canned::json(200, &story)
}

/// Days since 1970 of a day, by the calendar.
fn days(day: &str) -> i64 {
    let mut parts = day.split('-').filter_map(|part| part.parse::<i64>().ok());
    let (year, month, day) =
        (parts.next().unwrap_or(1970), parts.next().unwrap_or(1), parts.next().unwrap_or(1));
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 1
        - 719_468
}

fn seconds(day: &str) -> i64 {
    days(day) * 86_400
}

/// `Mon, 01 Jun 2026 12:00:00 GMT`
fn rfc_2822(day: &str) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    const WEEK: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let part =
        |index: usize| day.split('-').nth(index).and_then(|part| part.parse::<usize>().ok()).unwrap_or(1);
    let month = MONTHS.get(part(1).saturating_sub(1)).unwrap_or(&"Jan");
    let week =
        usize::try_from(days(day).rem_euclid(7)).ok().and_then(|index| WEEK.get(index)).unwrap_or(&"Thu");
    format!("{week}, {:02} {month} {} 12:00:00 GMT", part(2), part(0))
}
