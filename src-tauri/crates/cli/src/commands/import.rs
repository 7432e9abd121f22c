//! `galley import`: imports a run that another Galley exported into the history.

use std::path::Path;

use desk::api::{ImportRun, ImportedRun};
use desk::{ApiError, Desk};

use crate::desk_client::ask;
use crate::output;

/// `galley import`. Prints the run's id to standard output.
pub(crate) async fn import(desk: &Desk, file: &Path) -> Result<u8, ApiError> {
    let request = ImportRun { path: file.display().to_string() };
    let imported: ImportedRun = ask(desk, "import_run", request).await?;
    if imported.was_here {
        output::tell("The same run was here already; nothing was stored");
    }
    if !imported.left_out.is_empty() {
        let left_out = imported.left_out.join(", ");
        output::tell(&format!(
            "Left out of the file: {left_out}. The run can be looked at, but neither replayed nor forked"
        ));
    }
    output::write_text(&format!("{}\n", imported.run))?;
    Ok(0)
}
