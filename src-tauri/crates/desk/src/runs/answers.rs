//! Who answers the questions of a run: the person at a window or terminal, their defaults, or nobody.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use engine::{UserAnswer, UserPrompt};
use kernel::{Question, RunId};
use tokio::sync::{oneshot, watch};

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

type Asked = (Question, oneshot::Sender<String>);

/// Questions that wait for an answer in this process.
pub(crate) struct Answers {
    question_policy: QuestionPolicy,
    pulse: Arc<watch::Sender<()>>,
    /// By run, the latest last: branches that run beside each other may each ask.
    waiting: Mutex<HashMap<RunId, Vec<Asked>>>,
}

impl Answers {
    /// `pulse` is moved whenever a run asks.
    pub(crate) fn new(question_policy: QuestionPolicy, pulse: Arc<watch::Sender<()>>) -> Answers {
        Answers { question_policy, pulse, waiting: Mutex::default() }
    }

    /// The question a run waits with, if it does: the latest.
    pub(crate) fn open_question(&self, run: &RunId) -> Option<Question> {
        let waiting = self.waiting();
        let asked = waiting.get(run)?;
        asked.iter().rfind(|(_, sender)| !sender.is_closed()).map(|(question, _)| question.clone())
    }

    /// Answers the latest question of a run. False when it waits for none in this process.
    pub(crate) fn answer(&self, run: &RunId, value: String) -> bool {
        let mut waiting = self.waiting();
        let Some(asked) = waiting.get_mut(run) else { return false };
        // Of a run that was stopped nobody waits any more.
        asked.retain(|(_, sender)| !sender.is_closed());
        let latest = asked.pop();
        if asked.is_empty() {
            waiting.remove(run);
        }
        latest.is_some_and(|(_, sender)| sender.send(value).is_ok())
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

    async fn ask(&self, run: &RunId, question: &Question) -> UserAnswer {
        match &self.question_policy {
            QuestionPolicy::Nobody => UserAnswer::NobodyThere,
            QuestionPolicy::Defaults => UserAnswer::Chosen(question.default.clone()),
            QuestionPolicy::Other(user_prompt) => user_prompt.ask(run, question).await,
            QuestionPolicy::Window => {
                let (sender, receiver) = oneshot::channel();
                self.waiting().entry(run.clone()).or_default().push((question.clone(), sender));
                self.pulse.send_replace(());
                receiver.await.map_or(UserAnswer::NobodyThere, UserAnswer::Chosen)
            }
        }
    }
}
