//! Finds the files of the model.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::Encoder;
use crate::encoder::WEIGHTS_FILE;

/// Why there is no encoder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// No folder has the files.
    #[error(
        "the files of the model are not beside the program; install Galley again, or in the project run `make`"
    )]
    NotThere,
    /// A file is there and is not what it should be.
    #[error(
        "`{file}` of the model cannot be read: {reason}; install Galley again, or in the project remove `embedding` and run `make`"
    )]
    Damaged {
        /// Its name.
        file: String,
        /// Why.
        reason: String,
    },
}

/// The shared encoder, which is loaded if none is in use. It is dropped after its last use: it takes 90 MB, and few
/// searches need it.
///
/// # Errors
/// [`Unavailable`] if its files are missing or damaged.
pub fn shared() -> Result<Arc<Encoder>, Unavailable> {
    static IN_USE: Mutex<Weak<Encoder>> = Mutex::new(Weak::new());
    let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(encoder) = in_use.upgrade() {
        return Ok(encoder);
    }
    let folder = folders()
        .into_iter()
        .find(|folder| folder.join(WEIGHTS_FILE).is_file())
        .ok_or(Unavailable::NotThere)?;
    let encoder = Arc::new(Encoder::open(&folder)?);
    *in_use = Arc::downgrade(&encoder);
    Ok(encoder)
}

/// Beside the program, where a package installs them, or in the project folder of a development build.
fn folders() -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    let beside = program.ok().and_then(|program| program.parent().map(PathBuf::from));
    let mut folders: Vec<PathBuf> = beside
        .map(|beside| vec![beside.join("embedding"), beside.join("../lib/Galley/embedding")])
        .unwrap_or_default();
    if cfg!(debug_assertions) {
        folders.push(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../embedding")));
    }
    folders
}
