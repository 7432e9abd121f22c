//! Evaluations. One process at a time works on an evaluation; what it stores is JSON of the desk.

use engine::{LogError, now_ms};
use kernel::{Code, phrase};

use crate::error::not_found;
use crate::job::Writing;
use crate::read_context::ReadContext;
use crate::table::evaluations::{self, EvaluationRow};
use crate::table::processes;
use crate::{Store, StoredEvaluation};

impl Store {
    /// Stores a new evaluation and holds it for this process. `plan` is JSON.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn create_evaluation(&self, id: &str, data_set: &str, plan: String) -> Result<(), LogError> {
        let (id, data_set) = (id.to_owned(), data_set.to_owned());
        self.write(false, move |writing| {
            writing.beat()?;
            let row = (id.as_str(), data_set.as_str(), plan.as_str());
            evaluations::insert(writing.connection, row, writing.process.id, now_ms())
                .map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// Holds an evaluation for this process, so that it goes on.
    ///
    /// # Errors
    /// `not_found`; `busy` while a living process holds it; else when it cannot be stored.
    pub async fn hold_evaluation(&self, id: &str) -> Result<(), LogError> {
        let id = id.to_owned();
        self.write(false, move |writing| {
            writing.beat()?;
            let row = unheld(writing, &id)?;
            evaluations::take(writing.connection, row.id, writing.process.id)
                .map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// Writes how an evaluation that this process holds ended, and lets go of it.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn end_evaluation(&self, id: &str, ending: &'static str) -> Result<(), LogError> {
        let id = id.to_owned();
        self.write(false, move |writing| {
            evaluations::end(writing.connection, &id, writing.process.id, (ending, now_ms()))
                .map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// Stores a cell of an evaluation that this process holds. `content` is JSON.
    ///
    /// # Errors
    /// `busy` when this process does not hold it; else when it cannot be stored.
    pub async fn put_cell(&self, id: &str, number: u32, content: String) -> Result<(), LogError> {
        let id = id.to_owned();
        self.write(false, move |writing| {
            writing.beat()?;
            let row = row(writing, &id)?;
            if row.holder != Some(writing.process.id) {
                return Err(held(&id));
            }
            evaluations::put_cell(writing.connection, row.id, number, &content)
                .map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// The evaluation with this id.
    ///
    /// # Errors
    /// `not_found`; else when the database cannot be read.
    pub async fn evaluation(&self, id: &str) -> Result<StoredEvaluation, LogError> {
        let id = id.to_owned();
        self.read(move |context| {
            let row = context.of(evaluations::get(context.connection, &id))?;
            stored(context, row.ok_or_else(|| no_evaluation(&id))?)
        })
        .await
    }

    /// The evaluations, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn evaluations(&self) -> Result<Vec<StoredEvaluation>, LogError> {
        self.read(|context| {
            let rows = context.of(evaluations::list(context.connection))?;
            rows.into_iter().map(|row| stored(context, row)).collect()
        })
        .await
    }

    /// The only evaluation whose id begins with this prefix, or the newest for `last`.
    ///
    /// # Errors
    /// `not_found`, or `bad_input` where several begin so; else when the database cannot be read.
    pub async fn resolve_evaluation(&self, prefix: &str) -> Result<String, LogError> {
        let prefix = prefix.trim().to_lowercase();
        self.read(move |context| {
            let is_last = prefix == "last";
            let searched = if is_last { "" } else { prefix.as_str() };
            let mut found = context.of(evaluations::beginning_with(context.connection, searched))?;
            match found.len() {
                0 => Err(no_evaluation(&prefix)),
                1 => Ok(found.swap_remove(0)),
                _ if is_last => Ok(found.swap_remove(0)),
                _ => {
                    let message = phrase!(
                        "Several evaluations begin with `{prefix}`: {found}. Give more of the id",
                        prefix,
                        found
                    );
                    Err(LogError::new(Code::BadInput, message))
                }
            }
        })
        .await
    }

    /// The cells of an evaluation that began, each with its number and its JSON.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn evaluation_cells(&self, id: &str) -> Result<Vec<(u32, String)>, LogError> {
        let id = id.to_owned();
        self.read(move |context| {
            let row = context.of(evaluations::get(context.connection, &id))?;
            let row = row.ok_or_else(|| no_evaluation(&id))?;
            context.of(evaluations::cells(context.connection, row.id))
        })
        .await
    }

    /// Removes an evaluation; its runs stay.
    ///
    /// # Errors
    /// `not_found`; `busy` while a living process holds it; else when it cannot be stored.
    pub async fn remove_evaluation(&self, id: &str) -> Result<(), LogError> {
        let id = id.to_owned();
        self.write(false, move |writing| {
            let row = unheld(writing, &id)?;
            evaluations::remove(writing.connection, row.id).map_err(|error| writing.explain(&error))
        })
        .await
    }
}

fn row(writing: &Writing<'_>, id: &str) -> Result<EvaluationRow, LogError> {
    let row = evaluations::get(writing.connection, id).map_err(|error| writing.explain(&error))?;
    row.ok_or_else(|| no_evaluation(id))
}

/// The row of an evaluation that no living process holds.
fn unheld(writing: &Writing<'_>, id: &str) -> Result<EvaluationRow, LogError> {
    let row = row(writing, id)?;
    let holder = row.holder.map(|holder| processes::get(writing.connection, holder)).transpose();
    let holder = holder.map_err(|error| writing.explain(&error))?.flatten();
    if holder.is_some_and(|holder| holder.is_alive(writing.now_ms, writing.process)) {
        return Err(held(id));
    }
    Ok(row)
}

fn stored(context: &ReadContext<'_>, row: EvaluationRow) -> Result<StoredEvaluation, LogError> {
    let holder = row.holder.map(|holder| processes::get(context.connection, holder)).transpose();
    let holder = context.of(holder)?.flatten();
    Ok(StoredEvaluation {
        id: row.evaluation,
        data_set: row.data_set,
        plan: row.plan,
        started_at_ms: row.started_at_ms,
        ended_at_ms: row.ended_at_ms,
        ending: row.ending,
        is_held: holder.is_some_and(|holder| holder.is_alive(now_ms(), context.process)),
    })
}

fn no_evaluation(id: &str) -> LogError {
    not_found(phrase!("There is no evaluation `{id}`. `galley eval list` shows those there are", id))
}

fn held(id: &str) -> LogError {
    let message = phrase!("The evaluation {id} is being worked on. Wait for its end, or stop it first", id);
    LogError::new(Code::Busy, message)
}
