//! The searcher: exactly one search, then the choice of at most five articles.
//!
//! The model chooses by number; what an article is called and where it stands comes from the search, never
//! from the model.

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow, LlmAgent, LlmAgentParts};
use kernel::{Contract, Error, Note, Outline, State};
use prose::{clean, extract};
use serde::Serialize;
use serde_json::json;
use tools::{Hits, SearchRequest};

use super::checks::read;
use super::instructions::{SEARCH, examples, fenced};
use super::keys::{
    Article, FALLBACK, FoundText, MOST_ARTICLES, SEARCH_HITS, SEARCH_RESULTS, SEARCHER, SearchHits,
    SearchResults, USER_TOPIC, WINDOW_DAYS,
};

/// Hits the model may choose from.
pub(super) const HITS: u32 = 10;

pub(crate) struct Searcher {
    tool: String,
    chooser: LlmAgent,
}

impl Searcher {
    pub(crate) fn new(tool: String) -> Result<Searcher, Error> {
        let text = |is_asked: bool| json!({"type": "string", "default": "", "x-asked": is_asked});
        // What an article is called is known; an article that is copied whole is understood.
        let article = json!({
            "type": "object", "additionalProperties": false, "required": ["number", "ai_relevance", "confidence"],
            "properties": {
                "number": {"type": "integer", "default": 0},
                "ai_relevance": text(true), "confidence": text(true), "url": text(false), "title": text(false)
            }
        });
        let examples = examples(SEARCH);
        let chooser = LlmAgent::new(LlmAgentParts {
            name: SEARCHER.into(),
            title: "Searcher".into(),
            instruction: SEARCH.to_owned(),
            contract: Contract::new(&[USER_TOPIC.name], &[], &[SEARCH_HITS.name, SEARCH_RESULTS.name]),
            key: SEARCH_RESULTS.name.into(),
            streams: None,
            schema: json!({
                "type": "object", "additionalProperties": false, "required": ["articles", "message"],
                "properties": {"articles": {"type": "array", "x-partial": true, "items": article}, "message": text(true)},
                "examples": examples.get(..1), "x-nothing": examples.get(1)
            }),
            is_text: false,
            prompt: Box::new(|cx| {
                let topic = cx.get(&USER_TOPIC)?;
                let found = cx.get(&SEARCH_HITS)?;
                let hits: Vec<Numbered<'_>> = found.hits.iter().zip(1..).map(numbered).collect();
                let hits = fenced("HITS", &hits);
                Ok(format!("Topic: {topic}\nWindow: {} to {}\n\n{hits}", found.from, found.until))
            }),
            finish: Box::new(|state, json| Ok(bound(state, &json))),
            derive: None,
            built_in: Some(Box::new(choose)),
            exit_field: None,
            offers_exit: false,
            tools: Vec::new(),
        })?;
        Ok(Searcher { tool, chooser })
    }
}

#[async_trait]
impl Agent for Searcher {
    fn outline(&self) -> &Outline {
        self.chooser.outline()
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let topic = cx.get(&USER_TOPIC)?;
        let (from, until) = window(cx.now().await?);
        let request =
            SearchRequest { query: topic, from: from.clone(), until: until.clone(), max_results: HITS };
        let found = cx.call_tool(&self.tool, json!(request)).await;
        let hits: Hits = match found {
            Ok(result) => serde_json::from_value(result.output.0).unwrap_or_default(),
            Err(error) if error.stops_run() || matches!(error, AgentError::Limit { .. }) => {
                return Err(error);
            }
            Err(error) => {
                // The stage has failed, and says so; the post falls back (the manager's decision).
                nothing(cx).await?;
                return Err(error);
            }
        };
        let notes = hits.notes;
        let attributions = hits.attributions.iter().map(|attribution| json!(attribution)).collect();
        let hits: Vec<FoundText> = hits
            .hits
            .into_iter()
            .filter(|hit| hit.published >= from && hit.published <= until)
            .map(|hit| FoundText {
                title: clean(&hit.title),
                url: hit.url,
                source: hit.source,
                published: hit.published,
                text: clean(&hit.text),
            })
            .collect();
        cx.note(Note::decision("found", json!({ "n": hits.len(), "from": from, "until": until })))?;
        let is_empty = hits.is_empty();
        cx.set(&SEARCH_HITS, &SearchHits { from, until, hits, notes, attributions }).await?;
        if is_empty {
            nothing(cx).await?;
            return Ok(Flow::Continue);
        }
        let flow = self.chooser.run(cx).await?;
        let chosen: Option<SearchResults> = read(cx.view(), SEARCH_RESULTS.name);
        let chosen = chosen.map(|results| results.articles).unwrap_or_default();
        if chosen.iter().any(|article| article.confidence == STANDS_IN) {
            cx.note(Note::decision("stand_in", json!({})))?;
        }
        Ok(flow)
    }
}

/// The confidence of an article of which the model said none.
const NOT_STATED: &str = "not stated";
/// The confidence of an article that nobody chose.
const STANDS_IN: &str = "stands in, because the model named none that was found";

