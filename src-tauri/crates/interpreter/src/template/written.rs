//! Writes a template value as JSON, and checks its size.

use minijinja::value::ValueKind;
use minijinja::{Error, Value};
use serde::{Serialize, Serializer, ser};
use serde_json::Value as Json;

use super::bounds::{MOST_PARTS, MOST_TEXT_BYTES, too_large};
use super::json_view::JsonView;
use super::numbered::Row;

/// Deepest nesting of a value, because it is written recursively.
const MOST_DEPTH: usize = 256;

/// A value for writing; parts of the state are written unchanged.
pub(super) struct Written(pub(super) Value);

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Written(value) = self;
        if let Some(view) = value.downcast_object_ref::<JsonView>() {
            return view.json().serialize(serializer);
        }
        if let Some(row) = value.downcast_object_ref::<Row>() {
            return row.serialize(serializer);
        }
        match (value.kind(), value.as_object()) {
            (ValueKind::Map, Some(map)) => {
                let pairs = map.try_iter_pairs().into_iter().flatten();
                serializer.collect_map(pairs.map(|(name, part)| (name, Written(part))))
            }
            (ValueKind::Seq | ValueKind::Iterable, Some(list)) => {
                serializer.collect_seq(list.try_iter().into_iter().flatten().map(Written))
            }
            // An error while the value was made, which the library would write as an empty text.
            (ValueKind::Invalid, _) => Err(ser::Error::custom(value)),
            _ => value.serialize(serializer),
        }
    }
}

/// Rejects a value with more parts, more bytes or deeper nesting than the limits.
///
/// # Errors
/// An error of the library.
pub(super) fn check_size(value: &Value) -> Result<(), Error> {
    Room { parts: MOST_PARTS, bytes: MOST_TEXT_BYTES }.take(value, MOST_DEPTH)
}

/// The remaining limits.
struct Room {
    parts: usize,
    bytes: usize,
}

impl Room {
    /// Subtracts the size of a value at this depth.
    ///
    /// # Errors
    /// A limit is exceeded; an error of the library.
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
