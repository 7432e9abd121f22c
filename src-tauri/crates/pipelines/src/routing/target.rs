//! The description of a pipeline that routing compares requests with.

use std::collections::BTreeMap;

use kernel::InputKind;
use serde::{Deserialize, Serialize};

use super::evidence::RoutingText;
use interpreter::Pipeline;

/// A pipeline that a request may be routed to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoutingTarget {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its purpose.
    pub purpose: String,
    /// Requests that it serves, in any language.
    pub examples: Vec<String>,
    /// Its inputs.
    pub inputs: Vec<TargetInput>,
    /// The translations of all of this, by the English text.
    pub translations: BTreeMap<String, Vec<String>>,
}

/// An input of such a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetInput {
    /// The key it sets.
    pub key: String,
    /// Its label.
    pub title: String,
    /// A sentence of help, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// The kind of input.
    pub kind: InputKind,
    /// Whether a run cannot start without it.
    pub is_required: bool,
    /// The options, if it is a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Most bytes of its text.
    pub max_bytes: u32,
}

impl RoutingTarget {
    /// The description of this pipeline.
    pub fn of(pipeline: &Pipeline) -> RoutingTarget {
        let definition = pipeline.definition();
        let asked = definition
            .inputs
            .iter()
            .filter(|(_, input)| !input.kind.is_filled() && input.kind != InputKind::Run)
            .filter(|(_, input)| !input.chosen_by_hand);
        let inputs = asked.map(|(key, input)| TargetInput {
            key: key.clone(),
            title: input.title.clone(),
            help: input.help.clone(),
            kind: input.kind,
            is_required: !input.optional && input.default.is_none(),
            choices: input.choices.clone(),
            max_bytes: input.max_bytes,
        });
        let mut target = RoutingTarget {
            id: definition.id.clone(),
            title: definition.title.clone(),
            purpose: definition.purpose.clone(),
            examples: definition.routing.examples.clone(),
            inputs: inputs.collect(),
            translations: BTreeMap::new(),
        };
        let own: Vec<String> = target.own_texts().map(str::to_owned).collect();
        for words in definition.translations.values() {
            for (english, theirs) in words.iter().filter(|(english, _)| own.contains(english)) {
                target.translations.entry(english.clone()).or_default().push(theirs.clone());
            }
        }
        target
    }

    fn own_texts(&self) -> impl Iterator<Item = &str> {
        let whole = [self.title.as_str(), &self.purpose];
        whole.into_iter().chain(self.inputs.iter().flat_map(TargetInput::texts))
    }

    /// A text in every language that it is translated into.
    pub(super) fn in_all_languages<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let translated = self.translations.get(text).into_iter().flatten().map(String::as_str);
        std::iter::once(text).chain(translated)
    }

    /// The texts that requests are compared with.
    pub(super) fn texts(&self) -> Vec<RoutingText<'_>> {
        let whole =
            [self.title.as_str(), &self.purpose].into_iter().flat_map(|text| self.in_all_languages(text));
        let whole = whole.chain(self.examples.iter().map(String::as_str));
        let labels =
            self.inputs.iter().flat_map(TargetInput::texts).flat_map(|text| self.in_all_languages(text));
        let whole = whole.map(|text| RoutingText { text, is_whole: true });
        whole.chain(labels.map(|text| RoutingText { text, is_whole: false })).collect()
    }
}

impl TargetInput {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let labels = [self.title.as_str(), &self.help].into_iter().filter(|text| !text.is_empty());
        labels.chain(self.choices.iter().map(String::as_str))
    }
}