async fn nothing(cx: &mut Cx) -> Result<(), AgentError> {
    let results = SearchResults {
        articles: Vec::new(),
        search_window_days: WINDOW_DAYS,
        message: Some(FALLBACK.to_owned()),
        attributions: Vec::new(),
    };
    cx.set(&SEARCH_RESULTS, &results).await
}

/// The window of recency, both days included, that ends on the day of this moment (UTC).
fn window(now_ms: i64) -> (String, String) {
    let now = jiff::Timestamp::from_millisecond(now_ms).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let until = now.to_zoned(jiff::tz::TimeZone::UTC).date();
    let from = until.checked_sub(jiff::Span::new().days(i64::from(WINDOW_DAYS))).unwrap_or(until);
    (from.to_string(), until.to_string())
}

/// The model's choice, each article bound to its hit. An article that no hit bears out is left out;
/// when none is borne out, the hits that rank first stand in for the choice.
fn bound(state: &State, json: &serde_json::Value) -> serde_json::Value {
    let Some(found) = read::<SearchHits>(state, SEARCH_HITS.name) else { return serde_json::Value::Null };
    let topic = read::<String>(state, USER_TOPIC.name).unwrap_or_default();
    let chosen = json["articles"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut articles: Vec<Article> = Vec::new();
    for article in chosen {
        let text = |field: &str| article[field].as_str().unwrap_or_default().trim();
        let number = article["number"].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
        let by_number = || number.checked_sub(1).and_then(|index| found.hits.get(index));
        // What was copied says more surely than a number which hit is meant.
        let Some(hit) = hit_of(&found.hits, text("url"), text("title")).or_else(by_number) else { continue };
        if articles.iter().any(|known| known.url == hit.url && known.title == hit.title) {
            continue;
        }
        let known = article_of(hit, &topic, summary_of(hit, &topic));
        let ai_relevance = Some(text("ai_relevance")).filter(|text| !text.is_empty());
        let confidence = Some(text("confidence")).filter(|text| !text.is_empty());
        articles.push(Article {
            ai_relevance: ai_relevance.map_or(known.ai_relevance, str::to_owned),
            confidence: confidence.unwrap_or(NOT_STATED).to_owned(),
            ..known
        });
        if articles.len() == MOST_ARTICLES {
            break;
        }
    }
    if articles.is_empty() && !chosen.is_empty() {
        articles = ranked(&found.hits, &topic);
        articles.iter_mut().for_each(|article| STANDS_IN.clone_into(&mut article.confidence));
    }
    let message = articles.is_empty().then(|| FALLBACK.to_owned());
    let attributions = found.attributions;
    json!(SearchResults { articles, search_window_days: WINDOW_DAYS, message, attributions })
}

fn hit_of<'a>(hits: &'a [FoundText], url: &str, title: &str) -> Option<&'a FoundText> {
    let plain = |text: &str| -> String {
        text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let address = |url: &str| url.trim().trim_end_matches('/').replace("http://", "https://");
    hits.iter()
        .find(|hit| !hit.url.is_empty() && address(&hit.url) == address(url))
        .or_else(|| hits.iter().find(|hit| !title.is_empty() && plain(&hit.title) == plain(title)))
}

fn summary_of(hit: &FoundText, topic: &str) -> String {
    let summary = extract(&hit.text, topic, 80);
    if summary.is_empty() { hit.text.chars().take(400).collect() } else { summary }
}

/// The hits that rank first, as articles.
fn ranked(hits: &[FoundText], topic: &str) -> Vec<Article> {
    let first = hits.iter().take(MOST_ARTICLES);
    first.map(|hit| article_of(hit, topic, summary_of(hit, topic))).collect()
}

fn article_of(hit: &FoundText, topic: &str, summary: String) -> Article {
    Article {
        title: hit.title.clone(),
        url: hit.url.clone(),
        source: hit.source.clone(),
        published: hit.published.clone(),
        summary,
        ai_relevance: format!("Its text answers the topic “{topic}”."),
        confidence: "chosen by rank, without a model".to_owned(),
    }
}

/// A hit as the model is given it. The order is part of the prompt, which a replay holds against the recorded one.
#[derive(Serialize)]
struct Numbered<'a> {
    number: usize,
    #[serde(flatten)]
    hit: &'a FoundText,
}

fn numbered((hit, number): (&FoundText, usize)) -> Numbered<'_> {
    Numbered { number, hit }
}

/// Without a model: the hits as they rank.
fn choose(state: &State) -> Result<serde_json::Value, String> {
    let found: SearchHits = read(state, SEARCH_HITS.name).ok_or("there are no hits to choose from")?;
    let topic: String = read(state, USER_TOPIC.name).unwrap_or_default();
    let articles: Vec<_> = ranked(&found.hits, &topic)
        .into_iter()
        .zip(1..)
        .map(|(article, number)| {
            json!({ "number": number, "ai_relevance": article.ai_relevance, "confidence": article.confidence })
        })
        .collect();
    Ok(json!({ "articles": articles, "message": "" }))
}
