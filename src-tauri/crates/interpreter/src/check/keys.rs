//! Checks keys, their schemas and roles, and the slots for tools.

use kernel::{Role, phrase};
use serde_json::Value;

use super::{Checker, listed};

impl Checker<'_> {
    pub(super) fn keys(&mut self) {
        let definition = self.definition;
        for (name, key) in &definition.keys {
            if let Some(schema) = &key.schema {
                self.schema(&["key", name, "schema"], schema);
                self.role_fields(name, &key.role, schema);
            }
        }
        for (slot, tool) in &definition.tools {
            let Some(kind) = self.registry.slots.get(tool.kind.as_str()) else {
                let reason = phrase!(
                    "there are no tools of kind `{kind}`; there is {known}",
                    kind = tool.kind,
                    known = self.registry.slots.keys().copied().collect::<Vec<&str>>()
                );
                self.find(&["tool", slot, "kind"], reason);
                continue;
            };
            for option in tool.options.keys() {
                let reason = if !kind.options.contains(&option.as_str()) {
                    phrase!("a slot of kind `{kind}` has no `{option}`", kind = tool.kind, option)
                } else if tool.option(option).is_none() {
                    phrase!("`{option}` is a whole number", option)
                } else {
                    continue;
                };
                self.find(&["tool", slot, option], reason);
            }
            if let Some(default) = &tool.default
                && !kind.tools.iter().any(|id| id == default)
            {
                let known = &kind.tools[..];
                let reason = phrase!("there is no source `{default}`; there is {known}", default, known);
                self.find(&["tool", slot, "default"], reason);
            }
        }
    }

    pub(super) fn schema(&mut self, path: &[&str], schema: &Value) {
        if !schema.is_object() {
            self.find(path, phrase!("a JSON Schema is a table"));
        } else if let Err(error) = jsonschema::validator_for(schema) {
            self.find(path, phrase!("this is no JSON Schema: {why}", why = error.to_string()));
        }
    }

    /// A field that a role names must exist in the key's schema, unless code computes it.
    fn role_fields(&mut self, name: &str, role: &Role, schema: &Value) {
        let named = match role {
            Role::Draft { edit, .. } => vec![edit],
            Role::Review { notes, issues, ready } => vec![notes, issues, ready],
            Role::Sources { items } => vec![items],
            Role::Input
            | Role::Issues
            | Role::OwnText
            | Role::Checks
            | Role::Plan
            | Role::Steps
            | Role::Rounds
            | Role::Places { .. }
            | Role::Final
            | Role::Remark
            | Role::Data => Vec::new(),
        };
        let Some(fields) = schema["properties"].as_object() else { return };
        for field in named.into_iter().filter(|field| !fields.contains_key(field.as_ref())) {
            let known = listed(fields.keys());
            let reason = phrase!(
                "the role names the field `{field}`, which the schema has not; it has {known}",
                field = field.as_ref(),
                known
            );
            self.find(&["key", name, "role"], reason);
        }
    }
}
