//! Values of the state, cheap to share at any size.
//!
//! A value is written once and read often: clones share one allocation, and its size and content hash are computed at
//! most once. A value above [`INLINE_BYTES`] is stored once by content hash; a stored event contains only the hash, so
//! its size depends on what it changed (law 8).
//!
//! Not here: where values are stored (`store`).

use std::io::Write;
use std::sync::{Arc, OnceLock};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ts_rs::TS;

use crate::compact;

/// Values whose JSON text is longer than this many bytes are stored by content hash.
pub const INLINE_BYTES: usize = 4096;

const STORED: &str = "$stored";
const WHOLE: &str = "$whole";

/// A BLAKE3 content hash in lower-case hexadecimal, 64 characters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct Hash(pub String);

impl Hash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(blake3::hash(bytes).to_hex().to_string())
    }
}

/// Free JSON at the border: `unknown` in TypeScript.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(type = "unknown")]
pub struct Json(pub serde_json::Value);

impl From<serde_json::Value> for Json {
    fn from(json: serde_json::Value) -> Json {
        Json(json)
    }
}

/// One value of the state, a prompt or an answer: JSON, shared, possibly present only by its hash.
#[derive(Clone, TS)]
#[ts(type = "unknown")]
pub struct Value(Inner);

#[derive(Clone)]
enum Inner {
    Whole(Arc<Whole>),
    Stored(Hash, usize),
}

struct Whole {
    json: serde_json::Value,
    bytes: OnceLock<usize>,
    hash: OnceLock<Hash>,
}

impl Value {
    /// A value that is present as a whole.
    pub fn new(json: serde_json::Value) -> Value {
        Value(Inner::Whole(Arc::new(Whole { json, bytes: OnceLock::new(), hash: OnceLock::new() })))
    }

    /// A string value.
    pub fn text(text: impl Into<String>) -> Value {
        Value::new(serde_json::Value::String(text.into()))
    }

    /// The JSON, or `None` when only the hash is present.
    pub fn json(&self) -> Option<&serde_json::Value> {
        match &self.0 {
            Inner::Whole(whole) => Some(&whole.json),
            Inner::Stored(..) => None,
        }
    }

    /// The JSON; `null` for a value of which only the hash is present.
    pub fn json_or_null(&self) -> &serde_json::Value {
        self.json().unwrap_or(&serde_json::Value::Null)
    }

    /// The string, when the value is one and is present.
    pub fn as_str(&self) -> Option<&str> {
        self.json().and_then(|json| json.as_str())
    }

    /// The content hash: BLAKE3 over the compact JSON text.
    pub fn hash(&self) -> Hash {
        match &self.0 {
            Inner::Whole(whole) => whole.hash.get_or_init(|| Hash::of(self.written().as_bytes())).clone(),
            Inner::Stored(hash, _) => hash.clone(),
        }
    }

    /// The compact JSON text, whose length is cached. `null` for a value of which only the hash is present.
    pub fn written(&self) -> String {
        // Plain JSON always serializes.
        let text = compact(self.json_or_null()).unwrap_or_default();
        if let Inner::Whole(whole) = &self.0 {
            whole.bytes.get_or_init(|| text.len());
        }
        text
    }

    /// The hash of a value with this compact JSON text, which then need not be written again.
    pub fn hash_as_written(&self, text: &str) -> Hash {
        match &self.0 {
            Inner::Whole(whole) => whole.hash.get_or_init(|| Hash::of(text.as_bytes())).clone(),
            Inner::Stored(hash, _) => hash.clone(),
        }
    }

