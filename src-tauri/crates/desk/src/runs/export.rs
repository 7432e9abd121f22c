//! Exports a run as a file: renders it, counts its content, and saves it where the person chooses. The program writes
//! the file, because a web view cannot.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::PoisonError;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use export::{
    Export, Exportable, FileTexts, Format, Holds, LARGEST_RUN_FILE, Omissions, Redaction, TextForms,
};
use kernel::{Code, Event, KeyDeclaration, Start, phrase};
use redact::Redactor;

use crate::api::{
    ExportContents, ExportFormat, ExportFormats, ExportRun, ExportThing, Exported, FileContent, Nothing,
    RunRef, SaveFile, SavedFile,
};
use crate::runs::RunService;
use crate::{ApiError, api, interrupted};

const SETTINGS_FILE: &str = "galley-settings.toml";
/// The text that replaces a key.
const REDACTED: &str = "[key]";
/// Most characters of an export in its preview.
const SHOWN: usize = 20_000;
/// Most saved files that can be shown in the file manager.
const REMEMBERED: usize = 20;
/// Longest name of a file without its extension, in characters.
const LONGEST_NAME: usize = 60;

/// A run loaded for its export.
struct Loaded {
    /// The present title of the run.
    title: String,
    start: Start,
    events: Vec<Event>,
    keys: Vec<KeyDeclaration>,
    files: FileTexts,
}

impl Loaded {
    fn run(&self) -> Exportable<'_> {
        Exportable { start: &self.start, events: &self.events, keys: &self.keys, files: &self.files }
    }

    /// Redacts known keys everywhere; returns whether there were any.
    fn cover(&mut self, covers: &[Redactor]) -> Result<bool, ApiError> {
        if covers.is_empty() {
            return Ok(false);
        }
        let unreadable = |error: serde_json::Error| {
            let message = phrase!("The run cannot be written: {error}", error = error.to_string());
            ApiError::new(Code::Internal, message)
        };
        let whole = serde_json::to_value((&self.start, &self.events)).map_err(unreadable)?;
        let covered = covers.iter().fold(whole.clone(), |run, cover| cover.json(run));
        if covered == whole {
            return Ok(false);
        }
        (self.start, self.events) = serde_json::from_value(covered).map_err(unreadable)?;
        Ok(true)
    }

    /// Removes files that contain a known key.
    fn leave_out_files_with(&mut self, covers: &[Redactor]) {
        self.files.retain(|_, content| {
            let content = STANDARD.decode(content).unwrap_or_default();
            let text = String::from_utf8_lossy(&content);
            covers.iter().all(|cover| cover.whole(&text) == text)
        });
    }

    /// The file name for this format, from the title of the run.
    fn file_name(&self, format: &Format) -> String {
        let title = self.title.chars();
        let plain: String = title.map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let name = plain.trim_matches('-').chars().take(LONGEST_NAME).collect::<String>();
        format!("{}.{}", if name.is_empty() { "galley" } else { &name }, format.extension)
    }
}

impl RunService {
    pub(crate) async fn list_export_formats(&self, run: RunRef) -> Result<ExportFormats, ApiError> {
        let loaded = self.load_for_export(&run.run).await?;
        let formats = export::offered(&loaded.run()).into_iter().map(|format| ExportFormat {
            id: format.id.to_owned(),
            title: format.title.into(),
            extension: format.extension.to_owned(),
            media_type: format.media_type.to_owned(),
            leaves_out: format.leaves_out(),
            redacts: format.redacts(),
        });
        Ok(ExportFormats { formats: formats.collect() })
    }

    pub(crate) async fn export_run(&self, request: ExportRun) -> Result<Exported, ApiError> {
        let (file_name, format, made) = self.exported(request).await?;
        let is_base64 = !format.is_text();
        let contents = contents_of(&made);
        let preview = made.text.chars().take(SHOWN).collect();
        Ok(Exported {
            file_name,
            media_type: format.media_type.to_owned(),
            content: if is_base64 { STANDARD.encode(&made.bytes) } else { made.text },
            is_base64,
            preview,
            forms: made.forms.map(|TextForms { markdown, html }| api::TextForms { markdown, html }),
            picture: made.picture.map(|png| STANDARD.encode(png)),
            contents,
        })
    }

    /// Exports a run in a format. Returns it with its file name.
    async fn exported(&self, request: ExportRun) -> Result<(String, &'static Format, Export), ApiError> {
        let ExportRun { run, format: id, without, left_out } = request;
        let mut omissions = Omissions { events: without, things: things(&left_out)? };
        let mut loaded = self.load_for_export(&run).await?;
        let Some(format) = export::format(&id) else {
            let formats: Vec<&str> = export::offered(&loaded.run()).iter().map(|format| format.id).collect();
            let message = phrase!(
                "There is no export format `{id}`; this run can be exported as {formats}",
                id,
                formats
            );
            return Err(ApiError::new(Code::BadInput, message));
        };
        if format.holds == Holds::Events {
            loaded.files = self.files.contents_of(&loaded.start.run, &loaded.events).await?;
        }
        let covers = self.accounts.redactors().await?;
        // Rendering a long text and searching large files take a while.
        let work = move || {
            loaded.leave_out_files_with(&covers);
            if loaded.cover(&covers)? && format.redacts() {
                omissions.things.push(Redaction::Keys);
            }
            let made = export::export(&loaded.run(), format, &omissions)?;
            Ok((loaded.file_name(format), format, made))
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| interrupted())?
    }

