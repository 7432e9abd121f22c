//! Who answers the questions of a run: the person at a window or terminal, their defaults, or nobody.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use engine::{UserAnswer, UserPrompt};
use kernel::{Question, QuestionKind, RunId, Seq, Value};
use tokio::sync::{oneshot, watch};

use crate::runs::permissions::SavedRules;

/// How questions are answered.
#[derive(Clone, Default)]
pub enum QuestionPolicy {
    /// Somebody sits at a window and answers with a command.
    Window,
    /// Every question is answered with its default.
    Defaults,
    /// Somebody else answers, a terminal say.
    Other(Arc<dyn UserPrompt>),
    /// Nobody is there.
    #[default]
    Nobody,
}

/// A question of a run of this process, with the way back to the agent that asks.
struct Asked {
    id: Seq,
    question: Question,
    sender: oneshot::Sender<Value>,
}

/// Questions that wait for an answer in this process.
pub(crate) struct Answers {
    question_policy: QuestionPolicy,
    pulse: Arc<watch::Sender<()>>,
    rules: Arc<SavedRules>,
    /// By run: branches that run beside each other may each ask.
    waiting: Mutex<HashMap<RunId, Vec<Asked>>>,
}

impl Answers {
    /// `pulse` is moved whenever a run asks.
    pub(crate) fn new(
        question_policy: QuestionPolicy,
        pulse: Arc<watch::Sender<()>>,
        rules: Arc<SavedRules>,
    ) -> Answers {
        Answers { question_policy, pulse, rules, waiting: Mutex::default() }
    }

    /// The questions that a run asks at a window, in the order in which they were asked.
    pub(crate) fn open_questions(&self, run: &RunId) -> Vec<(Seq, Question)> {
        let waiting = self.waiting();
        // Of a run that was stopped nobody waits any more.
        let open = waiting.get(run).into_iter().flatten().filter(|asked| !asked.sender.is_closed());
        open.map(|asked| (asked.id, asked.question.clone())).collect()
    }

    /// Whether a run asks something at a window.
    pub(crate) fn is_asking(&self, run: &RunId) -> bool {
        !self.open_questions(run).is_empty()
    }

    /// The runs that ask something at a window.
    pub(crate) fn asking(&self) -> Vec<RunId> {
        let runs: Vec<RunId> = self.waiting().keys().cloned().collect();
        runs.into_iter().filter(|run| self.is_asking(run)).collect()
    }

    /// Answers a question of a run. False when it waits for none of this number in this process.
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

    /// Keeps the rule of an answer that allows something always. It is allowed in this run all the same where the rule
    /// cannot be kept.
    pub(crate) fn keep_rule(&self, question: &Question, answer: &Value) {
        if let Some(asked) = engine::always_allowed(question, answer)
            && let Err(error) = self.rules.allow(&asked)
        {
            tracing::warn!(%error, "what is always allowed from now on is not kept");
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<RunId, Vec<Asked>>> {
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
            // Who lets every question take its default has allowed nothing with it.
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
                let asked = Asked { id, question: question.clone(), sender };
                self.waiting().entry(run.clone()).or_default().push(asked);
                self.pulse.send_replace(());
                receiver.await.map_or(UserAnswer::NobodyThere, UserAnswer::Chosen)
            }
        }
    }
}
