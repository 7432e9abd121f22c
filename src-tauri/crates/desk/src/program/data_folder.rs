//! The data folder for the person: its size, its backups, and its path.

use std::path::Path;

use kernel::{Code, phrase};
use store::Backup;

use crate::api::{BackupCard, DataFolder, Nothing};
use crate::{ApiError, Desk, Window};

impl Desk {
    pub(crate) async fn data_folder(&self, _: Nothing) -> Result<DataFolder, ApiError> {
        let store = &self.inner.store;
        let (runs, trashed_runs) = store.count_runs().await?;
        let backups = store.backups()?.into_iter().map(backup_card);
        Ok(DataFolder {
            path: self.inner.folder.display().to_string(),
            database_bytes: store.bytes(),
            runs,
            trashed_runs,
            backups: backups.collect(),
        })
    }

    /// Makes a complete copy of the database beside it.
    pub(crate) async fn back_up(&self, _: Nothing) -> Result<DataFolder, ApiError> {
        self.inner.store.back_up().await?;
        self.data_folder(Nothing {}).await
    }

    /// Makes the weekly copy if it is due. A failure is retried after the next run.
    pub(crate) async fn back_up_weekly(&self) {
        match self.inner.store.back_up_weekly().await {
            Ok(false) => {}
            Ok(true) => tracing::info!("the copy of the week was made"),
            Err(error) => tracing::warn!(%error, "the copy of the week could not be made"),
        }
    }

    pub(crate) async fn open_data_folder(&self, _: Nothing) -> Result<Nothing, ApiError> {
        show(self.window()?.as_ref(), &self.inner.folder)?;
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
