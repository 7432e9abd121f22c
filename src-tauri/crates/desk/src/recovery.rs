//! A data folder whose database is damaged, in place of a desk: what is the matter, which backups there are, and the way
//! to go on with one of them or with nothing.
//!
//! It answers the few commands that need no database. Whoever holds it opens a desk once it has recovered.

use std::path::PathBuf;
use std::sync::Arc;

use kernel::Code;
use serde_json::Value;
use store::{Backup, Store};

use crate::api::{BackupCard, CloseWindow, DamageCard, HostCard, Nothing, Recover, Recovered};
use crate::commands::{read, written};
use crate::{ApiError, Desk, Window};

/// The command that recovers; after it succeeded a desk can be opened.
pub const RECOVER: &str = "recover";

/// A data folder that waits to be recovered.
pub struct Recovery {
    folder: PathBuf,
    fault: ApiError,
    window: Arc<dyn Window>,
}

impl Recovery {
    /// The way out of this error of `Desk::open`; none where the database is not damaged.
    pub fn of(folder: PathBuf, fault: &ApiError, window: Arc<dyn Window>) -> Option<Recovery> {
        if fault.code != Code::DatabaseCorrupt {
            return None;
        }
        // What a person would do by hand is done by a button here.
        let told = fault.message.strip_suffix(&Store::way_on(&folder)).unwrap_or(&fault.message);
        let fault = ApiError { message: told.trim_end().to_owned(), ..fault.clone() };
        Some(Recovery { folder, fault, window })
    }

    /// Answers one command of the page; those that need the database with the error that there is.
    ///
    /// # Errors
    /// The damage itself, or what kept the database from being set aside.
    pub async fn rpc(&self, command: &str, payload: Value) -> Result<Value, ApiError> {
        match command {
            "describe_host" => written(&HostCard { is_window: true, damage: Some(self.describe()?) }),
            RECOVER => {
                let Recover { backup } = read(command, payload)?;
                let folder = self.folder.clone();
                let kept = tokio::task::spawn_blocking(move || Store::recover(&folder, backup.as_deref()))
                    .await
                    .map_err(|_| crate::closing())??;
                written(&Recovered { kept })
            }
            "open_data_folder" => {
                crate::data::show(self.window.as_ref(), &self.folder)?;
                written(&Nothing {})
            }
            "close_window" => {
                self.window.close(read::<CloseWindow>(command, payload)?.how);
                written(&Nothing {})
            }
            _ => Err(self.fault.clone()),
        }
    }

    fn describe(&self) -> Result<DamageCard, ApiError> {
        let backups = Store::backups_of(&self.folder)?;
        Ok(DamageCard {
            fault: self.fault.clone(),
            path: self.folder.display().to_string(),
            backups: backups.into_iter().map(card).collect(),
        })
    }
}

impl Desk {
    /// A desk that is open has nothing to recover from.
    pub(crate) async fn recover(&self, _: Recover) -> Result<Recovered, ApiError> {
        Err(ApiError::new(
            Code::BadInput,
            "The database of this folder is open and in use; only one that cannot be opened is set aside",
        ))
    }
}

pub(crate) fn card(backup: Backup) -> BackupCard {
    BackupCard { file: backup.file, at_ms: backup.at_ms, bytes: backup.bytes }
}
