//! Data sets: saved from files, made of runs, listed and written out.

use std::collections::BTreeMap;

use evaluation::{Case, DataSet, SetFormat, read_expectation, read_set, write_set};
use kernel::{Code, Phrase, phrase, result_text};

use super::EvaluationService;
use crate::ApiError;
use crate::api::{
    AddRunToSet, DataSetCard, DataSetCards, Named, Nothing, ReadRequest, SaveSet, SetFileForm, SetText,
};

/// Most cases of a set.
const MOST_CASES: usize = 10_000;
/// Largest text of a set, in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// The longest name of a set, in characters.
const LONGEST_NAME: usize = 60;
/// Words that the terminal takes for commands.
const RESERVED: [&str; 4] = ["last", "list", "remove", "show"];

impl EvaluationService {
    pub(crate) async fn list_sets(&self, _: Nothing) -> Result<DataSetCards, ApiError> {
        let sets = self.store.data_sets().await?.into_iter().map(card);
        Ok(DataSetCards { sets: sets.collect() })
    }

    pub(crate) async fn read_set(&self, set: Named) -> Result<DataSet, ApiError> {
        Ok(self.store.data_set(&set.name).await?)
    }

    pub(crate) async fn export_set(&self, set: Named) -> Result<SetText, ApiError> {
        Ok(SetText { text: write_set(&self.store.data_set(&set.name).await?) })
    }

    pub(crate) async fn save_set(&self, request: SaveSet) -> Result<DataSetCard, ApiError> {
        let name = checked_name(&request.name)?;
        if request.text.len() > MOST_BYTES {
            return bad(phrase!(
                "The set is larger than {most} MB; divide it into several sets",
                most = MOST_BYTES >> 20
            ));
        }
        let format = match request.form {
            SetFileForm::JsonLines => SetFormat::JsonLines,
            SetFileForm::Csv => SetFormat::Csv,
        };
        let file = read_set(format, &request.text).or_else(bad)?;
        if file.cases.len() > MOST_CASES {
            return bad(phrase!(
                "The set has {count} cases; at most {most} are allowed, so divide it into several sets",
                count = file.cases.len(),
                most = MOST_CASES
            ));
        }
        let Some(pipeline) = request.pipeline.or(file.pipeline) else {
            return bad(phrase!(
                "The file does not say for which pipeline its inputs are; name one, or begin the file with a line such as {example}",
                example = r#"{"set": {"pipeline": "press-note"}}"#
            ));
        };
        // A set for a pipeline that does not exist could never be run.
        self.pipelines.get(&pipeline)?;
        let mut expect = file.expect;
        for given in &request.expect {
            expect.push(read_expectation(&given.0).or_else(bad)?);
        }
        let set = DataSet { name: name.clone(), pipeline, expect, cases: file.cases };
        self.store.save_data_set(set, request.replaces).await?;
        self.card_of(&name).await
    }

    pub(crate) async fn add_run_to_set(&self, request: AddRunToSet) -> Result<DataSetCard, ApiError> {
        let name = checked_name(&request.set)?;
        let id = self.store.resolve_run(&request.run).await?;
        // The set copies inputs, and keys that an earlier run left out are no part of them.
        let asked = ReadRequest { run: id.0.clone(), inputs: BTreeMap::new() };
        let as_asked = self.runs.read_request(asked).await?;
        let title = self.store.run_card(&id).await?.title;
        let reference = match request.with_reference {
            false => None,
            true => {
                let definition = self.store.start(&id).await?.definition;
                let state = self.store.state_at(&id, kernel::Seq::MAX).await?;
                let text = result_text(self.pipelines.of_run(&definition)?.keys(), &state);
                let Some(text) = text else {
                    return bad(phrase!("The run {id} has no text that could be a reference", id));
                };
                Some(text.text)
            }
        };
        let case = Case {
            name: request.case.map_or(title, |name| name.trim().to_owned()),
            inputs: as_asked.inputs,
            reference,
            run: Some(id.0),
            ..Case::default()
        };
        self.store.add_case(&name, &as_asked.pipeline, case).await?;
        self.card_of(&name).await
    }

    pub(crate) async fn remove_set(&self, set: Named) -> Result<Nothing, ApiError> {
        self.store.remove_data_set(&set.name).await?;
        Ok(Nothing {})
    }

    async fn card_of(&self, name: &str) -> Result<DataSetCard, ApiError> {
        let known = self.store.data_sets().await?.into_iter().find(|card| card.name == name);
        // Another process may have removed it in between.
        known.map(card).ok_or_else(|| {
            ApiError::new(Code::NotFound, phrase!("The set `{name}` was removed meanwhile", name))
        })
    }
}

fn card(card: store::SetCard) -> DataSetCard {
    let store::SetCard { name, pipeline, cases, changed_at_ms } = card;
    DataSetCard { name, pipeline, cases, changed_at_ms }
}

/// The name of a set, which is one word.
fn checked_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    let is_word = !name.is_empty()
        && name.chars().count() <= LONGEST_NAME
        && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
        && !name.starts_with(['-', '.']);
    if !is_word || RESERVED.contains(&name) {
        return bad(phrase!(
            "`{name}` cannot be the name of a set; use up to {most} letters, digits, -, _ and ., and none of the words {reserved}",
            name,
            most = LONGEST_NAME,
            reserved = RESERVED
        ));
    }
    Ok(name.to_owned())
}

fn bad<T>(message: Phrase) -> Result<T, ApiError> {
    Err(ApiError::new(Code::BadInput, message))
}
