//! Items of a list with their numbers, as a model is shown what it may cite: each a row that looks at its item and copies
//! nothing of it.

use std::sync::Arc;

use indexmap::IndexSet;
use minijinja::value::{Enumerator, Object, Rest};
use minijinja::{Error, Value};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use super::bounds::check_size;
use super::json_view::{JsonView, Written};
use super::unwritable;

const NUMBER: &str = "number";

/// `{{ articles | numbered("title", "url") }}`: of each item its number from 1 and these fields; all without names.
pub(super) fn numbered(items: Value, named: Rest<String>) -> Result<Value, Error> {
    check_size(&items)?;
    let named: Arc<[String]> = IndexSet::<String>::from_iter(named.0).into_iter().collect();
    let row = |(index, item): (usize, Value)| {
        let item = match item.downcast_object::<JsonView>() {
            Some(view) => view,
            None => Arc::new(JsonView::new(serde_json::to_value(Written(item)).map_err(unwritable)?.into())),
        };
        Ok(Value::from_object(Row { number: index + 1, item, named: named.clone() }))
    };
    let rows: Vec<Value> = items.try_iter()?.enumerate().map(row).collect::<Result<_, Error>>()?;
    Ok(Value::from_object(rows))
}

/// An item with its number. A number among its fields takes the place of that.
#[derive(Debug)]
pub(super) struct Row {
    number: usize,
    item: Arc<JsonView>,
    named: Arc<[String]>,
}

impl Row {
    fn has(&self, name: &str) -> bool {
        self.named.is_empty() || self.named.iter().any(|named| named == name)
    }

    /// The fields of the item that are shown; none of what is no object.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &Json)> {
        let all = self.item.json().as_object();
        let unnamed = all.filter(|_| self.named.is_empty()).into_iter().flatten();
        let named = self.named.iter().filter_map(move |name| Some((name, all?.get(name)?)));
        unnamed.chain(named).map(|(name, part)| (name.as_str(), part))
    }

    fn own_number(&self) -> Option<&Json> {
        self.item.json().get(NUMBER).filter(|_| self.has(NUMBER))
    }
}

impl Object for Row {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = key.as_str()?;
        let field = self.has(name).then(|| self.item.field(name)).flatten();
        field.or_else(|| (name == NUMBER).then(|| Value::from(self.number)))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let others = self.fields().map(|(name, _)| name).filter(|name| *name != NUMBER);
        let pair = |name: &str| {
            let name = Value::from(name);
            self.get_value(&name).map(|value| (name, value))
        };
        let pairs: Vec<(Value, Value)> = [NUMBER].into_iter().chain(others).filter_map(pair).collect();
        Enumerator::RevKeyValueIter(Box::new(pairs.into_iter()))
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.own_number() {
            Some(number) => map.serialize_entry(NUMBER, number)?,
            None => map.serialize_entry(NUMBER, &self.number)?,
        }
        for (name, part) in self.fields().filter(|(name, _)| *name != NUMBER) {
            map.serialize_entry(name, part)?;
        }
        map.end()
    }
}
