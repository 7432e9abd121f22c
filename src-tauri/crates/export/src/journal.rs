//! The journal as a table with one event per row.

use jiff::Timestamp;
use kernel::{Code, Error, EventKind, is_trouble, kind, phrase, sentence};

use crate::Exportable;

/// The columns; times are UTC.
const COLUMNS: [&str; 8] = ["seq", "at", "kind", "author", "path", "surface", "trouble", "sentence"];

/// The events as CSV (RFC 4180), without the events of these kinds.
///
/// # Errors
/// `internal` if a row cannot be written.
pub(crate) fn csv(run: &Exportable<'_>, without: &[EventKind]) -> Result<String, Error> {
    let mut table = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let written = (|| {
        table.write_record(COLUMNS)?;
        for event in run.events.iter().filter(|event| !without.contains(&kind(&event.fact))) {
            let kind = serde_json::to_value(kind(&event.fact)).unwrap_or_default();
            let said = sentence(event, &run.start.definition.notes);
            let cells = [
                event.seq.to_string(),
                moment(event.at_ms),
                kind.as_str().unwrap_or_default().to_owned(),
                event.author.clone(),
                event.path.as_str().to_owned(),
                event.surface.to_string(),
                is_trouble(&event.fact).to_string(),
                said,
            ];
            table.write_record(cells.map(harmless))?;
        }
        table.flush().map_err(csv::Error::from)
    })();
    let failed = |error: String| {
        Error::new(Code::Internal, phrase!("The journal cannot be written as CSV: {error}", error))
    };
    written.map_err(|error| failed(error.to_string()))?;
    let bytes = table.into_inner().map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

/// A time in milliseconds since 1970 UTC as RFC 3339; empty if it is out of range.
pub(crate) fn moment(at_ms: i64) -> String {
    Timestamp::from_millisecond(at_ms).map_or_else(|_| String::new(), |at| at.to_string())
}

/// Keeps spreadsheets from taking a cell for a formula: texts come from models and pages.
fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell }
}
