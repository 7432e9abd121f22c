//! `galley export`: writes a run in one of its formats to standard output or to a file.

use std::io::{BufRead, IsTerminal};

use desk::api::{CitationLedger, ExportRun, Exported, Moment};
use desk::{ApiError, Desk, write_file};

use crate::arguments::Export;
use crate::desk_client::ask;
use crate::option_values::{omissions, refused};
use crate::output;
use crate::table::one_line;

/// `galley export`.
pub(crate) async fn export(desk: &Desk, asked: Export) -> Result<u8, ApiError> {
    let (without, left_out) = omissions(&asked.without)?;
    let moment = Moment { run: asked.run.clone(), seq: None };
    let is_report = asked.format == "report";
    let request = ExportRun { run: asked.run, format: asked.format, without, left_out };
    let exported: Exported = ask(desk, "export_run", request).await?;
    // An export of events is unchanged; for a text, the person should know which sentences have no source.
    if exported.contents.events == 0 && !asked.yes && !agrees(&ask(desk, "citations_at", moment).await?) {
        return Err(refused("Nothing was exported; `galley show RUN --citations` lists every citation"));
    }
    if is_report {
        tell_contents(&exported);
    }
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

/// Reports content of a whole run that the person may not want to share.
fn tell_contents(exported: &Exported) {
    let held: Vec<String> = exported
        .contents
        .things
        .iter()
        .filter(|thing| thing.count > 0)
        .map(|thing| format!("{} {}", thing.count, thing.word))
        .collect();
    if !held.is_empty() {
        output::tell(&format!("The run holds {}; --without leaves a kind out", held.join(", ")));
    }
    if exported.contents.redactions > 0 {
        output::tell(&format!("Keys were replaced by [key] in {} places", exported.contents.redactions));
    }
    if exported.contents.is_too_large {
        output::tell(
            "The file is larger than what `galley import` takes; leave pages out to make it smaller",
        );
    }
}

/// Lists the sentences that no source supports and, on a terminal, asks whether to export the text anyway.
fn agrees(ledger: &CitationLedger) -> bool {
    let unsupported: Vec<_> = ledger.unsupported().collect();
    for entry in &unsupported {
        let sentence = one_line(&entry.sentence);
        output::tell(&match entry.number {
            Some(number) => format!("Citation [{number}] is {}: {sentence}", entry.verdict.word()),
            None => format!("No source has {}: {sentence}", entry.words.join(", ")),
        });
    }
    if unsupported.is_empty() || !std::io::stdin().is_terminal() {
        return true;
    }
    output::tell("Export the text all the same? (y or n)");
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.is_ok() && line.trim().eq_ignore_ascii_case("y")
}
