//! Reads and writes files in the run's folder, and nowhere else, so that agents can pass texts on and leave results.
//!
//! One flat input serves all operations, because providers reject a choice of input schemas. Not in here: access to the
//! folder (`run_folder`), downloads, the user's own files.

mod pdf_of_text;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use engine::{Access, ToolContext, ToolExample, ToolOutput, TypedTool, bad_input};
use kernel::{Code, EffectClass, Error, Phrase, RunFile, phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::run_folder::path::{RunPath, journal_text};
use crate::run_folder::{Existing, FileEntry, Folder};

/// The name of the tool for files.
pub const FILE_SYSTEM: &str = "file_system";

/// The largest text in bytes.
const LARGEST_TEXT: u64 = 4 << 20;

/// Works with the files of a run.
#[derive(Debug)]
pub struct FileSystemTool {
    /// The folder with the user's font files for PDFs.
    fonts: PathBuf,
}

impl FileSystemTool {
    /// Creates the tool with the folder of fonts in this data folder.
    pub fn new(data_folder: &Path) -> FileSystemTool {
        FileSystemTool { fonts: data_folder.join("fonts") }
    }
}

/// What to do with a file. With comments of their own its variants would become a choice of schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileOperation {
    CreateFile,
    ReadFile,
    AppendToFile,
    OverwriteFile,
    DeleteFile,
    ListFiles,
    CreatePdfFromText,
}

/// What to do with which file.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileSystemInput {
    /// What to do.
    pub operation: FileOperation,
    /// The file as seen from the folder of the run, with `/` between its parts: `notes/plan.md`. For `list_files` a folder;
    /// `.` is the folder of the run.
    pub path: String,
    /// The text to write, for `create_file`, `append_to_file`, `overwrite_file` and `create_pdf_from_text`.
    #[serde(default)]
    #[schemars(with = "String", extend("default" = ""))]
    pub content: Option<String>,
    /// For `list_files`: whether folders in the folder are listed, too.
    #[serde(default)]
    pub recursive: bool,
    /// For `list_files` with `recursive`: how many folders deep.
    #[serde(default = "usual_depth")]
    #[schemars(range(min = 1, max = 16))]
    pub max_depth: u8,
    /// For `create_pdf_from_text`: the name of a font file in the folder `fonts` of the data folder; the letters that it lacks
    /// are set in others.
    #[serde(default)]
    #[schemars(with = "String", extend("default" = ""))]
    pub font: Option<String>,
}

