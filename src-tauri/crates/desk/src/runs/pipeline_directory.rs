//! The pipelines there are: those of the program, and the files in the data folder, read whenever they are asked for.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use kernel::{Code, Definition, Hash, PipelineDefinition, Role};
use pipelines::{DeclaredPipeline, DefinitionFault, MOST_BYTES, Pipeline, Registry};

use crate::ApiError;

/// The folder of the person's own pipelines, in the data folder.
const FOLDER: &str = "pipelines";

/// So many pipelines of runs are kept in memory.
const MOST_OF_RUNS: usize = 64;

/// Pipelines by their ids.
pub(crate) struct PipelineDirectory {
    own: BTreeMap<String, Arc<dyn Pipeline>>,
    folder: PathBuf,
    registry: Registry,
    /// Pipelines of runs, by the hash of what the runs keep of them.
    of_runs: Mutex<HashMap<Hash, Arc<dyn Pipeline>>>,
}

/// A file of a pipeline that cannot run.
pub(crate) struct FaultyFile {
    /// Its name without its ending, which is the id it should have.
    pub(crate) id: String,
    /// What is wrong.
    pub(crate) faults: Vec<DefinitionFault>,
}

impl PipelineDirectory {
    /// Of several pipelines with one id the last holds.
    pub(crate) fn new(own: impl Iterator<Item = Arc<dyn Pipeline>>, data_folder: &Path) -> PipelineDirectory {
        PipelineDirectory {
            own: own.map(|pipeline| (pipeline.describe().id.clone(), pipeline)).collect(),
            folder: data_folder.join(FOLDER),
            registry: Registry::of_program(),
            of_runs: Mutex::default(),
        }
    }

    /// The pipeline of this id, as it is now.
    ///
    /// # Errors
    /// `not_found` when there is none, `bad_input` with every fault when its file is wrong.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<dyn Pipeline>, ApiError> {
        if let Some(own) = self.own.get(id) {
            return Ok(own.clone());
        }
        if !self.files().contains(&id.to_owned()) {
            let known: Vec<String> = self.own.keys().cloned().chain(self.files()).collect();
            let message = format!("There is no pipeline `{id}`; there is {}", known.join(", "));
            return Err(ApiError::new(Code::NotFound, message));
        }
        self.read(id).map_err(|faults| {
            let file = self.path(id);
            let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
            let message = format!("The pipeline {} cannot run: {}", file.display(), told.join("; "));
            ApiError::new(Code::BadInput, message)
        })
    }

    /// The pipeline that a run was started with: where it is data, as it was then.
    ///
    /// # Errors
    /// As [`PipelineDirectory::get`] for a pipeline of code; `internal` when what is stored is no definition.
    pub(crate) fn of_run(&self, definition: &Definition) -> Result<Arc<dyn Pipeline>, ApiError> {
        let Some(declared) = &definition.declared else { return self.get(&definition.pipeline) };
        let hash = declared.hash();
        let mut known = self.of_runs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = known.get(&hash) {
            return Ok(pipeline.clone());
        }
        let stored: PipelineDefinition =
            serde_json::from_value(declared.json_or_null().clone()).map_err(|error| {
                let message = format!("What this run keeps of its pipeline cannot be read: {error}");
                ApiError::new(Code::Internal, message)
            })?;
        let pipeline: Arc<dyn Pipeline> = Arc::new(DeclaredPipeline::new(stored, self.registry.clone()));
        if known.len() >= MOST_OF_RUNS {
            known.clear();
        }
        known.insert(hash, pipeline.clone());
        Ok(pipeline)
    }

    /// Whether the program itself has a pipeline of this id.
    pub(crate) fn is_own(&self, id: &str) -> bool {
        self.own.contains_key(id)
    }

    /// Every pipeline that can run, those of the program first, and the files that cannot.
    pub(crate) fn all(&self) -> (Vec<Arc<dyn Pipeline>>, Vec<FaultyFile>) {
        let mut pipelines: Vec<Arc<dyn Pipeline>> = self.own.values().cloned().collect();
        let mut faulty = Vec::new();
        for id in self.files().into_iter().filter(|id| !self.is_own(id)) {
            match self.read(&id) {
                Ok(pipeline) => pipelines.push(pipeline),
                Err(faults) => faulty.push(FaultyFile { id, faults }),
            }
        }
        (pipelines, faulty)
    }

    /// The keys whose text is what a run comes to.
    pub(crate) fn final_keys(&self) -> Vec<String> {
        let (pipelines, _) = self.all();
        let keys = pipelines.iter().flat_map(|pipeline| pipeline.describe().keys.iter());
        keys.filter(|key| matches!(key.role, Role::Final)).map(|key| key.name.clone()).collect()
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.toml"))
    }

    /// The names of the files without their ending, in order.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let toml =
            entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "toml"));
        let mut names: Vec<String> =
            toml.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
        names.sort();
        names
    }

    fn read(&self, id: &str) -> Result<Arc<dyn Pipeline>, Vec<DefinitionFault>> {
        let whole = |reason: String| vec![DefinitionFault { line: 0, column: 0, reason }];
        let text =
            disk::read_text(&self.path(id), MOST_BYTES as u64).map_err(|error| whole(error.to_string()))?;
        let definition = pipelines::read(&text, &self.registry)?;
        if definition.id != id {
            let reason = format!(
                "its id is `{}`; a file is named after the id of its pipeline: `{}.toml`",
                definition.id, definition.id
            );
            return Err(whole(reason));
        }
        Ok(Arc::new(DeclaredPipeline::new(definition, self.registry.clone())))
    }
}
