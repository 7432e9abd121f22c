//! The run of one tool call, step by step.

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

/// The next step of a run.
pub(crate) enum Step {
    /// A message: a stage with its round, or that the disk rejects writes.
    Progress(String),
    /// A question.
    Question(PendingQuestion),
    /// The end.
    Ended(RunEnd),
}

/// The result of following a call.
pub(crate) enum CallOutcome {
    /// The run ended.
    Ended(RunEnd),
    /// The run asks a question, whose answer arrives in a separate request.
    Asks(PendingQuestion),
}

/// Why there was no answer.
enum NoAnswer {
    /// The run is to be stopped.
    Stopped,
    /// The question was resolved otherwise.
    NotNeeded,
    TimeOver,
}

/// A run that a call started. Dropping it before its end stops the run.
pub(crate) struct RunCall {
    pub(crate) handle: RunHandle,
    pub(crate) pipeline: String,
    desk: Desk,
    asking: Arc<RunQuestions>,
    titles: StageTitles,
    questions: mpsc::Receiver<PendingQuestion>,
    live: broadcast::Receiver<Arc<Event>>,
    /// Stored events that were not processed yet.
    backlog: VecDeque<Event>,
    /// The number of the next event.
    next: Seq,
    is_live: bool,
    /// Why the disk rejects writes; `None` while it accepts them.
    refused: watch::Receiver<Option<ApiError>>,
    is_refused: bool,
    _place: OwnedSemaphorePermit,
}

impl RunCall {
    /// Starts a run, which counts towards the limit of concurrent runs.
    ///
    /// # Errors
    /// As for starting a run.
    pub(crate) async fn begin(
        desk: &Desk,
        asking: Arc<RunQuestions>,
        request: StartRun,
        titles: StageTitles,
        place: OwnedSemaphorePermit,
    ) -> Result<RunCall, ApiError> {
        let pipeline = request.pipeline.clone();
        let handle = desk.runs().start(request).await?;
        // Subscribed before the log is read, so that no event is missed.
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

    /// Follows the run to its end or to a question that the client answers in a separate request. The run is stopped if
    /// the client cancels or the program closes.
    pub(crate) async fn follow(&mut self, client: &Client, closing: &CancellationToken) -> CallOutcome {
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
                // If a client does not read, reporting waits for it; stopping does not.
                Step::Progress(_) if is_stopped => {}
                Step::Progress(words) => tokio::select! {
                    biased;
                    () = stopped(client, closing) => {
                        self.handle.cancel();
                        is_stopped = true;
                    }
                    () = client.tell(&words) => {}
                },
                Step::Ended(end) => return CallOutcome::Ended(end),
                Step::Question(asked) if client.answers_by_request() => return CallOutcome::Asks(asked),
                Step::Question(asked) => is_stopped |= self.ask(asked, client, closing).await,
            }
        }
    }

    /// Asks the client, and returns whether the run was stopped meanwhile.
    async fn ask(&self, asked: PendingQuestion, client: &Client, closing: &CancellationToken) -> bool {
        let PendingQuestion { question, mut reply } = asked;
        let unanswered = async {
            tokio::select! {
                biased;
                () = stopped(client, closing) => NoAnswer::Stopped,
                () = reply.closed() => NoAnswer::NotNeeded,
                () = sleep(ANSWER_WITHIN) => NoAnswer::TimeOver,
            }
        };
        let answer = match client.ask(&question, unanswered).await {
            // A question that is dropped without an answer ends with its run.
            Err(NoAnswer::Stopped) => {
                self.handle.cancel();
                return true;
            }
            Err(NoAnswer::NotNeeded) => return false,
            Err(NoAnswer::TimeOver) => UserAnswer::NobodyThere,
            Ok(answer) => answer,
        };
        // Fails only if the run was stopped meanwhile.
        let _ = reply.send(answer);
        false
    }

    /// Waits for the next step. Cancelling this loses nothing.
    pub(crate) async fn next(&mut self) -> Step {
        loop {
            while let Some(event) = self.backlog.pop_front() {
                if event.seq < self.next {
                    continue;
                }
                self.next = event.seq + 1;
                if let Some(words) = self.titles.begun(&event) {
                    return Step::Progress(words);
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
                        return Step::Progress(disk_words(why.as_ref()));
                    }
                }
                Some(asked) = self.questions.recv() => return Step::Question(asked),
                end = self.handle.ended() => return Step::Ended(end),
            }
        }
    }

    /// Reads the stored events. An error only means that there is no progress.
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
