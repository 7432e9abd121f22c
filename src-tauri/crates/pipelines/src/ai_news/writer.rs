//! The writer: at most 200 words of Markdown with citations.

use engine::{LlmAgent, LlmAgentParts};
use kernel::{Contract, Error, State};
use prose::{ArticleText, citations, compose_post, normalize_citations};
use serde::Serialize;
use serde_json::json;

use super::checks;
use super::instructions::{WRITE, examples, fenced};
use super::keys::{
    Article, DRAFT_CHECKS, DRAFT_POST, DraftPost, MOST_WORDS, REVIEW_FEEDBACK, SEARCH_HITS, SEARCH_RESULTS,
    SearchHits, SearchResults, USER_TOPIC, WRITER,
};

pub(crate) fn writer() -> Result<LlmAgent, Error> {
    LlmAgent::new(LlmAgentParts {
        name: WRITER.into(),
        title: "Writer".into(),
        instruction: WRITE.to_owned(),
        contract: Contract::new(
            &[USER_TOPIC.name, SEARCH_RESULTS.name],
            &[SEARCH_HITS.name, REVIEW_FEEDBACK.name, DRAFT_POST.name],
            &[DRAFT_POST.name, DRAFT_CHECKS.name],
        ),
        key: DRAFT_POST.name.into(),
        streams: Some("post_markdown".into()),
        // Code counts words and sources.
        schema: json!({
            "type": "object", "additionalProperties": false, "required": ["post_markdown"],
            "properties": {"post_markdown": {"type": "string"}},
            "examples": examples(WRITE)
        }),
        is_text: false,
        prompt: Box::new(|cx| {
            let topic = cx.get(&USER_TOPIC)?;
            let results = cx.get(&SEARCH_RESULTS)?;
            let articles: Vec<Numbered<'_>> = results.articles.iter().zip(1..).map(numbered).collect();
            let mut prompt = format!("Topic: {topic}\n\n{}", fenced("ARTICLES", &articles));
            if let (Some(feedback), Some(draft)) = (cx.find(&REVIEW_FEEDBACK)?, cx.find(&DRAFT_POST)?) {
                let review = Review {
                    draft: &draft.post_markdown,
                    review_notes: &feedback.review_notes,
                    issues: &feedback.issues_found,
                };
                prompt.push_str("\n\nThe draft was reviewed. Rewrite it so that each note is met.\n\n");
                prompt.push_str(&fenced("REVIEW", &review));
            }
            Ok(prompt)
        }),
        finish: Box::new(|state, json| {
            let post = json["post_markdown"].as_str().unwrap_or_default().trim();
            let post = normalize_citations(post, checks::article_count(state));
            if post.is_empty() {
                return Err(vec!["`post_markdown` is empty".into()]);
            }
            if citations(&post).is_empty() {
                return Err(vec!["`post_markdown` cites nothing; cite each statement as [1]".into()]);
            }
            Ok(json!({ "post_markdown": post }))
        }),
        derive: Some(Box::new(|state, draft| {
            let post = draft["post_markdown"].as_str().unwrap_or_default().to_owned();
            checks::draft_delta(state, &DraftPost::of(post))
        })),
        built_in: Some(Box::new(compose)),
        exit_field: None,
        offers_exit: false,
        tools: Vec::new(),
    })
}

/// An article as the writer is given it. The order is part of the prompt, which a replay holds against the recorded one.
#[derive(Serialize)]
struct Numbered<'a> {
    number: usize,
    title: &'a str,
    url: &'a str,
    source: &'a str,
    published: &'a str,
    summary: &'a str,
}

fn numbered((article, number): (&Article, usize)) -> Numbered<'_> {
    let Article { title, url, source, published, summary, .. } = article;
    Numbered { number, title, url, source, published, summary }
}

/// What was said of the draft that is rewritten, in the order of the prompt.
#[derive(Serialize)]
struct Review<'a> {
    draft: &'a str,
    review_notes: &'a str,
    issues: &'a [String],
}

/// Without a model: a digest composed of the articles' own sentences.
fn compose(state: &State) -> Result<serde_json::Value, String> {
    let topic: String = checks::read(state, USER_TOPIC.name).unwrap_or_default();
    let results: SearchResults =
        checks::read(state, SEARCH_RESULTS.name).ok_or("there are no articles to write about")?;
    let hits: Option<SearchHits> = checks::read(state, SEARCH_HITS.name);
    let texts: Vec<&str> = results
        .articles
        .iter()
        .map(|article| {
            let hit = hits.as_ref().and_then(|hits| {
                hits.hits.iter().find(|hit| hit.url == article.url && hit.title == article.title)
            });
            hit.map_or(article.summary.as_str(), |hit| hit.text.as_str())
        })
        .collect();
    let articles: Vec<ArticleText<'_>> = results
        .articles
        .iter()
        .zip(texts)
        .map(|(article, text)| ArticleText {
            title: &article.title,
            source: &article.source,
            published: &article.published,
            text,
        })
        .collect();
    let post = compose_post(&topic, &articles, MOST_WORDS);
    Ok(json!({ "post_markdown": post }))
}
