//! Passes the questions of runs to the calls that follow them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use desk::{Question, QuestionKind, RunIdentity, Seq, UserAnswer, UserPrompt};
use tokio::sync::{mpsc, oneshot};

use crate::question_prompt::PendingQuestion;

/// Most waiting questions of one run; each concurrent branch asks at most one.
const MOST_WAITING: usize = 32;

/// Both ends of the channel for one run; the receiver until the run's call has taken it.
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
    /// Starts without questions; with `may_raise_limits`, clients are also asked about limits.
    pub(crate) fn new(may_raise_limits: bool) -> RunQuestions {
        RunQuestions { channels: Mutex::default(), may_raise_limits }
    }

    /// Whether a client is asked. A program cannot give the person's permissions: which tools may act, and how much may
    /// be spent, was decided when the server was started.
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
        // Only one call follows the run, so the receiver was not taken before.
        taken.unwrap_or_else(|| mpsc::channel(1).1)
    }

    /// Removes a run that no call follows any more.
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
            // A question that is dropped without an answer belongs to a stopped run, which ends this wait.
            Err(_) => std::future::pending().await,
        }
    }
}
