//! The keys of AI News and the shapes of their values.

use std::borrow::Cow;

use kernel::{Key, KeyDeclaration, Role};
use prose::{count_words, sources_used};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const MANAGER: &str = "AiNewsPipelineManager";
pub(crate) const SEARCHER: &str = "ai_news_searcher";
pub(crate) const WRITER: &str = "ai_news_writer";
pub(crate) const REVIEWER: &str = "ai_news_reviewer";

/// What is published when nothing was found or nothing may be published, word for word.
pub(crate) const FALLBACK: &str = "No recent AI news found on this topic.";
pub(crate) const WINDOW_DAYS: u32 = 30;
pub(crate) const MOST_ARTICLES: usize = 5;
pub(crate) const MOST_WORDS: usize = 200;

const fn word(text: &'static str) -> Cow<'static, str> {
    Cow::Borrowed(text)
}

pub(crate) const USER_TOPIC: Key<String> = Key::new("user_topic", "Topic", Role::Input);
pub(crate) const SEARCH_HITS: Key<SearchHits> = Key::new("search_hits", "What the search found", Role::Data);
pub(crate) const SEARCH_RESULTS: Key<SearchResults> =
    Key::new("search_results", "Articles", Role::Sources { items: word("articles") });
pub(crate) const DRAFT_POST: Key<DraftPost> = Key::new(
    "draft_post",
    "Draft",
    Role::Draft { edit: word("post_markdown"), words: word("word_count"), word_limit: MOST_WORDS as u32 },
);
pub(crate) const DRAFT_CHECKS: Key<Vec<Check>> = Key::new("draft_checks", "Checks", Role::Checks);
pub(crate) const REVIEW_FEEDBACK: Key<ReviewFeedback> = Key::new(
    "review_feedback",
    "Review",
    Role::Review {
        notes: word("review_notes"),
        issues: word("issues_found"),
        ready: word("ready_for_publish"),
    },
);
pub(crate) const FINAL_POST: Key<String> = Key::new("final_post", "Final text", Role::Final);
pub(crate) const FINAL_REMARK: Key<String> = Key::new("final_remark", "Remark on the post", Role::Remark);

/// All keys in display order.
pub(crate) fn declarations() -> Vec<KeyDeclaration> {
    vec![
        USER_TOPIC.declare(schema::<String>()),
        SEARCH_HITS.declare(schema::<SearchHits>()),
        SEARCH_RESULTS.declare(schema::<SearchResults>()),
        DRAFT_POST.declare(schema::<DraftPost>()),
        DRAFT_CHECKS.declare(schema::<Vec<Check>>()),
        REVIEW_FEEDBACK.declare(schema::<ReviewFeedback>()),
        FINAL_POST.declare(schema::<String>()),
        FINAL_REMARK.declare(schema::<String>()),
    ]
}

fn schema<T: JsonSchema>() -> serde_json::Value {
    schemars::schema_for!(T).to_value()
}

/// One thing the search found, as its source gave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct FoundText {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) source: String,
    pub(crate) published: String,
    pub(crate) text: String,
}

/// Everything the one search found, with the window it searched (both days included).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SearchHits {
    pub(crate) from: String,
    pub(crate) until: String,
    pub(crate) hits: Vec<FoundText>,
    /// What could not be reached or was left out, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
    /// What the services want shown beside what they found, as the search gave it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) attributions: Vec<serde_json::Value>,
}

/// An article that may be cited: its place in the list, from 1, is its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Article {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) source: String,
    pub(crate) published: String,
    pub(crate) summary: String,
    pub(crate) ai_relevance: String,
    pub(crate) confidence: String,
}

/// What the searcher hands to the writer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SearchResults {
    pub(crate) articles: Vec<Article>,
    pub(crate) search_window_days: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// What the services want shown beside the articles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) attributions: Vec<serde_json::Value>,
}

/// A draft. `sources_used` counts from 0; it and `word_count` are counted by code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct DraftPost {
    pub(crate) post_markdown: String,
    #[serde(default)]
    pub(crate) sources_used: Vec<usize>,
    #[serde(default)]
    pub(crate) word_count: usize,
}

impl DraftPost {
    /// A text with what code counts of it.
    pub(crate) fn of(post_markdown: String) -> DraftPost {
        DraftPost {
            sources_used: sources_used(&post_markdown),
            word_count: count_words(&post_markdown),
            post_markdown,
        }
    }
}

/// A review. `ready_for_publish` is the model's word and the checks' together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ReviewFeedback {
    pub(crate) review_notes: String,
    pub(crate) issues_found: Vec<String>,
    pub(crate) revised_post_markdown: String,
    pub(crate) ready_for_publish: bool,
}

/// One check of code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Check {
    pub(crate) name: String,
    pub(crate) passed: bool,
    pub(crate) detail: String,
}
