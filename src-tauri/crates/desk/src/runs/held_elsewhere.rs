//! Commands to a run that another process holds: they are sent through the database, and the holder answers there.

use std::time::Duration;

use kernel::{Code, RunId, phrase};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::ApiError;
use crate::api::{AnswerRun, RunRef, SayToRun, SetGates};
use crate::runs::RunService;

/// How often the holder checks for commands, and the sender for the answer.
const LOOKS_EVERY: Duration = Duration::from_millis(100);
/// How long the sender waits for the holder.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);

/// A command for the holder of a run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "command", content = "payload", rename_all = "snake_case")]
pub(crate) enum ToHolder {
    SayToRun(SayToRun),
    SetGates(SetGates),
    StopRun(RunRef),
    AnswerRun(AnswerRun),
}

type Answer = Result<Value, ApiError>;

impl RunService {
    /// Whether another process holds a run.
    ///
    /// # Errors
    /// The run does not exist or cannot be read.
    pub async fn is_held_elsewhere(&self, run: &RunId) -> Result<bool, ApiError> {
        if self.handle(run).is_some_and(|handle| !handle.has_ended()) {
            return Ok(false);
        }
        // A run that this process holds and has not started yet is not held elsewhere.
        let card = self.store.run_card(run).await?;
        Ok(card.held_by.is_some() && !card.is_held_here)
    }

    /// Sends a command to the process that holds a run, and waits for the answer.
    ///
    /// # Errors
    /// The holder's error; `busy` where it does not answer in time, and then the command has no effect.
    pub(crate) async fn ask_holder<T: for<'a> Deserialize<'a>>(
        &self,
        run: &RunId,
        command: &ToHolder,
    ) -> Result<T, ApiError> {
        let store = &self.store;
        let id = store.ask_run(run, json!(command).to_string()).await?;
        let until = Instant::now() + ANSWERS_WITHIN;
        while store.request_answer(id).await?.is_none() && Instant::now() < until {
            sleep(LOOKS_EVERY).await;
        }
        let unreadable = |error: serde_json::Error| {
            ApiError::new(Code::Internal, phrase!("{error}", error = error.to_string()))
        };
        let Some(answer) = store.remove_request(id).await? else {
            let message = phrase!(
                "The run {run} is held by another process, which does not answer. Try again, or do it there",
                run
            );
            return Err(ApiError::new(Code::Busy, message));
        };
        let answer: Answer = serde_json::from_str(&answer).map_err(unreadable)?;
        serde_json::from_value(answer?).map_err(unreadable)
    }

    /// Runs the commands of other processes to a run of this one, until it ends.
    pub(crate) async fn serve_others(&self, run: &RunId) {
        loop {
            sleep(LOOKS_EVERY).await;
            match self.store.run_requests(run).await {
                Ok(requests) => {
                    for (id, request) in requests {
                        let answer = json!(self.obey(&request).await).to_string();
                        if let Err(error) = self.store.answer_request(id, answer).await {
                            tracing::warn!(%error, "another process is not answered");
                        }
                    }
                }
                Err(error) => tracing::warn!(%error, "what other processes ask of a run is not read"),
            }
        }
    }

    async fn obey(&self, request: &str) -> Answer {
        let command: ToHolder = serde_json::from_str(request).map_err(|error| {
            let why = error.to_string();
            ApiError::new(Code::BadInput, phrase!("What another process asks is not understood: {why}", why))
        })?;
        Ok(match command {
            ToHolder::SayToRun(said) => json!(self.say_to_run_here(said).await?),
            ToHolder::SetGates(set) => json!(self.set_gates_here(set).await?),
            ToHolder::StopRun(run) => json!(self.stop_run_here(&run)?),
            ToHolder::AnswerRun(answer) => json!(self.answer_run_here(answer).await?),
        })
    }
}
