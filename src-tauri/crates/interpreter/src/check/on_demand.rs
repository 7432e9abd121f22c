//! Checks agents on demand, and the steps that run them.

use std::collections::BTreeSet;

use kernel::{AgentDeclaration, ForEach, ITEM, KeyEntry, RESULT, phrase};
use serde_json::json;

use super::{Checker, listed};

const STEPS: [&str; 2] = ["flow", "steps"];

impl Checker<'_> {
    pub(super) fn on_demand(&mut self, name: &str, agent: &AgentDeclaration) {
        if let Some(schema) = &agent.input {
            self.schema(&["agent", name, "input"], schema);
        }
        if agent.worker.is_some() && !agent.on_demand {
            let reason = phrase!("Workers do what agents on demand ask for; `{name}` is none", name);
            self.find(&["agent", name, "worker"], reason);
        }
        if !agent.on_demand {
            if agent.input.is_some() {
                let reason =
                    phrase!("`{name}` stands in a step and takes no input; write `on_demand = true`", name);
                self.find(&["agent", name, "input"], reason);
            }
            return;
        }
        for key in [ITEM, RESULT].into_iter().filter(|key| self.is_key(key)).collect::<Vec<_>>() {
            let reason = phrase!(
                "`{key}` is what each instance of `{name}` keeps to itself; choose another name",
                key,
                name
            );
            self.find(&["key", key], reason);
        }
        let of_call = agent.call.as_ref().is_some_and(|call| call.writes.is_some());
        if !agent.writes.is_empty() || of_call {
            let reason = phrase!("`{name}` runs on demand and writes no key: its answer is its output", name);
            self.find(&["agent", name, "writes"], reason);
        }
        if agent.exit_tool || agent.exits_loop_when.is_some() {
            self.find(
                &["agent", name],
                phrase!("`{name}` runs on demand and stands in no loop that it could end", name),
            );
        }
    }

    /// Reports an agent on demand that is used as a step.
    pub(super) fn is_in_a_step(&mut self, name: &str) {
        if self.definition.agents.get(name).is_some_and(|agent| agent.on_demand) {
            let reason =
                phrase!("`{name}` runs on demand and stands in no step; run it with `for_each`", name);
            self.find(&STEPS, reason);
        }
    }

    /// Reports an agent that no step names, unless agents in code may start it on demand.
    pub(super) fn unused(&mut self, name: &str) {
        let agents = &self.definition.agents;
        let is_on_demand = agents.get(name).is_some_and(|agent| agent.on_demand);
        if is_on_demand && agents.values().any(|agent| agent.custom.is_some()) {
            return;
        }
        let reason = match is_on_demand {
            true => phrase!(
                "no step runs `{name}`, which runs on demand; name it in the `run` of a `for_each`",
                name
            ),
            false => phrase!("`{name}` stands in no step of the flow", name),
        };
        self.find(&["agent", name], reason);
    }

    pub(super) fn for_each(&mut self, each: &ForEach, used: &mut BTreeSet<String>) {
        let agents = &self.definition.agents;
        if !agents.get(&each.run).is_some_and(|agent| agent.on_demand) {
            let known = listed(agents.iter().filter(|(_, agent)| agent.on_demand).map(|(name, _)| name));
            let name = &each.run;
            self.find(&STEPS, phrase!("there is no agent `{name}` on demand; there is {known}", name, known));
        } else if !used.insert(each.run.clone()) {
            let reason = phrase!("two steps run `{name}`; declare a second agent", name = each.run);
            self.find(&STEPS, reason);
        }
        if !self.is_key(&each.items.key) {
            let reason = self.unknown_key(&each.items.key);
            self.find(&STEPS, reason);
        }
        for key in std::iter::once(&each.collect).chain(&each.failures) {
            if !self.definition.keys.contains_key(key) {
                let reason = self.unknown_key(key);
                self.find(&STEPS, reason);
            }
        }
        let is_list = |key: &KeyEntry| {
            let schema = key.schema.clone().unwrap_or_else(|| key.role.schema());
            let kind = schema.get("type");
            kind.is_none_or(|kind| {
                *kind == "array" || kind.as_array().is_some_and(|all| all.contains(&json!("array")))
            })
        };
        for key in std::iter::once(&each.collect).chain(&each.failures) {
            if self.definition.keys.get(key).is_some_and(|declared| !is_list(declared)) {
                let reason = phrase!("`{key}` takes no list, which a `for_each` writes there", key);
                self.find(&["key", key], reason);
            }
        }
        if each.failures.as_ref() == Some(&each.collect) {
            let reason =
                phrase!("`collect` and `failures` name the same key `{key}`; name two", key = &each.collect);
            self.find(&STEPS, reason);
        }
        if each.at_most == Some(0) {
            self.find(&STEPS, phrase!("`at_most` is at least 1"));
        }
    }
}
