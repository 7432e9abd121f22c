//! Requests to a run that another process holds.

use engine::{LogError, now_ms};
use kernel::RunId;

use crate::Store;
use crate::read_context::no_run;
use crate::table::{run_requests, runs};

impl Store {
    /// Stores a request for the process that holds a run; returns the number for reading its answer.
    ///
    /// # Errors
    /// When there is no such run, or it cannot be stored.
    pub async fn ask_run(&self, run: &RunId, request: String) -> Result<i64, LogError> {
        let run = run.clone();
        self.write(false, move |writing| {
            let standing = runs::standing(writing.connection, &run.0)
                .map_err(|error| writing.explain(&error))?
                .ok_or_else(|| no_run(&run))?;
            run_requests::insert(writing.connection, standing.id, &request, now_ms())
                .map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// The unanswered requests to a run with their numbers, the oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn run_requests(&self, run: &RunId) -> Result<Vec<(i64, String)>, LogError> {
        let run = run.clone();
        self.read(move |context| context.of(run_requests::open(context.connection, &run.0))).await
    }

    /// Stores the answer to a request.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn answer_request(&self, id: i64, answer: String) -> Result<(), LogError> {
        self.write(false, move |writing| {
            run_requests::answer(writing.connection, id, &answer).map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// The answer to a request, if there is one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn request_answer(&self, id: i64) -> Result<Option<String>, LogError> {
        self.read(move |context| context.of(run_requests::answer_to(context.connection, id))).await
    }

    /// Deletes a request, answered or not; returns the answer if there is one.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn remove_request(&self, id: i64) -> Result<Option<String>, LogError> {
        self.write(false, move |writing| {
            let answer = run_requests::answer_to(writing.connection, id);
            answer
                .and_then(|answer| run_requests::remove(writing.connection, id).map(|()| answer))
                .map_err(|error| writing.explain(&error))
        })
        .await
    }
}
