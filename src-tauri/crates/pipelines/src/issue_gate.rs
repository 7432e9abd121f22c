//! The stage between a review and the rewrite at which the person decides the issues, where a run is set so. What they
//! decide while it waits are events of theirs, which the writer sees when it starts.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow};
use kernel::{
    AgentKind, CallRange, Choice, Contract, DECISIONS, Outline, PipelineDefinition, Question, QuestionKind,
    Value, form, phrase,
};

use crate::issues::{issues_in, undecided};

/// The only answer: the decisions are what is done to the issues.
const REWRITE: &str = "rewrite";

pub(crate) struct IssueGate {
    outline: Outline,
    definition: Arc<PipelineDefinition>,
    issues_key: String,
}

impl IssueGate {
    /// The stage of this name; nothing where there is no review desk.
    pub(crate) fn new(definition: &Arc<PipelineDefinition>, name: &str) -> Option<IssueGate> {
        let issues_key = definition.issues_key()?.to_owned();
        let contract = Contract { may_read: vec![issues_key.clone()], ..Contract::default() };
        let outline = Outline {
            name: name.to_owned(),
            title: DECISIONS.to_owned(),
            agent: AgentKind::Custom,
            contract,
            stream: None,
            calls: CallRange::default(),
            children: Vec::new(),
        };
        Some(IssueGate { outline, definition: definition.clone(), issues_key })
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
                    "Issues to decide before the rewrite: {open}. Accept, dismiss or answer each; what is not dismissed goes to the writer",
                    open
                ),
                choices: vec![Choice { value: REWRITE.to_owned(), label: form!("Rewrite the draft now").into() }],
                default: REWRITE.to_owned(),
                is_free: false,
                details: Value::default(),
            })
            .await?;
        }
        Ok(Flow::Continue)
    }
}
