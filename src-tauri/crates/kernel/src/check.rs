//! Checks a tree before it runs: whether every key that an agent reads is written before, and whether branches
//! conflict.

use std::collections::BTreeSet;

use crate::{AgentKind, ITEM, Outline, Phrase, RESULT, phrase};

/// Why a tree cannot run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckError {
    /// No agent writes the key before this agent reads it.
    MissingWriter {
        /// The agent that reads.
        agent: String,
        /// The key.
        key: String,
    },
    /// Two concurrent siblings use the same key, and at least one writes it.
    Conflict {
        /// The sibling that writes.
        writer: String,
        /// The other sibling.
        other: String,
        /// The key.
        key: String,
    },
    /// The pipeline does not declare the key.
    UndeclaredKey {
        /// The agent.
        agent: String,
        /// The key.
        key: String,
    },
    /// Two agents have the same name.
    DuplicateName {
        /// The name.
        agent: String,
    },
    /// A loop without rounds.
    EmptyLoop {
        /// The loop.
        agent: String,
    },
}

impl CheckError {
    /// The message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            CheckError::MissingWriter { agent, key } => phrase!(
                "`{agent}` reads `{key}`, but no input and no agent before it writes that key; add a writer or declare it `may_read`",
                agent,
                key
            ),
            CheckError::Conflict { writer, key, other } => phrase!(
                "`{writer}` writes `{key}` while `{other}`, which runs beside it, reads or writes it; run them in sequence or give each its own key",
                writer,
                key,
                other
            ),
            CheckError::UndeclaredKey { agent, key } => phrase!(
                "`{agent}` uses the key `{key}`, which the pipeline does not declare; declare it or correct the name",
                agent,
                key
            ),
            CheckError::DuplicateName { agent } => {
                phrase!("two agents are called `{agent}`; give each its own name", agent)
            }
            CheckError::EmptyLoop { agent } => {
                phrase!("`{agent}` is a loop of no rounds; allow at least one", agent)
            }
        }
    }
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for CheckError {}

/// Checks a tree with the declared keys and those of its inputs. Returns all errors.
pub fn check(outline: &Outline, declared: &[&str], inputs: &[&str]) -> Vec<CheckError> {
    let mut errors = Vec::new();
    let mut names = BTreeSet::new();
    let in_instances: BTreeSet<&String> = outline
        .walk()
        .into_iter()
        .filter(|agent| agent.is_on_demand)
        .flat_map(Outline::walk)
        .map(|agent| &agent.name)
        .collect();
    for agent in outline.walk() {
        if !names.insert(&agent.name) {
            errors.push(CheckError::DuplicateName { agent: agent.name.clone() });
        }
        let contract = &agent.contract;
        for key in contract.reads.iter().chain(&contract.may_read).chain(&contract.writes) {
            let is_local = [ITEM, RESULT].contains(&key.as_str()) && in_instances.contains(&agent.name);
            if !declared.contains(&key.as_str()) && !is_local {
                errors.push(CheckError::UndeclaredKey { agent: agent.name.clone(), key: key.clone() });
            }
        }
    }
    let mut available: BTreeSet<String> = inputs.iter().map(|&key| key.to_owned()).collect();
    walk(outline, &mut available, &mut errors);
    errors
}

fn walk(agent: &Outline, outside: &mut BTreeSet<String>, errors: &mut Vec<CheckError>) {
    if agent.is_on_demand {
        // The writes of an instance are local to it.
        let mut within = outside.clone();
        within.insert(ITEM.to_owned());
        walk_within(agent, &mut within, errors);
    } else {
        walk_within(agent, outside, errors);
    }
}

fn walk_within(agent: &Outline, available: &mut BTreeSet<String>, errors: &mut Vec<CheckError>) {
    if !agent.children.is_empty() {
        // A composed agent may act before, between or behind its children, so its writes count for them.
        available.extend(agent.contract.writes.iter().cloned());
    }
    let before = available.clone();
    match &agent.agent {
        AgentKind::Parallel => {
            conflicts(&agent.children, errors);
            let mut after = before.clone();
            for child in &agent.children {
                let mut branch = before.clone();
                walk(child, &mut branch, errors);
                after.extend(branch);
            }
            *available = after;
        }
        AgentKind::Loop { max_rounds } => {
            if *max_rounds == 0 {
                errors.push(CheckError::EmptyLoop { agent: agent.name.clone() });
            }
            // The first round decides: a key that only a later agent writes does not exist yet in round 1.
            for child in &agent.children {
                walk(child, available, errors);
            }
        }
        AgentKind::Llm | AgentKind::Sequential | AgentKind::ForEach { .. } | AgentKind::Custom => {
            for child in &agent.children {
                walk(child, available, errors);
            }
        }
    }
    // A composed agent also sees the writes of its children.
    for key in &agent.contract.reads {
        if !available.contains(key) {
            errors.push(CheckError::MissingWriter { agent: agent.name.clone(), key: key.clone() });
        }
    }
    available.extend(agent.contract.writes.iter().cloned());
}

fn conflicts(siblings: &[Outline], errors: &mut Vec<CheckError>) {
    let keys = |outline: &Outline, writes: bool| -> BTreeSet<String> {
        // The writes of an instance conflict with no sibling.
        let instances = outline.walk().into_iter().filter(|agent| agent.is_on_demand);
        let local: BTreeSet<&String> = instances.flat_map(Outline::walk).map(|agent| &agent.name).collect();
        outline
            .walk()
            .into_iter()
            .filter(|agent| !writes || !local.contains(&agent.name))
            .flat_map(|agent| {
                let contract = &agent.contract;
                let reads = if writes { [].iter() } else { contract.reads.iter() };
                let may = if writes { [].iter() } else { contract.may_read.iter() };
                contract.writes.iter().chain(reads).chain(may).cloned()
            })
            .collect()
    };
    for (index, one) in siblings.iter().enumerate() {
        for (position, other) in siblings.iter().enumerate() {
            if index == position {
                continue;
            }
            let used = keys(other, false);
            for key in keys(one, true).intersection(&used) {
                // Two writers are one conflict, reported once.
                if keys(other, true).contains(key) && position < index {
                    continue;
                }
                errors.push(CheckError::Conflict {
                    writer: one.name.clone(),
                    other: other.name.clone(),
                    key: key.clone(),
                });
            }
        }
    }
}
