//! The contexts of the agents that another runs: how each is made, and what is taken over from it at its end.

use std::sync::Arc;

use futures::future::join_all;
use kernel::Delta;

use crate::Cx;
use crate::agent::Agent;

impl Cx {
    /// Makes a branch, the only way to do two things concurrently. It runs nothing yet; see [`Cx::start`] and
    /// [`Cx::join`].
    pub(crate) fn branch(&mut self, agent: &dyn Agent) -> Cx {
        let name = &agent.outline().name;
        let ordinal = self.next_ordinal(name);
        self.beneath(self.path.branch(name, ordinal), name, agent.outline().contract.clone())
    }

    /// Runs branches of this agent concurrently, and waits for all of them.
    pub(crate) async fn run_concurrently<T>(&self, running: Vec<impl Future<Output = T>>) -> Vec<T> {
        match &self.slot {
            Some(slot) => slot.run_branches(running).await,
            None => join_all(running).await,
        }
    }

    /// Merges the state of finished branches. Siblings write different keys but may have seen the person's edits up to
    /// different events, so the latest value of each key holds.
    pub(crate) fn join(&mut self, branches: Vec<Cx>) {
        let mut joined = Delta::default();
        let known_waits = self.waits.len();
        let written = Arc::make_mut(&mut self.written);
        for branch in &branches {
            for (key, seq) in branch.written.iter() {
                if written.get(key) >= Some(seq) {
                    continue;
                }
                joined.removed.retain(|removed| removed != key);
                match branch.state.get(key) {
                    Some(value) => _ = joined.set.insert(key.clone(), value.clone()),
                    None => {
                        joined.set.remove(key);
                        joined.removed.push(key.clone());
                    }
                }
                written.insert(key.clone(), *seq);
            }
        }
        for branch in branches {
            self.sees = self.sees.max(branch.sees);
            self.exit = branch.exit.clone().or(self.exit.take());
            self.pass_through(branch, known_waits);
        }
        self.state.apply(&joined);
    }

    /// Takes over what instances used. Their writes stay local to them; the person's edits from before the start of any
    /// of them are known here from now on.
    pub(crate) fn leave(&mut self, instances: Vec<Cx>) {
        let known_waits = self.waits.len();
        let seen = instances.iter().map(|instance| instance.sees).max().unwrap_or_default();
        for change in self.shared.writer.done_by_person(self.sees, seen) {
            self.take_over(&change);
            self.sees = change.seq;
        }
        for instance in instances {
            self.pass_through(instance, known_waits);
        }
    }

    fn pass_through(&mut self, below: Cx, known_waits: usize) {
        self.at = self.at.max(below.at);
        self.now = self.now.max(below.now);
        Arc::make_mut(&mut self.waits).extend(below.waits.iter().skip(known_waits));
        self.first_asked_ms = self.first_asked_ms.into_iter().chain(below.first_asked_ms).min();
        self.reported = below.reported.or(self.reported.take());
        self.spent.add(&below.spent);
        Arc::make_mut(&mut self.given_up).extend(below.given_up.iter().cloned());
        Arc::make_mut(&mut self.begun).extend(below.begun.iter().cloned());
    }

    /// Makes the context of one round of a loop: children are counted anew, and their paths carry the round.
    pub(crate) fn round(&self, round: u32) -> Cx {
        self.beneath(self.path.round(round), &self.author, self.contract.clone())
    }

    pub(crate) fn adopt(&mut self, child: Cx) {
        self.state = child.state;
        self.written = child.written;
        self.at = child.at;
        self.sees = self.sees.max(child.sees);
        self.now = child.now;
        self.waits = child.waits;
        self.first_asked_ms = self.first_asked_ms.or(child.first_asked_ms);
        self.reported = child.reported.or(self.reported.take());
        self.spent.add(&child.spent);
        self.exit = child.exit.or(self.exit.take());
        self.given_up = child.given_up;
        self.begun = child.begun;
    }

    pub(crate) fn next_ordinal(&mut self, name: &str) -> u32 {
        Arc::make_mut(&mut self.begun).insert(name.to_owned());
        let ordinal = self.calls.entry(name.to_owned()).or_default();
        *ordinal += 1;
        *ordinal
    }
}
