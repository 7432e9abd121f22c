//! Replaces the desk where the database is damaged or missing: shows the problem and the backups, and continues with a
//! backup, with the readable part, or with an empty database.
//!
//! It runs the few commands that need no database. After a successful recovery its owner opens a desk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::{Code, phrase};
use serde_json::Value;
use store::Store;

use crate::api::codec::{read, written};
use crate::api::{BackupCard, CloseWindow, DamageCard, HostCard, Nothing, Recover, Recovered, Replacement};
use crate::program::access;
use crate::program::data_folder::{backup_card, show};
use crate::{ApiError, Desk, Window};

/// The command that recovers; after it succeeds, a desk can be opened.
pub const RECOVER: &str = "recover";

/// A data folder that needs recovery.
pub struct Recovery {
    folder: PathBuf,
    error: ApiError,
    window: Arc<dyn Window>,
}

impl Recovery {
    /// The recovery for this error of `Desk::open`; `None` where the database is neither damaged nor missing.
    pub fn of(folder: PathBuf, error: &ApiError, window: Arc<dyn Window>) -> Option<Recovery> {
        if !matches!(error.code, Code::DatabaseCorrupt | Code::DatabaseMissing) {
            return None;
        }
        // The message without its advice, which the page offers as a button.
        let first_sentence = error.phrase.first_sentence().unwrap_or_else(|| (*error.phrase).clone());
        let error = error.clone().reworded(first_sentence);
        Some(Recovery { folder, error, window })
    }

    /// Runs a command of the page; one that needs the database returns the error of opening it.
    ///
    /// # Errors
    /// The error of opening the database, or of setting it aside.
    pub async fn rpc(&self, command: &str, payload: Value) -> Result<Value, ApiError> {
        match command {
            "describe_host" => {
                let damage = DamageCard {
                    error: self.error.clone(),
                    path: self.folder.display().to_string(),
                    backups: backups(&self.folder)?,
                };
                written(&HostCard { is_window: true, damage: Some(damage), remarks: Vec::new() })
            }
            RECOVER => {
                let Recover { replacement } = read(command, payload)?;
                written(&recover(self.folder.clone(), replacement).await?)
            }
            "open_data_folder" => {
                show(self.window.as_ref(), &self.folder)?;
                written(&Nothing {})
            }
            "close_window" => {
                self.window.close(read::<CloseWindow>(command, payload)?.how);
                written(&Nothing {})
            }
            _ => Err(self.error.clone()),
        }
    }
}

/// The backups of a data folder, newest first, for hosts that let a person choose one.
///
/// # Errors
/// The folder cannot be read.
pub fn backups(folder: &Path) -> Result<Vec<BackupCard>, ApiError> {
    Ok(Store::backups_of(folder)?.into_iter().map(backup_card).collect())
}

/// Sets the database of a data folder aside and replaces it.
///
/// # Errors
/// `database_locked` when it is open elsewhere, `not_found` for an unknown backup, `database_corrupt` for an unusable
/// one, `disk_full`. No file was moved then.
pub async fn recover(folder: PathBuf, replacement: Replacement) -> Result<Recovered, ApiError> {
    engine::check_clock()?;
    let replacement = match replacement {
        Replacement::Backup { file } => store::Replacement::Backup(file),
        Replacement::Readable => store::Replacement::Readable,
        Replacement::Empty => store::Replacement::Empty,
        Replacement::Fullest => store::Replacement::Fullest,
    };
    let recovered = tokio::task::spawn_blocking(move || {
        access::restrict(&folder);
        Store::recover(&folder, &replacement)
    });
    let store::Recovered { kept, backup, runs, shortened, without_definition, lost } =
        recovered.await.map_err(|_| crate::interrupted())??;
    Ok(Recovered { kept, backup, runs, shortened, without_definition, lost })
}

impl Desk {
    /// Closes this desk and recovers its folder. The owner of the desk opens another one, even after an error.
    pub(crate) async fn recover(&self, request: Recover) -> Result<Recovered, ApiError> {
        if !self.program().has_window() {
            let message =
                phrase!("The database is open here and in use; close Galley, then run `galley recover`");
            return Err(ApiError::new(Code::BadInput, message));
        }
        if self.runs().active_runs() > 0 {
            let message = phrase!("Runs are in progress; stop them first, then recover the database");
            return Err(ApiError::new(Code::Busy, message));
        }
        self.close().await;
        recover(self.folder().to_owned(), request.replacement).await
    }
}
