//! Who answers the questions of a run: the person at a window or terminal, their defaults, or nobody.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use engine::{Asker, Reply};
use kernel::{Question, RunId};
use tokio::sync::{oneshot, watch};

/// How questions are answered.
#[derive(Clone, Default)]
pub enum Manner {
    /// Somebody sits at a window and answers with a command.
    Window,
    /// Every question is answered with its default.
    Defaults,
    /// Somebody else answers, a terminal say.
    Other(Arc<dyn Asker>),
    /// Nobody is there.
    #[default]
    Nobody,
}

/// Questions that wait for an answer in this process.
pub(crate) struct Answers {
    manner: Manner,
    pulse: Arc<watch::Sender<()>>,
    waiting: Mutex<HashMap<RunId, (Question, oneshot::Sender<String>)>>,
}

impl Answers {
    /// `pulse` is moved whenever a run asks.
    pub(crate) fn new(manner: Manner, pulse: Arc<watch::Sender<()>>) -> Answers {
        Answers { manner, pulse, waiting: Mutex::default() }
    }

    /// The question a run waits with, if it does.
    pub(crate) fn open_question(&self, run: &RunId) -> Option<Question> {
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(run)
            .map(|(question, _)| question.clone())
    }

    /// Answers the question of a run. False when it waits for none in this process.
    pub(crate) fn answer(&self, run: &RunId, value: String) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(run);
        waiting.is_some_and(|(_, sender)| sender.send(value).is_ok())
    }
}

#[async_trait]
impl Asker for Answers {
    async fn ask(&self, run: &RunId, question: &Question) -> Reply {
        match &self.manner {
            Manner::Nobody => Reply::NobodyThere,
            Manner::Defaults => Reply::Chosen(question.default.clone()),
            Manner::Other(asker) => asker.ask(run, question).await,
            Manner::Window => {
                let (sender, receiver) = oneshot::channel();
                let waits = (question.clone(), sender);
                self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(run.clone(), waits);
                self.pulse.send_replace(());
                receiver.await.map_or(Reply::NobodyThere, Reply::Chosen)
            }
        }
    }
}