    /// Length of the compact JSON text in bytes.
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Inner::Whole(whole) => *whole.bytes.get_or_init(|| measured(&whole.json)),
            Inner::Stored(_, bytes) => *bytes,
        }
    }

    /// Length of the compact JSON text, when it is known already.
    pub fn known_bytes(&self) -> Option<usize> {
        match &self.0 {
            Inner::Whole(whole) => whole.bytes.get().copied(),
            Inner::Stored(_, bytes) => Some(*bytes),
        }
    }

    /// Whether only the hash is present.
    pub fn is_stored(&self) -> bool {
        matches!(self.0, Inner::Stored(..))
    }

    /// The value reduced to its hash.
    pub fn stored(&self) -> Value {
        Value(Inner::Stored(self.hash(), self.bytes()))
    }

    /// Whether both are clones of one present value, which is a quick check at any size.
    pub fn is_shared_with(&self, other: &Value) -> bool {
        matches!((&self.0, &other.0), (Inner::Whole(a), Inner::Whole(b)) if Arc::ptr_eq(a, b))
    }

    /// Whether there is nothing to show: null or an empty text.
    pub fn is_empty(&self) -> bool {
        match self.json() {
            Some(serde_json::Value::Null) => true,
            Some(serde_json::Value::String(text)) => text.is_empty(),
            _ => false,
        }
    }
}

/// Up to this many fields, a linear search in an object is faster than a hash lookup.
const FEW: usize = 16;

/// A field of a JSON object, `None` for other JSON. As `get`, but faster for few fields, as in most JSON.
pub fn json_field<'v>(json: &'v serde_json::Value, name: &str) -> Option<&'v serde_json::Value> {
    let fields = json.as_object()?;
    if fields.len() > FEW {
        return fields.get(name);
    }
    fields.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

fn measured(json: &serde_json::Value) -> usize {
    struct Count(usize);
    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    let _ = serde_json::to_writer(&mut count, json);
    count.0
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::text(text)
    }
}

impl From<serde_json::Value> for Value {
    fn from(json: serde_json::Value) -> Value {
        Value::new(json)
    }
}

impl Default for Value {
    fn default() -> Value {
        Value::new(serde_json::Value::Null)
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Inner::Whole(whole) => whole.json.fmt(f),
            Inner::Stored(hash, bytes) => write!(f, "stored({}, {bytes} bytes)", hash.0),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (&self.0, &other.0) {
            (Inner::Whole(a), Inner::Whole(b)) => Arc::ptr_eq(a, b) || a.json == b.json,
            _ => self.bytes() == other.bytes() && self.hash() == other.hash(),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            // A user's object may look like a reference, so it is wrapped.
            Inner::Whole(whole) if looks_reserved(&whole.json) => {
                serde_json::json!({ WHOLE: whole.json }).serialize(serializer)
            }
            Inner::Whole(whole) => whole.json.serialize(serializer),
            Inner::Stored(hash, bytes) => {
                serde_json::json!({ STORED: hash.0, "bytes": bytes }).serialize(serializer)
            }
        }
    }
}

fn looks_reserved(json: &serde_json::Value) -> bool {
    json.as_object().is_some_and(|object| object.contains_key(STORED) || object.contains_key(WHOLE))
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        let mut json = serde_json::Value::deserialize(deserializer)?;
        if !looks_reserved(&json) {
            return Ok(Value::new(json));
        }
        if let Some(whole) = json.get_mut(WHOLE) {
            return Ok(Value::new(whole.take()));
        }
        let hash = json.get(STORED).and_then(|hash| hash.as_str());
        let bytes = json.get("bytes").and_then(serde_json::Value::as_u64);
        match (hash, bytes) {
            (Some(hash), Some(bytes)) => Ok(Value(Inner::Stored(
                Hash(hash.to_owned()),
                usize::try_from(bytes).map_err(D::Error::custom)?,
            ))),
            _ => Err(D::Error::custom("a stored value needs its hash and its size")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_that_looks_like_a_reference_survives_as_data() {
        for json in [json!({"$stored": "x", "bytes": 1}), json!({"$whole": 1}), json!({"a": 1}), json!(null)]
        {
            let text = serde_json::to_string(&Value::new(json.clone())).unwrap();
            let back: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(back.json(), Some(&json));
        }
    }

    #[test]
    fn a_stored_value_equals_the_value_it_stands_for() {
        let value = Value::new(json!({"text": "聖地"}));
        let back: Value = serde_json::from_str(&serde_json::to_string(&value.stored()).unwrap()).unwrap();
        assert!(back.is_stored());
        assert_eq!(back, value);
        assert_ne!(back, Value::new(json!({"text": "別"})));
    }
}
