//! `galley export`: a run as text on standard output or in a file.

use desk::api::{ExportRun, Exported};
use desk::{ApiError, Desk, write_file};

use crate::arguments::Export;
use crate::desk_client::ask;
use crate::output;

/// `galley export`.
pub(crate) async fn export(desk: &Desk, asked: Export) -> Result<u8, ApiError> {
    let request = ExportRun { run: asked.run, format: asked.format };
    let exported: Exported = ask(desk, "export_run", request).await?;
    let Some(out) = asked.out else {
        output::write_text(&exported.content)?;
        return Ok(0);
    };
    let file = if out.is_dir() { out.join(&exported.file_name) } else { out };
    write_file(&file, &exported.content, asked.yes)?;
    output::tell(&format!("Written to {}", file.display()));
    Ok(0)
}
