//! `galley manual`: the manual pages of the program and of each command, made from the command line's own description.

use std::path::Path;

use clap::CommandFactory;
use desk::{ApiError, ErrorCode, Phrase};

use crate::arguments::Arguments;

/// Writes `galley.1`, `galley-run.1` and so on.
pub(crate) fn write(folder: &Path) -> Result<(), ApiError> {
    clap_mangen::generate_to(Arguments::command(), folder).map_err(|error| {
        let message = format!(
            "The manual pages cannot be written into {}: {error}; name a folder that exists",
            folder.display()
        );
        ApiError::new(ErrorCode::BadInput, Phrase::verbatim(message))
    })
}
