//! Deletes runs permanently: their events, their search index, and the values that only they refer to.
//!
//! Their costs stay in the ledger. Forks are complete, because they have copies of the inherited events.

use std::collections::HashSet;

use engine::{LogError, now_ms};
use kernel::{Code, RunId, phrase};

use crate::Store;
use crate::job::Writing;
use crate::read_context::no_run;
use crate::table::{
    contents, events, messages, run_marks, run_requests, run_words, runs, schedule_firings, sessions,
    snapshots,
};
use crate::unstored_files;

/// The prefix of a reference to a value in the JSON of an event.
const REFERENCE: &str = "\"$stored\":\"";

impl Store {
    /// Deletes a run that is in the trash.
    ///
    /// # Errors
    /// `bad_input` when it is not in the trash, `busy` while a process holds it.
    pub async fn erase_run(&self, run: &RunId) -> Result<(), LogError> {
        let session = self.run_card(run).await?.session.0;
        // The usage must be added up before its events are deleted.
        self.total_usage().await?;
        let (erased, run) = (run.clone(), run.clone());
        self.write(false, move |writing| {
            // Checked inside the transaction, where no other process can take or restore the run.
            let standing = runs::standing(writing.connection, &run.0)
                .map_err(|error| writing.explain(&error))?
                .ok_or_else(|| no_run(&run))?;
            let is_trashed = run_marks::is_trashed(writing.connection, standing.id);
            if !is_trashed.map_err(|error| writing.explain(&error))? {
                let message = phrase!("The run {run} is not in the trash. Put it there first.", run);
                return Err(LogError::new(Code::BadInput, message));
            }
            if writing.living_holder(&standing)?.is_some() {
                let message = phrase!("The run {run} is being worked on. Stop it first, then erase it.", run);
                return Err(LogError::new(Code::Busy, message));
            }
            let explain = |error: rusqlite::Error| writing.place.explain(&error);
            let connection = writing.connection;
            let beginning =
                runs::beginning(connection, &run.0).map_err(explain)?.ok_or_else(|| no_run(&run))?;
            let id = beginning.id;
            let unused = unused(writing, id, [beginning.definition.0, beginning.inputs]).map_err(explain)?;
            events::erase(connection, id)
                .and_then(|()| snapshots::erase(connection, id))
                .and_then(|()| run_words::erase(connection, id))
                .and_then(|()| run_marks::erase(connection, id))
                .and_then(|()| run_requests::erase(connection, id))
                .and_then(|()| schedule_firings::erase(connection, id))
                .and_then(|()| messages::erase(connection, &run.0))
                .and_then(|()| runs::erase(connection, id))
                .and_then(|()| sessions::erase_empty(connection, &session))
                .and_then(|()| contents::erase(connection, unused.iter()))
                .map_err(explain)
        })
        .await?;
        unstored_files::remove(&self.shared.place, &erased);
        Ok(())
    }

    /// Deletes runs that were in the trash for longer than this; returns their number.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn erase_trashed(&self, longer_than_ms: i64) -> Result<usize, LogError> {
        let before = now_ms().saturating_sub(longer_than_ms);
        let old =
            self.read(move |context| context.of(runs::trashed_before(context.connection, before))).await?;
        for run in &old {
            self.erase_run(run).await?;
        }
        Ok(old.len())
    }
}

/// The contents that only this run refers to.
fn unused(
    writing: &Writing<'_>,
    run: i64,
    [definition, inputs]: [String; 2],
) -> rusqlite::Result<HashSet<String>> {
    let connection = writing.connection;
    let mut hashes = HashSet::new();
    events::each_referring(connection, run, false, |fact| {
        hashes.extend(references(fact).map(str::to_owned))
    })?;
    if inputs.starts_with('{') {
        hashes.extend(references(&inputs).map(str::to_owned));
    } else {
        contents::read(connection, &inputs, |list| hashes.extend(references(list).map(str::to_owned)))?;
        hashes.insert(inputs);
    }
    hashes.insert(definition);
    // A value may contain text that looks like a reference.
    for hash in hashes.clone() {
        if runs::is_definition(connection, run, &hash)? {
            hashes.remove(&hash);
        }
    }
    events::each_referring(connection, run, true, |fact| {
        for hash in references(fact) {
            hashes.remove(hash);
        }
    })?;
    for (hash, list) in runs::kept_inputs(connection, run)? {
        hashes.remove(&hash);
        for hash in references(&list) {
            hashes.remove(hash);
        }
    }
    Ok(hashes)
}

/// Every hash that a JSON text refers to, or that looks like a reference.
fn references(json: &str) -> impl Iterator<Item = &str> {
    json.split(REFERENCE).skip(1).filter_map(|rest| rest.split('"').next())
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_references_are_found_and_nothing_else() {
        let json = r#"{"set":{"a":{"$stored":"aa","bytes":5000},"b":[{"$stored":"bb"}],"c":"$stored"}}"#;
        assert_eq!(super::references(json).collect::<Vec<_>>(), ["aa", "bb"]);
        assert_eq!(super::references(r#""$stored":""#).collect::<Vec<_>>(), [""]);
    }
}
