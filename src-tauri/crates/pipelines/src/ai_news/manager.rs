//! The manager: deterministic, no model of its own. Every way a run can end is decided here.

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow, LlmAgent};
use kernel::{AgentKind, CallRange, Contract, Delta, Note, Outline};
use serde_json::json;

use super::keys::{
    DRAFT_POST, FALLBACK, FINAL_POST, FINAL_REMARK, MANAGER, REVIEW_FEEDBACK, REVIEWER, SEARCH_HITS,
    SEARCH_RESULTS, SearchHits, WRITER,
};
use super::reviewer::publishable;
use super::searcher::Searcher;

const NOT_REVIEWED: &str = "not reviewed";
const NOT_REWRITTEN: &str = "reviewed with open issues, not rewritten";
const NOT_REVIEWED_AGAIN: &str = "rewritten, not reviewed again";
const REJECTED: &str = "The drafts were rejected by the review; the notes and both drafts stand beside this.";
const UNREADABLE_REVIEW: &str =
    "The review could not be read; the draft and the raw review stand beside this.";

pub(crate) struct Manager {
    outline: Outline,
    searcher: Searcher,
    writer: LlmAgent,
    reviewer: LlmAgent,
}

impl Manager {
    pub(crate) fn new(searcher: Searcher, writer: LlmAgent, reviewer: LlmAgent) -> Manager {
        let children: Vec<Outline> =
            vec![searcher.outline().clone(), writer.outline().clone(), reviewer.outline().clone()];
        let outline = Outline {
            name: MANAGER.to_owned(),
            title: "AI News".to_owned(),
            agent: AgentKind::Custom,
            contract: Contract::new(
                &[],
                &[SEARCH_RESULTS.name, SEARCH_HITS.name, DRAFT_POST.name, REVIEW_FEEDBACK.name],
                &[FINAL_POST.name, FINAL_REMARK.name],
            ),
            stream: None,
            // At best each speaks once; at most the writer and the reviewer speak twice, each answer repaired once.
            calls: CallRange { least: 3, most: 10 },
            children,
        };
        Manager { outline, searcher, writer, reviewer }
    }
}

#[async_trait]
impl Agent for Manager {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        if let Err(error) = cx.run(&self.searcher).await {
            let is_passed_on = error.stops_run()
                || matches!(error, AgentError::Limit { .. })
                || cx.find(&SEARCH_RESULTS)?.is_none();
            if is_passed_on {
                return Err(error);
            }
            // The tool failed: the run ends well, with the fallback and the error beside it.
            cx.report(error.to_error());
            return self.nothing_found(cx, "search_failed", None).await;
        }
        if cx.get(&SEARCH_RESULTS)?.articles.is_empty() {
            let remark = cx.find(&SEARCH_HITS)?.and_then(|hits| left_out(&hits));
            return self.nothing_found(cx, "nothing_found", remark.as_deref()).await;
        }
        cx.run(&self.writer).await?;
        if let Some(flow) = self.review(cx, NOT_REVIEWED).await? {
            return Ok(flow);
        }
        cx.note(Note::decision("rewrite", json!({})))?;
        if let Err(error) = cx.run(&self.writer).await {
            return self.best_so_far(cx, error, NOT_REWRITTEN).await;
        }
        if let Some(flow) = self.review(cx, NOT_REVIEWED_AGAIN).await? {
            return Ok(flow);
        }
        cx.note(Note::decision("rejected", json!({})))?;
        cx.surface(published(FALLBACK, Some(REJECTED))).await?;
        Ok(Flow::Continue)
    }
}

impl Manager {
    /// Lets the draft be reviewed. `None` when it is to be rewritten.
    async fn review(&self, cx: &mut Cx, mark: &str) -> Result<Option<Flow>, AgentError> {
        match cx.run(&self.reviewer).await {
            Ok(_) => {}
            Err(AgentError::Malformed { .. }) => {
                cx.note(Note::decision("unreadable_review", json!({})))?;
                cx.surface(published(FALLBACK, Some(UNREADABLE_REVIEW))).await?;
                return Ok(Some(Flow::Continue));
            }
            Err(error) => return self.best_so_far(cx, error, mark).await.map(Some),
        }
        let feedback = cx.get(&REVIEW_FEEDBACK)?;
        // The draft and the sources are what the verdict is about: they count as read.
        cx.get(&DRAFT_POST)?;
        let text = publishable(cx.view(), &feedback).filter(|_| feedback.ready_for_publish);
        let Some((text, which)) = text else { return Ok(None) };
        cx.note(Note::decision(which, json!({})))?;
        cx.change(published(&text, None)).await?;
        Ok(Some(Flow::Continue))
    }

    async fn nothing_found(&self, cx: &mut Cx, why: &str, remark: Option<&str>) -> Result<Flow, AgentError> {
        cx.note(Note::decision(why, json!({})))?;
        cx.note(Note::Skipped { agents: vec![WRITER.to_owned(), REVIEWER.to_owned()] })?;
        cx.change(published(FALLBACK, remark)).await?;
        Ok(Flow::Continue)
    }

    /// A limit ends the run with the best draft, marked for what it is; any other failure is passed on.
    async fn best_so_far(&self, cx: &mut Cx, error: AgentError, mark: &str) -> Result<Flow, AgentError> {
        if let AgentError::Limit { .. } = &error
            && let Some(draft) = cx.find(&DRAFT_POST)?
        {
            cx.note(Note::decision("best_draft", json!({})))?;
            cx.change(published(&draft.post_markdown, Some(mark))).await?;
        }
        Err(error)
    }
}

/// What the search could not reach or left out, for whoever wonders why nothing was found.
fn left_out(hits: &SearchHits) -> Option<String> {
    let sentences: Vec<String> =
        hits.notes.iter().map(|note| format!("{}.", note.trim_end_matches('.'))).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn published(text: &str, remark: Option<&str>) -> Delta {
    let remark = remark.map_or(serde_json::Value::Null, |remark| json!(remark));
    Delta::of(FINAL_POST.name, json!(text)).with(FINAL_REMARK.name, remark)
}