fn usual_depth() -> u8 {
    3
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct FileSystemOutput {
    /// The file or folder.
    pub path: String,
    /// The bytes of the file as it is now, of all listed files, or of the file that was deleted.
    pub bytes: u64,
    /// The text that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// What was listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<FileEntry>>,
    /// Whether there is more than is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_cut: Option<bool>,
}

#[async_trait]
impl TypedTool for FileSystemTool {
    type Input = FileSystemInput;
    type Output = FileSystemOutput;
    const NAME: &'static str = FILE_SYSTEM;
    const DESCRIPTION: &'static str = "Reads and writes text files in the folder of this run. `create_file` makes a new file and \
         `overwrite_file` replaces one; `append_to_file` adds to its end; `delete_file` removes a file; `list_files` shows what \
         is in a folder; `create_pdf_from_text` makes a new PDF file on whose pages the text stands. A file has at most 4 MiB.";
    const USES_FOLDER: bool = true;

    fn access(&self, input: &FileSystemInput) -> Access {
        match input.operation {
            FileOperation::ReadFile | FileOperation::ListFiles => Access::looks(),
            FileOperation::CreateFile
            | FileOperation::OverwriteFile
            | FileOperation::DeleteFile
            | FileOperation::CreatePdfFromText => Access::own_folder(EffectClass::Repeatable),
            // Repeatable after a crash: the folder is first restored to the state that the events record.
            FileOperation::AppendToFile => Access::own_folder(EffectClass::Repeatable),
        }
    }

    fn title(&self, input: &FileSystemInput) -> Phrase {
        let path = journal_text(&input.path);
        match input.operation {
            FileOperation::CreateFile => phrase!("created the file {path}", path),
            FileOperation::ReadFile => phrase!("read the file {path}", path),
            FileOperation::AppendToFile => phrase!("added to the file {path}", path),
            FileOperation::OverwriteFile => phrase!("replaced the file {path}", path),
            FileOperation::DeleteFile => phrase!("deleted the file {path}", path),
            FileOperation::ListFiles => phrase!("listed the folder {path}", path),
            FileOperation::CreatePdfFromText => phrase!("made the PDF file {path}", path),
        }
    }

    fn intent(&self, input: &FileSystemInput) -> Phrase {
        let path = journal_text(&input.path);
        let bytes = input.content.as_ref().map_or(0, String::len);
        match input.operation {
            FileOperation::CreateFile => {
                phrase!("Writes {bytes} bytes to {path} in the folder of the run", bytes, path)
            }
            FileOperation::ReadFile => phrase!("Reads {path} in the folder of the run", path),
            FileOperation::AppendToFile => {
                phrase!("Adds {bytes} bytes to {path} in the folder of the run", bytes, path)
            }
            FileOperation::OverwriteFile => {
                phrase!("Replaces {path} in the folder of the run by {bytes} bytes", path, bytes)
            }
            FileOperation::DeleteFile => phrase!("Deletes {path} in the folder of the run", path),
            FileOperation::ListFiles => phrase!("Lists {path} in the folder of the run", path),
            FileOperation::CreatePdfFromText => {
                phrase!("Makes the PDF file {path} in the folder of the run", path)
            }
        }
    }

    /// Each works by itself, and also after the others.
    fn examples(&self) -> Vec<ToolExample> {
        let example = |title, input, output_contains| ToolExample { title, input, output_contains };
        let written = |operation: &str, content: &str| json!({"operation": operation, "path": "notes/plan.md", "content": content});
        vec![
            example("a new file in a folder", written("create_file", "# Plan\n"), "\"bytes\":7"),
            example("more at the end of a file", written("append_to_file", "- read\n"), "notes/plan.md"),
            example("another text in a file", written("overwrite_file", "# Plan 2\n"), "\"bytes\":9"),
            example(
                "a text as a PDF file",
                json!({"operation": "create_pdf_from_text", "path": "plan.pdf", "content": "Plan\n\n1. read\n2. 書く"}),
                "plan.pdf",
            ),
            example(
                "all files of the run",
                json!({"operation": "list_files", "path": ".", "recursive": true}),
                "\"entries\":[",
            ),
            example(
                "a file that is not needed any more",
                json!({"operation": "delete_file", "path": "notes/plan.md"}),
                "notes/plan.md",
            ),
        ]
    }

    async fn call(
        &self,
        input: FileSystemInput,
        context: &ToolContext,
    ) -> Result<ToolOutput<FileSystemOutput>, Error> {
        let folder = Folder::of(FILE_SYSTEM, context, LARGEST_TEXT)?;
        // Rendering a PDF is slow: the folder is not locked meanwhile.
        let pdf = match input.operation {
            FileOperation::CreatePdfFromText => Some(self.pdf(&input).await?),
            _ => None,
        };
        folder.work(context, move |folder| work(folder, pdf, input)).await
    }
}

impl FileSystemTool {
    /// The content of a PDF file.
    async fn pdf(&self, input: &FileSystemInput) -> Result<Vec<u8>, Error> {
        if !input.path.to_lowercase().ends_with(".pdf") {
            return Err(bad_input(FILE_SYSTEM, "/path", "the name of a PDF file ends with `.pdf`"));
        }
        let text = content(input)?.to_owned();
        let font = input.font.clone().filter(|font| !font.is_empty());
        let fonts = self.fonts.clone();
        let set = move || {
            let font = font.map(|font| pdf_of_text::font_of(&fonts, &font)).transpose()?;
            pdf_of_text::pdf_of(&text, font)
        };
        let broken = |_| Error::new(Code::Internal, phrase!("The text could not be set on pages"));
        tokio::task::spawn_blocking(set).await.map_err(broken)?
    }
}

/// The text to write.
fn content(input: &FileSystemInput) -> Result<&str, Error> {
    let content = input.content.as_deref().ok_or_else(|| no_content("the text to write is missing"))?;
    match content.len() as u64 > LARGEST_TEXT {
        true => Err(no_content("it has more than 4 MiB; use several files")),
        false => Ok(content),
    }
}

/// Runs the operation; `pdf` is the content of a PDF file. Blocks.
fn work(
    folder: &Folder,
    pdf: Option<Vec<u8>>,
    input: FileSystemInput,
) -> Result<ToolOutput<FileSystemOutput>, Error> {
    let path = match input.operation {
        FileOperation::ListFiles => RunPath::of_folder(&input.path),
        _ => RunPath::of_file(&input.path),
    };
    let path = path.map_err(|why| bad_input(FILE_SYSTEM, "/path", &why))?;
    let output = FileSystemOutput { path: path.to_string(), ..FileSystemOutput::default() };
    let changed = |bytes, summary, file| {
        let output = FileSystemOutput { bytes, ..output.clone() };
        Ok(ToolOutput { files: vec![file], ..ToolOutput::new(output, summary) })
    };
    let write = |existing| {
        let content = content(&input)?;
        if content.is_empty() && existing == Existing::Continued {
            return Err(no_content("it is empty, so there is nothing to add"));
        }
        let file = folder.write(&path, content.as_bytes(), existing)?;
        changed(file.bytes, phrase!("{path} has {bytes} bytes", path = file.path, bytes = file.bytes), file)
    };
    match input.operation {
        FileOperation::CreatePdfFromText => {
            let file = folder.write(&path, &pdf.unwrap_or_default(), Existing::Refused)?;
            changed(
                file.bytes,
                phrase!("{path} has {bytes} bytes", path = file.path, bytes = file.bytes),
                file,
            )
        }
        FileOperation::CreateFile => write(Existing::Refused),
        FileOperation::OverwriteFile => write(Existing::Replaced),
        FileOperation::AppendToFile => write(Existing::Continued),
        FileOperation::DeleteFile => {
            let removed = folder.delete(&path)?;
            let file = RunFile { path: path.to_string(), hash: None, bytes: 0 };
            let summary = match removed {
                Some(_) => phrase!("{path} is deleted", path = file.path),
                None => phrase!("there was no file {path}", path = file.path),
            };
            changed(removed.unwrap_or_default(), summary, file)
        }
        FileOperation::ReadFile => {
            let content = folder.read(&path)?;
            let bytes = content.len() as u64;
            let summary = phrase!("read {bytes} bytes", bytes);
            Ok(ToolOutput::new(FileSystemOutput { bytes, content: Some(content), ..output }, summary))
        }
        FileOperation::ListFiles => {
            let depth = if input.recursive { usize::from(input.max_depth.max(1)) } else { 1 };
            let (entries, is_cut) = folder.list(&path, depth)?;
            let summary = match entries.len() {
                0 => phrase!("the folder is empty"),
                n if is_cut => phrase!("listed the first {n} files and folders", n),
                n => phrase!("listed {n} files and folders", n),
            };
            let bytes = entries.iter().map(|entry| entry.bytes).sum();
            let is_cut = is_cut.then_some(true);
            Ok(ToolOutput::new(FileSystemOutput { bytes, entries: Some(entries), is_cut, ..output }, summary))
        }
    }
}

fn no_content(why: &str) -> Error {
    bad_input(FILE_SYSTEM, "/content", why)
}
