//! `galley export`: a run in one of its formats, on standard output or in a file.

use desk::api::{ExportRun, Exported};
use desk::{ApiError, Desk, write_file};

use crate::arguments::Export;
use crate::desk_client::ask;
use crate::option_values::{kinds, refused};
use crate::output;

/// `galley export`.
pub(crate) async fn export(desk: &Desk, asked: Export) -> Result<u8, ApiError> {
    let without = kinds(&asked.without)?;
    let request = ExportRun { run: asked.run, format: asked.format, without };
    let exported: Exported = ask(desk, "export_run", request).await?;
    let Some(out) = asked.out else {
        match exported.is_base64 {
            false => output::write_text(&exported.content)?,
            true if output::is_shown() => {
                let file = &exported.file_name;
                return Err(refused(format!(
                    "The export is no text that a terminal can show; add --out {file}, or send it to a program"
                )));
            }
            true => output::write_bytes(&exported.into_bytes()?)?,
        }
        return Ok(0);
    };
    let file = if out.is_dir() { out.join(&exported.file_name) } else { out };
    write_file(&file, &exported.into_bytes()?, asked.yes)?;
    output::tell(&format!("Written to {}", file.display()));
    Ok(0)
}
