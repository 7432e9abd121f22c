//! Computes the keys that certainly exist when an agent starts, which excludes keys written only in some branches or
//! failures.

use std::collections::BTreeSet;

use kernel::{CheckError, ConditionTest, Step, phrase};

use super::Checker;

type Keys = BTreeSet<String>;

impl Checker<'_> {
    /// Reports every read of a key that may be missing. Returns the keys that exist after the steps; `None` if the
    /// steps end the run or their loop. `exits` collects the keys that exist at each exit of the loop.
    pub(super) fn available(&mut self, steps: &[Step], before: &Keys, exits: &mut Vec<Keys>) -> Option<Keys> {
        let mut keys = before.clone();
        for step in steps {
            keys = self.behind(step, keys, exits)?;
        }
        Some(keys)
    }

    fn behind(&mut self, step: &Step, mut keys: Keys, exits: &mut Vec<Keys>) -> Option<Keys> {
        match step {
            Step::Agent(name) => {
                let definition = self.definition;
                let Some(agent) = definition.agents.get(name) else { return Some(keys) };
                for key in agent.reads.iter().filter(|key| !keys.contains(*key)) {
                    let missing = CheckError::MissingWriter { agent: name.clone(), key: key.clone() };
                    self.find(&["agent", name], missing.phrase());
                }
                keys.extend(definition.contract(agent).writes);
                if agent.exit_tool || agent.exits_loop_when.is_some() {
                    exits.push(keys.clone());
                }
                Some(keys)
            }
            Step::Sequence { steps, .. } => self.available(steps, &keys, exits),
            Step::Parallel { steps, .. } => {
                let branches: Vec<Option<Keys>> =
                    steps.iter().map(|step| self.behind(step, keys.clone(), exits)).collect();
                branches.into_iter().flatten().for_each(|branch| keys.extend(branch));
                Some(keys)
            }
            Step::ForEach(each) => {
                let definition = self.definition;
                let root = &each.items.key;
                let read = definition.agents.get(&each.run).map(|agent| &agent.reads).into_iter().flatten();
                for key in read.chain([root]).filter(|key| !keys.contains(*key)).collect::<Vec<_>>() {
                    let missing = CheckError::MissingWriter { agent: each.run.clone(), key: key.clone() };
                    self.find(&["flow", "steps"], missing.phrase());
                }
                keys.extend(std::iter::once(&each.collect).chain(&each.failures).cloned());
                Some(keys)
            }
            // If a loop ends in its first round, the steps after the exit may not have run.
            Step::Loop { steps, .. } => {
                let mut own_exits = Vec::new();
                let end = self.available(steps, &keys, &mut own_exits);
                in_all(own_exits.into_iter().map(Some).chain([end]))
            }
            Step::When { condition, steps, otherwise } => {
                let (mut holds, mut fails) = (keys.clone(), keys);
                let key = condition.value.key.clone();
                match condition.test {
                    ConditionTest::Absent | ConditionTest::Empty => _ = fails.insert(key),
                    ConditionTest::NotTrue => {}
                    ConditionTest::Present
                    | ConditionTest::NotEmpty
                    | ConditionTest::True
                    | ConditionTest::Equals(_)
                    | ConditionTest::Below(_) => _ = holds.insert(key),
                }
                let holds = self.available(steps, &holds, exits);
                let fails = self.available(otherwise, &fails, exits);
                in_all([holds, fails])
            }
            Step::Try { steps, failures } => {
                let mut ways = vec![self.available(steps, &keys, exits)];
                for handler in [&failures.on_tool_failure, &failures.on_malformed] {
                    if !handler.is_empty() {
                        ways.push(self.available(handler, &keys, exits));
                    }
                }
                // A limit ends the run after these steps.
                self.available(&failures.on_limit, &keys, exits);
                in_all(ways)
            }
            Step::Set(values) | Step::Surface(values) => {
                let read = values.values().filter_map(serde_json::Value::as_str).filter_map(path_root);
                for key in read.filter(|key| self.is_key(key) && !keys.contains(*key)).collect::<Vec<_>>() {
                    let reason =
                        phrase!("a step sets what `{key}` says, which perhaps nothing has written", key);
                    self.find(&["flow", "steps"], reason);
                }
                keys.extend(values.keys().cloned());
                Some(keys)
            }
            Step::Run { writes, .. } => {
                keys.extend(writes.iter().cloned());
                Some(keys)
            }
            Step::Note(_) => Some(keys),
            Step::ExitLoop => {
                exits.push(keys);
                None
            }
            Step::End => None,
        }
    }
}

/// The key of a text that is only a path, such as `{{ draft.text }}`: without the key the step fails.
fn path_root(text: &str) -> Option<&str> {
    let path = text.trim().strip_prefix("{{")?.strip_suffix("}}")?.trim();
    let is_path = path.chars().all(|character| character.is_alphanumeric() || "_.".contains(character));
    path.split('.').next().filter(|_| is_path)
}

/// The keys that exist on every path; paths that end are ignored.
fn in_all(ways: impl IntoIterator<Item = Option<Keys>>) -> Option<Keys> {
    ways.into_iter().flatten().reduce(|one, other| one.intersection(&other).cloned().collect())
}
