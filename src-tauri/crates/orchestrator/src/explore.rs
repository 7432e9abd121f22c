//! `ExploreSearchResults`: reads the pages that the last search found.

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow, OnDemand};
use kernel::{Code, Delta, Error, Outline, Phrase, RESULT, StepRecord, phrase};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::EXECUTION_CONTEXT;
use crate::record::records;

/// So many pages are read where the step does not say.
const PAGES: usize = 2;
/// Pages that are read at once.
const AT_ONCE: u32 = 4;
/// The tool whose results are read.
const SEARCH: &str = "WebSearchTool";

/// Reads pages of the last search that was completed, those first that fit what the step is after; comes to their texts one
/// below the other, with those that could not be read.
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
struct Found {
    link: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    snippet: String,
}

impl ExploreSearchResults {
    /// With the agent on demand that reads one page: its item is `{ url }`, its result the text.
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
        // Equal ones stay in the order of the search.
        found.sort_by_key(|found| std::cmp::Reverse(hits(found, &words)));
        found.truncate(input.pages_to_explore.unwrap_or(PAGES));
        let item = |found: &Found| json!({ "url": found.link }).into();
        let started = found.iter().map(|found| (&self.read, item(found))).collect();
        let read = cx.run_all(started, Some(AT_ONCE)).await?;
        let (mut texts, mut failures) = (Vec::new(), Vec::new());
        for (Found { link, .. }, end) in found.iter().zip(read) {
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

/// What the last search found.
fn found_last(carried_out: &Value) -> Result<Vec<Found>, Error> {
    let records = records(carried_out);
    let searches = |record: &&StepRecord| record.step.tool_name == SEARCH && record.is_done();
    let Some(search) = records.iter().rfind(searches) else {
        let message = phrase!(
            "No search was completed before; put a `{tool}` step into an earlier stage",
            tool = SEARCH
        );
        return Err(Error::new(Code::BadInput, message));
    };
    let found: Vec<Found> = Vec::deserialize(&search.result_data.0).unwrap_or_default();
    let found: Vec<Found> = found.into_iter().filter(|found| !found.link.is_empty()).collect();
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

/// How many of the words a result says.
fn hits(found: &Found, words: &[String]) -> usize {
    let text = format!("{} {}", found.title, found.snippet).to_lowercase();
    words.iter().filter(|word| text.contains(word.as_str())).count()
}
