//! A run as a text: made, its contents counted, and saved where the person chooses. The program writes the file: a web view
//! saves nothing by itself.

use std::io::ErrorKind;
use std::path::Path;

use export::{Exportable, json, markdown};
use kernel::{Code, Effect, Event, Fact, phrase};

use crate::api::{ExportContents, ExportRun, Exported, FileContent, Nothing, SaveFile, SavedFile};
use crate::{ApiError, Desk, closing};

const SETTINGS_FILE: &str = "galley-settings.toml";
/// What a key that was met in recorded words was replaced by.
const REDACTED: &str = "[key]";

impl Desk {
    pub(crate) async fn export_run(&self, request: ExportRun) -> Result<Exported, ApiError> {
        let id = self.run_id(&request.run).await?;
        let recorded = self.inner.world.log.load(&id).await?;
        let keys = self.inner.pipelines.of_run(&recorded.start.definition)?.describe().keys.clone();
        let run = Exportable { start: &recorded.start, events: &recorded.events, keys: &keys };
        let (content, ending) = match request.format.as_str() {
            "md" => (markdown(&run), "md"),
            "json" => (json(&run), "json"),
            other => {
                let message = phrase!("There is no export `{other}`; there is md, json", other);
                return Err(ApiError::new(Code::BadInput, message));
            }
        };
        let plain: String = recorded
            .start
            .definition
            .title
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '-' })
            .collect();
        let name = plain.trim_matches('-').chars().take(60).collect::<String>();
        let name = if name.is_empty() { "galley".to_owned() } else { name };
        let contents = contents_of(&recorded.events, &content, ending == "json");
        Ok(Exported { file_name: format!("{name}.{ending}"), content, contents })
    }

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

/// Writes a text where a person wants it: whole or not at all, through links, with the rights of a file that it replaces.
///
/// # Errors
/// `bad_input` when something is there and may not be replaced, or the place cannot be written; `disk_full`.
pub fn write_file(file: &Path, content: &str, may_replace: bool) -> Result<(), ApiError> {
    disk::write_export(file, content.as_bytes(), may_replace).map_err(|error| {
        let file = file.display();
        match error.kind() {
            ErrorKind::AlreadyExists => ApiError::new(
                Code::BadInput,
                phrase!("The file {file} is there already; add --yes to replace it", file),
            ),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => ApiError::new(
                Code::DiskFull,
                phrase!(
                    "The file {file} cannot be written: {error}; free some space, or name another place",
                    file,
                    error
                ),
            ),
            _ => ApiError::new(
                Code::BadInput,
                phrase!("The file {file} cannot be written: {error}; name another", file, error),
            ),
        }
    })
}

/// Counts what is in the export `content` of these events; `has_events` is whether they themselves are in it.
fn contents_of(events: &[Event], content: &str, has_events: bool) -> ExportContents {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let asked = |is_meant: fn(&Effect) -> bool| {
        let effects = events.iter().filter(
            |event| matches!(&event.fact, Fact::EffectAsked { effect, .. } if has_events && is_meant(effect)),
        );
        count(effects.count())
    };
    ExportContents {
        events: if has_events { count(events.len()) } else { 0 },
        prompts: asked(|effect| matches!(effect, Effect::Model { .. })),
        tool_calls: asked(|effect| matches!(effect, Effect::Tool { .. })),
        links: count(content.matches("http://").count() + content.matches("https://").count()),
        redactions: count(content.matches(REDACTED).count()),
    }
}