    async fn load_for_export(&self, run: &str) -> Result<Loaded, ApiError> {
        let id = self.store.resolve_run(run).await?;
        let recorded = self.world.log.load(&id).await?;
        let keys = self.pipelines.of_run(&recorded.start.definition)?.keys().to_vec();
        let title = self.store.run_card(&id).await?.title;
        Ok(Loaded { title, start: recorded.start, events: recorded.events, keys, files: FileTexts::new() })
    }

    pub(crate) async fn save_file(&self, request: SaveFile) -> Result<SavedFile, ApiError> {
        let window = self.window_link.window()?;
        let (name, content) = match request.content {
            FileContent::Run(request) => {
                let (name, _, made) = self.exported(request).await?;
                (name, made.bytes)
            }
            FileContent::Settings => {
                (SETTINGS_FILE.to_owned(), self.accounts.export_settings(Nothing {}).await?.toml.into_bytes())
            }
        };
        let Some(target) = window.choose_target(&name).await else { return Ok(SavedFile { path: None }) };
        let path = Some(target.display().to_string());
        // The dialog has already asked whether to replace an existing file.
        tokio::task::spawn_blocking(move || write_file(&target, &content, true))
            .await
            .map_err(|_| interrupted())??;
        self.remember_saved(path.clone());
        Ok(SavedFile { path })
    }

    fn remember_saved(&self, path: Option<String>) {
        let mut saved = self.saved_files.lock().unwrap_or_else(PoisonError::into_inner);
        saved.extend(path);
        if saved.len() > REMEMBERED {
            saved.pop_front();
        }
    }

    /// Shows a file that was saved lately in the system's file manager. The page cannot show other files.
    pub(crate) async fn show_saved_file(&self, file: SavedFile) -> Result<Nothing, ApiError> {
        let window = self.window_link.window()?;
        let path = file.path.unwrap_or_default();
        if !self.saved_files.lock().unwrap_or_else(PoisonError::into_inner).contains(&path) {
            let message = phrase!("The file {path} was not saved lately; find it in your file manager", path);
            return Err(ApiError::new(Code::NotFound, message));
        }
        window.show_file(Path::new(&path)).map_err(|why| {
            let message =
                phrase!("The file {path} cannot be shown: {why}; find it in your file manager", path, why);
            ApiError::new(Code::Internal, message)
        })?;
        Ok(Nothing {})
    }
}

impl Exported {
    /// The bytes of the file.
    ///
    /// # Errors
    /// `internal` where the content is marked as Base64 and is not.
    pub fn into_bytes(self) -> Result<Vec<u8>, ApiError> {
        if !self.is_base64 {
            return Ok(self.content.into_bytes());
        }
        STANDARD.decode(&self.content).map_err(|error| {
            ApiError::new(
                Code::Internal,
                phrase!("The export cannot be read: {error}", error = error.to_string()),
            )
        })
    }
}

/// Writes a file atomically, through links, with the permissions of a file that it replaces.
///
/// # Errors
/// `bad_input` when the file exists and may not be replaced, or the path cannot be written; `disk_full`.
pub fn write_file(file: &Path, content: &[u8], may_replace: bool) -> Result<(), ApiError> {
    disk::write_export(file, content, may_replace).map_err(|error| {
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

/// Parses what to redact.
fn things(words: &[String]) -> Result<Vec<Redaction>, ApiError> {
    let thing = |word: &String| {
        Redaction::of(word).ok_or_else(|| {
            let known: Vec<&str> = Redaction::ALL.map(Redaction::word).to_vec();
            let message = phrase!("`{word}` cannot be left out of a run; {known} can", word, known);
            ApiError::new(Code::BadInput, message)
        })
    };
    words.iter().map(thing).collect()
}

/// Counts the content of an export.
fn contents_of(made: &Export) -> ExportContents {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let text = &made.text;
    ExportContents {
        lines: count(text.lines().count()),
        events: count(made.contents.events),
        prompts: count(made.contents.prompts),
        answers: count(made.contents.answers),
        tool_calls: count(made.contents.tool_calls),
        links: count(text.matches("http://").count() + text.matches("https://").count()),
        redactions: count(text.matches(REDACTED).count()),
        is_too_large: !made.contents.things.is_empty() && made.bytes.len() as u64 > LARGEST_RUN_FILE,
        things: made
            .contents
            .things
            .iter()
            .map(|(kind, number)| (*kind, *number))
            .map(|(kind, number)| ExportThing {
                word: kind.word().to_owned(),
                title: kind.title().into(),
                count: count(number),
            })
            .collect(),
    }
}
