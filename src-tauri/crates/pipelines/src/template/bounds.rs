//! Bounds of templates beside the library's own: bytes of a template and of each of its tags, bytes of what it writes,
//! and parts of the values that it prints.

use kernel::phrase;
use std::io;

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Template, Value};
use serde_json::Value as Json;

use super::json_view::JsonView;
use super::numbered::Row;
use super::{TemplateError, Values};

/// Most bytes of one template.
const MOST_SOURCE_BYTES: usize = 64 * 1024;
/// Most bytes between `{{` and `}}`, or `{%` and `%}`: the library reads what stands there by recursion.
const MOST_TAG_BYTES: usize = 2000;
/// Most bytes that a template writes, and of a value that it fills in.
pub(crate) const MOST_TEXT_BYTES: usize = 1 << 20;
/// Most parts of a value that is printed; parts may stand in it many times over.
pub(super) const MOST_PARTS: usize = 100_000;
/// How deep such a value may nest: it is written by recursion.
const MOST_DEPTH: usize = 256;

/// Refuses a template that is too long, or has a tag that is.
///
/// # Errors
/// [`TemplateError`] with what is too long.
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

/// Renders a template, up to the most bytes that are kept.
///
/// # Errors
/// [`TemplateError`] when it uses something that is not there, takes too many steps or writes too much.
pub(super) fn render(template: &Template<'_, '_>, values: &Values) -> Result<String, TemplateError> {
    let mut written = Bounded(Vec::new());
    template.render_captured_to(Value::from(values.clone()), &mut written)?;
    // A template writes whole texts.
    Ok(String::from_utf8(written.0).unwrap_or_default())
}

/// Takes no more than the most bytes.
struct Bounded(Vec<u8>);

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

/// Refuses a value that has more parts, more bytes in its texts or nests deeper than is printed.
///
/// # Errors
/// An error of the library.
pub(super) fn check_size(value: &Value) -> Result<(), Error> {
    Room { parts: MOST_PARTS, bytes: MOST_TEXT_BYTES }.take(value, MOST_DEPTH)
}

pub(super) fn too_large() -> Error {
    Error::new(ErrorKind::InvalidOperation, "a value is too large to be written")
}

/// What more may be written.
struct Room {
    parts: usize,
    bytes: usize,
}

impl Room {
    /// Takes what a value needs that goes no deeper than this.
    ///
    /// # Errors
    /// When there is not as much; an error of the library.
    fn take(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        if let Some(view) = value.downcast_object_ref::<JsonView>() {
            return self.take_json(view.json(), depth).ok_or_else(too_large);
        }
        let inner = depth.checked_sub(1).ok_or_else(too_large)?;
        self.take_part(value.as_str()).ok_or_else(too_large)?;
        if let Some(row) = value.downcast_object_ref::<Row>() {
            self.take_part(None).ok_or_else(too_large)?;
            let mut fields = row.fields();
            return fields.try_for_each(|(_, part)| self.take_json(part, inner)).ok_or_else(too_large);
        }
        match value.kind() {
            ValueKind::Map => {
                let mut pairs = value.as_object().and_then(|map| map.try_iter_pairs()).into_iter().flatten();
                pairs.try_for_each(|(_, part)| self.take(&part, inner))
            }
            ValueKind::Seq | ValueKind::Iterable => {
                value.try_iter()?.try_for_each(|part| self.take(&part, inner))
            }
            _ => Ok(()),
        }
    }

    fn take_json(&mut self, json: &Json, depth: usize) -> Option<()> {
        let inner = depth.checked_sub(1)?;
        self.take_part(json.as_str())?;
        match json {
            Json::Array(items) => items.iter().try_for_each(|part| self.take_json(part, inner)),
            Json::Object(fields) => fields.values().try_for_each(|part| self.take_json(part, inner)),
            _ => Some(()),
        }
    }

    fn take_part(&mut self, text: Option<&str>) -> Option<()> {
        self.parts = self.parts.checked_sub(1)?;
        self.bytes = self.bytes.checked_sub(text.map_or(0, str::len))?;
        Some(())
    }
}
