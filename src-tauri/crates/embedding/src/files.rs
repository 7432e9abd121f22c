//! Finds and opens the files of the model.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use kitoken::Kitoken;

use crate::encoder::Encoder;
use crate::weights::Weights;

const PIECES_FILE: &str = "sp.model";
const WEIGHTS_FILE: &str = "weights.npz";

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

impl Encoder {
    /// Loads the model from its folder, in about 0.3 s.
    ///
    /// # Errors
    /// [`Unavailable::Damaged`] if a file is missing or invalid.
    pub fn open(folder: &Path) -> Result<Encoder, Unavailable> {
        let damaged = |reason: String| Unavailable::Damaged { file: PIECES_FILE.to_owned(), reason };
        let pieces = std::fs::read(folder.join(PIECES_FILE)).map_err(|error| damaged(error.to_string()))?;
        let pieces =
            Kitoken::from_sentencepiece_slice(&pieces).map_err(|error| damaged(error.to_string()))?;
        Weights::open(&folder.join(WEIGHTS_FILE))
            .and_then(|weights| weights.encoder(pieces))
            .map_err(|reason| Unavailable::Damaged { file: WEIGHTS_FILE.to_owned(), reason })
    }
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
