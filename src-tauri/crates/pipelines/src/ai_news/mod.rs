//! AI News (seed 000): search, write, review, and one rewrite.
//!
//! The manager is deterministic; what the model says of its own work is checked by code.

mod checks;
mod instructions;
mod keys;
mod manager;
mod material;
mod reviewer;
mod searcher;
mod words;
mod writer;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use engine::Agent;
use indexmap::IndexMap;
use kernel::{Code, Delta, Error, InputDeclaration, Limits, State, ToolSlot, Value};

use serde::de::DeserializeOwned;

use crate::template::one_line;
use crate::{AgentSetup, Description, Input, LimitPreset, Pipeline, SEARCH, Setup};
use keys::{
    DRAFT_CHECKS, DRAFT_POST, DraftPost, FINAL_POST, FINAL_REMARK, MOST_ARTICLES, REVIEW_FEEDBACK, REVIEWER,
    ReviewFeedback, SEARCH_HITS, SEARCH_RESULTS, SEARCHER, SearchHits, SearchResults, USER_TOPIC,
    WINDOW_DAYS, WRITER,
};

/// Model calls of the whole way: search, write, review, rewrite, review again.
const WHOLE_WAY: u32 = 5;

/// What it is for.
const PURPOSE: &str = "A post of at most 200 words on what is new in a topic of AI, with citations, reviewed before it is published.";
const TOPIC_HELP: &str = "What the news should be about, in a few words.";
/// What the preset of fewer calls means.
const STRICT: &str = "Four model calls, as the first plan had it. A rejected draft is rewritten, but the rewritten text cannot be reviewed again.";

/// Most bytes of one hit in a message: a source's text is cut at 4000 characters.
const HIT_BYTES: u32 = 4600;
/// Most bytes of a draft with its notes and checks in a message.
const DRAFT_BYTES: u32 = 6000;

/// The pipeline `ai-news`.
pub(crate) struct AiNews {
    description: Description,
    /// Trees by their search tool: an agent keeps nothing of a run, so all runs share them.
    trees: Mutex<BTreeMap<String, Arc<dyn Agent>>>,
}

impl AiNews {
    pub(crate) fn new() -> AiNews {
        let limits = Limits {
            max_llm_calls: Some(WHOLE_WAY + 2),
            max_output_tokens: Some(2048),
            max_execution_time_s: Some(90.0),
            ..Limits::default()
        };
        let agent = |name: &str, instruction: &str, model_role: &str, temperature, hits| AgentSetup {
            name: String::from(name),
            instruction: instruction.to_owned(),
            model_role: String::from(model_role),
            temperature,
            material_bytes: hits * HIT_BYTES + DRAFT_BYTES,
            most_calls: if model_role == "search" { 2 } else { 4 },
        };
        AiNews {
            trees: Mutex::default(),
            description: Description {
                id: "ai-news".into(),
                title: "AI News".into(),
                purpose: PURPOSE.into(),
                inputs: vec![Input {
                    key: USER_TOPIC.name.into(),
                    declaration: InputDeclaration {
                        help: TOPIC_HELP.into(),
                        example: "retrieval-augmented generation".into(),
                        max_bytes: 2000,
                        ..InputDeclaration::titled(USER_TOPIC.title)
                    },
                }],
                keys: keys::declarations(),
                tools: IndexMap::from([(SEARCH.to_owned(), ToolSlot::of(SEARCH))]),
                window_days: Some(WINDOW_DAYS),
                presets: vec![LimitPreset {
                    name: "strict".into(),
                    description: STRICT.into(),
                    limits: Limits { max_llm_calls: Some(4), ..limits.clone() },
                }],
                limits,
                agents: vec![
                    agent(REVIEWER, instructions::REVIEW, "review", 0.2, MOST_ARTICLES as u32),
                    agent(SEARCHER, instructions::SEARCH, "search", 0.3, searcher::HITS),
                    agent(WRITER, instructions::WRITE, "write", 0.4, MOST_ARTICLES as u32),
                ],
                notes: words::notes(),
                catalogues: words::catalogues(),
            },
        }
    }
}

