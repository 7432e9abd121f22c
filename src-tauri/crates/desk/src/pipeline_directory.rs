//! The available pipelines: the program's own, and the files in the data folder, which are read at each use.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use interpreter::{DefinitionFault, MINIMAL, Pipeline, Registry};
use kernel::{Code, Definition, Hash, Phrase, PipelineDefinition, Value, phrase};

pub(crate) mod files;

use files::{PipelineFiles, Saved};

use crate::ApiError;

/// Most pipelines of runs that are cached.
const MOST_OF_RUNS: usize = 64;

/// The pipeline of a text, or all its faults.
type Checked = Result<Arc<Pipeline>, Vec<DefinitionFault>>;

/// Pipelines by their ids.
pub(crate) struct PipelineDirectory {
    own: BTreeMap<String, Arc<Pipeline>>,
    /// Pipelines for internal use: found by id, never listed.
    unlisted: BTreeMap<String, Arc<Pipeline>>,
    files: PipelineFiles,
    registry: Registry,
    /// Pipelines of runs, by the hash of the definition that the runs store.
    of_runs: Mutex<HashMap<Hash, Arc<Pipeline>>>,
}

/// An invalid pipeline file.
pub(crate) struct FaultyFile {
    /// Its name without extension, which should be its id.
    pub(crate) id: String,
    /// Its faults.
    pub(crate) faults: Vec<DefinitionFault>,
}

impl PipelineDirectory {
    /// The last of several pipelines with one id holds. Their agents may use the program's tools and `tools`.
    pub(crate) fn new(
        own: impl Iterator<Item = Arc<Pipeline>>,
        tools: Vec<String>,
        data_folder: &Path,
    ) -> PipelineDirectory {
        let mut registry = pipelines::registry();
        registry.tools.extend(tools);
        PipelineDirectory {
            own: by_id(own),
            unlisted: by_id([pipelines::router(), pipelines::one_step(), pipelines::judge()].into_iter()),
            files: PipelineFiles::of(data_folder),
            registry,
            of_runs: Mutex::default(),
        }
    }

