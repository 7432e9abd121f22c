//! A tree under construction, which its agents take their tools and functions from.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use engine::ToolDescription;
use kernel::{Code, Error, PipelineDefinition, ToolOffer, phrase};

use crate::registry::Registry;
use crate::setup::{Setup, placeholder};

/// A tree under construction.
pub(crate) struct Tree<'a> {
    pub(crate) definition: Arc<PipelineDefinition>,
    pub(crate) registry: &'a Registry,
    pub(crate) setup: &'a Setup,
    pub(crate) names: BTreeSet<String>,
    /// The stack of agents on demand under construction.
    pub(crate) building: RefCell<Vec<String>>,
    /// The number of loops around the current step.
    pub(crate) loops: usize,
}

impl Tree<'_> {
    pub(crate) fn tool(&self, slot: &str) -> Result<ToolOffer, Error> {
        // A run knows the tools of its servers when it starts; a tree that is only drawn does not need them.
        let foreign = || ToolDescription::is_foreign(slot).then(|| placeholder(slot));
        self.setup.tools.get(slot).cloned().or_else(foreign).ok_or_else(|| {
            let title = &self.definition.title;
            Error::new(
                Code::BadInput,
                phrase!(
                    "“{title}” needs a tool for `{slot}`; name one, for example `--source library`",
                    title,
                    slot
                ),
            )
        })
    }

    pub(crate) fn function<F: Copy>(
        &self,
        table: &BTreeMap<&'static str, F>,
        name: &str,
    ) -> Result<F, Error> {
        table.get(name).copied().ok_or_else(|| {
            let known: Vec<&str> = table.keys().copied().collect();
            Error::new(
                Code::BadInput,
                phrase!("There is no function `{name}`; there is {known}", name, known),
            )
        })
    }

    /// A generated name for a composed agent without one.
    pub(crate) fn name(&mut self, given: &str, kind: &str) -> String {
        if !given.is_empty() {
            return given.to_owned();
        }
        let numbered =
            (1..).map(|number| if number == 1 { kind.to_owned() } else { format!("{kind}_{number}") });
        let free = numbered.into_iter().find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.insert(free.clone());
        free
    }
}
