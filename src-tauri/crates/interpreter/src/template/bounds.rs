//! Limits of templates in addition to the library's: bytes of a template, of each of its tags, and of its output. The
//! size of values is limited here and counted in `written`.

use kernel::{Scratch, phrase};
use std::io;

use minijinja::{Error, ErrorKind, Template, Value};

use super::{TemplateError, Values};

/// Most bytes of one template.
const MOST_SOURCE_BYTES: usize = 64 * 1024;
/// Most bytes between `{{` and `}}`, or `{%` and `%}`: the library parses them recursively.
const MOST_TAG_BYTES: usize = 2000;
/// Most bytes of a template's output, and of a value in it.
pub(crate) const MOST_TEXT_BYTES: usize = 1 << 20;
/// Most parts of a printed value; a part may occur in it many times.
pub(super) const MOST_PARTS: usize = 100_000;

/// Rejects a template that is too long, or has a tag that is.
///
/// # Errors
/// [`TemplateError`] that names the part.
pub(super) fn check_source(source: &str) -> Result<(), TemplateError> {
    if source.len() > MOST_SOURCE_BYTES {
        let reason = phrase!(
            "it has {bytes} bytes, at most {most} are read",
            bytes = source.len(),
            most = MOST_SOURCE_BYTES
        );
        return Err(TemplateError { reason });
    }
    for (open, close) in [("{{", "}}"), ("{%", "%}")] {
        let tags = source.split(open).skip(1);
        if tags.map(|rest| rest.find(close).unwrap_or(rest.len())).any(|bytes| bytes > MOST_TAG_BYTES) {
            let reason = phrase!(
                "a `{open} … {close}` has more than {most} bytes; split it",
                open,
                close,
                most = MOST_TAG_BYTES
            );
            return Err(TemplateError { reason });
        }
    }
    Ok(())
}

/// Renders a template up to the limit; with a preface if its output requires one.
///
/// # Errors
/// [`TemplateError`] if a value is undefined, or if rendering takes too many steps or writes too much.
pub(super) fn render(
    template: &Template<'_, '_>,
    values: &Values,
    preface: impl FnOnce(&str) -> &'static str,
) -> Result<String, TemplateError> {
    let mut written = Bounded(Scratch::take());
    template.render_captured_to(Value::from(values.clone()), &mut written)?;
    // A template writes complete UTF-8 texts.
    let text = str::from_utf8(&written.0).unwrap_or_default();
    Ok([preface(text), text].concat())
}

/// A writer with the limit of bytes.
struct Bounded(Scratch);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MOST_TEXT_BYTES {
            return Err(io::Error::other(format!("it writes more than {MOST_TEXT_BYTES} bytes")));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The error of a value that is too large.
pub(super) fn too_large() -> Error {
    Error::new(ErrorKind::InvalidOperation, "a value is too large to be written")
}
