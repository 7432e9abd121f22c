//! A view of a state value for templates. Its JSON is converted to values of the library only on access: most values
//! are written as a whole, and templates are rendered often.

use std::sync::Arc;

use kernel::json_field;
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectExt, ObjectRepr, Serde};
use serde_json::Value as Json;

/// A list or an object inside a state value.
#[derive(Debug)]
pub(super) struct JsonView {
    root: kernel::Value,
    path: Vec<Step>,
}

#[derive(Debug, Clone)]
enum Step {
    Field(Arc<str>),
    Item(usize),
}

impl JsonView {
    /// A view of the whole value.
    pub(super) fn new(root: kernel::Value) -> JsonView {
        JsonView { root, path: Vec::new() }
    }

    /// The JSON of the view.
    pub(super) fn json(&self) -> &Json {
        let part = self.path.iter().try_fold(self.root.json_or_null(), |json, step| match step {
            Step::Field(name) => json_field(json, name),
            Step::Item(index) => json.get(index),
        });
        // The path was created by walking the value, which never changes.
        part.unwrap_or(&Json::Null)
    }

    /// One of its fields.
    pub(super) fn field(&self, name: &str) -> Option<Value> {
        json_field(self.json(), name).map(|part| self.part(part, || Step::Field(name.into())))
    }

    fn part(&self, part: &Json, step: impl FnOnce() -> Step) -> Value {
        if !is_container(part) {
            return Value::from(Serde(part));
        }
        let path = self.path.iter().cloned().chain([step()]).collect();
        Value::from_object(JsonView { root: self.root.clone(), path })
    }
}

fn is_container(json: &Json) -> bool {
    json.is_array() || json.is_object()
}

/// A state value as a value of the library.
pub(super) fn of_state(value: kernel::Value) -> Value {
    if is_container(value.json_or_null()) {
        return Value::from_object(JsonView::new(value));
    }
    Value::from(Serde(value.json_or_null()))
}

impl Object for JsonView {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        if self.json().is_array() { ObjectRepr::Seq } else { ObjectRepr::Map }
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        match self.json() {
            Json::Array(items) => {
                let index = key.as_usize()?;
                items.get(index).map(|part| self.part(part, || Step::Item(index)))
            }
            _ => self.field(key.as_str()?),
        }
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        self.field(key)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        if let Json::Array(items) = self.json() {
            return Enumerator::Seq(items.len());
        }
        self.mapped_rev_key_value_enumerator(|view| {
            let fields = view.json().as_object().into_iter().flatten();
            Box::new(fields.map(|(name, part)| {
                (Value::from(name.as_str()), view.part(part, || Step::Field(name.as_str().into())))
            }))
        })
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        match self.json() {
            Json::Array(items) => Some(items.len()),
            Json::Object(fields) => Some(fields.len()),
            _ => Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use minijinja::Value;
    use minijinja::value::Serde;
    use proptest::prelude::*;
    use serde_json::{Map, Value as Json, json};

    use super::of_state;
    use crate::template::FOR_MODELS;

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            (-3_i64..4).prop_map(Json::from),
            any::<f64>().prop_map(Json::from),
            "[ab⟦聖 \"\\n]{0,6}".prop_map(Json::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
                proptest::collection::vec(("a|b|t|number", inner), 0..4)
                    .prop_map(|fields| Json::Object(fields.into_iter().collect())),
            ]
        })
    }

    /// The output of a template with the value `v`, or its error.
    fn rendered(source: &str, v: &Value) -> Result<String, String> {
        let values = BTreeMap::from([("v", v.clone()), ("w", v.clone())]);
        FOR_MODELS.render_str(source, Value::from(values)).map_err(|error| error.kind().to_string())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_view_of_the_state_behaves_like_a_value_of_the_library(json in any_json()) {
            let (view, plain) = (of_state(json.clone().into()), Value::from(Serde(&json)));
            for source in [
                "{{ v }}",
                "{{ v | tojson }} {{ v | data('V') }}",
                "{{ v | numbered('a', 't') | data('V') }}",
                "{{ v | numbered | tojson }} {{ v | numbered('t') | reverse | list }}",
                "{% for row in v | numbered %}{{ row.number }} {{ row.a }} {{ row }} {{ row | length }};{% endfor %}",
                "{{ (v | numbered('a'))[0].b is defined }} {{ (v | numbered)[-1] | items | list }}",
                "{{ [v, {'in': v}] | tojson }} {{ [v, 1] | numbered | data('V') }}",
                "{{ v | length }} {{ v | first }} {{ v | last }}",
                "{% for one in v %}{{ loop.index }} {{ one }} {{ one.a is defined }};{% else %}none{% endfor %}",
                "{% for one in v | reverse %}{{ one }};{% endfor %}",
                "{% for name, one in v | items %}{{ name }}={{ one }};{% endfor %}",
                "{{ v.a }} {{ v.a.b }} {{ v['t'][0] }}",
                "{{ v[0] }} {{ v[-1] }} {{ v[:2] }} {{ v[1:] | tojson }}",
                "{{ 'a' in v }} {{ v == w }} {{ v == [] }} {{ v == {} }} {{ not v }}",
                "{{ v is mapping }} {{ v is sequence }} {{ v is iterable }} {{ v is string }} {{ v is none }}",
                "{{ v | sort }} {{ v | unique }} {{ v | map(attribute='a') | list }}",
                "{{ v | join(', ') }} {{ v ~ 'x' }} {{ v | string }} {{ v | list }}",
                "{{ v | dictsort | tojson }}",
                "{{ v | default('d') }} {{ v | plain }} {{ v | batch(2) | list }}",
            ] {
                prop_assert_eq!(rendered(source, &view), rendered(source, &plain), "{} of {}", source, json);
            }
            for named in [&["t", "number", "a", "t"][..], &[]] {
                let row = |(index, item): (usize, &Json)| {
                    let mut row = Map::from_iter([("number".to_owned(), json!(index + 1))]);
                    let fields = item.as_object().cloned().unwrap_or_default();
                    let shown = |name: &&str| fields.contains_key(*name);
                    match named {
                        [] => row.extend(fields),
                        names => {
                            row.extend(names.iter().filter(|n| shown(n)).map(|n| (n.to_string(), fields[*n].clone())))
                        }
                    }
                    Json::Object(row)
                };
                if let Some(items) = json.as_array() {
                    let rows: Vec<Json> = items.iter().enumerate().map(row).collect();
                    let names: Vec<String> = named.iter().map(|name| format!("'{name}'")).collect();
                    let written = rendered(&format!("{{{{ v | numbered({}) | tojson | plain }}}}", names.join(", ")), &view);
                    prop_assert_eq!(written, Ok(serde_json::to_string(&rows).unwrap()));
                }
            }
        }
    }
}
