//! The questions of runs on their way to the calls that follow them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use desk::{Question, QuestionKind, RunIdentity, Seq, UserAnswer, UserPrompt};
use tokio::sync::{mpsc, oneshot};

use crate::question_prompt::PendingQuestion;

/// So many questions of one run may wait; branches beside each other each ask one.
const MOST_WAITING: usize = 32;

/// Both ends for the questions of one run; the receiver until the call of the run has taken it.
struct Channel {
    sender: mpsc::Sender<PendingQuestion>,
    receiver: Option<mpsc::Receiver<PendingQuestion>>,
}

impl Default for Channel {
    fn default() -> Channel {
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        Channel { sender, receiver: Some(receiver) }
    }
}

/// The questions by run. A run may ask before its call listens.
pub(crate) struct RunQuestions {
    channels: Mutex<HashMap<String, Channel>>,
    may_raise_limits: bool,
}

impl RunQuestions {
    /// No questions yet; `may_raise_limits` where clients are asked about limits too.
    pub(crate) fn new(may_raise_limits: bool) -> RunQuestions {
        RunQuestions { channels: Mutex::default(), may_raise_limits }
    }

    /// Whether a client is asked. A program is not the person: what a tool may do, and what may be spent, was said when the
    /// server was started.
    fn asks_client(&self, kind: &QuestionKind) -> bool {
        match kind {
            QuestionKind::Permission { .. } => false,
            QuestionKind::Limit { .. } => self.may_raise_limits,
            _ => true,
        }
    }

    /// The questions of a run, for the one call that follows it.
    pub(crate) fn listen(&self, run: &str) -> mpsc::Receiver<PendingQuestion> {
        let taken = self.channels().entry(run.to_owned()).or_default().receiver.take();
        // Nobody else follows the run, so nobody has taken it.
        taken.unwrap_or_else(|| mpsc::channel(1).1)
    }

    /// Lets go of a run that nobody follows any more.
    pub(crate) fn forget(&self, run: &str) {
        self.channels().remove(run);
    }

    fn channels(&self) -> MutexGuard<'_, HashMap<String, Channel>> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl UserPrompt for RunQuestions {
    async fn ask(&self, run: &RunIdentity, _id: Seq, question: &Question) -> UserAnswer {
        if !self.asks_client(&question.kind) {
            return UserAnswer::NobodyThere;
        }
        let sender = self.channels().entry(run.0.clone()).or_default().sender.clone();
        let (reply, answer) = oneshot::channel();
        let _not_heard = sender.send(PendingQuestion { question: question.clone(), reply }).await;
        drop(sender);
        match answer.await {
            Ok(answer) => answer,
            // Whoever lets go of a question without an answer has stopped the run, which ends the waiting here.
            Err(_) => std::future::pending().await,
        }
    }
}
