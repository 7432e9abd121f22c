//! A competent model for the news pipeline: it picks the hits that its prompt shows, writes a short draft whose
//! every sentence stands in an article, and reviews. Told apart by the fields that the answer's schema asks for.
//!
//! Its answers depend on the request alone: the same request gets the same answer, also when many runs go on at
//! once; a rewritten draft is known by its opening words, not by a counter. Not in it: bad answers; tests give
//! those themselves with a script or with a function that asks this model for the rest.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::json_in_text;
use crate::plain_sentences::{cited, sentences, words};
use crate::reply::Reply;
use crate::request::ChatRequest;
use crate::schema_filler::fill;

/// The sentence that is answered when nothing was found.
const NOTHING_FOUND: &str = "No recent AI news found on this topic.";

/// How a rewritten draft begins; the reviewer that rejects first looks for it.
const REWRITTEN_OPENING: &str = "In brief, ";

/// What the rejecting reviewer writes; the writer knows by it that it is asked again.
const REJECTION: &str = "The draft does not open with its gist, so begin with it and keep every citation.";

const MOST_ARTICLES: usize = 5;
const MOST_WORDS: usize = 150;

/// How the model behaves. The default is quick and approves.
#[derive(Clone, Debug, Default)]
pub struct NewsModel {
    /// Passes before the first byte of each answer.
    pub latency: Duration,
    /// Passes before each piece of a streamed answer; zero sends the answer at once.
    pub pause: Duration,
    /// Characters of a piece when `pause` is not zero; 0 means 16.
    pub piece_characters: usize,
    /// The reviewer rejects a first draft and approves the rewritten one.
    pub reject_first: bool,
    /// The reviewer approves nothing.
    pub always_reject: bool,
    /// A first draft has more than two hundred words, and the reviewer calls it ready all the same.
    pub long_first: bool,
}

impl NewsModel {
    /// The answer to one request.
    pub fn answer(&self, request: &ChatRequest) -> Reply {
        let reply = match self.content(request) {
            Content::Text(text) if self.pause.is_zero() => Reply::Text(text),
            Content::Text(text) => {
                let characters = if self.piece_characters == 0 { 16 } else { self.piece_characters };
                Reply::stream(&text, characters, self.pause)
            }
            Content::Search { tool, query } => Reply::tool_call(&tool, query),
        };
        if self.latency.is_zero() { reply } else { reply.after(self.latency) }
    }

    fn content(&self, request: &ChatRequest) -> Content {
        let prompt = data_of(request);
        let found = articles(&prompt);
        if found.is_empty()
            && let Some(call) = search_call(request)
        {
            return call;
        }
        let known = match Part::of(request) {
            Some(Part::Searcher) => search(&found),
            Some(Part::Writer) => self.draft(&found, prompt.contains(REJECTION)),
            Some(Part::Reviewer) => self.review(&prompt),
            None => Map::new(),
        };
        match request.schema() {
            Some(schema) => Content::Text(fill(schema, &known).to_string()),
            None if known.is_empty() => Content::Text("I read what was asked.".to_owned()),
            None => Content::Text(Value::Object(known).to_string()),
        }
    }

    fn draft(&self, found: &[Article], is_rewrite: bool) -> Map<String, Value> {
        let mut text = String::new();
        let mut used: Vec<usize> = Vec::new();
        let is_long = self.long_first && !is_rewrite;
        let rounds = if is_long { 40 } else { 1 };
        for round in 0..rounds {
            for (index, article) in found.iter().take(MOST_ARTICLES).enumerate() {
                let all = sentences(&article.summary);
                let sentence = all.get(round % all.len().max(1)).copied().unwrap_or(&article.title);
                let enough =
                    if is_long { words(&text) > 230 } else { words(&text) + words(sentence) > MOST_WORDS };
                if enough {
                    continue;
                }
                text.push_str(if text.is_empty() { "" } else { " " });
                if is_rewrite && text.is_empty() {
                    text.push_str(REWRITTEN_OPENING);
                }
                text.push_str(&cited(sentence, index + 1));
                if !used.contains(&index) {
                    used.push(index);
                }
            }
        }
        if text.is_empty() {
            text.push_str(NOTHING_FOUND);
        }
        let count = words(&text);
        object(json!({"post_markdown": text, "sources_used": used, "word_count": count}))
    }

