//! The check of one agent: its keys, its work, its functions, templates and tools.

use engine::{AnswerForm, ToolDescription};
use kernel::{
    AgentDeclaration, ITEM, InputKind, KeyDeclaration, LimitName, Output, Phrase, RESULT, Role, phrase,
};
use serde_json::Value;

use super::inputs::impossible;
use super::{Checker, listed};
use crate::declared_agent::{TODAY, answer_form};
use crate::question::list_of;
use crate::template::{Filling, Prompt};

impl Checker<'_> {
    pub(super) fn agent(&mut self, name: &str, agent: &AgentDeclaration) {
        for (field, keys) in
            [("reads", &agent.reads), ("may_read", &agent.may_read), ("writes", &agent.writes)]
        {
            for key in keys {
                if agent.on_demand && [ITEM, RESULT].contains(&key.as_str()) {
                    continue;
                }
                if !self.is_key(key) {
                    let reason = self.unknown_key(key);
                    self.find(&["agent", name, field], reason);
                } else if field == "writes" && self.definition.inputs.contains_key(key) {
                    self.find(
                        &["agent", name, field],
                        phrase!("`{key}` is an input; only the person writes it", key),
                    );
                }
            }
        }
        let alone =
            [agent.question.is_some(), agent.run.is_some(), agent.custom.is_some(), agent.asks_model()];
        let works = alone.iter().filter(|does| **does).count();
        if works > 1 {
            let reason = phrase!(
                "an agent asks a model, asks the person, runs a function or is code by name: one of these"
            );
            self.find(&["agent", name], reason);
        }
        if works == 0 && agent.call.is_none() {
            let reason = phrase!(
                "`{name}` does nothing; give it an `instruction`, a `call`, a `question` or a function",
                name
            );
            self.find(&["agent", name], reason);
        }
        if let Some(input) = &agent.gate_after
            && self.definition.inputs.get(input).is_none_or(|input| input.kind != InputKind::YesNo)
        {
            let reason = phrase!("`{input}` is no yes-or-no input of the pipeline", input);
            self.find(&["agent", name, "gate_after"], reason);
        }
        if agent.writes.is_empty() && (agent.asks_model() || agent.question.is_some()) {
            self.find(
                &["agent", name],
                phrase!("`{name}` says in `writes` which key takes its answer", name),
            );
        }
        if let Some(call) = &agent.call {
            if call.writes.is_none() && agent.writes.is_empty() {
                self.find(
                    &["agent", name, "call"],
                    phrase!("`{name}` says in `writes` which key takes what the tool found", name),
                );
            }
            if let Some(key) = call.writes.as_ref().filter(|key| !self.definition.keys.contains_key(*key)) {
                let reason = self.unknown_key(key);
                self.find(&["agent", name, "call"], reason);
            }
            if works > 0 && !agent.asks_model() {
                let reason = phrase!(
                    "an agent with a `question`, `run` or `custom` does that alone; give the `call` to another"
                );
                self.find(&["agent", name, "call"], reason);
            }
        }
        if agent.temperature.is_some_and(|temperature| !(0.0..=2.0).contains(&temperature)) {
            self.find(&["agent", name, "temperature"], phrase!("a temperature is a number from 0 to 2"));
        }
        self.limits_of_agent(name, agent);
        if let Some(question) = &agent.question
            && !question.is_free
            && question.choices_from.is_none()
            && !question.choices.is_empty()
            && !question.choices.contains(&question.default)
        {
            self.find(
                &["agent", name, "question"],
                phrase!("the default of a question is one of its choices"),
            );
        }
        self.functions(name, agent);
        self.templates(name, agent);
        self.slots(name, agent);
        if let Output::Schema(schema) = &agent.output {
            self.schema(&["agent", name, "output"], schema);
            if schema["properties"].as_object().is_none_or(|fields| fields.is_empty()) {
                self.find(
                    &["agent", name, "output"],
                    phrase!("the schema of an answer is one of an object with `properties`"),
                );
            }
        }
        if let Some(field) = &agent.exits_loop_when {
            let is_boolean = match answer_form(self.definition, agent) {
                AnswerForm::Json(schema) => schema["properties"][field]["type"] == "boolean",
                AnswerForm::Draft { .. } | AnswerForm::Text { .. } => false,
            };
            if !is_boolean {
                let reason = phrase!("`{field}` is no field of the answer that is true or false", field);
                self.find(&["agent", name, "exits_loop_when"], reason);
            }
        }
    }

    fn limits_of_agent(&mut self, name: &str, agent: &AgentDeclaration) {
        let limits = agent.limits();
        for (limit, reason) in impossible(&limits) {
            self.find(&["agent", name, limit.word()], reason);
        }
        let first = LimitName::ALL.into_iter().find(|limit| limits.get(*limit).is_some());
        if let Some(limit) = first.filter(|_| !agent.asks_model()) {
            let reason = phrase!("`{name}` asks no model; limits of their own have the agents that do", name);
            self.find(&["agent", name, limit.word()], reason);
        }
        for (limit, most) in
            [("max_llm_calls", limits.max_llm_calls), ("max_output_tokens", limits.max_output_tokens)]
        {
            if most == Some(0) {
                self.find(
                    &["agent", name, limit],
                    phrase!("with `{limit}` of 0 `{name}` could never answer", limit, name),
                );
            }
        }
    }

    fn functions(&mut self, name: &str, agent: &AgentDeclaration) {
        let registry = self.registry;
        let tables: [(&str, Vec<&String>, Vec<&str>); 6] = [
            ("checks", agent.checks.iter().collect(), registry.checks.keys().copied().collect()),
            ("accept", agent.accept.iter().collect(), registry.accept.keys().copied().collect()),
            (
                "without_model",
                agent.without_model.iter().collect(),
                registry.without_model.keys().copied().collect(),
            ),
            ("run", agent.run.iter().collect(), registry.run.keys().copied().collect()),
            ("custom", agent.custom.iter().collect(), registry.custom.keys().copied().collect()),
            (
                "call",
                agent.call.iter().filter_map(|call| call.shape.as_ref()).collect(),
                registry.shapes.keys().copied().collect(),
            ),
        ];
        for (field, named, known) in tables {
            for function in named.iter().filter(|function| !known.contains(&function.as_str())) {
                let reason =
                    phrase!("there is no function `{function}` here; there is {known}", function, known);
                self.find(&["agent", name, field], reason);
            }
        }
        let checks = crate::draft::checks_key(self.definition);
        let sees = |key: &str| agent.reads.iter().chain(&agent.may_read).any(|read| read == key);
        if agent.without_model.as_deref() == Some("check") && !checks.is_some_and(sees) {
            let reason = phrase!("`check` judges by the checks; name their key in `reads`");
            self.find(&["agent", name, "without_model"], reason);
        }
        if let Some(check) = agent.repairs.iter().find(|check| !agent.checks.contains(check)) {
            let reason = phrase!("`{check}` is no check of `{name}`; name it in `checks` too", check, name);
            self.find(&["agent", name, "repairs"], reason);
        }
        if agent.checks.is_empty() {
            return;
        }
        let declarations = self.definition.declarations();
        let written = agent.writes.first().and_then(|own| declarations.iter().find(|key| key.name == *own));
        let is_text =
            |key: &KeyDeclaration| matches!(key.role, Role::Draft { .. }) || key.schema.0["type"] == "string";
        if !written.is_some_and(is_text) {
            self.find(&["agent", name, "checks"], phrase!("checks belong to an agent that writes a text"));
        } else if self.definition.key_of_role(|role| *role == Role::Checks).is_none() {
            self.find(
                &["agent", name, "checks"],
                phrase!("no key takes the results; declare one with the role `checks`"),
            );
        }
    }

    fn templates(&mut self, name: &str, agent: &AgentDeclaration) {
        let mut texts: Vec<(&str, Result<Vec<String>, Phrase>)> = Vec::new();
        if let Some(prompt) = &agent.prompt {
            let reads = Prompt::new(prompt).map(|prompt| prompt.reads().to_vec());
            texts.push(("prompt", reads.map_err(|error| error.reason)));
        }
        if let Some(question) = &agent.question {
            let reads = Filling::new(&Value::from(question.text.clone())).map(|filling| filling.reads());
            texts.push(("question", reads.map_err(|error| error.reason)));
            if let Some(list) = &question.choices_from {
                let reads = Filling::new(&list_of(list)).map(|filling| filling.reads());
                texts.push(("question", reads.map_err(|error| error.reason)));
            }
        }
        if let Some(call) = &agent.call {
            let reads = Filling::new(&call.template()).map(|filling| filling.reads());
            texts.push(("call", reads.map_err(|error| error.reason)));
        }
        for (field, reads) in texts {
            match reads {
                Err(reason) => {
                    self.find(&["agent", name, field], phrase!("the template is wrong: {why}", why = reason))
                }
                Ok(reads) => {
                    let is_declared = |key: &&String| {
                        agent.reads.contains(key)
                            || agent.may_read.contains(key)
                            || (field == "call" && *key == TODAY)
                    };
                    for key in reads.iter().filter(|key| !is_declared(key)) {
                        let reason = if self.is_key(key) {
                            phrase!("the template uses `{key}`; name it in `reads` or `may_read`", key)
                        } else {
                            self.unknown_key(key)
                        };
                        self.find(&["agent", name, field], reason);
                    }
                }
            }
        }
    }

    fn slots(&mut self, name: &str, agent: &AgentDeclaration) {
        let of_call = agent.call.iter().map(|call| ("call", &call.tool));
        let of_model = agent.tools.iter().map(|slot| ("tools", slot));
        let is_known = |tool: &String| {
            // Whether a server exists and has the tool is only known when a run starts.
            self.definition.tools.contains_key(tool)
                || self.registry.tools.iter().any(|known| known == tool)
                || ToolDescription::is_foreign(tool)
        };
        let unknown: Vec<(&str, &String)> =
            of_call.chain(of_model).filter(|(_, tool)| !is_known(tool)).collect();
        for (field, slot) in unknown {
            let known = listed(self.definition.tools.keys().chain(&self.registry.tools));
            let reason = phrase!(
                "there is no tool `{slot}`; there is {known}. A slot is declared as `[tool.{slot}]`",
                slot,
                known
            );
            self.find(&["agent", name, field], reason);
        }
        let Some(call) = &agent.call else { return };
        let kind = self.definition.tools.get(&call.tool).map(|slot| slot.kind.as_str()).unwrap_or_default();
        let Some(fields) = self.registry.slots.get(kind).map(|kind| kind.fields) else { return };
        for field in call.input.keys().filter(|field| !fields.contains(&field.as_str())) {
            let reason = phrase!(
                "a tool of kind `{kind}` has no field `{field}`; it has {known}",
                kind,
                field,
                known = fields
            );
            self.find(&["agent", name, "call"], reason);
        }
    }
}
