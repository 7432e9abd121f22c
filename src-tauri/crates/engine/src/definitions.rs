//! The definitions of a run: the first one, and one for each later change.
//!
//! Re-execution meets changes in the order of the tree, not of their numbers: it may apply a raised limit with a low
//! number after a change with a higher one. So the changes are kept, not only their results.

use std::sync::Arc;

use kernel::{Definition, Event, Fact, Seq};

type Change = Box<dyn Fn(&mut Definition) + Send>;

pub(crate) struct Definitions {
    first: Arc<Definition>,
    /// Each change with the number of its event and the definition that results from it.
    changes: Vec<(Seq, Change, Arc<Definition>)>,
}

impl Definitions {
    pub(crate) fn new(first: Definition) -> Definitions {
        Definitions { first: Arc::new(first), changes: Vec::new() }
    }

    /// The definition that holds for the event with this number.
    pub(crate) fn of(&self, place: Seq) -> Arc<Definition> {
        let held = self.changes.iter().rev().find(|(from, ..)| *from < place);
        held.map_or(&self.first, |(.., definition)| definition).clone()
    }

    /// Applies a change of the person that came from outside.
    pub(crate) fn change_by_person(&mut self, event: &Event) {
        match &event.fact {
            Fact::RunResumed { overrides, .. } => {
                let overrides = overrides.clone();
                self.change(event.seq, move |definition| definition.apply(&overrides));
            }
            Fact::GatesSet { gates } => {
                let gates = gates.clone();
                self.change(event.seq, move |definition| definition.set_gates(&gates));
            }
            _ => {}
        }
    }

    /// Applies a change from behind the event `from`. The change of one event is applied once.
    pub(crate) fn change(&mut self, from: Seq, change: impl Fn(&mut Definition) + Send + 'static) {
        let place = self.changes.partition_point(|(earlier, ..)| *earlier < from);
        if self.changes.get(place).is_some_and(|(same, ..)| *same == from) {
            return;
        }
        let mut last = self.of(from);
        self.changes.insert(place, (from, Box::new(change), last.clone()));
        // Later changes are applied again on top of this one.
        for (_, change, definition) in self.changes.iter_mut().skip(place) {
            let mut changed = Definition::clone(&last);
            change(&mut changed);
            last = Arc::new(changed);
            *definition = last.clone();
        }
    }
}
