//! How the questions of a run are answered: by the person at a window or terminal, with defaults, or not at all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use engine::{UserAnswer, UserPrompt};
use kernel::{Question, QuestionKind, RunId, Seq, Value};
use tokio::sync::{oneshot, watch};

use crate::accounts::permissions::SavedRules;

/// The policy for questions.
#[derive(Clone, Default)]
pub enum QuestionPolicy {
    /// A person at a window answers with a command.
    Window,
    /// Every question is answered with its default.
    Defaults,
    /// Another prompt answers, such as a terminal.
    Other(Arc<dyn UserPrompt>),
    /// No person is there.
    #[default]
    Nobody,
}

/// An open question of a run, with the channel to the agent that asks.
struct OpenQuestion {
    id: Seq,
    question: Question,
    sender: oneshot::Sender<Value>,
}

/// The open questions of this process.
pub(crate) struct Answers {
    question_policy: QuestionPolicy,
    pulse: Arc<watch::Sender<()>>,
    rules: Arc<SavedRules>,
    /// By run: concurrent branches may each ask.
    waiting: Mutex<HashMap<RunId, Vec<OpenQuestion>>>,
}

impl Answers {
    /// `pulse` is notified whenever a run asks.
    pub(crate) fn new(
        question_policy: QuestionPolicy,
        pulse: Arc<watch::Sender<()>>,
        rules: Arc<SavedRules>,
    ) -> Answers {
        Answers { question_policy, pulse, rules, waiting: Mutex::default() }
    }

    /// The open questions of a run, in the order in which they were asked.
    pub(crate) fn open_questions(&self, run: &RunId) -> Vec<(Seq, Question)> {
        let waiting = self.waiting();
        // In a stopped run, no agent waits for the answer.
        let open = waiting.get(run).into_iter().flatten().filter(|asked| !asked.sender.is_closed());
        open.map(|asked| (asked.id, asked.question.clone())).collect()
    }

    /// Whether a run has an open question.
    pub(crate) fn is_asking(&self, run: &RunId) -> bool {
        !self.open_questions(run).is_empty()
    }

    /// The runs with open questions.
    pub(crate) fn runs_with_questions(&self) -> Vec<RunId> {
        let runs: Vec<RunId> = self.waiting().keys().cloned().collect();
        runs.into_iter().filter(|run| self.is_asking(run)).collect()
    }

    /// Answers a question of a run. False when no agent of this process waits for this question.
    pub(crate) fn answer(&self, run: &RunId, id: Seq, value: Value) -> bool {
        let mut waiting = self.waiting();
        let Some(asked) = waiting.get_mut(run) else { return false };
        asked.retain(|asked| !asked.sender.is_closed());
        let place = asked.iter().position(|asked| asked.id == id);
        let answered = place.map(|place| asked.remove(place));
        if asked.is_empty() {
            waiting.remove(run);
        }
        answered.is_some_and(|asked| asked.sender.send(value).is_ok())
    }

    /// Saves the rule of an answer that always allows a tool. If that fails, the tool is still allowed in this run.
    pub(crate) fn keep_rule(&self, question: &Question, answer: &Value) {
        if let Some(asked) = engine::always_allowed(question, answer)
            && let Err(error) = self.rules.allow(&asked)
        {
            tracing::warn!(%error, "what is always allowed from now on is not kept");
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<RunId, Vec<OpenQuestion>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl UserPrompt for Answers {
    fn is_present(&self) -> bool {
        match self.question_policy {
            QuestionPolicy::Window | QuestionPolicy::Other(_) => true,
            QuestionPolicy::Defaults | QuestionPolicy::Nobody => false,
        }
    }

    async fn ask(&self, run: &RunId, id: Seq, question: &Question) -> UserAnswer {
        match &self.question_policy {
            QuestionPolicy::Nobody => UserAnswer::NobodyThere,
            // A policy of defaults must not grant permissions.
            QuestionPolicy::Defaults if matches!(question.kind, QuestionKind::Permission { .. }) => {
                UserAnswer::NobodyThere
            }
            QuestionPolicy::Defaults => UserAnswer::Chosen(Value::text(&question.default)),
            QuestionPolicy::Other(user_prompt) => {
                let answer = user_prompt.ask(run, id, question).await;
                if let UserAnswer::Chosen(value) = &answer {
                    self.keep_rule(question, value);
                }
                answer
            }
            QuestionPolicy::Window => {
                let (sender, receiver) = oneshot::channel();
                let asked = OpenQuestion { id, question: question.clone(), sender };
                self.waiting().entry(run.clone()).or_default().push(asked);
                self.pulse.send_replace(());
                receiver.await.map_or(UserAnswer::NobodyThere, UserAnswer::Chosen)
            }
        }
    }
}
