//! A data folder whose database is damaged or missing, in place of a desk: what is the matter, which backups there are, and
//! the way to go on with one of them, with what can be read, or with nothing.
//!
//! It answers the few commands that need no database. Whoever holds it opens a desk once it has recovered.

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

/// The command that recovers; after it succeeded a desk can be opened.
pub const RECOVER: &str = "recover";

/// A data folder that waits to be recovered.
pub struct Recovery {
    folder: PathBuf,
    error: ApiError,
    window: Arc<dyn Window>,
}

impl Recovery {
    /// The way out of this error of `Desk::open`; none where the database is neither damaged nor missing.
    pub fn of(folder: PathBuf, error: &ApiError, window: Arc<dyn Window>) -> Option<Recovery> {
        if !matches!(error.code, Code::DatabaseCorrupt | Code::DatabaseMissing) {
            return None;
        }
        // What the sentence advises is done by a button here.
        let told = error.phrase.first_sentence().unwrap_or_else(|| (*error.phrase).clone());
        let error = error.clone().reworded(told);
        Some(Recovery { folder, error, window })
    }

    /// Answers one command of the page; those that need the database with the error that there is.
    ///
    /// # Errors
    /// The damage itself, or what kept the database from being set aside.
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

/// The backups of a data folder, the newest first, for hosts that ask which one is to be used.
///
/// # Errors
/// When the folder cannot be read.
pub fn backups(folder: &Path) -> Result<Vec<BackupCard>, ApiError> {
    Ok(Store::backups_of(folder)?.into_iter().map(backup_card).collect())
}

/// Sets the database of a data folder aside and puts something else in its place.
///
/// # Errors
/// `database_locked` when it is open elsewhere, `not_found` for an unknown backup, `database_corrupt` for one that cannot
/// be used, `disk_full`; nothing was moved then.
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
        recovered.await.map_err(|_| crate::closing())??;
    Ok(Recovered { kept, backup, runs, shortened, without_definition, lost })
}

impl Desk {
    /// Closes this desk and recovers its folder; whoever holds the desk opens another one, also after an error.
    pub(crate) async fn recover(&self, request: Recover) -> Result<Recovered, ApiError> {
        if self.inner.window_link.window.is_none() {
            let message =
                phrase!("The database is open here and in use; close Galley, then run `galley recover`");
            return Err(ApiError::new(Code::BadInput, message));
        }
        if self.active_runs() > 0 {
            let message = phrase!("Runs are in progress; stop them first, then recover the database");
            return Err(ApiError::new(Code::Busy, message));
        }
        self.close().await;
        recover(self.inner.folder.clone(), request.replacement).await
    }
}