    /// The present pipeline with this id.
    ///
    /// # Errors
    /// `not_found` when there is none, `bad_input` with all faults of an invalid file.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Pipeline>, ApiError> {
        if let Some(own) = self.own.get(id).or_else(|| self.unlisted.get(id)) {
            return Ok(own.clone());
        }
        if !self.files.has(id) {
            let known: Vec<String> = self.own.keys().cloned().chain(self.files.names()).collect();
            let message = phrase!("There is no pipeline `{id}`; there is {known}", id, known);
            return Err(ApiError::new(Code::NotFound, message));
        }
        self.checked(self.files.text(id)?, id).map_err(|faults| {
            let file = self.files.path(id);
            let phrases = faults.iter().map(DefinitionFault::phrase);
            let message = phrase!(
                "The pipeline {file} cannot run: {faults}",
                file = file.display(),
                faults = Phrase::clauses(phrases)
            );
            ApiError::new(Code::BadInput, message)
        })
    }

    /// The pipeline of a run as it was at the start.
    ///
    /// # Errors
    /// `internal` when the stored definition is invalid. A lost definition is no error: the present pipeline replaces
    /// it, or an empty one.
    pub(crate) fn of_run(&self, definition: &Definition) -> Result<Arc<Pipeline>, ApiError> {
        let stored = self.stored(definition);
        if stored.is_ok() || !definition.is_lost {
            return stored;
        }
        Ok(self.get(&definition.pipeline).unwrap_or_else(|_| {
            let (id, title) = (definition.pipeline.clone(), definition.title.clone());
            let unknown = PipelineDefinition { id, title, ..PipelineDefinition::default() };
            Arc::new(Pipeline::new(unknown, self.registry.clone()))
        }))
    }

    fn stored(&self, definition: &Definition) -> Result<Arc<Pipeline>, ApiError> {
        match &definition.declared {
            Some(declared) => self.declared(declared),
            None => self.get(&definition.pipeline),
        }
    }

    /// The pipeline of a stored declaration, the JSON of a [`PipelineDefinition`].
    ///
    /// # Errors
    /// `internal` when it is invalid.
    pub(crate) fn declared(&self, declared: &Value) -> Result<Arc<Pipeline>, ApiError> {
        let hash = declared.hash();
        let mut known = self.of_runs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = known.get(&hash) {
            return Ok(pipeline.clone());
        }
        let stored: PipelineDefinition =
            serde_json::from_value(declared.json_or_null().clone()).map_err(|error| {
                let message = phrase!("What this run keeps of its pipeline cannot be read: {error}", error);
                ApiError::new(Code::Internal, message)
            })?;
        // A pipeline of the tests has its own functions.
        let registry = self.own.get(&stored.id).map_or(&self.registry, |own| own.registry());
        let pipeline = Arc::new(Pipeline::new(stored, registry.clone()));
        if known.len() >= MOST_OF_RUNS {
            known.clear();
        }
        known.insert(hash, pipeline.clone());
        Ok(pipeline)
    }

    /// Whether the program has its own pipeline with this id.
    pub(crate) fn is_own(&self, id: &str) -> bool {
        self.own.contains_key(id) || self.unlisted.contains_key(id)
    }

    /// All valid pipelines, the program's own first, and the invalid files.
    pub(crate) fn all(&self) -> (Vec<Arc<Pipeline>>, Vec<FaultyFile>) {
        let mut pipelines: Vec<Arc<Pipeline>> = self.own.values().cloned().collect();
        let mut faulty = Vec::new();
        for id in self.files.names() {
            match self.read(&id) {
                Ok(pipeline) => pipelines.push(pipeline),
                Err(faults) => faulty.push(FaultyFile { id, faults }),
            }
        }
        (pipelines, faulty)
    }

    /// The text of a pipeline: of a file, or of one of the program's own that is a text.
    ///
    /// # Errors
    /// `not_found` when there is none with this id, `bad_input` when it cannot be read or is made of code.
    pub(crate) fn text(&self, id: &str) -> Result<String, ApiError> {
        match self.own.get(id).filter(|_| !self.files.has(id)) {
            None => self.files.text(id),
            Some(own) => own.source_text().map(str::to_owned).ok_or_else(|| {
                ApiError::new(
                    Code::BadInput,
                    phrase!("The pipeline `{id}` is made of code and has no text", id),
                )
            }),
        }
    }

    /// The path of this file.
    pub(crate) fn path(&self, id: &str) -> PathBuf {
        self.files.path(id)
    }

    /// Whether this pipeline is a file of the person.
    pub(crate) fn is_file(&self, id: &str) -> bool {
        self.files.has(id)
    }

    /// Checks a text; returns its pipeline and the id under which it would be saved. `file` is the file that it was
    /// opened from.
    pub(crate) fn check(&self, text: String, file: Option<&str>) -> (Option<String>, Checked) {
        let target = file.map(|file| self.files.target(file, &text, |id| self.is_own(id)));
        let checked = match target.as_deref().or(interpreter::id_of(&text).as_deref()) {
            Some(name) => self.checked(text, name),
            None => self.checked(text, ""),
        };
        (target, checked)
    }

    /// Creates a file: a copy of this pipeline, or a minimal one. Returns its id.
    ///
    /// # Errors
    /// As [`PipelineDirectory::text`]; or the error of the disk.
    pub(crate) fn create(&self, of: Option<&str>) -> Result<String, ApiError> {
        let is_taken = |id: &str| self.is_own(id);
        match of {
            Some(id) => self.files.create(&self.text(id)?, interpreter::next_number(id), is_taken),
            None => self.files.create(MINIMAL, 1, is_taken),
        }
    }

    /// Saves a file.
    ///
    /// # Errors
    /// As [`PipelineFiles::save`].
    pub(crate) fn save(&self, id: &str, text: &str, revision: Option<&Hash>) -> Result<Saved, ApiError> {
        self.files.save(id, text, revision, |id| self.is_own(id))
    }

    /// Deletes a file. Its runs keep what they need of it.
    ///
    /// # Errors
    /// As [`PipelineFiles::delete`].
    pub(crate) fn delete(&self, id: &str) -> Result<(), ApiError> {
        self.files.delete(id)
    }

    fn read(&self, id: &str) -> Checked {
        let whole = |error: ApiError| vec![DefinitionFault { line: 0, column: 0, reason: *error.phrase }];
        self.checked(self.files.text(id).map_err(whole)?, id)
    }

    /// Checks the text of the file with this name.
    fn checked(&self, text: String, name: &str) -> Checked {
        let pipeline = Pipeline::from_text(text, self.registry.clone())?;
        let id = pipeline.id();
        let reason = match id == name {
            true if self.is_own(id) => {
                phrase!("the program itself has a pipeline `{id}`; choose another id", id)
            }
            true => return Ok(Arc::new(pipeline)),
            false if self.is_own(id) || self.files.has(id) => {
                phrase!("there is a pipeline `{id}` already; choose another id", id)
            }
            false => {
                phrase!("its id is `{id}`; a file is named after the id of its pipeline: `{id}.toml`", id)
            }
        };
        let text = pipeline.source_text().unwrap_or_default();
        Err(vec![interpreter::fault_of_id(text, reason)])
    }
}

fn by_id(pipelines: impl Iterator<Item = Arc<Pipeline>>) -> BTreeMap<String, Arc<Pipeline>> {
    pipelines.map(|pipeline| (pipeline.id().to_owned(), pipeline)).collect()
}
