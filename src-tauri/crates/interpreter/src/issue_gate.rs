//! Optional stages between a review and the rewrite: in the first one, the person decides on the issues; the second one
//! leaves the loop if every issue was dismissed, to save the rewrite. They are two stages because an agent sees the
//! state from its start, and the person's decisions are events while the first one waits.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow};
use kernel::{
    AgentKind, CallRange, Choice, Contract, DECISIONS, DISMISSED, Delta, Outline, PipelineDefinition,
    Question, QuestionKind, Value, form, phrase,
};

use serde_json::json;

use crate::issues::{are_dismissed, issues_in, undecided};

/// The only answer: the decisions are recorded as changes of the issues.
const REWRITE: &str = "rewrite";

pub(crate) struct IssueGate {
    outline: Outline,
    definition: Arc<PipelineDefinition>,
    issues_key: String,
}

/// Accepts the draft if every open issue was dismissed.
pub(crate) struct DismissedIssues {
    stage: IssueGate,
    /// Whether that ends a loop of drafts.
    is_in_loop: bool,
}

impl IssueGate {
    /// The stage with this name; `None` without a review desk.
    pub(crate) fn new(definition: &Arc<PipelineDefinition>, name: &str) -> Option<IssueGate> {
        IssueGate::stage(definition, name, DECISIONS, Contract::default())
    }

    fn stage(
        definition: &Arc<PipelineDefinition>,
        name: &str,
        title: &str,
        contract: Contract,
    ) -> Option<IssueGate> {
        let issues_key = definition.issues_key()?.to_owned();
        let outline = Outline {
            name: name.to_owned(),
            title: title.to_owned(),
            agent: AgentKind::Custom,
            contract: Contract { may_read: vec![issues_key.clone()], ..contract },
            stream: None,
            is_on_demand: false,
            calls: CallRange::default(),
            children: Vec::new(),
        };
        Some(IssueGate { outline, definition: definition.clone(), issues_key })
    }
}

impl DismissedIssues {
    /// The stage with this name; `None` without a review desk.
    pub(crate) fn new(
        definition: &Arc<PipelineDefinition>,
        name: &str,
        is_in_loop: bool,
    ) -> Option<DismissedIssues> {
        let writes = vec![definition.issues_key()?.to_owned()];
        let contract = Contract { writes, ..Contract::default() };
        let stage = IssueGate::stage(definition, name, DISMISSED, contract)?;
        Some(DismissedIssues { stage, is_in_loop })
    }
}

#[async_trait]
impl Agent for IssueGate {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        cx.value(&self.issues_key)?;
        let open = issues_in(&self.definition, cx.view()).map_or(0, |issues| undecided(&issues));
        if open > 0 {
            cx.ask_user(Question {
                kind: QuestionKind::Issues,
                text: phrase!(
                    "Issues to decide: {open}. Issues that are not dismissed go to the writer; when all are dismissed, the draft is taken as it is",
                    open
                ),
                choices: vec![Choice::new(REWRITE, form!("Go on"))],
                default: REWRITE.to_owned(),
                is_free: false,
                details: Value::default(),
            })
            .await?;
        }
        Ok(Flow::Continue)
    }
}

#[async_trait]
impl Agent for DismissedIssues {
    fn outline(&self) -> &Outline {
        &self.stage.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let IssueGate { definition, issues_key, .. } = &self.stage;
        cx.value(issues_key)?;
        let Some(mut issues) = issues_in(definition, cx.view()).filter(are_dismissed) else {
            return Ok(Flow::Continue);
        };
        issues.is_draft_accepted = true;
        cx.change(Delta::of(issues_key.clone(), json!(issues))).await?;
        Ok(if self.is_in_loop { Flow::ExitLoop } else { Flow::Continue })
    }
}
