//! `ExploreSearchResults`: reads the pages that the last search found.

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow, OnDemand};
use kernel::{Code, Delta, Error, Outline, Phrase, RESULT, StepRecord, phrase};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::EXECUTION_CONTEXT;
use crate::record::records;

/// Pages that are read if the step does not say how many.
const PAGES: usize = 2;
/// Most pages that are read at once.
const AT_ONCE: u32 = 4;
/// The tool whose results are read.
const SEARCH: &str = "WebSearchTool";

/// Reads pages of the last completed search, those first that match the goal of the step. The result contains their
/// texts, and the pages that could not be read.
pub struct ExploreSearchResults {
    outline: Outline,
    read: OnDemand,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    input: Exploration,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Exploration {
    pages_to_explore: Option<usize>,
    relevance_criteria: Option<String>,
}

#[derive(Clone, Deserialize)]
struct SearchHit {
    link: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    snippet: String,
}

impl ExploreSearchResults {
    /// Takes the agent on demand that reads one page: its item is `{ url }`, its result the text.
    pub fn new(outline: Outline, read: OnDemand) -> ExploreSearchResults {
        let children = vec![Outline { is_on_demand: true, ..read.agent.outline().clone() }];
        ExploreSearchResults { outline: Outline { children, ..outline }, read }
    }
}

#[async_trait]
impl Agent for ExploreSearchResults {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let Item { input } = cx.input()?;
        let carried_out = cx.value(EXECUTION_CONTEXT)?.unwrap_or_default();
        let mut found = found_last(carried_out.json_or_null())?;
        let words = words(input.relevance_criteria.as_deref().unwrap_or_default());
        // The stable sort keeps the order of the search among equals.
        found.sort_by_key(|found| std::cmp::Reverse(hits(found, &words)));
        found.truncate(input.pages_to_explore.unwrap_or(PAGES));
        let item = |found: &SearchHit| json!({ "url": found.link }).into();
        let started = found.iter().map(|found| (&self.read, item(found))).collect();
        let read = cx.run_all(started, Some(AT_ONCE)).await?;
        let (mut texts, mut failures) = (Vec::new(), Vec::new());
        for (SearchHit { link, .. }, end) in found.iter().zip(read) {
            match end.result {
                Ok(text) => {
                    let text = text.as_str().map_or_else(|| text.written(), str::to_owned);
                    texts.push(format!("Content from {link}:\n{text}\n---\n"));
                }
                Err(error) => failures.push((link, error.to_error())),
            }
        }
        if texts.is_empty() {
            let why = failures.iter().map(|(link, error)| {
                phrase!("{address}: {why}", address = link, why = (*error.phrase).clone())
            });
            let why = Phrase::sentences(why);
            return Err(
                Error::new(Code::ToolFailed, phrase!("None of the pages could be read. {why}", why)).into()
            );
        }
        texts
            .extend(failures.iter().map(|(link, error)| format!("{link} could not be read: {error}\n---\n")));
        cx.change(Delta::of(RESULT, json!(texts.concat()))).await?;
        Ok(Flow::Continue)
    }
}

/// The results of the last search.
fn found_last(carried_out: &Value) -> Result<Vec<SearchHit>, Error> {
    let records = records(carried_out);
    let searches = |record: &&StepRecord| record.step.tool_name == SEARCH && record.is_done();
    let Some(search) = records.iter().rfind(searches) else {
        let message = phrase!(
            "No search was completed before; put a `{tool}` step into an earlier stage",
            tool = SEARCH
        );
        return Err(Error::new(Code::BadInput, message));
    };
    let found: Vec<SearchHit> = Vec::deserialize(&search.result_data.0).unwrap_or_default();
    let found: Vec<SearchHit> = found.into_iter().filter(|found| !found.link.is_empty()).collect();
    if found.is_empty() {
        let step = search.step.step_id.clone();
        return Err(Error::new(
            Code::NotFound,
            phrase!("The search of `{step}` found no page to read", step),
        ));
    }
    Ok(found)
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// How many of the words occur in a result.
fn hits(found: &SearchHit, words: &[String]) -> usize {
    let text = format!("{} {}", found.title, found.snippet).to_lowercase();
    words.iter().filter(|word| text.contains(word.as_str())).count()
}
