//! Checks inputs and the limits of a run.

use kernel::{LimitName, Limits, Phrase, phrase};

use super::{Checker, is_name};

impl Checker<'_> {
    pub(super) fn inputs(&mut self) {
        let definition = self.definition;
        for (name, input) in &definition.inputs {
            let is_choice = input.kind == kernel::InputKind::Choice;
            if is_choice == input.choices.is_empty() {
                let reason = phrase!("a choice needs `choices`, and nothing else has them");
                self.find(&["input", name], reason);
            }
            if (input.kind == kernel::InputKind::Run) == input.takes.is_empty() {
                let reason = phrase!("an earlier run needs `takes`, and nothing else has it");
                self.find(&["input", name], reason);
            }
            let is_run = input.kind == kernel::InputKind::Run;
            if is_run && input.default.is_some() {
                let reason =
                    phrase!("an earlier run has no `default`; the person names it, or it is `optional`");
                self.find(&["input", name, "default"], reason);
            }
            if input.of_pipeline.as_deref().is_some_and(|id| !is_run || !super::is_id(id)) {
                let reason = phrase!("`of_pipeline` is the id of a pipeline, and only an earlier run has it");
                self.find(&["input", name, "of_pipeline"], reason);
            }
            if (input.kind == kernel::InputKind::OwnFiles) != input.folder.as_deref().is_some_and(is_name) {
                let reason = phrase!(
                    "own files need a `folder` of letters, digits and underscores, and nothing else has one"
                );
                self.find(&["input", name], reason);
            }
            for key in input.takes.iter().filter(|key| !self.is_key(key)).collect::<Vec<_>>() {
                let reason = phrase!("`{name}` takes `{key}`, which is no key of the pipeline", name, key);
                self.find(&["input", name, "takes"], reason);
            }
            for alias in &input.aliases {
                let others = definition.inputs.iter().filter(|(other, _)| *other != name);
                let mut others =
                    others.flat_map(|(other, input)| std::iter::once(other).chain(&input.aliases));
                if !is_name(alias) {
                    let reason =
                        phrase!("`{name}` is no name; write letters, digits and underscores", name = alias);
                    self.find(&["input", name, "aliases"], reason);
                } else if definition.inputs.contains_key(alias) || others.any(|other| other == alias) {
                    let reason = phrase!("`{alias}` is taken; give `{name}` another alias", alias, name);
                    self.find(&["input", name, "aliases"], reason);
                }
            }
            if let Some(default) = &input.default {
                let fits =
                    jsonschema::validator_for(&input.schema()).is_ok_and(|schema| schema.is_valid(default));
                if !fits {
                    self.find(
                        &["input", name, "default"],
                        phrase!("the default of `{name}` is not of its kind", name),
                    );
                }
            }
        }
        let presets = definition.presets.iter().map(|(name, preset)| (vec!["preset", name], &preset.limits));
        for (path, limits) in std::iter::once((vec!["limits"], &definition.limits)).chain(presets) {
            for (_, reason) in impossible(limits) {
                self.find(&path, reason);
            }
        }
    }
}

/// The invalid limits by name, each with the reason.
pub(super) fn impossible(limits: &Limits) -> impl Iterator<Item = (LimitName, Phrase)> {
    let values = LimitName::ALL.into_iter().filter_map(|name| Some((name, limits.get(name)?)));
    let wrong = values.filter(|(_, value)| !value.is_finite() || *value < 0.0);
    wrong.map(|(name, value)| {
        (name, phrase!("the limit `{name}` cannot be {value}", name = name.word(), value))
    })
}
