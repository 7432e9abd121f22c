//! The data folder: which one is used, and for the person its size, its backups and its path.

use std::path::{Path, PathBuf};

use kernel::{Code, phrase};
use store::Backup;

use crate::ApiError;
use crate::api::{BackupCard, DataFolder, Nothing};
use crate::program::ProgramService;
use crate::program::window::Window;

/// The data folder when none is named.
///
/// # Errors
/// No folder is given and the platform has none.
pub fn data_folder(asked: Option<PathBuf>) -> Result<PathBuf, ApiError> {
    let from_environment =
        || std::env::var_os("GALLEY_DATA_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let of_platform =
        || directories::ProjectDirs::from("", "", "galley").map(|dirs| dirs.data_dir().to_path_buf());
    asked.or_else(from_environment).or_else(of_platform).ok_or_else(|| {
        ApiError::new(
            Code::BadInput,
            phrase!("No data folder is known; name one with --data-dir or GALLEY_DATA_DIR"),
        )
    })
}

impl ProgramService {
    pub(crate) async fn data_folder(&self, _: Nothing) -> Result<DataFolder, ApiError> {
        let store = &self.store;
        let (runs, trashed_runs) = store.count_runs().await?;
        let backups = store.backups()?.into_iter().map(backup_card);
        Ok(DataFolder {
            path: self.folder.display().to_string(),
            database_bytes: store.bytes(),
            runs,
            trashed_runs,
            backups: backups.collect(),
        })
    }

    /// Makes a complete copy of the database beside it.
    pub(crate) async fn back_up(&self, _: Nothing) -> Result<DataFolder, ApiError> {
        self.store.back_up().await?;
        self.data_folder(Nothing {}).await
    }

    /// Makes the weekly copy if it is due. A failure is retried after the next run.
    pub(crate) async fn back_up_weekly(&self) {
        match self.store.back_up_weekly().await {
            Ok(false) => {}
            Ok(true) => tracing::info!("the copy of the week was made"),
            Err(error) => tracing::warn!(%error, "the copy of the week could not be made"),
        }
    }

    pub(crate) async fn open_data_folder(&self, _: Nothing) -> Result<Nothing, ApiError> {
        show(self.window_link.window()?.as_ref(), &self.folder)?;
        Ok(Nothing {})
    }
}

/// Shows the data folder in the system's file manager.
pub(crate) fn show(window: &dyn Window, folder: &Path) -> Result<(), ApiError> {
    window.show_folder(folder).map_err(|why| {
        let message = phrase!(
            "The folder {folder} cannot be shown: {why}; open it in your file manager",
            folder = folder.display(),
            why
        );
        ApiError::new(Code::Internal, message)
    })
}

pub(crate) fn backup_card(backup: Backup) -> BackupCard {
    BackupCard { file: backup.file, at_ms: backup.at_ms, bytes: backup.bytes }
}
