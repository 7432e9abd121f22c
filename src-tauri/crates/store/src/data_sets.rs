//! Data sets.

use engine::{LogError, now_ms};
use evaluation::{Case, DataSet};
use kernel::{Code, phrase};

use crate::error::not_found;
use crate::job::Writing;
use crate::table::data_sets;
use crate::{SetCard, Store, json};

impl Store {
    /// The sets by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn data_sets(&self) -> Result<Vec<SetCard>, LogError> {
        let listed = self.read(|context| context.of(data_sets::list(context.connection))).await?;
        let card = |(name, pipeline, cases, changed_at_ms)| SetCard { name, pipeline, cases, changed_at_ms };
        Ok(listed.into_iter().map(card).collect())
    }

    /// The set with this name.
    ///
    /// # Errors
    /// `not_found`; else when the database cannot be read or is damaged.
    pub async fn data_set(&self, name: &str) -> Result<DataSet, LogError> {
        let name = name.to_owned();
        self.read(move |context| {
            let row = context.of(data_sets::get(context.connection, &name))?.ok_or_else(|| no_set(&name))?;
            let cases = context.of(data_sets::cases(context.connection, row.id))?;
            let case = |case: &String| json::decode::<Case>(case, "a case", context.place);
            Ok(DataSet {
                expect: json::decode(&row.expect, "the expectations of a set", context.place)?,
                cases: cases.iter().map(case).collect::<Result<_, _>>()?,
                pipeline: row.pipeline,
                name,
            })
        })
        .await
    }

    /// Stores a set; one of the same name is replaced where `replaces` allows it.
    ///
    /// # Errors
    /// `bad_input` for a name that is taken; else when it cannot be stored.
    pub async fn save_data_set(&self, set: DataSet, replaces: bool) -> Result<(), LogError> {
        self.write(false, move |writing| {
            let explain = |error: rusqlite::Error| writing.place.explain(&error);
            match data_sets::get(writing.connection, &set.name).map_err(explain)? {
                Some(known) if replaces => {
                    data_sets::remove(writing.connection, known.id).map_err(explain)?;
                }
                Some(_) => {
                    let message = phrase!(
                        "There is a set `{name}` already. Choose another name, or replace it with --replace",
                        name = set.name
                    );
                    return Err(LogError::new(Code::BadInput, message));
                }
                None => {}
            }
            insert(writing, &set)
        })
        .await
    }

    /// Appends a case to a set, which is created if there is none with this name; returns the number of its cases.
    ///
    /// # Errors
    /// `bad_input` when the set is for another pipeline; else when it cannot be stored.
    pub async fn add_case(&self, name: &str, pipeline: &str, case: Case) -> Result<u32, LogError> {
        let (name, pipeline) = (name.to_owned(), pipeline.to_owned());
        self.write(false, move |writing| {
            let explain = |error: rusqlite::Error| writing.place.explain(&error);
            let Some(known) = data_sets::get(writing.connection, &name).map_err(explain)? else {
                let set = DataSet { name, pipeline, expect: Vec::new(), cases: vec![case] };
                return insert(writing, &set).map(|()| 1);
            };
            if known.pipeline != pipeline {
                let message = phrase!(
                    "The set `{name}` is for the pipeline `{own}`, not for `{pipeline}`. Add the run to another set",
                    name,
                    own = known.pipeline,
                    pipeline
                );
                return Err(LogError::new(Code::BadInput, message));
            }
            let case = json::encode(&case, "a case")?;
            data_sets::append(writing.connection, known.id, &case, now_ms()).map_err(explain)?;
            let cases = data_sets::cases(writing.connection, known.id).map_err(explain)?;
            Ok(u32::try_from(cases.len()).unwrap_or(u32::MAX))
        })
        .await
    }

    /// Removes a set. Evaluations keep what they copied of it.
    ///
    /// # Errors
    /// `not_found`; else when it cannot be stored.
    pub async fn remove_data_set(&self, name: &str) -> Result<(), LogError> {
        let name = name.to_owned();
        self.write(false, move |writing| {
            let explain = |error: rusqlite::Error| writing.place.explain(&error);
            let known = data_sets::get(writing.connection, &name).map_err(explain)?;
            let known = known.ok_or_else(|| no_set(&name))?;
            data_sets::remove(writing.connection, known.id).map_err(explain)
        })
        .await
    }
}

fn insert(writing: &Writing<'_>, set: &DataSet) -> Result<(), LogError> {
    let explain = |error: rusqlite::Error| writing.place.explain(&error);
    let expect = json::encode(&set.expect, "the expectations of a set")?;
    let head = (set.name.as_str(), set.pipeline.as_str(), expect.as_str());
    let now_ms = now_ms();
    let id = data_sets::insert(writing.connection, head, now_ms).map_err(explain)?;
    for case in &set.cases {
        let case = json::encode(case, "a case")?;
        data_sets::append(writing.connection, id, &case, now_ms).map_err(explain)?;
    }
    Ok(())
}

fn no_set(name: &str) -> LogError {
    not_found(phrase!("There is no data set `{name}`. `galley set list` shows those there are", name))
}
