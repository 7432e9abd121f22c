//! Numbered items of a list, as a model gets the sources that it may cite. A row is a view of its item in the state and
//! copies nothing.

use std::iter;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use kernel::json_field;
use minijinja::value::{Enumerator, Object, ObjectExt, Rest, ValueKind};
use minijinja::{Error, Value};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use super::bounds::{MOST_PARTS, too_large};
use super::json_view::JsonView;

const NUMBER: &str = "number";

/// `{{ articles | numbered("title", "url") }}`: each item with its number from 1 and these fields; without names, with
/// all fields.
pub(super) fn numbered(items: Value, named: Rest<String>) -> Result<Value, Error> {
    let named: Arc<[String]> = IndexSet::<String>::from_iter(named.0).into_iter().collect();
    let mut rows: Vec<Value> = Vec::new();
    for (index, item) in items.try_iter()?.enumerate() {
        if index == MOST_PARTS {
            return Err(too_large());
        }
        rows.push(match item.downcast_object::<JsonView>() {
            Some(item) => Value::from_object(Row { number: index + 1, item, named: named.clone() }),
            None => Value::from_object(made_row(index + 1, &item, &named)),
        });
    }
    Ok(Value::from_object(rows))
}

/// The same for an item that the template created.
fn made_row(number: usize, item: &Value, named: &[String]) -> IndexMap<Value, Value> {
    let mut row = IndexMap::from([(Value::from(NUMBER), Value::from(number))]);
    let all = item.as_object().filter(|_| item.kind() == ValueKind::Map);
    match all.filter(|_| named.is_empty()) {
        Some(all) => row.extend(all.try_iter_pairs().into_iter().flatten()),
        None => row.extend(named.iter().filter_map(|name| {
            let name = Value::from(name.as_str());
            let value = all?.get_value(&name)?;
            Some((name, value))
        })),
    }
    row
}

/// An item with its number. If the item has a number field, that is used instead.
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

    /// The visible fields of the item; none if it is no object.
    pub(super) fn fields(&self) -> impl DoubleEndedIterator<Item = (&str, &Json)> {
        let item = self.item.json();
        let unnamed = item.as_object().filter(|_| self.named.is_empty()).into_iter().flatten();
        let named = self.named.iter().filter_map(move |name| Some((name, json_field(item, name)?)));
        unnamed.chain(named).map(|(name, part)| (name.as_str(), part))
    }

    fn value(&self, name: &str) -> Option<Value> {
        let field = self.has(name).then(|| self.item.field(name)).flatten();
        field.or_else(|| (name == NUMBER).then(|| Value::from(self.number)))
    }

    fn own_number(&self) -> Option<&Json> {
        json_field(self.item.json(), NUMBER).filter(|_| self.has(NUMBER))
    }
}

impl Object for Row {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.value(key.as_str()?)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        self.mapped_rev_key_value_enumerator(|row| {
            let others = row.fields().map(|(name, _)| name).filter(|name| *name != NUMBER);
            let pair = |name: &str| Some((Value::from(name), row.value(name)?));
            Box::new(iter::once(NUMBER).chain(others).filter_map(pair))
        })
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(1 + self.fields().filter(|(name, _)| *name != NUMBER).count())
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::template::{Prompt, Values, value};

    fn rendered(source: &str, values: &Values) -> Result<String, String> {
        let prompt = Prompt::new(source).map_err(|error| error.to_string())?;
        prompt.render(values).map_err(|error| error.to_string())
    }

    #[test]
    fn only_visible_fields_count_for_the_size_and_rows_are_limited() {
        let long = "x".repeat(300_000);
        let items: Vec<_> = (0..4).map(|n| json!({"title": format!("T{n}"), "text": long})).collect();
        let values = Values::from([
            ("items".into(), value(json!(items).into(), false)),
            ("numbers".into(), value(json!(vec![1; 100_000]).into(), false)),
            ("letters".into(), value(json!("x".repeat(200_000)).into(), false)),
        ]);
        let shown = rendered("{{ items | numbered('title') | tojson | plain }}", &values).unwrap();
        assert!(shown.ends_with(r#"{"number":4,"title":"T3"}]"#), "{shown}");
        assert!(rendered("{{ items | numbered | tojson }}", &values).unwrap_err().contains("too large"));
        assert_eq!(rendered("{{ numbers | numbered | length }}", &values).unwrap(), "100000");
        assert!(rendered("{{ letters | numbered | length }}", &values).unwrap_err().contains("too large"));
    }

    #[test]
    fn rows_of_template_values_keep_the_persons_input_and_undefined_values() {
        let values = Values::from([
            ("topic".into(), value(json!("robots").into(), true)),
            ("hit".into(), value(json!({"n": 1}).into(), false)),
        ]);
        let source = "{% for row in [{'t': topic}] | numbered %}{{ row.number }} {{ row.t }}{% endfor %}";
        assert_eq!(rendered(source, &values).unwrap(), "1 robots");
        let source = "{% for row in [{'t': hit.gone}] | numbered %}{{ row.t is defined }}{% endfor %}";
        assert_eq!(rendered(source, &values).unwrap(), "False");
        let source = "{% set ns = namespace(x=[]) %}{% for n in range(900) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x | tojson }}";
        assert!(rendered(source, &values).unwrap_err().contains("too large"));
    }
}
