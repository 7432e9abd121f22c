//! Which keys are there for sure when an agent starts: what only a branch of a condition or of a failure writes is not.

use std::collections::BTreeSet;

use kernel::{CheckError, ConditionTest, Step};

use super::Checker;

type Keys = BTreeSet<String>;

impl Checker<'_> {
    /// Finds every read of a key that perhaps nothing has written. Gives the keys that are there behind the steps; nothing
    /// where the steps end the run or their loop.
    pub(super) fn available(&mut self, steps: &[Step], before: &Keys) -> Option<Keys> {
        let mut keys = before.clone();
        for step in steps {
            keys = self.behind(step, keys)?;
        }
        Some(keys)
    }

    fn behind(&mut self, step: &Step, mut keys: Keys) -> Option<Keys> {
        match step {
            Step::Agent(name) => {
                let definition = self.definition;
                let Some(agent) = definition.agents.get(name) else { return Some(keys) };
                for key in agent.reads.iter().filter(|key| !keys.contains(*key)) {
                    let missing = CheckError::MissingWriter { agent: name.clone(), key: key.clone() };
                    self.find(&["agent", name], missing.phrase());
                }
                keys.extend(agent.contract(crate::draft::checks_key(definition)).writes);
                Some(keys)
            }
            Step::Sequence { steps, .. } => self.available(steps, &keys),
            Step::Parallel { steps, .. } => {
                let branches: Vec<Option<Keys>> =
                    steps.iter().map(|step| self.behind(step, keys.clone())).collect();
                branches.into_iter().flatten().for_each(|branch| keys.extend(branch));
                Some(keys)
            }
            // What leaves a loop in its first round has perhaps not written what stands behind it.
            Step::Loop { steps, .. } => Some(self.available(steps, &keys).unwrap_or(keys)),
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
                let (holds, fails) = (self.available(steps, &holds), self.available(otherwise, &fails));
                in_all([holds, fails])
            }
            Step::Try { steps, failures } => {
                let mut ways = vec![self.available(steps, &keys)];
                for handler in [&failures.on_tool_failure, &failures.on_malformed] {
                    if !handler.is_empty() {
                        ways.push(self.available(handler, &keys));
                    }
                }
                // A limit ends the run behind its steps.
                self.available(&failures.on_limit, &keys);
                in_all(ways)
            }
            Step::Set(values) | Step::Surface(values) => {
                keys.extend(values.keys().cloned());
                Some(keys)
            }
            Step::Run { writes, .. } => {
                keys.extend(writes.iter().cloned());
                Some(keys)
            }
            Step::Note(_) => Some(keys),
            Step::ExitLoop | Step::End => None,
        }
    }
}

/// What is there whichever way was gone; ways that end are not gone on.
fn in_all(ways: impl IntoIterator<Item = Option<Keys>>) -> Option<Keys> {
    ways.into_iter().flatten().reduce(|one, other| one.intersection(&other).cloned().collect())
}
