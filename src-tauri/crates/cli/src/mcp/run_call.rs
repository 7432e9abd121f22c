//! The run of one call of a tool, followed by its steps.

use std::collections::VecDeque;
use std::sync::Arc;

use desk::api::StartRun;
use desk::{ApiError, Desk, Event, RunEnd, RunHandle, Seq, UserAnswer};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, broadcast, mpsc, watch};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::client::Client;
use super::run_questions::RunQuestions;
use super::waiting_calls::ANSWER_WITHIN;
use crate::progress::StageTitles;
use crate::question_prompt::PendingQuestion;
use crate::run_follower::{disk_words, stored};

/// What happens next in a run.
pub(crate) enum Step {
    /// There is something to tell: the stage that begins, with its round, or that the disk takes nothing.
    Told(String),
    /// It asks something.
    Asked(PendingQuestion),
    /// It came to its end.
    Ended(RunEnd),
}

/// What following a call comes to.
pub(crate) enum Followed {
    /// Its run came to its end.
    Ended(RunEnd),
    /// It asks something, and the answer comes with a request of its own.
    Asks(PendingQuestion),
}

/// What came in place of an answer.
enum Unanswered {
    /// The run is to be stopped.
    Stopped,
    /// What it asks came of itself.
    NotNeeded,
    TimeOver,
}

/// A run that a call began. Whoever drops it before its end stops the run.
pub(crate) struct RunCall {
    pub(crate) handle: RunHandle,
    pub(crate) pipeline: String,
    desk: Desk,
    asking: Arc<RunQuestions>,
    titles: StageTitles,
    questions: mpsc::Receiver<PendingQuestion>,
    live: broadcast::Receiver<Arc<Event>>,
    /// Events that are stored and not yet looked at.
    backlog: VecDeque<Event>,
    /// The number of the event that comes next.
    next: Seq,
    is_live: bool,
    /// Why the disk takes nothing; nothing while it does.
    refused: watch::Receiver<Option<ApiError>>,
    is_refused: bool,
    _place: OwnedSemaphorePermit,
}

impl RunCall {
    /// Begins a run, which holds its place among those that go on at once.
    ///
    /// # Errors
    /// As starting a run.
    pub(crate) async fn begin(
        desk: &Desk,
        asking: Arc<RunQuestions>,
        request: StartRun,
        titles: StageTitles,
        place: OwnedSemaphorePermit,
    ) -> Result<RunCall, ApiError> {
        let pipeline = request.pipeline.clone();
        let handle = desk.start(request).await?;
        // Followed before the log is read, so that nothing is missed in between.
        let live = handle.follow();
        let questions = asking.listen(&handle.run().0);
        let mut call = RunCall {
            refused: handle.refused(),
            is_refused: false,
            handle,
            pipeline,
            desk: desk.clone(),
            asking,
            titles,
            questions,
            live,
            backlog: VecDeque::new(),
            next: 1,
            is_live: true,
            _place: place,
        };
        call.catch_up().await;
        Ok(call)
    }

    /// The run's id.
    pub(crate) fn run(&self) -> &str {
        &self.handle.run().0
    }

    /// Follows the run to its end or to a question that the client answers by a request. A client that cancels and a
    /// program that closes stop the run.
    pub(crate) async fn follow(&mut self, client: &Client, closing: &CancellationToken) -> Followed {
        let mut is_stopped = false;
        loop {
            let step = tokio::select! {
                step = self.next() => step,
                () = stopped(client, closing), if !is_stopped => {
                    self.handle.cancel();
                    is_stopped = true;
                    continue;
                }
            };
            match step {
                // Where a client does not read, telling waits for it; stopping does not.
                Step::Told(_) if is_stopped => {}
                Step::Told(words) => tokio::select! {
                    biased;
                    () = stopped(client, closing) => {
                        self.handle.cancel();
                        is_stopped = true;
                    }
                    () = client.tell(&words) => {}
                },
                Step::Ended(end) => return Followed::Ended(end),
                Step::Asked(asked) if client.answers_by_request() => return Followed::Asks(asked),
                Step::Asked(asked) => is_stopped |= self.ask(asked, client, closing).await,
            }
        }
    }

    /// Asks the client; gives whether the run was stopped over it.
    async fn ask(&self, asked: PendingQuestion, client: &Client, closing: &CancellationToken) -> bool {
        let PendingQuestion { question, mut reply } = asked;
        let unanswered = async {
            tokio::select! {
                biased;
                () = stopped(client, closing) => Unanswered::Stopped,
                () = reply.closed() => Unanswered::NotNeeded,
                () = sleep(ANSWER_WITHIN) => Unanswered::TimeOver,
            }
        };
        let answer = match client.ask(&question, unanswered).await {
            // A question that is dropped without an answer is left to the end of its run.
            Err(Unanswered::Stopped) => {
                self.handle.cancel();
                return true;
            }
            Err(Unanswered::NotNeeded) => return false,
            Err(Unanswered::TimeOver) => UserAnswer::NobodyThere,
            Ok(answer) => answer,
        };
        // Refused only when the run was stopped meanwhile.
        let _ = reply.send(answer);
        false
    }

    /// Waits for the next step. Nothing is lost where it is no longer waited for.
    pub(crate) async fn next(&mut self) -> Step {
        loop {
            while let Some(event) = self.backlog.pop_front() {
                if event.seq < self.next {
                    continue;
                }
                self.next = event.seq + 1;
                if let Some(words) = self.titles.begun(&event) {
                    return Step::Told(words);
                }
            }
            tokio::select! {
                biased;
                event = self.live.recv(), if self.is_live => match event {
                    Ok(event) => self.backlog.push_back(Event::clone(&event)),
                    Err(RecvError::Lagged(_)) => self.catch_up().await,
                    Err(RecvError::Closed) => self.is_live = false,
                },
                Ok(()) = self.refused.changed() => {
                    let why = self.refused.borrow_and_update().clone();
                    if why.is_some() != self.is_refused {
                        self.is_refused = why.is_some();
                        return Step::Told(disk_words(why.as_ref()));
                    }
                }
                Some(asked) = self.questions.recv() => return Step::Asked(asked),
                end = self.handle.ended() => return Step::Ended(end),
            }
        }
    }

    /// Reads what is stored. What cannot be read only brings no progress.
    async fn catch_up(&mut self) {
        if let Ok(events) = stored(&self.desk, self.run(), self.next, false).await {
            self.backlog.extend(events);
        }
    }
}

async fn stopped(client: &Client, closing: &CancellationToken) {
    tokio::select! {
        () = client.cancelled() => {}
        () = closing.cancelled() => {}
    }
}

impl Drop for RunCall {
    fn drop(&mut self) {
        if !self.handle.has_ended() {
            self.handle.cancel();
        }
        self.asking.forget(&self.handle.run().0);
    }
}
