//! Saves a plan of a run as a template file of the person.

use std::io::ErrorKind;

use kernel::{Code, InputKind, Plan, phrase};
use serde::Deserialize;

use crate::ApiError;
use crate::api::{SavePlanTemplate, SavedPlanTemplate};
use crate::runs::RunService;

/// The longest name of a template, in characters.
const LONGEST_NAME: usize = 60;

impl RunService {
    /// Writes the file into the folder of the pipeline's plan templates.
    pub(crate) async fn save_plan_template(
        &self,
        request: SavePlanTemplate,
    ) -> Result<SavedPlanTemplate, ApiError> {
        let SavePlanTemplate { run, key, name, pattern } = request;
        let bad = |message| ApiError::new(Code::BadInput, message);
        let (state, pipeline) = self.present_state(&self.store.resolve_run(&run).await?).await?;
        let plan = state.get(&key).and_then(|value| Plan::deserialize(value.json_or_null()).ok());
        let plan = plan.filter(|plan| !plan.stages.is_empty());
        let plan = plan.ok_or_else(|| bad(phrase!("The run {run} has no plan under `{key}`", run, key)))?;
        let inputs = pipeline.definition().inputs.values();
        let folder =
            inputs.filter(|input| input.kind == InputKind::OwnFiles).find_map(|input| input.folder.clone());
        let folder = folder
            .ok_or_else(|| bad(phrase!("`{pipeline}` takes no plan templates", pipeline = pipeline.id())))?;
        let name = name.trim();
        let is_plain = |c: char| c.is_alphanumeric() || " _-".contains(c);
        if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(is_plain) {
            let most = LONGEST_NAME;
            let message = phrase!(
                "`{name}` is no name for a template; write 1 to {most} letters, digits, blanks, `_` or `-`",
                name,
                most
            );
            return Err(bad(message));
        }
        let text = pipelines::plan_template(name, &pattern, &plan).map_err(|why| {
            bad(phrase!(
                "`{pattern}` is no pattern: {why}. Write a regular expression over the whole task",
                pattern,
                why
            ))
        })?;
        let folder = self.folder.join(folder);
        let file = folder.join(format!("{name}.toml"));
        let written =
            disk::make_private_folder(&folder).and_then(|()| disk::write_new_private(&file, text.as_bytes()));
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                bad(phrase!("There is a template `{name}` already; choose another name", name))
            }
            _ => {
                let (file, error) = (file.display().to_string(), error.to_string());
                ApiError::new(Code::ReadOnly, phrase!("{file} cannot be written: {error}", file, error))
            }
        })?;
        Ok(SavedPlanTemplate { path: file.display().to_string() })
    }
}
