//! The desk behind the window: opened while the window is being drawn, and needed by every command.
//!
//! The window opens even if the desk cannot be opened: every request then returns that error, and the page shows it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use desk::{ApiError, Desk, ErrorCode, Options, QuestionPolicy, RECOVER, Recovery};
use serde_json::Value;
use tokio::sync::{Mutex, watch};

/// How long closing waits for runs to be stopped and stored.
const CLOSING: Duration = Duration::from_secs(4);

type Opened = Option<Result<Desk, ApiError>>;

/// Resolves to the desk, or to the error that prevented it.
pub(crate) struct Program {
    folder: Result<PathBuf, ApiError>,
    window: Arc<dyn desk::Window>,
    opened: watch::Sender<Opened>,
    /// Serializes recoveries: a second one would set aside the result of the first.
    recovering: Mutex<()>,
}

impl Program {
    /// Starts opening the desk and returns at once.
    pub(crate) fn open(folder: Result<PathBuf, ApiError>, window: Arc<dyn desk::Window>) -> Self {
        let opened = watch::Sender::new(None);
        let program = Self { folder, window, opened, recovering: Mutex::new(()) };
        program.begin();
        program
    }

    fn begin(&self) {
        self.opened.send_replace(None);
        let (folder, window, opened) = (self.folder.clone(), self.window.clone(), self.opened.clone());
        tauri::async_runtime::spawn(async move {
            let result = match folder {
                Ok(folder) => {
                    let data_dir = Some(folder);
                    let window = Some(window);
                    let opened = Desk::open(Options {
                        data_dir,
                        question_policy: QuestionPolicy::Window,
                        window,
                        sets_timer: true,
                        ..Options::default()
                    })
                    .await;
                    opened.inspect(|desk| desk.schedules().fire_while_open())
                }
                Err(error) => Err(error),
            };
            opened.send_replace(Some(result));
        });
    }

    /// Answers one request of the page: by the desk, or by the recovery where the database is damaged.
    pub(crate) async fn rpc(&self, command: &str, payload: Value) -> Result<Value, ApiError> {
        let _alone = if command == RECOVER { Some(self.recovering.lock().await) } else { None };
        let error = match self.desk().await {
            Ok(desk) => {
                let answer = desk.rpc(command, payload).await;
                // The recovery may have closed the desk, even if the database could not be set aside.
                let was_refused = answer.as_ref().is_err_and(|error| error.code == ErrorCode::Busy);
                if command == RECOVER && !was_refused {
                    self.begin();
                }
                return answer;
            }
            Err(error) => error,
        };
        let folder = self.folder.clone()?;
        let Some(recovery) = Recovery::of(folder, &error, self.window.clone()) else { return Err(error) };
        let answer = recovery.rpc(command, payload).await?;
        if command == RECOVER {
            self.begin();
        }
        Ok(answer)
    }

    /// Waits for the desk.
    pub(crate) async fn desk(&self) -> Result<Desk, ApiError> {
        let mut opened = self.opened.subscribe();
        match opened.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(Ok(desk))) => Ok(desk.clone()),
            Ok(Some(Err(error))) => Err(error.clone()),
            Ok(None) | Err(_) => Err(desk::interrupted()),
        }
    }

    /// The desk, if it has been opened.
    pub(crate) fn opened(&self) -> Option<Desk> {
        match self.opened.borrow().as_ref() {
            Some(Ok(desk)) => Some(desk.clone()),
            Some(Err(_)) | None => None,
        }
    }

    /// Stops the runs and releases the data folder. A run that does not stop in time is resumed later, as after a
    /// crash.
    pub(crate) fn close(&self) {
        if let Some(desk) = self.opened() {
            tauri::async_runtime::block_on(desk.close_within(CLOSING));
        }
    }
}

/// The canonical path of the data folder.
pub(crate) fn folder(asked: Option<PathBuf>) -> Result<PathBuf, ApiError> {
    let folder = desk::data_folder(asked)?;
    Ok(folder.canonicalize().or_else(|_| std::path::absolute(&folder)).unwrap_or(folder))
}

/// A short name of the data folder for the session bus, where only letters, digits and underscores are allowed.
pub(crate) fn folder_key(folder: &Result<PathBuf, ApiError>) -> String {
    let path = folder.as_deref().unwrap_or(Path::new(""));
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
    hash.as_str().chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_paths_to_a_data_folder_are_one_window_and_two_folders_are_two() {
        let home = std::env::temp_dir();
        let one = folder_key(&folder(Some(home.clone())));
        let same = folder_key(&folder(Some(home.join("."))));
        let other = folder_key(&folder(Some(home.join("another"))));
        assert_eq!(one, same);
        assert_ne!(one, other);
        assert!(one.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    }
}
