//! The state of a run at a moment: the fold of its deltas.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Value;

/// What one event changed: keys set and keys removed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Delta {
    /// New values by key.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
    /// Keys that are gone.
    #[serde(default)]
    pub removed: Vec<String>,
}

impl Delta {
    /// A delta that sets one key.
    pub fn of(key: impl Into<String>, value: impl Into<Value>) -> Delta {
        Delta { set: BTreeMap::from([(key.into(), value.into())]), removed: Vec::new() }
    }

    /// The delta with one more key set.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Delta {
        self.set.insert(key.into(), value.into());
        self
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.removed.is_empty()
    }

    /// The keys that it changes.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.set.keys().map(String::as_str).chain(self.removed.iter().map(String::as_str))
    }
}

/// All keys and values at one moment. A clone costs one reference count; changing a shared state copies the list of
/// keys, never a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State(Arc<BTreeMap<String, Value>>);

impl State {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Applies one delta.
    pub fn apply(&mut self, delta: &Delta) {
        if delta.is_empty() {
            return;
        }
        let map = Arc::make_mut(&mut self.0);
        for key in &delta.removed {
            map.remove(key);
        }
        for (key, value) in &delta.set {
            map.insert(key.clone(), value.clone());
        }
    }

    /// Keys and values in alphabetic order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The delta from `self` to `other`.
    pub fn difference(&self, other: &State) -> Delta {
        let mut delta = Delta::default();
        for (key, value) in other.iter() {
            if self.get(key) != Some(value) {
                delta.set.insert(key.to_owned(), value.clone());
            }
        }
        for (key, _) in self.iter() {
            if other.get(key).is_none() {
                delta.removed.push(key.to_owned());
            }
        }
        delta
    }

    /// The state as one JSON object.
    pub fn to_json(&self) -> serde_json::Value {
        self.iter().map(|(key, value)| (key.to_owned(), value.json_or_null().clone())).collect()
    }
}

impl FromIterator<(String, Value)> for State {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(entries: I) -> State {
        State(Arc::new(entries.into_iter().collect()))
    }
}

impl Serialize for State {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        Ok(State(Arc::new(BTreeMap::deserialize(deserializer)?)))
    }
}
