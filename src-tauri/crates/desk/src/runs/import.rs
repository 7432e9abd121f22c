//! Imports a run that another Galley exported.

use std::io::ErrorKind;
use std::path::Path;

use engine::RunFiles;
use export::{LARGEST_RUN_FILE, RunFile as ExportedRun, read_run};
use kernel::{Code, RunFile, RunId, phrase};
use store::Imported;

use crate::api::{ImportRun, ImportedRun};
use crate::runs::RunService;
use crate::{ApiError, interrupted};

impl RunService {
    /// Imports a run from a report or from JSON, completely or not at all. It is not executed; it can be viewed,
    /// replayed and forked.
    pub(crate) async fn import_run(&self, request: ImportRun) -> Result<ImportedRun, ApiError> {
        let read = tokio::task::spawn_blocking(move || {
            let file = bytes_of(Path::new(&request.path))?;
            read_run(&file)
        });
        let ExportedRun { start, events, left_out, files } = read.await.map_err(|_| interrupted())??;
        // The definition is checked before anything is stored.
        self.pipelines.of_run(&start.definition)?;
        let words: Vec<String> = left_out.iter().map(|kind| kind.word().to_owned()).collect();
        let report = |was_here| ImportedRun { run: start.run.0.clone(), was_here, left_out: words.clone() };
        match self.world.log.load(&start.run).await {
            Ok(known) if known.start == start && known.events == events => {
                // An earlier import of the same run may have had no files.
                self.files.keep(&start.run, files).await?;
                self.make_files(&start.run, engine::files_of(&known.events)).await;
                return Ok(report(true));
            }
            Ok(_) => {
                let message = phrase!(
                    "There is another run {run} here, with other events; erase that one first, or keep it",
                    run = start.run
                );
                return Err(ApiError::new(Code::BadInput, message));
            }
            Err(error) if error.code == Code::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        // The files come first: after a crash in between, no run lacks its files.
        self.files.keep(&start.run, files).await?;
        let imported = Imported { left_out: words.clone() };
        let made = engine::files_of(&events);
        self.store.import_run(&start, events, &imported).await?;
        self.make_files(&start.run, made).await;
        Ok(report(false))
    }

    /// Writes the files of a run into its folder. Files that the export left out are missing.
    async fn make_files(&self, run: &RunId, made: Vec<RunFile>) {
        if !made.is_empty()
            && let Err(error) = self.files.folder(run, made).await
        {
            tracing::warn!(%error, "the files of a run that was taken in could not be made");
        }
    }
}

/// Reads a file that may contain a run.
fn bytes_of(path: &Path) -> Result<Vec<u8>, ApiError> {
    disk::read_file(path, LARGEST_RUN_FILE).map_err(|error| {
        let file = path.display();
        let message = match error.kind() {
            ErrorKind::InvalidInput | ErrorKind::IsADirectory | ErrorKind::FileTooLarge => phrase!(
                "The file {file} holds no run: it is no file, or larger than {most} MB",
                file,
                most = LARGEST_RUN_FILE >> 20
            ),
            _ => phrase!("The file {file} cannot be read: {error}; name another", file, error),
        };
        ApiError::new(Code::BadInput, message)
    })
}
