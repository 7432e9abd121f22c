//! The files that a run made: lists them with the step that made each, previews them, and shows them in the file
//! manager.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kernel::{Code, Fact, Path, Seq, phrase};

use crate::api::{FileCard, FilePreview, FileRef, Moment, Nothing, RunFiles, RunRef};
use crate::library::import::text_of_document;
use crate::program::data_folder::show;
use crate::runs::RunService;
use crate::runs::pictures::kind;
use crate::{ApiError, interrupted};

/// Events that are read at once.
const PAGE: u32 = 500;
/// Most characters of a text in the preview.
const LONGEST: usize = 200_000;
/// Largest file with a preview, in bytes.
const LARGEST: usize = 8 << 20;

impl RunService {
    pub(crate) async fn list_files(&self, moment: Moment) -> Result<RunFiles, ApiError> {
        let id = self.store.resolve_run(&moment.run).await?;
        // Events are read only of runs that may have files; those of a fork or an import may come from another run.
        let card = self.store.run_card(&id).await?;
        if card.origin.is_none() && card.imported.is_none() && !self.files.has_folder(&id) {
            return Ok(RunFiles { files: Vec::new() });
        }
        let until = moment.seq.unwrap_or(Seq::MAX);
        let (mut files, mut steps) = (BTreeMap::new(), BTreeMap::new());
        let mut from = 1;
        loop {
            let events = self.store.events(&id, from, PAGE).await?;
            let is_last = events.len() < PAGE as usize;
            for event in events.iter().take_while(|event| event.seq <= until) {
                if let Fact::AgentStarted { instance: Some(instance), .. } = &event.fact
                    && let Some(step) = instance.input.json_or_null()["step"].as_str()
                {
                    steps.insert(event.path.as_str().to_owned(), step.to_owned());
                }
                for file in event.files() {
                    let places = std::iter::successors(Some(event.path.as_str()), |place| Path::above(place));
                    let step =
                        places.filter_map(|place| steps.get(place)).next().cloned().unwrap_or_default();
                    let card = file.hash.as_ref().map(|_| FileCard {
                        path: file.path.clone(),
                        bytes: file.bytes,
                        seq: event.seq,
                        author: event.author.clone(),
                        step,
                    });
                    files.insert(file.path, card);
                }
            }
            match events.last().filter(|last| !is_last && last.seq < until) {
                Some(last) => from = last.seq + 1,
                None => return Ok(RunFiles { files: files.into_values().flatten().collect() }),
            }
        }
    }

    pub(crate) async fn read_file(&self, asked: FileRef) -> Result<FilePreview, ApiError> {
        let id = self.store.resolve_run(&asked.run).await?;
        let events = self.store.events(&id, asked.seq, 1).await?;
        let file = events.iter().flat_map(kernel::Event::files).find(|file| file.path == asked.path);
        let hash = file.and_then(|file| file.hash).ok_or_else(|| {
            let path = asked.path.clone();
            ApiError::new(Code::NotFound, phrase!("The run made no file {path} at this event", path))
        })?;
        let files = self.files.clone();
        let read = move || {
            let content = files.content(&id, &hash)?;
            if content.len() > LARGEST {
                return Ok(FilePreview::Other);
            }
            if let Some(kind) = kind(&content) {
                return Ok(FilePreview::Picture {
                    data_url: format!("data:{kind};base64,{}", STANDARD.encode(&content)),
                });
            }
            if content.starts_with(b"%PDF-") {
                // Its reader needs a path, so an earlier version has no preview.
                let place = files.place(&id, &asked.path);
                let is_same = std::fs::read(&place).is_ok_and(|present| present == content);
                let text = is_same.then(|| text_of_document(&place).ok()).flatten();
                return Ok(text.map_or(FilePreview::Other, |text| {
                    let (text, is_cut) = cut(text);
                    FilePreview::Pdf { text, is_cut }
                }));
            }
            Ok(String::from_utf8(content).map_or(FilePreview::Other, |text| {
                let (text, is_cut) = cut(text);
                FilePreview::Text { text, is_markdown: asked.path.to_lowercase().ends_with(".md"), is_cut }
            }))
        };
        tokio::task::spawn_blocking(read).await.map_err(|_| interrupted())?
    }

    pub(crate) async fn show_files(&self, run: RunRef) -> Result<Nothing, ApiError> {
        let id = self.store.resolve_run(&run.run).await?;
        show(self.window_link.window()?.as_ref(), &self.files.place(&id, ""))?;
        Ok(Nothing {})
    }
}

/// The beginning of a text, and whether it was cut.
fn cut(text: String) -> (String, bool) {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => (text[..end].to_owned(), true),
        None => (text, false),
    }
}
