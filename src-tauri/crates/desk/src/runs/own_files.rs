//! Fills inputs with the person's own files, such as plan templates, when a run starts. They are recorded with the run,
//! so that a later change of a file has no effect.

use std::collections::BTreeMap;
use std::path::Path;

use interpreter::Pipeline;
use kernel::{Code, InputDeclaration, Value, phrase};
use serde_json::{Value as Json, json};

use crate::ApiError;
use crate::runs::RunService;

impl RunService {
    /// Fills the inputs that hold files of the person: a list of `{ name, text }`, by name.
    ///
    /// # Errors
    /// `bad_input` with the file that cannot be read, or that exceeds the total length.
    pub(crate) fn fill_from_own_files(
        &self,
        pipeline: &Pipeline,
        inputs: &mut BTreeMap<String, Value>,
    ) -> Result<(), ApiError> {
        for (key, input) in &pipeline.definition().inputs {
            if let Some(folder) = &input.folder {
                let files = own_files(&self.folder.join(folder), input)?;
                inputs.insert(key.clone(), json!(files).into());
            }
        }
        Ok(())
    }
}

fn own_files(folder: &Path, input: &InputDeclaration) -> Result<Vec<Json>, ApiError> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    paths.sort();
    let mut left = u64::from(input.max_bytes);
    let file = |path: &std::path::PathBuf| {
        let text = disk::read_text(path, left).map_err(|error| {
            let message = phrase!(
                "{file} cannot be read: {error}. Mend it or take it out of the folder",
                file = path.display(),
                error
            );
            ApiError::new(Code::BadInput, message)
        })?;
        left = left.saturating_sub(text.len() as u64);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(json!({ "name": name, "text": text }))
    };
    paths.iter().map(file).collect()
}