/// A value as what its key holds.
fn of_shape<T: DeserializeOwned>(key: &str, value: &Value) -> Result<T, Error> {
    T::deserialize(value.json_or_null())
        .map_err(|error| Error::new(Code::BadInput, format!("`{key}` must keep its shape: {error}")))
}

/// Refuses what no agent could read under this key, and the checks, which nobody writes but code.
fn shaped(key: &str, value: &Value) -> Result<(), Error> {
    match key {
        key if key == DRAFT_CHECKS.name => {
            let message = format!("`{key}` is counted by the program; change the draft instead");
            Err(Error::new(Code::BadInput, message))
        }
        key if key == REVIEW_FEEDBACK.name => of_shape::<ReviewFeedback>(key, value).map(drop),
        key if key == SEARCH_HITS.name => of_shape::<SearchHits>(key, value).map(drop),
        key if key == SEARCH_RESULTS.name => of_shape::<SearchResults>(key, value).map(drop),
        key if key == FINAL_REMARK.name => of_shape::<Option<String>>(key, value).map(drop),
        key => of_shape::<String>(key, value).map(drop),
    }
}

impl Pipeline for AiNews {
    fn describe(&self) -> &Description {
        &self.description
    }

    fn tree(&self, setup: &Setup) -> Result<Arc<dyn Agent>, Error> {
        let tool = setup.tools.get(SEARCH).map(|tool| tool.name.clone()).ok_or_else(|| {
            Error::new(Code::BadInput, "AI News needs a search source; name one, for example `library`")
        })?;
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tree) = trees.get(&tool) {
            return Ok(tree.clone());
        }
        let searcher = searcher::Searcher::new(tool.clone())?;
        let tree: Arc<dyn Agent> =
            Arc::new(manager::Manager::new(searcher, writer::writer()?, reviewer::reviewer()?));
        trees.insert(tool, tree.clone());
        Ok(tree)
    }

    fn title(&self, inputs: &BTreeMap<String, Value>) -> String {
        one_line(inputs.get(USER_TOPIC.name).and_then(Value::as_str).unwrap_or_default())
    }

    fn edited(&self, state: &State, key: &str, value: Value) -> Result<Delta, Error> {
        let published = state.get(FINAL_POST.name).and_then(Value::as_str).unwrap_or_default();
        let draft: Option<DraftPost> = checks::read(state, DRAFT_POST.name);
        let is_draft = draft.is_some_and(|draft| draft.post_markdown == published);
        if key == FINAL_POST.name && is_draft {
            // The draft is what was published: the two stay one text, with its checks.
            let text = value.as_str().unwrap_or_default().to_owned();
            return Ok(checks::draft_delta(state, &DraftPost::of(text)).with(key, value));
        }
        if key != DRAFT_POST.name {
            shaped(key, &value)?;
            let change = Delta::of(key, value);
            let draft: Option<DraftPost> = checks::read(state, DRAFT_POST.name);
            let Some(draft) = draft.filter(|_| [SEARCH_HITS.name, SEARCH_RESULTS.name].contains(&key)) else {
                return Ok(change);
            };
            // Other articles make other checks of the same draft.
            let mut changed = state.clone();
            changed.apply(&change);
            let found = checks::of_state(&changed, &draft.post_markdown);
            return Ok(change.with(DRAFT_CHECKS.name, serde_json::to_value(found).unwrap_or_default()));
        }
        let draft: DraftPost = of_shape(key, &value)?;
        let text = draft.post_markdown.clone();
        let delta = checks::draft_delta(state, &DraftPost::of(draft.post_markdown));
        // What is published is what the person left: an edit after the end is what gets exported.
        Ok(if published.is_empty() { delta } else { delta.with(FINAL_POST.name, Value::text(text)) })
    }

    fn remarks(&self, limits: &Limits) -> Vec<String> {
        let Some(most) = limits.max_llm_calls else { return Vec::new() };
        let mut remarks = Vec::new();
        if most < 3 {
            remarks.push(format!(
                "With {most} model calls the draft cannot be reviewed: search, writing and review need 3."
            ));
        } else if most < WHOLE_WAY {
            remarks.push(format!(
                "With {most} model calls a rejected draft cannot be rewritten and reviewed again: the whole way needs {WHOLE_WAY}."
            ));
        }
        remarks
    }
}

#[cfg(test)]
mod tests;
