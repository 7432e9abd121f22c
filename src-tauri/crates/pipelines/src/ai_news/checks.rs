//! The checks of a post: words, citations, coverage, recency, grounding.
//!
//! They run after every answer of a model and after every edit, because a model's word for them is
//! not enough.

use kernel::{Delta, State};
use prose::{SourceTexts, citations, count_words, out_of_range, sentences, sources_used, without_references};
use serde::de::DeserializeOwned;

use super::keys::{
    Article, Check, DRAFT_CHECKS, DRAFT_POST, DraftPost, MOST_WORDS, SEARCH_RESULTS, SearchResults,
};
use super::material::Material;

/// Reads a key of the state as its shape, without recording a read.
pub(crate) fn read<T: DeserializeOwned>(state: &State, key: &str) -> Option<T> {
    state.get(key).and_then(|value| value.json()).and_then(|json| T::deserialize(json).ok())
}

/// A draft and its checks as one change.
pub(crate) fn draft_delta(state: &State, draft: &DraftPost) -> Delta {
    let checks = counted(state, draft);
    Delta::of(DRAFT_POST.name, serde_json::to_value(draft).unwrap_or_default())
        .with(DRAFT_CHECKS.name, serde_json::to_value(checks).unwrap_or_default())
}

/// How many articles can be cited.
pub(crate) fn article_count(state: &State) -> usize {
    read::<SearchResults>(state, SEARCH_RESULTS.name).map_or(0, |results| results.articles.len())
}

/// The checks of the draft in the state. They are written with it, by whoever writes it.
pub(crate) fn of_draft(state: &State, draft: &DraftPost) -> Vec<Check> {
    read(state, DRAFT_CHECKS.name).unwrap_or_else(|| counted(state, draft))
}

/// The checks of a text against what the search found.
pub(crate) fn of_state(state: &State, post: &str) -> Vec<Check> {
    counted(state, &DraftPost::of(post.to_owned()))
}

/// The same of a text of which is known what code counts of it.
fn counted(state: &State, draft: &DraftPost) -> Vec<Check> {
    let material = Material::of(state);
    // A list of the sources at the end states nothing.
    let post = without_references(&draft.post_markdown);
    vec![
        length(draft.word_count),
        cited(post, &material.articles),
        coverage(post),
        recency(&draft.sources_used, &material),
        grounded(post, &material.sources),
    ]
}

/// Whether every check passes.
pub(crate) fn pass(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.passed)
}

fn check(name: &str, problem: Option<String>, well: impl FnOnce() -> String) -> Check {
    Check { name: name.to_owned(), passed: problem.is_none(), detail: problem.unwrap_or_else(well) }
}

fn length(words: usize) -> Check {
    let problem = if words == 0 {
        Some("the post is empty".to_owned())
    } else {
        (words > MOST_WORDS).then(|| format!("over {MOST_WORDS} words ({words})"))
    };
    check("length", problem, || format!("{words} of at most {MOST_WORDS} words"))
}

fn cited(post: &str, articles: &[Article]) -> Check {
    let used = citations(post).len();
    let wrong = out_of_range(post, articles.len());
    let problem = if used == 0 {
        Some("nothing is cited".to_owned())
    } else {
        let numbers: Vec<String> = wrong.iter().map(|number| format!("[{number}]")).collect();
        (!wrong.is_empty())
            .then(|| format!("{} names no article of the {}", numbers.join(", "), articles.len()))
    };
    check("citations", problem, || format!("{used} citations, each of an article"))
}

/// So many words may stand in a paragraph that leads over and states nothing.
const LONGEST_BARE: usize = 8;

/// Every paragraph that states something cites something.
fn coverage(post: &str) -> Check {
    let bare: Vec<&str> = post
        .split("\n\n")
        .map(str::trim)
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with('#'))
        .filter(|paragraph| citations(paragraph).is_empty() && count_words(paragraph) > LONGEST_BARE)
        .collect();
    let problem = bare.first().map(|paragraph| {
        let start: String = paragraph.chars().take(60).collect();
        format!("a paragraph cites nothing: “{start}…”")
    });
    check("coverage", problem, || "every paragraph cites what it states".to_owned())
}

fn recency(sources_used: &[usize], material: &Material) -> Check {
    let Some((from, until)) = &material.window else {
        return check("recency", None, || "no window is known".to_owned());
    };
    let mut cited = sources_used.iter().filter_map(|index| material.articles.get(*index));
    let old = cited.find(|article| {
        article.published.is_empty() || article.published < *from || article.published > *until
    });
    let problem = old.map(|article| {
        format!("“{}” is of {}, outside {from} to {until}", article.title, shown(&article.published))
    });
    check("recency", problem, || format!("all cited articles are of {from} to {until}"))
}

fn shown(day: &str) -> &str {
    if day.is_empty() { "an unknown day" } else { day }
}

/// Each sentence with a figure or a name finds it in the articles that it cites; one that cites none, in any.
fn grounded(post: &str, sources: &[SourceTexts]) -> Check {
    let mut problems: Vec<String> = Vec::new();
    for sentence in sentences(post) {
        let used = sources_used(sentence.text);
        let cited: Vec<&SourceTexts> = used.iter().filter_map(|index| sources.get(*index)).collect();
        let where_to_look = if cited.is_empty() { sources.iter().collect() } else { cited };
        let missing = SourceTexts::joined(where_to_look).ungrounded(sentence.text);
        if !missing.is_empty() {
            let claims: Vec<String> = missing.iter().map(|claim| format!("“{}”", claim.text)).collect();
            let place = if used.is_empty() { "no article" } else { "no article that is cited for it" };
            problems.push(format!("{} stands in {place}", claims.join(", ")));
        }
        if problems.len() == 4 {
            break;
        }
    }
    check("grounding", (!problems.is_empty()).then(|| problems.join("; ")), || {
        "every figure and name stands in the article cited for it".to_owned()
    })
}