    fn review(&self, prompt: &str) -> Map<String, Value> {
        let rejects = self.always_reject || (self.reject_first && !prompt.contains(REWRITTEN_OPENING));
        let review = if rejects {
            json!({
                "review_notes": REJECTION, "issues_found": ["opens without its gist"],
                "revised_post_markdown": "", "ready_for_publish": false
            })
        } else {
            json!({
                "review_notes": "Every sentence stands in its source; length and dates are right.",
                "issues_found": [], "revised_post_markdown": "", "ready_for_publish": true
            })
        };
        object(review)
    }
}

enum Content {
    Text(String),
    Search { tool: String, query: Value },
}

/// Which of the three agents asks.
enum Part {
    Searcher,
    Writer,
    Reviewer,
}

impl Part {
    /// By the schema; a client that sends none names the fields in its instruction.
    fn of(request: &ChatRequest) -> Option<Self> {
        let has_schema = request.schema().is_some();
        let instruction = if has_schema { String::new() } else { request.instruction() };
        let asks =
            |field: &str| if has_schema { request.asks_for(field) } else { instruction.contains(field) };
        if asks("review_notes") && asks("ready_for_publish") {
            Some(Self::Reviewer)
        } else if asks("post_markdown") {
            Some(Self::Writer)
        } else if asks("articles") {
            Some(Self::Searcher)
        } else {
            None
        }
    }
}

#[derive(Debug)]
struct Article {
    /// Its number in the prompt; 0 when it has none.
    number: u64,
    title: String,
    url: String,
    source: String,
    published: String,
    summary: String,
}

/// What users and tools said: the instruction may hold examples, which are no articles.
fn data_of(request: &ChatRequest) -> String {
    format!("{}\n\n{}", request.text_of("user"), request.text_of("tool"))
}

/// Every object with a title and an address or a text, once each, in the order of the prompt.
fn articles(prompt: &str) -> Vec<Article> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for value in json_in_text::values(prompt) {
        json_in_text::objects(&value, &mut |fields| {
            let first = |names: &[&str]| {
                let texts = names.iter().filter_map(|name| fields.get(*name)?.as_str());
                texts.map(str::trim).find(|text| !text.is_empty()).unwrap_or_default().to_owned()
            };
            let (title, url) = (first(&["title"]), first(&["url", "link"]));
            // A text of the user's own library has no address.
            let summary = first(&["summary", "text", "content", "snippet"]);
            let is_bare = title.is_empty() || (url.is_empty() && summary.is_empty());
            if is_bare || !seen.insert((url.clone(), title.clone())) {
                return;
            }
            let published = first(&["published", "date", "published_at"]).chars().take(10).collect();
            let number = fields.get("number").and_then(Value::as_u64).unwrap_or(0);
            found.push(Article { number, title, url, source: first(&["source"]), published, summary });
        });
    }
    found
}

fn search(found: &[Article]) -> Map<String, Value> {
    let articles: Vec<Value> = found
        .iter()
        .take(MOST_ARTICLES)
        .map(|article| {
            json!({
                "number": article.number, "title": article.title, "url": article.url, "source": article.source,
                "published": article.published, "summary": opening(&article.summary),
                "ai_relevance": "It reports a development in artificial intelligence.", "confidence": 0.9
            })
        })
        .collect();
    let mut known = Map::new();
    if articles.is_empty() {
        known.insert("message".to_owned(), json!(NOTHING_FOUND));
    }
    known.insert("search_window_days".to_owned(), json!(30));
    known.insert("articles".to_owned(), Value::Array(articles));
    known
}

/// The first sentences of a text, word for word.
fn opening(text: &str) -> String {
    sentences(text).into_iter().take(3).collect::<Vec<_>>().join(" ")
}

/// A call of the search tool, when there is one that was not called yet.
fn search_call(request: &ChatRequest) -> Option<Content> {
    let was_called = request.messages().iter().any(|message| message["role"] == "tool");
    if was_called || request.body["tool_choice"] == "none" {
        return None;
    }
    let tools = request.body["tools"].as_array()?;
    let function = tools.iter().map(|tool| &tool["function"]).find(|function| {
        function["name"].as_str().is_some_and(|name| name.contains("search") || name.contains("library"))
    })?;
    let wanted: String = request.last_user_text().trim().chars().take(200).collect();
    let mut known = Map::new();
    for name in function["parameters"]["properties"].as_object().into_iter().flatten().map(|(name, _)| name) {
        if ["query", "topic", "q", "text", "user_topic"].contains(&name.as_str()) {
            known.insert(name.clone(), json!(wanted));
        }
    }
    let query = fill(&function["parameters"], &known);
    Some(Content::Search { tool: function["name"].as_str()?.to_owned(), query })
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
