//! Standard output and standard error. If the reader has closed standard output, that is no error: further output is
//! dropped, and nothing else changes.
//!
//! Control sequences are never sent to a terminal: not on standard error, not in our own lines and JSON, and not in
//! texts of runs and settings. A text that goes to a file or another program stays unchanged.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use desk::{ApiError, ErrorCode, Phrase, printable, printable_json};
use serde::Serialize;

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Writes lines to standard output. Before writing a lot, [`is_closed`] shows whether it is still read.
pub(crate) fn write(text: &str) -> Result<(), ApiError> {
    write_with(|out| out.write_all(printable(text).as_bytes()))
}

/// Writes a text of a run or a setting, with a final line break.
pub(crate) fn write_text(text: &str) -> Result<(), ApiError> {
    let shown = std::io::stdout().is_terminal().then(|| printable(text));
    let text = shown.as_deref().unwrap_or(text);
    write_with(|out| {
        out.write_all(text.as_bytes())?;
        if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") }
    })
}

/// Writes a binary file.
pub(crate) fn write_bytes(bytes: &[u8]) -> Result<(), ApiError> {
    write_with(|out| out.write_all(bytes))
}

/// Whether standard output is a terminal.
pub(crate) fn is_shown() -> bool {
    std::io::stdout().is_terminal()
}

/// Writes one JSON object on its own line.
pub(crate) fn write_json(object: &impl Serialize) -> Result<(), ApiError> {
    let line = serde_json::to_string(object).map_err(|error| {
        ApiError::new(ErrorCode::Internal, Phrase::verbatim(format!("The answer cannot be written: {error}")))
    })?;
    let line = printable_json(line);
    write_with(|out| writeln!(out, "{line}"))
}

/// Writes indented JSON for people.
pub(crate) fn write_pretty(object: &impl Serialize) -> Result<(), ApiError> {
    let text = serde_json::to_string_pretty(object).map_err(|error| {
        ApiError::new(ErrorCode::Internal, Phrase::verbatim(format!("The answer cannot be written: {error}")))
    })?;
    let text = printable_json(text);
    write_with(|out| writeln!(out, "{text}"))
}

fn write_with(
    work: impl FnOnce(&mut std::io::StdoutLock<'static>) -> std::io::Result<()>,
) -> Result<(), ApiError> {
    if is_closed() {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    match work(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            IS_CLOSED.store(true, Ordering::Relaxed);
            Ok(())
        }
        Err(error) => {
            IS_CLOSED.store(true, Ordering::Relaxed);
            let code = if error.kind() == ErrorKind::StorageFull {
                ErrorCode::DiskFull
            } else {
                ErrorCode::ReadOnly
            };
            Err(ApiError::new(
                code,
                Phrase::verbatim(format!("Standard output cannot be written: {error}; send it elsewhere")),
            ))
        }
    }
}

/// Whether the reader has closed standard output.
pub(crate) fn is_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}

/// Writes a line to standard error.
pub(crate) fn tell(sentence: &str) {
    // If even this cannot be written, nothing is left to do.
    let _ = writeln!(std::io::stderr().lock(), "{}", printable(sentence));
}

/// Erases the last line of a terminal's standard error.
pub(crate) fn erase_line() {
    // Erasing is optional, so an error is ignored.
    let _ = write!(std::io::stderr().lock(), "\r\u{1b}[2K");
}

/// Prints an error in one line, with the provider's own words.
pub(crate) fn tell_error(error: &ApiError) {
    tell(&sentence(error));
}

/// An error in one line, with the provider's own words unless its sentence contains them.
pub(crate) fn sentence(error: &ApiError) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = one_line(&error.message);
    match error
        .provider_words
        .as_deref()
        .map(one_line)
        .filter(|words| !words.is_empty() && !message.contains(words))
    {
        None => message,
        Some(words) => format!("{message} (the provider's words: {words})"),
    }
}

/// Whether questions can be asked: standard error and standard input are a terminal.
pub(crate) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Whether progress may be drawn on standard error.
pub(crate) fn can_draw() -> bool {
    std::io::stderr().is_terminal()
}

/// The exit code of an error without an outcome of a run.
pub(crate) fn exit_code(error: &ApiError) -> u8 {
    match error.code {
        ErrorCode::BadInput | ErrorCode::NotFound => 2,
        ErrorCode::LimitReached => 3,
        ErrorCode::ReplayDiffers => 4,
        ErrorCode::Waiting => 5,
        ErrorCode::Cancelled => 130,
        _ => 1,
    }
}
