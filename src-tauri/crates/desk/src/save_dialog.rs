//! A run or the settings saved as a file where the person chooses in the system's dialog. The program writes the file:
//! a web view saves nothing by itself.

use crate::api::{ExportRun, FileContent, Nothing, SaveFile, SavedFile};
use crate::{ApiError, Desk, closing, write_file};

const SETTINGS_FILE: &str = "galley-settings.toml";

impl Desk {
    pub(crate) async fn save_file(&self, request: SaveFile) -> Result<SavedFile, ApiError> {
        let window = self.window()?;
        let (name, content) = match request.content {
            FileContent::Run { run, format } => {
                let exported = self.export_run(ExportRun { run, format }).await?;
                (exported.file_name, exported.content)
            }
            FileContent::Settings => (SETTINGS_FILE.to_owned(), self.export_settings(Nothing {}).await?.toml),
        };
        let Some(target) = window.choose_target(&name).await else { return Ok(SavedFile { path: None }) };
        let path = Some(target.display().to_string());
        // The dialog has asked already whether a file that is there may be replaced.
        tokio::task::spawn_blocking(move || write_file(&target, &content, true))
            .await
            .map_err(|_| closing())??;
        Ok(SavedFile { path })
    }
}
