//! The checks of a post: words, citations, coverage, recency, grounding.
//!
//! They run after every answer of a model and after every edit, because a model's word for them is
//! not enough.

use kernel::{Delta, State};
use prose::{SourceTexts, citations, count_words, out_of_range, sentences, sources_used};
use serde::de::DeserializeOwned;

use super::keys::{
    Article, Check, DRAFT_CHECKS, DRAFT_POST, DraftPost, MOST_WORDS, SEARCH_HITS, SEARCH_RESULTS, SearchHits,
    SearchResults,
};

/// Reads a key of the state as its shape, without recording a read.
pub(crate) fn read<T: DeserializeOwned>(state: &State, key: &str) -> Option<T> {
    state.get(key).and_then(|value| value.json()).and_then(|json| T::deserialize(json).ok())
}

/// A draft of this text with everything that code derives from it, and its checks, as one change.
pub(crate) fn draft_delta(state: &State, post_markdown: String) -> Delta {
    let checks = of_state(state, &post_markdown);
    let draft = DraftPost {
        sources_used: sources_used(&post_markdown),
        word_count: count_words(&post_markdown),
        post_markdown,
    };
    Delta::of(DRAFT_POST.name, serde_json::to_value(draft).unwrap_or_default())
        .with(DRAFT_CHECKS.name, serde_json::to_value(checks).unwrap_or_default())
}

/// The checks of a text against what the search found.
pub(crate) fn of_state(state: &State, post: &str) -> Vec<Check> {
    let results: Option<SearchResults> = read(state, SEARCH_RESULTS.name);
    let hits: Option<SearchHits> = read(state, SEARCH_HITS.name);
    let articles = results.map(|results| results.articles).unwrap_or_default();
    of_post(post, &articles, hits.as_ref())
}

/// Whether every check passes.
pub(crate) fn pass(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.passed)
}

fn of_post(post: &str, articles: &[Article], hits: Option<&SearchHits>) -> Vec<Check> {
    vec![
        length(post),
        cited(post, articles),
        coverage(post),
        recency(post, articles, hits),
        grounded(post, articles, hits),
    ]
}

fn check(name: &str, fault: Option<String>, well: impl FnOnce() -> String) -> Check {
    Check { name: name.to_owned(), passed: fault.is_none(), detail: fault.unwrap_or_else(well) }
}

fn length(post: &str) -> Check {
    let words = count_words(post);
    let fault = if words == 0 {
        Some("the post is empty".to_owned())
    } else {
        (words > MOST_WORDS).then(|| format!("over {MOST_WORDS} words ({words})"))
    };
    check("length", fault, || format!("{words} of at most {MOST_WORDS} words"))
}

fn cited(post: &str, articles: &[Article]) -> Check {
    let used = citations(post).len();
    let wrong = out_of_range(post, articles.len());
    let fault = if used == 0 {
        Some("nothing is cited".to_owned())
    } else {
        let numbers: Vec<String> = wrong.iter().map(|number| format!("[{number}]")).collect();
        (!wrong.is_empty())
            .then(|| format!("{} names no article; there are {}", numbers.join(", "), articles.len()))
    };
    check("citations", fault, || format!("{used} citations, each of an article"))
}

/// Every paragraph that states something cites something.
fn coverage(post: &str) -> Check {
    let bare: Vec<&str> = post
        .split("\n\n")
        .map(str::trim)
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with('#'))
        .filter(|paragraph| count_words(paragraph) > 25 && citations(paragraph).is_empty())
        .collect();
    let fault = bare.first().map(|paragraph| {
        let start: String = paragraph.chars().take(60).collect();
        format!("a paragraph cites nothing: “{start}…”")
    });
    check("coverage", fault, || "every paragraph cites what it states".to_owned())
}

fn recency(post: &str, articles: &[Article], hits: Option<&SearchHits>) -> Check {
    let Some(hits) = hits else {
        return check("recency", None, || "no window is known".to_owned());
    };
    let old = sources_used(post).into_iter().filter_map(|index| articles.get(index)).find(|article| {
        article.published.is_empty() || article.published < hits.from || article.published > hits.until
    });
    let fault = old.map(|article| {
        format!(
            "“{}” is of {}, outside {} to {}",
            article.title,
            shown(&article.published),
            hits.from,
            hits.until
        )
    });
    check("recency", fault, || format!("all cited articles are of {} to {}", hits.from, hits.until))
}

fn shown(day: &str) -> &str {
    if day.is_empty() { "an unknown day" } else { day }
}

/// Each sentence with a figure or a name finds it in the text of an article.
fn grounded(post: &str, articles: &[Article], hits: Option<&SearchHits>) -> Check {
    let texts: Vec<String> = articles.iter().map(|article| whole_text(article, hits)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let sources = SourceTexts::new(&texts);
    let mut faults: Vec<String> = Vec::new();
    for sentence in sentences(post) {
        let missing = sources.ungrounded(sentence.text);
        if !missing.is_empty() {
            let claims: Vec<String> = missing.iter().map(|claim| format!("“{}”", claim.text)).collect();
            faults.push(format!("{} stands in no article", claims.join(", ")));
        }
        if faults.len() == 4 {
            break;
        }
    }
    check("grounding", (!faults.is_empty()).then(|| faults.join("; ")), || {
        "every figure and name stands in an article".to_owned()
    })
}

/// Everything a writer was given of an article.
pub(crate) fn whole_text(article: &Article, hits: Option<&SearchHits>) -> String {
    let found = hits
        .and_then(|hits| hits.hits.iter().find(|hit| hit.url == article.url && hit.title == article.title));
    let text = found.map(|hit| hit.text.as_str()).unwrap_or_default();
    format!("{}\n{}\n{}\n{}\n{text}", article.title, article.source, article.published, article.summary)
}
